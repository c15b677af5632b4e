package engine

import (
	"context"
	"errors"
	"testing"
)

// A look at the files that the time is over for finds nothing, and loses nothing: neither
// where it asks for what the index knows nor where it lists all.
func TestALateLookFindsNothing(t *testing.T) {
	e, _, st := served(t)
	over, cancel := context.WithCancel(t.Context())
	cancel()
	for _, what := range []string{"new", "known"} {
		idx, _ := e.index(t.Context(), st)
		if n, err := e.compare(over, st, idx); !errors.Is(err, errLate) || len(n.dirty)+len(n.gone)+len(n.dirs) > 0 {
			t.Errorf("%s: %+v, %v", what, n, err)
		}
		if now, _ := e.index(t.Context(), st); now != idx {
			t.Errorf("%s: the index is dropped", what)
		}
		if _, s, _ := e.syncStore(t.Context(), st, occasion{}); s.behind || s.err != nil {
			t.Errorf("%s: then %+v", what, s)
		}
	}
}
