package recall

import (
	"context"
	"slices"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/index"
	"github.com/pimento-memory/pimento/internal/text"
)

// People who change a fact seldom say which one they change: they write down
// the new one, on the same page. Two entries are taken for two states of one
// thing when they stand on one page, share a word, and give different values of one
// sort (state.go); then the newer one is the answer if it answers nearly as well.
// Found among the first hits only: farther down it does not matter.
const statesAmong = 6

// replaced moves every hit that another candidate replaces behind that one, and what
// replaces that one before both. All that may be hits have been read; what else
// replaces one of them links to it.
func (a *asking) replaced(ctx context.Context, cs []*candidate) []*candidate {
	cs = a.successors(ctx, cs)
	setHeirs(cs)
	for i := range cs {
		for j := i + 1; j < len(cs) && (j < statesAmong || len(cs[i].heirs) > 0); j++ {
			switch {
			case slices.Contains(cs[i].heirs, cs[j]):
				inherit(cs[j], cs[i])
				ahead(cs, i, j)
			case j < statesAmong && cs[j].read && a.outdates(ctx, cs[j], cs[i]):
				ahead(cs, i, j)
			}
		}
		latest(cs, i)
	}
	return a.leaveOutdated(ctx, cs)
}

// leaveOutdated takes out what the asker has a later state of: alone, it would be
// taken for what holds.
func (a *asking) leaveOutdated(ctx context.Context, cs []*candidate) []*candidate {
	out := cs[:0]
	for i, c := range cs {
		c.outdated = c.outdated || slices.ContainsFunc(c.heirs, func(h *candidate) bool { return h.outdated }) ||
			i < statesAmong && slices.ContainsFunc(a.had, func(h *candidate) bool { return a.outdates(ctx, h, c) })
		if c.outdated {
			a.outdated = append(a.outdated, c.place())
		} else {
			out = append(out, c)
		}
	}
	return out
}

// setHeirs tells each candidate which others replace it, by their names and not by
// comparing all with all.
func setHeirs(cs []*candidate) {
	if !slices.ContainsFunc(cs, func(c *candidate) bool { return len(c.entry.Replaces) > 0 }) {
		return
	}
	named := map[string][]*candidate{}
	for _, c := range cs {
		for _, n := range c.entry.Names {
			if key := text.NameKey(n); key != "" && !slices.Contains(named[key], c) {
				named[key] = append(named[key], c)
			}
		}
	}
	for _, c := range cs {
		for _, l := range c.entry.Replaces {
			for _, old := range named[text.NameKey(l)] {
				old.heirs = append(old.heirs, c)
			}
		}
	}
}

// latest puts the end of the chain of those that replace each other in the place of
// its first. A chain that runs in a circle has none, and stays as it is found.
func latest(cs []*candidate, i int) {
	been := map[*candidate]bool{}
	for j := i + 1; j < len(cs) && len(cs[i].heirs) > 0; j++ {
		if !been[cs[j]] && slices.Contains(cs[i].heirs, cs[j]) {
			been[cs[i]] = true
			inherit(cs[j], cs[i])
			ahead(cs, i, j)
			j = i
		}
	}
}

// inherit makes what replaces a hit the better answer: else it could be left out as
// too far behind the best, while what it replaces stays.
func inherit(newer, older *candidate) {
	newer.add("replaces", max(0, justAbove*older.score-newer.score))
}

// ahead puts candidate j in the place of i, and all from there on one place down.
func ahead(cs []*candidate, i, j int) {
	newer := cs[j]
	copy(cs[i+1:j+1], cs[i:j])
	cs[i] = newer
}

// longest is how many entries chains of replacements may bring along.
const longest = 16

// successors reads those of the candidates that were not read yet and link to one
// that was. What replaces a candidate that itself replaces one comes along even if it
// neither matched nor was linked, so that a chain is followed to its end.
func (a *asking) successors(ctx context.Context, cs []*candidate) []*candidate {
	all := cs
	var at map[pimento.Statement]*candidate
	lost := map[*candidate]bool{}
	for i, todo := 0, slices.Clone(cs); i < len(todo); i++ {
		for _, m := range a.linkers(ctx, todo[i]) {
			if at == nil {
				at = make(map[pimento.Statement]*candidate, len(cs))
				for _, c := range cs {
					at[c.match.Doc.Statement] = c
				}
			}
			c, found := at[m.Doc.Statement]
			switch {
			case a.has(m.Doc.Statement):
				todo[i].outdated = todo[i].outdated || a.successor(ctx, todo[i], m) != nil
			case found && c.read || lost[c]:
			case found:
				if lost[c] = !a.fetch(ctx, c); c.read {
					todo = append(todo, c)
				}
			case len(todo[i].entry.Replaces) > 0 && len(all)-len(cs) < longest:
				if c = a.successor(ctx, todo[i], m); c != nil {
					at[m.Doc.Statement] = c
					all, todo = append(all, c), append(todo, c)
				}
			}
		}
	}
	return slices.DeleteFunc(all, func(c *candidate) bool { return lost[c] })
}

// linkers are the entries that link to a candidate that was read.
func (a *asking) linkers(ctx context.Context, c *candidate) (ms []index.Match) {
	for _, name := range c.entry.Names {
		if key := text.LinkKey(name); key != "" {
			for page, d := range a.with(ctx, c.root, key, linksEach) {
				ms = append(ms, index.Match{Page: page, Doc: d})
			}
		}
	}
	return ms
}

// successor makes a candidate of an entry that links to one; nil if it does not
// replace that, or is not wanted.
func (a *asking) successor(ctx context.Context, old *candidate, m index.Match) *candidate {
	if !a.wants(m.Page, m.Doc) || len(a.shown(old.root, []index.Match{m})) == 0 {
		return nil
	}
	c := &candidate{root: old.root, match: m}
	if a.peek(ctx, c) != nil || !Replaces(&c.entry, &old.entry) {
		return nil
	}
	return c
}

// Replaces says whether one entry names another one as obsolete.
func Replaces(newer, older *pimento.Entry) bool {
	for _, l := range newer.Replaces {
		key := text.NameKey(l)
		if key != "" && slices.ContainsFunc(older.Names, func(n string) bool { return text.NameKey(n) == key }) {
			return true
		}
	}
	return false
}
