//go:build unix

package vault

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/pimento-memory/pimento"
)

// TestMain lets the test binary play another process of ours.
func TestMain(m *testing.M) {
	if role := os.Getenv("VAULT_TEST_ROLE"); role != "" {
		if err := play(role, os.Getenv("VAULT_TEST_TOP"), os.Getenv("VAULT_TEST_NAME")); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func play(role, top, name string) error {
	ctx := context.Background()
	r, err := (Dirs{State: filepath.Join(top, "state")}).OpenRoot(pimento.Project, filepath.Join(top, "repo/.pi/memory"), nil)
	if err != nil {
		return err
	}
	switch role {
	case "first":
		return firstWrite(ctx, r, top, name)
	case "append":
		for i := range 25 {
			if err := grow(ctx, r, "log.md", fmt.Sprintf("%s %d\n", name, i), i%2 == 0); err != nil {
				return err
			}
		}
		return nil
	case "loop": // until killed: every acknowledged write is said
		for i := 0; ; i++ {
			line := fmt.Sprintf("%s %d %s.\n", name, i, strings.Repeat("x", 200))
			if err := grow(ctx, r, "log.md", line, i%3 == 0); err != nil {
				return err
			}
			fmt.Println(line[:len(line)-1])
		}
	case "create":
		_, err := r.Apply(ctx, creation("sub/new.md", "x"))
		return reportKind(err)
	case "replace":
		_, err := r.Apply(ctx, change("a.md", "old", strings.Repeat("new", 1<<20)))
		return reportKind(err)
	case "addition":
		_, err := r.Apply(ctx, addition("a.md", "old", strings.Repeat("new", 1<<20)))
		return reportKind(err)
	case "lock":
		_, err := r.Lock(ctx)
		return reportKind(err)
	}
	return errors.New("unknown role")
}

func reportKind(err error) error {
	if err == nil {
		return errors.New("it worked")
	}
	fmt.Println(pimento.KindOf(err), pimento.HintOf(err) != "", err)
	return nil
}

// firstWrite is what the first remember in a project does.
func firstWrite(ctx context.Context, r *Root, top, name string) error {
	p, ok, err := FindProject(ctx, filepath.Join(top, "repo"), filepath.Join(top, "home"))
	if err != nil || !ok {
		return fmt.Errorf("%v %w", ok, err)
	}
	c := OpenConsents(filepath.Join(top, "state"))
	if s := c.Check(p); s.Status != Granted {
		if err := c.GrantIfCreating(ctx, p, now(), func() error { return r.Create(ctx) }); err != nil {
			return err
		}
	}
	if s := c.Check(p); s.Status != Granted {
		return fmt.Errorf("%+v", s)
	}
	return grow(ctx, r, "MEMORY.md", name+"\n", false)
}

// grow adds a line to a page under the lock, by an append or a replacement.
func grow(ctx context.Context, r *Root, page, line string, whole bool) error {
	unlock, err := r.Lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	b, _, err := r.Read(ctx, page)
	c := addition(page, string(b), line)
	switch {
	case pimento.KindOf(err) == pimento.KindNotFound && err != nil:
		c = creation(page, line)
	case err != nil:
		return err
	case whole:
		c.Append = false
	}
	_, err = r.Apply(ctx, c)
	return err
}

func process(t *testing.T, role, top, name string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe)
	cmd.Env = append(os.Environ(), "VAULT_TEST_ROLE="+role, "VAULT_TEST_TOP="+top, "VAULT_TEST_NAME="+name)
	cmd.Stderr = os.Stderr
	return cmd
}

func together(t *testing.T, n int, role, top string) {
	t.Helper()
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() {
			if err := process(t, role, top, "w"+strconv.Itoa(i)).Run(); err != nil {
				t.Errorf("process %d: %v", i, err)
			}
		})
	}
	all.Wait()
}

