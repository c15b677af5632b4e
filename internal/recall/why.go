package recall

import (
	"slices"
	"strings"

	"github.com/pimento-memory/pimento"
)

// whys are the parts of a score by factor.
type whys []pimento.Factor

func (w *whys) add(factor string, x float64) {
	if x <= 0 {
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
	sum := 0.0
	for _, f := range out {
		sum += f.Share
	}
	for i := range out {
		out[i].Share /= sum
	}
	return out
}
