package segment

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"github.com/pimento-memory/pimento/internal/index"
)

// Terms implements [index.Reader].
func (x *Index) Terms(ctx context.Context, prefix string, yield func(term string) bool) error {
	from := prefix
	for n := fewTerms; ; n *= 4 {
		terms, more, err := x.termsFrom(ctx, from, prefix, n)
		if err != nil {
			return err
		}
		for _, t := range terms {
			if !yield(t) {
				return nil
			}
		}
		if !more {
			return nil
		}
		from = terms[len(terms)-1] + "\x00"
	}
}

// fewTerms is how many terms of each layer are read at first: who asks by a
// prefix mostly wants few of many.
const fewTerms = 64

// termsFrom are the terms from a given one on that begin with prefix, in order,
// as far as n terms of each layer tell; more says that there may be others.
func (x *Index) termsFrom(ctx context.Context, from, prefix string, n int) (terms []string, more bool, err error) {
	last := "" // the end of what is known of every layer, when there is more
	err = x.read(ctx, "index.terms", func(s *snapshot) {
		for i := range s.layers {
			start := len(terms)
			terms = s.layers[i].file.termsWith(terms, from, prefix, n)
			if len(terms)-start == n {
				if end := terms[len(terms)-1]; !more || end < last {
					more, last = true, end
				}
			}
		}
		for _, p := range s.recent {
			for i := range p.Docs {
				terms = docTerms(terms, p.Docs[i].Terms, from, prefix)
			}
		}
	})
	slices.Sort(terms)
	terms = slices.Compact(terms)
	if more {
		at, _ := slices.BinarySearch(terms, last)
		terms = terms[:at+1]
	}
	return terms, more, err
}

// docTerms adds those of a doc's terms.
func docTerms(all []string, terms []index.Term, from, prefix string) []string {
	at, _ := slices.BinarySearchFunc(terms, from, func(t index.Term, s string) int { return strings.Compare(t.Text, s) })
	for _, t := range terms[at:] {
		if !strings.HasPrefix(t.Text, prefix) {
			break
		}
		all = append(all, strings.Clone(t.Text))
	}
	return all
}

// termsWith adds the terms from a given one on that begin with prefix, at most n.
func (f *file) termsWith(all []string, from, prefix string, n int) []string {
	lo, hi := 0, f.blocks() // the last block whose first term is < from, or the first
	for lo < hi {
		mid := int(uint(lo+hi) / 2)
		if view(f.first(mid)) < from {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	enough := len(all) + n
	for i := max(lo-1, 0); i < f.blocks(); i++ {
		for c := f.cursor(i); c.next(); {
			switch {
			case view(c.term) < from:
			case !bytes.HasPrefix(c.term, []byte(prefix)):
				return all
			default:
				if all = append(all, string(c.term)); len(all) == enough {
					return all
				}
			}
		}
	}
	return all
}
