package engine

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/config"
	"github.com/pimento-memory/pimento/internal/embed"
	"github.com/pimento-memory/pimento/internal/page"
	"github.com/pimento-memory/pimento/internal/profile"
)

// mindLayer says in the words of a profile what a pi-mind-config.json sets. The
// sections that it speaks of are found by what they pick. It holds numbers only,
// whoever wrote the file: no words, no tools, no places.
func mindLayer(p pimento.Profile, c config.Mind, path string) profile.Layer {
	out := map[string]any{}
	sections := map[string]map[string]any{}
	set := func(s pimento.Section, key string, value any) {
		if sections[s.Name] == nil {
			sections[s.Name] = map[string]any{}
		}
		sections[s.Name][key] = value
	}
	tokens := func(n int) map[string]int { return map[string]int{"tokens": n} }
	if c.AlwaysTokens >= 0 {
		p.Prefix.Tokens = c.AlwaysTokens
		out["prefix"] = tokens(c.AlwaysTokens)
	}
	if c.InjectTokens > 0 {
		// What is not always shown gets the rest, its sections in the shares they had.
		was, rest := p.Tail.Tokens, max(c.InjectTokens-p.Prefix.Tokens, 1)
		out["block"], out["tail"] = tokens(c.InjectTokens), tokens(rest)
		for _, s := range p.Sections {
			if s.Zone == pimento.Tail && s.Budget.Tokens > 0 && was > 0 {
				set(s, "budget", tokens(max(s.Budget.Tokens*rest/was, 1)))
			}
		}
	}
	for _, s := range p.Sections {
		if s.Pick == pimento.PickAlways && c.PerSubject >= 0 {
			set(s, "max_each", c.PerSubject)
		}
		if s.Pick == pimento.PickHits && c.SearchResults >= 0 {
			set(s, "max", c.SearchResults)
		}
	}
	if len(sections) > 0 {
		out["sections"] = sections
	}
	if recall := mindRecall(p, c); len(recall) > 0 {
		out["recall"] = recall
	}
	b, _ := json.Marshal(out) // of numbers
	return profile.Layer{Source: path, JSON: b}
}

// mindRecall is what it says of retrieval.
func mindRecall(p pimento.Profile, c config.Mind) map[string]any {
	out := map[string]any{}
	if c.SearchResults >= 0 {
		out["hits"] = c.SearchResults
	}
	weights := map[pimento.Kind]float64{}
	for typ, w := range c.TypeWeights {
		if typ != page.TypeCompaction { // that is no page of knowledge here, but a note
			weights[page.KindOfType(typ)] = w
		}
	}
	if len(weights) > 0 {
		out["weights"] = weights
	}
	if c.Similarity >= 0 {
		out["strict"] = mindStrict(c.Similarity)
	}
	fresh := p.Recall.Fresh
	if c.RecencyBoost >= 0 {
		fresh.Boost = c.RecencyBoost
	}
	if c.RecencyDays >= 0 {
		fresh.Days = c.RecencyDays
	}
	if fresh != p.Recall.Fresh {
		out["fresh"] = fresh
	}
	return out
}

// mindSimilarity is the threshold that pi-mind has where nobody sets one.
const mindSimilarity = 0.3

// mindStrict says of a threshold how much stricter it is than pi-mind's own. The
// number itself is a cosine of the model that it was set for, and no other model
// means the same by it.
func mindStrict(threshold float64) float64 {
	if threshold < mindSimilarity {
		return threshold/mindSimilarity - 1
	}
	return (threshold - mindSimilarity) / (1 - mindSimilarity)
}

// mindLayers are the settings of a memory that pi-mind kept, below every other
// override.
func (e *Engine) mindLayers(name string, places []configPlace, choice embed.Choice) (layers []profile.Layer, faults []pimento.Fault) {
	at := slices.IndexFunc(places, func(p configPlace) bool { return p.mind })
	if at < 0 {
		return nil, nil
	}
	b, err := places[at].root.ReadSmall(context.Background(), config.MindName) // as configPlace.load
	c, ok, faults := config.MindOf(b, err, places[at].path)
	if !ok {
		return nil, faults
	}
	if c.Similarity >= 0 && choice.Name == embed.None {
		faults = append(faults, pimento.Fault{Kind: "config", Detail: places[at].path +
			": key search.vectorSimilarityThreshold has no effect: nothing here turns texts into vectors; see: pimento model use --help"})
	}
	p, _, err := profile.Load(name, e.userProfiles(), nil)
	if err != nil {
		return nil, faults // whoever loads it next says so
	}
	return []profile.Layer{mindLayer(p, c, places[at].path)}, faults
}
