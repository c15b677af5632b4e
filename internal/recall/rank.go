package recall

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/index"
	"github.com/pimento-memory/pimento/internal/text"
)

// rank is the second pass: what coverage, time and the text tell, what is
// linked, what is replaced. It returns the hits.
func (a *asking) rank(ctx context.Context, cs []*candidate) []pimento.Hit {
	for _, c := range cs {
		a.first(c)
	}
	a.recency(cs)
	for _, c := range cs {
		a.takeAway(c)
	}
	a.weights(cs)
	a.tagged(ctx, cs)
	cs = slices.DeleteFunc(cs, func(c *candidate) bool { return c.share < a.opts.MinCoverage && !(c.timely && a.onlyTime()) })
	if a.doing && a.asked && slices.ContainsFunc(cs, func(c *candidate) bool { return c.timely }) {
		cs = slices.DeleteFunc(cs, func(c *candidate) bool { return !c.timely })
	}
	cs = a.setKnownAside(cs)
	best := a.reread(ctx, cs)
	best = a.follow(ctx, best)
	order(best, a.params.Leaders)
	sure, share := a.confidence(best)
	had, _ := a.confidence(a.had)
	a.sure, a.settled = sure, max(sure, had) >= a.params.Typed && !a.little()
	if !a.bears(best, sure, share) {
		return nil
	}
	best = a.readable(ctx, best, a.limit+spare)
	a.edits(best[:min(len(best), a.limit+spare)])
	best = a.replaced(ctx, best)
	if len(best) > a.limit {
		best = best[:a.limit]
	}
	if !a.opts.Loose {
		best = a.telling(best)
	}
	hits := make([]pimento.Hit, len(best))
	for i := range best {
		a.explain(best[i])
		hits[i] = pimento.Hit{Entry: best[i].entry, Score: best[i].score, Why: best[i].why.shares(),
			Replaced: slices.ContainsFunc(best[i].heirs, func(h *candidate) bool { return slices.Contains(best[:i], h) })}
		if a.opts.Excerpts {
			hits[i].Excerpt = a.excerpt(ctx, best[i].entry.Text)
		}
	}
	if !a.opts.Loose {
		Falling(hits)
	}
	return hits
}

// Falling raises every score that is lower than that of a hit farther down, so that
// sorting hits by score gives the order in which they stand. The two differ where
// something else decided the order (see order and replaced).
func Falling(hits []pimento.Hit) {
	for i := len(hits) - 2; i >= 0; i-- {
		if hits[i].Score < hits[i+1].Score {
			hits[i].Score = hits[i+1].Score * justAbove
		}
	}
}

// justAbove makes a score a little higher than another one.
const justAbove = 1 + 1e-6

// telling leaves out hits that are far behind the best. What comes along by a link always is,
// and so may be what answers another part of the question.
func (a *asking) telling(cs []*candidate) []*candidate {
	most := 0.0
	for _, c := range cs {
		if a.opts.Stands == nil || !a.opts.Stands(c.match.Doc.Statement) {
			most = max(most, c.score)
		}
	}
	least := a.params.Least
	if !a.onlyTime() {
		least = max(least, a.opts.Least)
	}
	held := uint64(0) // by those that stay
	return slices.DeleteFunc(cs, func(c *candidate) bool {
		both := held | c.match.Held
		adds := a.words.coverage(both) - a.words.coverage(held)
		if c.score < a.params.Least*most || c.score < least*most && adds < another && c.why.of("link") == 0 {
			return true
		}
		held = both
		return false
	})
}

// another is the share of a question that a hit holds, and no better one, if it answers
// another part of it: "remember that the canary takes ten minutes. And where is the
// gateway?" From 0.15 to 0.3 the development questions, which have one part each, are the same.
const another = 0.25

