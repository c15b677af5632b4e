package engine

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/pimento-memory/pimento"
)

// What is known of a directory that cannot be listed is kept, and not told as
// withdrawn.
func TestAnUnreadableFolderIsNotGone(t *testing.T) {
	e, _, st := gate(t)
	for _, page := range []string{"topics/deploy.md", "topics/old/x.md", "notes.md"} {
		if _, err := e.Remember(t.Context(), Note{Text: "The fact of " + page, Scope: pimento.Global, Page: page}); err != nil {
			t.Fatal(err)
		}
	}
	asks(t, e, "hello")
	idx, fault := e.index(t.Context(), st)
	if fault != nil {
		t.Fatal(fault)
	}
	dir := st.path("topics")
	if err := os.Chmod(dir, 0); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(dir, 0o700)
	if os.Getuid() == 0 {
		for up := filepath.Dir(dir); up != os.TempDir() && len(up) > 1; up = filepath.Dir(up) {
			_ = os.Chmod(up, 0o755)
		}
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		if err := syscall.Setfsuid(65534); err != nil {
			t.Fatal(err)
		}
		defer syscall.Setfsuid(0)
	}
	n, err := e.list(t.Context(), st, idx)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range n.gone {
		if !isMark(path) {
			t.Errorf("%q counts as gone", path)
		}
	}
	if len(n.faults) != 1 || !strings.HasPrefix(n.faults[0].Detail, "topics cannot be read: ") {
		t.Errorf("faults %v", n.faults)
	}
}
