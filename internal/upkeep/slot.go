package upkeep

import (
	"slices"
	"strings"
	"unicode"

	"github.com/pimento-memory/pimento/internal/when"
)

// A form is what a statement is about, apart from the values that it gives and from the
// words that only say that a value holds, or has changed: "the release is on Friday" and
// "the release moved to Monday" are both about the release, and say on which day it is.
// Two forms about the same give one thing two values, or want and forbid the same.
//
// What makes another thing of it stays in what it is about: any other word, and a value
// that stands before a word as its name ("Monday's standup", "phase 2", "large files").
type form struct {
	about string // stems, sorted; "" for nothing that could be compared
	slots []slot
	wish  wish
}

// A slot is a value with its sort, and what stands before it: until Friday, from Friday.
type slot struct{ sort, role, value string }

// anyRole is of a value that something was changed to; toRole becomes that, or until.
const (
	anyRole = "any"
	toRole  = "to"
)

// The sorts of values that are known by their words. A number's is the stem of its unit,
// or "port".
const (
	weekday = "Weekday"
	month   = "Month"
	date    = "Date"
	ordinal = "Ordinal"
	clock   = "Clock"
	number  = "Number"
	large   = "Size"
	long    = "Length"
)

// A wish is what a statement wants of what it is about.
type wish int8

const (
	wants   wish = 1
	forbids wish = -1
)

// formOf reads the first sentence of a statement, up to what it rules out or adds in
// another clause, and says whether it tells what happened once.
func formOf(ts []token) (f form, past bool) {
	r := slots{ts: core(ts)}
	for i, t := range r.ts {
		r.port = r.port || t.stem == "port"
		if next := r.raw(i + 1); strings.IndexByte(".!?;", t.last) >= 0 || t.end && (next == "not" || clause(next)) {
			r.ts = r.ts[:i+1]
			break
		}
	}
	if at := aside(r.ts); at > 0 && !r.ts[at-1].end {
		r.ts = r.ts[:at]
	}
	for ; r.at < len(r.ts); r.at++ {
		if n := r.value(); n > 0 {
			r.at += n - 1
		} else {
			r.word(r.ts[r.at])
		}
	}
	r.settle()
	switch {
	case r.past || r.vague || r.denied > 1 || len(r.ts) > 0 && r.ts[len(r.ts)-1].last == '?':
		return form{}, r.past
	case r.denied == 1:
		r.wish = forbids
	case !r.holds && !r.habit() || r.permits || r.wish == wants: // on Monday as well
		r.slots = slices.DeleteFunc(r.slots, func(s slot) bool { return timely(s.sort) })
	}
	if r.wish == 0 && len(r.slots) == 0 {
		return form{}, false
	}
	slices.Sort(r.about)
	return form{strings.Join(slices.Compact(r.about), " "), r.slots, r.wish}, false
}

// clause says whether a word begins another clause.
func clause(w string) bool {
	switch w {
	case "we", "i", "they", "it", "he", "she", "this", "that", "which", "as":
		return true
	}
	return false
}

// slots are those of a statement, as it is read.
type slots struct {
	ts      []token
	at      int
	port    bool // it says of a number that it is a port
	about   []string
	slots   []slot
	wish    wish
	holds   bool // it says that something is so
	denied  int  // how often it says that something is not so
	permits bool
	moved   bool // it says that a value has changed
	planned bool
	passive bool
	been    bool // another language says that it is past, or that it has changed
	past    bool // it tells what happened once
	vague   bool // it says by halves that something is not so: without, nobody
}

