package eval

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/embed"
	"github.com/pimento-memory/pimento/internal/engine"
	"github.com/pimento-memory/pimento/internal/profile"
	"github.com/pimento-memory/pimento/internal/when"
)

// A Placement says what one profile puts in front of a model at one size.
type Placement struct {
	Profile  string             `json:"profile"`
	Budget   int                `json:"budget"`            // tokens of a block, 0 for the profile as it ships
	Tokens   float64            `json:"tokens"`            // mean of what a block really took
	Evidence float64            `json:"evidence"`          // share of the gold whose text stands in the block, whole
	Named    float64            `json:"named"`             // or whose page is named there
	Stale    float64            `json:"stale"`             // of questions with a replaced answer: it stands there and the current one does not
	Noise    float64            `json:"noise"`             // of questions without an answer: something was recalled for them
	Foreign  float64            `json:"foreign,omitempty"` // the same, of questions about the other projects; only where Budget is 0
	Recalled Recalled           `json:"recalled"`
	Types    map[string]float64 `json:"types"`     // evidence by type of question
	N        int                `json:"questions"` // with an answer
	counts   map[string]int
	stale    int
	noise    int
	foreign  int
}

// Recalled is how many tokens a question brings along on average, beside what the block
// holds anyway, by whether memory has an answer.
type Recalled struct {
	Answered   float64 `json:"answered"`
	Unanswered float64 `json:"unanswered"`
	Foreign    float64 `json:"foreign"` // a question about another project
}

// PlacementOptions of a run. Zero means the test split and the profiles that
// ship, each as it ships.
type PlacementOptions struct {
	Split    string
	Profiles []string
	Budgets  []int        // tokens
	Embedder embed.Choice // the zero value for the built-in one
}

// BuiltIn names the profiles that ship.
func BuiltIn() []string { return profile.Names(nil) }

// Place asks codemem's questions as prompts, through the engine, with each
// profile at each size. Every project is written into the memory of a repository
// once, day by day; all profiles read the same pages.
func (b Bench) Place(ctx context.Context, projects []Project, o PlacementOptions) ([]Placement, error) {
	if o.Split == "" {
		o.Split = "test"
	}
	if len(o.Profiles) == 0 {
		o.Profiles = BuiltIn()
	}
	var out []Placement
	for _, name := range o.Profiles {
		for _, n := range append([]int{0}, o.Budgets...) {
			out = append(out, Placement{Profile: name, Budget: n, Types: map[string]float64{}, counts: map[string]int{}})
		}
	}
	total := 0
	for i, p := range projects {
		total += len(p.of(o.Split))*len(out) + len(elsewhere(projects, i, o.Split))*len(o.Profiles)
	}
	step := b.steps(total)
	for n, p := range projects {
		w, texts, err := b.remember(ctx, p)
		if err != nil {
			return nil, err
		}
		for i := range out {
			asked := p.of(o.Split)
			if out[i].Budget == 0 {
				asked = append(asked, elsewhere(projects, n, o.Split)...)
			}
			err := w.place(ctx, &out[i], o.Embedder, asked, texts, step)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", out[i].Profile, err)
			}
		}
	}
	for i := range out {
		out[i].mean()
	}
	return out, nil
}

// of are the questions of a split.
func (p Project) of(split string) []Asked {
	return slices.DeleteFunc(slices.Clone(p.Asked), func(q Asked) bool { return q.Split != split })
}

// foreign is the type of a question that is asked of another project's memory.
const foreign = "foreign"

// elsewhere are questions of the next project that its facts alone can answer:
// nothing in this one's memory bears on them.
func elsewhere(projects []Project, this int, split string) []Asked {
	next := (this + 1) % len(projects)
	if next == this {
		return nil
	}
	var out []Asked
	for _, q := range projects[next].of(split) {
		switch q.Type {
		case "lexical", "identifier", "task":
			q.Type, q.Gold, q.Stale = foreign, nil, nil
			out = append(out, q)
		}
	}
	return out
}

// remember writes a project of codemem into the memory of a repository. The
// lines are those of the corpus, by id.
func (b Bench) remember(ctx context.Context, p Project) (*world, map[string]Line, error) {
	history, lines := p.history(), make(map[string]Line, len(p.Lines))
	for _, l := range p.Lines {
		lines[l.ID] = l
	}
	w, err := b.newWorld(ctx, pimento.Project, history[0].at)
	if err != nil {
		return nil, nil, err
	}
	return w, lines, w.with(setting{}, func(e *engine.Engine) error { return w.live(ctx, e, history) })
}

