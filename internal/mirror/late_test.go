package mirror

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"testing"
	"time"
)

// A look at the files that the time is over for finds nothing, and loses nothing: neither
// where it asks for what the index knows nor where it lists all.
func TestALateLookFindsNothing(t *testing.T) {
	m := one(t)
	over, cancel := context.WithCancel(t.Context())
	cancel()
	for _, what := range []string{"new", "known"} {
		idx, _ := m.Index(t.Context())
		if n, err := m.compare(over, idx); !errors.Is(err, errLate) || len(n.dirty)+len(n.gone)+len(n.dirs) > 0 {
			t.Errorf("%s: %+v, %v", what, n, err)
		}
		if now, _ := m.Index(t.Context()); now != idx {
			t.Errorf("%s: the index is dropped", what)
		}
		if _, s, _ := m.Sync(t.Context(), Occasion{}); s.Behind || s.Err != nil {
			t.Errorf("%s: then %+v", what, s)
		}
	}
}

// steps is a time that is over once it was asked for so often.
type steps struct {
	context.Context
	left int
}

func (s *steps) Deadline() (time.Time, bool) { return time.Now().Add(time.Hour), true }
func (s *steps) Done() <-chan struct{}       { return nil }
func (s *steps) Err() error {
	if s.left--; s.left < 0 {
		return context.DeadlineExceeded
	}
	return nil
}

// large is a root of so many pages in each of some folders that the index knows, all of
// them an hour old.
func large(t *testing.T, folders, each int) *Mirror {
	t.Helper()
	m := one(t)
	for d := range folders {
		for p := range each {
			rewrite(t, m, fmt.Sprintf("f%d/p%03d.md", d, p), "- Nothing of note.\n", -time.Hour)
		}
	}
	time.Sleep(2 * racy) // until the folders' own stamps are believed
	if _, s, _ := m.Sync(t.Context(), Occasion{}); s.Behind || s.Err != nil {
		t.Fatalf("%+v", s)
	}
	return m
}

// looked is what a look finds that is over after so many steps, and whether that was too soon.
func looked(t *testing.T, m *Mirror, most int) (found []string, late bool) {
	t.Helper()
	idx, _ := m.Index(t.Context())
	n, err := m.compare(&steps{t.Context(), most}, idx)
	if late = errors.Is(err, errLate); err != nil && !late {
		t.Fatal(err)
	}
	if late && len(n.gone)+len(n.dirs) > 0 {
		t.Errorf("a look at a part tells what is gone: %+v", n)
	}
	for _, p := range n.dirty {
		found = append(found, p.rel)
	}
	slices.Sort(found)
	return found, late
}

// What a look has found when its time is over counts, and the next one goes on from
// there, so that all files are looked at in a few turns.
func TestALookGoesOnWhereTheLastOneStopped(t *testing.T) {
	m := large(t, 3, 400)
	var want []string
	for d := range 3 {
		for p := 0; p < 400; p += 100 {
			rel := fmt.Sprintf("f%d/p%03d.md", d, p)
			want = append(want, rel)
			rewrite(t, m, rel, "- Something of note, in place.\n", -2*time.Hour)
		}
	}
	found, late := looked(t, m, 150)
	if !late || !slices.Equal(found, want[:2]) {
		t.Fatalf("first: %v, %v", found, late)
	}
	union := found
	for range 20 {
		more, _ := looked(t, m, 1220+newestFirst+100) // of which the survey takes some 1,200
		union = append(union, more...)
	}
	slices.Sort(union)
	if union = slices.Compact(union); !slices.Equal(union, want) {
		t.Errorf("found %v", union)
	}
	if found, late := looked(t, m, 1<<30); late || !slices.Equal(found, want) {
		t.Errorf("with time enough: %v, %v", found, late)
	}
}

// Where the last look found more files than there was time for, the next one begins
// with what is likeliest to be new.
func TestWhatIsLikelyToBeNewIsLookedAtFirst(t *testing.T) {
	m := large(t, 3, 400)
	rewrite(t, m, "f2/p399.md", "- Written lately.\n", time.Minute)
	if _, s, _ := m.Sync(t.Context(), Occasion{}); s.Behind || s.Err != nil {
		t.Fatalf("%+v", s)
	}
	if _, late := looked(t, m, 10); !late {
		t.Fatal("a look of ten steps had time for all")
	}
	rewrite(t, m, "f2/p399.md", "- Written again.\n", 2*time.Minute)
	rewrite(t, m, "f1/new.md", "- A page that the index does not know.\n", -2*time.Hour)
	rewrite(t, m, "f1/deep/new.md", "- One in a folder that it does not know.\n", -2*time.Hour)
	found, late := looked(t, m, 1210+newestFirst+1000) // of which the survey takes some 1,200
	if want := []string{"f1/deep/new.md", "f1/new.md", "f2/p399.md"}; !late || !slices.Equal(found, want) {
		t.Errorf("found %v, %v", found, late)
	}
}

