package eval

import (
	"context"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/pimento-memory/pimento/internal/embed"
	"github.com/pimento-memory/pimento/internal/recall"
)

// Options of a run over codemem.
type Options struct {
	Split       string         // test when ""
	Distractors int            // made-up notes for each project
	Embedder    embed.Embedder // nil for none
	Params      recall.Params
	Temp        string                // where indexes are made
	Progress    func(done, total int) // may be nil
	Ranker      func(*Ranker)         // sets what else a run wants; may be nil
}

// A Row is the figures of one type of question, or of all; shares are 0..1.
type Row struct {
	Type     string             `json:"type"`
	N        int                `json:"n"`
	R1       float64            `json:"r1"` // mean over questions of |gold in top k| / |gold|
	R5       float64            `json:"r5"`
	R10      float64            `json:"r10"`
	R5Low    float64            `json:"r5_low"` // 95% bootstrap interval of R5
	R5High   float64            `json:"r5_high"`
	MRR      float64            `json:"mrr"` // of the first gold
	NDCG     float64            `json:"ndcg10"`
	Hit1     float64            `json:"hit1"`            // the first hit is gold
	Stale    float64            `json:"stale,omitempty"` // a replaced entry ranks above every current one
	Budget   map[string]float64 `json:"budget"`          // share of the gold within so many injected tokens
	hasStale int
	each     []float64 // R5 of each question
}

// A Report is what a run has found.
type Report struct {
	Split       string   `json:"split"`
	Distractors int      `json:"distractors"`
	Rows        []Row    `json:"rows"`           // by type, then all
	Marked      Stale    `json:"stale_marked"`   // questions of which an answer names the former one as replaced
	Unmarked    Stale    `json:"stale_unmarked"` // of which none does
	Abstention  float64  `json:"abstention_auc"`
	False       float64  `json:"false_injections"` // unanswerable questions that are answered
	P50         float64  `json:"p50_ms"`
	P95         float64  `json:"p95_ms"`
	Entries     int      `json:"entries"`
	TextBytes   int64    `json:"text_bytes"`   // of the entries
	IndexBytes  int64    `json:"index_bytes"`  // on disk, without vectors
	VectorBytes int64    `json:"vector_bytes"` // and these
	Results     []Result `json:"-"`
}

// Stale counts questions with former answers.
type Stale struct {
	N     int `json:"n"`
	First int `json:"first"` // a former answer ranks above every current one
}

// A Result is one question's ranking.
type Result struct {
	Asked
	Ranking
	marked bool // a right entry names one that was right once as replaced
}

// budgets are the sizes of injections that a report looks at.
var budgets = []int{250, 500, 1000, 2000}

// Run asks codemem's questions.
func Run(ctx context.Context, projects []Project, o Options) (Report, error) {
	if o.Split == "" {
		o.Split = "test"
	}
	rep := Report{Split: o.Split, Distractors: o.Distractors}
	total := 0
	for _, p := range projects {
		for _, q := range p.Asked {
			if q.Split == o.Split {
				total++
			}
		}
	}
	for _, p := range projects {
		if err := rep.project(ctx, p, o, total); err != nil {
			return rep, err
		}
	}
	rep.sum()
	return rep, ctx.Err()
}

func (rep *Report) project(ctx context.Context, p Project, o Options, total int) error {
	c, err := corpusOf(p, o.Distractors)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp(o.Temp, "pimento-eval-")
	if err != nil {
		return err
	}
	r, closer, err := c.Open(ctx, dir, o.Embedder)
	if err != nil {
		return err
	}
	defer closer()
	rep.measure(c, dir)
	r.Params, r.Budgets = o.Params, budgets
	if o.Ranker != nil {
		o.Ranker(r)
	}
	replaces := map[string][]string{}
	for _, l := range p.Lines {
		replaces[l.ID] = l.Supersedes
	}
	ask(ctx, r, p, o.Split, func(q Asked, ranked Ranking) {
		marked := slices.ContainsFunc(q.Gold, func(id string) bool { return sharesOne(q.Stale, replaces[id]) })
		rep.Results = append(rep.Results, Result{q, ranked, marked})
		if o.Progress != nil {
			o.Progress(len(rep.Results), total)
		}
	})
	return nil
}

func sharesOne(a, b []string) bool {
	return slices.ContainsFunc(a, func(s string) bool { return slices.Contains(b, s) })
}

// measure adds the sizes of a project's corpus and index.
func (rep *Report) measure(c *Corpus, dir string) {
	rep.Entries += len(c.entries)
	for _, l := range c.lines {
		rep.TextBytes += int64(len(l.Text))
	}
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return nil // a file that is gone takes no room
		}
		info, err := d.Info()
		switch {
		case err != nil:
		case filepath.Dir(path) == filepath.Join(dir, vectorsDir):
			rep.VectorBytes += info.Size()
		default:
			rep.IndexBytes += info.Size()
		}
		return nil
	})
}

