package upkeep_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/score"
	"github.com/pimento-memory/pimento/internal/text"
	"github.com/pimento-memory/pimento/internal/think"
	"github.com/pimento-memory/pimento/internal/upkeep"
)

// A thinker says what it is told to, and keeps what it was asked.
type thinker struct {
	says  string
	err   error
	room  int
	asked []think.Ask
}

func (th *thinker) Think(_ context.Context, a think.Ask) (think.Thought, error) {
	th.asked = append(th.asked, a)
	return think.Thought{Text: th.says, By: "stub", In: 100, Out: 10}, th.err
}
func (th *thinker) Close() error { return nil }
func (th *thinker) Room(think.Ask) int {
	if th.room == 0 {
		return 8000
	}
	return th.room
}

func (th *thinker) material(t *testing.T) string {
	t.Helper()
	if len(th.asked) != 1 {
		t.Fatalf("asked %d times", len(th.asked))
	}
	var b strings.Builder
	for _, m := range th.asked[0].Material {
		b.WriteString(m.Name + "\n" + m.Text + "\n")
	}
	return b.String()
}

func entry(n int, kind pimento.Kind, said string, pinned bool) upkeep.Known {
	return upkeep.Known{Entry: pimento.Entry{Occurrence: pimento.Occurrence{Scope: pimento.Project, Page: "MEMORY.md", Statement: pimento.StatementOf(said), N: n},
		Kind: kind, Text: said, Pinned: pinned, Stamp: noon.AddDate(0, 0, -2)}, Standing: pimento.Standing{Evidence: 1, Lifecycle: score.Active}}
}

// work is a session that is worth reading.
func work(id string, day int) upkeep.Session {
	return upkeep.Session{ID: id, Time: noon.AddDate(0, 0, day), Messages: 4, Edited: []string{"deploy/canary.sh"},
		Said: "no, the canary takes ten minutes, so deploys must wait in the canary | use pnpm instead of npm in the web folder | the staging database listens on port 6432 | fixed the flaky importer test"}
}

func dreaming(entries ...upkeep.Known) upkeep.DreamFacts {
	return upkeep.DreamFacts{Now: noon, Entries: entries, Most: 5, Scope: pimento.Project, Policy: score.Policy(score.Default())}
}

func acts(d upkeep.Dreamt) (out []string) {
	for _, a := range d.Acts {
		out = append(out, strings.TrimSpace(fmt.Sprintf("%s %s %d", a.What, a.Proposal.Text, len(a.Replaced))))
	}
	return out
}

// By words alone a dream finds what says the same, what contradicts and what
// has faded, and touches nothing that is pinned.
func TestDreamWithoutAThinker(t *testing.T) {
	faded := entry(0, pimento.KindDone, "renamed the helper in the parser", false)
	faded.Stamp, faded.Standing.Lifecycle = noon.AddDate(0, -6, 0), score.Dropped
	old := entry(0, pimento.KindDone, "moved the parser to its own folder", true)
	old.Stamp, old.Standing.Lifecycle = noon.AddDate(0, -6, 0), score.Dropped
	f := dreaming(entry(0, pimento.KindFact, "The canary needs ten minutes", false), entry(0, pimento.KindFact, "the canary needs ten minutes.", false),
		entry(0, pimento.KindPreference, "Prefer small commits", true), entry(0, pimento.KindPreference, "Prefer small commits.", true),
		entry(0, pimento.KindFact, "Always use sudo in containers", false), entry(0, pimento.KindFact, "Never use sudo in containers", false),
		entry(0, pimento.KindDone, "v3.12.4 released", false), entry(0, pimento.KindDone, "v3.12.0 released", false), faded, old)
	f.Sessions = []upkeep.Session{work("s", -1)}
	d, err := upkeep.Dream(t.Context(), f, nil)
	if err != nil || len(d.Acts) != 2 || d.Acts[0].Relation != upkeep.Duplicate || d.Acts[1].Replaced[0].Text != faded.Text || !d.Through.IsZero() {
		t.Fatalf("%+v %v", d.Acts, err)
	}
	for _, a := range d.Acts {
		if a.ByAnother || !a.Proposal.Archive || a.Proposal.Source != upkeep.DreamSource || a.Proposal.Reason == "" || a.Replaced[0].Pinned {
			t.Errorf("%+v", a)
		}
	}
	if len(d.Decide) != 2 { // the contradiction, and two pinned duplicates
		t.Errorf("%+v", d.Decide)
	}
}

