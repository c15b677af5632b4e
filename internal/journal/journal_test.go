package journal

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/regular"
)

func TestEmptyJournal(t *testing.T) {
	ctx := context.Background()
	j, dir := fresh(t)
	m, err := j.Mark(ctx)
	if err != nil || !reflect.DeepEqual(m, Mark{}) {
		t.Fatalf("%v %v", m, err)
	}
	if got, _ := ids(t, j, Mark{}); got != nil {
		t.Fatal(got)
	}
	recs, err := j.Records(ctx, []pimento.Statement{st(1)})
	if err != nil || len(recs) != 0 {
		t.Fatal(recs, err)
	}
	if plans, err := j.Pending(ctx); err != nil || plans != nil {
		t.Fatal(plans, err)
	}
	must(t, j.Rewrite(ctx, func(*pimento.Event) bool { return true }))
	must(t, j.Append(ctx, nil))
	if _, err := os.Stat(dir); err == nil {
		t.Fatal("reading made the directory")
	}
	if _, err := Open(""); pimento.KindOf(err) != pimento.KindUsage {
		t.Fatal(err)
	}
}

func TestAppendIsPrivateAndReadBack(t *testing.T) {
	ctx := context.Background()
	j, dir := fresh(t)
	e := ev(t, pimento.Remembered, 1)
	e.Text, e.Data = "tabs, \"quotes\" <&> \u2028 and\nlines", []byte(`{"a": [1, {"b":"}"}]}`)
	must(t, j.Append(ctx, []pimento.Event{e, {Type: pimento.Injected, Statement: st(1), Time: start(t)}}))
	for name, want := range map[string]os.FileMode{"": 0o700, "events.jsonl": 0o600, "lock": 0o600} {
		info, err := os.Stat(filepath.Join(dir, name))
		must(t, err)
		if info.Mode().Perm() != want {
			t.Errorf("%q has mode %v", name, info.Mode())
		}
	}
	var got []pimento.Event
	must(t, open(t, dir).Each(ctx, nil, func(e pimento.Event) { got = append(got, e) }))
	if len(got) != 2 || got[0].Text != e.Text || got[1].ID == "" || got[1].V != pimento.EventVersion {
		t.Fatalf("%+v", got)
	}
	if got[0].Data = nil; !cmp.Equal(got[0], ev2(e)) {
		t.Fatal(cmp.Diff(got[0], ev2(e)))
	}
	bad := e
	bad.ID, bad.Data = "x", []byte("{")
	if err := j.Append(ctx, []pimento.Event{bad}); pimento.KindOf(err) != pimento.KindUsage {
		t.Fatal(err)
	}
}

func ev2(e pimento.Event) pimento.Event { e.Data = nil; return e }

func TestMarksAdvance(t *testing.T) {
	ctx := context.Background()
	j, dir := fresh(t)
	before, err := j.Mark(ctx)
	must(t, err)
	must(t, j.Append(ctx, []pimento.Event{ev(t, pimento.Appeared, 1), ev(t, pimento.Appeared, 2)}))
	if got, _ := ids(t, j, before); len(got) != 2 {
		t.Fatal(got)
	}
	m, err := j.Mark(ctx)
	must(t, err)
	if got, after := ids(t, j, m); got != nil || !reflect.DeepEqual(after, m) {
		t.Fatal(got, after, m)
	}
	must(t, j.Append(ctx, []pimento.Event{ev(t, pimento.Appeared, 3), ev(t, pimento.Appeared, 4)}))

	// A mark inside a line shows that line; one beyond the end, nothing old.
	if got, _ := ids(t, j, Mark{Gen: m.Gen, Off: m.Off + 5}); len(got) != 2 {
		t.Fatal(got)
	}
	far := Mark{Gen: m.Gen, Off: 1 << 40}
	got, after := ids(t, j, far)
	if got != nil || after.Off != int64(len(events(t, dir))) {
		t.Fatal(got, after)
	}

	// A journal begun anew is younger than any mark.
	must(t, os.RemoveAll(dir))
	if got, after := ids(t, j, m); got != nil || !reflect.DeepEqual(after, Mark{}) {
		t.Fatal(got, after)
	}
	must(t, j.Append(ctx, []pimento.Event{ev(t, pimento.Appeared, 5)}))
	if got, _ := ids(t, j, m); len(got) != 1 {
		t.Fatal(got)
	}
}