func TestEightFirstWriters(t *testing.T) {
	for range 3 {
		top := realTemp(t)
		write(t, filepath.Join(top, "repo/x"), "x")
		together(t, 8, "first", top)
		if got := strings.Fields(read(t, filepath.Join(top, "repo/.pi/memory/MEMORY.md"))); len(got) != 8 {
			t.Errorf("%v", got)
		}
	}
}

func TestEightTimes25Appends(t *testing.T) {
	top := realTemp(t)
	together(t, 8, "append", top)
	lines := strings.Split(strings.TrimSpace(read(t, filepath.Join(top, "repo/.pi/memory/log.md"))), "\n")
	if slices.Sort(lines); len(lines) != 200 || len(slices.Compact(lines)) != 200 {
		t.Errorf("%d lines", len(lines))
	}
	if left := leftovers(t, top); len(left) > 0 {
		t.Errorf("left behind %v", left)
	}
}

// 40 writers are killed one after the other; whatever was acknowledged is on
// the page, and no line is torn but the last one written.
func TestKilledWriters(t *testing.T) {
	top := realTemp(t)
	var acked []string
	for i := range 40 {
		cmd := process(t, "loop", top, "w"+strconv.Itoa(i))
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		in := bufio.NewReader(out)
		for range i % 7 { // killed at another moment each time
			line, err := in.ReadString('\n')
			if err != nil {
				t.Fatal(err)
			}
			acked = append(acked, line)
		}
		if err := cmd.Process.Signal(syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		rest, _ := io.ReadAll(in)
		for line := range strings.Lines(string(rest)) {
			if strings.HasSuffix(line, ".\n") {
				acked = append(acked, line)
			}
		}
		_ = cmd.Wait()
		checkLog(t, filepath.Join(top, "repo/.pi/memory/log.md"), acked)
	}
	t.Logf("%d writes acknowledged, %d leftovers", len(acked), len(leftovers(t, top)))
}

func checkLog(t *testing.T, path string, acked []string) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil && len(acked) > 0 {
		t.Fatal(err)
	}
	have := map[string]bool{}
	for line := range strings.Lines(string(b)) {
		have[line] = true
		if f := strings.Fields(line); len(f) != 3 || len(f[2]) != 201 || !strings.HasSuffix(line, ".\n") {
			t.Fatalf("torn: %q", line)
		}
	}
	for _, line := range acked {
		if !have[line] {
			t.Fatalf("lost: %q", line)
		}
	}
}

// A foreign editor saves by write and rename, and in place, without our lock,
// as fast as it can. Each of its texts is on the page, was seen by us, was
// overwritten by itself, or is in recovery.
func TestForeignEditorRaces(t *testing.T) {
	r, top := project(t, nil)
	ctx := t.Context()
	path := filepath.Join(top, "repo/.pi/memory/a.md")
	if _, err := r.Apply(ctx, creation("a.md", "e0\n")); err != nil {
		t.Fatal(err)
	}
	const rounds = 400
	done := make(chan struct{})
	go func() { // the editor adds its line to whatever it finds
		defer close(done)
		for i := 1; i <= rounds; i++ {
			b, err := os.ReadFile(path)
			if err != nil {
				t.Error(err)
				return
			}
			next := append(b, fmt.Sprintf("e%d\n", i)...)
			if os.WriteFile(path+"~", next, 0o644) != nil || os.Rename(path+"~", path) != nil {
				t.Error("the editor failed")
				return
			}
		}
	}()
	conflicts, applied := 0, 0
	for running := true; running; {
		select {
		case <-done:
			running = false
		default:
		}
		b, _, err := r.Read(ctx, "a.md")
		if err != nil {
			t.Fatal(err)
		}
		_, err = r.Apply(ctx, change("a.md", string(b), fmt.Sprintf("o%d\n%s", applied, b)))
		switch {
		case err == nil:
			applied++
		case pimento.KindOf(err) == pimento.KindConflict:
			conflicts++
		default:
			t.Fatal(err)
		}
	}
	text := read(t, path)
	ids, _ := r.recovery().List(ctx)
	for _, id := range ids {
		var d Displaced
		if err := r.recovery().Get(ctx, id, &d); err != nil {
			t.Fatal(err)
		}
		text += string(d.Bytes)
	}
	for i := range rounds + 1 {
		if !strings.Contains(text, fmt.Sprintf("e%d\n", i)) {
			t.Fatalf("the editor's line %d of %d is lost (%d applied, %d conflicts)", i, rounds, applied, conflicts)
		}
	}
	if left := leftovers(t, top); len(left) > 0 {
		t.Errorf("left behind %v", left)
	}
	t.Logf("%d applied, %d conflicts, %d in recovery", applied, conflicts, len(ids))
}

