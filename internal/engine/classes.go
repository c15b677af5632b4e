package engine

import (
	"maps"
	"slices"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/inject"
	"github.com/pimento-memory/pimento/internal/text"
)

// classify finds what sort of prompt this is and lets some kinds of memory
// count more for it. A frozen prefix is not touched: nothing of a prompt is in
// it, so only what is built for this prompt changes.
func (t *turn) classify(query string, f *inject.Facts) {
	c, ok := classOf(query, t.v.profile.Recall.Classes)
	if !ok {
		return
	}
	t.class = c.Name
	t.v.profile.Recall = searching(t.v.profile.Recall, c)
	f.Class = &c
}

// classOf is the first class of which a prompt holds a word.
func classOf(query string, classes []pimento.Class) (pimento.Class, bool) {
	for _, c := range classes {
		if slices.ContainsFunc(c.Words, func(w string) bool { return text.HasPhrase(query, w) }) {
			return c, true
		}
	}
	return pimento.Class{}, false
}

// searching is a policy of recall for prompts of a class. The one given is
// shared with other turns and stays as it is.
func searching(r pimento.Recall, c pimento.Class) pimento.Recall {
	if c.Hits > 0 {
		r.Hits = c.Hits
	}
	weights := maps.Clone(r.Weights)
	if weights == nil {
		weights = map[pimento.Kind]float64{}
	}
	for _, k := range c.Kinds {
		weight, ok := weights[k]
		if !ok {
			weight = 1
		}
		if c.Boost > 0 {
			weights[k] = weight * c.Boost
		}
	}
	r.Weights = weights
	return r
}
