//go:build unix

package cli

import (
	"bufio"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// TestParked: a pipe is read without a thread that waits, and is left as it was
// found; what is no pipe is read as ever.
func TestParked(t *testing.T) {
	var fds [2]int
	if err := syscall.Pipe(fds[:]); err != nil {
		t.Fatal(err)
	}
	blocks := func() bool {
		flags, err := unix.FcntlInt(uintptr(fds[0]), unix.F_GETFL, 0)
		if err != nil {
			t.Fatal(err)
		}
		return flags&unix.O_NONBLOCK == 0
	}
	from, to := os.NewFile(uintptr(fds[0]), "in"), os.NewFile(uintptr(fds[1]), "out")
	defer from.Close()
	defer to.Close()
	in, undo := parked(from)
	if blocks() {
		t.Error("reading would hold a thread")
	}
	lines := bufio.NewReader(in)
	for _, want := range []string{"one\n", "two\n"} {
		go to.WriteString(want)
		if got, err := lines.ReadString('\n'); got != want || err != nil {
			t.Fatal(got, err)
		}
	}
	undo()
	if !blocks() {
		t.Error("whoever started us finds their input changed")
	}

	f, err := os.Create(filepath.Join(t.TempDir(), "requests"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if in, undo := parked(f); in != f {
		t.Error("a file was taken for a pipe")
	} else {
		undo()
	}
}
