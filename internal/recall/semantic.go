package recall

import (
	"context"
	"math"
	"slices"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/embed"
	"github.com/pimento-memory/pimento/internal/index/vectors"
	"github.com/pimento-memory/pimento/internal/text"
)

// IDDigits is how much of a statement its index term holds: the shortest id
// that a person may type.
const IDDigits = 8

// IDKey is the index term of a statement or of the beginning of one. 's' is no
// field letter of package text.
func IDKey(statement string) string { return "s" + statement[:min(IDDigits, len(statement))] }

// similar adds what says the same in other words. It counts as far as words have not
// found an answer, on the scale of the question's mass: a perfect match in meaning
// gets Semantic of it. Beside a model the built-in table is asked: it knows other
// things, Chinese among them, and answers where the model cannot be reached.
//
// asked is false when no vectors could be asked.
func (a *asking) similar(ctx context.Context, question string, cs []*candidate) (out []*candidate, asked bool) {
	if a.params.Semantic == 0 || a.opts.Embedder == nil || a.late(ctx) {
		return cs, false
	}
	e, err := a.opts.Embedder(ctx)
	a.unembedded(err)
	if err == nil && e == nil {
		return cs, false
	}
	m := meaning{asking: a, cs: cs, worded: len(cs), unanswered: a.unanswered(cs)}
	if table := a.opts.Lexicon; table != nil && (e == nil || e.Info().ID != table.Info().ID) {
		asked = m.askBy(ctx, table, question) // first, because a model may take all the time there is
	}
	if err == nil {
		asked = m.askBy(ctx, e, question) || asked
	}
	return m.cs, asked
}

// askBy asks the vectors of one embedder, unless words have found an answer.
func (m *meaning) askBy(ctx context.Context, e embed.Embedder, question string) (asked bool) {
	m.by, m.info = e, e.Info()
	m.info.Related = stricter(m.info.Related, m.opts.Strict)
	gate := m.gate()
	if gate <= 0 {
		return true
	}
	vs, err := e.Embed(ctx, []string{m.info.QueryPrefix + question})
	if err != nil || vs[0] == nil {
		m.unembedded(err)
		return false
	}
	m.question = vs[0]
	if m.at == nil {
		m.at = make(map[pimento.Statement]int, len(m.cs))
		for i, c := range m.cs {
			m.at[c.match.Doc.Statement] = i
		}
	}
	for _, c := range m.cs {
		c.sim = 0
	}
	for i := range m.roots {
		if r := &m.roots[i]; r.Near != nil {
			err := m.ask(ctx, r)
			m.unembedded(err)
			asked = asked || err == nil
		}
	}
	if asked {
		m.open = max(m.open, gate)
		m.count(gate)
	}
	return asked
}

// unembedded records that vectors are missing. Keywords answer.
func (a *asking) unembedded(err error) {
	if err != nil {
		a.fault("embedder", err.Error())
	}
}

// stricter moves a similarity from which texts are related towards 1, where nothing
// is, or for a negative share towards 0, where everything is. Models differ so much
// in what they call alike that no one number suits two of them.
func stricter(related float32, strict float64) float32 {
	if strict < 0 {
		return related * float32(1+strict)
	}
	return min(related+(1-related)*float32(strict), 0.999) // 1 would leave no scale above it
}

// A meaning is a question that is asked of vectors.
type meaning struct {
	*asking
	by       embed.Embedder
	info     embed.Info
	question []float32
	cs       []*candidate
	worded   int                       // those of cs that words have found
	at       map[pimento.Statement]int // to cs; nil until vectors are asked

	unanswered float64 // how far words have not found an answer
}

// nearMost is how many of the nearest are asked for at most, where many of them
// stand nowhere any more.
const nearMost = 1000

// ask asks one root. Statements that stand nowhere any more, or are not wanted,
// take nobody's place: more are asked for then.
func (m *meaning) ask(ctx context.Context, r *Source) error {
	for n := m.params.Nearest; ; n *= 4 {
		near, err := r.Near(ctx, m.by, m.question, n)
		if err != nil {
			return err
		}
		all := len(near) < n
		if i := slices.IndexFunc(near, m.unlike); i >= 0 {
			near, all = near[:i], true
		}
		found := m.lookup(ctx, r, near)
		near = slices.DeleteFunc(near, func(x vectors.Near) bool {
			_, have := m.at[x.Statement]
			_, ok := found[x.Statement]
			return !have && !ok
		})
		if all || len(near) >= m.params.Nearest || n >= nearMost || m.late(ctx) {
			m.take(near[:min(len(near), m.params.Nearest)], found)
			return nil
		}
	}
}

// unlike says whether something is hardly the same matter, and perhaps has no word
// in common with the question. Where everything is to be ranked and words have
// found nothing, whatever points the same way is better than nothing.
func (m *meaning) unlike(x vectors.Near) bool {
	least := m.info.Related / 2
	switch {
	case m.opts.Loose && m.worded == 0:
		least = 0
	case m.info.Weak:
		least = float32(m.params.Related)
	}
	_, have := m.at[x.Statement]
	return x.Sim <= least || !have && !m.opts.Loose && x.Sim < m.info.Related
}

