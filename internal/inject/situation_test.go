package inject

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/pimento-memory/pimento"
)

// scored are n entries of a kind with a score each.
func scored(kind pimento.Kind, n int, worth float64) (out []Item) {
	for i := range n {
		text := fmt.Sprintf("%s number %d says so in rather many words, so that not all of them find room", kind, i)
		out = append(out, Item{Entry: pimento.Entry{Occurrence: pimento.Occurrence{Scope: pimento.Project, Page: "topics/x.md", Statement: pimento.StatementOf(text)},
			Kind: kind, Text: text, Line: i}, Standing: pimento.Standing{Score: worth, Lifecycle: "active", Last: time.Unix(1.77e9, 0)}})
	}
	return out
}

// report is the situation report of items beside a prompt of so many tokens.
func report(system int, items ...[]Item) pimento.Block {
	f := Facts{Profile: loadProfile("situation"), Today: today, Now: time.Unix(1.77e9, 0).UTC(), SystemTokens: system, Items: map[pimento.Pick][]Item{}}
	for _, list := range items {
		f.Items[pimento.PickKinds] = append(f.Items[pimento.PickKinds], list...)
	}
	return Build(f)
}

// TestHotterSectionIsFilledFirst: of two sections that compete for what is left
// the hotter one takes it. In the original hotness was a tie-break between
// priorities that all differed, and did nothing.
func TestHotterSectionIsFilledFirst(t *testing.T) {
	const system = 8000 - 800 // little is left beside the preamble
	count := func(b pimento.Block, kind string) int { return strings.Count(b.Prefix, "- "+kind+" number") }
	for _, hot := range []pimento.Kind{"preference", "lesson"} {
		cold := map[pimento.Kind]pimento.Kind{"preference": "lesson", "lesson": "preference"}[hot]
		b := report(system, scored(hot, 40, 2.2), scored(cold, 40, 1.6))
		if count(b, string(hot)) <= count(b, string(cold)) {
			t.Errorf("%s is hotter and has %d entries against %d:\n%s", hot, count(b, string(hot)), count(b, string(cold)), b.Prefix)
		}
		if at, other := strings.Index(b.Prefix, "## Active Preferences"), strings.Index(b.Prefix, "## Active Lessons"); other >= 0 && at > other {
			t.Error("hotness changed where the sections stand")
		}
	}
	// The two groups never change places: a hot mistake does not take a
	// preference's room.
	b := report(8000-420, scored("mistake", 40, 9), scored("preference", 5, 1.6))
	if count(b, "preference") == 0 || count(b, "mistake") > 0 && count(b, "preference") < 3 {
		t.Errorf("%s", b.Prefix)
	}
}

// TestReportFitsTheWindow: min(1700, 8000 - the rest of the prompt), and
// nothing at all when that is nothing.
func TestReportFitsTheWindow(t *testing.T) {
	items := [][]Item{scored("preference", 60, 2), scored("lesson", 60, 2), scored("mistake", 60, 2), scored("pattern", 60, 2),
		scored("decision", 60, 2), scored("done", 60, 2)}
	for system, want := range map[int]int{0: 1700, 6300: 1700, 6301: 1699, 7000: 1000, 7990: 10, 7999: 1} {
		b := report(system, items...)
		if n := tokens(b.Prefix); n > want {
			t.Errorf("beside %d tokens: %d, want at most %d", system, n, want)
		}
	}
	if b := report(0, items...); tokens(b.Prefix) < 1500 {
		t.Errorf("only %d tokens of 1700 are used", tokens(b.Prefix))
	}
	for _, system := range []int{8000, 8001, 1 << 30} {
		if b := report(system, items...); b.Prefix != "" || b.Tail != "" {
			t.Errorf("beside %d tokens: %q", system, b.Prefix)
		}
	}
}

// TestReportSaysWhatItLeavesOut in the document's words.
func TestReportSaysWhatItLeavesOut(t *testing.T) {
	b := report(0, scored("pattern", 60, 2))
	shown := strings.Count(b.Prefix, "- pattern number")
	if want := fmt.Sprintf("- ... %d more (lower priority, omitted for context budget)", 60-shown); shown == 0 || !strings.Contains(b.Prefix, want) {
		t.Errorf("no %q:\n%s", want, b.Prefix)
	}
	if b := report(0, scored("pattern", 2, 2)); strings.Contains(b.Prefix, "more (") {
		t.Errorf("%s", b.Prefix)
	}
}

// TestRecentMeansRecent: decisions of seven days, completions of three, to the
// second.
func TestRecentMeansRecent(t *testing.T) {
	for kind, days := range map[pimento.Kind]int{"decision": 7, "done": 3} {
		item := scored(kind, 1, 2)
		for age, shown := range map[time.Duration]bool{
			0: true, time.Duration(days)*24*time.Hour - time.Second: true, time.Duration(days) * 24 * time.Hour: false} {
			item[0].Standing.Last = time.Unix(1.77e9, 0).Add(-age)
			if got := strings.Contains(report(0, item).Prefix, "number 0"); got != shown {
				t.Errorf("%s, %v ago: shown %v", kind, age, got)
			}
		}
	}
	for _, kind := range []pimento.Kind{"preference", "lesson", "mistake", "pattern"} {
		item := scored(kind, 1, 2)
		item[0].Standing.Last = time.Unix(0, 0)
		if !strings.Contains(report(0, item).Prefix, "number 0") {
			t.Errorf("an old %s is not shown", kind)
		}
	}
}

// Of many pages the first say something, instead of each the beginning of a line.
func TestManyPagesOfASection(t *testing.T) {
	f := Facts{Profile: loadProfile("situation"), Today: today}
	f.Profile.Sections = append(f.Profile.Sections, pimento.Section{Name: "rules", Zone: pimento.Prefix, Pick: pimento.PickRules,
		Heading: "## Project Rules", Rank: 3, Budget: pimento.Budget{Tokens: 300}})
	var texts []Text
	for i := range 30 {
		body := strings.Repeat(fmt.Sprintf("Page %d says that nobody merges on a Friday afternoon, whatever it is.\n", i), 10)
		texts = append(texts, Text{Scope: pimento.Project, Page: fmt.Sprintf("rules/%02d.md", i), Body: body})
	}
	f.Texts = map[pimento.Pick][]Text{pimento.PickRules: texts}
	b := Build(f)
	if n := strings.Count(b.Prefix, " whatever it is.\n"); n < 7 || strings.Count(b.Prefix, "[…]") > 1 || !strings.Contains(b.Prefix, "Page 1 says") {
		t.Errorf("%d lines stand whole:\n%s", n, b.Prefix)
	}
}

// Pages below one heading stand whole as soon as there is room for all of them.
func TestWhatFitsIsNotCut(t *testing.T) {
	f := Facts{Profile: loadProfile("daybook"), Today: today}
	f.Texts = map[pimento.Pick][]Text{pimento.PickMemory: {
		{Scope: pimento.Global, Page: "MEMORY.md", Body: strings.Repeat("- filler\n", 12)}, {Scope: pimento.Project, Page: "MEMORY.md", Body: "- one\n- two\n"}}}
	f.Profile.SectionOf(pimento.PickMemory).Budget = pimento.Budget{Lines: 2 + 12 + 3 + 2} // a heading, and the scope between blank lines
	if b := Build(f); strings.Count(b.Prefix, "- filler\n") != 12 || !strings.Contains(b.Prefix, "- two") {
		t.Error(b.Prefix)
	}
}
