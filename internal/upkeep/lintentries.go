package upkeep

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/page"
	"github.com/pimento-memory/pimento/internal/score"
	"github.com/pimento-memory/pimento/internal/text"
)

// ofRelation is the rule that finds pairs of entries of one relation. Of duplicates
// the one that goes has a fix; of all others a person looks first.
func ofRelation(rel Relation) func(LintFacts) []Finding {
	return func(f LintFacts) (out []Finding) {
		for _, p := range f.pairs {
			same := p.Drop.Page == p.Keep.Page && p.Drop.Statement == p.Keep.Statement // the rule "repeated" finds it
			if p.Relation != rel || same {
				continue
			}
			found := Finding{Page: p.Drop.Page, Line: p.Drop.Line, Text: fmt.Sprintf("%s: %s", at(p.Keep), p.Reason),
				Do: "see both, and archive one: pimento consolidate"}
			switch {
			case rel == Duplicate && len(p.Drop.Triples) > 0:
				found.Do = "archive one of them, and keep what its front matter says of relations"
			case rel == Duplicate && !p.Drop.Pinned && p.Drop.Scope != pimento.Local:
				found.Do, found.Fix = "archive one of them", &Fix{Archive: f.whole(p.Drop.Occurrence)}
			case rel == Contradiction && p.Later:
				found.Do = "archive this one, unless it holds again; the other says itself that something has changed"
			case rel == Contradiction:
				found.Do = "correct or archive one of them; nothing tells which one holds"
			}
			out = append(out, found)
		}
		return out
	}
}

// whole is an entry, or the page where it is all that an article says.
func (f LintFacts) whole(o pimento.Occurrence) *pimento.Occurrence {
	for _, p := range f.Pages {
		if p.Rel == o.Page && p.Page.Dialect() == page.Article && len(p.Page.Entries()) == 1 {
			o.Statement, o.N = "", 0
		}
	}
	return &o
}

// at names where an entry stands.
func at(k Known) string { return fmt.Sprintf("with %s:%d", k.Page, k.Line) }

// restedAfter is how long an entry must have rested for a reader of the pages to
// look at it again. Some kinds fade within weeks, which says where they rank, not
// that they no longer hold.
const restedAfter = 180 * 24 * time.Hour

// Rested picks the stale entries that nobody has said for half a year.
func Rested(entries []Known, p score.Policy, now time.Time) []Known {
	return slices.DeleteFunc(Stale(entries, p, now), func(k Known) bool { return now.Sub(k.Said()) < restedAfter })
}

// staleEntries finds what has faded, and rested for long.
func staleEntries(f LintFacts) (out []Finding) {
	for _, k := range Rested(f.Entries, f.Policy, f.Now) {
		id := string(k.Statement)
		out = append(out, Finding{Page: k.Page, Line: k.Line, Text: "it was last said on " + k.Said().Format("2006-01-02") + " and has faded",
			Do: "if it still holds: pimento confirm " + id + "; else: pimento archive --reason stale --apply " + id})
	}
	return out
}

// An entry of a list is a statement, a section of an article may be longer.
const (
	longStatement = 2_000 // characters: some 500 tokens, more than any section gives to one entry
	longSection   = 8_000 // characters: what an embedder of pi-mind was given at most
)

func longEntries(f LintFacts) (out []Finding) {
	for _, p := range f.Pages {
		limit, do := longSection, "split it into sections of their own"
		switch p.Page.Dialect() {
		case page.Log:
			continue
		case page.List, page.Checklist:
			limit, do = longStatement, "make a page of it, and leave a line that links there"
		}
		for _, e := range p.Page.Entries() {
			if n := len([]rune(e.Text)); n > limit {
				out = append(out, Finding{Page: p.Rel, Line: e.Line, Text: fmt.Sprintf("it has %d characters, more than %d", n, limit), Do: do})
			}
		}
	}
	return out
}

// supersedeCycles finds entries that replace each other in a circle: none of
// them would ever be shown as what holds.
func supersedeCycles(f LintFacts) (out []Finding) {
	var nodes []node
	names := map[string][]int{}
	for _, p := range f.Pages {
		for _, e := range p.Page.Entries() {
			for _, n := range e.Names {
				names[text.NameKey(n)] = append(names[text.NameKey(n)], len(nodes))
			}
			nodes = append(nodes, node{e, p.Rel})
		}
	}
	next := make([][]int, len(nodes))
	for i, n := range nodes {
		for _, link := range n.Replaces {
			next[i] = append(next[i], names[text.NameKey(link)]...)
		}
	}
	done := make([]bool, len(nodes))
	for i := range nodes {
		if circle := circleFrom(i, next, done); circle != nil {
			var where []string
			for _, j := range circle {
				where = append(where, fmt.Sprintf("%s:%d", nodes[j].rel, nodes[j].Line))
			}
			first := nodes[circle[0]]
			out = append(out, Finding{Page: first.rel, Line: first.Line, Text: "these replace each other: " + strings.Join(append(where, where[0]), " -> "),
				Do: "take one of the links out, so that one of them holds"})
		}
	}
	return out
}

