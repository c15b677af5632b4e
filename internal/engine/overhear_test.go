package engine_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
)

// projectPage is a page of the project's memory.
func (w *world) projectPage(rel string) string {
	w.Helper()
	return get(w, filepath.Join(w.dir, ".pi/memory", rel))
}

// notice is what the person is told about a prompt.
func (c *chat) notice(prompt string) (notice string) {
	c.w.Helper()
	c.w.run(func(e *engine.Engine) {
		in := c.turn
		in.Event, in.Prompt, in.InContext = pimento.PromptTurn, prompt, c.ids
		r := e.Turn(c.w.Context(), in)
		r.After(c.w.Context())
		for _, n := range r.Notices {
			notice += n.Text + "; " + n.Hint
		}
	})
	return notice
}

// What the user asks to remember, in either language, and how it is to be from
// now on, is in the next session's prefix; the person is told.
func TestWhatIsAskedForIsRemembered(t *testing.T) {
	w := newWorld(t)
	c := w.chat("first")
	wantIn(t, "the notice", c.notice("记一下 we deploy with the heron script"), "remembered: we deploy with the heron script (project MEMORY.md)")
	c.notice("fix it, and remember that the staging port is 6432")
	c.notice("From now on always use pnpm instead of npm.")
	c.notice("以后都用中文回答我的问题")
	wantIn(t, "the next session's prefix", w.chat("second").say("hello there").Prefix, "we deploy with the heron script", "the staging port is 6432",
		"From now on always use pnpm instead of npm.", "以后都用中文回答我的问题")
	wantIn(t, "the page", w.projectPage("MEMORY.md"), "- [preference] From now on always use pnpm")
}

// What a user says of themselves is no matter of the project, whose pages a team commits and
// where nobody can tell who "I" is.
func TestWhatIsPersonalIsTheUsersOwn(t *testing.T) {
	w := newWorld(t)
	c := w.chat("first")
	wantIn(t, "the notice", c.notice("My name is Ines, and the frontend is mine."), "remembered: My name is Ines", "(global MEMORY.md)")
	c.notice("remember that my timezone is Europe/Lisbon")
	c.notice("I work at the Porto office these days.")
	wantEmpty(t, "the project's memory", w.projectPage("MEMORY.md"))
	wantIn(t, "the user's memory", get(w, filepath.Join(w.home, ".pi/agent/memory/MEMORY.md")), "- [preference] My name is Ines", "my timezone is Europe/Lisbon")
	if list := w.inbox(); len(list) != 1 || list[0].Scope != pimento.Global {
		t.Errorf("%+v", list)
	}
}

// What is no more than likely waits for a yes, and stands in the next session
// after it.
func TestAPreferenceInPassingWaits(t *testing.T) {
	w := newWorld(t)
	c := w.chat("first")
	wantIn(t, "the notice", c.notice("I always run the tests with the race detector on."), "remember this? I always run", "pimento inbox")
	wantEmpty(t, "memory", w.projectPage("MEMORY.md"))
	wantEmpty(t, "the notice of the same again", c.notice("I always run the tests with the race detector on."))
	list := w.inbox()
	if len(list) != 1 || list[0].Source != "overheard" || list[0].Cue != "explicit" || list[0].Kind != pimento.KindPreference {
		t.Fatalf("%+v", list)
	}
	w.accept(pimento.Statement(list[0].ID))
	wantIn(t, "the next session's prefix", w.chat("second").say("hello").Prefix, "with the race detector on")
}

// Said again it is reinforced, which another process finds, but not within the
// hour; and a text that stands inside another is not that other one.
func TestSayingItAgain(t *testing.T) {
	w := newWorld(t)
	c := w.chat("s")
	c.notice("I prefer tabs over spaces in Go.")
	c.notice("i prefer  tabs over spaces in go")
	id := pimento.StatementOf("I prefer tabs over spaces in Go.")
	if n := w.story(id).Standing.Evidence; n != 1 {
		t.Errorf("evidence %d within the hour", n)
	}
	w.now = w.now.Add(2 * time.Hour)
	c.notice("I prefer tabs over spaces in Go.")
	if n := w.story(id).Standing.Evidence; n != 2 {
		t.Errorf("evidence %d after it", n)
	}
	c.notice("I prefer tabs over spaces.")
	page := w.projectPage("MEMORY.md")
	wantIn(t, "the page", page, "I prefer tabs over spaces.\n")
	if n := w.story(id).Standing.Evidence; n != 2 || strings.Count(page, "tabs over spaces") != 2 {
		t.Errorf("evidence %d, page\n%s", n, page)
	}
}

// What only sounds like a preference and stands in memory already is not worth a word.
func TestSaidInPassingAndKnown(t *testing.T) {
	w := newWorld(t)
	w.page("MEMORY.md", "- Never push to main directly.\n")
	c := w.chat("s")
	c.say("hello there")
	if said := c.notice("Never push to main directly."); said != "" {
		t.Errorf("said %q", said)
	}
	c.notice("Remember: always use pnpm in web.")
	if said := w.chat("t").notice("always use pnpm in web"); said != "" { // in nearly the same words, before it was shown
		t.Errorf("said %q", said)
	}
	wantIn(t, "what is new", c.notice("never push to release branches directly"), "remember this?")
	if list := w.inbox(); len(list) != 1 {
		t.Errorf("%+v", list)
	}
}