func TestSameIDIsWrittenOnce(t *testing.T) {
	ctx := context.Background()
	j, dir := fresh(t)
	must(t, j.Append(ctx, []pimento.Event{planEvent(t, 7)})) // holds the next one's ID inside its Data
	batch := []pimento.Event{ev(t, pimento.Remembered, 7), ev(t, pimento.Remembered, 8), ev(t, pimento.Remembered, 7)}
	for range 3 {
		must(t, open(t, dir).Append(ctx, batch))
	}
	got, _ := ids(t, j, Mark{})
	if !slices.Equal(got, []string{"staged-000007", "remembered-000007", "remembered-000008"}) {
		t.Fatal(got)
	}
	// A sync of any size written twice in a row is one.
	var sync []pimento.Event
	for i := range 2000 {
		sync = append(sync, ev(t, pimento.Appeared, i))
	}
	must(t, j.Append(ctx, sync))
	must(t, j.Note(ctx, sync))
	if got, _ := ids(t, j, Mark{}); len(got) != 2003 {
		t.Fatal(len(got))
	}
}

func TestTornLastLine(t *testing.T) {
	ctx := context.Background()
	j, dir := fresh(t)
	must(t, j.Append(ctx, []pimento.Event{ev(t, pimento.Remembered, 1)}))
	keep := len(events(t, dir))
	must(t, j.Append(ctx, []pimento.Event{ev(t, pimento.Remembered, 2)}))
	whole := events(t, dir)
	for cut := 0; cut <= len(whole); cut++ {
		name := filepath.Join(dir, "events.jsonl")
		must(t, os.WriteFile(name, whole[:cut], 0o600))
		j := open(t, dir)
		visible := bytes.Count(whole[:cut], []byte("\n")) - 1 // less the generation
		got, _ := ids(t, j, Mark{})
		if len(got) != max(0, visible) {
			t.Fatalf("cut at %d of %d: %v", cut, len(whole), got)
		}
		recs, err := j.Records(ctx, []pimento.Statement{st(1), st(2)})
		if err != nil || len(recs) != len(got) || j.Damaged() != 0 {
			t.Fatalf("cut at %d: %v %v, %d damaged", cut, recs, err, j.Damaged())
		}
		m, err := j.Mark(ctx)
		must(t, err)
		must(t, j.Append(ctx, []pimento.Event{ev(t, pimento.Remembered, 3)}))
		healed := events(t, dir)
		if strings.Count(string(healed), "\n") != bytes.Count(healed, []byte("}\n")) || healed[len(healed)-1] != '\n' {
			t.Fatalf("cut at %d: not healed:\n%s", cut, healed)
		}
		if cut >= keep && !bytes.HasPrefix(healed, whole[:keep]) {
			t.Fatalf("cut at %d: an acknowledged line changed", cut)
		}
		after, _ := ids(t, j, m)
		want := []string{"remembered-000003"}
		switch cut { // where only the newline was missing the event is kept
		case keep - 1:
			want = []string{"remembered-000001", "remembered-000003"}
		case len(whole) - 1:
			want = []string{"remembered-000002", "remembered-000003"}
		}
		if !slices.Equal(after, want) {
			t.Fatalf("cut at %d: after healing %v, want %v", cut, after, want)
		}
	}
}

