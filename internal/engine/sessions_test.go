package engine_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
)

const gadgetPrompt = "gadget03 walnut grams"

func TestANewSessionBeginsWithAnEmptyContext(t *testing.T) {
	w := newWorld(t)
	library(w)
	a, b := w.chat("a"), w.chat("b")
	if x, y := a.say(gadgetPrompt).Tail, b.say(gadgetPrompt).Tail; x == "" || x != y {
		t.Errorf("%q\n%q", x, y)
	}
	wantOut(t, "tail", a.say(gadgetPrompt).Tail, "Gadget03")
}

func TestAResumedSessionKeepsPrefixAndContext(t *testing.T) {
	both(t, func(t *testing.T, w *world, c *chat) {
		library(w)
		first := c.say(gadgetPrompt)
		wantIn(t, "tail", first.Tail, "Gadget03")
		w.now = w.now.AddDate(0, 0, 3)
		w.page("MEMORY.md", "- Written while nobody was there.\n")
		start := c.event(pimento.SessionStart, func(t *pimento.Turn) { t.Reason = "resume" })
		if start.Prefix != first.Prefix {
			t.Errorf("prefix after resume:\n%s", start.Prefix)
		}
		b := c.say(gadgetPrompt)
		wantOut(t, "tail", b.Tail, "Gadget03")
		wantIn(t, "tail", b.Tail, "Written while nobody was there.")
		if b.Prefix != first.Prefix {
			t.Errorf("prefix after resume:\n%s", b.Prefix)
		}
	})
}

func TestAForkInheritsThePrefixOnlyUnderTheSameTerms(t *testing.T) {
	w := newWorld(t)
	library(w)
	c := w.chat("parent")
	prefix := c.say("hello").Prefix
	w.page("MEMORY.md", "- A new page for new sessions.\n")
	w.now = w.now.AddDate(0, 0, 1)
	fork := c.fork("fork")
	if b := fork.say("hello"); b.Prefix != prefix {
		t.Errorf("fork:\n%s", b.Prefix)
	}
	if b := fork.fork("fork of fork").say("hello"); b.Prefix != prefix {
		t.Errorf("fork of a fork:\n%s", b.Prefix)
	}
	w.run(func(e *engine.Engine) { w.must(e.Silence(t.Context(), "pi", "parent", true)) })
	if b := c.fork("silent").say("hello"); b.Prefix != "" {
		t.Error("a fork of a silent session speaks")
	}
	w.run(func(e *engine.Engine) { w.must(e.Silence(t.Context(), "pi", "parent", false)) })
	w.run(func(e *engine.Engine) { _, err := e.ProfileUse(t.Context(), "daybook", true); w.must(err) })
	wantIn(t, "prefix of a fork with another profile", c.fork("daybook").say("hello").Prefix, "A new page")
	wantIn(t, "prefix of a fork of nobody", w.chat("x").fork("y").say("hello").Prefix, "A new page")
}

func TestACompactionClearsTheContext(t *testing.T) {
	both(t, func(t *testing.T, w *world, c *chat) {
		library(w)
		wantIn(t, "tail", c.say(gadgetPrompt).Tail, "Gadget03")
		w.page("MEMORY.md", "- Told before the compaction.\n")
		wantIn(t, "tail", c.say(gadgetPrompt).Tail, "Told before")
		c.compact("c1")
		b := c.say(gadgetPrompt)
		wantIn(t, "tail after it", b.Tail, "Gadget03")
		wantIn(t, "prefix after it", b.Prefix, "Told before")
		wantOut(t, "tail after it", b.Tail, "Told before")
		w.page("MEMORY.md", "- Told before the compaction.\n- Told after it.\n")
		c.event(pimento.AfterCompact, func(t *pimento.Turn) { t.Compaction = "c1" }) // reported twice
		again := c.say(gadgetPrompt)
		if again.Prefix != b.Prefix {
			t.Error("a compaction that is reported twice makes two prefixes")
		}
		wantOut(t, "tail", again.Tail, "Gadget03")
	})
}

func TestInContextNilIsNotEmpty(t *testing.T) {
	w := newWorld(t)
	library(w)
	c := w.chat("s")
	wantIn(t, "tail", c.say(gadgetPrompt).Tail, "Gadget03")
	wantOut(t, "tail when the harness cannot tell", c.say(gadgetPrompt).Tail, "Gadget03")
	tail := c.event(pimento.PromptTurn, func(t *pimento.Turn) { t.Prompt, t.InContext = gadgetPrompt, []string{} }).Tail
	wantIn(t, "tail when the harness finds nothing", tail, "Gadget03")
	tail = c.event(pimento.PromptTurn, func(t *pimento.Turn) {
		t.Prompt = gadgetPrompt
		t.InContext = []string{string(pimento.StatementOf("Gadget03 weighs exactly 103 grams of walnut.")), "rubbish", "~", "\x00"}
	}).Tail
	wantOut(t, "tail when the harness finds it", tail, "Gadget03")
}

func TestOddSessionIDs(t *testing.T) {
	w := newWorld(t)
	library(w)
	for _, id := range []string{"../../../etc/passwd", "/", ".", "a/b", strings.Repeat("x", 5000), "a\x00b", "\xff\xfe", "ü 👍\n", "CON", "-rf"} {
		c := w.chat(id)
		c.turn.Harness = id
		first := c.say(gadgetPrompt)
		wantNoFaults(t, first)
		wantIn(t, "tail", first.Tail, "Gadget03")
		b := c.say(gadgetPrompt)
		if b.Prefix != first.Prefix || b.Prefix == "" {
			t.Errorf("%q: prefix %q", id, b.Prefix)
		}
		wantOut(t, "tail", b.Tail, "Gadget03")
		c.compact(id)
		wantIn(t, "tail", c.say(gadgetPrompt).Tail, "Gadget03")
	}
	if names, _ := filepath.Glob(w.home + "/[^.]*"); len(names) > 1 {
		t.Errorf("files in the home directory: %v", names)
	}
}

// The first prompt's bookkeeping may come after the user has switched memory
// off.
func TestOffOutlastsTheBookkeepingOfATurn(t *testing.T) {
	w := newWorld(t)
	w.page("MEMORY.md", "- Alpha likes apples.\n")
	w.run(func(e *engine.Engine) {
		r := e.Turn(t.Context(), pimento.Turn{Event: pimento.PromptTurn, Harness: "pi", Session: "s", Prompt: "hello"})
		w.must(e.Silence(t.Context(), "pi", "s", true))
		r.After(t.Context())
		if !e.SessionOff(t.Context(), "pi", "s") {
			t.Error("memory is on again")
		}
	})
}
