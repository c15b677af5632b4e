package inject

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/fault"
	"pgregory.net/rapid"
)

func genCandidate() *rapid.Generator[candidate] {
	return rapid.Custom(func(t *rapid.T) candidate {
		c := candidate{floor: rapid.SampledFrom([]level{atNothing, atPointer, atStructured}).Draw(t, "floor"),
			weight: float64(rapid.IntRange(1, 30).Draw(t, "weight")) / 10}
		for l := atPointer; l <= atFull; l++ {
			if l == atFull || rapid.IntRange(0, 3).Draw(t, "has") > 0 {
				n := rapid.IntRange(1, 12).Draw(t, "tokens")
				c.offer(l, size{tokens: n, chars: 4 * n, bytes: 4 * n, lines: 1})
			}
		}
		return c
	})
}

// An oracle tries every assignment of levels there is.
type oracle struct {
	cs   []candidate
	best float64 // the highest utility of those that keep every floor, -1 if none fits
}

func (o *oracle) try(i int, left, utility float64) {
	if left < 0 {
		return
	}
	if i == len(o.cs) {
		o.best = max(o.best, utility)
		return
	}
	c := &o.cs[i]
	for l := c.floor; l <= atFull; l++ {
		if l == atNothing || c.can(l) {
			o.try(i+1, left-float64(c.cost[l].tokens), utility+c.weight*worth[l])
		}
	}
}

// TestResidencyAgainstTheOracle compares with every possible choice, on cases
// that are small enough for that: whenever any choice keeps all floors, ours
// does; nothing that would still fit is left out; and no choice is better by
// more than one upgrade, which is what taking the best gain per token promises.
func TestResidencyAgainstTheOracle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cs := rapid.SliceOfN(genCandidate(), 1, 6).Draw(t, "candidates")
		room := rapid.IntRange(0, 60).Draw(t, "room")
		o := oracle{cs: slices.Clone(cs), best: -1}
		o.try(0, float64(room), 0)

		fits := choose(cs, size{tokens: room, chars: unlimited, bytes: unlimited, lines: unlimited})
		if fits != (o.best >= 0) {
			t.Fatalf("says that the least set fits: %v; the oracle found %v", fits, o.best)
		}
		used, utility, step := 0, 0.0, 0.0
		for i := range cs {
			c := &cs[i]
			used += c.cost[c.at].tokens
			utility += c.weight * worth[c.at]
			step = max(step, c.weight)
			if fits && c.short() {
				t.Fatalf("candidate %d stands at %s below its floor %s", i, c.at, c.floor)
			}
		}
		if used > room {
			t.Fatalf("%d tokens used of %d", used, room)
		}
		if !fits {
			return
		}
		if utility < o.best-step {
			t.Fatalf("utility %.2f, the oracle reaches %.2f", utility, o.best)
		}
		for i := range cs {
			c := &cs[i]
			for l := c.at + 1; l <= atFull; l++ {
				if c.can(l) && used+c.cost[l].tokens-c.cost[c.at].tokens <= room {
					t.Fatalf("there is room to show candidate %d at %s instead of %s", i, l, c.at)
				}
			}
		}
	})
}

// The same candidates give the same choice, and equal ones go by their order.
func TestResidencyIsDeterministic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cs := rapid.SliceOfN(genCandidate(), 0, 20).Draw(t, "candidates")
		room := size{tokens: rapid.IntRange(0, 150).Draw(t, "room"), chars: unlimited, bytes: unlimited, lines: unlimited}
		again := slices.Clone(cs)
		choose(cs, room)
		choose(again, room)
		if !slices.Equal(cs, again) {
			t.Fatalf("%v\n%v", cs, again)
		}
	})
	same := make([]candidate, 4)
	for i := range same {
		same[i].weight = 1
		same[i].offer(atFull, size{tokens: 10})
	}
	choose(same, size{tokens: 25, chars: 99, bytes: 99, lines: 99})
	for i, want := range []level{atFull, atFull, atNothing, atNothing} {
		if same[i].at != want {
			t.Errorf("of equal candidates number %d is %s, want %s", i, same[i].at, want)
		}
	}
}