// A model reads the sessions beside the entries, and proposes.
func TestDreamWithAThinker(t *testing.T) {
	th := &thinker{says: `{"remember":[
	  {"text":"The canary takes ten minutes","kind":"lesson","why":"corrected by the user"},
	  {"text":"Use pnpm instead of npm in the web folder","kind":"preference","why":"said outright"}],
	 "merge":[{"numbers":[2,3],"text":"The linter runs in CI on every push, and before each release","why":"one rule"}],
	 "drop":[{"number":4,"why":"the importer test was fixed"}],
	 "skills":[{"name":"canary-deploy","description":"Deploy through the canary","steps":["tag","wait ten minutes","promote"]}]}`}
	f := dreaming(entry(0, pimento.KindLesson, "The canary takes five minutes", false), entry(0, pimento.KindPattern, "The linter runs in CI on every push", false),
		entry(0, pimento.KindPattern, "The linter runs in CI before each release", false), entry(0, pimento.KindFact, "the importer test is flaky", false),
		entry(0, pimento.KindPreference, "never reformat generated files", true))
	f.Sessions = []upkeep.Session{work("s1", -1)}
	d, err := upkeep.Dream(t.Context(), f, th)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"write The canary takes ten minutes 1", "write Use pnpm instead of npm in the web folder 0",
		"merge The linter runs in CI on every push, and before each release 2", "drop  1"}
	if got := acts(d); !slices.Equal(got, want) {
		t.Errorf("acts\n%s\nthrown %q", strings.Join(got, "\n"), d.Thrown)
	}
	if len(d.Skills) != 1 || !strings.Contains(d.Skills[0].Page(), "name: canary-deploy\ndescription: \"Deploy through the canary\"\n---\n\n# canary-deploy\n\n1. tag\n") {
		t.Errorf("%+v", d.Skills)
	}
	if !slices.Equal(d.Read, []string{"s1"}) || !d.Through.Equal(noon.AddDate(0, 0, -1)) || !slices.Equal(d.AtOnce, []string{"s1"}) || d.Thought.In != 100 {
		t.Errorf("%+v", d)
	}
	m := th.material(t)
	for _, part := range []string{"1 [lesson] The canary takes five minutes", "5 [preference] (pinned) never reformat", "deploy/canary.sh", "port 6432"} {
		if !strings.Contains(m, part) {
			t.Errorf("no %q in\n%s", part, m)
		}
	}
	if a := th.asked[0]; a.For != upkeep.DreamSource || !strings.Contains(a.Task, "pinned") || len(a.Schema) == 0 {
		t.Errorf("%+v", a)
	}
}

// What a model makes up, repeats, garbles or must not touch is not taken.
func TestDreamIsNotTakenAtItsWord(t *testing.T) {
	th := &thinker{says: `{"remember":[
	  {"text":"The staging database listens on port 7000","kind":"fact","why":""},
	  {"text":"The office cat likes tuna","kind":"fact","why":""},
	  {"text":"use pnpm in the web folder","kind":"rumour","why":""},
	  {"text":"Deploys wait in the canary.","kind":"lesson","why":""},
	  {"text":"fixed","kind":"done","why":""},
	  {"text":"` + strings.Repeat("deploys wait ", 40) + `","kind":"lesson","why":""}],
	 "merge":[{"numbers":[1,3],"text":"Deploys wait in the canary and nobody reformats generated files","why":""},
	  {"numbers":[4,5],"text":"v3.12.4 was released","why":""}, {"numbers":[2],"text":"x y z","why":""},
	  {"numbers":[2,6],"text":"tests are optional everywhere","why":""}],
	 "drop":[{"number":3,"why":"old"},{"number":2,"why":""},{"number":99,"why":"gone"}],
	 "skills":[{"name":"../evil","description":"x","steps":["a","b","c"]},{"name":"short","description":"x","steps":["a","b"]},
	  {"name":"invented","description":"bake bread","steps":["knead the dough","let it rise","bake it"]}]}`}
	f := dreaming(entry(0, pimento.KindLesson, "Deploys wait in the canary", false), entry(0, pimento.KindPattern, "The linter runs in CI", false),
		entry(0, pimento.KindPreference, "never reformat generated files", true),
		entry(0, pimento.KindDone, "v3.12.4 released", false), entry(0, pimento.KindDone, "v3.12.0 released", false), entry(0, pimento.KindPattern, "tests run before each push", false))
	f.Sessions = []upkeep.Session{work("s1", -1)}
	d, err := upkeep.Dream(t.Context(), f, th)
	if err != nil || len(d.Acts) != 0 || len(d.Skills) != 0 {
		t.Errorf("%v %+v", acts(d), err)
	}
	thrown := strings.Join(d.Thrown, "\n")
	for _, why := range []string{"7000: no session says so", "tuna: no session says so", `"rumour" is no kind`, "it stands there already", "it says nothing", "too long",
		"one of them is pinned", "it leaves out", "fewer than two", "it is not what they say", "there is no such entry", "no reason", "no workflow", "invented: no session went through it"} {
		if !strings.Contains(thrown, why) {
			t.Errorf("no %q in\n%s", why, thrown)
		}
	}
}