// word reads a word that is no value.
func (r *slots) word(t token) {
	switch {
	case t.neg:
		r.denied++
		r.vague = r.vague || !forbidding(t.raw)
	case changed(t.raw):
		r.moved, r.holds = true, true
	case states(t.raw):
		r.passive = r.passive || t.raw == "be"
		r.holds, r.planned = true, r.planned || t.raw == "scheduled"
	case t.raw == been:
		r.been = true
	case r.recurs(t):
		r.holds = true
		if !moves(t.raw) {
			r.about = append(r.about, t.stem)
		}
	case r.happened(t):
		r.past = true
	case t.raw == "can" || t.raw == "may" || t.raw == "might" || t.raw == "could" || t.raw == "allowed":
		r.permits, r.holds = true, true
	case r.wishes(t):
		r.wish, r.holds = wants, true
	case t.raw == "least": // at least 80%: what it is before says so
	case !t.stop && t.stem != "port" && strings.ContainsFunc(t.stem, isWordRune):
		r.holds = r.holds || relationOf(t) != "" || wishing(t.raw) || t.last == ':'
		r.about = append(r.about, t.stem)
		if before := r.raw(r.at - 1); t.mark && bounds(before) { // orders over 50 euro
			r.about = append(r.about, before)
		}
	}
}

// recurs says whether a word is the verb of what has its time: of a subject, and before a
// time. Of a noun that reads the same (a release) the ending tells, or the word before it.
func (r *slots) recurs(t token) bool {
	if !recurring(t.stem) && !moves(t.raw) {
		return false
	}
	switch next := r.after(1); next.raw {
	case "on", "at", "every", "each", "by", "until", "before", "after", "out", "off", "live":
	default:
		if !isDay(next) {
			return false
		}
	}
	before := r.raw(r.at - 1)
	return before == "we" || before == "they" || len(r.about) > 0 && (strings.HasSuffix(t.raw, "s") || strings.HasSuffix(before, "s"))
}

// moves are verbs that say no more of a thing than when it takes place.
func moves(w string) bool { return w == "go" || w == "goes" || w == "fall" || w == "falls" }

// recurring are the stems of verbs of what takes place again and again.
func recurring(stem string) bool {
	switch stem {
	case "deploy", "releas", "ship", "land", "renew", "reset", "rotat", "refresh", "finish", "start", "fire", "trigger", "publish", "reboot",
		"restart", "sync", "post", "repeat", "recur", "roll", "build", "bill", "charg", "cut", "push", "kick":
		return true
	}
	return false
}

// habit says whether a value is of each week, or all that is said of one thing: "standup
// every Monday", релиз в пятницу.
func (r *slots) habit() bool {
	if len(r.about) != 1 && !(len(r.ts) > 1 && r.raw(0) == "we" && recurring(r.ts[1].stem)) {
		return false
	}
	for i, t := range r.ts {
		before := r.raw(i - 1)
		if each := before == "every" || before == "each" || before == "on" && strings.HasSuffix(t.raw, "days"); isDay(t) && (each || t.other && (before == "on" || before == "in")) {
			return true
		}
	}
	return false
}

// wishes says whether a word is the verb of a wish: not that of "works like", "in use".
func (r *slots) wishes(t token) bool {
	if t.stem != "use" && t.stem != "prefer" || !wishing(t.raw) && t.raw != "using" {
		return false
	}
	return r.raw(r.at-1) != "in" && (t.raw != "like" || r.at == 0 || r.ts[r.at-1].stop)
}

// value reads a value, and returns how many tokens it takes; 0 for a word.
func (r *slots) value() int {
	s, n := r.read()
	if n == 0 || !r.slot(s.sort, n) {
		return 0
	}
	switch before := r.raw(r.at - 1); {
	case before == "from" || bounds(before):
		s.role = before
	case before == "until" || before == "till" || before == "through" || before == "by":
		s.role = "until"
	case before == "to":
		s.role = toRole
	}
	r.slots = append(r.slots, s)
	return n
}

// settle tells the roles of values once all of the statement was read: what was before and
// what is now in "moved from Monday to Tuesday", the ends of a stretch in "from Monday to
// Tuesday".
func (r *slots) settle() {
	if r.moved {
		r.slots = slices.DeleteFunc(r.slots, func(s slot) bool { return s.role == "from" })
	}
	for i := range r.slots {
		if s := &r.slots[i]; s.role == toRole {
			if s.role = "until"; r.moved {
				s.role = anyRole
			}
		}
	}
	r.past = r.past || r.been && !r.moved && !r.planned
}

