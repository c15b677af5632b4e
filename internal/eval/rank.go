package eval

import (
	"context"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/index"
	"github.com/pimento-memory/pimento/internal/recall"
	"github.com/pimento-memory/pimento/internal/text"
	"github.com/pimento-memory/pimento/internal/when"
)

// A Ranking is one line of the results.
type Ranking struct {
	ID         string              `json:"id"`
	Hits       []Ranked            `json:"hits"` // the full ranking, also when abstaining
	Confidence float64             `json:"confidence"`
	Abstain    bool                `json:"abstain"`
	MS         float64             `json:"ms"`
	Budget     map[string][]string `json:"budget,omitempty"` // tokens to the ids that an injection of that size holds
}

// Ranked is one hit.
type Ranked struct {
	ID    string  `json:"id"`
	Score float64 `json:"score"`
}

// A Ranker ranks a corpus for questions.
type Ranker struct {
	Corpus  *Corpus
	Reader  index.Reader
	K       int   // hits of a ranking
	Budgets []int // tokens
	Floor   float64
	Params  recall.Params
	Clock   func() time.Time

	analyzer *text.Analyzer
}

// Rank answers one question.
func (r *Ranker) Rank(ctx context.Context, q Question) Ranking {
	if r.analyzer == nil {
		r.analyzer = text.NewAnalyzer()
	}
	now, _ := when.Parse(q.Now)
	start := r.Clock()
	a := recall.Answer(ctx, pimento.Query{Text: q.Text, Limit: r.K, Now: now, All: true}, []recall.Source{r.Corpus.Source(r.Reader)},
		recall.Options{Loose: true, Params: r.Params, Analyzer: r.analyzer})
	out := Ranking{ID: q.ID, Hits: []Ranked{}, Confidence: a.Confidence, Abstain: a.Confidence < r.Floor,
		MS: float64(r.Clock().Sub(start).Microseconds()) / 1000}
	for _, h := range a.Hits {
		out.Hits = append(out.Hits, Ranked{r.Corpus.ID(h.Entry.Statement), h.Score})
	}
	return out
}