// take takes up what is near in meaning in one root, nearest first.
func (m *meaning) take(near []vectors.Near, found map[pimento.Statement]*candidate) {
	related := float64(m.info.Related)
	for _, n := range near {
		here, isHere := found[n.Statement]
		j, ok := m.at[n.Statement]
		if !ok {
			j = len(m.cs)
			m.at[n.Statement] = j
			m.cs = append(m.cs, here)
		}
		c := m.cs[j]
		if isHere && here.root.Scope.Specificity() > c.root.Scope.Specificity() {
			c.root, c.match = here.root, here.match // one hit for a statement, where it is most specific
		}
		sim := min(float64(n.Sim), 1) // kept in half a byte a number, a vector is not quite of length 1
		if sim <= c.sim {
			continue
		}
		c.sim = sim
		c.meant = max(c.meant, (c.sim-related)/(1-related))
	}
}

// count adds what similarities are worth: how far each stands out of the crowd,
// which is the last of so many as are asked for. Among talk of one matter
// everything is alike, and the most alike of it is no answer; and there are models
// to which any two texts are.
func (m *meaning) count(gate float64) {
	crowd, weight, steep := m.params.Related, m.params.Semantic, m.params.Steep
	if !m.info.Weak {
		crowd, weight, steep = strangers*float64(m.info.Related), m.params.Trusted, 1
	}
	var sims []float64
	for _, c := range m.cs {
		if c.sim > crowd {
			sims = append(sims, c.sim)
		}
	}
	if len(sims) >= m.params.Nearest {
		slices.Sort(sims)
		crowd = min(sims[len(sims)-m.params.Nearest], allAlike)
	}
	for _, c := range m.cs {
		if c.sim > 0 {
			c.add("meaning", gate*weight*m.words.mass*math.Pow(max(c.sim-crowd, faint*c.sim)/(1-crowd), steep))
		}
	}
}

// strangers is how alike two texts are at most that have nothing to do with each other,
// as a part of the similarity from which a model finds them related. It stands for
// the crowd in a memory that is too small to have one.
const strangers = 0.75

// allAlike is the most that a crowd is alike: 1 would leave no scale above it.
const allAlike = 0.95

// faint is what a similarity below the crowd's counts, to be in order.
const faint = 0.01

// lookup finds where statements stand in a root, but for those that words have
// found. What the caller does not want to see is left out.
func (m *meaning) lookup(ctx context.Context, r *Source, near []vectors.Near) map[pimento.Statement]*candidate {
	var sts []pimento.Statement
	for _, n := range near {
		if j, ok := m.at[n.Statement]; !ok || j >= m.worded {
			sts = append(sts, n.Statement)
		}
	}
	found := make(map[pimento.Statement]*candidate, len(sts))
	for _, c := range m.find(ctx, r, sts) {
		found[c.match.Doc.Statement] = c
	}
	return found
}

// some is the share of a question's words that an entry of the right time must have
// for words to have found it: every week has entries that are about something else.
const some = 0.2

// unanswered is how far words have not found an answer, from 1 to 0. The time that is
// asked for counts for an entry that has some of its words, too.
func (a *asking) unanswered(cs []*candidate) float64 {
	covered, told := 0.0, 0.0
	for _, c := range cs {
		held := c.match.Held
		share := a.words.coverage(held)
		if share >= some && a.inTime(&c.match) {
			share = a.withTime(share)
		}
		covered, told = max(covered, share), max(told, a.words.told(held))
	}
	return max(1-max(covered/a.params.Covered, told/a.params.Told), 0)
}

// gate is what vectors count for this question, from 1 to 0, or to Ajar for those
// of a model that ranks well by itself.
func (m *meaning) gate() float64 {
	switch {
	case !m.info.Weak:
		return m.params.Ajar + (1-m.params.Ajar)*m.unanswered
	case m.unanswered == 0:
		return 0
	default:
		return m.unanswered * m.fluency()
	}
}

// fluency is how far vectors can be trusted with the question, from 0 to 1: by how
// many of its words they know. Words of other languages than English and Chinese the
// table knows by chance, as English ones.
func (a *asking) fluency() float64 {
	switch {
	case a.opts.Lexicon == nil:
		return 1
	case a.words.lang != text.English && a.q.Mode != pimento.Semantic:
		return 0
	}
	return min(max((a.opts.Lexicon.Known(a.q.Text)-strange)/(fluent-strange), 0), 1)
}

// Of the words of a question, the share up to which, and from which on, the table
// knows it. Chinese questions about people and places of which it knows a half or
// two thirds were answered by words alone in 97 of 100, and with the vectors in 88.
const strange, fluent = 0.4, 0.9
