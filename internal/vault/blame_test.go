package vault

import (
	"os"
	"path/filepath"
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
	if c := blamed(""); c != nil {
		t.Errorf("of nothing: %+v", c)
	}
}

// TestBlame: a line is found wherever it stands by now, and git runs nothing for it that
// the repository names.
func TestBlame(t *testing.T) {
	home := realTemp(t)
	top, ran := filepath.Join(home, "app"), filepath.Join(home, "ran")
	repo(t, top)
	page := filepath.Join(top, ".pi/memory/topics/a.md")
	const odd = `- [x] *all* of ^a/b\c$ costs 5.00 [see](c.md)`
	write(t, page, "- one\r\n"+odd+"\n- [x] *all* of ^a/b\\c$ costs 5x00 [see](c.md)\n")
	write(t, filepath.Join(top, ".gitattributes"), "*.md filter=own diff=own\n")
	git1(t, top, "add", ".")
	git1(t, top, "commit", "-qm", "a page")
	git1(t, top, "config", "filter.own.clean", "echo >"+ran+"; cat")
	git1(t, top, "config", "diff.own.textconv", "echo >"+ran+"; cat")
	write(t, page, "- above\n- one\n"+odd+"\n- one of these\n")
	p := find(t, top, home)
	for line, want := range map[string]string{"- one": "a page", odd: "a page", "- above": "", "- one of these": "", "- one of": ""} {
		c := Blame(t.Context(), p, "topics/a.md", line)
		if c == nil {
			c = &Commit{}
		}
		if c.Subject != want {
			t.Errorf("%q: %+v", line, c)
		}
	}
	if c := Blame(t.Context(), p, "topics/none.md", "- one"); c != nil {
		t.Errorf("no page: %+v", c)
	}
	if _, err := os.Stat(ran); err == nil {
		t.Error("git ran what the repository names")
	}
}