// history is how the corpus came to be: lists grow by a bullet, logs by a dated
// block. What another line names gets an anchor.
func (p Project) history() []said {
	named := map[string]bool{}
	for _, l := range p.Lines {
		for _, to := range slices.Concat(l.Links, l.Supersedes) {
			named[to] = true
		}
	}
	var out []said
	for i, l := range p.Lines {
		at, _ := when.Parse(l.Date)
		s := said{at: at.Add(9*time.Hour + time.Duration(i)*time.Second), page: listPage(l.Section), text: l.asWritten(),
			stamped: l.Type == "log"}
		switch kind := pimento.Kind(l.Type); kind {
		case pimento.KindFact, pimento.KindPreference, pimento.KindLesson, pimento.KindPattern, pimento.KindDecision:
			s.kind = kind // a bullet has words for these
		}
		if named[l.ID] {
			s.anchor = anchorOf(l.ID)
		}
		out = append(out, s)
	}
	slices.SortStableFunc(out, func(a, b said) int { return a.at.Compare(b.at) })
	return out
}

// anchorOf is the anchor of a line of a corpus.
func anchorOf(id string) string {
	st := pimento.StatementOf(id)
	return "pm-" + string(st[:8])
}

// asWritten is a line's text with its tags and links, as an agent writes them.
func (l Line) asWritten() string {
	var b strings.Builder
	b.WriteString(l.Text)
	for _, tag := range l.Tags {
		b.WriteString(" #" + tag)
	}
	for _, to := range l.Links {
		if !slices.Contains(l.Supersedes, to) {
			b.WriteString(" [[^" + anchorOf(to) + "]]")
		}
	}
	for _, old := range l.Supersedes {
		b.WriteString(" (replaces [[^" + anchorOf(old) + "]])")
	}
	return b.String()
}

// place asks one project's questions under one profile.
func (w *world) place(ctx context.Context, pl *Placement, embedder embed.Choice, asked []Asked, lines map[string]Line, each func()) error {
	p, err := w.bench.profile(pl.Profile)
	if err != nil {
		return err
	}
	s := setting{profile: pl.Profile, embedder: embedder}
	if pl.Budget > 0 {
		s.overrides = scaled(p, pl.Budget)
	}
	return w.with(s, func(e *engine.Engine) error {
		for _, q := range asked {
			now, _ := when.Parse(q.Now)
			block, err := w.ask(ctx, e, now.Add(12*time.Hour), q.Text)
			if err != nil {
				return err
			}
			pl.take(q, p, block, lines)
			each()
		}
		return ctx.Err()
	})
}

// take counts one block.
func (pl *Placement) take(q Asked, p pimento.Profile, b pimento.Block, lines map[string]Line) {
	if q.Type == foreign {
		pl.foreign++
		pl.Foreign += float64(one(recalled(p, b) > 0))
		pl.Recalled.Foreign += float64(recalled(p, b))
		return
	}
	pl.Tokens += float64(b.Tokens)
	pl.counts[""]++
	if len(q.Gold) == 0 {
		pl.noise++
		pl.Noise += float64(one(recalled(p, b) > 0))
		pl.Recalled.Unanswered += float64(recalled(p, b))
		return
	}
	in, held, named := look(b), 0.0, 0.0
	for _, id := range q.Gold {
		switch l := lines[id]; {
		case in.holds(l.Text):
			held, named = held+1, named+1
		case strings.Contains(string(in), l.Section):
			named++
		}
	}
	pl.Recalled.Answered += float64(recalled(p, b))
	n := float64(len(q.Gold))
	pl.N++
	pl.Evidence += held / n
	pl.Named += named / n
	pl.Types[q.Type] += held / n
	pl.counts[q.Type]++
	if len(q.Stale) > 0 {
		pl.stale++
		if held == 0 && slices.ContainsFunc(q.Stale, func(id string) bool { return in.holds(lines[id].Text) }) {
			pl.Stale++
		}
	}
}

// recalled is how many tokens the hits in a block take.
func recalled(p pimento.Profile, b pimento.Block) (tokens int) {
	for _, u := range b.Sections {
		if slices.ContainsFunc(p.Sections, func(s pimento.Section) bool { return s.Name == u.Name && s.Pick == pimento.PickHits }) {
			tokens += u.Tokens
		}
	}
	return tokens
}

// mean turns sums into means.
func (pl *Placement) mean() {
	n := float64(max(pl.N, 1))
	pl.Evidence, pl.Named = pl.Evidence/n, pl.Named/n
	pl.Tokens /= float64(max(pl.counts[""], 1))
	pl.Stale /= float64(max(pl.stale, 1))
	pl.Noise /= float64(max(pl.noise, 1))
	pl.Foreign /= float64(max(pl.foreign, 1))
	pl.Recalled.Answered /= n
	pl.Recalled.Unanswered /= float64(max(pl.noise, 1))
	pl.Recalled.Foreign /= float64(max(pl.foreign, 1))
	for t := range pl.Types {
		pl.Types[t] /= float64(pl.counts[t])
	}
}
