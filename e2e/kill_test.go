package e2e

import (
	"path/filepath"
	"testing"

	"github.com/pimento-memory/pimento/e2e/kill"
)

// kills is the short form; `go run ./scripts/bench -kills 200` is the long one.
const kills = 30

func TestKilledWritesAreWholeOrNotThere(t *testing.T) {
	t.Parallel()
	rep, err := kill.Loop(pimento(t), filepath.Join(t.TempDir(), "home"), kills, 1)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d acknowledged, %d cut, %d of them between two phases", rep.Acknowledged, rep.Cut, rep.Dirty)
	if !rep.OK() {
		t.Errorf("%+v", rep)
	}
	if rep.Cut == 0 {
		t.Error("no write was cut: the test proves nothing")
	}
}
