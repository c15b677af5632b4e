package engine_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
	"github.com/pimento-memory/pimento/internal/vault"
)

// A nosyDisk does something once, right before a file of that name gets its
// name.
type nosyDisk struct {
	vault.OSDisk
	name string
	do   func() error
}

func (d *nosyDisk) Rename(dir *os.Root, how vault.How, from, to string) error {
	if do := d.do; do != nil && to == d.name {
		d.do = nil
		if err := do(); err != nil {
			return err
		}
	}
	return d.OSDisk.Rename(dir, how, from, to)
}

// TestPlansOfSeveralPagesAreAllOrNone: an editor changes the second page of a
// plan while the first one is written. The first is unmade, and the plan is made
// anew for what the editor wrote.
func TestPlansOfSeveralPagesAreAllOrNone(t *testing.T) {
	w := newWorld(t)
	w.page("deploy.md", "# Deploy\n\nSlowly.\n")
	opt := w.options()
	opt.Disk = &nosyDisk{name: "deploy.md", do: func() error {
		return os.WriteFile(w.global("deploy.md"), []byte("# Deploy\n\nVery slowly.\n"), 0o600)
	}}
	e, err := engine.Open(opt)
	w.must(err)
	moves, err := e.Archive(t.Context(), []string{"deploy.md"}, "merged", true, engine.Actor{})
	w.must(err)
	w.must(e.Close())
	if len(moves) != 1 || moves[0].To != "archive/deploy.md" || get(t, w.global("archive/deploy.md")) != "# Deploy\n\nVery slowly.\n" {
		t.Errorf("%+v %q", moves, get(t, w.global("archive/deploy.md")))
	}
	if _, err := os.Stat(w.global("deploy.md")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the page stays: %v", err)
	}
	list, _ := filepath.Glob(w.global("archive/*"))
	if len(list) != 1 {
		t.Errorf("the archive holds %v", list)
	}
}

// TestArchiveThatFails: a disk that refuses the second page leaves both as they
// were.
func TestArchiveThatFails(t *testing.T) {
	w := newWorld(t)
	w.page("MEMORY.md", "- one\n- two\n")
	var id string
	w.run(func(e *engine.Engine) {
		id = string(e.Recall(t.Context(), pimento.Query{Text: "two"}).Hits[0].Entry.Statement)
	})
	opt := w.options()
	opt.Disk = failSecond{name: "MEMORY.md", dir: w.global("")}
	e, err := engine.Open(opt)
	w.must(err)
	_, err = e.Archive(t.Context(), []string{id}, "faded", true, engine.Actor{})
	if err == nil || !strings.Contains(err.Error(), "no space") {
		t.Fatalf("%v", err)
	}
	w.must(e.Close())
	if get(t, w.global("MEMORY.md")) != "- one\n- two\n" || get(t, w.global("archive/MEMORY.md")) != "" {
		t.Errorf("%q %q", get(t, w.global("MEMORY.md")), get(t, w.global("archive/MEMORY.md")))
	}
	w.run(func(e *engine.Engine) { // nothing is pending
		_, err := e.Archive(t.Context(), []string{id}, "faded", true, engine.Actor{})
		w.must(err)
	})
	if get(t, w.global("MEMORY.md")) != "- one\n" || get(t, w.global("archive/MEMORY.md")) != "- two\n" {
		t.Errorf("%q %q", get(t, w.global("MEMORY.md")), get(t, w.global("archive/MEMORY.md")))
	}
}

// A failSecond disk fails to exchange a file of that name in one directory.
type failSecond struct {
	vault.OSDisk
	name, dir string
}

func (d failSecond) Rename(dir *os.Root, how vault.How, from, to string) error {
	if to == d.name && how == vault.Exchange && filepath.Clean(dir.Name()) == filepath.Clean(d.dir) {
		return errors.New("no space left")
	}
	return d.OSDisk.Rename(dir, how, from, to)
}
