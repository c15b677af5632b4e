package upkeep

import (
	"cmp"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/text"
)

// A Relation says what two entries are to each other.
type Relation string

const (
	// Duplicate: they say the same, but for letter case, white space and
	// punctuation.
	Duplicate Relation = "duplicate"
	// Near: they say the same in nearly the same words; one may say more.
	Near Relation = "near-duplicate"
	// Superseded: they cannot both hold, and the older one has been replaced.
	Superseded Relation = "superseded"
	// Contradiction: they cannot both hold, and it is not known which one does.
	Contradiction Relation = "contradiction"
)

// A Known is an entry with what the journal knows of it.
type Known struct {
	pimento.Entry
	Standing pimento.Standing
}

// Said is when an entry was said last, as far as that is known. Its own stamp
// counts for more than the day on which its page was first seen here.
func (k Known) Said() time.Time {
	said := k.Stamp
	if said.IsZero() || k.Standing.Evidence > 1 && k.Standing.Last.After(said) {
		said = k.Standing.Last
	}
	if k.Standing.Confirmed.After(said) {
		said = k.Standing.Confirmed
	}
	return said
}

// A Pair is two entries that are something to each other.
type Pair struct {
	Relation Relation
	Keep     Known   // the one that stays: pinned, newer, or saying more
	Drop     Known   // the other one
	Alike    float64 // the share of their words that is common, 0..1
	Reason   string
	Later    bool // of a contradiction: Keep says itself that it is the later state
}

const (
	// nearAlike is the share of common words from which two entries say the same,
	// as published for the pi-memory daybook; what differs must add, not replace.
	nearAlike = 0.75
	// negatedAlike is the share from which an entry is the denial of another one.
	negatedAlike = 0.66
	// candidateAlike is the share from which two entries are looked at at all.
	candidateAlike = 0.5
	// supersedeAfter is how much later the newer of two statements must have been
	// said to replace the older one.
	supersedeAfter = 24 * time.Hour
	// crowd is how many entries may share a term that makes candidates. Beyond it
	// the term is one of a form that many entries are filled into.
	crowd = 300
)

// Pairs finds what entries are to each other: duplicates, near duplicates, what
// is superseded, and contradictions. Entries of different scopes are strangers: a
// narrower one may well say otherwise.
//
// Candidates come from five tables, so that nothing compares all with all: equal folded
// texts, each with the one of them that stays; entries that share one of their rarest
// terms, with as many of these as a Jaccard similarity of 0.5 needs (prefix filtering:
// Chaudhuri et al. 2006, Bayardo et al. 2007); equal subject and relation of a claim; what
// a form is about; and links.
//
// Each entry is dropped at most once, and what is to be kept is not dropped by
// another pair, so that all pairs can be acted on.
func Pairs(entries []Known) []Pair {
	f := read(entries)
	var out []Pair
	for _, c := range f.candidates() {
		if p, ok := f.judge(c[0], c[1]); ok {
			out = append(out, p)
		}
	}
	return settle(strongestFirst(out))
}

// Beside finds what the first of some entries of one scope is to each of the others, the
// strongest first. What those are to each other has no part in it, and one pair hides no
// other one: of what drops or keeps the first, the caller acts on what it may.
func Beside(entries []Known) (out []Pair) {
	f := read(entries)
	for i := 1; i < len(entries); i++ {
		if p, ok := f.judge(0, i); ok {
			out = append(out, p)
		}
	}
	return strongestFirst(out)
}

func strongestFirst(pairs []Pair) []Pair {
	slices.SortStableFunc(pairs, func(a, b Pair) int {
		return cmp.Or(cmp.Compare(weightOf(a.Relation), weightOf(b.Relation)), cmp.Compare(b.Alike, a.Alike),
			cmp.Compare(a.Keep.String(), b.Keep.String()), cmp.Compare(a.Drop.String(), b.Drop.String()))
	})
	return pairs
}

func weightOf(r Relation) int {
	return slices.Index([]Relation{Duplicate, Superseded, Near, Contradiction}, r)
}

