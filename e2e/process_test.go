package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
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
func (s *sandbox) killChildren(pid int) {
	s.t.Helper()
	pids := children(pid)
	if len(pids) == 0 {
		s.t.Fatal("pi has no child to kill")
	}
	for _, child := range pids {
		if err := syscall.Kill(child, syscall.SIGKILL); err != nil {
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
	var found []int
	exes, _ := filepath.Glob("/proc/[0-9]*/exe")
	for _, exe := range exes {
		if path, err := os.Readlink(exe); err != nil || path != s.env["PIMENTO_BIN"] {
			continue
		}
		env, _ := os.ReadFile(filepath.Join(filepath.Dir(exe), "environ"))
		var pid int
		if _, err := fmt.Sscanf(exe, "/proc/%d/", &pid); err == nil && strings.Contains(string(env), "HOME="+s.home+"\x00") {
			found = append(found, pid)
		}
	}
	return found
}