// Memory that was shown and comes back, pasted, is not captured as new.
func TestWhatWeInjectedIsNotCapturedBack(t *testing.T) {
	w := newWorld(t)
	w.page("MEMORY.md", "- Deploys go through the canary. I always run the canary for ten minutes. From now on use the heron box.\n")
	c := w.branchChat("s")
	wantIn(t, "the prefix", c.say("please deploy the billing service").Prefix, "ten minutes")
	c.say("you wrote:\n\nI always run the canary for ten minutes.\nFrom now on use the heron box.\n\nis that so?")
	if list := w.inbox(); len(list) != 0 {
		t.Errorf("%+v", list)
	}
	wantEmpty(t, "the project's memory", w.projectPage("MEMORY.md"))
	// A new session that was not shown it yet may say so.
	w.page("MEMORY.md", "")
	w.branchChat("t").say("From now on use the heron box.")
	wantIn(t, "the page", w.projectPage("MEMORY.md"), "heron box")
}

// Nobody listens where that is not wanted, and a project's memory is neither made
// nor written without consent.
func TestWhereNobodyListens(t *testing.T) {
	const say = "From now on always use pnpm instead of npm."
	w := newWorld(t)
	w.chat("").say(say)
	w.chat("off").event(pimento.PromptTurn, func(in *pimento.Turn) { in.Off, in.Prompt = true, say })
	for _, config := range []string{`{"capture": "off"}`, `{"traceEnabled": false}`, `{"profile": "resident"}`} {
		w.configure(config)
		w.chat("s").say(say)
	}
	wantEmpty(t, "memory", w.projectPage("MEMORY.md"))
	w.configure(`{}`)
	w.chat("look").event(pimento.PromptTurn, func(in *pimento.Turn) { in.Look, in.Prompt = true, say })
	wantEmpty(t, "memory after a look", w.projectPage("MEMORY.md"))
	shop := w.at(repo(t, filepath.Join(w.home, "shop")))
	put(t, filepath.Join(shop.dir, ".pi/memory/MEMORY.md"), "- theirs\n")
	wantIn(t, "the notice", shop.chat("s").notice(say), "not remembered: From now on", "pimento trust")
	if n := shop.chat("s").notice(say); strings.Contains(n, "(remember ") {
		t.Errorf("the notice names our function: %s", n)
	}
	shop.chat("t").notice("I always run the tests with the race detector on.")
	wantOut(t, "the page", get(t, filepath.Join(shop.dir, ".pi/memory/MEMORY.md")), "pnpm", "race")
}

// capture auto writes what else would wait; a secret, or what reads like an order
// to a model, is not written by being heard.
func TestCaptureAuto(t *testing.T) {
	w := newWorld(t)
	w.configure(`{"capture": "auto"}`)
	c := w.chat("s")
	c.notice("I always run the tests with the race detector on.")
	wantIn(t, "the page", w.projectPage("MEMORY.md"), "race detector")
	wantIn(t, "the notice", c.notice("remember that the upload key is AKIAIOSFODNN7EXAMPLQ"), "not remembered", "secret")
	wantOut(t, "memory", w.projectPage("MEMORY.md")+w.events(), "AKIA")
}

// The situation report keeps preferences where its document has them, and
// refuses to let the page grow beyond its limit.
func TestOverheardInTheSituationProfile(t *testing.T) {
	w := newWorld(t)
	w.configure(`{"profile": "situation"}`)
	c := w.chat("s")
	c.notice("I prefer tabs over spaces in Go.")
	wantIn(t, "the page", w.projectPage("topics/preferences.md"), "- [preference] I prefer tabs over spaces in Go.")
	put(t, filepath.Join(w.dir, ".pi/memory/topics/preferences.md"), "# Preferences\n\n- [preference] "+strings.Repeat("long ", 2399)+"\n")
	wantIn(t, "the notice", c.notice("I prefer short functions in Go, too."), "not remembered", "12000")
}

// A prompt that another agent wrote is answered like any other and leaves nothing: not
// what it asks to remember, nor what it corrects again and again, nor a past session.
func TestAnAgentsPromptIsNotHeard(t *testing.T) {
	w := newWorld(t)
	w.profile = "situation"
	w.page("MEMORY.md", "- Deploys go through the staging gate first.\n")
	say := func(session string, byAgent bool) (shown string) {
		e := w.open()
		defer e.Close()
		for _, prompt := range []string{"Remember that the deploys go out on Tuesdays.", "No, never push to main without a review.",
			"From now on always use pnpm instead of npm.", "How do deploys go through staging?"} {
			r := e.Turn(t.Context(), pimento.Turn{Event: pimento.PromptTurn, Harness: "pi", Session: session, Prompt: prompt, Main: true, ByAgent: byAgent})
			r.After(t.Context())
			shown += r.Block.Prefix + r.Block.Tail
		}
		return shown
	}
	for i := range 4 {
		if shown := say(fmt.Sprint("agent", i), true); !strings.Contains(shown, "staging gate") {
			t.Errorf("it is not answered: %s", shown)
		}
	}
	wantOut(t, "what was kept", allPages(w)+w.events()+w.projectPage("MEMORY.md")+fmt.Sprint(w.inbox()), "Tuesdays", "pnpm", "review")
	w.run(func(e *engine.Engine) {
		if all, err := e.Sessions(t.Context()); err != nil || len(all) > 0 {
			t.Errorf("past sessions: %v, %v", all, err)
		}
	})
	say("person", false)
	wantIn(t, "what was kept of a person's", w.projectPage("topics/preferences.md")+w.projectPage("MEMORY.md")+allPages(w), "pnpm")
}