// settle leaves out pairs that a stronger one has made pointless.
func settle(pairs []Pair) (out []Pair) {
	dropped, kept := map[pimento.Occurrence]bool{}, map[pimento.Occurrence]bool{}
	for _, p := range pairs {
		keep, drop := p.Keep.Occurrence, p.Drop.Occurrence
		if dropped[keep] || dropped[drop] || p.Relation != Contradiction && kept[drop] {
			continue
		}
		if p.Relation != Contradiction {
			dropped[drop], kept[keep] = true, true
		}
		out = append(out, p)
	}
	return out
}

type finder struct {
	entries []Known
	gists   []gist
}

// candidates are pairs of indexes, each once, in order.
func (f *finder) candidates() [][2]int {
	seen := map[[2]int]bool{}
	var out [][2]int
	stays := f.stays()
	meet := func(a, b int) {
		pair := [2]int{min(a, b), max(a, b)}
		goes := stays[a] != a && stays[a] != b || stays[b] != b && stays[b] != a
		if a != b && !goes && !seen[pair] && f.entries[a].Scope == f.entries[b].Scope {
			seen[pair] = true
			out = append(out, pair)
		}
	}
	for a, b := range stays {
		meet(a, b)
	}
	for _, table := range []map[string][]int{f.byClaim(), f.byForm(), f.byLink()} {
		for _, group := range table {
			for i, a := range group[:min(len(group), crowd)] {
				for _, b := range group[i+1 : min(len(group), crowd)] {
					meet(a, b)
				}
			}
		}
	}
	f.alike(meet)
	slices.SortFunc(out, func(a, b [2]int) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	return out
}

// stays tells for each entry which of those that say the same is kept; all others
// are dropped for that one, so that nothing else needs to meet them.
func (f *finder) stays() []int {
	type saying struct {
		scope  pimento.Scope
		folded string
	}
	best := map[saying]int{}
	of := func(i int) saying { return saying{f.entries[i].Scope, f.gists[i].folded} }
	for i := range f.entries {
		if j, ok := best[of(i)]; ok {
			if p, _ := f.judge(j, i); p.Keep.Occurrence != f.entries[i].Occurrence {
				continue
			}
		}
		best[of(i)] = i
	}
	out := make([]int, len(f.entries))
	for i := range out {
		out[i] = best[of(i)]
	}
	return out
}

// folded is a text without what never makes a difference.
func folded(s string) string {
	s = strings.ToLower(strings.Join(strings.Fields(s), " "))
	return strings.TrimFunc(s, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune(".!?,;:…。！？，；：、*_\"'`", r)
	})
}

// byLink groups an entry with what it says that it replaces: by name, by anchor, or
// by the first eight digits of a statement.
func (f *finder) byLink() map[string][]int {
	table := map[string][]int{}
	for i, e := range f.entries {
		for _, r := range e.Replaces {
			if key := text.NameKey(r); key != "" {
				table[key] = append(table[key], i)
			}
		}
	}
	for i, e := range f.entries {
		for _, n := range e.Names {
			if key := text.NameKey(n); len(table[key]) > 0 {
				table[key] = append(table[key], i)
			}
		}
		if e.Anchor != "" {
			table[e.Anchor] = append(table[e.Anchor], i)
		}
		for _, r := range e.Replaces {
			if r = strings.TrimPrefix(r, "^"); len(r) >= 8 {
				table[r] = append(table[r], i)
				table[r[:8]] = append(table[r[:8]], i)
			}
		}
	}
	for i, e := range f.entries {
		if short := string(e.Statement[:min(8, len(e.Statement))]); len(table[short]) > 0 {
			table[short] = append(table[short], i)
		}
	}
	return table
}

func (f *finder) byForm() map[string][]int {
	table := map[string][]int{}
	for i, g := range f.gists {
		if key := string(f.entries[i].Scope) + " " + g.form.about; g.form.about != "" {
			table[key] = append(table[key], i)
		}
	}
	return table
}

