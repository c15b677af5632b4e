package engine_test

import (
	"path/filepath"
	"testing"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
)

// TestForgottenAfterTrustAgain: a session that was shown an entry of the project is told
// that it was withdrawn, though the user had taken their yes back for a while.
func TestForgottenAfterTrustAgain(t *testing.T) {
	w := newWorld(t)
	library(w)
	put(t, filepath.Join(w.dir, ".pi/memory/MEMORY.md"), "- The project loves haskell.\n")
	put(t, filepath.Join(w.dir, ".pi/memory/topics/deploy.md"), "- The canary is watched by Zora.\n")
	w.trust()
	c := w.chat("s")
	c.say("hello")
	put(t, filepath.Join(w.dir, ".pi/memory/topics/watch.md"), "- The canary of the gateway is watched by Ada.\n")
	wantIn(t, "tail", c.say("who watches the canary of the gateway?").Tail, "watched by Ada")
	w.run(func(e *engine.Engine) { _, err := e.Untrust(t.Context()); w.must(err) })
	c.say("hello again")
	w.trust()
	c.say("and again")
	w.run(func(e *engine.Engine) {
		a := e.Recall(t.Context(), pimento.Query{Text: "who watches the canary of the gateway"})
		_, err := e.Forget(t.Context(), string(a.Hits[0].Entry.Statement), engine.Actor{})
		w.must(err)
	})
	b := c.say("who watches the canary of the gateway?")
	wantIn(t, "tail after forgetting", b.Tail, "withdrawn", "watched by Ada")
	wantOut(t, "the next tail", c.say("hello once more").Tail, "Ada")
}
