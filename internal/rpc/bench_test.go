package rpc_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/pimento-memory/pimento/internal/corpus"
	"github.com/pimento-memory/pimento/internal/engine"
	"github.com/pimento-memory/pimento/internal/rpc"
	"github.com/pimento-memory/pimento/internal/vault"
)

// BenchmarkPrompt is one prompt through the child's protocol, on a memory of
// 10,000 entries.
func BenchmarkPrompt(b *testing.B) {
	l := corpus.Layout{Entries: 10_000, Pages: 2_000}
	home := b.TempDir()
	dirs := vault.DirsFrom(home, func(string) string { return "" })
	if err := l.Write(dirs.Global); err != nil {
		b.Fatal(err)
	}
	dir := filepath.Join(home, "somewhere")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		b.Fatal(err)
	}
	open := func(dir string) (*engine.Engine, error) {
		return engine.Open(engine.Options{Dirs: dirs, Dir: dir, Now: time.Now, Deadline: time.Minute, Serve: true})
	}
	toChild, in := io.Pipe()
	out, fromChild := io.Pipe()
	served := make(chan error, 1)
	go func() {
		served <- rpc.Serve(context.Background(), toChild, fromChild, open, "bench")
		fromChild.Close()
	}()
	replies, enc, ps := bufio.NewReaderSize(out, 1<<20), json.NewEncoder(in), l.Prompts(64)
	prompt := func(i int) {
		err := enc.Encode(map[string]any{"id": i + 1, "op": "turn", "v": 1, "turn": map[string]any{"event": "prompt", "harness": "pi",
			"session": "bench", "cwd": dir, "prompt": ps[i%len(ps)], "in_context": []string{}}})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := replies.ReadSlice('\n'); err != nil {
			b.Fatal(err)
		}
	}
	prompt(0)
	for i := 0; b.Loop(); i++ {
		prompt(i)
	}
	in.Close()
	if err := <-served; err != nil {
		b.Fatal(err)
	}
}
