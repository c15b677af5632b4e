package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/regular"
)

func TestState(t *testing.T) {
	ctx := context.Background()
	dir := filepath.Join(t.TempDir(), "state", "sessions")
	s := NewStore(dir)
	st, err := s.Load(ctx, "pi", "a")
	must(t, err)
	if diff := cmp.Diff(State{V: 1, Harness: "pi", ID: "a"}, st); diff != "" {
		t.Fatal(diff)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Fatal("reading made the directory")
	}
	want := State{V: 1, Harness: "pi", ID: "a", Off: true, Started: day(1), Shown: []string{"x", "~y"}}
	for i := range 40 {
		want.Compactions = append(want.Compactions, fmt.Sprint(i))
	}
	must(t, s.Update(ctx, "pi", "a", func(st *State) { *st = want }))
	want.Compactions = want.Compactions[8:]
	got, err := NewStore(dir).Load(ctx, "pi", "a")
	must(t, err)
	if diff := cmp.Diff(want, got); diff != "" || len(got.Compactions) != 32 || got.Compactions[31] != "39" {
		t.Fatal(diff, got.Compactions)
	}
	if other, _ := s.Load(ctx, "codex", "a"); other.Off {
		t.Fatal("two harnesses share a session")
	}
	must(t, filepath.Walk(dir, func(name string, info os.FileInfo, err error) error {
		if info.Mode().Perm()&0o077 != 0 || strings.HasSuffix(name, regular.TempExt) {
			t.Error(name, info.Mode())
		}
		return err
	}))
}

func TestIDsAreNeverPaths(t *testing.T) {
	ctx := context.Background()
	root := t.TempDir()
	dir := filepath.Join(root, "a", "b")
	s := NewStore(dir)
	ids := []string{"", ".", "..", "../../../x", "/etc/passwd", "a\x00b", "a\nb", strings.Repeat("x", 1<<20), "\xff\xfe", "é", "A", "a"}
	for i, id := range ids {
		for _, harness := range []string{"pi", "../" + id} {
			err := s.Update(ctx, harness, id, func(st *State) { st.Epoch = i })
			must(t, err)
			_, _, err = s.Freeze(ctx, Key{Harness: harness, Session: id, Profile: id}, func() (Frozen, error) {
				return Frozen{Prefix: id}, nil
			})
			must(t, err)
		}
	}
	for i, id := range ids {
		st, err := s.Load(ctx, "pi", id)
		must(t, err)
		f, ok, err := s.Frozen(ctx, Key{Harness: "pi", Session: id, Profile: id})
		if st.Epoch != i || st.ID != id || !ok || f.Prefix != id || f.Key.Session != id || err != nil {
			t.Fatalf("%.20q: %.200q %v", id, fmt.Sprint(st, f), err)
		}
	}
	top, err := os.ReadDir(root)
	must(t, err)
	a, err := os.ReadDir(filepath.Join(root, "a"))
	must(t, err)
	if len(top) != 1 || len(a) != 1 {
		t.Fatal(top, a)
	}
}

func TestDamagedState(t *testing.T) {
	ctx := context.Background()
	s := NewStore(t.TempDir())
	put := func(epoch int) {
		t.Helper()
		err := s.Update(ctx, "pi", "a", func(st *State) { st.Epoch, st.Off = epoch, true })
		must(t, err)
	}
	put(1)
	put(2)
	dir := s.sessionDir("pi", "a")
	good, err := os.ReadFile(slotPath(dir, 2))
	must(t, err)
	for i := range good { // the newer one torn at every byte: the older one counts
		must(t, os.WriteFile(slotPath(dir, 2), good[:i], 0o600))
		if st, err := s.Load(ctx, "pi", "a"); err != nil || st.Epoch != 1 || !st.Off {
			t.Fatal(i, st, err)
		}
	}
	put(3)
	if st, err := s.Load(ctx, "pi", "a"); err != nil || st.Epoch != 3 {
		t.Fatal(st, err)
	}
	must(t, os.Remove(slotPath(dir, 1)))
	for _, bad := range [][]byte{nil, []byte("{"), []byte("null"), seal([]byte("null")), seal([]byte(`{"seq":9,"state":{"v":99}}`)), make([]byte, 99)} {
		must(t, os.WriteFile(slotPath(dir, 2), bad, 0o600))
		st, err := s.Load(ctx, "pi", "a")
		wantKind(t, err, pimento.KindInternal)
		if diff := cmp.Diff(State{V: 1, Harness: "pi", ID: "a"}, st); diff != "" {
			t.Fatalf("%q: %s", bad, diff)
		}
	}
	put(4)
	if st, err := s.Load(ctx, "pi", "a"); err != nil || st.Epoch != 4 {
		t.Fatal(st, err)
	}
}

