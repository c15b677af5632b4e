package session

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/cputime"
)

func trace(n int) pimento.Trace {
	return pimento.Trace{V: 1, ID: fmt.Sprintf("01ARZ3NDEKTSV4RRFFQ69%05d", n), Time: day(1),
		Session: fmt.Sprint("s", n%3), Block: pimento.Block{Prefix: "p", Tail: fmt.Sprint(n)}}
}

// The last of a session is that of a block, whatever was asked since.
func TestLastIsNoQuestion(t *testing.T) {
	tr := NewTraces(t.TempDir())
	must(t, tr.Add(t.Context(), trace(0)))
	asked := trace(3)
	asked.Recall = &pimento.Recalled{Question: "q"}
	must(t, tr.Add(t.Context(), asked))
	for _, id := range []string{"", "s0"} {
		if last, ok, err := tr.Last(t.Context(), id); !ok || err != nil || last.ID != trace(0).ID {
			t.Error(id, last, ok, err)
		}
	}
}

func TestTraces(t *testing.T) {
	ctx := context.Background()
	tr := NewTraces(filepath.Join(t.TempDir(), "x", "traces"))
	if l, err := tr.List(ctx, 0); l != nil || err != nil {
		t.Fatal(l, err)
	}
	if _, ok, err := tr.Last(ctx, ""); ok || err != nil {
		t.Fatal(ok, err)
	}
	for n := range MaxTraces + 30 {
		must(t, tr.Add(ctx, trace(n)))
	}
	l, err := tr.List(ctx, 0)
	must(t, err)
	if len(l) > MaxTraces || len(l) <= MaxTraces-segmentLines || l[0].Block.Tail != "229" {
		t.Fatal(len(l))
	}
	for i, x := range l {
		if x.Block.Tail != fmt.Sprint(229-i) {
			t.Fatal(i, x.Block.Tail)
		}
	}
	if l, _ := tr.List(ctx, 3); len(l) != 3 || l[2].Block.Tail != "227" {
		t.Fatal(l)
	}
	if diff := cmp.Diff(trace(100), l[129]); diff != "" {
		t.Fatal(diff)
	}
	if last, ok, err := tr.Last(ctx, "s0"); !ok || err != nil || last.Block.Tail != "228" {
		t.Fatal(last, ok, err)
	}
	if last, ok, _ := tr.Last(ctx, ""); !ok || last.Block.Tail != "229" {
		t.Fatal(last)
	}
	if last, ok, _ := tr.Last(ctx, "none"); ok || last.ID != "" {
		t.Fatal(last)
	}
}

func TestTraceBytes(t *testing.T) {
	ctx := context.Background()
	tr := NewTraces(t.TempDir())
	for n := range 20 {
		x := trace(n)
		x.Block.Prefix = strings.Repeat("x", 1<<20)
		must(t, tr.Add(ctx, x))
		var size int64
		files, err := os.ReadDir(tr.dir)
		must(t, err)
		for _, f := range files {
			info, err := f.Info()
			must(t, err)
			size += info.Size()
		}
		if size > MaxTraceBytes {
			t.Fatal(n, size, len(files))
		}
	}
	if l, _ := tr.List(ctx, 0); len(l) != 7 || l[0].ID != trace(19).ID || l[6].ID != trace(13).ID {
		t.Fatal(len(l))
	}
	huge := trace(99)
	huge.Block.Prefix = strings.Repeat("x", MaxTraceBytes)
	wantKindOf(t, tr.Add(ctx, huge), pimento.KindRefused)
	huge.Block.Prefix = huge.Block.Prefix[:MaxTraceBytes-1000]
	must(t, tr.Add(ctx, huge))
	if l, err := tr.List(ctx, 0); len(l) != 1 || err != nil {
		t.Fatal(len(l), err)
	}
}

func wantKindOf(t *testing.T, err error, kind pimento.ErrorKind) {
	t.Helper()
	if err == nil || pimento.KindOf(err) != kind {
		t.Fatal(err)
	}
}

