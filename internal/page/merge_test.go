package page

import (
	"slices"
	"strings"
	"testing"

	"github.com/pimento-memory/pimento"
	"pgregory.net/rapid"
)

// TestMerge: / stands for the end of a line; no result is a conflict.
func TestMerge(t *testing.T) {
	for _, c := range []struct{ name, rel, base, ours, theirs, want string }{
		{"both add at the end", Memory, "- a/", "- a/- b/", "- a/- c/", "- a/- b/- c/"},
		{"both begin a page", Memory, "", "- b/", "- c/", "- b/- c/"},
		{"both add the same", Memory, "- a/", "- a/- b/- c/", "- a/- c/", "- a/- b/- c/"},
		{"at the top and at the end", Memory, "- a/- b/", "- x/- a/- b/", "- a/- b/- y/", "- x/- a/- b/- y/"},
		{"neighbours are edited", Memory, "- a/- b/", "- a2/- b/", "- a/- b2/", "- a2/- b2/"},
		{"edited, and one added below", Memory, "- a/", "- a2/", "- a/- b/", "- a2/- b/"},
		{"taken out, and one added below", Memory, "- a/- b/", "- a/", "- a/- b/- c/", "- a/- c/"},
		{"both take it out", Memory, "- a/- b/- c/", "- a/- c/", "- a/- c/- d/", "- a/- c/- d/"},
		{"edited in two ways", Memory, "- a/", "- a2/", "- a3/", ""},
		{"edited, and taken out", Memory, "- a/- b/", "- a/- b2/", "- a/", ""},
		{"edited alike", Memory, "- a/- c/", "- a2/- c/", "- a2/- c/- d/", "- a2/- c/- d/"},
		{"edited alike, and one more below", Memory, "- a/", "- a2/- b/", "- a2/- c/", ""},
		{"under a new heading", Memory, "# M//- a/", "# M//- a//## New//- b/", "# M//- a/- c/", "# M//- a/- c//## New//- b/"},
		{"theirs under a new heading", Memory, "# M//- a/", "# M//- a/- c/", "# M//- a//## New//- b/", "# M//- a/- c//## New//- b/"},
		{"both under the same new heading", Memory, "# M//- a/", "# M//- a//## New//- b//## More//- m/", "# M//- a//## New//- c/", "# M//- a//## New//- b/- c//## More//- m/"},
		{"both add the same in another order", Memory, "- a/", "- a/- b/- c/", "- a/- c/- b/- d/", "- a/- b/- c/- d/"},
		{"moved here, added there", Memory, "- a/- b/- c/", "- b/- c/- a/", "- a/- b/- c/- d/", "- b/- c/- a/- d/"},
		{"above an entry that is edited", Memory, "- a/- b/", "- a/- b2/", "- a/- x/- b/", "- a/- x/- b2/"},
		{"the same under two headings", Memory, "## S/- a/## P/- b/", "## S/- a/- x/## P/- b/", "## S/- a/## P/- b/- x/", "## S/- a/- x/## P/- b/- x/"},
		{"the same under two new headings", Memory, "# M/", "# M/## S/- x/", "# M/## P/- x/", "# M/## S/- x/## P/- x/"},
		{"moved under two headings", Memory, "## A/- a/## B/- b/## C/- c/", "## A/## B/- b/- a/## C/- c/", "## A/## B/- b/## C/- c/- a/", "## A/## B/- b/- a/## C/- c/- a/"},
		{"under headings of one name", Memory, "# M/", "# M/## A/### N/- x/", "# M/## B/### N/- y/", ""},
		{"each takes out one of two that are the same", Memory, "## S/- a/- b/## P/- a/", "## S/- b/## P/- a/", "## S/- a/- b/## P/", "## S/- a/- b/## P/- a/"},
		{"a section is taken out, and has one more", Memory, "## S/- a/## P/- b/", "## S/- a/", "## S/- a/## P/- b/- x/", ""},
		{"a heading above an entry that is edited", Memory, "- a/- b/", "- a/- b2/", "- a/## New/- b/", ""},
		{"a stamp would date what is below it", Memory, "- a/", "- a/<!-- 2026-03-02 10:00:00 [a] -->/- b/", "- a/- c/", ""},
		{"front matter is changed in two ways", Memory, "---/title: x/---/- a/", "---/title: x/type: a/---/- a/", "---/title: x/type: b/---/- a/", ""},
		{"front matter here, an entry there", Memory, "---/title: x/---/- a/", "---/title: y/---/- a/", "---/title: x/---/- a/- b/", "---/title: y/---/- a/- b/"},
		{"a heading is changed in two ways", Memory, "# M//- a/", "# N//- a/", "# O//- a/", ""},
		{"more lines each", Memory, "- a/", "- a/- b/  more of b/", "- a/- c/  more of c/", "- a/- b/  more of b/- c/  more of c/"},
		{"no end of the last line", Memory, "- a", "- a/- b", "- a/- c", "- a/- b/- c"},
		{"ticked here, added there", Scratchpad, "- [ ] a/- [ ] b/", "- [x] a/- [ ] b/", "- [ ] a/- [ ] b/- [ ] c/", "- [x] a/- [ ] b/- [ ] c/"},
		{"a log in the order of its stamps", DailyDir + "2026-03-02.md", "",
			"<!-- 2026-03-02 10:00:00 [a] -->/ten//<!-- 2026-03-02 12:00:00 [a] -->/twelve/",
			"<!-- 2026-03-02 11:00:00 [b] -->/eleven/",
			"<!-- 2026-03-02 10:00:00 [a] -->/ten/<!-- 2026-03-02 11:00:00 [b] -->/eleven//<!-- 2026-03-02 12:00:00 [a] -->/twelve/"},
		{"an article", "topics.md", "a/b/c/", "a2/b/c/", "a/b/c2/", ""},
		{"a conflict is open", Memory, "- a/", "<<<<<<< o/- b/=======/- c/>>>>>>> t/", "- a/- d/", ""},
		{"a fence is open", Memory, "- a/", "- a/- b/", "- a/```/- c/", ""},
		{"our editor changed the line endings", Memory, "- a/", "- a\r/- b\r/", "- a/- c/", "- a\r/- b\r/- c\r/"},
		{"theirs did", Memory, "- a/- b/", "- a/- b2/", "- a\r/- b\r/- c\r/", "- a\r/- b2\r/- c\r/"},
		{"theirs did nothing else", Memory, "- a/", "- a/- b/", "- a\r/", "- a\r/- b\r/"},
		{"theirs changed them back", Memory, "- a\r/", "- a\r/- b\r/", "- a/- c/", "- a/- b/- c/"},
		{"line endings of a new page differ", Memory, "", "- b/", "- c\r/", "- b\r/- c\r/"},
		{"line endings differ, and one entry", Memory, "- a/", "- a2/", "- a3\r/", ""},
		{"line endings of a side are mixed", Memory, "- a/", "- a\r/- b/", "- a/- c/", ""},
		{"a side is one line without an end", Memory, "- a\r/- b\r/", "- a\r/- b\r/- c\r/", "- a", "- a\r/- c\r/"},
		{"one side alone", "article.md", "a/", "a/", "b/", "b/"},
		{"an index between its markers", Memory, IndexBegin + "/- [a](a.md)/" + IndexEnd + "/", IndexBegin + "/- [a](a.md)/- [b](b.md)/" + IndexEnd + "/",
			IndexBegin + "/- [a](a.md)/- [c](c.md)/" + IndexEnd + "/", IndexBegin + "/- [a](a.md)/- [b](b.md)/- [c](c.md)/" + IndexEnd + "/"},
	} {
		lines := func(s string) []byte { return []byte(strings.ReplaceAll(s, "/", "\n")) }
		got, ok := Merge(c.rel, lines(c.base), lines(c.ours), lines(c.theirs))
		if want := string(lines(c.want)); ok != (c.want != "") || ok && string(got) != want {
			t.Errorf("%s: %v %q, want %q", c.name, ok, got, want)
		}
	}
}