func TestUpdatesDoNotGetLost(t *testing.T) {
	dir := t.TempDir()
	wait := make(chan error)
	for range 4 {
		go func() { wait <- child(dir, "count").Run() }()
	}
	for range 4 {
		must(t, <-wait)
	}
	if st, err := NewStore(dir).Load(context.Background(), "pi", "s"); err != nil || st.Epoch != 80 {
		t.Fatal(st, err)
	}
}

func TestEightProcessesFreezeOnce(t *testing.T) {
	dir := t.TempDir()
	for _, damaged := range []bool{false, true} {
		if damaged {
			must(t, os.WriteFile(NewStore(dir).frozenPath(testKey()), []byte("half a fi"), 0o600))
		}
		type result struct {
			out []byte
			err error
		}
		results := make(chan result)
		for i := range 8 {
			go func() {
				out, err := child(dir, string(rune('A'+i))).Output()
				results <- result{out, err}
			}()
		}
		var all []string
		for range 8 {
			r := <-results
			must(t, r.err)
			all = append(all, string(r.out))
		}
		slices.Sort(all)
		if all = slices.Compact(all); len(all) != 1 || len(all[0]) != 1003 {
			t.Fatalf("damaged %v: %d different prefixes", damaged, len(all))
		}
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*", "*"+regular.TempExt)); left != nil {
		t.Fatal(left)
	}
}

func TestFreeze(t *testing.T) {
	ctx := context.Background()
	s := NewStore(t.TempDir())
	k := testKey()
	full := Frozen{Taken: day(1), Prefix: "line\nline\r\n\x00\xff end", IDs: []string{"a"},
		Marks:      map[string]json.RawMessage{"global": json.RawMessage(`{"gen":"g","off":7}`)},
		Sections:   []pimento.SectionUse{{Name: "tasks", Zone: pimento.Prefix, Tokens: 3}},
		Statements: map[string]string{"a": "what \xff it said"}}
	if _, ok, err := s.Frozen(ctx, k); ok || err != nil {
		t.Fatal(ok, err)
	}
	boom := errors.New("boom")
	if _, _, err := s.Freeze(ctx, k, func() (Frozen, error) { return Frozen{}, boom }); err != boom {
		t.Fatal(err)
	}
	first, mine, err := s.Freeze(ctx, k, func() (Frozen, error) { return full, nil })
	must(t, err)
	if !mine || first.Prefix != full.Prefix || first.Key != k || first.V != 1 {
		t.Fatal(mine, first)
	}
	again, mine, err := s.Freeze(ctx, k, func() (Frozen, error) { t.Fatal("built twice"); return full, nil })
	must(t, err)
	if diff := cmp.Diff(first, again); diff != "" || mine {
		t.Fatal(diff)
	}
	for _, other := range []Key{{"x", "s", 1, "p", "c", ""}, {"pi", "x", 1, "p", "c", ""}, {"pi", "s", 2, "p", "c", ""}, {"pi", "s", 1, "x", "c", ""}, {"pi", "s", 1, "p", "x", ""}, {"pi", "s", 1, "p", "c", "x"}} {
		if _, ok, err := s.Frozen(ctx, other); ok || err != nil {
			t.Fatal(other, err)
		}
	}
	if _, _, err := s.Freeze(ctx, Key{Epoch: 9}, func() (Frozen, error) {
		return Frozen{Marks: map[string]json.RawMessage{"x": json.RawMessage("{")}}, nil
	}); pimento.KindOf(err) != pimento.KindUsage {
		t.Fatal(err)
	}
}

