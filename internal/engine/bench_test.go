package engine_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/corpus"
	"github.com/pimento-memory/pimento/internal/engine"
	"github.com/pimento-memory/pimento/internal/vault"
)

// benchHome lays a simulated memory out as a user's global one and indexes it.
func benchHome(b *testing.B, l corpus.Layout) engine.Options {
	b.Helper()
	home := b.TempDir()
	dirs := vault.DirsFrom(home, func(string) string { return "" })
	if err := l.Write(dirs.Global); err != nil {
		b.Fatal(err)
	}
	dir := filepath.Join(home, "somewhere")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		b.Fatal(err)
	}
	opt := engine.Options{Dirs: dirs, Dir: dir, Now: time.Now, Deadline: time.Minute}
	if l.Triples > 0 {
		opt.Profile = "mind"
	}
	e, err := engine.Open(opt)
	if err != nil {
		b.Fatal(err)
	}
	e.Status(context.Background(), "")
	if err := e.Close(); err != nil {
		b.Fatal(err)
	}
	return opt
}

var layouts = []corpus.Layout{
	{Name: "10k-2000pages", Entries: 10_000, Pages: 2_000},
	{Name: "10k-10000pages", Entries: 10_000, Pages: 10_000},
	{Name: "100k-1600pages", Entries: 100_000, Pages: 1_600},
	{Name: "10k-knowledge", Entries: 10_000, Pages: 10_000, Triples: 10},
	{Name: "10k-knowledge-2", Entries: 10_000, Pages: 10_000, Triples: 2},
}

// BenchmarkTurn is one prompt: served is a long-lived child with a watcher,
// oneshot opens and closes everything as a hook process does, start-up of the
// process apart.
func BenchmarkTurn(b *testing.B) {
	for _, l := range layouts {
		b.Run(l.Name, func(b *testing.B) {
			opt := benchHome(b, l)
			ps := l.Prompts(64)
			if l.Triples > 0 {
				for i := range ps { // so that relations are looked for, too
					ps[i] = "what does " + corpus.Thing(i*997) + " depend on, " + ps[i]
				}
			}
			turn := func(e *engine.Engine, i int) {
				r := e.Turn(context.Background(), pimento.Turn{Event: pimento.PromptTurn, Harness: "pi", Session: "bench",
					Prompt: ps[i%len(ps)], InContext: []string{}})
				r.After(context.Background())
				if r.Block.Tail == "" {
					b.Fatalf("no hits: %v", r.Block.Faults)
				}
			}
			b.Run("served", func(b *testing.B) {
				opt.Serve = true
				e, err := engine.Open(opt)
				if err != nil {
					b.Fatal(err)
				}
				defer e.Close()
				turn(e, 0)
				for i := 0; b.Loop(); i++ {
					turn(e, i)
				}
			})
			b.Run("oneshot", func(b *testing.B) {
				opt.Serve = false
				for i := 0; b.Loop(); i++ {
					e, err := engine.Open(opt)
					if err != nil {
						b.Fatal(err)
					}
					turn(e, i)
					if err := e.Close(); err != nil {
						b.Fatal(err)
					}
				}
			})
		})
	}
}

// BenchmarkFullBuild indexes a memory from nothing.
func BenchmarkFullBuild(b *testing.B) {
	for _, l := range slices.Delete(slices.Clone(layouts), 1, 3) {
		b.Run(l.Name, func(b *testing.B) {
			opt := benchHome(b, l)
			for b.Loop() {
				if err := os.RemoveAll(opt.Dirs.Cache); err != nil {
					b.Fatal(err)
				}
				e, err := engine.Open(opt)
				if err != nil {
					b.Fatal(err)
				}
				e.Status(context.Background(), "")
				if err := e.Close(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(l.Entries)*float64(b.N)/b.Elapsed().Seconds(), "entries/s")
		})
	}
}
