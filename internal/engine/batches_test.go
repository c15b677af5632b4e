package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/index"
	"github.com/pimento-memory/pimento/internal/news"
	"github.com/pimento-memory/pimento/internal/page"
	"github.com/pimento-memory/pimento/internal/text"
)

// A watchedIndex is asked before it takes anything in.
type watchedIndex struct {
	index.Index
	before func(put []index.Page, remove []string)
}

func (w watchedIndex) Apply(ctx context.Context, put []index.Page, remove []string) error {
	w.before(put, remove)
	return w.Index.Apply(ctx, put, remove)
}

// batched writes so much that a sync takes it in several batches: in each of n pages
// so many entries, and the pages that are there already go.
func batched(t *testing.T, st *store, n, entries int) {
	t.Helper()
	filler := strings.Repeat("These words fill the page and say nothing at all. ", syncBatch/50)
	for i := range n {
		var b strings.Builder
		for j := range entries {
			fmt.Fprintf(&b, "- The crane %d of yard %d turns.\n", j, i)
		}
		rel := fmt.Sprintf("topics/yard-%d.md", i)
		if err := os.MkdirAll(filepath.Dir(st.path(rel)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(st.path(rel), []byte(b.String()+"\n"+filler+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// journaled are the events that other processes see.
func journaled(t *testing.T, st *store) (evs []pimento.Event) {
	t.Helper()
	if err := st.journal.Each(t.Context(), nil, func(ev pimento.Event) { evs = append(evs, ev) }); err != nil {
		t.Fatal(err)
	}
	return evs
}

// A process may be killed after any batch: what the index holds then is news to
// nobody any more, so the journal must have it before.
func TestEachBatchIsNewsBeforeTheIndexHasIt(t *testing.T) {
	e, v, st := served(t)
	e.syncAll(t.Context(), v)
	if err := os.Remove(st.path(page.Memory)); err != nil {
		t.Fatal(err)
	}
	batched(t, st, 3, 2)
	batches := 0
	st.idx = watchedIndex{st.idx, func(put []index.Page, remove []string) {
		batches++
		told := map[string]bool{}
		for _, ev := range journaled(t, st) {
			told[ev.Page] = true
		}
		for _, p := range put {
			if !isMark(p.Path) && !told[p.Path] {
				t.Errorf("batch %d: the index gets %s, and the journal does not know", batches, p.Path)
			}
		}
		for _, rel := range remove {
			if !told[rel] {
				t.Errorf("batch %d: the index loses %s, and the journal does not know", batches, rel)
			}
		}
	}}
	_, s, _ := e.syncStore(t.Context(), st, occasion{})
	if s.err != nil || batches < 3 {
		t.Fatalf("%d batches, %v", batches, s.err)
	}
	if want := 3*3 + 1; len(s.events) != want || len(journaled(t, st)) != want {
		t.Errorf("%d events, %d in the journal, want %d", len(s.events), len(journaled(t, st)), want)
	}
}

// However many batches an import has, it is told in one line, and each of its
// entries counts as washed in.
func TestAMassOfSeveralBatchesIsOneLine(t *testing.T) {
	for _, c := range []struct {
		entries, events int
		text            string
	}{
		{15, 3 * 16, ""},
		{900, 901 + 1, "at least 1803 entries changed at once"},
		{1500, 1, "at least 1503 entries changed at once"},
	} {
		t.Run(fmt.Sprint(c.entries), func(t *testing.T) {
			e, v, st := served(t)
			e.syncAll(t.Context(), v)
			batched(t, st, 3, c.entries)
			_, s, _ := e.syncStore(t.Context(), st, occasion{})
			var lines []string
			bulk := 0
			for _, ev := range s.events {
				if ev.Statement == "" {
					lines = append(lines, ev.Text)
				} else if ev.Reason == pimento.ReasonBulk {
					bulk++
				}
			}
			if len(s.events) != c.events || len(lines) > 1 || !strings.HasPrefix(strings.Join(lines, "\n"), c.text) {
				t.Errorf("%d events, want %d; lines %q", len(s.events), c.events, lines)
			}
			if c.entries > news.BulkOver && bulk+len(lines) != len(s.events) {
				t.Errorf("%d of %d came in bulk", bulk, len(s.events))
			}
			if n := len(journaled(t, st)); n != len(s.events) {
				t.Errorf("%d events in the journal", n)
			}
		})
	}
}

// A large page may take all the time there is only where nobody waits: beside an
// answer it has half of it, and what needs more is left to somebody who has time.
func TestALargePageLeavesHalfOfTheTime(t *testing.T) {
	const seconds = 100
	ctx, cancel := context.WithTimeout(t.Context(), seconds*time.Second)
	defer cancel()
	for _, c := range []struct {
		size int64
		oc   occasion
		fits bool
		half bool
	}{
		{seconds * syncPace / 4, occasion{}, true, true},
		{seconds * syncPace * 3 / 4, occasion{}, false, false},
		{seconds * syncPace * 3 / 4, occasion{idle: true}, true, false},
		{seconds * syncPace * 5 / 4, occasion{idle: true}, false, false},
		{gulpBytes, occasion{}, true, false},
	} {
		reading, done, fits := dirtyPage{stamp: pimento.Stamp{Size: c.size}}.within(ctx, c.oc)
		until, _ := reading.Deadline()
		whole, _ := ctx.Deadline()
		if half := whole.Sub(until) > seconds*time.Second/3; fits != c.fits || half != c.half {
			t.Errorf("%d bytes, %+v: fits %t, half of the time %t", c.size, c.oc, fits, half)
		}
		done()
	}

	e, v, st := served(t)
	e.syncAll(t.Context(), v)
	batched(t, st, 1, 2) // half a second of work
	short, stop := context.WithTimeout(t.Context(), 900*time.Millisecond)
	defer stop()
	if _, s, _ := e.syncStore(short, st, occasion{}); !s.behind || s.heavy != "topics/yard-0.md" || len(s.events) > 0 || short.Err() != nil {
		t.Errorf("beside an answer: %+v, %v", s, short.Err())
	}
	if _, s, _ := e.syncStore(t.Context(), st, occasion{idle: true}); s.behind || s.heavy != "" || len(s.events) == 0 {
		t.Errorf("where nobody waits: %+v", s)
	}
}

// A fullDisk index keeps nothing for other processes.
type fullDisk struct {
	index.Index
	tries int
}

func (f *fullDisk) Apply(context.Context, []index.Page, []string) error {
	f.tries++
	return &pimento.Error{Op: "index.apply", Kind: pimento.KindUnavailable, Err: os.ErrPermission}
}

// What a process of its own reads for the next one is read in vain where it cannot be
// stored: at the end of every turn it would be all of the memory.
func TestNothingIsReadForAnIndexThatKeepsNothing(t *testing.T) {
	for _, c := range []struct {
		oc    occasion
		serve bool
		tries int
	}{{occasion{idle: true}, false, 1}, {occasion{idle: true}, true, 3}, {occasion{}, false, 3}} {
		e, v, st := served(t)
		e.syncAll(t.Context(), v)
		batched(t, st, 3, 2)
		e.opt.Serve = c.serve
		full := &fullDisk{Index: st.idx}
		st.idx = full
		if _, s, _ := e.syncStore(t.Context(), st, c.oc); full.tries != c.tries || s.err == nil || s.behind != (c.tries == 1) {
			t.Errorf("%+v, serving %t: %d batches, behind %t, %v", c.oc, c.serve, full.tries, s.behind, s.err)
		}
	}
}

// A process that ends with its event reads on after a prompt only until the deadline,
// and when a turn or a session is over, for longer, whatever the prompts found.
func TestLeisureAfterAnEvent(t *testing.T) {
	e, _, _ := served(t)
	e.opt.Deadline = time.Second
	now := time.Now()
	e.opt.Clock = func() time.Time { return now }
	for _, c := range []struct {
		event  pimento.TurnEvent
		behind bool
		after  time.Duration // since the event came
		want   time.Duration
	}{
		{pimento.PromptTurn, false, 0, 0},
		{pimento.PromptTurn, true, 400 * time.Millisecond, 600 * time.Millisecond},
		{pimento.PromptTurn, true, 2 * time.Second, -time.Second},
		{pimento.SessionStart, false, 0, 0},
		{pimento.SessionStart, true, time.Second, 2 * time.Second},
		{pimento.TurnEnd, false, time.Second, endSync},
		{pimento.SessionEnd, false, time.Second, lastSync},
	} {
		turn := turn{Turn: pimento.Turn{Event: c.event}, e: e, behind: c.behind, started: now.Add(-c.after)}
		if got := turn.leisure(); got != c.want {
			t.Errorf("%s, behind %t, after %v: %v, want %v", c.event, c.behind, c.after, got, c.want)
		}
	}
}

// A heavy page that several analyzers read has the docs that one would make, in their
// order; one for which the time is over has none.
func TestAHeavyPageIsReadBySeveralAtOnce(t *testing.T) {
	var b strings.Builder
	for i := range 40 * askEntries {
		fmt.Fprintf(&b, "- [decision] Yard %d is swept on day %d, `by_crew%d`. See [[yard-%d]].\n", i, i%31, i%7, i/2)
	}
	e, _, st := served(t)
	entries := st.entries(page.Parse("topics/yards.md", []byte(b.String())))
	want := docs(text.NewAnalyzer(), "topics/yards.md", entries)
	ans := []*text.Analyzer{text.NewAnalyzer(), text.NewAnalyzer(), text.NewAnalyzer()}
	got, err := heavyDocs(t.Context(), ans, "topics/yards.md", entries)
	if err != nil || len(want) < 40*askEntries || !reflect.DeepEqual(got, want) {
		t.Errorf("%v: %d docs, not %d, or others", err, len(got), len(want))
	}
	if got, err := heavyDocs(&steps{t.Context(), 5}, ans[:1], "topics/yards.md", entries); !errors.Is(err, errOutOfTime) || got != nil {
		t.Errorf("out of time: %d docs, %v", len(got), err)
	}
	rewrite(t, st, "topics/yards.md", b.String(), -time.Hour)
	if _, s, _ := e.syncStore(t.Context(), st, occasion{}); s.behind || s.err != nil {
		t.Fatalf("%+v", s)
	}
	idx, _ := e.index(t.Context(), st)
	if p, ok, err := idx.Page(t.Context(), "topics/yards.md"); !ok || err != nil || len(p.Docs) != len(want) {
		t.Errorf("%v, %v: %d entries, not %d", ok, err, len(p.Docs), len(want))
	}
}