func TestDamagedFrozen(t *testing.T) {
	ctx := context.Background()
	s := NewStore(t.TempDir())
	build := func(text string) func() (Frozen, error) {
		return func() (Frozen, error) { return Frozen{Prefix: text}, nil }
	}
	_, _, err := s.Freeze(ctx, testKey(), build("first"))
	must(t, err)
	name := s.frozenPath(testKey())
	good, err := os.ReadFile(name)
	must(t, err)
	for i := range good {
		bad := slices.Clone(good)
		bad[i] ^= 1
		for _, b := range [][]byte{bad, good[:i]} {
			must(t, os.WriteFile(name, b, 0o600))
			if _, ok, err := s.Frozen(ctx, testKey()); ok || err != nil {
				t.Fatalf("byte %d: %v %v", i, ok, err)
			}
		}
	}
	f, mine, err := s.Freeze(ctx, testKey(), build("second"))
	if err != nil || !mine || f.Prefix != "second" {
		t.Fatal(f, mine, err)
	}
	if f, ok, err := s.Frozen(ctx, testKey()); !ok || err != nil || f.Prefix != "second" {
		t.Fatal(f, ok, err)
	}
}

func TestEpochs(t *testing.T) {
	ctx := context.Background()
	s := NewStore(t.TempDir())
	if _, ok, err := s.LatestFrozen(ctx, "pi", "s"); ok || err != nil {
		t.Fatal(ok, err)
	}
	for epoch := range 20 {
		k := testKey()
		k.Epoch = epoch
		_, mine, err := s.Freeze(ctx, k, func() (Frozen, error) {
			return Frozen{Prefix: fmt.Sprint("epoch ", epoch), Taken: day(28 - epoch)}, nil
		})
		if err != nil || !mine {
			t.Fatal(mine, err)
		}
	}
	k := testKey()
	k.Epoch, k.Profile = 19, "other"
	_, _, err := s.Freeze(ctx, k, func() (Frozen, error) { return Frozen{Prefix: "later", Taken: day(28)}, nil })
	must(t, err)
	f, ok, err := s.LatestFrozen(ctx, "pi", "s")
	if err != nil || !ok || f.Prefix != "later" || f.Key != k {
		t.Fatal(f, ok, err)
	}
	if left, _ := filepath.Glob(filepath.Join(s.sessionDir("pi", "s"), "frozen-*")); len(left) != maxFrozen {
		t.Fatal(len(left))
	}
	n, err := s.RemoveFrozen(ctx, func(f Frozen) bool { return f.Prefix == "later" })
	if _, ok, _ := s.Frozen(ctx, k); n != 1 || err != nil || ok {
		t.Fatal(n, err, ok)
	}
}