// Whatever two sides do to different entries, both have done it in the end; and
// nothing is merged that does not hold what was meant.
func TestMergeOfRandomEdits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		entries := rapid.SliceOfNDistinct(rapid.StringMatching(`[a-z]{3,6}( [a-z]{2,5}){0,3}`), 1, 12, rapid.ID[string]).Draw(t, "entries")
		page := func(es []string) []byte {
			var b strings.Builder
			b.WriteString("# Memory\n\n")
			for _, e := range es {
				b.WriteString("- " + e + "\n")
			}
			return []byte(b.String())
		}
		want := map[string]bool{}
		for _, e := range entries {
			want[e] = true
		}
		sides := [2][]string{}
		fresh := 0
		next := func(side int) string {
			fresh++
			return strings.Repeat("z", fresh) + string(rune('0'+side)) + " new"
		}
		owner := make([]int, len(entries)) // who may change it
		for i := range owner {
			owner[i] = rapid.IntRange(0, 1).Draw(t, "owner")
		}
		for side := range sides {
			for i, e := range entries {
				switch what := rapid.SampledFrom([]string{"keep", "keep", "edit", "drop", "add"}).Draw(t, "what"); {
				case owner[i] != side || what == "keep":
					sides[side] = append(sides[side], e)
				case what == "edit":
					to := next(side)
					delete(want, e)
					want[to] = true
					sides[side] = append(sides[side], to)
				case what == "drop":
					delete(want, e)
				default:
					to := next(side)
					want[to] = true
					sides[side] = append(sides[side], e, to)
				}
			}
		}
		base, ours, theirs := page(entries), page(sides[0]), page(sides[1])
		got, ok := Merge(Memory, base, ours, theirs)
		if !ok {
			t.Fatalf("a conflict of\n%s%s%s", base, ours, theirs)
		}
		var have []string
		for _, e := range Parse(Memory, got).Entries() {
			have = append(have, e.Text)
			if !want[e.Text] {
				t.Fatalf("%q should not stand\n%s", e.Text, got)
			}
		}
		if len(have) != len(want) {
			t.Fatalf("%d entries, not %d\n%s", len(have), len(want), got)
		}
	})
}

