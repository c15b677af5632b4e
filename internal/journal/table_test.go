package journal

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pimento-memory/pimento"
)

// many fills a journal with n events on n/3 statements.
func many(t testing.TB, j *Journal, n int) {
	t.Helper()
	types := []pimento.EventType{pimento.Remembered, pimento.Injected, pimento.Used}
	var evs []pimento.Event
	for i := range n {
		e := ev(t, types[i%3], i)
		e.Statement, e.Page, e.Scope, e.Session = st(i/3), "MEMORY.md", pimento.Project, "5f2b1c1e-8f4e-4d35-a7a3-0e8f9f4f2f11"
		evs = append(evs, e)
	}
	must(t, j.Append(context.Background(), evs))
}

func TestWriterMakesTheTable(t *testing.T) {
	j, dir := fresh(t)
	many(t, j, 3000)
	table1, err := os.Stat(filepath.Join(dir, "snapshot"))
	must(t, err)
	want := allRecords(t, j)
	if len(want) != 1000 {
		t.Fatal(len(want))
	}
	must(t, j.Note(context.Background(), []pimento.Event{ev(t, pimento.Confirmed, 1)}))
	if again, err := os.Stat(filepath.Join(dir, "snapshot")); err != nil || !os.SameFile(table1, again) {
		t.Fatal("made again without need", err)
	}
	r := want[st(1)]
	r.Confirmed = ev(t, pimento.Confirmed, 1).Time
	r.Last = later(r.Last, r.Confirmed)
	want[st(1)] = r
	if diff := cmp.Diff(want, allRecords(t, open(t, dir))); diff != "" {
		t.Fatal(diff)
	}
	must(t, os.Remove(filepath.Join(dir, "snapshot")))
	if diff := cmp.Diff(want, allRecords(t, open(t, dir))); diff != "" {
		t.Fatal(diff)
	}
	// A follower that holds an old view goes on from it.
	old := open(t, dir)
	allRecords(t, old)
	var evs []pimento.Event
	for n := range 6000 {
		evs = append(evs, ev(t, pimento.Used, 10000+n))
	}
	must(t, j.Append(context.Background(), evs))
	if diff := cmp.Diff(allRecords(t, j), allRecords(t, old)); diff != "" {
		t.Fatal(diff)
	}
	if old.view.base == nil && len(old.view.ops) > maxOps {
		allRecords(t, old)
	}
	if old.view.base == nil {
		t.Fatal("the follower never took the table up")
	}
}

func TestDamagedTable(t *testing.T) {
	j, dir := fresh(t)
	many(t, j, 900)
	snapshot(t, j)
	name := filepath.Join(dir, "snapshot")
	whole, err := os.ReadFile(name)
	must(t, err)
	want := allRecords(t, j)
	for i := 0; i < len(whole); i += 199 {
		bad := append([]byte(nil), whole...)
		bad[i] ^= 0x10
		must(t, os.WriteFile(name, bad, 0o600))
		cold := open(t, dir)
		if diff := cmp.Diff(want, allRecords(t, cold)); diff != "" {
			t.Fatalf("byte %d of %d changed:\n%s", i, len(whole), diff)
		}
		cold.Close()
	}
	for _, size := range []int{0, 1, 31, 32, 33, 4000, len(whole) / 2, len(whole) - 1} {
		must(t, os.WriteFile(name, whole[:size], 0o600))
		if diff := cmp.Diff(want, allRecords(t, open(t, dir))); diff != "" {
			t.Fatalf("cut at %d:\n%s", size, diff)
		}
	}
	// Cut while a reader has it open.
	must(t, os.WriteFile(name, whole, 0o600))
	reader := open(t, dir)
	_, err = reader.Records(context.Background(), []pimento.Statement{st(1)})
	must(t, err)
	must(t, os.Truncate(name, 40))
	if diff := cmp.Diff(want, allRecords(t, reader)); diff != "" {
		t.Fatal(diff)
	}
	if _, err := os.Stat(name); err == nil {
		t.Fatal("the damaged table is still there")
	}
}

func TestTableOfAnotherJournal(t *testing.T) {
	ctx := context.Background()
	j, dir := fresh(t)
	many(t, j, 30)
	snapshot(t, j)
	before := events(t, dir)
	// The same generation, and other bytes before the offset (a restored backup).
	other := append([]byte(nil), before...)
	copy(other[len(other)-40:], `agent","cue":"explicit`)
	must(t, os.WriteFile(filepath.Join(dir, "events.jsonl"), before[:len(before)-200], 0o600))
	cold := open(t, dir)
	must(t, cold.Append(ctx, []pimento.Event{ev(t, pimento.Remembered, 500)}))
	many(t, cold, 3)
	got := allRecords(t, cold)
	must(t, os.Remove(filepath.Join(dir, "snapshot")))
	if diff := cmp.Diff(allRecords(t, open(t, dir)), got); diff != "" {
		t.Fatal(diff)
	}
	if diff := cmp.Diff(got, allRecords(t, j)); diff != "" { // its view was of the longer file
		t.Fatal(diff)
	}
}

// TestAFoldThatIsCutShortIsFinished: without a table a reader that has little time
// gets no records, and neither does the next one, until somebody ends the fold.
func TestAFoldThatIsCutShortIsFinished(t *testing.T) {
	j, dir := fresh(t)
	many(t, j, 9000)
	table := filepath.Join(dir, "snapshot")
	must(t, os.Remove(table))
	hurried, cancel := context.WithCancel(context.Background())
	cancel()
	hook := open(t, dir)
	hook.Finish(context.Background())
	if _, err := os.Stat(table); err == nil {
		t.Error("a table although nobody asked for records")
	}
	if _, err := hook.Records(hurried, []pimento.Statement{st(1)}); err == nil {
		t.Fatal("all of the journal in no time")
	}
	hook.Finish(context.Background())
	if got, err := open(t, dir).Records(hurried, []pimento.Statement{st(1)}); err != nil || len(got) != 1 {
		t.Errorf("%v %v", got, err)
	}
}

// TestATableThatAKilledProcessLeftUnfinished is written over by the next one.
func TestATableThatAKilledProcessLeftUnfinished(t *testing.T) {
	j, dir := fresh(t)
	many(t, j, 1)
	must(t, os.WriteFile(filepath.Join(dir, "snapshot.tmp"), make([]byte, 1<<20), 0o600))
	many(t, j, 3000)
	if left, _ := filepath.Glob(filepath.Join(dir, "*.tmp")); left != nil {
		t.Error(left)
	}
	if len(allRecords(t, open(t, dir))) != 1000 {
		t.Error("not all records")
	}
}
