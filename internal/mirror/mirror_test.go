package mirror

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/embed"
	"github.com/pimento-memory/pimento/internal/index"
	"github.com/pimento-memory/pimento/internal/index/segment"
	"github.com/pimento-memory/pimento/internal/journal"
	"github.com/pimento-memory/pimento/internal/page"
	"github.com/pimento-memory/pimento/internal/vault"
)

// one is the mirror of a root with one page, which it has not seen yet.
func one(t *testing.T) *Mirror {
	t.Helper()
	home := t.TempDir()
	dirs := vault.DirsFrom(home, func(string) string { return "" })
	if err := os.MkdirAll(dirs.Global, 0o700); err != nil {
		t.Fatal(err)
	}
	root, err := dirs.OpenRoot(pimento.Global, dirs.Global, vault.OSDisk{})
	if err != nil {
		t.Fatal(err)
	}
	j, err := journal.Open(filepath.Join(home, "journal"))
	if err != nil {
		t.Fatal(err)
	}
	m := New(Options{Root: root, Journal: j, Scope: pimento.Global, Cache: dirs.Cache, Now: time.Now, Clock: time.Now, Deadline: 50 * time.Millisecond,
		Table: embed.NewStatic(), Tabled: func() bool { return true }, Taken: func([]index.Page, []string) {}})
	t.Cleanup(func() { _, _ = m.Close(), j.Close() })
	rewrite(t, m, page.Memory, "- Deploys go through staging.\n", 0)
	return m
}

// synced is one that has seen it.
func synced(t *testing.T) *Mirror {
	t.Helper()
	m := one(t)
	if _, s, fault := m.Sync(t.Context(), Occasion{}); s.Behind || s.Err != nil || fault != nil {
		t.Fatalf("%+v, %v", s, fault)
	}
	return m
}

// path is where a page lies.
func (m *Mirror) path(rel string) string {
	return filepath.Join(m.opt.Root.Dir(), filepath.FromSlash(rel))
}

// rewrite writes a page in place, with a time so far from now.
func rewrite(t *testing.T, m *Mirror, rel, text string, age time.Duration) {
	t.Helper()
	name, when := m.path(rel), time.Now().Add(age)
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(name, when, when); err != nil {
		t.Fatal(err)
	}
}

// A turn whose time is over keeps the index that is on the disk, and what it
// takes out of the index is told.
func TestNoTimeIsNoDamage(t *testing.T) {
	m := synced(t)
	if err := os.Remove(m.path(page.Memory)); err != nil {
		t.Fatal(err)
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	idx, s, fault := m.Sync(over, Occasion{})
	if _, ok := idx.(*segment.Index); !ok || s.Err != nil || fault != nil {
		t.Errorf("%T, %v, %v", idx, s.Err, fault)
	}
	if len(s.Events) != 1 || s.Events[0].Type != pimento.Vanished {
		t.Errorf("what became of the page that is gone: %+v", s.Events)
	}
}

// What is erased while others take pages in is gone, and made anew by them afterwards.
func TestEraseWhileOthersWork(t *testing.T) {
	m := synced(t)
	ctx, cancel := context.WithCancel(t.Context())
	var others sync.WaitGroup
	others.Go(func() {
		for ctx.Err() == nil {
			m.Wrote(t.Context(), page.Memory, func(pimento.Digest) bool { return true })
		}
	})
	for range 300 {
		if err := m.Erase(); err != nil {
			t.Error(err)
			break
		}
	}
	cancel()
	others.Wait()
	idx, s, fault := m.Sync(t.Context(), Occasion{})
	if _, ok, err := idx.Page(t.Context(), page.Memory); !ok || err != nil || s.Err != nil || fault != nil {
		t.Errorf("the page is in the index: %v, %v, %v, %v", ok, err, s.Err, fault)
	}
}