func TestReadOnlySessions(t *testing.T) {
	ctx := context.Background()
	dir := filepath.Join(t.TempDir(), "sessions")
	s := NewStore(dir)
	err := s.Update(ctx, "pi", "s", func(st *State) { st.Epoch = 5 })
	must(t, err)
	err = s.Update(ctx, "pi", "long ago", func(*State) {})
	must(t, err)
	usedAt(t, s.sessionDir("pi", "long ago"), day(1))
	_, _, err = s.Freeze(ctx, testKey(), func() (Frozen, error) { return Frozen{Prefix: "old"}, nil })
	must(t, err)
	tr := NewTraces(filepath.Join(dir, "traces"))
	must(t, tr.Add(ctx, pimento.Trace{ID: "A"}))
	readOnly(t, dir, func() {
		// Locked and read files of another user are out of reach altogether.
		var found State
		err := s.Update(ctx, "pi", "s", func(st *State) { found = *st })
		wantKind(t, err, pimento.KindUnavailable)
		if found.Epoch != 5 {
			t.Error(found)
		}
		f, mine, err := s.Freeze(ctx, testKey(), func() (Frozen, error) { t.Error("built"); return Frozen{}, nil })
		if err != nil || mine || f.Prefix != "old" {
			t.Error(f, mine, err)
		}
		k := testKey()
		k.Epoch = 2
		f, mine, err = s.Freeze(ctx, k, func() (Frozen, error) { return Frozen{Prefix: "new"}, nil })
		wantKind(t, err, pimento.KindUnavailable)
		if !mine || f.Prefix != "new" || f.Key != k {
			t.Error(f, mine)
		}
		wantKind(t, s.Prune(ctx, "pi", "s", 0, 1), pimento.KindUnavailable)
		wantKind(t, tr.Add(ctx, pimento.Trace{ID: "B"}), pimento.KindUnavailable)
		if l, err := tr.List(ctx, 0); len(l) != 1 || err != nil {
			t.Error(l, err)
		}
	})
}

func TestPrune(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	s := NewStore(filepath.Join(dir, "none"))
	must(t, s.Prune(ctx, "pi", "20", time.Hour, 1))
	s = NewStore(dir)
	for n := 1; n <= 20; n++ {
		err := s.Update(ctx, "pi", fmt.Sprint(n), func(st *State) { st.Epoch = n })
		must(t, err)
	}
	_, _, err := s.Freeze(ctx, Key{Harness: "pi", Session: "7"}, func() (Frozen, error) { return Frozen{}, nil })
	must(t, err)
	for n := 1; n <= 20; n++ {
		usedAt(t, s.sessionDir("pi", fmt.Sprint(n)), day(n))
	}
	left := func() (out []int) {
		for n := 1; n <= 20; n++ {
			if st, _ := s.Load(ctx, "pi", fmt.Sprint(n)); st.Epoch > 0 {
				out = append(out, n)
			}
		}
		return out
	}
	must(t, os.Chtimes(slotPath(s.sessionDir("pi", "4"), 1), day(19), day(19))) // it began early and goes on
	must(t, s.Prune(ctx, "pi", "20", 10*24*time.Hour, 0))
	if got := left(); !slices.Equal(got, []int{4, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20}) {
		t.Fatal(got)
	}
	must(t, s.Prune(ctx, "pi", "20", 0, 12))
	if got := left(); len(got) != 12 {
		t.Fatal(got)
	}
	must(t, s.Prune(ctx, "pi", "20", 0, 11)) // all but nine tenths of them, rounded up
	if got := left(); !slices.Equal(got, []int{4, 12, 13, 14, 15, 16, 17, 18, 19, 20}) {
		t.Fatal(got)
	}
	must(t, s.Prune(ctx, "pi", "20", 0, 3))
	if got := left(); !slices.Equal(got, []int{4, 19, 20}) {
		t.Fatal(got)
	}
	entries, err := os.ReadDir(dir)
	must(t, err)
	for _, e := range entries {
		if !e.IsDir() && !strings.HasPrefix(e.Name(), "lock-") {
			t.Error(e.Name())
		}
	}
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	wantKind(t, s.Prune(cancelled, "pi", "20", 0, 1), pimento.KindUnavailable)
}

// usedAt makes a session look as if it was last in use then.
func usedAt(t *testing.T, dir string, when time.Time) {
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	must(t, err)
	for _, name := range append(files, dir) {
		must(t, os.Chtimes(name, when, when))
	}
}

