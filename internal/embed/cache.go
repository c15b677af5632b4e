package embed

import (
	"context"
	"crypto/sha256"
	"fmt"
	"math"
	"sync"

	"github.com/pimento-memory/pimento"
)

// A Key names a text in a [Cache].
type Key [16]byte

// KeyOf is the first half of the text's sha256.
func KeyOf(text string) Key {
	sum := sha256.Sum256([]byte(text))
	return Key(sum[:16])
}

// A Cache is an [Embedder] that remembers, on disk, what another one made of a
// text: unchanged text is not embedded twice. It is for texts that stay, the
// memories; a question goes to the embedder itself, or the cache would grow by
// one row with every prompt.
//
// Rows are kept as one byte a number (docs/FORMATS.md), which moves a cosine by
// about 0.0005. Embed returns what a row says also for a text that is new, so
// that an answer does not depend on what happens to be cached.
//
// The files are derived: all of them can be deleted at any time. Trouble with
// them never fails a call; [Cache.Fault] tells of it.
type Cache struct {
	Embedder
	file *rowFile
	turn chan struct{} // held while texts are embedded, so that two calls do not embed the same one

	mu    sync.Mutex
	rows  map[Key][]int8
	fault error
}

// Cached keeps the vectors of e in a file of its own below dir, which is made
// when there is something to write. Closing the cache closes e.
func Cached(e Embedder, dir string) *Cache {
	info := e.Info()
	return &Cache{Embedder: e, file: newRowFile(dir, info.ID, info.Dim), turn: make(chan struct{}, 1), rows: map[Key][]int8{}}
}

// missesAtOnce is how many texts are embedded before their rows are written, so
// that an interrupted call loses little.
const missesAtOnce = 32

// Embed is [Embedder.Embed], asking the embedder only for what is not cached.
// After an error, what was finished until then is cached all the same.
func (c *Cache) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	keys := make([]Key, len(texts))
	for i, t := range texts {
		keys[i] = KeyOf(t)
	}
	if vecs, missing := c.Lookup(keys); len(missing) == 0 {
		return vecs, nil
	}
	select {
	case c.turn <- struct{}{}:
		defer func() { <-c.turn }()
	case <-ctx.Done():
		return nil, unavailable("embed.cache", c.file.path, "it took too long: try again", ctx.Err())
	}
	c.refresh()
	_, missing := c.Lookup(keys)
	var todo []int
	seen := map[Key]bool{}
	for _, i := range missing {
		if !seen[keys[i]] {
			seen[keys[i]] = true
			todo = append(todo, i)
		}
	}
	for len(todo) > 0 {
		n := min(len(todo), missesAtOnce)
		if err := c.embed(ctx, texts, keys, todo[:n]); err != nil {
			return nil, err
		}
		todo = todo[n:]
	}
	vecs, _ := c.Lookup(keys)
	return vecs, nil
}

// embed embeds the texts at the places in todo and keeps their rows.
func (c *Cache) embed(ctx context.Context, texts []string, keys []Key, todo []int) error {
	part := make([]string, len(todo))
	for i, at := range todo {
		part[i] = texts[at]
	}
	vecs, err := c.Embedder.Embed(ctx, part)
	if err != nil {
		return err
	}
	if len(vecs) != len(part) {
		return unavailable("embed.cache", c.Info().ID, "", fmt.Errorf("%d vectors for %d texts", len(vecs), len(part)))
	}
	fresh := make([]record, len(todo))
	for i, v := range vecs {
		row, err := quantise(v, c.Info().Dim)
		if err != nil {
			return unavailable("embed.cache", c.Info().ID, "", err)
		}
		fresh[i] = record{keys[todo[i]], row}
	}
	err = c.file.append(ctx, fresh)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.fault = err
	for _, r := range fresh {
		c.rows[r.key] = r.row
	}
	return nil
}

// Lookup returns the vectors of the keys as far as they are cached, and the
// places of those that are not. It reads no more than the file, once.
func (c *Cache) Lookup(keys []Key) (vecs [][]float32, missing []int) {
	vecs = make([][]float32, len(keys))
	for i, k := range keys {
		row, ok := c.Row(k)
		if !ok {
			missing = append(missing, i)
			continue
		}
		vecs[i] = vector(row)
	}
	return vecs, missing
}

// Row is the cached row of a key: its direction is the vector's. It is empty
// for a text without a vector, and must not be changed.
func (c *Cache) Row(k Key) (row []int8, ok bool) {
	if !c.file.seen() {
		c.refresh()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	row, ok = c.rows[k]
	return row, ok
}

// Len is how many texts are cached.
func (c *Cache) Len() int {
	c.refresh()
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.rows)
}

// Fault is what the last reading or writing of the file ended with.
func (c *Cache) Fault() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.fault
}

// refresh takes up what this or another process has written since.
func (c *Cache) refresh() {
	fresh, err := c.file.read()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.fault = err
	if len(c.rows) == 0 && len(fresh) > 0 {
		c.rows = make(map[Key][]int8, len(fresh))
	}
	for _, r := range fresh {
		c.rows[r.key] = r.row
	}
}

// quantise rounds a vector to whole numbers from -127 to 127, its largest one
// becoming 127. No scale is kept, because the length is known to be 1.
func quantise(v []float32, dim int) ([]int8, error) {
	if v == nil {
		return nil, nil
	}
	if len(v) != dim {
		return nil, fmt.Errorf("a vector of %d numbers from a model of %d", len(v), dim)
	}
	most := 0.0
	for _, x := range v {
		most = max(most, math.Abs(float64(x)))
	}
	if !(most > 0) || math.IsInf(most, 0) {
		return nil, fmt.Errorf("a vector without a direction")
	}
	row := make([]int8, dim)
	for i, x := range v {
		row[i] = int8(math.Round(float64(x) / most * 127))
	}
	return row, nil
}

// vector is the vector of length 1 that a row stands for.
func vector(row []int8) []float32 {
	if len(row) == 0 {
		return nil
	}
	sum := 0
	for _, x := range row {
		sum += int(x) * int(x)
	}
	scale := float32(1 / math.Sqrt(float64(sum)))
	v := make([]float32, len(row))
	for i, x := range row {
		v[i] = float32(x) * scale
	}
	return v
}

// unavailable is the error of an embedder that cannot answer now.
func unavailable(op, path, hint string, err error) error {
	return &pimento.Error{Op: op, Path: path, Kind: pimento.KindUnavailable, Hint: hint, Err: err}
}
