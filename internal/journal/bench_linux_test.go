package journal

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/cputime"
)

// hundredThousand makes a journal of 100,000 events, a table for all but the
// last of them, and a tail just under the bound.
func hundredThousand(b *testing.B) string {
	j, dir := fresh(b)
	many(b, j, 100_000)
	if _, err := os.Stat(filepath.Join(dir, "snapshot")); err != nil {
		b.Fatal(err)
	}
	var tail []pimento.Event
	for n := range 450 {
		e := ev(b, pimento.Injected, 200_000+n)
		e.Statement, e.Page, e.Scope, e.Session = st(n), "MEMORY.md", pimento.Project, "5f2b1c1e-8f4e-4d35-a7a3-0e8f9f4f2f11"
		tail = append(tail, e)
	}
	must(b, j.Note(context.Background(), tail))
	return dir
}

func BenchmarkCold(b *testing.B) {
	dir, ctx := hundredThousand(b), context.Background()
	sts := make([]pimento.Statement, 20)
	for i := range sts {
		sts[i] = st(i * 1600)
	}
	b.ReportAllocs()
	defer cputime.Report(b)()
	for b.Loop() {
		j, _ := Open(dir)
		got, err := j.Records(ctx, sts)
		if err != nil || len(got) != len(sts) {
			b.Fatal(len(got), err)
		}
		b.ReportMetric(float64(len(j.view.ops)), "tail-events")
		j.Close()
	}
}

func BenchmarkWarm(b *testing.B) {
	j, ctx := open(b, hundredThousand(b)), context.Background()
	sts := make([]pimento.Statement, 20)
	for i := range sts {
		sts[i] = st(i * 1600)
	}
	defer cputime.Report(b)()
	for b.Loop() {
		if _, err := j.Records(ctx, sts); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPending(b *testing.B) {
	dir, ctx := hundredThousand(b), context.Background()
	defer cputime.Report(b)()
	for b.Loop() {
		j, _ := Open(dir)
		if _, err := j.Pending(ctx); err != nil {
			b.Fatal(err)
		}
		j.Close()
	}
}

func BenchmarkMarkAndSelect(b *testing.B) {
	j, ctx := open(b, hundredThousand(b)), context.Background()
	defer cputime.Report(b)()
	for b.Loop() {
		m, err := j.Mark(ctx)
		if err == nil {
			_, err = j.Select(ctx, m, nil, func(pimento.Event) {})
		}
		if err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkNote(b *testing.B) {
	j, ctx := open(b, hundredThousand(b)), context.Background()
	n := 0
	defer cputime.Report(b)()
	for b.Loop() {
		n++
		e := ev(b, pimento.Used, n)
		e.ID = fmt.Sprint("note", n)
		must(b, j.Note(ctx, []pimento.Event{e}))
	}
}

// BenchmarkAppend is an acknowledged write's share: locked, and synced to the disk.
func BenchmarkAppend(b *testing.B) {
	j, ctx := open(b, hundredThousand(b)), context.Background()
	n := 0
	defer cputime.Report(b)()
	for b.Loop() {
		n++
		e := ev(b, pimento.Used, n)
		e.ID = fmt.Sprint("note", n)
		must(b, j.Append(ctx, []pimento.Event{e}))
	}
}

func BenchmarkTable(b *testing.B) {
	j := open(b, hundredThousand(b))
	defer cputime.Report(b)()
	for b.Loop() {
		snapshot(b, j)
	}
}

func BenchmarkNoTable(b *testing.B) {
	dir, ctx := hundredThousand(b), context.Background()
	must(b, os.Remove(filepath.Join(dir, "snapshot")))
	defer cputime.Report(b)()
	for b.Loop() {
		j, _ := Open(dir)
		if _, err := j.Records(ctx, nil); err != nil {
			b.Fatal(err)
		}
		j.Close()
	}
}
