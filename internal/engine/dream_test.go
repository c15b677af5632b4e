package engine_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
	"github.com/pimento-memory/pimento/internal/think"
)

// An oracle answers what it is told to, after a while if hold is set.
type oracle struct {
	says  string
	asked int
	hold  chan struct{} // it answers when this is closed
	began chan struct{} // closed when it is asked
}

func (o *oracle) Think(ctx context.Context, _ think.Ask) (think.Thought, error) {
	o.asked++
	if o.hold != nil {
		close(o.began)
		select {
		case <-o.hold:
		case <-ctx.Done():
			return think.Thought{}, ctx.Err()
		}
	}
	return think.Thought{Text: o.says, By: "oracle", In: 90, Out: 9}, nil
}
func (o *oracle) Room(think.Ask) int { return 8000 }
func (o *oracle) Close() error       { return nil }

// oneModel is the user's own configuration with a language model.
const oneModel = `{"thinker": {"command": ["oracle"]}}`

// dream is a process that dreams; o may be nil.
func (w *world) dream(o *oracle, how engine.Dreaming) (r engine.DreamReport, err error) {
	w.Helper()
	opt := w.options()
	opt.Think = func(think.Choice) (think.Thinker, error) { return o, nil }
	e, oerr := engine.Open(opt)
	w.must(oerr)
	r, err = e.Dream(w.Context(), how, engine.Actor{Name: "user"})
	w.must(e.Close())
	return r, err
}

func (w *world) dreamt(o *oracle, how engine.Dreaming) engine.DreamReport {
	w.Helper()
	r, err := w.dream(o, how)
	w.must(err)
	return r
}

// work is a session that a dream can learn from.
func (w *world) work(session string) {
	w.Helper()
	c := w.chat(session)
	for _, s := range []string{"no, the canary takes ten minutes, so deploys must wait for it", "use pnpm instead of npm in the web folder",
		"the staging database listens on port 6432"} {
		c.say(s)
	}
}

const learnt = `{"remember":[{"text":"The canary takes ten minutes","kind":"lesson","why":"the user corrected it"}]}`

// A dream proposes, the user accepts, the next session shows it. The sessions
// that were read are not read again.
func TestDreamProposesTheUserAccepts(t *testing.T) {
	w := newWorld(t)
	w.configure(oneModel)
	shop := w.at(repo(t, filepath.Join(w.home, "shop")))
	shop.remember(engine.Note{Text: "Bills are sent on Mondays.", Scope: pimento.Project})
	page := filepath.Join(shop.dir, ".pi", "memory", "MEMORY.md")
	before := get(t, page)
	shop.work("first")
	o := &oracle{says: learnt}
	r := shop.dreamt(o, engine.Dreaming{DryRun: true})
	if len(r.Acts) != 1 || r.Acts[0].State != engine.DreamShown || len(shop.inbox()) != 0 {
		t.Fatalf("dry run: %+v", r)
	}
	r = shop.dreamt(o, engine.Dreaming{})
	if o.asked != 2 || !slices.Equal(r.Read, []string{"first"}) || r.By != "oracle" || r.Tokens != 99 || len(r.Acts) != 1 || r.Acts[0].State != engine.DreamWaits {
		t.Fatalf("%+v", r)
	}
	if get(t, page) != before {
		t.Error("a dream wrote by itself")
	}
	waiting := shop.inbox()
	if len(waiting) != 1 || waiting[0].Source != "dream" || waiting[0].ID != r.Acts[0].ID || waiting[0].Reason != "the user corrected it" {
		t.Fatalf("%+v", waiting)
	}
	shop.accept(pimento.Statement(waiting[0].ID))
	shop.now = shop.now.Add(time.Hour)
	wantIn(t, "the next session's prefix", shop.chat("second").event(pimento.SessionStart, nil).Prefix, "The canary takes ten minutes")

	if r = shop.dreamt(o, engine.Dreaming{}); o.asked != 2 || len(r.Read) != 0 || len(r.Acts) != 0 {
		t.Errorf("it dreamt the same again: %+v", r)
	}
	shop.work("third") // at the very moment of the mark
	if r = shop.dreamt(o, engine.Dreaming{}); !slices.Equal(r.Read, []string{"third"}) {
		t.Errorf("%+v", r)
	}
}