// bounds says whether a word before a value makes it the end of a stretch.
func bounds(w string) bool {
	switch w {
	case "since", "before", "after", "over", "under", "above", "below", "least", "most":
		return true
	}
	return false
}

// slot says whether a value of so many tokens is what the statement gives, and no name of
// what it is about.
func (r *slots) slot(sort string, n int) bool {
	last, next := r.ts[r.at+n-1], token{stop: true}
	if i := r.at + n; i < len(r.ts) && !last.end {
		next = r.ts[i]
	}
	ends := next.stop || next.mark || next.verb || next.raw == "per" || partOfDay(next.stem) || isDay(next) || changed(next.raw)
	if sort == large || sort == long {
		return strings.HasSuffix(last.raw, "-sized") || wishing(r.raw(r.at-1)) || ends && len(r.about) > 0
	}
	if r.at == 1 && r.ts[0].raw == "every" && r.at+n+1 == len(r.ts) && last.last != ':' { // every Friday standup
		return true
	}
	of := r.raw(r.at-1) == "of" && !states(r.raw(r.at-2)) // est de 30 secondes
	final := next.other && r.closes(r.at+n) && (r.passive || !timely(sort))
	return len(r.about) > 0 && (ends || final) && !of
}

// closes says whether a word is the last that says something: 30 Tage aufbewahrt, werden am
// 15. verschickt.
func (r *slots) closes(i int) bool {
	return !slices.ContainsFunc(r.ts[min(i+1, len(r.ts)):], func(t token) bool { return !t.stop })
}

func (r *slots) raw(i int) string {
	if i >= 0 && i < len(r.ts) {
		return r.ts[i].raw
	}
	return ""
}

// read reads a value where it stands, of whatever sort.
func (r *slots) read() (s slot, n int) {
	t := r.ts[r.at]
	if isDay(t) {
		return slot{sort: weekday, value: t.stem}, 1
	}
	if m := when.Month(t.raw); m != 0 && (m != 5 || t.name) {
		if day, ok := dayOfMonth(r.raw(r.at + 1)); ok && !t.end {
			return slot{sort: date, value: m.String() + day}, 2
		}
		if slices.Contains([]string{"in", "to", "from", "until", "since"}, r.raw(r.at-1)) {
			return slot{sort: month, value: m.String()}, 1
		}
		return s, 0
	}
	if size, ok := sized(t.raw); ok {
		return size, 1
	}
	if !t.mark || t.raw == "" {
		return s, 0
	}
	if day, ok := dayOfMonth(t.raw); ok {
		if m := when.Month(r.raw(r.at + 1)); m != 0 && !t.end {
			return slot{sort: date, value: m.String() + day}, 2
		}
		if strings.TrimLeft(t.raw, "0123456789") != "" {
			return slot{sort: ordinal, value: day}, 1
		}
	}
	return r.number(t)
}

func isDay(t token) bool { return class(t.stem) == "day" }

func partOfDay(stem string) bool {
	switch stem {
	case "morn", "afternoon", "even", "night", "noon", "utc", "cet", "oclock", "at":
		return true
	}
	return false
}

// wishing says whether a word wants what follows it.
func wishing(w string) bool {
	switch w {
	case "prefer", "prefers", "favor", "favour", "like", "likes", "use", "uses", "keep", "keeps", "write", "writes", "make", "want", "wants":
		return true
	}
	return false
}

// forbidding says whether a negation is of all that follows.
func forbidding(w string) bool {
	switch strings.ReplaceAll(w, "'", "") {
	case "without", "nothing", "nobody", "neither", "forget":
		return false
	}
	return true
}

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// timely says whether values of a sort say when.
func timely(sort string) bool {
	return sort == weekday || sort == month || sort == date || sort == ordinal || sort == clock
}

// states is a word that says no more than that something is so.
func states(w string) bool {
	switch w {
	case "is", "are", "be", "has", "have", "gets", "get", "=", "happen", "happens", "occurs", "runs", "run", "running", "listens", "listen",
		"takes", "take", "place", "held", "scheduled", "planned", "set", "due", "keep", "keeps", "kept", "stays", "stay", "should":
		return true
	}
	return false
}

