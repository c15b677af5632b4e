package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pimento-memory/pimento/internal/corpus"
)

// entriesEach is how many entries a page of the ladder's memories holds.
const entriesEach = 60

// ladder measures questions of 3 and of 12 words to memories of growing size: in a
// process of their own, and asked of a long-lived one.
func (b *bench) ladder() error {
	for _, n := range []int{1_000, 10_000, 100_000, 1_000_000} {
		l := corpus.Layout{Entries: n, Pages: max(10, n/entriesEach)}
		l.Entries -= n % l.Pages
		fmt.Printf("\n%d entries, %d pages\n", l.Entries, l.Pages)
		if err := b.rung(l); err != nil {
			return err
		}
		if err := os.RemoveAll(b.home()); err != nil {
			return err
		}
	}
	return nil
}

func (b *bench) rung(l corpus.Layout) error {
	home := filepath.Join(b.work, fmt.Sprint("ladder-", l.Entries))
	if err := l.Write(filepath.Join(home, ".pi", "agent", "memory")); err != nil {
		return err
	}
	b.dir = filepath.Join(home, "somewhere")
	if err := os.MkdirAll(b.dir, 0o755); err != nil {
		return err
	}
	b.env = []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "PIMENTO_DEADLINE_MS=600000"}
	if err := b.fullBuild(l); err != nil {
		return err
	}
	ps := l.Prompts(2 * (b.runs + 1))
	question := func(i, words int) string {
		all := slices.Concat(contentOf(ps[2*i%len(ps)]), contentOf(ps[(2*i+1)%len(ps)]))
		return strings.Join(all[:min(words, len(all))], " ")
	}
	text := du(filepath.Join(home, ".pi"))
	for _, mode := range []string{"keyword", "hybrid"} {
		for _, words := range []int{3, 12} {
			var args [][]string
			for i := range b.runs + 1 {
				args = append(args, []string{"recall", "--limit", "5", "--mode", mode, question(i, words)})
			}
			c, err := measure(b.runs, b.bin, b.dir, b.env, func(i int) (string, []string) { return "", args[i] })
			if err != nil {
				return err
			}
			b.row(fmt.Sprintf("recall, %d words, %s, one process", words, mode), c)
		}
		if mode == "keyword" {
			size := du(filepath.Join(home, ".cache"))
			fmt.Printf("%-44s %.1f MB for %.1f MB of text, %.2f times\n", "index without vectors", size, text, size/text)
		}
	}
	c, err := measure(0, b.bin, b.dir, b.env, func(int) (string, []string) {
		return "", []string{"recall", "--limit", "5", "--mode", "semantic", "how do we deploy the database"}
	})
	if err != nil {
		return err
	}
	fmt.Printf("%-44s %9.0f %19.0f\n", "vectors of all, and one question", c.cpu, c.wall)
	size := du(filepath.Join(home, ".cache", "pimento", "vectors"))
	fmt.Printf("%-44s %.1f MB, %.0f bytes an entry\n", "vectors", size, size*1e6/float64(l.Entries))
	return b.warm(question)
}

// warm asks a long-lived process.
func (b *bench) warm(question func(i, words int) string) error {
	p, err := b.serve()
	if err != nil {
		return err
	}
	defer p.close()
	for _, words := range []int{3, 12} {
		var took []float64
		for i := range 3 * b.runs {
			_, d, err := p.call("tool", map[string]any{"name": "memory_search", "args": map[string]any{"query": question(i, words), "limit": 5}})
			if err != nil {
				return err
			}
			if i >= b.runs {
				took = append(took, ms(d))
			}
		}
		fmt.Printf("%-44s p50 %.2f ms, p99 %.2f ms\n", fmt.Sprintf("recall, %d words, warm", words), percentile(took, 50), percentile(took, 99))
	}
	return nil
}

// contentOf are the words of a question that are not glue: every second one.
func contentOf(prompt string) (words []string) {
	for i, w := range strings.Fields(strings.TrimSuffix(prompt, "?")) {
		if i%2 == 1 {
			words = append(words, w)
		}
	}
	return words
}