// first adds what can be told without the text.
func (a *asking) first(c *candidate) {
	m := &c.match
	c.score -= a.surplus(m)
	c.score += a.flat(m)
	c.share = a.words.coverage(m.Held)
	if c.timely = a.inTime(m) && (a.asked || a.words.touches(m.Held)); c.timely && !a.latest {
		c.share = a.words.dated(m.Held)
		c.add("date", a.params.Date*a.words.mass)
		if a.doing && m.Doc.Kind == a.kind {
			c.add("kind", a.params.Date*a.words.mass)
		}
	}
	c.add("coverage", a.params.Coverage*(1-a.open)*c.share*a.words.mass)
	if m.Heard != m.Held {
		more := a.words.coverage(m.Heard) - a.words.coverage(m.Held)
		c.add("context", a.params.Context*(1-a.open)*more*a.words.mass)
	}
	c.share = max(c.share, c.meant)
}

// takeAway is what counts against a candidate.
func (a *asking) takeAway(c *candidate) {
	m := &c.match
	switch flags := m.Doc.Flags; {
	case flags&index.Wonders != 0:
		c.add("wonders", -a.params.Wonders*c.score)
	case flags&index.Inquires != 0:
		c.add("wonders", -a.params.Inquires*c.score)
	}
	if a.window != nil && a.asked && m.Doc.Flags&index.Said == 0 && !c.timely && a.when(m).newest() != 0 {
		c.add("date", -a.params.Untimely*c.score)
	}
	if lacks := a.words.numberless(m.Held); lacks > 0 {
		c.add("number", -a.params.Number*lacks*c.score)
	}
}

// surplus is what a match gained by saying one thing of the question in several
// words of which each stands in for another one: a unit counts once.
func (a *asking) surplus(m *index.Match) (sum float64) {
	for _, u := range a.words.units {
		if u.loose&m.Held == 0 {
			continue
		}
		most, all := float32(0), float32(0)
		for i, t := range a.words.terms {
			bit := uint64(1) << i
			if u.held&m.Held&bit == 0 || t.field != text.Word {
				continue
			}
			part := a.query.Part(a.query.Terms[i].Weight, 1, m.Doc.Len)
			if u.loose&bit == 0 {
				most = max(most, part)
				continue
			}
			most = max(most, part)
			all += part
		}
		if u.held&^u.loose&m.Held != 0 {
			sum += float64(all)
		} else {
			sum += float64(all - most)
		}
	}
	return sum
}

// flat is what a match lost, or gained, by its length for what is known beside its
// text: who wrote something, and when, is no less so of a long one.
func (a *asking) flat(m *index.Match) (sum float64) {
	for i := range a.words.terms {
		if m.Held>>i&1 != 0 {
			sum += float64(a.part(i, m) - a.query.Part(a.query.Terms[i].Weight, 1, m.Doc.Len))
		}
	}
	return sum
}

// part is what a match's holding of a term counts, if it holds it once.
func (a *asking) part(i int, m *index.Match) float32 {
	length := m.Doc.Len
	if f := a.words.terms[i].field; f == text.Author || f == text.Meta {
		length = int(a.query.AvgLen)
	}
	return a.query.Part(a.query.Terms[i].Weight, 1, length)
}

func (c *candidate) add(factor string, x float64) {
	c.score += x
	c.why.add(factor, x)
}

// halfYear is how much older an entry must be to get half of what the newest
// gets for being new.
const halfYear = 183 * 24 * 60 * 60

// month is how much older an entry must be to get half of what the newest gets where a
// question asks for what is new.
const month = 30 * 24 * 60 * 60

// recency favours what is newer, where a question does not say what time it is
// about: a little, or, if it asks for what is new, so much that the newest counts twice. An
// entry without a date is as old as half a year.
func (a *asking) recency(cs []*candidate) {
	if a.params.Recent == 0 || a.window != nil {
		return
	}
	newest := int64(0)
	for _, c := range cs {
		newest = max(newest, a.when(&c.match).newest())
	}
	for _, c := range cs {
		age := int64(halfYear)
		if d := a.when(&c.match).newest(); d != 0 {
			age = newest - d
		}
		switch {
		case a.latest:
			c.add("date", math.Exp2(-float64(age)/month))
		case a.lately:
			c.add("date", c.score*math.Exp2(-float64(age)/month))
		default:
			c.add("recent", a.params.Recent*a.words.mass*math.Exp2(-float64(age)/halfYear))
		}
	}
}