// Another project's sessions are none of this dream's.
func TestDreamStaysInItsProject(t *testing.T) {
	w := newWorld(t)
	w.configure(oneModel)
	shop, other := w.at(repo(t, filepath.Join(w.home, "shop"))), w.at(repo(t, filepath.Join(w.home, "other")))
	shop.work("first")
	o := &oracle{says: learnt}
	if r := other.dreamt(o, engine.Dreaming{}); o.asked != 0 || len(r.Read) != 0 {
		t.Errorf("%+v", r)
	}
	if r := shop.dreamt(o, engine.Dreaming{}); len(r.Read) != 1 {
		t.Errorf("%+v", r)
	}
}

// Nothing of what was said is kept where nobody dreams or recalls sessions.
func TestSessionsAreKeptForDreamsOnly(t *testing.T) {
	w := newWorld(t)
	w.work("first")
	if _, err := os.Stat(filepath.Join(w.dirs.State, "pasts")); err == nil {
		t.Error("kept")
	}
}

const dreamPage = "# Memory\n\n- The canary takes ten minutes\n- prefer small commits\n- the canary takes ten minutes.\n- prefer small, focused commits\n- the canary takes ten minutes!\n- never rebase *(pinned)*\n- never rebase. *(pinned)*\n"

// With apply all of it is done, what waits of earlier dreams included, and one
// command takes it back, byte for byte. What is pinned stays.
func TestDreamAppliesAndUndoes(t *testing.T) {
	w := newWorld(t)
	put(t, w.global("MEMORY.md"), dreamPage)
	if r := w.dreamt(nil, engine.Dreaming{}); len(r.Acts) != 3 || r.Applied != 0 || get(t, w.global("MEMORY.md")) != dreamPage {
		t.Fatalf("%+v", r)
	}
	if r := w.dreamt(nil, engine.Dreaming{Apply: true, DryRun: true}); r.Applied != 0 || get(t, w.global("MEMORY.md")) != dreamPage {
		t.Fatalf("%+v", r)
	}
	r := w.dreamt(nil, engine.Dreaming{Apply: true})
	if r.Applied != 3 || len(r.Decide) != 1 {
		t.Fatalf("%+v", r)
	}
	want := "# Memory\n\n- The canary takes ten minutes\n- prefer small, focused commits\n- never rebase *(pinned)*\n- never rebase. *(pinned)*\n"
	if got := get(t, w.global("MEMORY.md")); got != want {
		t.Errorf("%s", got)
	}
	wantIn(t, "the archive", get(t, w.global("archive/MEMORY.md")), "prefer small commits")
	w.run(func(e *engine.Engine) {
		if _, err := e.DreamUndo(w.Context(), engine.Actor{Name: "user"}); err != nil {
			t.Fatal(err)
		}
		if _, err := e.DreamUndo(w.Context(), engine.Actor{Name: "user"}); pimento.KindOf(err) != pimento.KindRefused {
			t.Errorf("undone twice: %v", err)
		}
	})
	if got := get(t, w.global("MEMORY.md")); got != dreamPage {
		t.Errorf("after the undo\n%s", got)
	}
}

// Undo gives a merged entry its text back, and leaves alone what was changed
// since.
func TestDreamUndoOfAMerge(t *testing.T) {
	w := newWorld(t)
	w.configure(oneModel)
	page := "- The linter runs in CI on every push\n- The linter runs in CI before each release\n"
	put(t, w.global("MEMORY.md"), page)
	w.work("first")
	r := w.dreamt(&oracle{says: `{"merge":[{"numbers":[1,2],"text":"The linter runs in CI on every push, and before each release","why":"one rule"}],
	  "remember":[{"text":"The canary takes ten minutes","kind":"fact","why":"said"}]}`}, engine.Dreaming{Apply: true})
	if r.Applied != 2 {
		t.Fatalf("%+v", r)
	}
	wantIn(t, "the page", get(t, w.global("MEMORY.md")), "- The linter runs in CI on every push, and before each release\n")
	wantOut(t, "the page", get(t, w.global("MEMORY.md")), "CI before each release")
	w.run(func(e *engine.Engine) {
		hits := e.Recall(w.Context(), pimento.Query{Text: "canary minutes", Limit: 1})
		if len(hits.Hits) == 0 {
			t.Fatal(hits)
		}
		if _, err := e.Edit(w.Context(), string(hits.Hits[0].Entry.Statement), "The canary takes twelve minutes", engine.Actor{Name: "user"}); err != nil {
			t.Fatal(err)
		}
		if _, err := e.DreamUndo(w.Context(), engine.Actor{Name: "user"}); err != nil {
			t.Fatal(err)
		}
	})
	got := get(t, w.global("MEMORY.md"))
	wantIn(t, "the page", got, "- The linter runs in CI on every push\n", "- The linter runs in CI before each release\n")
	wantIn(t, "the other page", get(t, filepath.Join(w.dir, ".pi", "memory", "MEMORY.md")), "twelve minutes")
}

