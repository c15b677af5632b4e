package journal

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"

	"github.com/pimento-memory/pimento"
)

// asNobody runs f in a thread that may not write what root owns.
func asNobody(t *testing.T, f func()) {
	t.Helper()
	if os.Getuid() != 0 {
		f()
		return
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	must(t, syscall.Setfsuid(65534))
	defer syscall.Setfsuid(0)
	f()
}

func readOnly(t *testing.T, dir string) {
	t.Helper()
	must(t, filepath.Walk(dir, func(name string, info os.FileInfo, err error) error {
		if err != nil {
			return err
		}
		if info.IsDir() {
			t.Cleanup(func() { os.Chmod(name, 0o700) })
			return os.Chmod(name, 0o555)
		}
		return os.Chmod(name, 0o444)
	}))
	for up := filepath.Dir(dir); up != filepath.Clean(os.TempDir()) && len(up) > 1; up = filepath.Dir(up) {
		os.Chmod(up, 0o755)
	}
}

func TestReadOnly(t *testing.T) {
	ctx := context.Background()
	j, dir := fresh(t)
	must(t, j.Append(ctx, []pimento.Event{ev(t, pimento.Remembered, 1), planEvent(t, 1)}))
	b, err := encode([]pimento.Event{ev(t, pimento.Used, 1)})
	must(t, err)
	must(t, j.spool(b)) // cannot be folded
	before := events(t, dir)
	readOnly(t, dir)
	asNobody(t, func() {
		j := open(t, dir)
		for name, err := range map[string]error{
			"append":  j.Append(ctx, []pimento.Event{ev(t, pimento.Used, 2)}),
			"note":    j.Note(ctx, []pimento.Event{ev(t, pimento.Used, 2)}),
			"rewrite": j.Rewrite(ctx, func(*pimento.Event) bool { return false }),
		} {
			if pimento.KindOf(err) != pimento.KindUnavailable || err == nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		got, _ := ids(t, j, Mark{})
		recs, err := j.Records(ctx, []pimento.Statement{st(1)})
		must(t, err)
		plans, err := j.Pending(ctx)
		must(t, err)
		if len(got) != 2 || recs[st(1)].Evidence != 1 || len(plans) != 1 {
			t.Error(got, recs, plans)
		}
	})
	if !bytes.Equal(before, events(t, dir)) {
		t.Error("the journal changed")
	}
}

func TestUnreadable(t *testing.T) {
	j, dir := fresh(t)
	must(t, j.Append(context.Background(), []pimento.Event{ev(t, pimento.Remembered, 1)}))
	readOnly(t, dir)
	must(t, os.Chmod(filepath.Join(dir, "events.jsonl"), 0))
	asNobody(t, func() {
		_, err := open(t, dir).Records(context.Background(), []pimento.Statement{st(1)})
		if pimento.KindOf(err) != pimento.KindUnavailable || err == nil {
			t.Error(err)
		}
	})
}

// childFull runs on a disk that takes no file over n bytes, where a write stops
// in the middle, as it does on a full disk.
func childFull(dir string, n int) error {
	signal.Ignore(syscall.SIGXFSZ)
	limit := syscall.Rlimit{Cur: uint64(n), Max: uint64(n)}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		return err
	}
	j, err := Open(dir)
	if err != nil {
		return err
	}
	ctx := context.Background()
	for i := range 100 {
		evs := []pimento.Event{numbered(pimento.Reinforced, 1, 2*i), numbered(pimento.Reinforced, 1, 2*i+1)}
		if err = j.Append(ctx, evs); err == nil {
			continue
		}
		if pimento.KindOf(err) != pimento.KindUnavailable {
			return err
		}
		recs, err := j.Records(ctx, []pimento.Statement{st(1)})
		if err != nil || recs[st(1)].Evidence != 2*i || j.Damaged() != 0 {
			return fmt.Errorf("after %d appends: %+v, %d damaged, %w", i, recs, j.Damaged(), err)
		}
		b, err := os.ReadFile(filepath.Join(dir, "events.jsonl"))
		if err != nil || len(b) > 0 && b[len(b)-1] != '\n' {
			return fmt.Errorf("a piece was left behind: %w", err)
		}
		return nil
	}
	return errors.New("the disk never filled up")
}

func TestFullDisk(t *testing.T) {
	ctx := context.Background()
	for _, size := range []int{10, 100, 1000, 5000, 5300, 20001} {
		j, dir := fresh(t)
		must(t, child("full", dir, size).Run())
		must(t, j.Append(ctx, []pimento.Event{ev(t, pimento.Used, 1)})) // and room again
		recs, err := j.Records(ctx, []pimento.Statement{st(1)})
		must(t, err)
		if recs[st(1)].Used != 1 {
			t.Fatal(recs)
		}
	}
}
