package eval

import (
	"context"
	"errors"
	"os"

	"github.com/pimento-memory/pimento/internal/embed"
	"github.com/pimento-memory/pimento/internal/index/segment"
)

// Open indexes a corpus in a directory of its own and makes its vectors, so that
// what is measured is what recall does with memories on disk. A nil embedder means
// none, and no synonyms either. The caller closes, which removes the directory; so
// does an error.
func (c *Corpus) Open(ctx context.Context, dir string, e embed.Embedder) (r *Ranker, closer func() error, err error) {
	idx, err := segment.Open(ctx, dir, segment.Options{})
	if err != nil {
		return nil, nil, errors.Join(err, os.RemoveAll(dir))
	}
	r = &Ranker{Corpus: c, Reader: idx, K: 50, Floor: DefaultFloor}
	closer = func() error { return errors.Join(idx.Close(), r.Vectors.Close(), os.RemoveAll(dir)) }
	if err = c.Fill(ctx, idx); err == nil {
		err = idx.Compact(ctx)
	}
	if err == nil && e != nil {
		r.Lexicon = embed.NewStatic()
		r.Vectors, err = c.Embed(ctx, dir, e, r.Lexicon)
	}
	if err != nil {
		closer()
		return nil, nil, err
	}
	return r, closer, nil
}
