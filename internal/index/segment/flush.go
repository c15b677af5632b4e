package segment

import (
	"context"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/index"
)

const (
	// fanout is how many segments of about one size there are before they are
	// merged, and by how much sizes differ that are not about the same. A doc is
	// written again once for each size it grows through.
	fanout = 4
	// maxLayers is how many segments there may be, whatever a merge costs.
	maxLayers = 12
	// chunk is how many docs are built at once, which bounds memory.
	chunk = 16 << 10
)

// buildLayers makes segments in memory of pages sorted by path.
func buildLayers(pages []index.Page, gen uint64) (out []layer) {
	for len(pages) > 0 {
		n, docs := 0, 0
		for n < len(pages) && (docs == 0 || len(pages[n].Docs) == 0 || docs+len(pages[n].Docs) <= chunk) {
			docs += len(pages[n].Docs) // pages without docs, as marks are, go with any: a layer less to merge
			n++
		}
		out = append(out, inMemory(build(pages[:n], gen)))
		pages = pages[n:]
	}
	return out
}

func inMemory(data []byte) layer {
	f, err := newFile(data, nil)
	if err != nil {
		panic(err) // we have just written it
	}
	return layer{file: f}
}

// flush makes a segment of the delta and the change, merges it with its
// neighbours, and puts a new CURRENT in place. free lifts the bound on what is
// merged.
func (x *Index) flush(c changeset, free bool) error {
	b := x.base
	sources := slices.Clone(b.layers)
	recent := maps.Clone(b.recent)
	if recent == nil {
		recent = map[string]*index.Page{}
	}
	paths := (&local{layers: c.layers}).paths()
	paths = append(paths, c.remove...)
	for i := range c.put {
		paths = append(paths, c.put[i].Path)
	}
	bury(sources, paths)
	for _, path := range paths {
		delete(recent, path)
	}
	pages := slices.Clone(c.put)
	for _, p := range recent {
		pages = append(pages, *p)
	}
	slices.SortFunc(pages, func(a, b index.Page) int { return strings.Compare(a.Path, b.Path) })
	sources = slices.DeleteFunc(sources, func(l layer) bool { return len(l.dead) == int(l.file.h.pages) })
	stored, gen := len(sources), x.nextGen()
	sources = append(sources, c.layers...)
	sources = append(sources, buildLayers(pages, gen)...)
	return x.commit(gen, sources, x.pick(sources, stored, free))
}

// pick decides what is merged: all sources from the result on. The first stored
// ones are on disk.
func (x *Index) pick(sources []layer, stored int, free bool) int {
	from, total := stored, 0
	for i := stored; i < len(sources); i++ {
		n, _ := sources[i].live()
		total += n
	}
	for from > 0 {
		// The run of segments before from that are not larger than what is new; if
		// it is merged, the result may be the one more that a run of larger ones lacks.
		i, sum, rotten := from, total, false
		for i > 0 {
			n, _ := sources[i-1].live()
			decayed := free && 2*n < int(sources[i-1].file.h.docs)
			if !decayed && size(n) > size(total) || !free && sum+n > x.opt.MergeDocs {
				break
			}
			i, sum, rotten = i-1, sum+n, rotten || decayed
		}
		if i == from || !rotten && from-i+1 < fanout {
			break
		}
		from, total = i, sum
	}
	if from >= maxLayers { // too many: the newest half, at least
		from = maxLayers / 2
	}
	return from
}

// size is the order of magnitude of n docs, to the base of fanout.
func size(n int) (s int) {
	for ; n > 60; n /= fanout {
		s++
	}
	return s
}

// nextGen is an unused generation; the one after it is unused, too. A new index
// starts at random, so that files of an earlier one are never taken for its own.
func (x *Index) nextGen() uint64 {
	if x.base.cur == nil {
		return rand.Uint64() >> 8
	}
	return x.base.cur.gen + 1
}

