package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// children are the direct children of a process that run one of our programs.
func children(pid int) []int {
	var found []int
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range stats {
		b, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		// "pid (name) state ppid ..."; the name may hold anything but ends at the last ")".
		head, rest, _ := cutLast(string(b), ")")
		var state string
		var parent, child int
		if _, err := fmt.Sscan(rest, &state, &parent); err != nil || parent != pid {
			continue
		}
		if _, err := fmt.Sscan(head, &child); err == nil && !strings.Contains(head, "(node") {
			found = append(found, child)
		}
	}
	return found
}

func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

// killChildren kills the memory process of a pi.
func (s *sandbox) killChildren(pid int) { s.signalChildren(pid, syscall.SIGKILL) }

// stopChildren has it answer nothing until continueChildren.
func (s *sandbox) stopChildren(pid int)     { s.signalChildren(pid, syscall.SIGSTOP) }
func (s *sandbox) continueChildren(pid int) { s.signalChildren(pid, syscall.SIGCONT) }

func (s *sandbox) signalChildren(pid int, signal syscall.Signal) {
	s.t.Helper()
	pids := children(pid)
	if len(pids) == 0 {
		s.t.Fatal("pi has no child")
	}
	for _, child := range pids {
		if err := syscall.Kill(child, signal); err != nil {
			s.t.Fatal(err)
		}
	}
}

// noneLeft waits until no process of this sandbox's memory program runs.
func (s *sandbox) noneLeft() {
	s.t.Helper()
	limit := time.Now().Add(patience)
	for {
		left := s.memoryProcesses()
		if len(left) == 0 {
			return
		}
		if time.Now().After(limit) {
			s.t.Fatalf("processes %v are left behind", left)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// memoryProcesses are the running memory programs that belong to this sandbox.
func (s *sandbox) memoryProcesses() []int {
	return s.processes(func(program string) bool { return program == s.env["PIMENTO_BIN"] })
}

// processes are those of this sandbox's home whose program is wanted.
func (s *sandbox) processes(wanted func(program string) bool) []int {
	var found []int
	exes, _ := filepath.Glob("/proc/[0-9]*/exe")
	for _, exe := range exes {
		if path, err := os.Readlink(exe); err != nil || !wanted(path) {
			continue
		}
		env, _ := os.ReadFile(filepath.Join(filepath.Dir(exe), "environ"))
		var pid int
		if _, err := fmt.Sscanf(exe, "/proc/%d/", &pid); err == nil && strings.Contains("\x00"+string(env), "\x00HOME="+s.home+"\x00") {
			found = append(found, pid)
		}
	}
	return found
}

// remove takes the sandbox away, and first whatever goes on in it: what was started
// beside a session may outlive it, and would write where things are being removed.
func (s *sandbox) remove() {
	limit := time.Now().Add(patience)
	for {
		left := s.processes(func(string) bool { return true })
		for _, pid := range left {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
		err := os.RemoveAll(s.dir)
		if len(left) == 0 && err == nil {
			return
		}
		if time.Now().After(limit) {
			s.t.Errorf("the sandbox stays: processes %v, %v", left, err)
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// TestNothingOutlivesItsSandbox: not even what left its group and goes on writing.
func TestNothingOutlivesItsSandbox(t *testing.T) {
	t.Parallel()
	var s *sandbox
	t.Run("sandbox", func(t *testing.T) {
		s = machine(t, nil)
		s.ok("sh", "-c", `setsid sh -c 'while :; do mkdir -p "$HOME/a"; for i in 1 2 3 4 5 6 7 8 9; do echo > "$HOME/a/$$.$i"; done; done' >/dev/null 2>&1 &`)
	})
	if left := s.processes(func(string) bool { return true }); len(left) > 0 || exists(s.dir) {
		t.Errorf("processes %v, folder there: %v", left, exists(s.dir))
	}
}
