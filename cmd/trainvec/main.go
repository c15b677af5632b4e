// Command trainvec trains the word vectors that are built into pimento
// (internal/embed/static.vec) from documentation under permissive licences. See
// README.md beside it for the sources, the method and what was measured.
//
//	go run ./cmd/trainvec -cache DIR                   trains the table anew
//	go run ./cmd/trainvec -eval eval/codemem           measures the built-in one
package main

import (
	"cmp"
	"flag"
	"log"
	"os"
	"path/filepath"

	"github.com/pimento-memory/pimento/internal/embed"
)

func main() {
	log.SetFlags(log.Ltime)
	o := defaults()
	cache := flag.String("cache", filepath.Join(os.TempDir(), "trainvec"), "directory for what is downloaded and extracted")
	out := flag.String("out", "internal/embed/static.vec", "file to write")
	eval := flag.String("eval", "", "directory of projects with facts, daily and questions.jsonl: measure, do not train")
	table := flag.String("table", "", "table to measure, instead of -out")
	o.flags(flag.CommandLine)
	flag.Parse()
	if err := do(*cache, *out, *eval, *table, o); err != nil {
		log.Fatal(err)
	}
}

func do(cache, out, eval, file string, o options) error {
	if eval != "" {
		b, err := os.ReadFile(cmp.Or(file, out))
		if err != nil {
			return err
		}
		e, err := embed.OpenStatic(string(b))
		if err != nil {
			return err
		}
		return evaluate(os.Stdout, e, eval)
	}
	sources, err := readSources(sourceList)
	if err != nil {
		return err
	}
	for _, dir := range []string{"npm", "deb", "gomod", proseDir} {
		if err := os.MkdirAll(filepath.Join(cache, dir), 0o755); err != nil {
			return err
		}
	}
	b, err := train(sources, cache, o)
	if err != nil {
		return err
	}
	log.Printf("%s: %.2f MB", out, float64(len(b))/1e6)
	return os.WriteFile(out, b, 0o644)
}
