package eval

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/embed"
	"github.com/pimento-memory/pimento/internal/index"
	"github.com/pimento-memory/pimento/internal/recall"
	"github.com/pimento-memory/pimento/internal/score"
	"github.com/pimento-memory/pimento/internal/text"
	"github.com/pimento-memory/pimento/internal/when"
)

// A Ranking is one line of the results.
type Ranking struct {
	ID         string              `json:"id"`
	Hits       []Ranked            `json:"hits"`       // the full ranking, also when abstaining
	Confidence float64             `json:"confidence"` // 0 to 1, what abstain thresholds
	Abstain    bool                `json:"abstain"`
	MS         float64             `json:"ms"`
	Budget     map[string][]string `json:"budget,omitempty"` // tokens to the ids that an injection of that size holds
}

// Ranked is one hit.
type Ranked struct {
	ID    string  `json:"id"`
	Score float64 `json:"score"`
}

// DefaultFloor is the confidence below which a ranking says that it abstains. Of
// codemem's development questions 25% of those with an answer lie below, and 85% of
// those without.
const DefaultFloor = 0.6

// A Ranker ranks a corpus for questions. It is for one goroutine.
type Ranker struct {
	Corpus   *Corpus
	Reader   index.Reader
	Vectors  *Vectors // nil for none
	Lexicon  *embed.Static
	K        int     // hits of a ranking
	Budgets  []int   // tokens
	Sections bool    // rank sections instead of entries
	Floor    float64 // of the confidence
	Params   recall.Params
	// Published orders hits by the scored-topics system's formula, for comparison.
	// Each entry counts as said once, on its date.
	Published bool
	Clock     func() time.Time

	policy   *pimento.Profile // nil for none, see Under
	analyzer *text.Analyzer
}

// sectionDepth is how many entries are ranked to rank sections.
const sectionDepth = 400

// Rank answers one question.
func (r *Ranker) Rank(ctx context.Context, q Question) Ranking {
	if r.analyzer == nil {
		r.analyzer = text.NewAnalyzer()
	}
	now, ok := when.Parse(q.Now)
	if !ok {
		now = r.Corpus.last
	}
	limit := r.K
	if len(r.Budgets) > 0 {
		limit = max(limit, 200) // as many as a large budget may hold
	}
	if r.Sections {
		limit = max(limit, sectionDepth)
	}
	root, opts := r.Corpus.Source(r.Reader), recall.Options{Loose: true, Params: r.Params, Analyzer: r.analyzer, Lexicon: r.Lexicon, Excerpts: len(r.Budgets) > 0}
	r.Vectors.serve(&root, &opts)
	if r.policy != nil {
		opts.QueryChars = r.policy.Recall.QueryChars
	}
	query := pimento.Query{Text: q.Text, Limit: limit, Now: now, All: true}
	start := r.Clock()
	a := recall.Answer(ctx, query, []recall.Source{root}, opts)
	r.published(a.Hits, now)
	out := Ranking{ID: q.ID, Hits: []Ranked{}, Confidence: a.Confidence, Abstain: a.Confidence < r.Floor,
		MS: float64(r.Clock().Sub(start).Microseconds()) / 1000}
	if r.Sections {
		out.Hits = r.sections(a.Hits)
	} else {
		recall.Falling(a.Hits)
		for _, h := range a.Hits {
			out.Hits = append(out.Hits, Ranked{r.Corpus.ID(h.Entry.Statement), h.Score})
		}
	}
	out.Hits = out.Hits[:min(r.K, len(out.Hits))]
	if len(r.Budgets) > 0 {
		out.Budget = map[string][]string{}
	}
	hits, place := a.Hits, r.fill
	if r.policy != nil && len(r.Budgets) > 0 {
		hits, place = r.prompted(ctx, query, root, opts), r.placed
	}
	for _, tokens := range r.Budgets {
		out.Budget[strconv.Itoa(tokens)] = place(hits, tokens)
	}
	return out
}

// published puts hits into the published order, where that is asked for.
func (r *Ranker) published(hits []pimento.Hit, now time.Time) {
	if !r.Published {
		return
	}
	facts := make([]score.Fact, len(hits))
	for i, h := range hits {
		facts[i] = score.Fact{Kind: h.Entry.Kind, Text: h.Entry.Text, First: h.Entry.Stamp, Last: h.Entry.Stamp, Pinned: h.Entry.Pinned}
		if h.Entry.Stamp.IsZero() {
			facts[i].Last = now
		}
	}
	stability := make([]float64, len(hits))
	for i, s := range score.Rank(facts, score.Default(), now) {
		stability[i] = s.Score
	}
	recall.Published(hits, stability)
}

// wholeHit is from how many tokens on a long hit counts as the part that answers, as the
// default profile shows it where there is no room for all hits.
const wholeHit = 150

// fill is what an injection of so many tokens holds: a bullet for each hit in
// the order of their rank, those left out that do not fit. Tokens are
// estimated, see text.Tokens.
func (r *Ranker) fill(hits []pimento.Hit, tokens int) []string {
	ids := []string{}
	for _, h := range hits {
		n := text.Tokens("- " + h.Entry.Text + "\n")
		if h.Excerpt != "" && n > wholeHit {
			n = text.Tokens("- " + h.Excerpt + "\n")
		}
		if n <= tokens {
			tokens -= n
			ids = append(ids, r.Corpus.ID(h.Entry.Statement))
		}
	}
	return ids
}

// A section is worth its best entry and, less and less, its next ones.
const sectionDecay = 0.5

// sections ranks sections by their entries. An entry without a section is one.
func (r *Ranker) sections(hits []pimento.Hit) []Ranked {
	at := map[string]int{}
	share := []float64{}
	out := []Ranked{}
	for _, h := range hits {
		id := r.Corpus.Section(h.Entry.Statement)
		i, ok := at[id]
		if !ok {
			i = len(out)
			at[id] = i
			out, share = append(out, Ranked{ID: id}), append(share, 1)
		}
		out[i].Score += share[i] * h.Score
		share[i] *= sectionDecay
	}
	slices.SortStableFunc(out, func(a, b Ranked) int { return cmp.Compare(b.Score, a.Score) })
	return out
}