// Encrypted pages are not searched for where a look, though it stopped, has seen that
// there are none.
func TestALookThatStopsKnowsWhetherPagesAreEncrypted(t *testing.T) {
	m := large(t, 2, 300)
	idx, _ := m.Index(t.Context())
	plain := func(most int) bool {
		t.Helper()
		n, err := m.compare(&steps{t.Context(), most}, idx)
		if !errors.Is(err, errLate) {
			t.Fatal(err)
		}
		return n.plain
	}
	if plain(2) {
		t.Error("no directory was looked at")
	}
	m.ended()
	if !plain(100) || plain(100) || !plain(700) { // those after the first one survey the directories first
		t.Error("without any")
	}
	rewrite(t, m, "f1/x.md.age", "sealed", -time.Hour)
	if plain(2400) {
		t.Error("with one that is new")
	}
	if _, s, _ := m.Sync(t.Context(), Occasion{}); s.Behind || s.Err != nil {
		t.Fatalf("%+v", s)
	}
	if plain(700) {
		t.Error("with one that is known")
	}
}

// A sync whose look had to stop takes in what it has found, says so, and leaves the rest
// of the index as it is; the next one with time enough finds all, and what is gone.
func TestASyncThatCouldNotLookAtAllTakesInWhatItFound(t *testing.T) {
	m := large(t, 2, 300)
	rewrite(t, m, "f0/p000.md", "- Something of note.\n", -2*time.Hour)
	if err := os.Remove(m.path("f1/p299.md")); err != nil {
		t.Fatal(err)
	}
	idx, _ := m.Index(t.Context())
	_, late := looked(t, m, 10)
	var s Synced
	err := m.sweep(t.Context(), &steps{t.Context(), 2400}, idx, Occasion{}, &s)
	if !late || err != nil || !s.Unseen || !s.Behind {
		t.Fatalf("%v, %+v", err, s)
	}
	holds := func(rel string, entries int) {
		t.Helper()
		if p, ok, err := idx.Page(t.Context(), rel); err != nil || ok != (entries > 0) || len(p.Docs) != entries {
			t.Errorf("%s: %v, %v, %d entries", rel, err, ok, len(p.Docs))
		}
	}
	holds("f0/p000.md", 1)
	if len(s.Events) != 1 || s.Events[0].Page != "f0/p000.md" {
		t.Errorf("events %+v", s.Events)
	}
	holds("f1/p299.md", 1)
	if _, s, _ = m.Sync(t.Context(), Occasion{}); s.Behind || s.Err != nil {
		t.Errorf("%+v", s)
	}
	holds("f1/p299.md", 0)
}

// A memory whose first look stops is not taken for complete: what the next one finds is
// no news either.
func TestAFirstLookThatStopsIsNoWholeOne(t *testing.T) {
	m := one(t)
	for p := range 300 {
		rewrite(t, m, fmt.Sprintf("f/p%03d.md", p), "- Nothing of note.\n", -time.Hour)
	}
	idx, _ := m.Index(t.Context())
	var s Synced
	err := m.sweep(t.Context(), &steps{t.Context(), 100}, idx, Occasion{}, &s)
	pages, _ := PagePaths(t.Context(), idx, nil)
	if err != nil || !s.Unseen || len(pages) == 0 || len(pages) > 200 || complete(t.Context(), idx) {
		t.Fatalf("%v, %+v, %d pages", err, s, len(pages))
	}
	_, s, _ = m.Sync(t.Context(), Occasion{})
	if pages, _ = PagePaths(t.Context(), idx, nil); s.Behind || len(s.Events) > 0 || len(pages) != 301 || !complete(t.Context(), idx) {
		t.Errorf("%+v, %d pages", s, len(pages))
	}
}

// A look that somebody waits for ends with half of the time that is left; one that nobody
// waits for may take all of it.
func TestALookKeepsToItsTime(t *testing.T) {
	for _, c := range []struct {
		left, idle, waited time.Duration
	}{{10 * time.Second, 10 * time.Second, 5 * time.Second}, {60 * time.Millisecond, 60 * time.Millisecond, leastLook}, {-time.Second, leastLook / 10, leastLook / 10}} {
		ctx, cancel := context.WithDeadline(t.Context(), time.Now().Add(c.left))
		for _, idle := range []bool{true, false} {
			l, done := LookFor(ctx, Occasion{Idle: idle})
			end, _ := l.Deadline()
			most := c.waited
			if idle {
				most = c.idle
			}
			if over := time.Until(end); over > most {
				t.Errorf("of %v, idle %v, it may take %v", c.left, idle, over)
			}
			done()
		}
		cancel()
	}
}
