package eval

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/embed"
	"github.com/pimento-memory/pimento/internal/index/vectors"
	"github.com/pimento-memory/pimento/internal/recall"
)

// Vectors are those of a corpus.
type Vectors struct {
	embedder embed.Embedder
	stores   map[string]*vectors.Store // by the ID of their embedder
}

// vectorsDir is where they are, below an index.
const vectorsDir = "vectors"

// Embed makes the vectors of all entries by each embedder, in a directory. The first
// one is what a user would have chosen.
func (c *Corpus) Embed(ctx context.Context, dir string, by ...embed.Embedder) (*Vectors, error) {
	var sts []pimento.Statement
	var texts []string
	for _, en := range c.entries {
		sts, texts = append(sts, en.Statement), append(texts, entrySaid(en))
	}
	v := &Vectors{by[0], map[string]*vectors.Store{}}
	for _, e := range by {
		id := e.Info().ID
		if v.stores[id] != nil {
			continue
		}
		store, err := vectors.Open(ctx, filepath.Join(dir, vectorsDir), id, e.Info().Dim)
		if err != nil {
			return v, err
		}
		v.stores[id] = store
		vs, err := e.Embed(ctx, texts)
		if err != nil {
			return v, err
		}
		_ = store.Add(ctx, vectors.Batch{Statements: sts, Vectors: vs, Mark: 1}) // what cannot be stored holds for this process
	}
	return v, nil
}

// Close releases the files.
func (v *Vectors) Close() (err error) {
	if v != nil {
		for _, s := range v.stores {
			err = errors.Join(err, s.Close())
		}
	}
	return err
}

// serve lets questions use the vectors; v may be nil.
func (v *Vectors) serve(root *recall.Source, opts *recall.Options) {
	if v != nil {
		root.Near = func(ctx context.Context, by embed.Embedder, q []float32, n int) ([]vectors.Near, error) {
			return v.stores[by.Info().ID].Nearest(ctx, q, n)
		}
		opts.Embedder = func(context.Context) (embed.Embedder, error) { return v.embedder, nil }
	}
}

// entrySaid is what a vector is made of. The heading of a foreign entry holds its
// author and date, see [Corpus.entry]; its page is its section.
func entrySaid(en pimento.Entry) string {
	en.Heading = ""
	return recall.Said(en)
}