// The profile may let a dream do by itself what is beyond doubt; nothing else
// does.
func TestDreamAppliesByItselfOnlyDuplicates(t *testing.T) {
	w := newWorld(t)
	w.configure(`{"overrides": {"dream": {"apply": "duplicates"}}}`)
	put(t, w.global("MEMORY.md"), dreamPage)
	r := w.dreamt(nil, engine.Dreaming{})
	if r.Applied != 2 {
		t.Errorf("%+v", r)
	}
	wantIn(t, "the page", get(t, w.global("MEMORY.md")), "- prefer small commits\n")
	wantOut(t, "the page", get(t, w.global("MEMORY.md")), "minutes!")
}

// One dream at a time, and the model is told of the one that runs.
func TestOneDreamAtATime(t *testing.T) {
	w := newWorld(t)
	w.configure(`{"profile": "situation", "thinker": {"command": ["oracle"]}}`)
	w.work("first")
	wantOut(t, "the tail before", w.chat("c").say("what is the canary about?").Tail, "dream")
	o := &oracle{says: learnt, hold: make(chan struct{}), began: make(chan struct{})}
	done := make(chan error)
	go func() { _, err := w.dream(o, engine.Dreaming{}); done <- err }()
	<-o.began
	if _, err := w.dream(nil, engine.Dreaming{}); pimento.KindOf(err) != pimento.KindConflict {
		t.Errorf("two at once: %v", err)
	}
	wantIn(t, "the tail meanwhile", w.chat("c").say("what is the canary about?").Tail, "# Running", "- A dream is going through this memory")
	close(o.hold)
	w.must(<-done)
	wantOut(t, "the tail afterwards", w.chat("c").say("what is the canary about?").Tail, "dream")
	if r := w.dreamt(nil, engine.Dreaming{}); len(r.Faults) > 0 {
		t.Errorf("%+v", r.Faults)
	}
}

// Dreams by themselves are the user's own choice: off without it, and no
// repository can make it.
func TestAutoDreamIsTheUsersOwn(t *testing.T) {
	w := newWorld(t)
	shop := w.at(repo(t, filepath.Join(w.home, "shop")))
	shop.remember(engine.Note{Text: "Bills are sent on Mondays.", Scope: pimento.Project})
	put(t, filepath.Join(shop.dir, ".pi", "memory", "config.json"), `{"autoDream": true}`)
	if _, err := shop.dream(nil, engine.Dreaming{Auto: true}); pimento.KindOf(err) != pimento.KindRefused {
		t.Errorf("%v", err)
	}
	hours := func(want float64) {
		t.Helper()
		shop.run(func(e *engine.Engine) {
			if got := e.DreamHours(w.Context()); got != want {
				t.Errorf("%v hours, want %v", got, want)
			}
		})
	}
	hours(0)
	shop.run(func(e *engine.Engine) {
		if h, err := e.SetAutoDream(w.Context(), true); h != 3 || err != nil {
			t.Errorf("%v %v", h, err)
		}
	})
	hours(3)
	if _, err := shop.dream(nil, engine.Dreaming{Auto: true}); err != nil {
		t.Errorf("%v", err)
	}
	shop.work("kept") // for the next dream
	if _, err := os.Stat(filepath.Join(w.dirs.State, "pasts")); err != nil {
		t.Error(err)
	}
}

// A purge reaches the record of the last dream.
func TestPurgeReachesDreams(t *testing.T) {
	w := newWorld(t)
	put(t, w.global("MEMORY.md"), dreamPage)
	w.dreamt(nil, engine.Dreaming{})
	if records, err := filepath.Glob(filepath.Join(w.dirs.State, "dreams", "*.json")); err != nil || len(records) != 1 || !strings.Contains(get(t, records[0]), "prefer small commits") {
		t.Fatal(records, err)
	}
	w.run(func(e *engine.Engine) {
		rep, err := e.Purge(w.Context(), string(pimento.StatementOf("prefer small commits")), engine.Actor{Name: "user"})
		if err != nil || !slices.Contains(rep.Removed, "the record of a dream that held it") {
			t.Errorf("%+v %v", rep, err)
		}
		if _, ok, err := e.LastDream(w.Context()); ok || err != nil {
			t.Errorf("%v %v", ok, err)
		}
	})
}