// sum makes the rows.
func (rep *Report) sum() {
	rows := map[string]*Row{}
	var order []string
	all := &Row{Type: "all", Budget: map[string]float64{}}
	var answered, not, ms []float64
	for _, res := range rep.Results {
		ms = append(ms, res.MS)
		if len(res.Gold) == 0 {
			not = append(not, res.Confidence)
			if !res.Abstain {
				rep.False++
			}
			continue
		}
		answered = append(answered, res.Confidence)
		row := rows[res.Type]
		if row == nil {
			row = &Row{Type: res.Type, Budget: map[string]float64{}}
			rows[res.Type] = row
			order = append(order, res.Type)
		}
		row.take(res)
		all.take(res)
	}
	rep.stale()
	slices.Sort(order)
	for _, typ := range order {
		rep.Rows = append(rep.Rows, rows[typ].mean())
	}
	rep.Rows = append(rep.Rows, all.mean())
	rep.Abstention, rep.False = auc(answered, not), rep.False/float64(max(len(not), 1))
	slices.Sort(ms)
	if len(ms) > 0 {
		rep.P50, rep.P95 = ms[len(ms)/2], ms[len(ms)*95/100]
	}
}

// stale counts where the former answer comes first.
func (rep *Report) stale() {
	for _, res := range rep.Results {
		if len(res.Stale) == 0 {
			continue
		}
		of := &rep.Unmarked
		if res.marked {
			of = &rep.Marked
		}
		of.N++
		if res.staleFirst() {
			of.First++
		}
	}
}

// staleFirst tells whether a former answer ranks above every current one.
func (res *Result) staleFirst() bool {
	for _, h := range res.Hits {
		switch {
		case slices.Contains(res.Gold, h.ID):
			return false
		case slices.Contains(res.Stale, h.ID):
			return true
		}
	}
	return false
}

// take adds one question.
func (row *Row) take(res Result) {
	at := map[string]int{}
	for i, h := range res.Hits {
		at[h.ID] = i + 1
	}
	first, gain, ideal := 0, 0.0, 0.0
	within := func(k int) float64 {
		n := 0
		for _, g := range res.Gold {
			if r := at[g]; r > 0 && r <= k {
				n++
			}
		}
		return float64(n) / float64(len(res.Gold))
	}
	for i, g := range res.Gold {
		if r := at[g]; r > 0 {
			if first == 0 || r < first {
				first = r
			}
			if r <= 10 {
				gain += 1 / math.Log2(float64(r)+1)
			}
		}
		if i < 10 {
			ideal += 1 / math.Log2(float64(i)+2)
		}
	}
	row.N++
	row.R1 += within(1)
	row.R5 += within(5)
	row.R10 += within(10)
	row.each = append(row.each, within(5))
	row.NDCG += gain / ideal
	if first > 0 {
		row.MRR += 1 / float64(first)
	}
	if first == 1 {
		row.Hit1++
	}
	if len(res.Stale) > 0 {
		row.hasStale++
		if res.staleFirst() {
			row.Stale++
		}
	}
	for tokens, ids := range res.Budget {
		n := 0
		for _, g := range res.Gold {
			if slices.Contains(ids, g) {
				n++
			}
		}
		row.Budget[tokens] += float64(n) / float64(len(res.Gold))
	}
}

// mean turns sums into means.
func (row *Row) mean() Row {
	n := float64(max(row.N, 1))
	for _, x := range []*float64{&row.R1, &row.R5, &row.R10, &row.MRR, &row.NDCG, &row.Hit1} {
		*x /= n
	}
	for k := range row.Budget {
		row.Budget[k] /= n
	}
	row.Stale /= float64(max(row.hasStale, 1))
	row.R5Low, row.R5High = bootstrap(row.each)
	return *row
}

// resamples is how often the questions are drawn anew, with replacement, for an
// interval (Efron 1979).
const resamples = 1000

// bootstrap is the 95% interval of the mean.
func bootstrap(xs []float64) (low, high float64) {
	if len(xs) == 0 {
		return 0, 0
	}
	rng := rand.New(rand.NewPCG(1, 2))
	means := make([]float64, resamples)
	for i := range means {
		for range xs {
			means[i] += xs[rng.IntN(len(xs))]
		}
		means[i] /= float64(len(xs))
	}
	slices.Sort(means)
	return means[resamples*25/1000], means[resamples*975/1000]
}

// auc is the chance that an answerable question has more confidence than an
// unanswerable one; ties count half.
func auc(yes, no []float64) float64 {
	wins := 0.0
	for _, y := range yes {
		for _, n := range no {
			switch {
			case y > n:
				wins++
			case y == n:
				wins += 0.5
			}
		}
	}
	return wins / math.Max(float64(len(yes)*len(no)), 1)
}

// BudgetKeys are the keys of Row.Budget in order.
func BudgetKeys() []string {
	var out []string
	for _, b := range budgets {
		out = append(out, strconv.Itoa(b))
	}
	return out
}
