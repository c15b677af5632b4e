package recall

import (
	"slices"
	"strings"

	"github.com/pimento-memory/pimento"
)

// explain says what the index's share of a hit's score is made of. The index
// keeps no parts of scores, so its own score is divided among the fields as if
// the entry held each term once.
func (a *asking) explain(c *candidate) {
	m := &c.match
	c.why.add("neighbour", float64(m.Near))
	c.why.add("page", float64(m.Score-m.Own-m.Near))
	part := func(i int) float64 {
		if m.Held>>i&1 == 0 {
			return 0
		}
		return float64(a.part(i, m))
	}
	sum := 0.0
	for i := range a.query.Terms {
		sum += part(i)
	}
	own := float64(m.Own) + a.flat(m) - a.surplus(m)
	for i := range a.query.Terms {
		if p := part(i); p > 0 {
			c.why.add(a.words.terms[i].factor, own*p/sum)
		}
	}
}

// whys are the parts of a score by factor; what takes away from it is negative.
type whys []pimento.Factor

func (w *whys) add(factor string, x float64) {
	if x == 0 {
		return
	}
	for i := range *w {
		if (*w)[i].Factor == factor {
			(*w)[i].Share += x
			return
		}
	}
	*w = append(*w, pimento.Factor{Factor: factor, Share: x})
}

// shares turns the parts into factors that sum to 1, largest first.
func (w whys) shares() []pimento.Factor {
	out := slices.Clone(w)
	slices.SortFunc(out, func(x, y pimento.Factor) int {
		switch {
		case x.Share > y.Share:
			return -1
		case x.Share < y.Share:
			return 1
		}
		return strings.Compare(x.Factor, y.Factor)
	})
	sum, gain := 0.0, 0.0
	for _, f := range out {
		sum += f.Share
		gain += max(f.Share, 0)
	}
	if sum < nothingLeft*gain {
		sum = gain
	}
	for i := range out {
		out[i].Share /= sum
	}
	return out
}

// nothingLeft is the part of what speaks for a hit below which nothing is left of
// it to be shared out: shares are then of what speaks for it.
const nothingLeft = 1e-6