func TestClassOf(t *testing.T) {
	for _, c := range []struct {
		kind    pimento.Kind
		heading string
		pinned  bool
		done    bool
		want    Class
	}{
		{pimento.KindFact, "", false, false, Evidence},
		{pimento.KindFact, "", true, false, Policy},
		{pimento.KindFact, "Shop > Rules", false, false, Constraint},
		{pimento.KindFact, "Rules > Build", false, false, Constraint},
		{pimento.KindFact, "Rules > Preferences:", false, false, Preference},
		{pimento.KindFact, "Next steps", false, false, Plan},
		{pimento.KindFact, "Policies", false, false, Policy},
		{pimento.KindPreference, "Plan", false, false, Preference},
		{pimento.KindPreference, "", true, false, Preference},
		{pimento.KindDecision, "", false, false, Constraint},
		{pimento.KindLesson, "", false, false, Constraint},
		{pimento.KindTask, "", false, false, Plan},
		{pimento.KindTask, "", false, true, Evidence},
		{pimento.KindDone, "Plan", false, false, Evidence},
		{pimento.KindNote, "", false, false, Conversation},
		{pimento.KindHandoff, "", false, false, Conversation},
		{pimento.KindHandoff, "", true, false, Policy},
	} {
		e := pimento.Entry{Kind: c.kind, Heading: c.heading, Pinned: c.pinned, Done: c.done}
		if got := classOf(&e); got != c.want {
			t.Errorf("%+v is %s, want %s", c, got, c.want)
		}
		if got := floorOf(&e); c.pinned && got != atStructured {
			t.Errorf("%+v may stand as %s", c, got)
		}
	}
}