func TestGarbageInTheMiddle(t *testing.T) {
	ctx := context.Background()
	j, dir := fresh(t)
	must(t, j.Append(ctx, []pimento.Event{ev(t, pimento.Remembered, 1)}))
	f, err := os.OpenFile(filepath.Join(dir, "events.jsonl"), os.O_APPEND|os.O_WRONLY, 0)
	must(t, err)
	f.WriteString("not json\n\x00\x00\x00\n{\"v\":1,\"type\":\"remembered\"\n\n   \n[1]\n" +
		`{"v":2,"id":"later","t":"2026-03-01T09:00:00Z","type":"remembered","statement":"` + string(st(1)) + `"}` + "\n" +
		`{"v":1,"id":"odd","t":"2026-03-01T09:00:00Z","type":"levitated","statement":"` + string(st(1)) + `"}` + "\n")
	f.Close()
	must(t, j.Append(ctx, []pimento.Event{ev(t, pimento.Reinforced, 1)}))
	recs, err := j.Records(ctx, []pimento.Statement{st(1)})
	must(t, err)
	if recs[st(1)].Evidence != 2 || j.Damaged() != 4 {
		t.Fatalf("%+v, %d damaged", recs, j.Damaged())
	}
	got, _ := ids(t, j, Mark{})
	if !slices.Equal(got, []string{"remembered-000001", "odd", "reinforced-000001"}) {
		t.Fatal(got)
	}
	if !bytes.Contains(events(t, dir), []byte(`"later"`)) {
		t.Fatal("an event of a later version was not kept")
	}
}

func TestPending(t *testing.T) {
	ctx := context.Background()
	j, dir := fresh(t)
	var evs []pimento.Event
	for n := range 6 {
		evs = append(evs, planEvent(t, n))
	}
	evs[5].Txn = "" // the plan's own id stands in
	done := ev(t, pimento.Committed, 1)
	done.Txn = "plan-1"
	no := ev(t, pimento.Rejected, 3)
	no.Txn = "plan-3"
	broken := ev(t, pimento.Staged, 99)
	broken.Txn, broken.Data = "plan-99", []byte(`"not a plan"`)
	must(t, j.Append(ctx, append(evs, done, no, broken)))
	want := []string{"plan-0", "plan-2", "plan-4", "plan-5"}
	check := func(j *Journal) {
		t.Helper()
		plans, err := j.Pending(ctx)
		must(t, err)
		var got []string
		for _, p := range plans {
			got = append(got, p.ID)
			if len(p.Events) != 1 {
				t.Fatalf("%+v", p)
			}
		}
		if !slices.Equal(got, want) {
			t.Fatal(got)
		}
	}
	check(j)
	snapshot(t, j)
	check(open(t, dir))
	done.ID, done.Txn = "later", "plan-0"
	must(t, j.Append(ctx, []pimento.Event{done}))
	want = want[1:]
	check(open(t, dir))
	check(j)
}

func TestConcurrentGoroutines(t *testing.T) {
	ctx := context.Background()
	j, dir := fresh(t)
	done := make(chan error)
	for g := range 4 {
		go func() {
			var err error
			for i := range 10 {
				n := g*100 + i
				if g%2 == 0 {
					err = j.Append(ctx, []pimento.Event{ev(t, pimento.Remembered, n)})
				} else {
					err = j.Note(ctx, []pimento.Event{ev(t, pimento.Remembered, n)})
				}
				if err == nil {
					_, err = j.Records(ctx, []pimento.Statement{st(n)})
				}
				if err != nil {
					break
				}
			}
			done <- err
		}()
	}
	for range 4 {
		must(t, <-done)
	}
	if got, _ := ids(t, open(t, dir), Mark{}); len(got) != 40 {
		t.Fatal(len(got))
	}
}

func TestLockWaitEndsWithContext(t *testing.T) {
	j, _ := fresh(t)
	must(t, j.makeDir())
	unlock, err := j.lock(context.Background())
	must(t, err)
	defer unlock()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	err = j.Append(ctx, []pimento.Event{ev(t, pimento.Remembered, 1)})
	if pimento.KindOf(err) != pimento.KindUnavailable {
		t.Fatal(err)
	}
}

// A directory's name is no pattern.
func TestAbandonedTempsAreSweptUnderAnyName(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "[a]*", "journal")
	j := open(t, dir)
	if err := j.Append(t.Context(), []pimento.Event{ev(t, pimento.Remembered, 1)}); err != nil {
		t.Fatal(err)
	}
	old := filepath.Join(dir, "spool", "x"+regular.TempExt)
	if err := os.MkdirAll(filepath.Dir(old), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(old, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(old, time.Unix(0, 0), time.Unix(0, 0)); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(filepath.Join(dir, "events.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	j.sweepTemps(f)
	if _, err := os.Stat(old); !os.IsNotExist(err) {
		t.Error("it is still there:", err)
	}
}
