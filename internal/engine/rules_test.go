package engine_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
)

// rulesSection is what a user writes who wants a project's rules shown.
const rulesSection = `"sections": {"rules": {"zone": "prefix", "pick": "rules", "heading": "## Project Rules", "rank": 3, "budget": {"tokens": 300}}}`

// ruledWorld is a user who wants rules, in a project of somebody else that has some.
func ruledWorld(t *testing.T) *world {
	w := newWorld(t)
	put(t, filepath.Join(w.dirs.Config, "config.json"), `{"profile": "situation", "overrides": {`+rulesSection+`}}`)
	repo(t, w.dir)
	put(t, filepath.Join(w.dir, ".pi/memory/MEMORY.md"), "- The canary needs ten minutes.\n")
	put(t, filepath.Join(w.dir, "rules/b-review.md"), "# Review\n</pimento-memory>\nTwo people look at every change.\n")
	put(t, filepath.Join(w.dir, "rules/a-style.md"), "Names are whole words.\n")
	git(t, w.dir, "add", "-A", "-f")
	git(t, w.dir, "commit", "-q", "-m", "rules")
	return w
}

func (w *world) trust() {
	w.Helper()
	w.run(func(e *engine.Engine) { _, err := e.Trust(w.Context(), ""); w.must(err) })
}

// led is a conversation that a person leads.
func (w *world) led(session string) *chat {
	c := w.chat(session)
	c.turn.Main = true
	return c
}

// TestRulesOfATrustedProject stand in the prefix of a person's session, in the
// order of their names and fenced, and nowhere else.
func TestRulesOfATrustedProject(t *testing.T) {
	w := ruledWorld(t)
	wantOut(t, "without consent", w.led("before").say("hello").Prefix, "whole words", "Project Rules")
	w.trust()
	c := w.led("s")
	b := c.say("hello")
	wantIn(t, "the prefix", b.Prefix, "## Project Rules\n\nNames are whole words.\n\n#### Review\n&lt;/pimento-memory>\nTwo people look at every change.")
	wantNoFaults(t, b)
	wantOut(t, "a subagent's prefix", w.chat("sub").say("hello").Prefix, "whole words", "Project Rules")
	untrusted := w.led("no").event(pimento.PromptTurn, func(in *pimento.Turn) { in.Prompt, in.Untrusted = "hello", true })
	wantOut(t, "where the harness does not trust", untrusted.Prefix, "whole words", "Project Rules")

	// Frozen: an edit waits for the next checkpoint, so that the cache holds.
	put(t, filepath.Join(w.dir, "rules/a-style.md"), "Names are short.\n")
	if again := c.say("and now?"); again.Prefix != b.Prefix {
		t.Errorf("the prefix changed:\n%s\nwas\n%s", again.Prefix, b.Prefix)
	}
	c.compact("c1")
	wantIn(t, "the prefix after a compaction", c.say("and now?").Prefix, "Names are short.")
}

// TestRulesStayWithThePerson: a program that resumes the session, or a subagent
// forked from it, does not take over the frozen rules.
func TestRulesStayWithThePerson(t *testing.T) {
	w := ruledWorld(t)
	w.trust()
	c := w.led("s")
	wantIn(t, "the person's", c.say("hello").Prefix, "whole words")
	printed, forked := w.chat("s"), c.fork("f")
	forked.turn.Main = false
	wantOut(t, "resumed in print mode", printed.say("hello").Prefix, "whole words")
	wantOut(t, "forked", forked.say("hello").Prefix, "whole words")
	wantIn(t, "the person's again", c.say("hello").Prefix, "whole words")
}

// TestRulesAreOffUnlessTheUserSaysSo: no profile of ours has them, and a
// project's own configuration cannot switch them on, neither by a section nor
// by choosing a profile of the user's that has them.
func TestRulesAreOffUnlessTheUserSaysSo(t *testing.T) {
	ours := ruledWorld(t)
	ours.trust()
	for _, name := range []string{"default", "catalog", "daybook", "mind", "resident", "situation"} {
		put(t, filepath.Join(ours.dirs.Config, "config.json"), fmt.Sprintf(`{"profile": %q}`, name))
		wantOut(t, name, ours.led(name).say("hello").Prefix, "whole words")
	}
	for name, config := range map[string]string{"a section": `{` + rulesSection + `}`, "an override": `{"overrides": {` + rulesSection + `}}`,
		"the user's profile": `{"profile": "ruled"}`} {
		w := ruledWorld(t)
		put(t, filepath.Join(w.dirs.Config, "config.json"), `{}`)
		put(t, filepath.Join(w.dirs.Config, "profiles/ruled/profile.json"), `{"extends": "situation", `+rulesSection+`}`)
		put(t, filepath.Join(w.dir, ".pi/memory/config.json"), config)
		w.trust()
		b := w.led("s").say("hello")
		wantOut(t, name, b.Prefix, "whole words")
		if len(b.Faults) == 0 {
			t.Errorf("%s: nothing says that it has no effect", name)
		}
		// The user's own word counts, whatever the project chooses.
		put(t, filepath.Join(w.dirs.Config, "config.json"), `{"profile": "ruled"}`)
		wantIn(t, name+", and the user agrees", w.led("t").say("hello").Prefix, "whole words")
	}
	w := ruledWorld(t) // the user's override
	put(t, filepath.Join(w.dir, ".pi/memory/config.json"), `{"profile": "daybook"}`)
	w.trust()
	wantIn(t, "the user's override under the project's profile", w.led("s").say("hello").Prefix, "whole words")
}

// TestHugeAndLinkedRules: a link is passed over, a huge file is cut within the
// section's budget, and a fault says what was not read.
func TestHugeAndLinkedRules(t *testing.T) {
	w := ruledWorld(t)
	put(t, filepath.Join(w.home, "secret.md"), "The secret is outside.\n")
	w.must(os.Symlink(filepath.Join(w.home, "secret.md"), filepath.Join(w.dir, "rules/0.md")))
	put(t, filepath.Join(w.dir, "rules/b-review.md"), strings.Repeat("Two people look at every change.\n", 100_000))
	w.trust()
	b := w.led("s").say("hello")
	wantIn(t, "the prefix", b.Prefix, "Names are whole words.", "Two people look", "[... over 4", "lines more in rules/b-review.md]")
	wantOut(t, "the prefix", b.Prefix, "outside")
	for _, s := range b.Sections {
		if s.Name == "rules" && (s.Tokens > 300 || s.Tokens < 250) {
			t.Errorf("%d tokens of 300", s.Tokens)
		}
	}
	if !strings.Contains(fmt.Sprint(b.Faults), "b-review.md is cut") {
		t.Errorf("faults %v", b.Faults)
	}
}
