package page

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// rounds is the number of random pages.
const rounds = 20_000

// Every hostile text goes into every page in every way and comes back.
func TestHostileTextsRoundTrip(t *testing.T) {
	for _, s := range seeds(t) {
		t.Run(s.name, func(t *testing.T) {
			p := Parse(s.rel, s.b)
			checkPage(t, p, s.b)
			for k, text := range hostileTexts() {
				for how := k % 4; how < 16; how += 4 {
					checkInsert(t, p, text, uint8(how|k<<4))
				}
				for i := range p.Entries() {
					checkEdits(t, p, i, text)
				}
			}
		})
	}
}

// Pages put together from lines that mean something are harder than what a
// fuzzer finds.
func TestEditsOfRandomPages(t *testing.T) {
	lines := []string{
		"", "", "", "- a", "- b", "  more", "* c", "1. one", "2. two", "text", "# H", "## S", "## Lessons", "```", "~~~", "  ```", "---", "- - -",
		"<!-- 2026-02-15 14:30:00 [a1b2c3d4] -->", "<!-- HANDOFF 2026-02-15 14:30:00 [a1b2c3d4] -->", "## Session Handoff", "<!-- x -->", "<!-- x", "x -->",
		"- [ ] task", "- [x] done", "- [lesson] l", "- a *(pinned)*", "*(pinned)*", "x *(enforced)* ^pm-0a1b2c3d", `- \[ ] t`, IndexBegin, IndexEnd,
		"<<<<<<< a", "=======", ">>>>>>> b", "\ttab", " - one in", "   three in", "-", "===", "| a |", "> q", "[x]", `\# h`, "  - [ ] sub",
	}
	texts := hostileTexts()
	paths := []string{"MEMORY.md", "topics/lessons.md", "SCRATCHPAD.md", "daily/2026-02-15.md", "knowledge/a.md", "deploy.md"}
	rnd := rand.New(rand.NewPCG(1, 2))
	edits, refused, n := 0, 0, rounds
	if testing.Short() {
		n /= 5
	}
	for range n {
		var b strings.Builder
		eol := []string{"\n", "\r\n"}[rnd.IntN(2)]
		for range 1 + rnd.IntN(9) {
			b.WriteString(lines[rnd.IntN(len(lines))] + eol)
		}
		src := b.String()
		if rnd.IntN(4) == 0 {
			src = strings.TrimRight(src, "\r\n")
		}
		p := Parse(paths[rnd.IntN(len(paths))], []byte(src))
		checkPage(t, p, []byte(src))
		checkInsert(t, p, texts[rnd.IntN(len(texts))], uint8(rnd.IntN(256)))
		if n := len(p.Entries()); n > 0 {
			edits += 3
			if r := checkEdits(t, p, rnd.IntN(n), texts[rnd.IntN(len(texts))]); r > 0 {
				refused += r
				if testing.Verbose() && refused < 20 {
					t.Logf("refused: %q", src)
				}
			}
		}
	}
	t.Logf("%d of %d edits refused", refused, edits)
	if refused*1000 > edits {
		t.Errorf("too many edits refused: %d of %d", refused, edits)
	}
}
