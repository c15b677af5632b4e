package session

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/pimento-memory/pimento"
)

// With SESSION_CHILD set the test binary is a second process that freezes the
// prefix it finds in the variable, or counts in the state.
func TestMain(m *testing.M) {
	dir := os.Getenv("SESSION_DIR")
	var err error
	switch own := os.Getenv("SESSION_CHILD"); own {
	case "":
		os.Exit(m.Run())
	case "count":
		for range 20 {
			if err == nil {
				err = NewStore(dir).Update(context.Background(), "pi", "s", func(s *State) { s.Epoch++ })
			}
		}
	default:
		var f Frozen
		f, _, err = NewStore(dir).Freeze(context.Background(), testKey(), func() (Frozen, error) {
			return Frozen{Prefix: strings.Repeat(own, 1000), IDs: []string{own}}, nil
		})
		fmt.Print(f.Prefix, f.IDs)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

func child(dir, own string) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "SESSION_DIR="+dir, "SESSION_CHILD="+own)
	cmd.Stderr = os.Stderr
	return cmd
}

func testKey() Key {
	return Key{Harness: "pi", Session: "s", Epoch: 1, Profile: "p", Consent: "c"}
}

func day(n int) time.Time { return time.Date(2026, 3, n, 9, 0, 0, 0, time.UTC) }

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func wantKind(t *testing.T, err error, kind pimento.ErrorKind) {
	t.Helper()
	if err == nil || pimento.KindOf(err) != kind {
		t.Fatalf("%v, want %v", err, kind)
	}
}

// readOnly runs f in a thread that may not write below dir.
func readOnly(t *testing.T, dir string, f func()) {
	t.Helper()
	must(t, filepath.Walk(dir, func(name string, info os.FileInfo, err error) error {
		if err != nil {
			return err
		}
		mode := os.FileMode(0o444)
		if info.IsDir() {
			mode = 0o555
			t.Cleanup(func() { os.Chmod(name, 0o700) })
		}
		return os.Chmod(name, mode)
	}))
	for up := filepath.Dir(dir); up != filepath.Clean(os.TempDir()) && len(up) > 1; up = filepath.Dir(up) {
		os.Chmod(up, 0o755)
	}
	if os.Getuid() == 0 {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		must(t, syscall.Setfsuid(65534))
		defer syscall.Setfsuid(0)
	}
	f()
}
