package mirror

import (
	"context"
	"errors"
	"fmt"
	"os"
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
func batched(t *testing.T, m *Mirror, n, entries int) {
	t.Helper()
	filler := strings.Repeat("These words fill the page and say nothing at all. ", syncBatch/50)
	for i := range n {
		var b strings.Builder
		for j := range entries {
			fmt.Fprintf(&b, "- The crane %d of yard %d turns.\n", j, i)
		}
		rel := fmt.Sprintf("topics/yard-%d.md", i)
		rewrite(t, m, rel, b.String()+"\n"+filler+"\n", 0)
	}
}

// journaled are the events that other processes see.
func journaled(t *testing.T, m *Mirror) (evs []pimento.Event) {
	t.Helper()
	if err := m.opt.Journal.Each(t.Context(), nil, func(ev pimento.Event) { evs = append(evs, ev) }); err != nil {
		t.Fatal(err)
	}
	return evs
}

// A process may be killed after any batch: what the index holds then is news to
// nobody any more, so the journal must have it before.
func TestEachBatchIsNewsBeforeTheIndexHasIt(t *testing.T) {
	m := synced(t)
	if err := os.Remove(m.path(page.Memory)); err != nil {
		t.Fatal(err)
	}
	batched(t, m, 3, 2)
	batches := 0
	m.idx = watchedIndex{m.idx, func(put []index.Page, remove []string) {
		batches++
		told := map[string]bool{}
		for _, ev := range journaled(t, m) {
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
	_, s, _ := m.Sync(t.Context(), Occasion{})
	if s.Err != nil || batches < 3 {
		t.Fatalf("%d batches, %v", batches, s.Err)
	}
	if want := 3*3 + 1; len(s.Events) != want || len(journaled(t, m)) != want {
		t.Errorf("%d events, %d in the journal, want %d", len(s.Events), len(journaled(t, m)), want)
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
			m := synced(t)
			batched(t, m, 3, c.entries)
			_, s, _ := m.Sync(t.Context(), Occasion{})
			var lines []string
			bulk := 0
			for _, ev := range s.Events {
				if ev.Statement == "" {
					lines = append(lines, ev.Text)
				} else if ev.Reason == pimento.ReasonBulk {
					bulk++
				}
			}
			if len(s.Events) != c.events || len(lines) > 1 || !strings.HasPrefix(strings.Join(lines, "\n"), c.text) {
				t.Errorf("%d events, want %d; lines %q", len(s.Events), c.events, lines)
			}
			if c.entries > news.BulkOver && bulk+len(lines) != len(s.Events) {
				t.Errorf("%d of %d came in bulk", bulk, len(s.Events))
			}
			if n := len(journaled(t, m)); n != len(s.Events) {
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
		oc   Occasion
		fits bool
		half bool
	}{
		{seconds * syncPace / 4, Occasion{}, true, true},
		{seconds * syncPace * 3 / 4, Occasion{}, false, false},
		{seconds * syncPace * 3 / 4, Occasion{Idle: true}, true, false},
		{seconds * syncPace * 5 / 4, Occasion{Idle: true}, false, false},
		{gulpBytes, Occasion{}, true, false},
	} {
		reading, done, fits := dirtyPage{stamp: pimento.Stamp{Size: c.size}}.within(ctx, c.oc)
		until, _ := reading.Deadline()
		whole, _ := ctx.Deadline()
		if half := whole.Sub(until) > seconds*time.Second/3; fits != c.fits || half != c.half {
			t.Errorf("%d bytes, %+v: fits %t, half of the time %t", c.size, c.oc, fits, half)
		}
		done()
	}

	m := synced(t)
	batched(t, m, 1, 2) // half a second of work
	short, stop := context.WithTimeout(t.Context(), 900*time.Millisecond)
	defer stop()
	if _, s, _ := m.Sync(short, Occasion{}); !s.Behind || s.Heavy != "topics/yard-0.md" || len(s.Events) > 0 || short.Err() != nil {
		t.Errorf("beside an answer: %+v, %v", s, short.Err())
	}
	if _, s, _ := m.Sync(t.Context(), Occasion{Idle: true}); s.Behind || s.Heavy != "" || len(s.Events) == 0 {
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
		oc    Occasion
		serve bool
		tries int
	}{{Occasion{Idle: true}, false, 1}, {Occasion{Idle: true}, true, 3}, {Occasion{}, false, 3}} {
		m := synced(t)
		batched(t, m, 3, 2)
		m.opt.Serve = c.serve
		full := &fullDisk{Index: m.idx}
		m.idx = full
		if _, s, _ := m.Sync(t.Context(), c.oc); full.tries != c.tries || s.Err == nil || s.Behind != (c.tries == 1) {
			t.Errorf("%+v, serving %t: %d batches, behind %t, %v", c.oc, c.serve, full.tries, s.Behind, s.Err)
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
	m := one(t)
	entries := m.Entries(page.Parse("topics/yards.md", []byte(b.String())))
	want := docs(text.NewAnalyzer(), "topics/yards.md", entries)
	ans := []*text.Analyzer{text.NewAnalyzer(), text.NewAnalyzer(), text.NewAnalyzer()}
	got, err := heavyDocs(t.Context(), ans, "topics/yards.md", entries)
	if err != nil || len(want) < 40*askEntries || !reflect.DeepEqual(got, want) {
		t.Errorf("%v: %d docs, not %d, or others", err, len(got), len(want))
	}
	if got, err := heavyDocs(&steps{t.Context(), 5}, ans[:1], "topics/yards.md", entries); !errors.Is(err, errOutOfTime) || got != nil {
		t.Errorf("out of time: %d docs, %v", len(got), err)
	}
	rewrite(t, m, "topics/yards.md", b.String(), -time.Hour)
	if _, s, _ := m.Sync(t.Context(), Occasion{}); s.Behind || s.Err != nil {
		t.Fatalf("%+v", s)
	}
	idx, _ := m.Index(t.Context())
	if p, ok, err := idx.Page(t.Context(), "topics/yards.md"); !ok || err != nil || len(p.Docs) != len(want) {
		t.Errorf("%v, %v: %d entries, not %d", ok, err, len(p.Docs), len(want))
	}
}