// TestPruneWithAFutureDate: a clock that was once a year ahead makes no other session
// old, and a session that begins is not removed in favour of those that it dated.
func TestPruneWithAFutureDate(t *testing.T) {
	ctx := t.Context()
	s := NewStore(t.TempDir())
	begun := time.Now()
	ids := []string{"live", "recent", "older", "begun", "ahead", "far ahead"}
	for i, when := range []time.Time{begun.AddDate(0, 0, -1), begun.AddDate(0, 0, -2), begun.AddDate(0, 0, -80), begun, begun.AddDate(1, 0, 0), begun.AddDate(2, 0, 0)} {
		err := s.Update(ctx, "pi", ids[i], func(st *State) { st.Off = true })
		must(t, err)
		usedAt(t, s.sessionDir("pi", ids[i]), when)
	}
	left := func() (out []string) {
		for _, id := range ids {
			if st, _ := s.Load(ctx, "pi", id); st.Off {
				out = append(out, id)
			}
		}
		return out
	}
	must(t, s.Prune(ctx, "pi", "begun", 90*24*time.Hour, 0))
	if diff := cmp.Diff(ids, left()); diff != "" {
		t.Error(diff)
	}
	must(t, s.Prune(ctx, "pi", "begun", 50*24*time.Hour, 0))
	if diff := cmp.Diff([]string{"live", "recent", "begun", "ahead", "far ahead"}, left()); diff != "" {
		t.Error(diff)
	}
	must(t, s.Prune(ctx, "pi", "begun", 0, 1))
	if diff := cmp.Diff([]string{"begun", "far ahead"}, left()); diff != "" {
		t.Error(diff)
	}
}

// TestPruneWhileTheClockIsAhead: sessions that begin while the clock is wrong make no
// other one old, before there are some of them.
func TestPruneWhileTheClockIsAhead(t *testing.T) {
	ctx := t.Context()
	s := NewStore(t.TempDir())
	use := func(id string, when time.Time) {
		err := s.Update(ctx, "pi", id, func(st *State) { st.Off = true })
		must(t, err)
		usedAt(t, s.sessionDir("pi", id), when)
	}
	there := func(id string) bool {
		st, _ := s.Load(ctx, "pi", id)
		return st.Off
	}
	for n := range 5 {
		use(fmt.Sprint("live", n), day(n+1))
	}
	for n := range 3 {
		id := fmt.Sprint("ahead", n)
		use(id, day(100+n))
		must(t, s.Prune(ctx, "pi", id, 90*24*time.Hour, 0))
		if got, want := there("live0"), n < witnesses; got != want {
			t.Errorf("after %d sessions a hundred days ahead the others are there: %t", n+1, got)
		}
	}
}

// A session whose directory was just made, and holds nothing yet, is about to
// get a prefix.
func TestPruneSparesASessionThatBegins(t *testing.T) {
	ctx := context.Background()
	s := NewStore(t.TempDir())
	dir := s.sessionDir("pi", "new")
	must(t, os.Mkdir(dir, 0o700))
	must(t, s.Prune(ctx, "pi", "newer", time.Hour, 0))
	if _, err := os.Stat(dir); err != nil {
		t.Error(err)
	}
	usedAt(t, dir, day(1))
	for _, id := range []string{"one", "another", "newer"} {
		err := s.Update(ctx, "pi", id, func(*State) {})
		must(t, err)
	}
	must(t, s.Prune(ctx, "pi", "newer", time.Hour, 0))
	if _, err := os.Stat(dir); err == nil {
		t.Error("an empty directory is kept for ever")
	}
}

// Another process may prune while a purge runs; the purge goes on.
func TestRemoveFrozenWhileSessionsAreRemoved(t *testing.T) {
	ctx := context.Background()
	s := NewStore(t.TempDir())
	for _, id := range []string{"a", "b"} {
		k := testKey()
		k.Session = id
		_, _, err := s.Freeze(ctx, k, func() (Frozen, error) { return Frozen{Prefix: id}, nil })
		must(t, err)
	}
	n, err := s.RemoveFrozen(ctx, func(f Frozen) bool {
		must(t, os.RemoveAll(s.sessionDir("pi", f.Prefix)))
		return true
	})
	if n != 0 || err != nil {
		t.Fatal(n, err)
	}
}