// changed is a word that says that a value is another one than before.
func changed(w string) bool {
	switch w {
	case "now", "moved", "moves", "move", "shifted", "postponed", "rescheduled", "delayed", "changed", "changes", "raised", "lowered", "extended",
		"increased", "decreased", "reduced", "shortened", "switched", "brought", "forward":
		return true
	}
	return false
}

// happened says whether a verb tells what happened once. Of a participle behind an
// auxiliary or an article one cannot tell.
func (r *slots) happened(t token) bool {
	switch t.raw {
	case "was", "were", "met", "saw", "went", "had", "did", "got", "found", "lost", "broke", "came", "took", "made", "wrote", "told", "spoke", "gave",
		"left", "began", "fell", "built", "ran":
		i := r.at + 1
		return i >= len(r.ts) || !changed(r.ts[i].raw) && !states(r.ts[i].raw)
	}
	if !strings.HasSuffix(t.raw, "ed") || strings.HasSuffix(t.raw, "eed") || t.mark || len(t.raw) < 5 {
		return false
	}
	if next := r.at + 1; r.at > 0 && next < len(r.ts) && !r.ts[next].stop && !r.ts[next].mark {
		return false // failed requests
	}
	switch r.raw(r.at - 1) {
	case "is", "are", "be", "been", "being", "gets", "get", "the", "a", "an", "our", "each", "every", "per", "all", "of", "only":
		return false
	}
	return true
}

// against says why two statements cannot both hold, "" if they can.
func (f form) against(g form) string {
	if f.about == "" || f.about != g.about {
		return ""
	}
	if f.wish == forbids || g.wish == forbids {
		if f.wish+g.wish == 0 && slices.Equal(f.slots, g.slots) {
			return "one wants what the other forbids"
		}
		return "" // what is forbidden twice is forbidden both times
	}
	why, at := "", false
	for _, s := range f.slots {
		mine, others := f.all(s), g.all(s)
		switch moment := timely(s.sort) && s.role == ""; {
		case len(others) == 0:
			if !timely(s.sort) {
				return ""
			}
		case subset(mine, others) || subset(others, mine):
		case why == "":
			why, at = differing(s.sort), moment
		case !(at && moment) && why != differing(s.sort):
			return "" // one of them is a condition, most likely
		}
	}
	if slices.ContainsFunc(g.slots, func(s slot) bool { return !timely(s.sort) && len(f.all(s)) == 0 }) {
		return ""
	}
	return why
}

// beside says whether two forms give values of the same sorts for one thing, and all of
// them can hold: 60s and 60 seconds, from Friday and until Monday.
func (f form) beside(g form) bool {
	return f.about != "" && f.about == g.about && len(f.slots) > 0 && f.within(g) && g.within(f) && f.against(g) == ""
}

// within says whether there is no sort of value that the other form does not give.
func (f form) within(g form) bool {
	return !slices.ContainsFunc(f.slots, func(s slot) bool {
		return !slices.ContainsFunc(g.slots, func(o slot) bool { return o.sort == s.sort })
	})
}

// narrows says whether of the values of one sort one form gives fewer than the other, or
// others: then neither text says what the other does.
func (f form) narrows(g form) bool {
	return slices.ContainsFunc(f.slots, func(s slot) bool {
		mine, others := f.all(s), g.all(s)
		return len(others) > 0 && !(subset(mine, others) && subset(others, mine))
	})
}

// all are the values of one sort, in the same role.
func (f form) all(of slot) (values []string) {
	for _, s := range f.slots {
		if s.sort == of.sort && (s.role == of.role || s.role == anyRole || of.role == anyRole) {
			values = append(values, s.value)
		}
	}
	return values
}

// differing is the reason for which values of a sort cannot both hold.
func differing(sort string) string {
	what := "numbers"
	switch sort {
	case weekday, ordinal:
		what = "days"
	case month:
		what = "months"
	case date:
		what = "dates"
	case clock:
		what = "times"
	case large:
		what = "sizes"
	case long:
		what = "lengths"
	}
	return "they give different " + what + " for one thing"
}
