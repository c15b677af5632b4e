package config

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/page"
)

// MindName is the file in which pi-mind kept its settings, beside its pages.
const MindName = "pi-mind-config.json"

// A Mind is what a pi-mind-config.json sets. What it does not set, or sets
// wrongly, is -1, or not in the map.
type Mind struct {
	InjectTokens  int // of a prompt, all together
	AlwaysTokens  int // of what is always shown
	SearchResults int
	PerSubject    int                // of what is always shown, entries of one type
	TypeWeights   map[string]float64 // by the type in the front matter
	Similarity    float64            // 0 to 1: from which cosine on what vectors find counts
	RecencyBoost  float64            // 0 to 1
	RecencyDays   int
	any           bool
}

// mindKeys are the keys that the file may have, by their groups.
func mindKeys(c *Mind) map[string]map[string]any {
	return map[string]map[string]any{
		"search":  {"maxInjectTokens": &c.InjectTokens, "l1MaxTokens": &c.AlwaysTokens, "maxSearchResults": &c.SearchResults, "vectorSimilarityThreshold": &c.Similarity},
		"recency": {"maxBoost": &c.RecencyBoost, "decayDays": &c.RecencyDays},
		"l1":      {"perSubjectCap": &c.PerSubject},
	}
}

// MindOf is what a pi-mind-config.json says, of which err is what went wrong in
// reading it; ok is false when there is none, or nothing in it that counts. It never
// fails: what is wrong, or not for a file that comes with a repository to say, is a
// fault of kind "config".
func MindOf(b []byte, err error, path string) (c Mind, ok bool, faults []pimento.Fault) {
	if errors.Is(err, fs.ErrNotExist) {
		return c, false, nil
	}
	if err == nil {
		c, faults, err = parseMind(b, path)
	}
	if err != nil {
		return c, false, []pimento.Fault{{Kind: "config", Detail: fmt.Sprintf("%s: %v; it is not used", path, err)}}
	}
	return c, c.any, faults
}

// parseMind takes every key that it can.
func parseMind(b []byte, path string) (Mind, []pimento.Fault, error) {
	c := Mind{InjectTokens: -1, AlwaysTokens: -1, SearchResults: -1, PerSubject: -1, Similarity: -1, RecencyBoost: -1, RecencyDays: -1}
	var groups map[string]json.RawMessage
	if err := json.Unmarshal(b, &groups); err != nil {
		if _, at := members(b); at != nil {
			err = at // the same, and where
		}
		return c, nil, err
	}
	var faults []pimento.Fault
	fault := func(format string, args ...any) {
		faults = append(faults, pimento.Fault{Kind: "config", Detail: path + ": " + fmt.Sprintf(format, args...)})
	}
	known := mindKeys(&c)
	for _, group := range slices.Sorted(maps.Keys(groups)) {
		var keys map[string]json.RawMessage
		if json.Unmarshal(groups[group], &keys) != nil {
			fault("key %s is ignored: it must be an object", group)
			continue
		}
		switch into := known[group]; {
		case group == "embedding":
			fault("key embedding is ignored: only your own config.json may set what turns texts into vectors; see: pimento model use --help")
		case group == "typeWeights":
			c.weights(keys, fault)
		case into == nil:
			fault("unknown key %s is ignored; known: embedding, l1, recency, search, typeWeights", group)
		default:
			for _, key := range slices.Sorted(maps.Keys(keys)) {
				if into[key] == nil {
					fault("unknown key %s.%s is ignored; known: %s", group, key, strings.Join(slices.Sorted(maps.Keys(into)), ", "))
				} else if what := c.number(into[key], keys[key]); what != "" {
					fault("key %s.%s is ignored: it must be %s", group, key, what)
				}
			}
		}
	}
	return c, faults, nil
}

// number reads one value, and says what it should have been.
func (c *Mind) number(into any, raw json.RawMessage) string {
	var v *float64
	bad := json.Unmarshal(raw, &v) != nil || v == nil
	switch into := into.(type) {
	case *int:
		if bad || *v < 0 || *v > 1e6 || *v != float64(int(*v)) {
			return "a whole number from 0 to 1000000"
		}
		*into = int(*v)
	case *float64:
		if bad || *v < 0 || *v > 1 {
			return "a number from 0 to 1"
		}
		*into = *v
	}
	c.any = true
	return ""
}

// weights reads the weights of types.
func (c *Mind) weights(keys map[string]json.RawMessage, fault func(string, ...any)) {
	types := append(page.Types(), page.TypeCompaction)
	for _, typ := range slices.Sorted(maps.Keys(keys)) {
		var v *float64
		switch {
		case !slices.Contains(types, typ):
			fault("unknown key typeWeights.%s is ignored; known: %s", typ, strings.Join(types, ", "))
		case json.Unmarshal(keys[typ], &v) != nil || v == nil || *v < 0 || *v > 10:
			fault("key typeWeights.%s is ignored: it must be a number from 0 to 10", typ)
		default:
			if c.TypeWeights == nil {
				c.TypeWeights = map[string]float64{}
			}
			c.TypeWeights[typ], c.any = *v, true
		}
	}
}
