package eval

import (
	"context"
	"path/filepath"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/embed"
	"github.com/pimento-memory/pimento/internal/index/vectors"
	"github.com/pimento-memory/pimento/internal/recall"
)

// Vectors are those of a corpus.
type Vectors struct {
	embedder embed.Embedder
	store    *vectors.Store
}

// vectorsDir is where they are, below an index.
const vectorsDir = "vectors"

// Embed makes the vectors of all entries, in a directory.
func (c *Corpus) Embed(ctx context.Context, e embed.Embedder, dir string) (*Vectors, error) {
	store, err := vectors.Open(ctx, filepath.Join(dir, vectorsDir), e.Info().ID, e.Info().Dim)
	if err != nil {
		return nil, err
	}
	var sts []pimento.Statement
	var texts []string
	for _, en := range c.entries {
		sts, texts = append(sts, en.Statement), append(texts, entrySaid(en))
	}
	vs, err := e.Embed(ctx, texts)
	if err == nil {
		_ = store.Add(ctx, vectors.Batch{Statements: sts, Vectors: vs, Mark: 1}) // what cannot be stored holds for this process
	}
	return &Vectors{e, store}, err
}

// Close releases the files.
func (v *Vectors) Close() error {
	if v == nil {
		return nil
	}
	return v.store.Close()
}

// serve lets questions use the vectors; v may be nil.
func (v *Vectors) serve(root *recall.Source, opts *recall.Options) {
	if v != nil {
		root.Near = v.store.Nearest
		opts.Embedder = func(context.Context) (embed.Embedder, error) { return v.embedder, nil }
	}
}

// entrySaid is what a vector is made of. The heading of a foreign entry holds its
// author and date, see [Corpus.entry]; its page is its section.
func entrySaid(en pimento.Entry) string {
	en.Heading = ""
	return recall.Said(en)
}