func TestOddTraces(t *testing.T) {
	ctx := context.Background()
	tr := NewTraces(t.TempDir())
	odd := []string{"", "a/b", "..", "a\x00", strings.Repeat("x", 1000), "x0", "lower-case"}
	for _, id := range odd {
		must(t, tr.Add(ctx, pimento.Trace{ID: id, Prompt: "p" + id}))
	}
	all, err := tr.List(ctx, 0)
	must(t, err)
	for i, got := range all {
		if want := odd[len(odd)-1-i]; got.ID != want || got.Prompt != "p"+want || len(all) != len(odd) {
			t.Fatalf("%.20q: %+v", want, got)
		}
	}
	// What a crash or somebody else left there is passed over.
	for name, text := range map[string]string{"trace-x.jsonl": "{}", "notes.txt": "?", "trace-1.jsonl": "{}", "trace-000000000099.jsonl": ""} {
		must(t, os.WriteFile(filepath.Join(tr.dir, name), []byte(text), 0o600))
	}
	l, err := tr.List(ctx, 2)
	if err != nil || len(l) != 2 || l[0].ID != "lower-case" {
		t.Fatal(l, err)
	}
	must(t, tr.Add(ctx, trace(1)))
	if last, ok, _ := tr.Last(ctx, ""); !ok || last.ID != trace(1).ID {
		t.Fatal(last)
	}
}

func TestTornTrace(t *testing.T) {
	ctx := context.Background()
	tr := NewTraces(t.TempDir())
	must(t, tr.Add(ctx, trace(1)))
	name := filepath.Join(tr.dir, "trace-000000000001.jsonl")
	keep, err := os.ReadFile(name)
	must(t, err)
	must(t, tr.Add(ctx, trace(2)))
	whole, err := os.ReadFile(name)
	must(t, err)
	for cut := 0; cut < len(whole); cut++ {
		if cut > 20 && cut < len(keep)-20 || cut > len(keep)+20 && cut < len(whole)-20 {
			continue
		}
		must(t, os.RemoveAll(tr.dir))
		must(t, os.Mkdir(tr.dir, 0o700))
		must(t, os.WriteFile(name, whole[:cut], 0o600))
		must(t, tr.Add(ctx, trace(3)))
		l, err := tr.List(ctx, 0)
		want := 1
		if cut >= len(keep) {
			want = 2
		}
		if err != nil || len(l) != want || l[0].ID != trace(3).ID {
			t.Fatal(cut, l, err)
		}
	}
}

func TestTracesFromManyAtOnce(t *testing.T) {
	ctx := context.Background()
	tr := NewTraces(t.TempDir())
	done := make(chan error)
	for g := range 4 {
		go func() {
			var err error
			for i := range 100 {
				if err == nil {
					err = NewTraces(tr.dir).Add(ctx, trace(g*100+i))
				}
				if err == nil && i%20 == 0 {
					_, err = tr.List(ctx, 5)
				}
			}
			done <- err
		}()
	}
	for range 4 {
		must(t, <-done)
	}
	must(t, tr.Add(ctx, trace(999)))
	l, err := tr.List(ctx, 0)
	seen := map[string]bool{}
	for _, x := range l {
		seen[x.ID] = true
	}
	if err != nil || len(seen) != len(l) || len(l) > MaxTraces || len(l) <= MaxTraces-segmentLines || l[0].ID != trace(999).ID {
		t.Fatal(len(l), len(seen), err)
	}
}

func BenchmarkAdd(b *testing.B) {
	ctx := context.Background()
	tr := NewTraces(b.TempDir())
	x := trace(1)
	x.Block.Prefix, x.Block.Tail = strings.Repeat("prefix text\n", 800), strings.Repeat("tail\n", 200)
	for n := range 60 {
		x.Block.Trace = append(x.Block.Trace, pimento.Decision{Entry: fmt.Sprintf("%016x", n), Page: "topics/build.md", Decision: "full", Reason: "budget"})
	}
	for range MaxTraces {
		must(b, tr.Add(ctx, x))
	}
	defer cputime.Report(b)()
	for b.Loop() {
		must(b, tr.Add(ctx, x))
	}
}

func BenchmarkFrozen(b *testing.B) {
	ctx := context.Background()
	s := NewStore(b.TempDir())
	k := Key{Harness: "pi", Session: "s"}
	_, _, err := s.Freeze(ctx, k, func() (Frozen, error) { return Frozen{Prefix: strings.Repeat("prefix text\n", 800)}, nil })
	must(b, err)
	defer cputime.Report(b)()
	for b.Loop() {
		if _, ok, _ := s.Frozen(ctx, k); !ok {
			b.Fatal("gone")
		}
	}
}

func BenchmarkUpdate(b *testing.B) {
	ctx := context.Background()
	s := NewStore(b.TempDir())
	defer cputime.Report(b)()
	for b.Loop() {
		err := s.Update(ctx, "pi", "s", func(st *State) { st.Epoch++ })
		must(b, err)
	}
}
