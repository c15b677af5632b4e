package vault

import (
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"

	"github.com/pimento-memory/pimento"
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
	file := filepath.Join(top, localPage)
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
	if os.Getuid() == 0 {
		for up := top; up != os.TempDir() && len(up) > 1; up = filepath.Dir(up) {
			_ = os.Chmod(up, 0o755)
		}
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		if err := syscall.Setfsuid(65534); err != nil {
			t.Fatal(err)
		}
		defer syscall.Setfsuid(0)
	}
	if skipped := sweep(); len(skipped) != 1 || skipped[0].Rel != localPage || !skipped[0].Unread {
		t.Errorf("a page without rights: %v", skipped)
	}
}
