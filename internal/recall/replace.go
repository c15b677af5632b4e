package recall

import (
	"context"
	"slices"
	"strings"
	"unicode"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/embed"
	"github.com/pimento-memory/pimento/internal/text"
)

// People who change a fact seldom say which one they change: they write down
// the new one, on the same page. Two entries are taken for two states of one
// thing when they stand on one page, both state a number (a version, a limit, a
// date), share a word, and are alike as a whole; then the newer one is the answer
// if it answers nearly as well. Found among the first hits only: farther down it
// does not matter.
const statesAmong = 6

// replaced moves every hit that another candidate replaces behind that one. All that
// may be hits have been read; what else replaces one of them links to it.
func (a *asking) replaced(ctx context.Context, cs []*candidate) []*candidate {
	cs = a.successors(ctx, cs)
	for i := range cs {
		for j := i + 1; j < len(cs); j++ {
			if !cs[j].read {
				continue
			}
			if replaces(&cs[j].entry, &cs[i].entry) || j < statesAmong && a.outdates(ctx, cs[j], cs[i]) {
				newer := cs[j]
				copy(cs[i+1:j+1], cs[i:j])
				cs[i] = newer
			}
		}
	}
	return cs
}

// successors reads those of the candidates that were not read yet and link to one
// that was.
func (a *asking) successors(ctx context.Context, cs []*candidate) []*candidate {
	links := map[pimento.Statement]bool{}
	for _, c := range cs {
		for _, name := range c.entry.Names {
			if key := text.LinkKey(name); key != "" {
				for _, d := range a.with(ctx, c.root, key) {
					links[d.Statement] = true
				}
			}
		}
	}
	if len(links) == 0 {
		return cs
	}
	return slices.DeleteFunc(cs, func(c *candidate) bool {
		return !c.read && links[c.match.Doc.Statement] && !a.fetch(ctx, c)
	})
}

// outdates says whether one entry seems to be a later state of what another
// one states.
func (a *asking) outdates(ctx context.Context, newer, older *candidate) bool {
	n, o := &newer.match, &older.match
	if a.opts.Lexicon == nil || a.window != nil || n.Page != o.Page || newer.root != older.root ||
		o.Doc.Date == 0 || n.Doc.Date <= o.Doc.Date || newer.score < a.params.LaterScore*older.score || newer.share < a.params.LaterShare*older.share {
		return false
	}
	x, y := newer.entry.Text, older.entry.Text
	return states(x) && states(y) && a.words.share(x, y) && alike(ctx, a.opts.Lexicon, x, y) >= float32(a.params.LaterAlike)
}

// alike is the similarity of two texts.
func alike(ctx context.Context, e embed.Embedder, x, y string) (sum float32) {
	vs, err := e.Embed(ctx, []string{x, y})
	if err != nil || vs[0] == nil || vs[1] == nil {
		return 0
	}
	for i := range vs[0] {
		sum += vs[0][i] * vs[1][i]
	}
	return sum
}

// states says whether a text states a number.
func states(s string) bool { return strings.ContainsFunc(s, unicode.IsDigit) }

// share says whether two texts have a word in common that says something.
func (w *words) share(x, y string) bool {
	have := map[string]bool{}
	w.analyzer.Analyze(x, func(field byte, term string) {
		if (field == text.Word || field == text.CJK && len(term) > 3) && !text.Weak(term) {
			have[term] = true
		}
	})
	found := false
	w.analyzer.Analyze(y, func(field byte, term string) {
		found = found || (field == text.Word || field == text.CJK) && have[term]
	})
	return found
}

// replaces says whether one entry names another one as obsolete.
func replaces(newer, older *pimento.Entry) bool {
	for _, l := range newer.Replaces {
		key := text.NameKey(l)
		if key != "" && slices.ContainsFunc(older.Names, func(n string) bool { return text.NameKey(n) == key }) {
			return true
		}
	}
	return false
}