// A node is an entry among those that replace each other.
type node struct {
	pimento.Entry
	rel string
}

// circleFrom is a circle that can be reached from a node, nil when there is none
// that was not found before. What was walked is done.
func circleFrom(start int, next [][]int, done []bool) []int {
	var way []int
	at := map[int]int{} // where a node stands on the way, from 1
	var walk func(i int) []int
	walk = func(i int) []int {
		if at[i] > 0 {
			return slices.Clone(way[at[i]-1:])
		}
		if done[i] {
			return nil
		}
		done[i] = true
		way = append(way, i)
		at[i] = len(way)
		defer func() { way = way[:len(way)-1]; delete(at, i) }()
		for _, j := range next[i] {
			if circle := walk(j); circle != nil {
				return circle
			}
		}
		return nil
	}
	return walk(start)
}

// single are predicates of which a subject has one object at a time.
func single() []string {
	return []string{"is", "status", "state", "version", "port", "role", "owned_by", "located_in", "lives_in", "runs_on", "hosted_on", "listens_on",
		"deadline", "due", "date", "starts_on", "ends_on", "happens_on", "scheduled_for", "timezone", "default", "replaced_by", "maintained_by", "led_by", "reports_to", "named"}
}

// A fact is a relation with the page that says so.
type fact struct {
	pimento.Triple
	page *LintPage
}

// tripleContradictions finds relations that cannot both hold: two objects of a
// predicate that takes one, or a relation and its denial. What an "until" or a
// page that supersedes has ended contradicts nothing.
func tripleContradictions(f LintFacts) (out []Finding) {
	facts := f.holding()
	byPair := map[string][]fact{}
	var order []string
	for _, t := range facts {
		pred, _ := denial(t.Predicate)
		key := text.EntityID(t.Subject) + "\x00" + pred
		if byPair[key] == nil {
			order = append(order, key)
		}
		byPair[key] = append(byPair[key], t)
	}
	for _, key := range order {
		group := byPair[key]
		for i, x := range group {
			for _, y := range group[:i] {
				if clash(x, y) {
					out = append(out, Finding{Page: x.page.Rel, Line: 1, Text: fmt.Sprintf("%s, but %s says %s", say(x), y.page.Rel, say(y)),
						Do: "say on the older page until when it held (until: 2026-01-31), or which page the newer one replaces (supersedes: [[page]])"})
				}
			}
		}
	}
	return out
}

// holding are the relations of pages of knowledge that nothing has ended.
func (f LintFacts) holding() (out []fact) {
	ended := map[string]bool{}
	for _, p := range f.Pages {
		for _, e := range p.Page.Entries() {
			for _, link := range e.Replaces {
				ended[text.NameKey(link)] = true
			}
		}
	}
	for _, p := range f.knowledge() {
		for _, e := range p.Page.Entries() {
			over := !e.Until.IsZero() && !e.Until.After(f.Now)
			if over || slices.ContainsFunc(e.Names, func(n string) bool { return ended[text.NameKey(n)] }) {
				continue
			}
			for _, t := range e.Triples {
				out = append(out, fact{t, p})
			}
		}
	}
	return out
}

// clash reports whether two relations of one subject and predicate, denied or
// not, rule each other out.
func clash(x, y fact) bool {
	pred, no := denial(x.Predicate)
	_, not := denial(y.Predicate)
	same := text.EntityID(x.Object) == text.EntityID(y.Object)
	if no != not {
		return same
	}
	return !no && !same && slices.Contains(single(), pred)
}

// denial splits "not_owns" into "owns" and true.
func denial(predicate string) (string, bool) {
	p := text.EntityID(predicate)
	for _, no := range []string{"not_", "no_longer_", "never_", "does_not_", "is_not_"} {
		if rest, ok := strings.CutPrefix(p, no); ok {
			return strings.TrimPrefix(rest, "is_"), true
		}
	}
	return p, false
}

func say(t fact) string { return t.Subject + " " + t.Predicate + " " + t.Object }