func FuzzMerge(f *testing.F) {
	f.Add("- a\n", "- a\n- b\n", "- a\n\n## x\n- c")
	f.Add("- a\n", "- a\r\n- b\r\n", "- a\n- c")
	f.Add("# M\n\n- a\n- b\n", "- b\n- a\n", "# M\n- a\n\n\ttext\n")
	f.Fuzz(func(t *testing.T, base, ours, theirs string) {
		for _, rel := range []string{Memory, Scratchpad, DailyDir + "2026-03-02.md"} {
			got, ok := Merge(rel, []byte(base), []byte(ours), []byte(theirs))
			if !ok {
				continue
			}
			have := Parse(rel, got).Entries()
			was := Parse(rel, []byte(base)).Entries()
			sides := [2][]pimento.Entry{Parse(rel, []byte(ours)).Entries(), Parse(rel, []byte(theirs)).Entries()}
			for i, side := range sides { // what either added is there, and what both have
				for _, e := range side {
					same := func(x pimento.Entry) bool { return x.Statement == e.Statement }
					there := func(x pimento.Entry) bool { return same(x) && x.Heading == e.Heading }
					if !slices.ContainsFunc(was, same) && !slices.ContainsFunc(have, there) {
						t.Fatalf("%s: %q under %q is lost in %q", rel, e.Text, e.Heading, got)
					}
					if slices.ContainsFunc(sides[1-i], same) && !slices.ContainsFunc(have, same) {
						t.Fatalf("%s: %q, which both have, is lost in %q", rel, e.Text, got)
					}
				}
			}
		}
	})
}
