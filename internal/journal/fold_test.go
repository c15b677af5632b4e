package journal

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/pimento-memory/pimento"
)

// foldAll is the fold as the documentation of Record has it, one event at a
// time over one map: what view and table must agree with.
func foldAll(evs []pimento.Event) map[pimento.Statement]Record {
	recs := map[pimento.Statement]Record{}
	rank := map[string]int{"recurrence": 1, "behavioral": 2, "structural": 3, "explicit": 4}
	seen := map[string]bool{}
	for _, e := range evs {
		if e.V > pimento.EventVersion || seen[e.ID] {
			continue
		}
		seen[e.ID] = true
		if e.Type == pimento.Aliased {
			if e.From == e.Statement {
				continue
			}
			aliased(recs, e, rank)
			if rank[e.Cue] == 0 {
				continue
			}
			r, ok := recs[e.Statement]
			switch {
			case ok && r.Bulk && r.Evidence == 1: // as if it had not been seen
				r.Bulk, r.Evidence, r.First, r.Last = false, 0, time.Time{}, r.Confirmed
				recs[e.Statement] = r
			case ok && r.Evidence > 0:
				r.Forgotten = false
				recs[e.Statement] = r
				continue
			}
			e.Type = pimento.Remembered // we wrote it
		}
		r := recs[e.Statement]
		switch e.Type {
		case pimento.Remembered, pimento.Reinforced, pimento.Appeared, pimento.Imported:
			if e.Type == pimento.Appeared && r.Evidence > 0 {
				break
			}
			if e.Type == pimento.Imported {
				if !r.Remembered && r.Evidence <= 1 {
					r.Evidence, r.First, r.Last, r.Cue = 0, time.Time{}, r.Confirmed, ""
				}
				r.Remembered, r.Bulk = true, false
			}
			r.Evidence++
			if r.First.IsZero() || e.Time.Before(r.First) {
				r.First = e.Time
			}
			r.Last = later(r.Last, e.Time)
			if rank[e.Cue] > rank[r.Cue] {
				r.Cue = e.Cue
			}
			if e.Type == pimento.Remembered {
				r.Remembered, r.Forgotten = true, false
			}
			if e.Type == pimento.Reinforced {
				r.Forgotten = false
			}
			if e.Type == pimento.Appeared && e.Reason == pimento.ReasonBulk {
				r.Bulk = true
			}
		case pimento.HandedOff: // only places it, see Record.Project
		case pimento.Injected:
			r.Injected++
		case pimento.Used:
			r.Used++
		case pimento.Confirmed:
			r.Confirmed, r.Last = later(r.Confirmed, e.Time), later(r.Last, e.Time)
			r.Forgotten = false
		case pimento.Forgotten, pimento.Purged:
			r.Forgotten = true
		case pimento.Restored:
			r.Forgotten = false
		default:
			continue
		}
		recs[e.Statement] = r
	}
	return recs
}

