package remember_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/guard"
	"github.com/pimento-memory/pimento/internal/page"
	"github.com/pimento-memory/pimento/internal/remember"
)

func TestEdit(t *testing.T) {
	to := on("topics/lessons.md", "# L\r\n\r\n- [lesson] old words *(pinned)* ^pm-0123abcd\r\n- [lesson] other\r\n")
	p, err := remember.Edit(to, entry(to, "old words", 0), "new words", by, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Replace(string(to.Page.Bytes()), "old", "new", 1)
	if d := cmp.Diff(want, result(t, to, p)); d != "" {
		t.Error(d)
	}
	if e := p.Events[0]; types(p) != "aliased" || e.From != pimento.StatementOf("old words") || e.Statement != pimento.StatementOf("new words") || e.Text != "new words" {
		t.Errorf("%+v", p.Events)
	}
	if p, _ := remember.Edit(to, entry(to, "old words", 0), " old words ", by, nil); p.Action != pimento.Refuse {
		t.Errorf("the same text: %s", p.Action)
	}
	p, _ = remember.Edit(to, entry(to, "old words", 0), "Other.", by, nil)
	if p.Action != pimento.Refuse || !strings.Contains(p.Reason, "project:topics/lessons.md#"+string(pimento.StatementOf("other"))) {
		t.Errorf("what another entry says: %s %s", p.Action, p.Reason)
	}
	if p, _ := remember.Edit(to, entry(to, "old words", 0), "Old words.", by, nil); p.Action != pimento.Put {
		t.Errorf("its own words, spelled otherwise: %s %s", p.Action, p.Reason)
	}
	secret := "gh" + "p_k3JmQ9xT2vLr8ZbN5wYc7HdF1sGa4PuEoR6i"
	if p, _ := remember.Edit(to, entry(to, "old words", 0), secret, by, guard.Check(secret, guard.Options{})); p.Action != pimento.Refuse {
		t.Errorf("a secret: %s", p.Action)
	}
	if _, err := remember.Edit(to, entry(to, "no such words", 0), "x", by, nil); pimento.KindOf(err) != pimento.KindNotFound {
		t.Errorf("no such entry: %v", err)
	}
}

func TestPin(t *testing.T) {
	to := on("MEMORY.md", "- a\n- a\n")
	p, err := remember.Pin(to, entry(to, "a", 1), true, by)
	if got := result(t, to, p); err != nil || got != "- a\n- a *(pinned)*\n" || types(p) != "pinned" || p.Events[0].N != 1 {
		t.Errorf("%q %v %v", got, p.Events, err)
	}
	to = on("MEMORY.md", "- a *(pinned)* *(pinned)*\n") // an old bug wrote two
	p, _ = remember.Pin(to, entry(to, "a", 0), false, by)
	if got := result(t, to, p); got != "- a\n" || types(p) != "unpinned" {
		t.Errorf("%q %v", got, p.Events)
	}
	p, _ = remember.Pin(to, entry(to, "a", 0), true, by)
	if len(p.Changes)+len(p.Events) > 0 || p.Action != pimento.Put {
		t.Errorf("pinned already: %+v", p)
	}
}

func TestEventsOnly(t *testing.T) {
	to := on("MEMORY.md", "- a\n")
	p, err := remember.Confirm(to, entry(to, "a", 0), by)
	if result(t, to, p); err != nil || types(p) != "confirmed" || len(p.Changes) > 0 {
		t.Errorf("%+v %v", p, err)
	}
	p, err = remember.Reinforce(to, entry(to, "a", 0), remember.By{Now: now})
	if err != nil || types(p) != "reinforced" || p.Events[0].Actor != "user" {
		t.Errorf("%+v %v", p, err)
	}
	if _, err := remember.Confirm(to, entry(to, "b", 0), by); pimento.KindOf(err) != pimento.KindNotFound {
		t.Error(err)
	}
}

// TestForgetOne: of equal lines exactly the one that is named goes.
func TestForgetOne(t *testing.T) {
	to := on("MEMORY.md", "- a\n- b\n- a\n- a\n")
	p, pl, err := remember.Forget(to, entry(to, "a", 1), by)
	if got := result(t, to, p); err != nil || got != "- a\n- b\n- a\n" || types(p) != "forgotten" || p.Events[0].Text != "" {
		t.Errorf("%q %+v %v", got, p.Events, err)
	}
	if pl.Text != "a" || pl.Line != 3 || pl.Count != 3 || pl.Prev != pimento.StatementOf("b") || string(pl.Raw) != "- a\n" {
		t.Errorf("%+v", pl)
	}
}

func forget(t *testing.T, to remember.Target, text string, n int) (string, remember.Payload) {
	t.Helper()
	p, pl, err := remember.Forget(to, entry(to, text, n), by)
	if err != nil || p.Action != pimento.Put {
		t.Fatalf("forget %q: %s %v", text, p.Reason, err)
	}
	// A payload is stored as JSON.
	b, err := json.Marshal(pl)
	if err != nil {
		t.Fatal(err)
	}
	var back remember.Payload
	if err := json.Unmarshal(b, &back); err != nil {
		t.Fatal(err)
	}
	return result(t, to, p), back
}

// TestForgetAndRestore: on an untouched page every byte comes back.
func TestForgetAndRestore(t *testing.T) {
	for rel, was := range map[string]string{
		"MEMORY.md":           "\ufeff# M\r\n\r\nA paragraph.\r\n\r\n- a *(pinned)*\r\n  more\r\n\r\n- b\xff",
		"daily/2026-03-14.md": "<!-- 2026-03-14 09:00:00 [aa] -->\none\n\n<!-- 2026-03-14 10:00:00 [bb] -->\n- [ ] two\n\n\n",
		"SCRATCHPAD.md":       "# Scratchpad\n\n<!-- 2026-03-14 09:00:00 [aa] -->\n- [x] one\n\n  with lines\n\nnote\n- [ ] two",
		"auth.md":             "---\ntags: [a]\n---\n# T\n\nIntro.\n\n## One\n\ntext\n\n## Two\n\nmore\n",
	} {
		to := on(rel, was)
		for _, e := range to.Page.Entries() {
			left, pl := forget(t, to, e.Text, e.N)
			then := on(rel, left)
			p := remember.Restore(then, pl, by)
			if d := cmp.Diff(was, result(t, then, p)); d != "" || types(p) != "restored" {
				t.Errorf("%s: %q: %s %q %s\n%s", rel, e.Text, p.Action, p.Reason, types(p), d)
			}
		}
	}
}

// TestRestoreLater: what was written since stays, and the entry goes back to
// the best place that is left.
func TestRestoreLater(t *testing.T) {
	to := on("MEMORY.md", "## One\n\n- a\n- b *(pinned)*\n- c\n\n## Two\n\n- d\n")
	_, pl := forget(t, to, "b", 0)
	for _, tt := range []struct{ name, now, want string }{
		{"behind its neighbour", "## One\n\n- new\n- a\n- c\n\n## Two\n\n- d\n", "## One\n\n- new\n- a\n- b *(pinned)*\n- c\n\n## Two\n\n- d\n"},
		{"a neighbour that moved", "## Two\n\n- d\n- a\n", "## Two\n\n- d\n- a\n- b *(pinned)*\n"},
		{"before the next", "## One\n\n- x\n- c\n", "## One\n\n- x\n- b *(pinned)*\n- c\n"},
		{"under its heading", "## Two\n\n- d\n\n## One\n\n- x\n\n## Three\n", "## Two\n\n- d\n\n## One\n\n- x\n- b *(pinned)*\n\n## Three\n"},
		{"at the end", "- x\n", "- x\n- b *(pinned)*\n"},
		{"the page is gone", noPage, "- b *(pinned)*\n"},
	} {
		then := on("MEMORY.md", tt.now)
		p := remember.Restore(then, pl, by)
		if d := cmp.Diff(tt.want, result(t, then, p)); d != "" || p.Action != pimento.Put {
			t.Errorf("%s: %s %q\n%s", tt.name, p.Action, p.Reason, d)
		}
	}
	then := on("MEMORY.md", "- b\n") // said again since
	if p := remember.Restore(then, pl, by); p.Action != pimento.Reinforce || len(p.Changes) > 0 || types(p) != "restored" {
		t.Errorf("said again: %s %v", p.Action, p.Changes)
	}
	twice := on("MEMORY.md", "- a\n- a\n")
	left, pl := forget(t, twice, "a", 0)
	then = on("MEMORY.md", left+"- z\n")
	if p := remember.Restore(then, pl, by); result(t, then, p) != "- a\n- a\n- z\n" {
		t.Errorf("one of two: %q", result(t, then, p))
	}
}

// TestRestoreLaterKeepsItsLines: what goes back beside a neighbour stands as far
// from it as it stood, and its lines end as the page's do.
func TestRestoreLaterKeepsItsLines(t *testing.T) {
	for _, eol := range []string{"\n", "\r\n"} {
		lines := func(s string) string { return strings.ReplaceAll(s, "\n", eol) }
		was := lines("<!-- 2026-03-14 09:00:00 [aa] -->\none\n\n<!-- 2026-03-14 10:00:00 [aa] -->\ntwo\n\nthree\n")
		more := lines("\n<!-- 2026-03-14 11:00:00 [aa] -->\nlater\n")
		for _, e := range on("MEMORY.md", was).Page.Entries() {
			left, pl := forget(t, on("MEMORY.md", was), e.Text, e.N)
			then := on("MEMORY.md", left+more)
			if d := cmp.Diff(was+more, result(t, then, remember.Restore(then, pl, by))); d != "" {
				t.Errorf("%q: %q\n%s", eol, e.Text, d)
			}
		}
	}
}

// TestRestoreUnderItsHeading: the neighbour above may stand under another heading, which
// would make another kind of entry of it, or a task of another list.
func TestRestoreUnderItsHeading(t *testing.T) {
	for _, tt := range []struct{ rel, was, text string }{
		{"MEMORY.md", "## Lessons\n\n- the canary needs ten minutes\n\n## Decisions\n\n- we chose PostgreSQL\n- we chose Go\n", "we chose PostgreSQL"},
		{"MEMORY.md", "## Lessons\n\n- the canary needs ten minutes\n\n## Decisions\n\n- we chose Go\n\n## Notes\n\n- tea\n", "we chose Go"},
		{"MEMORY.md", "- above\n- tea\n\n## Decisions\n\n- we chose Go\n", "tea"},
		{"SCRATCHPAD.md", "# Scratchpad\n\n## Now\n\n- [ ] fix the parser\n\n## Later\n\n- [ ] rewrite the docs\n- [ ] learn Rust\n", "rewrite the docs"},
		{"SCRATCHPAD.md", "# Scratchpad\n\n## Now\n\n- [ ] fix the parser\n\n## Later\n\n- [ ] learn Rust\n\n## Never\n\n- [ ] sleep\n", "learn Rust"},
		{"SCRATCHPAD.md", "- [x] call home\n\n## Later\n\n- [ ] learn Rust\n", "call home"},
		{"topics/x.md", "* tea\n\n## Lessons\n\n1. ten minutes\n   - on Fridays, too\n\n## Notes\n\n- water\n", "ten minutes\n- on Fridays, too"},
	} {
		left, pl := forget(t, on(tt.rel, tt.was), tt.text, 0)
		more := "- [ ] later\n"
		then := on(tt.rel, left+more)
		if d := cmp.Diff(tt.was+more, result(t, then, remember.Restore(then, pl, by))); d != "" {
			t.Errorf("%s: %s\n%s", tt.rel, tt.text, d)
		}
	}
}

// TestRestoreBelowAStamp: what has no date does not get its neighbour's.
func TestRestoreBelowAStamp(t *testing.T) {
	left, pl := forget(t, on("MEMORY.md", "<!-- 2026-03-14 10:06:00 [aa] -->\n- tea\n\n- water\n- coffee\n"), "water", 0)
	then := on("MEMORY.md", left+"- milk\n")
	now := on("MEMORY.md", result(t, then, remember.Restore(then, pl, by)))
	if e, ok := now.Page.Find(pl.Statement, 0); !ok || !e.Stamp.IsZero() {
		t.Errorf("%v in\n%s", e.Stamp, now.Page.Bytes())
	}
}

func TestRestoreToALog(t *testing.T) {
	to := on("daily/2026-03-14.md", "<!-- 2026-03-14 09:00:00 [aa] -->\none\n\n<!-- 2026-03-14 10:00:00 [aa] -->\ntwo\n")
	left, pl := forget(t, to, "one", 0)
	then := on(to.Rel, left+"\n<!-- 2026-03-14 11:00:00 [aa] -->\nthree\n")
	p := remember.Restore(then, pl, by)
	after := page.Parse(to.Rel, []byte(result(t, then, p)))
	if e, ok := after.Find(pimento.StatementOf("one"), 0); !ok || len(after.Entries()) != 3 || e.Stamp.Hour() != 9 {
		t.Errorf("%s %q:\n%s", p.Action, p.Reason, after.Bytes())
	}
}

const pad = `# Scratchpad

Some words of mine.
<!-- 2026-03-14 09:00:00 [aa] -->
- [ ] Write the runbook
  - step one
  - [ ] step two, which is a part
- [x] write the tests
* a foreign bullet
- [x] Old
  with more lines

- [ ] Old
`

func TestScratchTick(t *testing.T) {
	to := on("SCRATCHPAD.md", pad)
	for _, tt := range []struct {
		needle   string
		done     bool
		old, new string
		events   string
	}{
		{"WRITE", true, "- [ ] Write the runbook", "- [x] Write the runbook", "completed"},
		{"write", false, "- [x] write the tests", "- [ ] write the tests", "reopened"},
		{"old", true, "\n- [ ] Old\n", "\n- [x] Old\n", "completed"},
		{"more lines", false, "- [x] Old", "- [ ] Old", "reopened"},
	} {
		p := remember.ScratchTick(to, tt.needle, tt.done, by)
		want := strings.Replace(pad, tt.old, tt.new, 1)
		if d := cmp.Diff(want, result(t, to, p)); d != "" || types(p) != tt.events {
			t.Errorf("%s: %s %q\n%s", tt.needle, p.Action, p.Reason, d)
		}
	}
	for _, tt := range []struct {
		needle string
		done   bool
		reason string
	}{
		{"", true, "'text' is required for done."},
		{" ", false, "'text' is required for undo."},
		{"mongolia", true, `No matching open item found for: "mongolia"`},
		{"write the tests", true, `No matching open item found for: "write the tests"`},
		{"runbook", false, `No matching done item found for: "runbook"`},
	} {
		p := remember.ScratchTick(to, tt.needle, tt.done, by)
		if result(t, to, p); p.Action != pimento.Refuse || p.Reason != tt.reason {
			t.Errorf("%q: %s %q", tt.needle, p.Action, p.Reason)
		}
	}
}

// A box below an item is an item of its own: ticking it ticks nothing else, and an item
// with something open below it is not cleared.
func TestScratchBelowAnItem(t *testing.T) {
	const was = "- [ ] release 4.2\r\n  - [ ] write the changelog\r\n    by hand\r\n  * [x] Sign it\r\n  note: the tag is next\r\n- [ ] tag the image\n- [x] party\n  - [ ] buy cake\n" +
		"\n<!-- 2026-03-14 10:00:00 [aa] -->\n- [ ] unload\n  1. [ ] first crate\n  2. [ ]\tsecond crate\n- [ ] count\n  ```\n  - [ ] tasks\n  ```\n" +
		"- [ ] quote\n  ````md\n  ```\n  - [ ] item\n  ```\n  ````\n"
	to := on("SCRATCHPAD.md", was)
	for _, tt := range []struct {
		needle          string
		done            bool
		old, new, event string
	}{
		{"changelog", true, "[ ] write", "[x] write", "aliased"},
		{"sign", false, "[x] Sign", "[ ] Sign", "aliased"},
		{"release", true, "[ ] release", "[x] release", "completed"},
		{"the tag is next", true, "[ ] release", "[x] release", "completed"},
		{"cake", true, "[ ] buy", "[x] buy", "aliased"},
		{"party", false, "[x] party", "[ ] party", "reopened"},
		{"release 4.2\n  - [ ] write the changelog", true, "[ ] release", "[x] release", "completed"}, // as a list shows it
		{"by hand", true, "[ ] write", "[x] write", "aliased"},
		{"first crate", true, "[ ] first", "[x] first", "aliased"},
		{"tasks", true, "[ ] count", "[x] count", "completed"},
		{"item", true, "[ ] quote", "[x] quote", "completed"},
	} {
		p := remember.ScratchTick(to, tt.needle, tt.done, by)
		if d := cmp.Diff(strings.Replace(was, tt.old, tt.new, 1), result(t, to, p)); d != "" || types(p) != tt.event {
			t.Errorf("%s: %s %s %q\n%s", tt.needle, p.Action, types(p), p.Reason, d)
		}
	}
	if p, c := remember.ScratchClear(to, by); len(p.Changes)+len(c.Taken) > 0 || c.Stay != 1 || !strings.HasSuffix(p.Reason, "open below it stays: 1.") {
		t.Errorf("cleared with something open below: %+v", c)
	}
	done := on("SCRATCHPAD.md", strings.Replace(was, "[ ] buy", "[x] buy", 1))
	if p, c := remember.ScratchClear(done, by); len(c.Taken) != 1 || strings.Contains(result(t, done, p), "party") {
		t.Errorf("not cleared: %+v", p)
	}
}

func TestScratchAdd(t *testing.T) {
	to := on("SCRATCHPAD.md", noPage)
	p := remember.ScratchAdd(to, "Fix the crane\nand the rope", by, nil)
	want := "# Scratchpad\n\n<!-- 2026-03-14 15:09:26 [7f3a91c2] -->\n- [ ] Fix the crane\n  and the rope\n"
	if d := cmp.Diff(want, result(t, to, p)); d != "" || types(p) != "remembered" {
		t.Error(d)
	}
	to = on("SCRATCHPAD.md", pad)
	if p := remember.ScratchAdd(to, "old", by, nil); p.Action != pimento.Reinforce {
		t.Errorf("open already: %s", p.Action)
	}
	if p := remember.ScratchAdd(to, "Write the tests", by, nil); p.Action != pimento.Put {
		t.Errorf("done before: %s %q", p.Action, p.Reason)
	}
	if p := remember.ScratchAdd(to, "", by, guard.Check("", guard.Options{})); p.Action != pimento.Refuse || p.Verb != "scratch" {
		t.Errorf("nothing: %+v", p)
	}
}

func TestScratchClear(t *testing.T) {
	to := on("SCRATCHPAD.md", pad)
	p, c := remember.ScratchClear(to, by)
	kept := c.Taken
	want := strings.Replace(strings.Replace(pad, "- [x] write the tests\n", "", 1), "- [x] Old\n  with more lines\n", "", 1)
	if d := cmp.Diff(want, result(t, to, p)); d != "" || len(kept) != 2 || p.Reason != "Cleared 2 done item(s)." || types(p) != "vanished vanished" {
		t.Errorf("%d kept, %q, %s\n%s", len(kept), p.Reason, types(p), d)
	}
	if kept[0].Text != "write the tests" || kept[1].Text != "Old\nwith more lines" {
		t.Errorf("%+v", kept)
	}
	to = on("SCRATCHPAD.md", "- [x] same\n- [x] same\n- [ ] same\n")
	if p, c := remember.ScratchClear(to, by); result(t, to, p) != "- [ ] same\n" || len(c.Taken) != 2 {
		t.Errorf("equal items: %q", result(t, to, p))
	}
	to = on("SCRATCHPAD.md", "- [ ] open\n")
	if p, c := remember.ScratchClear(to, by); len(p.Changes)+len(p.Events)+len(c.Taken)+c.Stay > 0 {
		t.Errorf("nothing to clear: %+v", p)
	}
}

func TestOverwrite(t *testing.T) {
	was := "<!-- last updated: 2026-03-01 08:00:00 [aa] -->\n# M\n\n- a\n- b\n"
	to := on("MEMORY.md", was)
	// A model that read the page sends its first line back.
	p, pl := remember.Overwrite(to, "<!-- last updated: 2026-03-01 08:00:00 [aa] -->\n# M\n\n- b\n- c", by, nil)
	want := "<!-- last updated: 2026-03-14 15:09:26 [7f3a91c2] -->\n# M\n\n- b\n- c\n"
	got := result(t, to, p)
	if d := cmp.Diff(want, got); d != "" || types(p) != "remembered vanished" {
		t.Errorf("%s %s", types(p), d)
	}
	if !pl.Whole || string(pl.Raw) != was {
		t.Errorf("payload %+v", pl)
	}
	then := on("MEMORY.md", got)
	if d := cmp.Diff(was, result(t, then, remember.Restore(then, pl, by))); d != "" {
		t.Error(d)
	}
	later := on("MEMORY.md", got+"- d\n")
	if p := remember.Restore(later, pl, by); p.Action != pimento.Refuse {
		t.Errorf("restoring over a later write: %s", p.Action)
	}
	first := on("MEMORY.md", noPage)
	if p, pl := remember.Overwrite(first, "- a", by, nil); p.Action != pimento.Put || pl.V != 0 || p.Changes[0].Before != "" {
		t.Errorf("a first page: %+v %+v", p, pl)
	}
	for name, p := range map[string]pimento.Plan{
		"a log":         first1(remember.Overwrite(on("daily/2026-03-14.md", "x\n"), "y", by, nil)),
		"nothing":       first1(remember.Overwrite(to, " \n", by, nil)),
		"only our line": first1(remember.Overwrite(to, "<!-- last updated: 2026-03-01 08:00:00 -->\n", by, nil)),
		"a secret":      first1(remember.Overwrite(to, "x", by, []guard.Finding{{Kind: guard.Secret, Rule: "jwt", Severity: guard.Stop}})),
	} {
		if p.Action != pimento.Refuse || len(p.Changes) > 0 {
			t.Errorf("%s: %s", name, p.Action)
		}
	}
}

func first1(p pimento.Plan, _ remember.Payload) pimento.Plan { return p }

// FuzzForgetRestore: forgetting and restoring any entry of any page gives the
// same bytes again, and on a page that grew meanwhile nothing is lost.
func FuzzForgetRestore(f *testing.F) {
	f.Add("- a\n- b\n- a\n", 0, 0)
	f.Add(pad, 1, 2)
	f.Add("<!-- 2026-03-14 09:00:00 [aa] -->\none\n\n<!-- HANDOFF 2026-03-14 10:00:00 [aa] -->\n## Session Handoff\nx\n", 2, 1)
	f.Add("---\nt: 1\n---\n# T\n\n## A\r\n\r\nx\xff\n\n## B\n", 3, 0)
	rels := []string{"MEMORY.md", "SCRATCHPAD.md", "daily/2026-03-14.md", "auth.md"}
	f.Fuzz(func(t *testing.T, was string, which, nth int) {
		to := on(rels[(which%4+4)%4], was)
		es := to.Page.Entries()
		if len(es) == 0 {
			return
		}
		e := es[(nth%len(es)+len(es))%len(es)]
		p, pl, err := remember.Forget(to, e.Occurrence, by)
		if err != nil {
			t.Fatal(err)
		}
		if p.Action != pimento.Put || p.Changes[0].After == "" { // the page goes as a whole
			return
		}
		left := result(t, to, p)
		then := on(to.Rel, left)
		if got := result(t, then, remember.Restore(then, pl, by)); got != was {
			t.Fatalf("%q became %q", was, got)
		}
		later := on(to.Rel, "- later\n\n"+left)
		back := page.Parse(to.Rel, []byte(result(t, later, remember.Restore(later, pl, by))))
		for _, x := range later.Page.Entries() {
			if _, ok := back.Find(x.Statement, x.N); !ok && to.Page.Dialect() != page.Article {
				t.Fatalf("restoring lost %q from\n%q\nto\n%q", x.Text, later.Page.Bytes(), back.Bytes())
			}
		}
	})
}