func (f *finder) byClaim() map[string][]int {
	table := map[string][]int{}
	for i := range f.gists {
		c := f.gists[i].claim
		switch {
		case c.subject == "":
		case c.relation != "use":
			table[c.relation+"\x00"+c.subject] = append(table[c.relation+"\x00"+c.subject], i)
		default: // also by what is chosen, and what is ruled out
			if c.subject != "-" {
				table["use\x00"+c.subject] = append(table["use\x00"+c.subject], i)
			}
			for _, list := range [][]string{c.value, c.instead} {
				if len(list) > 0 {
					key := "choice\x00" + strings.Join(sorted(list), " ")
					table[key] = append(table[key], i)
				}
			}
		}
	}
	return table
}

// judge says what two entries are to each other.
func (f *finder) judge(i, j int) (Pair, bool) {
	a, b := f.gists[i], f.gists[j]
	x, y := f.entries[i], f.entries[j]
	p := Pair{Alike: jaccard(a.terms, b.terms)}
	switch {
	case a.folded == b.folded:
		p.Relation, p.Alike, p.Reason = Duplicate, 1, "they say the same"
	case x.Task != y.Task || x.Task && x.Done != y.Done:
		return p, false
	case replaces(x, y) || replaces(y, x):
		p.Relation, p.Reason = Superseded, "one of them says that it replaces the other"
	default:
		if p.Relation, p.Reason = compare(a, b, p.Alike); p.Relation == "" {
			return p, false
		}
	}
	f.order(&p, i, j)
	return p, true
}

// compare finds the relation of two texts that differ.
func compare(a, b gist, alike float64) (Relation, string) {
	why, differ := a.form.against(b.form), a.claim.against(b.claim) && !a.form.beside(b.form)
	switch {
	case a.asks != b.asks && (a.negated != b.negated || why != ""):
		return "", ""
	case a.negated != b.negated && alike >= negatedAlike && slices.Equal(a.marks, b.marks) && !a.sharpens(b) && !b.sharpens(a):
		return Contradiction, "one denies what the other says"
	case why != "":
		return Contradiction, why
	case a.negated != b.negated:
		if rulesOut(a.claim, b.claim) || rulesOut(b.claim, a.claim) {
			return Contradiction, "one rules out what the other says"
		}
		return "", ""
	case !slices.Equal(a.marks, b.marks):
		if a.event || b.event || !differ {
			return "", ""
		}
		return Contradiction, "they give different values for one thing"
	case differ && !(a.event && b.event):
		return Contradiction, "they give different values for one thing"
	case alike >= nearAlike && adds(a.terms, b.terms) && a.only == b.only && !a.form.narrows(b.form):
		return Near, "they say the same in nearly the same words"
	}
	return "", ""
}

// Against returns what says why two texts cannot both hold, "" if they can. It reads each
// text once.
func Against() func(x, y string) string {
	read := map[string]gist{}
	of := func(s string) gist {
		g, ok := read[s]
		if !ok {
			g = gistOf(pimento.Entry{Text: s})
			read[s] = g
		}
		return g
	}
	return func(x, y string) string {
		a, b := of(x), of(y)
		rel, why := compare(a, b, jaccard(a.terms, b.terms))
		if rel != Contradiction {
			return ""
		}
		return why
	}
}

// sharpens says whether a statement says what the other one does, and rules out besides what
// that does not speak of.
func (g gist) sharpens(h gist) bool {
	return g.claim.sharpens(h.claim) ||
		len(g.besides) > 0 && !g.claim.denied && !slices.ContainsFunc(g.besides, func(s string) bool { return slices.Contains(h.terms, s) })
}

// adds says whether what differs is on one side only: an addition. A word in the
// place of another one makes another statement.
func adds(a, b []string) bool { return subset(a, b) || subset(b, a) }