// TestFullAndReadOnlyDisk runs a child in a mount namespace of its own, where
// the repository is a small or a read-only tmpfs.
func TestFullAndReadOnlyDisk(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("mounting needs root")
	}
	if exec.Command("unshare", "-m", "true").Run() != nil {
		t.Skip("no mount namespace to be had here")
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, disk := range []string{"full", "read-only"} {
		for _, role := range []string{"create", "replace", "addition"} {
			top := realTemp(t)
			script := `set -e; mkdir -p "$T/repo"; mount -t tmpfs -o size=64k tmpfs "$T/repo"
				mkdir -p "$T/repo/.pi/memory"; printf old > "$T/repo/.pi/memory/a.md"; `
			if disk == "full" && role == "create" {
				script += `dd if=/dev/zero of="$T/repo/fill" bs=1k count=64 2>/dev/null || true; `
			}
			if disk == "read-only" {
				script += `mount -o remount,ro "$T/repo"; `
			}
			script += `"$EXE"; cat "$T/repo/.pi/memory/a.md"; find "$T/repo" -name '.pimento*'`
			cmd := exec.Command("unshare", "-m", "sh", "-c", script)
			cmd.Env = append(os.Environ(), "T="+top, "EXE="+exe, "VAULT_TEST_ROLE="+role, "VAULT_TEST_TOP="+top)
			out, err := cmd.CombinedOutput()
			got := string(out)
			if err != nil || !strings.HasPrefix(got, "unavailable true ") || !strings.HasSuffix(got, "\nold") {
				t.Errorf("%s, %s: %v\n%.300s", disk, role, err, got)
			}
		}
	}
}

// TestNoRight runs a child as another user.
func TestNoRight(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("becoming another user needs root")
	}
	top, err := os.MkdirTemp("/tmp", "vault")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(top) })
	write(t, filepath.Join(top, "repo/.pi/memory/a.md"), "old")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	exe := filepath.Join(top, "test")
	if b, err := os.ReadFile(self); err != nil || os.WriteFile(exe, b, 0o755) != nil || os.Chmod(top, 0o755) != nil {
		t.Fatal(err)
	}
	for _, role := range []string{"create", "replace", "addition", "lock"} {
		cmd := process(t, role, top, "")
		cmd.Path, cmd.Dir = exe, top
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		out, err := cmd.Output()
		if errors.Is(err, syscall.EPERM) {
			t.Skip(err)
		}
		if err != nil || !strings.HasPrefix(string(out), "unavailable true ") {
			t.Errorf("%s: %v %s", role, err, out)
		}
	}
	if got := read(t, filepath.Join(top, "repo/.pi/memory/a.md")); got != "old" {
		t.Errorf("%q", got)
	}
}

func TestLockWaitsForItsContext(t *testing.T) {
	r, _ := project(t, nil)
	unlock, err := r.Lock(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	failed := make(chan error)
	go func() { _, err := r.Lock(ctx); failed <- err }()
	cancel()
	wantKind(t, <-failed, pimento.KindUnavailable)
	unlock()
	if unlock, err = r.Lock(t.Context()); err != nil {
		t.Fatal(err)
	}
	unlock()
}
