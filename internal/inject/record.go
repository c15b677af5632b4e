package inject

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/pimento-memory/pimento"
)

// recordVersion changes when facts are kept in another shape.
const recordVersion = 1

// A record is facts as they are kept, so that the same block can be built from
// them again. The preamble is no part of a profile's JSON.
type record struct {
	V        int    `json:"v"`
	Preamble string `json:"preamble,omitempty"`
	Facts    Facts  `json:"facts"`
}

// Record is what Replay needs to build the same bytes again. For a tail beside a
// frozen prefix it leaves out the profile and the prefix, which the record of that
// prefix holds, and those ids in the context that belong to no candidate.
func Record(f Facts) ([]byte, error) {
	preamble := f.Profile.Preamble
	f.InContext = f.contextOfCandidates()
	if f.Prefix == nil {
		return json.Marshal(record{V: recordVersion, Preamble: preamble, Facts: f})
	}
	return json.Marshal(beside{V: recordVersion, Facts: besideFacts{Facts: &f}})
}

// A beside is a record without what the record of its prefix holds. It is a type
// of its own because the encoder learns every type that it might meet, which for a
// profile takes a process longer than to write all the rest.
type beside struct {
	V     int         `json:"v"`
	Facts besideFacts `json:"facts"`
}

type besideFacts struct {
	*Facts
	Profile, Prefix, Dirs elsewhere `json:",omitzero"`
}

// elsewhere takes the name of a field that is left out.
type elsewhere struct{}

func (f *Facts) contextOfCandidates() map[string]bool {
	out := map[string]bool{}
	keep := func(id string) {
		if id != "" && f.InContext[id] {
			out[id] = true
		}
	}
	keep(CapacityID)
	for _, items := range f.Items {
		for i := range items {
			keep(string(items[i].Entry.Statement))
			if items[i].Excerpt != "" {
				for id := range f.InContext {
					if strings.HasPrefix(id, excerptsOf(items[i].Entry.Statement)) {
						out[id] = true
					}
				}
			}
		}
	}
	for _, o := range f.Known {
		keep(string(o.Statement))
	}
	for _, c := range f.Changes {
		keep(c.ID)
		keep(string(c.Statement))
		keep(string(c.Was))
	}
	return out
}

// Replay builds a block again from the record of its prefix and, unless the profile
// has one block per turn, the record of its tail. frozen are the decisions about
// the prefix, which a block that only has a tail of its own does not repeat.
func Replay(prefix, beside []byte) (b pimento.Block, frozen []pimento.Decision, err error) {
	p, err := decodeRecord(prefix)
	if err != nil {
		return b, nil, err
	}
	if b = Build(p.Facts); len(beside) == 0 {
		return b, nil, nil
	}
	t, err := decodeRecord(beside)
	if err != nil {
		return b, nil, err
	}
	t.Facts.Profile, t.Facts.Dirs = p.Facts.Profile, p.Facts.Dirs
	t.Facts.Prefix = &FrozenPrefix{Text: b.Prefix, IDs: b.PrefixIDs}
	for _, s := range b.Sections {
		if s.Zone == pimento.Prefix {
			t.Facts.Prefix.Sections = append(t.Facts.Prefix.Sections, s)
		}
	}
	return Build(t.Facts), b.Trace, nil
}

func decodeRecord(b []byte) (record, error) {
	var r record
	if err := json.Unmarshal(b, &r); err != nil {
		return r, err
	}
	if r.V != recordVersion {
		return r, fmt.Errorf("facts of version %d, not %d", r.V, recordVersion)
	}
	r.Facts.Profile.Preamble = r.Preamble
	return r, nil
}