// weights multiplies the scores by what the caller thinks of a kind and of an
// age. It comes after all that words and meaning tell, so that it moves every
// entry, however it was found.
func (a *asking) weights(cs []*candidate) {
	fresh := a.opts.Fresh
	if len(a.opts.Weights) == 0 && fresh.Boost == 0 {
		return
	}
	for _, c := range cs {
		if w, ok := a.opts.Weights[c.match.Doc.Kind]; ok {
			c.add("kind", (w-1)*c.score)
		}
		if d := a.when(&c.match).newest(); d != 0 && fresh.Days > 0 && !a.q.Now.IsZero() {
			age := max(wallClock(a.q.Now).Sub(time.Unix(d, 0)).Hours()/24, 0)
			c.add("fresh", c.score*fresh.Boost*max(0, 1-age/float64(fresh.Days)))
		}
	}
}

// tagged multiplies the scores of what has a tag that the caller thinks of. Who may
// have one is asked of the index, because most candidates are never read. To the index
// a link of that name is the same, so these few are, as far as there is time.
func (a *asking) tagged(ctx context.Context, cs []*candidate) {
	type place struct {
		root *Source
		page string
		st   pimento.Statement
		n    int
	}
	for _, tag := range slices.Sorted(maps.Keys(a.opts.Tags)) {
		has := map[place]bool{}
		for i := range a.roots {
			r := &a.roots[i]
			err := r.Reader.With(ctx, text.LinkKey(tag), func(page string, d index.Doc) bool {
				has[place{r, strings.Clone(page), d.Statement, d.N}] = true
				return true
			})
			if err != nil {
				a.failed(ctx, string(r.Scope), err)
			}
		}
		for _, c := range cs {
			if len(has) > 0 && has[place{c.root, c.match.Page, c.match.Doc.Statement, c.match.Doc.N}] && !a.onlyLinks(ctx, c, tag) {
				c.add("tag", (a.opts.Tags[tag]-1)*c.score)
			}
		}
	}
}

// onlyLinks says whether a candidate's text links to the name of a tag and does not
// have the tag.
func (a *asking) onlyLinks(ctx context.Context, c *candidate, tag string) bool {
	if ctx.Err() != nil || a.peek(ctx, c) != nil {
		return false
	}
	same := func(name string) bool { return text.LinkKey(name) == text.LinkKey(tag) }
	return slices.ContainsFunc(c.entry.Links, same) && !slices.ContainsFunc(c.entry.Tags, same)
}

// maxKnown is how many known entries an answer names.
const maxKnown = 5

// setKnownAside takes out what the asker has already.
func (a *asking) setKnownAside(cs []*candidate) []*candidate {
	if a.opts.Known == nil {
		return cs
	}
	slices.SortFunc(cs, better)
	return slices.DeleteFunc(cs, func(c *candidate) bool {
		if !a.has(c.match.Doc.Statement) {
			return false
		}
		if len(a.known) < maxKnown {
			a.known = append(a.known, c.place())
		}
		if len(a.had) < statesAmong {
			a.had = append(a.had, c)
		}
		return true
	})
}

// spare is how many candidates are read beyond those that are asked for:
// replacements need some to choose from.
const spare = 2

// rivals is how many candidates the priors choose from, as a multiple of those
// that are wanted: farther down a prior cannot lift one far enough.
const rivals = 1.5

