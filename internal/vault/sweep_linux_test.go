package vault

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/page"
)

// A local page that is there and cannot be opened is not known to be gone; a link
// in its place is no page.
func TestSweepOfALocalPageThatCannotBeRead(t *testing.T) {
	top := t.TempDir()
	r, err := OpenRoot(pimento.Local, top, nil)
	if err != nil {
		t.Fatal(err)
	}
	sweep := func() []Skip {
		t.Helper()
		skipped, err := r.Sweep(t.Context(), func(rel string, _ pimento.Stamp) { t.Errorf("took %s", rel) }, nil)
		if err != nil {
			t.Fatal(err)
		}
		return skipped
	}
	file := filepath.Join(top, page.LocalMemory)
	if skipped := sweep(); len(skipped) != 0 {
		t.Errorf("nothing there: %v", skipped)
	}
	if err := os.Symlink("elsewhere", file); err != nil {
		t.Fatal(err)
	}
	if skipped := sweep(); len(skipped) != 1 || skipped[0].Unread {
		t.Errorf("a link: %v", skipped)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("- A note.\n"), 0); err != nil {
		t.Fatal(err)
	}
	defer unprivileged(t, file)()
	if skipped := sweep(); len(skipped) != 1 || skipped[0].Rel != page.LocalMemory || !skipped[0].Unread {
		t.Errorf("a page without rights: %v", skipped)
	}
}

// Who may not read or write is told which file it is, and not what we tried.
func TestAPageWithoutRightsIsNamed(t *testing.T) {
	top := t.TempDir()
	root := filepath.Join(top, "repo", ".pi", "memory")
	r, err := Dirs{State: filepath.Join(top, "state")}.OpenRoot(pimento.Project, root, nil)
	if err != nil {
		t.Fatal(err)
	}
	modes := map[string]os.FileMode{"closed": 0, "listed": 0o444, "fixed": 0o555}
	for name, mode := range modes {
		folder := filepath.Join(root, name)
		if err := os.MkdirAll(folder, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, "deploy.md"), []byte("- A note.\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(folder, mode); err != nil {
			t.Fatal(err)
		}
		defer os.Chmod(folder, 0o755)
	}
	defer unprivileged(t, filepath.Join(root, "closed"))()
	read := func(rel string) error {
		_, _, err := r.Read(t.Context(), rel)
		return err
	}
	after := []byte("- Another.\n")
	_, err = r.Apply(t.Context(), pimento.Change{Scope: pimento.Project, Page: "fixed/new.md", After: pimento.DigestOf(after), Splices: []pimento.Splice{{Ins: after}}})
	for rel, err := range map[string]error{"closed/deploy.md": read("closed/deploy.md"), "listed/deploy.md": read("listed/deploy.md"), "fixed/new.md": err} {
		if err == nil || !strings.HasSuffix(err.Error(), " "+rel+": permission denied") || !strings.Contains(pimento.HintOf(err), filepath.Join(root, rel)) {
			t.Errorf("%v\n%s", err, pimento.HintOf(err))
		}
	}
}

// unprivileged goes on as somebody whom file modes bind, who may come as far as dir.
func unprivileged(t *testing.T, dir string) (back func()) {
	t.Helper()
	if os.Getuid() != 0 {
		return func() {}
	}
	for up := filepath.Dir(dir); up != os.TempDir() && len(up) > 1; up = filepath.Dir(up) {
		_ = os.Chmod(up, 0o755)
	}
	runtime.LockOSThread()
	if err := syscall.Setfsuid(65534); err != nil {
		t.Fatal(err)
	}
	return func() {
		_ = syscall.Setfsuid(0)
		runtime.UnlockOSThread()
	}
}
