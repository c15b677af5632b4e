package vault

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestBlamed(t *testing.T) {
	out := "f259508966232c1f53c34acc764739da2f5b52c1 3 3 1\nauthor Ada B\nauthor-mail <ada@example.org>\nauthor-time 1700000000\nauthor-tz +0100\n" +
		"committer Bob\nsummary memory: the port is 8443\nfilename .pi/memory/MEMORY.md\n\tauthor is what the line says"
	want := &Commit{ID: "f259508966232c1f53c34acc764739da2f5b52c1", Author: "Ada B", Time: time.Unix(1700000000, 0), Subject: "memory: the port is 8443"}
	if d := cmp.Diff(want, blamed(out)); d != "" {
		t.Error(d)
	}
	if c := blamed("0000000000000000000000000000000000000000 1 1 1\nauthor Not Committed Yet\n\tx"); c != nil {
		t.Errorf("%+v", c)
	}
	if c := blamed(""); c != nil {
		t.Errorf("of nothing: %+v", c)
	}
}
