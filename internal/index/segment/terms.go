package segment

import (
	"bytes"
	"context"
	"slices"
	"strings"
)

// Terms implements [index.Reader].
func (x *Index) Terms(ctx context.Context, prefix string, yield func(term string) bool) error {
	var all []string
	err := x.read(ctx, "index.terms", func(s *snapshot) {
		for i := range s.layers {
			all = s.layers[i].file.termsWith(all, prefix)
		}
		for _, p := range s.recent {
			for i := range p.Docs {
				for _, t := range p.Docs[i].Terms {
					if strings.HasPrefix(t.Text, prefix) {
						all = append(all, strings.Clone(t.Text))
					}
				}
			}
		}
	})
	if err != nil {
		return err
	}
	slices.Sort(all)
	for _, t := range slices.Compact(all) {
		if !yield(t) {
			return nil
		}
	}
	return nil
}

// termsWith adds the terms that begin with prefix.
func (f *file) termsWith(all []string, prefix string) []string {
	lo, hi := 0, f.blocks() // the last block whose first term is < prefix, or the first
	for lo < hi {
		mid := int(uint(lo+hi) / 2)
		if view(f.first(mid)) < prefix {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	for i := max(lo-1, 0); i < f.blocks(); i++ {
		for c := f.cursor(i); c.next(); {
			switch {
			case bytes.HasPrefix(c.term, []byte(prefix)):
				all = append(all, string(c.term))
			case view(c.term) > prefix:
				return all
			}
		}
	}
	return all
}
