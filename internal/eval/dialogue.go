package eval

import (
	"context"
	"math"
	"os"
	"slices"
	"strconv"
	"time"

	"github.com/pimento-memory/pimento/internal/embed"
	"github.com/pimento-memory/pimento/internal/recall"
	"github.com/pimento-memory/pimento/internal/think"
)

// A Dialogue is a memory of conversations, as public benchmarks publish them,
// with questions about it.
type Dialogue struct {
	Said  []Spoken
	Asked []Sought
}

// Spoken is one message of a session.
type Spoken struct {
	Line
	// Aside leaves a message out of the memory that is searched: by LongMemEval's
	// rules the assistant's. It is read to a model with what it answers.
	Aside bool
}

// Sought is a question with what the benchmark says of its answer.
type Sought struct {
	Question
	Type   string
	Answer string
	Rule   Rule
	// Evidence of the official protocol and of recall-any: messages, and the
	// sessions in which they stand. Nothing means that the protocol leaves the
	// question out.
	Official, Any Evidence
}

// Evidence is where an answer stands.
type Evidence struct{ Said, Sessions []string }

// at is the evidence at a level.
func (e Evidence) at(level string) []string {
	if level == SessionLevel {
		return e.Sessions
	}
	return e.Said
}

// The levels at which a memory is ranked.
const (
	SessionLevel = "session"
	TurnLevel    = "turn"
)

// depths are the places among which evidence is looked for.
func depths() []int { return []int{1, 5, 10, 50} }

// DepthKeys are the keys of a tally's recall in order.
func DepthKeys() []string {
	var out []string
	for _, k := range depths() {
		out = append(out, strconv.Itoa(k))
	}
	return out
}

// A Tally sums up what was found, for the questions that a protocol counts.
type Tally struct {
	N      int                `json:"n"`
	Recall map[string]float64 `json:"recall"`           // by depth
	NDCG   float64            `json:"ndcg10,omitempty"` // LongMemEval's, with its own discount
}

// A DialogueRow holds the figures of one type of question.
type DialogueRow struct {
	Type     string `json:"type"`
	Official Tally  `json:"official"`
	Any      Tally  `json:"any"`
	Asked    int    `json:"asked,omitempty"` // of the model
	Right    int    `json:"right,omitempty"` // as the model judges
	// F1 is the mean of LoCoMo's own score of the answers.
	F1 float64 `json:"f1,omitempty"`
}

// A DialogueReport is what a run finds.
type DialogueReport struct {
	Benchmark string        `json:"benchmark"`
	Level     string        `json:"level"`
	Rows      []DialogueRow `json:"rows"` // by type in the order of their first question, then all
	Memories  int           `json:"memories"`
	Messages  int           `json:"messages"` // that were searched
	Dropped   int           `json:"dropped"`  // evidence that names no message
	P50       float64       `json:"p50_ms"`   // of a search
	P95       float64       `json:"p95_ms"`
	ms        []float64
}

// A Found is the result of one question. Its first keys are those that
// LongMemEval's own script for scoring answers reads.
type Found struct {
	ID         string   `json:"question_id"`
	Type       string   `json:"question_type"`
	Hypothesis string   `json:"hypothesis,omitempty"` // what the model said
	Right      *bool    `json:"right,omitempty"`
	F1         *float64 `json:"f1,omitempty"`
	Hits       []string `json:"hits"` // sessions or messages, best first
	Official   []string `json:"official"`
	Any        []string `json:"any"`
	MS         float64  `json:"ms"`
}

// A DialogueRun says how a benchmark is run.
type DialogueRun struct {
	Level    string // SessionLevel or TurnLevel
	Limit    int    // questions, 0 for all
	Embedder embed.Embedder
	Model    think.Thinker // nil asks none
	Tokens   int           // of memory that the model is given
	F1       bool          // answers are scored by LoCoMo's F1 as well
	Share    bool          // the official recall is a share of the evidence, not all or nothing
	Temp     string
	Clock    func() time.Time
	Each     func(Found) error // may be nil

	asked int
}

// full says whether the limit is reached.
func (run *DialogueRun) full() bool { return run.Limit > 0 && run.asked >= run.Limit }

