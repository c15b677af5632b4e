package eval

import (
	"context"
	"io/fs"
	"slices"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/inject"
	"github.com/pimento-memory/pimento/internal/profile"
	"github.com/pimento-memory/pimento/internal/recall"
)

// Under asks as a prompt is asked under a profile: the question is cut as it says,
// and a budget holds what its section of hits puts in front of a model within so
// many tokens, frame and headings included. users is where the user's own profiles
// are; nil for none.
func (r *Ranker) Under(name string, users fs.FS) error {
	p, _, err := profile.Load(name, users, nil)
	if err != nil {
		return err
	}
	r.policy, r.Published = &p, r.Published || p.Recall.Rank == "published"
	return nil
}

// prompted are the hits that a prompt would recall under the profile.
func (r *Ranker) prompted(ctx context.Context, q pimento.Query, root recall.Source, opts recall.Options) []pimento.Hit {
	policy := r.policy.Recall
	if policy.Hits == 0 {
		return nil
	}
	opts.Loose, opts.MinCoverage, opts.MinConfidence, opts.Unsure, opts.Least = false, policy.MinCoverage, policy.MinConfidence, policy.Unsure, policy.Least
	q.Limit = policy.Hits
	hits := recall.Answer(ctx, q, []recall.Source{root}, opts).Hits
	r.published(hits, q.Now)
	return hits
}

// placed are the ids of what the profile's section of hits holds within so many
// tokens; limits of its own give way.
func (r *Ranker) placed(hits []pimento.Hit, tokens int) []string {
	p := *r.policy
	p.Sections = slices.DeleteFunc(slices.Clone(p.Sections), func(s pimento.Section) bool { return s.Pick != pimento.PickHits })
	for i := range p.Sections {
		p.Sections[i].Zone, p.Sections[i].Budget = pimento.Tail, pimento.Budget{}
	}
	p.Snapshot, p.Window = "stable", 0
	p.Tail, p.Block = pimento.Budget{Tokens: tokens}, pimento.Budget{Tokens: tokens}
	items := make([]inject.Item, len(hits))
	for i, h := range hits {
		items[i] = inject.Item{Entry: h.Entry, Why: h.Why, Excerpt: h.Excerpt}
	}
	block := inject.Build(inject.Facts{Profile: p, Prefix: &inject.FrozenPrefix{}, Items: map[pimento.Pick][]inject.Item{pimento.PickHits: items}})
	ids := []string{}
	for _, id := range block.TailIDs {
		if i, ok := r.Corpus.at[pimento.Statement(id)]; ok {
			ids = append(ids, r.Corpus.lines[i].ID)
		}
	}
	return ids
}