// commit stores sources[from:] as one segment and makes it, with the segments
// before it, the index. Until the new CURRENT is in place nothing has changed
// for anybody.
func (x *Index) commit(gen uint64, sources []layer, from int) (err error) {
	cur := &current{gen: gen + 1}
	for _, l := range sources[:from] {
		cur.segments = append(cur.segments, member{l.file.h.gen, l.file.h.size, l.file.check, l.dead})
	}
	var made []string
	defer func() {
		if err != nil {
			for _, name := range made {
				os.Remove(name)
			}
		}
	}()
	write := func(name string, data []byte) error {
		made = append(made, name)
		return os.WriteFile(name, data, 0o600)
	}
	if data := combine(sources[from:], gen); data != nil {
		h, err := decodeHeader(data, int64(len(data)))
		if err != nil {
			return err
		}
		cur.segments = append(cur.segments, member{gen: h.gen, size: h.size, check: le.Uint32(data[headerSize-4:])})
		if err := write(x.segmentPath(gen), data); err != nil {
			return err
		}
	}
	if err := write(x.deltaPath(cur.gen), deltaHeader(cur.gen)); err != nil {
		return err
	}
	tmp := filepath.Join(x.dir, currentName+".tmp")
	if err := write(tmp, cur.encode()); err != nil {
		return err
	}
	if x.base.cur != nil && !x.base.closed {
		if err := x.appendDelta(x.base, closedRecord()); err != nil {
			return err
		}
	}
	if err := os.Rename(tmp, x.currentPath()); err != nil {
		return err
	}
	made = nil
	x.sweep(cur)
	_, err = x.reload()
	return err
}

// combine is the bytes of one segment of all that lives in the layers, nil if
// nothing does.
func combine(layers []layer, gen uint64) []byte {
	if len(layers) == 1 && layers[0].file.h.gen == gen && len(layers[0].dead) == 0 {
		return layers[0].file.data
	}
	pages := 0
	for i := range layers {
		pages += int(layers[i].file.h.pages) - len(layers[i].dead)
	}
	if pages == 0 {
		return nil
	}
	return merge(layers, gen)
}

// sweep deletes the files of earlier generations, and what a killed writer left
// behind. Who has them open keeps them.
func (x *Index) sweep(cur *current) {
	keep := map[string]bool{filepath.Base(x.deltaPath(cur.gen)): true}
	for _, m := range cur.segments {
		keep[filepath.Base(x.segmentPath(m.gen))] = true
	}
	entries, err := os.ReadDir(x.dir)
	if err != nil {
		return // the next writer sweeps
	}
	for _, e := range entries {
		switch filepath.Ext(e.Name()) {
		case ".seg", ".log", ".tmp":
			if !keep[e.Name()] {
				os.Remove(filepath.Join(x.dir, e.Name()))
			}
		}
	}
}

// Compact merges everything into one segment without dead pages. A large memory
// profits from it after many changes; a good time is after an answer. It does
// nothing when there is nothing to gain.
func (x *Index) Compact(ctx context.Context) error {
	const op = "index.compact"
	if err := ctx.Err(); err != nil {
		return fault(op, x.dir, pimento.KindUnavailable, err)
	}
	x.change.Lock()
	defer x.change.Unlock()
	if x.isClosed() {
		return fault(op, x.dir, pimento.KindInternal, os.ErrClosed)
	}
	err := x.attempt(func() error {
		if err := x.acquireLock(ctx); err != nil {
			return err
		}
		defer x.lock.Unlock()
		if _, err := x.reload(); err != nil {
			return err
		}
		b := x.base
		if x.local.empty() && len(b.recent) == 0 && (len(b.layers) == 0 || len(b.layers) == 1 && len(b.layers[0].dead) == 0) {
			return nil
		}
		if err := x.compact(); err != nil {
			return err
		}
		x.local = &local{}
		x.publish()
		return nil
	})
	if err != nil {
		return fault(op, x.dir, pimento.KindUnavailable, err)
	}
	return nil
}

// compact is flush with everything merged.
func (x *Index) compact() error {
	if err := x.flush(x.changeset(nil, nil), true); err != nil {
		return err
	}
	if n := len(x.base.layers); n == 0 || n == 1 && len(x.base.layers[0].dead) == 0 {
		return nil
	}
	return x.commit(x.nextGen(), x.base.layers, 0)
}