// A pinned entry that a session contradicts stays, and the contradiction is told.
func TestDreamTellsWhatContradictsAPin(t *testing.T) {
	th := &thinker{says: `{"remember":[{"text":"Use pnpm in the web folder","kind":"preference","why":"said outright"}]}`}
	f := dreaming(entry(0, pimento.KindPreference, "Never use pnpm in the web folder", true))
	f.Sessions = []upkeep.Session{work("s1", -1)}
	d, err := upkeep.Dream(t.Context(), f, th)
	if err != nil || len(d.Acts) != 1 || len(d.Acts[0].Replaced) != 0 || !strings.Contains(d.Acts[0].Proposal.Reason, "it contradicts: Never use pnpm") {
		t.Errorf("%+v %v", d.Acts, err)
	}
}

// The gate: fewer than three exchanges, greetings, and talk that decides nothing
// cost no tokens. They count as read.
func TestDreamGate(t *testing.T) {
	for _, tt := range []struct {
		name string
		s    upkeep.Session
		want bool
	}{
		{"work", work("a", 0), true},
		{"two exchanges", upkeep.Session{Messages: 2, Said: work("a", 0).Said}, false},
		{"greetings", upkeep.Session{Messages: 5, Said: "hello there | how are you | thanks a lot | good morning | bye"}, false},
		{"questions only", upkeep.Session{Messages: 3, Said: "what does the importer read | which folder holds the parser sources | how many rows did yesterday evening show in total"}, false},
		{"a summary", upkeep.Session{Summaries: []string{"the importer was rewritten"}}, true},
		{"chinese", upkeep.Session{Messages: 3, Said: "以后部署都要先在预发环境跑十分钟 | 数据库端口改成六千四百三十二 | 测试不要跳过"}, true},
	} {
		if got := tt.s.Worth(); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
	f := dreaming()
	f.Sessions = []upkeep.Session{{ID: "a", Time: noon, Messages: 5, Said: "hello | hi | thanks | ok | bye"}}
	th := &thinker{}
	d, err := upkeep.Dream(t.Context(), f, th)
	if err != nil || len(th.asked) != 0 || d.Passed != 1 || d.Left != 0 || !d.Through.Equal(noon) {
		t.Errorf("%+v %v", d, err)
	}
}

// At most five sessions are read, the oldest first, and the watermark stands
// before the first one that was not.
func TestDreamReadsFive(t *testing.T) {
	f := dreaming()
	for i := range 9 {
		f.Sessions = append(f.Sessions, work(fmt.Sprint("s", i), i-9))
		if i == 2 {
			f.Sessions = append(f.Sessions, upkeep.Session{ID: "hello", Time: noon.AddDate(0, 0, i-9), Messages: 3, Said: "hello | hi | thanks"})
		}
	}
	d, err := upkeep.Dream(t.Context(), f, &thinker{says: "{}"})
	if err != nil || !slices.Equal(d.Read, []string{"s0", "s1", "s2", "s3", "s4"}) || d.Passed != 1 || d.Left != 4 || !d.Through.Equal(noon.AddDate(0, 0, -5)) {
		t.Errorf("%+v %v", d, err)
	}
	// As many as there is room for; the first one in any case.
	d, err = upkeep.Dream(t.Context(), f, &thinker{says: "{}", room: 320})
	if err != nil || len(d.Read) == 0 || len(d.Read) > 2 || !d.Through.Before(noon.AddDate(0, 0, -6)) {
		t.Errorf("%+v %v", d, err)
	}
	th := &thinker{says: "{}", room: 150}
	if d, _ = upkeep.Dream(t.Context(), f, th); len(d.Read) != 1 || text.Tokens(th.material(t)) > 150 {
		t.Errorf("%d read, %d tokens", len(d.Read), text.Tokens(th.material(t)))
	}
}

// A model that fails, or answers no JSON, costs its part of the dream: what words
// find is there, and no session counts as read.
func TestDreamSurvivesItsThinker(t *testing.T) {
	for _, th := range []*thinker{{err: errors.New("no credit left")}, {says: "I dreamt of sheep."}} {
		f := dreaming(entry(0, pimento.KindFact, "The canary needs ten minutes", false), entry(0, pimento.KindFact, "the canary needs ten minutes.", false))
		f.Sessions = []upkeep.Session{work("s", -1)}
		d, err := upkeep.Dream(t.Context(), f, th)
		if err == nil || len(d.Acts) != 1 || !d.Through.IsZero() || d.Left != 1 || len(d.Read) != 0 {
			t.Errorf("%+v %v", d, err)
		}
	}
}

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// A cap that leaves no room for a session is no reason to fall over.
func TestDreamWithoutRoom(t *testing.T) {
	for _, room := range []int{-500, 1, 99, 100, 101} {
		th := &thinker{says: `{}`, room: room}
		f := dreaming(entry(0, pimento.KindFact, "The canary takes nine minutes.", false))
		f.Sessions = []upkeep.Session{work("s1", -1)}
		if _, err := upkeep.Dream(t.Context(), f, th); err != nil {
			t.Errorf("room %d: %v", room, err)
		}
	}
}