func TestStructured(t *testing.T) {
	for text, want := range map[string]string{
		"short": "- Build: short\n",
		"sccache breaks -Werror, so it is off in CI":                                      "- Build: sccache breaks -Werror…\n",
		"Move the queue to PostgreSQL: the table stands":                                  "- Build: Move the queue to PostgreSQL…\n",
		"The slow canary (ten minutes) comes first":                                       "- Build: The slow canary…\n",
		"キャッシュは壊れています、だから使いません":                                                           "- Build: キャッシュは壊れています…\n",
		"<b>bold</b> claims about the build":                                              "- Build: &lt;b>bold&lt;/b> claims about the build\n",
		"one word after the other without any stop at all " + strings.Repeat("more ", 20): "- Build: one word after the other without any stop at all more more more…\n",
	} {
		it := Item{Entry: pimento.Entry{Text: text, Heading: "Shop > Build"}}
		if got := structured(&it.Entry, false); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// The index is capped at the exact line and the exact byte, never inside a
// character.
// What a user numbered keeps its number, and its further lines stand below it.
func TestANumberedItemStaysNumbered(t *testing.T) {
	e := pimento.Entry{Text: "Run the tests, all of them. Then push.\n\n1. to origin", Number: "2."}
	s := ShapesOf(&e)
	want := []string{"2. Run the tests, all of them. Then push.\n\n   1. to origin\n", "2. Run the tests, all of them.\n", "2. Run the tests…\n"}
	if d := cmp.Diff(want, []string{s.full.text, s.compressed.text, s.structured.text}); d != "" {
		t.Error(d)
	}
}

func TestCapIndex(t *testing.T) {
	lines := func(n, width int) string { return strings.Repeat(strings.Repeat("x", width-1)+"\n", n) }
	for name, c := range map[string]struct {
		body string
		b    pimento.Budget
		want int
	}{
		"both hold":                      {lines(200, 40), pimento.Budget{Lines: 200, Bytes: 8192}, 8000},
		"one line too many":              {lines(201, 40), pimento.Budget{Lines: 200, Bytes: 8192}, 8000},
		"exactly the bytes":              {lines(128, 64), pimento.Budget{Lines: 200, Bytes: 8192}, 8192},
		"one byte too many":              {lines(128, 64) + "x", pimento.Budget{Lines: 200, Bytes: 8192}, 8192},
		"a byte less than the last line": {lines(128, 64), pimento.Budget{Bytes: 8191}, 8128},
		"no line break at the end":       {"a\nb", pimento.Budget{Lines: 2}, 3},
		"one long line":                  {strings.Repeat("é", 100), pimento.Budget{Bytes: 101}, 100},
		"characters are not bytes":       {strings.Repeat("é", 50) + "\n" + "b\n", pimento.Budget{Bytes: 101}, 101},
		"no limit":                       {lines(3, 10), pimento.Budget{}, 30},
	} {
		if got := len(capIndex(c.body, c.b)); got != c.want {
			t.Errorf("%s: %d bytes, want %d", name, got, c.want)
		}
	}
}

// Every entry that the trace says stands in the resident set does stand there,
// and whatever must stand is there or is a fault.
func TestResidentSetIsTraced(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := Facts{Profile: loadProfile("resident"), Today: today}
		f.Profile.Resident.Tokens = rapid.IntRange(20, 400).Draw(t, "tokens")
		var body strings.Builder
		n := rapid.IntRange(1, 30).Draw(t, "entries")
		for i := range n {
			if i%5 == 0 {
				body.WriteString("\n## " + rapid.SampledFrom([]string{"Rules", "Facts", "Plan", "Preferences"}).Draw(t, "heading") + "\n\n")
			}
			fmt.Fprintf(&body, "- entry%d stands for itself, and has a second half that says more about it\n", i)
		}
		f.Texts = map[pimento.Pick][]Text{pimento.PickMemory: {{Scope: pimento.Global, Page: "MEMORY.md", Body: body.String()}}}
		f.Items = map[pimento.Pick][]Item{pimento.PickMemory: pagedItems(f.Texts[pimento.PickMemory])}
		b := Build(f)
		must, shown := 0, map[string]string{}
		for _, d := range b.Trace {
			shown[d.Entry] = d.Decision
		}
		if shown["memory"] == "full" {
			return // the page as it stands
		}
		for i, it := range f.Items[pimento.PickMemory] {
			what := shown[string(it.Entry.Statement)]
			word := fmt.Sprintf("entry%d stands", i)
			if got := strings.Contains(b.Prefix, word); got != (what == "full" || what == "brief" || what == "structured") {
				t.Fatalf("%s: traced as %q, stands %v\n%s", word, what, got, b.Prefix)
			}
			if floorOf(&it.Entry) > levelOf(cmpOr(what, "dropped")) {
				must++
			}
		}
		if faulty := slices.ContainsFunc(b.Faults, func(f pimento.Fault) bool { return f.Kind == string(fault.PinnedMiss) }); faulty != (must > 0) {
			t.Fatalf("%d entries below their floor, fault %v\n%s", must, faulty, b.Prefix)
		}
	})
}

func cmpOr(a, b string) string {
	if a == "" {
		return b
	}
	return a
}