// A text with a secret is kept without it in reports and in the inbox, and is found
// there by a purge all the same.
func TestPurgeReachesWhatIsKeptWithoutItsSecret(t *testing.T) {
	const secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
	const text = "The deploy token is " + secret + " for now"
	w := newWorld(t)
	w.page("MEMORY.md", "- "+text+"\n- "+text+"!\n")
	w.dreamt(nil, engine.Dreaming{})
	w.propose(pimento.Proposal{Text: "Roses bloom in June.", Scope: pimento.Global, Reason: "it contradicts: " + text})
	if kept := w.holding("deploy token is"); len(kept) < 3 {
		t.Fatal(kept)
	}
	w.run(func(e *engine.Engine) {
		for _, s := range []string{text, text + "!"} {
			_, err := e.Purge(w.Context(), string(pimento.StatementOf(s)), engine.Actor{Name: "user"})
			w.must(err)
		}
	})
	if left := w.holding("deploy token is"); left != nil {
		t.Errorf("it stands in %v", left)
	}

	// Of a text that is a secret and little else, the mark is everybody's.
	w.page("MEMORY.md", "- "+secret+"\n")
	w.propose(pimento.Proposal{Text: "Tulips bloom in May.", Scope: pimento.Global, Reason: "beside " + secret + " it was said"})
	w.run(func(e *engine.Engine) {
		_, err := e.Purge(w.Context(), string(pimento.StatementOf(secret)), engine.Actor{Name: "user"})
		w.must(err)
	})
	if got := w.inbox(); len(got) != 1 || got[0].Text != "Tulips bloom in May." {
		t.Errorf("waiting: %+v", got)
	}
}

// What a note beside its like proposed already is not proposed by a dream again,
// nor after a no.
func TestADreamKnowsWhatANoteProposed(t *testing.T) {
	w := newWorld(t)
	w.page("MEMORY.md", "- The staging database listens on port 6432\n")
	r := w.remember(engine.Note{Text: "The staging database listens on the port 6432", Scope: pimento.Global, Page: "MEMORY.md"})
	if len(r.Proposals) != 1 {
		t.Fatalf("%+v", r)
	}
	waiting := func() (n int) {
		w.run(func(e *engine.Engine) {
			all, err := e.Inbox(w.Context())
			w.must(err)
			n = len(all)
		})
		return n
	}
	d := w.dreamt(nil, engine.Dreaming{})
	if len(d.Acts) != 1 || d.Acts[0].ID != r.Proposals[0] || d.Acts[0].State != engine.DreamWaits || waiting() != 1 {
		t.Errorf("%+v, %d wait", d.Acts, waiting())
	}
	w.run(func(e *engine.Engine) {
		_, err := e.InboxReject(w.Context(), r.Proposals[0], engine.Actor{Name: "user"})
		w.must(err)
	})
	if d := w.dreamt(nil, engine.Dreaming{}); len(d.Acts) != 0 || waiting() != 0 {
		t.Errorf("after a no: %+v", d.Acts)
	}
}

// What a note proposed in favour of the one entry is not applied by a dream that
// would keep the other.
func TestADreamAppliesWhatItShows(t *testing.T) {
	w := newWorld(t)
	w.page("MEMORY.md", "- The staging database listens on port 6432\n")
	r := w.remember(engine.Note{Text: "The staging database listens on the port 6432", Scope: pimento.Global, Page: "MEMORY.md"})
	for range 3 {
		w.remember(engine.Note{Text: "The staging database listens on port 6432", Scope: pimento.Global, Page: "MEMORY.md"})
	}
	d := w.dreamt(nil, engine.Dreaming{Apply: true})
	if len(d.Acts) != 1 || d.Acts[0].ID != r.Proposals[0] || d.Acts[0].State != engine.DreamRefused || d.Applied != 0 || len(w.inbox()) != 1 {
		t.Errorf("%+v, waiting: %+v", d, w.inbox())
	}
	if got := get(t, w.global("MEMORY.md")); strings.Count(got, "6432") != 2 {
		t.Errorf("the page:\n%s", got)
	}
}