// reread orders the candidates by what their texts tell, too. A text is read only
// where that can bring its entry among the best: one that holds no two
// neighbouring words of the question, or holds them apart as the index tells,
// has nothing to gain.
func (a *asking) reread(ctx context.Context, cs []*candidate) []*candidate {
	for _, c := range cs {
		c.promise = a.params.Bigram * a.words.promise(c.match.Held)
	}
	slices.SortFunc(cs, func(x, y *candidate) int {
		if c := cmp.Compare(y.score+y.promise, x.score+x.promise); c != 0 {
			return c
		}
		return better(x, y)
	})
	want := int(rivals * float64(a.limit+spare))
	best := make([]*candidate, 0, len(cs))
	scores := make([]float64, 0, want+1) // the best so far, best first
	for _, c := range cs {
		if len(scores) == want && c.score+c.promise < scores[want-1] {
			break
		}
		if c.promise > 0 && a.words.mayStand(c.match.Held, c.match.Doc.Beside) {
			if !a.fetch(ctx, c) {
				continue
			}
			c.add("bigram", a.params.Bigram*a.words.bigrams(c.entry.Text, c.match.Held))
		}
		at, _ := slices.BinarySearchFunc(scores, c.score, func(x, y float64) int { return cmp.Compare(y, x) })
		scores = slices.Insert(scores, at, c.score)[:min(len(scores)+1, want)]
		best = append(best, c)
	}
	slices.SortFunc(best, better)
	best = a.readable(ctx, best, want)
	first := best[:min(len(best), want)]
	a.ruled(first)
	a.priors(first)
	return best
}

// readable reads the first n candidates that can be read. One that cannot is dropped
// with a fault, and the next takes its place; when the time is over, what has
// not been read is dropped.
func (a *asking) readable(ctx context.Context, cs []*candidate, n int) []*candidate {
	out := cs[:0]
	for i, c := range cs {
		if len(out) == n {
			return append(out, cs[i:]...)
		}
		switch {
		case !c.read && !a.fetch(ctx, c):
		case a.opts.Quotes != nil && a.window == nil && a.opts.Quotes(ctx, c.entry):
			a.quotes = append(a.quotes, c.place())
		default:
			out = append(out, c)
		}
	}
	return out
}

// fetch reads a candidate's entry; false when it cannot be read.
func (a *asking) fetch(ctx context.Context, c *candidate) bool {
	if a.late(ctx) {
		return false
	}
	switch err := a.peek(ctx, c); {
	case err == nil:
		return true
	case ctx.Err() != nil:
		a.failed(ctx, "", ctx.Err())
	default:
		a.fault("vault", string(c.root.Scope)+":"+c.match.Page+": "+err.Error())
	}
	return false
}

// peek reads a candidate that was not read yet, and leaves what that costs to others
// to say.
func (a *asking) peek(ctx context.Context, c *candidate) error {
	if c.read {
		return nil
	}
	e, err := read(ctx, c)
	if err == nil {
		c.entry, c.read = e, true
	}
	return err
}

// priors adds the caller's priors of the candidates, which have been read.
func (a *asking) priors(cs []*candidate) {
	if a.opts.Prior == nil || len(cs) == 0 || a.latest {
		return
	}
	es := make([]pimento.Entry, len(cs))
	for i, c := range cs {
		es[i] = c.entry
	}
	for i, p := range a.opts.Prior(es) {
		cs[i].add("prior", a.params.Prior*a.words.mass*min(max(p, 0), 1))
	}
}

// read gets the entry's text; the place is what the index said where the getter
// leaves it open.
func read(ctx context.Context, c *candidate) (pimento.Entry, error) {
	d := c.match.Doc
	e := pimento.Entry{Kind: d.Kind, Span: d.Span, Line: d.Line,
		Pinned: d.Flags&index.Pinned != 0, Task: d.Flags&index.Task != 0, Done: d.Flags&index.Done != 0}
	if c.root.Text != nil {
		var err error
		if e, err = c.root.Text(ctx, c.match.Page, d); err != nil {
			return e, err
		}
	}
	e.Scope = c.root.Scope
	if e.Page == "" {
		e.Page = c.match.Page
	}
	if e.Statement == "" {
		e.Statement, e.N = d.Statement, d.N
	}
	return e, nil
}

// order sorts by score, but for the first places, which go to the best without
// their neighbours' help.
func order(cs []*candidate, leaders int) {
	slices.SortFunc(cs, better)
	for at := range min(leaders, len(cs)) {
		best := at
		for i := at; i < len(cs); i++ {
			if cs[i].lead()-cs[best].lead() > rounding*cs[best].score {
				best = i
			}
		}
		c := cs[best]
		copy(cs[at+1:best+1], cs[at:best])
		cs[at] = c
	}
}

// rounding is the part of a score by which leads may differ that are the same: an index
// counts in numbers of seven digits.
const rounding = 1e-6