// The short form of a section is what it says, below its heading.
func TestBriefOfASection(t *testing.T) {
	for text, want := range map[string]string{
		"# Findings\n\n- The suite is slow. It has 300 tests.\n- More.":  "Findings: The suite is slow.",
		"## Linker\n\nmold needs version 2.30":                           "Linker: mold needs version 2.30",
		"# Only a heading":                                               "# Only a heading",
		"one line\n# and a heading":                                      "one line",
		"```sh\nmake deps && make all\n# needs clang 17\n```":            "make deps && make all",
		"# Setup\n\n~~~\n\nmake deps\n~~~":                               "Setup: make deps",
		"```js x``` is odd\nand more":                                    "```js x``` is odd and more",
		"never deploy on Friday\nunless Priya says so. She rarely does.": "never deploy on Friday unless Priya says so.",
		"the steps\n- build it\n- ship it":                               "the steps",
		"the port is 5432\n\nand the host is db1":                        "the port is 5432",
		"run it so:\n```sh\nmake\n```":                                   "run it so:",
		"first this\n2. then that":                                       "first this",
		"```\n```":                                                       "```",
	} {
		if got := brief(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// pages are a project's MEMORY.md below the user's own, as far as a budget lets them stand.
func residentPages(tokens int, global, project string) pimento.Block {
	f := Facts{Profile: loadProfile("resident"), Today: today}
	f.Profile.Resident.Tokens = tokens
	f.Texts = map[pimento.Pick][]Text{pimento.PickMemory: {
		{Scope: pimento.Global, Page: "MEMORY.md", Body: global}, {Scope: pimento.Project, Page: "MEMORY.md", Body: project}}}
	f.Items = map[pimento.Pick][]Item{pimento.PickMemory: pagedItems(f.Texts[pimento.PickMemory])}
	return Build(f)
}

// Where two pages say the same, the one that demands more decides how much of it stands.
func TestOfEqualEntriesTheOneThatDemandsMoreCounts(t *testing.T) {
	filler := strings.Repeat("- filler about the tea kitchen and who has the key to it\n", 1)
	for i := range 40 {
		filler += fmt.Sprintf("- filler %d about the tea kitchen and who has the key to it\n", i)
	}
	rule := "- Every migration is reviewed by Ines before it is merged"
	for name, project := range map[string]string{
		"a pin":     rule + " *(pinned)*\n" + strings.ReplaceAll(filler, "filler", "project"),
		"a heading": "## Policies\n\n" + rule + "\n\n## Notes\n\n" + strings.ReplaceAll(filler, "filler", "project"),
	} {
		if b := residentPages(200, rule+"\n"+filler, project); !strings.Contains(b.Prefix, "migration is reviewed") {
			t.Errorf("%s: the rule does not stand, faults %v\n%s", name, b.Faults, b.Prefix)
		}
	}
}

// The headings of pages of which nothing must stand take no room from what must.
func TestPagesOfEvidenceGiveWay(t *testing.T) {
	global := "- the office has tea, coffee and water on the second floor\n- the printer is slow on Mondays\n- lunch is at noon, in the hall\n"
	project := "## Rules\n\n- Never push to main without a review\n- Run the tests before each push\n" +
		"\n## Decisions\n\n- PostgreSQL holds all state of the service\n- Go is the language of the backend\n"
	must := []string{"Never push", "Run the tests", "PostgreSQL", "Go is"}
	for _, tokens := range []int{60, 90, 120} {
		both, alone := residentPages(tokens, global, project), residentPages(tokens, "", project)
		for _, what := range must {
			if strings.Contains(alone.Prefix, what) && !strings.Contains(both.Prefix, what) {
				t.Errorf("%d tokens: %q stands only without the user's own page\n%s", tokens, what, both.Prefix)
			}
		}
	}
}

// What a page shows in full beside nothing else, it shows beside a page that gives way.
func TestWhatMustStandNeedsNoRoomForNotes(t *testing.T) {
	global := "- the office has tea and coffee\n- the printer is slow\n- lunch is at noon\n"
	project := "## Policies\n\n- never push to main and never merge a change that nobody has looked at\n"
	for tokens := 30; tokens < 60; tokens++ {
		alone, both := residentPages(tokens, "", project), residentPages(tokens, global, project)
		if strings.Contains(alone.Prefix, "never push") && !strings.Contains(both.Prefix, "never push") {
			t.Errorf("%d tokens: %v\n%s", tokens, both.Faults, both.Prefix)
		}
	}
}