// TestShownIDsComeBack: the ids of a context are stored as one string; ids that do
// not go into one are read back all the same.
func TestShownIDsComeBack(t *testing.T) {
	for _, ids := range [][]string{{"a"}, {"7e546af4bf8b29f8", "~capacity"}, {"with space", "b"}, {"", "b"}} {
		b, err := json.Marshal(State{Shown: ids})
		must(t, err)
		var back State
		must(t, json.Unmarshal(b, &back))
		if diff := cmp.Diff(ids, []string(back.Shown)); diff != "" {
			t.Errorf("%q: %s", ids, diff)
		}
	}
}

// beforeState is the part of a state that the first programs read, with its forms.
type beforeState struct {
	V                   int
	Harness, ID         string
	Epoch               int
	Off, Warned, Sealed bool
	Shown               []string
	Edited, Compactions []string
	Started, Touched    time.Time
}

// TestStatesOfOtherVersions: what a program of before wrote is read, in both forms
// that the ids have had; and a program of before reads what this one writes, so that
// a silenced session stays silent whichever of the two answers.
func TestStatesOfOtherVersions(t *testing.T) {
	ctx := t.Context()
	for _, shown := range []string{`["a","b"]`, `"a b"`} {
		s := NewStore(t.TempDir())
		body := `{"seq":7,"state":{"v":1,"harness":"pi","id":"s","epoch":2,"off":true,"sealed":true,"shown":` + shown + `,"compactions":["c"],"touched":"2026-03-14T10:00:00Z"}}`
		dir := s.sessionDir("pi", "s")
		must(t, os.MkdirAll(dir, 0o700))
		must(t, os.WriteFile(slotPath(dir, 7), seal([]byte(body)), 0o600))
		st, err := s.Load(ctx, "pi", "s")
		must(t, err)
		if !st.Off || !st.Sealed || st.Epoch != 2 || !st.Compacted("c") || !slices.Equal(st.Shown, []string{"a", "b"}) {
			t.Errorf("%s: %+v", shown, st)
		}
		err = s.Update(ctx, "pi", "s", func(st *State) { st.Shown = append(st.Shown, "c") })
		must(t, err)
		b, err := os.ReadFile(slotPath(dir, 8))
		must(t, err)
		raw, ok := unseal(b)
		var old struct{ State beforeState }
		if err := json.Unmarshal(raw, &old); !ok || err != nil || old.State.V != 1 || !old.State.Off || !old.State.Sealed || old.State.Epoch != 2 {
			t.Errorf("a program of before reads %+v, %v", old.State, err)
		}
		st, err = NewStore(s.dir).Load(ctx, "pi", "s")
		must(t, err)
		if !slices.Equal(st.Shown, []string{"a", "b", "c"}) {
			t.Errorf("then it has shown %q", st.Shown)
		}
	}
}

// TestALaterStateIsLeftAlone: a state of a later version is none to us, and a store
// that has one of each takes the one that it can read.
func TestALaterStateIsLeftAlone(t *testing.T) {
	s := NewStore(t.TempDir())
	dir := s.sessionDir("pi", "s")
	must(t, os.MkdirAll(dir, 0o700))
	must(t, os.WriteFile(slotPath(dir, 8), seal([]byte(`{"seq":8,"state":{"v":2,"off":"for an hour"}}`)), 0o600))
	if _, err := s.Load(t.Context(), "pi", "s"); pimento.KindOf(err) != pimento.KindInternal {
		t.Errorf("read: %v", err)
	}
	must(t, os.WriteFile(slotPath(dir, 7), seal([]byte(`{"seq":7,"state":{"v":1,"harness":"pi","id":"s","off":true}}`)), 0o600))
	if st, err := s.Load(t.Context(), "pi", "s"); err != nil || !st.Off {
		t.Errorf("beside one of ours: %+v, %v", st, err)
	}
}