// aliased moves the record of an event's From to its statement.
func aliased(recs map[pimento.Statement]Record, e pimento.Event, rank map[string]int) {
	from, ok := recs[e.From]
	if !ok {
		return
	}
	delete(recs, e.From)
	from.Edited = later(from.Edited, e.Time)
	to, known := recs[e.Statement]
	if !known {
		recs[e.Statement] = from
		return
	}
	if to.Evidence == 0 || from.Evidence > 0 && from.First.Before(to.First) {
		to.Bulk = from.Bulk
	}
	if to.First.IsZero() || !from.First.IsZero() && from.First.Before(to.First) {
		to.First = from.First
	}
	to.Last, to.Confirmed = later(to.Last, from.Last), later(to.Confirmed, from.Confirmed)
	to.Edited = later(to.Edited, from.Edited)
	to.Evidence += from.Evidence
	to.Injected += from.Injected
	to.Used += from.Used
	if rank[from.Cue] > rank[to.Cue] {
		to.Cue = from.Cue
	}
	to.Remembered = to.Remembered || from.Remembered
	recs[e.Statement] = to
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

func drawEvent(t *rapid.T, n int) pimento.Event {
	types := []pimento.EventType{pimento.Remembered, pimento.Reinforced, pimento.Imported, pimento.Appeared, pimento.Injected, pimento.Used,
		pimento.Confirmed, pimento.Forgotten, pimento.Restored, pimento.Purged,
		pimento.Aliased, pimento.Aliased, pimento.Aliased, pimento.Vanished, pimento.Completed, pimento.HandedOff, "unheard-of"}
	e := pimento.Event{V: 1, ID: fmt.Sprintf("e%d", n), Type: rapid.SampledFrom(types).Draw(t, "type"),
		Time:      time.Unix(rapid.Int64Range(0, 2e9).Draw(t, "t"), int64(n)).UTC(),
		Statement: st(rapid.IntRange(0, 6).Draw(t, "st")),
		Cue:       rapid.SampledFrom([]string{"", "explicit", "structural", "behavioral", "recurrence", "vibes"}).Draw(t, "cue"),
		Text:      rapid.StringN(0, 8, -1).Draw(t, "text"),
	}
	switch e.Type {
	case pimento.Aliased:
		e.From = st(rapid.IntRange(0, 6).Draw(t, "from"))
	case pimento.Appeared:
		e.Reason = rapid.SampledFrom([]string{"", pimento.ReasonBulk}).Draw(t, "reason")
	}
	if rapid.IntRange(0, 20).Draw(t, "v") == 0 {
		e.V = 2
	}
	return e
}

// snapshot writes a table now, whatever the bounds say.
func snapshot(t interface{ Fatal(...any) }, j *Journal) {
	ctx := context.Background()
	err := j.withView(ctx, func(v *view, _ io.ReaderAt) error {
		if v == nil {
			return nil
		}
		return j.writeTable(ctx, v)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestRecordsEqualTheFold holds for any stream of events, with tables written
// at any time, read by the process that wrote, by one that follows, and cold.
func TestRecordsEqualTheFold(t *testing.T) {
	base := t.TempDir()
	run := 0
	rapid.Check(t, func(t *rapid.T) {
		ctx := context.Background()
		run++
		dir := filepath.Join(base, fmt.Sprint(run))
		j, _ := Open(dir)
		follower, _ := Open(dir)
		defer j.Close()
		defer follower.Close()
		var all []pimento.Event
		for range rapid.IntRange(1, 8).Draw(t, "batches") {
			var batch []pimento.Event
			for range rapid.IntRange(0, 12).Draw(t, "size") {
				batch = append(batch, drawEvent(t, len(all)+len(batch)))
			}
			if len(all) > 0 && rapid.Bool().Draw(t, "again") {
				batch = append(batch, all[rapid.IntRange(0, len(all)-1).Draw(t, "which")])
			}
			all = append(all, batch...)
			if err := j.Note(ctx, batch); err != nil {
				t.Fatal(err)
			}
			want := foldAll(all)
			if rapid.Bool().Draw(t, "read") {
				compare(t, follower, want)
			}
			if rapid.Bool().Draw(t, "snapshot") {
				snapshot(t, j)
				if rapid.Bool().Draw(t, "forget") {
					j.Close()
				}
			}
			cold, _ := Open(dir)
			compare(t, cold, want)
			cold.Close()
		}
		compare(t, j, foldAll(all))
	})
}

func compare(t *rapid.T, j *Journal, want map[pimento.Statement]Record) {
	ctx := context.Background()
	var sts []pimento.Statement
	for n := range 8 {
		sts = append(sts, st(n))
	}
	got, err := j.Records(ctx, sts)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("Records:\n%s", diff)
	}
	each, err := everyRecord(j)
	if diff := cmp.Diff(want, each); err != nil || diff != "" {
		t.Fatalf("every record: %v\n%s", err, diff)
	}
}

func TestBulk(t *testing.T) {
	j, _ := fresh(t)
	few, many := ev(t, pimento.Appeared, 1), ev(t, pimento.Appeared, 2)
	many.Reason = pimento.ReasonBulk
	must(t, j.Append(context.Background(), []pimento.Event{few, many, ev(t, pimento.Remembered, 3)}))
	for s, r := range allRecords(t, j) {
		if r.Bulk != (s == st(2)) || r.Evidence != 1 {
			t.Fatalf("%s: %+v", s, r)
		}
	}
}

func TestRenamedBackAndForth(t *testing.T) {
	ctx := context.Background()
	j, dir := fresh(t)
	must(t, j.Append(ctx, []pimento.Event{ev(t, pimento.Remembered, 0)}))
	var evs []pimento.Event
	for n := range 300 { // a chain that branched would take 2^300 steps
		e := ev(t, pimento.Aliased, n)
		e.From, e.Statement = st(n%2), st((n+1)%2)
		evs = append(evs, e, ev(t, pimento.Used, 1000+n))
		evs[len(evs)-1].Statement = e.Statement
	}
	must(t, j.Append(ctx, evs))
	got := allRecords(t, open(t, dir))
	if len(got) != 1 || got[st(0)].Used != 300 || !got[st(0)].Remembered {
		t.Fatalf("%+v", got)
	}
}

func TestOddStatementsAndTimes(t *testing.T) {
	ctx := context.Background()
	j, dir := fresh(t)
	long, none, zero := ev(t, pimento.Remembered, 1), ev(t, pimento.Remembered, 2), ev(t, pimento.Remembered, 3)
	long.Statement, none.Statement, zero.Statement = "0123456789abcdef0", "", "a\x00"
	ancient := ev(t, pimento.Remembered, 4)
	ancient.Time, ancient.Statement = time.Time{}, "s4"
	must(t, j.Append(ctx, []pimento.Event{long, none, zero, ancient}))
	snapshot(t, j)
	got := allRecords(t, open(t, dir))
	if len(got) != 1 || got["s4"].Evidence != 1 || !got["s4"].First.IsZero() {
		t.Fatalf("%+v", got)
	}
}

// FuzzScanLine: what encoding/json takes for an event, scanLine reads the same.
func FuzzScanLine(f *testing.F) {
	f.Add([]byte(`{"v":1,"id":"a","t":"2026-03-01T09:00:00Z","type":"used","data":{"x":["}",{}]},"text":"\\\"}"}`))
	f.Add([]byte(` { "id" : "\u00e9\n" , "v" : 2 } `))
	f.Add([]byte(`{}`))
	f.Add([]byte(`{"a":tru`))
	f.Fuzz(func(t *testing.T, b []byte) {
		got, ok := scanLine(b)
		var want pimento.Event
		var members map[string]json.RawMessage
		if json.Unmarshal(b, &want) != nil || json.Unmarshal(b, &members) != nil {
			return
		}
		for name, value := range members {
			if name != strings.ToLower(name) || string(value) == "null" || strings.ContainsAny(name, "\u017f\u212a") {
				return // encoding/json folds case and ignores null; we write neither
			}
		}
		if !ok && members != nil {
			t.Fatalf("%q refused", b)
		}
		if strings.Contains(string(b), `\`) && strings.Count(string(b), `":`) != len(members) || strings.Contains(string(b), `\u00`) {
			return // escaped names
		}
		pairs := [][2]string{{string(got.id), want.ID}, {string(got.typ), string(want.Type)},
			{string(got.statement), string(want.Statement)}, {string(got.txn), want.Txn}, {string(got.reason), want.Reason}}
		for _, p := range pairs {
			if strings.ToValidUTF8(p[0], "?") == p[0] && p[0] != p[1] {
				t.Fatalf("%q: %q, want %q", b, p[0], p[1])
			}
		}
	})
}