// Add ranks one memory for its questions.
func (rep *DialogueReport) Add(ctx context.Context, d Dialogue, run *DialogueRun) error {
	var lines []Line
	for _, s := range d.Said {
		if !s.Aside {
			lines = append(lines, s.Line)
		}
	}
	c, err := NewCorpus(lines)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp(run.Temp, "dialogue-")
	if err != nil {
		return err
	}
	r, closer, err := c.Open(ctx, dir, run.Embedder)
	if err != nil {
		return err
	}
	defer closer()
	r.K, r.Sections, r.Params, r.Clock = slices.Max(depths()), run.Level == SessionLevel, recall.DefaultParams(), run.Clock
	rep.Memories, rep.Messages = rep.Memories+1, rep.Messages+len(lines)
	for _, q := range d.Asked {
		if run.full() {
			return nil
		}
		if err := rep.ask(ctx, r, d, q, run); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// ask puts one question.
func (rep *DialogueReport) ask(ctx context.Context, r *Ranker, d Dialogue, q Sought, run *DialogueRun) error {
	run.asked++
	ranked := r.Rank(ctx, q.Question)
	f := Found{ID: q.ID, Type: q.Type, Hits: []string{}, MS: ranked.MS,
		Official: append([]string{}, q.Official.at(run.Level)...), Any: append([]string{}, q.Any.at(run.Level)...)}
	for _, h := range ranked.Hits {
		f.Hits = append(f.Hits, h.ID)
	}
	if run.Model != nil {
		if err := run.answer(ctx, d, q, &f); err != nil {
			return err
		}
	}
	rep.ms = append(rep.ms, ranked.MS)
	for _, typ := range []string{q.Type, allTypes} {
		rep.row(typ).take(f, run)
	}
	if run.Each != nil {
		return run.Each(f)
	}
	return nil
}

// allTypes is the row of all questions.
const allTypes = "all"

// row is the row of a type; that of all stands last.
func (rep *DialogueReport) row(typ string) *DialogueRow {
	i := slices.IndexFunc(rep.Rows, func(r DialogueRow) bool { return r.Type == typ })
	if i < 0 {
		i = len(rep.Rows)
		if i > 0 && rep.Rows[i-1].Type == allTypes {
			i--
		}
		rep.Rows = slices.Insert(rep.Rows, i, DialogueRow{Type: typ}) // invalidates earlier pointers
	}
	return &rep.Rows[i]
}

// take adds one question to a row's sums.
func (row *DialogueRow) take(f Found, run *DialogueRun) {
	row.Official.take(f.Hits, f.Official, func(found, of int) float64 {
		if run.Share {
			return float64(found) / float64(of)
		}
		return float64(found / of) // all of it, or nothing
	})
	row.Any.take(f.Hits, f.Any, func(found, _ int) float64 { return float64(min(found, 1)) })
	if f.Right != nil {
		row.Asked++
		row.Right += one(*f.Right)
	}
	if f.F1 != nil {
		row.F1 += *f.F1
	}
}

// take adds what a ranking found of some evidence.
func (t *Tally) take(hits, evidence []string, worth func(found, of int) float64) {
	if len(evidence) == 0 {
		return
	}
	t.N++
	if t.Recall == nil {
		t.Recall = map[string]float64{}
	}
	for _, k := range depths() {
		found := 0
		for _, id := range evidence {
			found += one(slices.Contains(hits[:min(k, len(hits))], id))
		}
		t.Recall[strconv.Itoa(k)] += worth(found, len(evidence))
	}
	t.NDCG += gain(hits, evidence, 10)
}

// gain is the normalised discounted gain of the first k hits as LongMemEval
// computes it: the first two places count in full, the others one over the
// binary logarithm of their number.
func gain(hits, evidence []string, k int) float64 {
	worth := func(place int) float64 {
		if place == 0 {
			return 1
		}
		return 1 / math.Log2(float64(place)+1)
	}
	got, ideal := 0.0, 0.0
	for i := range k {
		if i < len(hits) && slices.Contains(evidence, hits[i]) {
			got += worth(i)
		}
		if i < len(evidence) {
			ideal += worth(i)
		}
	}
	return got / ideal
}

// Sum turns the sums into means, once all is added.
func (rep *DialogueReport) Sum() {
	for i := range rep.Rows {
		row := &rep.Rows[i]
		for _, t := range []*Tally{&row.Official, &row.Any} {
			for k := range t.Recall {
				t.Recall[k] /= float64(t.N)
			}
			t.NDCG /= float64(max(t.N, 1))
		}
		row.F1 /= float64(max(row.Asked, 1))
		row.Any.NDCG = 0 // the official protocol's
	}
	slices.Sort(rep.ms)
	if n := len(rep.ms); n > 0 {
		rep.P50, rep.P95 = rep.ms[n/2], rep.ms[n*95/100]
	}
}