// measures are the numbers that say how much.
func measures(ts []token) (out []string) {
	for i, t := range ts {
		if !t.mark || strings.Trim(t.stem, "0123456789.,%$€~<>=+-") != "" && !unitTail(t.stem) || strings.Count(t.stem, ".") > 1 {
			continue
		}
		after := i+1 < len(ts) && unit(ts[i+1].stem)
		before := i > 0 && measuring(ts[i-1])
		if (after || before || unitTail(t.stem) || strings.HasSuffix(t.stem, "%")) && !slices.Contains(out, t.stem) {
			out = append(out, t.stem)
		}
	}
	return out
}

// unitTail is a number with its unit behind it: 30s, 8kb, 99.9%.
func unitTail(s string) bool {
	tail := strings.TrimLeft(s, "0123456789.,~<>")
	if tail == s {
		return false
	}
	switch tail {
	case "s", "ms", "m", "min", "h", "d", "kb", "mb", "gb", "tb", "k", "%", "px", "x", "am", "pm", "hz", "mhz", "ghz":
		return true
	}
	return false
}

func unit(stem string) bool {
	switch stem {
	case "second", "minut", "hour", "day", "week", "month", "year", "ms", "millisecond", "kb", "mb", "gb", "tb", "byte", "percent", "line",
		"charact", "char", "token", "time", "retri", "request", "worker", "thread", "core", "column", "space", "pixel", "px", "peopl",
		"replica", "node", "instanc", "item", "row", "entri", "page", "file", "attempt", "connect", "user", "dollar", "euro", "word", "commit",
		"approv", "review", "am", "pm", "oclock":
		return true
	}
	return false
}

func measuring(t token) bool {
	switch t.raw {
	case "is", "are", "=", "to", "at", "under", "over", "below", "above", "least", "most", "max", "min", "maximum", "minimum", "port", "limit",
		"exactly", "about", "than", "after", "every":
		return true
	}
	return false
}

// order decides which of two entries stays, and whether the other is superseded
// rather than contradicted.
func (f *finder) order(p *Pair, i, j int) {
	keep, drop := f.entries[i], f.entries[j]
	a, b := f.gists[i], f.gists[j]
	prefer := func(second bool) {
		if second {
			keep, drop = drop, keep
		}
	}
	apart := keep.Said().Sub(drop.Said())
	switch {
	case p.Relation == Superseded:
		prefer(replaces(drop, keep))
	case p.Relation == Contradiction:
		prefer(apart < 0)
		if a.later != b.later && max(apart, -apart) < supersedeAfter {
			p.Later, keep, drop = true, f.entries[i], f.entries[j]
			prefer(b.later)
		}
		if !keep.Said().IsZero() && !drop.Said().IsZero() && max(apart, -apart) >= supersedeAfter && !drop.Pinned {
			p.Relation, p.Reason = Superseded, p.Reason+", and one is newer"
		}
	case keep.Pinned != drop.Pinned:
		prefer(drop.Pinned)
	case len(a.terms) != len(b.terms) && p.Relation == Near:
		prefer(len(b.terms) > len(a.terms))
	case keep.Standing.Evidence != drop.Standing.Evidence:
		prefer(drop.Standing.Evidence > keep.Standing.Evidence)
	default:
		prefer(apart < 0)
	}
	p.Keep, p.Drop = keep, drop
}

// replaces says whether an entry names another one as what it makes obsolete.
func replaces(x, y Known) bool {
	for _, r := range x.Replaces {
		if key := text.NameKey(r); key != "" && slices.ContainsFunc(y.Names, func(n string) bool { return text.NameKey(n) == key }) {
			return true
		}
		r = strings.TrimPrefix(r, "^")
		if r != "" && (r == y.Anchor || len(r) >= 8 && strings.HasPrefix(string(y.Statement), r)) {
			return true
		}
	}
	return false
}

// jaccard is the share of two sorted sets that is in both.
func jaccard[T cmp.Ordered](a, b []T) float64 {
	if len(a) == 0 || len(b) == 0 {
		return 0
	}
	both := 0
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] == b[j]:
			both, i, j = both+1, i+1, j+1
		case a[i] < b[j]:
			i++
		default:
			j++
		}
	}
	return float64(both) / float64(len(a)+len(b)-both)
}
