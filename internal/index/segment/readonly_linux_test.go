package segment

import (
	"context"
	"os"
	"runtime"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/index"
	"github.com/pimento-memory/pimento/internal/index/indextest"
)

// An index in a directory that may be read and not written is used as it is,
// and what changes is held in memory.
func TestReadOnly(t *testing.T) {
	h := newHealthy(t)
	dir := h.copy(t)
	for _, d := range []string{dir, dir + "/..", dir + "/../.."} {
		os.Chmod(d, 0o755)
	}
	for _, name := range append(files(t, dir), "LOCK") {
		os.Chmod(dir+"/"+name, 0o444)
	}
	os.Chmod(dir, 0o555)
	defer os.Chmod(dir, 0o755)
	if os.Geteuid() == 0 { // root may write anyway: look at files as somebody else
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		if err := unix.Setfsuid(65534); err != nil {
			t.Skip(err)
		}
		defer unix.Setfsuid(0)
	}
	ctx := context.Background()
	x := open(t, dir, Options{})
	if !probe(t, x, h.ref) {
		t.Fatal(x.Rebuilt())
	}
	p := h.pages[0]
	p.Synced++
	p.Docs = p.Docs[:1]
	h.ref.Apply(ctx, []index.Page{p}, []string{h.pages[1].Path})
	err := x.Apply(ctx, []index.Page{p}, []string{h.pages[1].Path})
	if err == nil || pimento.KindOf(err) != pimento.KindUnavailable {
		t.Fatalf("Apply: %v", err)
	}
	if err := x.Refresh(ctx); err != nil {
		t.Fatal(err)
	}
	indextest.Compare(t, h.ref, x)
}

// A full disk fails an Apply at some point, and nothing is lost or damaged.
func TestFullDisk(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root to mount a small disk")
	}
	dir := t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size=160k"); err != nil {
		t.Skip(err)
	}
	defer unix.Unmount(dir, unix.MNT_DETACH)
	ctx := context.Background()
	c := indextest.NewCorpus(9, 500)
	x := open(t, dir, Options{})
	full := 0
	for i := range 60 {
		p := c.Page("a"+string(rune('0'+i%20))+".md", 12)
		err := x.Apply(ctx, []index.Page{p}, nil)
		if err != nil {
			full++
			if pimento.KindOf(err) != pimento.KindUnavailable {
				t.Fatalf("Apply: %v", err)
			}
		}
		if got, ok, err := x.Page(ctx, p.Path); !ok || err != nil || got.Stamp != p.Stamp {
			t.Fatalf("own change not seen: %v %v", ok, err)
		}
		if r := x.Rebuilt(); r != "" {
			t.Fatal(r)
		}
	}
	if full == 0 {
		t.Error("the disk was never full")
	}
	y := open(t, dir, Options{})
	if r := y.Rebuilt(); r != "" {
		t.Error(r)
	}
	if err := y.Pages(ctx, func(index.Page) bool { return true }); err != nil {
		t.Error(err)
	}
}
