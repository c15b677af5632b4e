package journal

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pimento-memory/pimento"
)

func children() map[string]func(dir string, n int) error {
	return map[string]func(string, int) error{
		"append": childAppend,
		"mixed":  childMixed,
		"full":   childFull,
	}
}

func numbered(typ pimento.EventType, who, n int) pimento.Event {
	return pimento.Event{ID: fmt.Sprintf("%d-%d", who, n), Type: typ, Statement: st(who), Text: strings.Repeat("x", 300)}
}

func childAppend(dir string, n int) error {
	j, err := Open(dir)
	for i := 0; i < 50 && err == nil; i++ {
		err = j.Append(context.Background(), []pimento.Event{numbered(pimento.Reinforced, n, i)})
	}
	return err
}

func TestFourProcesses(t *testing.T) {
	ctx := context.Background()
	j, dir := fresh(t)
	wait := make(chan error)
	for n := range 4 {
		cmd := child("append", dir, n)
		go func() { wait <- cmd.Run() }()
	}
	for range 4 {
		must(t, <-wait)
	}
	seen := map[string]int{}
	must(t, j.Each(ctx, nil, func(e pimento.Event) { seen[e.ID]++ }))
	for n := range 4 {
		for i := range 50 {
			if id := fmt.Sprintf("%d-%d", n, i); seen[id] != 1 {
				t.Fatalf("%s stands there %d times", id, seen[id])
			}
		}
	}
	for s, r := range allRecords(t, j) {
		if r.Evidence != 50 {
			t.Fatalf("%s: %+v", s, r)
		}
	}
}

// childMixed writes until it is killed and says what was acknowledged.
func childMixed(dir string, n int) error {
	j, err := Open(dir)
	ctx := context.Background()
	for i := 0; err == nil; i++ {
		if i%3 == 0 {
			// As if a note had found the lock taken.
			var b batch
			if b, err = encode([]pimento.Event{numbered(pimento.Injected, n, i)}); err == nil {
				err = j.spool(b)
			}
		} else {
			err = j.Append(ctx, []pimento.Event{numbered(pimento.Reinforced, n, i)})
		}
		fmt.Printf("%d-%d\n", n, i)
	}
	return err
}

// TestKilled kills a writer again and again: whatever was acknowledged is there
// once, and nothing is damaged.
func TestKilled(t *testing.T) {
	j, dir := fresh(t)
	acked := map[string]bool{}
	for round := range 40 {
		cmd := child("mixed", dir, round)
		out, err := cmd.StdoutPipe()
		must(t, err)
		must(t, cmd.Start())
		lines := bufio.NewScanner(out)
		for n := 0; n <= round%7 && lines.Scan(); n++ {
			acked[lines.Text()] = true
		}
		time.Sleep(time.Duration(round%5) * 300 * time.Microsecond)
		cmd.Process.Kill()
		for lines.Scan() {
			acked[lines.Text()] = true
		}
		cmd.Wait()
	}
	must(t, j.Append(context.Background(), []pimento.Event{ev(t, pimento.Used, 1)}))
	got, _ := ids(t, j, Mark{})
	seen := map[string]int{}
	for _, id := range got {
		if seen[id]++; seen[id] > 1 {
			t.Errorf("%s is there twice", id)
		}
	}
	for id := range acked {
		// A line that the kill cut short on its way to us is no acknowledgement.
		if _, n, ok := strings.Cut(id, "-"); ok && n != "" && seen[id] == 0 {
			t.Errorf("%s was acknowledged and is lost", id)
		}
	}
	allRecords(t, j)
	if j.Damaged() != 0 {
		t.Errorf("%d damaged", j.Damaged())
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "spool", "*"+spoolExt)); len(left) > 0 {
		t.Errorf("left in the spool: %v", left)
	}
}

func TestNoteUnderAHeldLock(t *testing.T) {
	ctx := context.Background()
	j, dir := fresh(t)
	must(t, j.Append(ctx, []pimento.Event{ev(t, pimento.Remembered, 1)}))
	m, err := j.Mark(ctx)
	must(t, err)
	unlock, err := j.lock(ctx)
	must(t, err)
	must(t, open(t, dir).Note(ctx, []pimento.Event{ev(t, pimento.Used, 1), ev(t, pimento.Used, 2)}))
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	must(t, j.Note(cancelled, []pimento.Event{ev(t, pimento.Used, 3)}))
	spool, _ := filepath.Glob(filepath.Join(dir, "spool", "*"))
	if len(spool) != 2 {
		t.Fatal(spool)
	}
	if got, _ := ids(t, j, m); got != nil {
		t.Fatal("shown before it was folded:", got)
	}
	copies := map[string][]byte{}
	for _, name := range spool {
		if copies[name], err = os.ReadFile(name); err != nil {
			t.Fatal(err)
		}
	}
	unlock()
	got, after := ids(t, j, m) // a reader folds, too
	if len(got) != 3 {
		t.Fatal(got)
	}
	// Killed between writing and removing: the files are still there.
	for name, b := range copies {
		must(t, os.WriteFile(name, b, 0o600))
	}
	must(t, j.Append(ctx, []pimento.Event{ev(t, pimento.Used, 4)}))
	if got, _ := ids(t, j, after); len(got) != 1 {
		t.Fatal(got)
	}
	recs, err := j.Records(ctx, []pimento.Statement{st(1), st(2), st(3), st(4)})
	must(t, err)
	for s, r := range recs {
		if r.Used != 1 {
			t.Fatalf("%s: %+v", s, r)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "spool", "*")); len(left) != 0 {
		t.Fatal(left)
	}
}

func TestSpoolOnTornAndBadFiles(t *testing.T) {
	ctx := context.Background()
	j, dir := fresh(t)
	b, err := encode([]pimento.Event{ev(t, pimento.Used, 1)})
	must(t, err)
	must(t, j.makeDir())
	must(t, j.spool(b)) // before there is a journal at all
	must(t, os.WriteFile(filepath.Join(dir, "spool", "zero.jsonl"), make([]byte, 100), 0o600))
	must(t, os.Mkdir(filepath.Join(dir, "spool", "dir.jsonl"), 0o700))
	old := filepath.Join(dir, "spool", "old.tmp")
	must(t, os.WriteFile(old, []byte("{"), 0o600))
	must(t, os.Chtimes(old, start(t), start(t).AddDate(-20, 0, 0)))
	if got, _ := ids(t, j, Mark{}); len(got) != 1 {
		t.Fatal(got)
	}
	left, _ := filepath.Glob(filepath.Join(dir, "spool", "*"))
	if len(left) != 1 { // the directory is none of ours
		t.Fatal(left)
	}
	must(t, j.Note(ctx, []pimento.Event{ev(t, pimento.Used, 2)}))
}
