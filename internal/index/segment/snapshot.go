package segment

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/pimento-memory/pimento/internal/index"
)

// A grave is a dead page of a segment: it was removed, or lives in a newer
// place. It repeats what must be subtracted, so that nobody has to look.
type grave struct {
	page   uint32 // ordinal
	first  uint32 // its first doc
	docs   uint32 // number of docs
	length uint64 // sum of their Len
}

// A layer is a segment without its dead pages.
type layer struct {
	file *file
	dead []grave // by page
}

func (l *layer) isDead(page uint32) bool {
	_, ok := slices.BinarySearchFunc(l.dead, page, func(g grave, p uint32) int { return cmp.Compare(g.page, p) })
	return ok
}

// find is where the page lives, if it does in this layer.
func (l *layer) find(path string) (page uint32, ok bool) {
	page, ok = l.file.find(path)
	return page, ok && !l.isDead(page)
}

// live is the number of docs, and the sum of their Len, that are not dead.
func (l *layer) live() (docs int, length int64) {
	docs, length = int(l.file.h.docs), int64(l.file.h.length)
	for _, g := range l.dead {
		docs -= int(g.docs)
		length -= int64(g.length)
	}
	return docs, length
}

// A snapshot is one consistent state of the index. It never changes.
type snapshot struct {
	layers []layer       // oldest first; a page lives in one of them or in recent
	recent []*index.Page // by path; the delta, and what could not be stored
	refs   int           // guarded by Index.mu
}

// compose puts a snapshot together from what is stored and what is only known
// here.
func compose(b *base, lo *local) *snapshot {
	s := &snapshot{layers: slices.Clone(b.layers), refs: 1}
	recent := b.recent
	if !lo.empty() {
		recent = maps.Clone(b.recent)
		if recent == nil {
			recent = map[string]*index.Page{}
		}
		paths := lo.paths()
		bury(s.layers, paths)
		for _, path := range paths {
			delete(recent, path)
		}
		maps.Copy(recent, lo.put)
		s.layers = append(s.layers, lo.layers...)
	}
	s.recent = slices.SortedFunc(maps.Values(recent), func(a, b *index.Page) int { return strings.Compare(a.Path, b.Path) })
	return s
}

// A burial is a grave and the layer it is in.
type burial struct {
	layer int
	grave
}

// bury marks the pages of the given paths, each named once, as dead in the
// layers where they live. The layers' slices of graves are replaced, not
// changed: snapshots share them.
func bury(layers []layer, paths []string) (done []burial) {
	for _, path := range paths {
		for i := len(layers) - 1; i >= 0; i-- {
			if page, ok := layers[i].find(path); ok {
				done = append(done, burial{i, layers[i].file.extent(page)})
				break
			}
		}
	}
	dig(layers, done)
	return done
}

// dig adds graves to their layers.
func dig(layers []layer, done []burial) {
	for i := range layers {
		var added []grave
		for _, b := range done {
			if b.layer == i {
				added = append(added, b.grave)
			}
		}
		if len(added) > 0 {
			all := slices.Concat(layers[i].dead, added)
			slices.SortFunc(all, func(a, b grave) int { return cmp.Compare(a.page, b.page) })
			layers[i].dead = all
		}
	}
}

// local is what this process knows and could not store.
type local struct {
	layers  []layer // large changes, as segments in memory
	put     map[string]*index.Page
	removed map[string]bool
}

// paths is every path that lo knows better than what is stored, each once.
func (lo *local) paths() []string {
	var out []string
	for i := range lo.layers {
		l := &lo.layers[i]
		for page := range l.file.h.pages {
			if !l.isDead(page) {
				out = append(out, string(l.file.path(page)))
			}
		}
	}
	out = slices.AppendSeq(out, maps.Keys(lo.put))
	return slices.AppendSeq(out, maps.Keys(lo.removed))
}

// forget takes paths out of lo.
func (lo *local) forget(paths []string) {
	bury(lo.layers, paths)
	for _, path := range paths {
		delete(lo.put, path)
		delete(lo.removed, path)
	}
}

func (lo *local) empty() bool {
	return lo == nil || len(lo.layers)+len(lo.put)+len(lo.removed) == 0
}
