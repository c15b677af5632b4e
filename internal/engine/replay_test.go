package engine

import (
	"os"
	"testing"

	"github.com/pimento-memory/pimento/internal/page"
	"github.com/pimento-memory/pimento/internal/remember"
)

// A crash may come after an entry was taken off its page and before the frozen
// prefixes that show it were outdated.
func TestAReplayedForgetOutdatesPrefixes(t *testing.T) {
	e, v, st := served(t)
	d, err := st.draft(t.Context(), page.Memory)
	if err != nil {
		t.Fatal(err)
	}
	p, _, err := remember.Forget(st.target(page.Memory, d), d.page.Entries()[0].Occurrence, e.by(Actor{}))
	if err != nil {
		t.Fatal(err)
	}
	unlock, err := st.root.Lock(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	before := e.consentDigest(v.stores)
	p.ID, p.Root = e.newID(), st.root.Key()
	if err := e.replayOne(t.Context(), st, p); err != nil {
		t.Fatal(err)
	}
	if b, _ := os.ReadFile(st.path(page.Memory)); len(b) > 1 {
		t.Errorf("the page still says %q", b)
	}
	if e.consentDigest(v.stores) == before {
		t.Error("a session goes on showing what was forgotten")
	}
}