// A secret that a model repeats is neither proposed nor kept of the dream, and one
// that stands in memory is not told.
func TestADreamKeepsNoSecrets(t *testing.T) {
	const secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
	w := newWorld(t)
	w.configure(oneModel)
	w.page("MEMORY.md", "- The deploy token is "+secret+" for now\n- The deploy token is "+secret+" for now!\n")
	c := w.chat("first")
	for _, s := range []string{"the deploy token is " + secret + " and it is for staging", "use pnpm instead of npm in the web folder", "the staging database listens on port 6432"} {
		c.say(s)
	}
	r := w.dreamt(&oracle{says: `{"remember":[{"text":"The deploy token is ` + secret + `","kind":"fact","why":"said ` + secret + `"},{"text":"Use the token ` + secret + ` always","kind":"fact"}],
	  "skills":[{"name":"deploy","description":"with ` + secret + `","steps":["export ` + secret + `","deploy","check"]}]}`}, engine.Dreaming{})
	w.run(func(e *engine.Engine) {
		k, err := e.Consolidate(w.Context(), false, engine.Actor{Name: "user"})
		w.must(err)
		if len(k.Pairs) == 0 || strings.Contains(fmt.Sprint(k.Pairs), secret) {
			t.Errorf("consolidate: %+v", k.Pairs)
		}
	})
	if strings.Contains(fmt.Sprintf("%+v", r), secret) || len(r.Acts) == 0 {
		t.Errorf("the report: %+v", r)
	}
	// Prefixes and traces repeat the page that it stands on; nothing else may.
	w.must(filepath.WalkDir(w.dirs.State, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.IsDir() && (d.Name() == "sessions" || d.Name() == "traces") {
			return filepath.SkipDir
		}
		if err == nil && d.Type().IsRegular() && strings.Contains(get(t, path), secret) {
			t.Errorf("%s holds the secret", path)
		}
		return err
	}))
}

// What a dream did is not taken back while another one is at work.
func TestUndoWaitsForADream(t *testing.T) {
	w := newWorld(t)
	w.configure(oneModel)
	w.page("MEMORY.md", dreamPage)
	if r := w.dreamt(nil, engine.Dreaming{Apply: true}); r.Applied == 0 {
		t.Fatalf("%+v", r)
	}
	w.work("first")
	o := &oracle{says: learnt, hold: make(chan struct{}), began: make(chan struct{})}
	done := make(chan error)
	go func() { _, err := w.dream(o, engine.Dreaming{}); done <- err }()
	<-o.began
	w.run(func(e *engine.Engine) {
		if _, err := e.DreamUndo(w.Context(), engine.Actor{Name: "user"}); pimento.KindOf(err) != pimento.KindConflict {
			t.Errorf("beside a dream: %v", err)
		}
	})
	close(o.hold)
	w.must(<-done)
}

// A dream that the end of its session cuts off leaves nothing behind, and the
// person learns of it, once.
func TestADreamThatIsCutOff(t *testing.T) {
	w := newWorld(t)
	w.configure(oneModel)
	w.work("first")
	o := &oracle{says: learnt, hold: make(chan struct{}), began: make(chan struct{})}
	opt := w.options()
	opt.Think = func(think.Choice) (think.Thinker, error) { return o, nil }
	e, err := engine.Open(opt)
	w.must(err)
	ctx, cancel := context.WithCancel(w.Context())
	go func() { <-o.began; cancel() }()
	if r, err := e.Dream(ctx, engine.Dreaming{}, engine.Actor{Name: "user", Session: "first"}); err == nil {
		t.Errorf("%+v", r)
	}
	w.must(e.Close())
	w.dreamt(&oracle{says: learnt}, engine.Dreaming{DryRun: true}) // who only looks ends nothing
	e = w.open()
	if r, ok, err := e.LastDream(w.Context()); ok || err != nil {
		t.Errorf("it left %+v, %v", r, err)
	}
	if in, err := e.Inbox(w.Context()); len(in) > 0 || err != nil {
		t.Errorf("it left %+v, %v", in, err)
	}
	if s := e.Status(w.Context(), "second"); s.Broken == nil {
		t.Error("the status does not tell")
	}
	for _, want := range []bool{true, false} {
		r := e.Turn(w.Context(), pimento.Turn{Event: pimento.PromptTurn, Harness: "pi", Session: "second", Dir: w.dir, Prompt: "hello"})
		if got := strings.Contains(fmt.Sprint(r.Notices), "cut off"); got != want {
			t.Errorf("told %v, want %v: %v", got, want, r.Notices)
		}
	}
	if s := e.Status(w.Context(), "second"); s.Broken != nil {
		t.Error("the status tells of it for ever")
	}
	w.must(e.Close())
	if r := w.dreamt(&oracle{says: learnt}, engine.Dreaming{}); len(r.Acts) != 1 {
		t.Errorf("the next dream does %+v", r)
	}
}
