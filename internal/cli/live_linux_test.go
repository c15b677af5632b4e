package cli

import (
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

// A terminal that knows no control sequences is not drawn over.
func TestLive(t *testing.T) {
	hand, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer hand.Close()
	for term, want := range map[string]bool{"xterm": true, "": true, "dumb": false} {
		a := &app{env: Env{Getenv: func(string) string { return term }}}
		if got := a.live(hand); got != want {
			t.Errorf("TERM=%q: %t", term, got)
		}
	}
}
