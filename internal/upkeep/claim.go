package upkeep

import (
	"slices"
	"strings"
)

// A claim is a statement as subject, relation and value: "the timeout / is / 30
// seconds". Two claims with one subject and relation and different values cannot
// both hold, where the relation has one value at a time.
type claim struct {
	subject  string // stems, sorted, joined; "" when there is no claim
	relation string
	value    []string // stems, in order
	instead  []string // what it rules out: "over Y", "not Y", "instead of Y"
	head     string   // the subject's last word
	named    bool     // the value is a name, code, or a word of a closed class
	measured bool     // the value is a measure and nothing else
	denied   bool     // it says that this is not so
}

// relationOf maps a stem to its relation. For use, prefer and the like, what it
// is for is the subject.
func relationOf(t token) string {
	switch t.raw {
	case "is", "are", "was", "were", "be", "=", "equals", "means", "becomes":
		return "is"
	}
	switch t.stem {
	case "default", "belong", "point", "expir", "listen", "live", "cost", "take", "run", "requir", "own", "end", "start":
		return t.stem
	case "use", "prefer":
		return "use"
	}
	return ""
}

// claimOf finds the first relation of the first clause.
func claimOf(ts []token) claim {
	for i, t := range ts {
		rel := relationOf(t)
		if rel == "" {
			continue
		}
		if rel == "use" {
			return useClaim(ts, i)
		}
		subject := ts[:i]
		if len(content(subject)) == 0 {
			continue
		}
		value, instead := valueOf(ts[i+1:])
		for j, v := range value {
			if j > 0 && conditions(v.raw) { // "8080 in production"
				subject, value = slices.Concat(subject, value[j+1:]), value[:j]
				break
			}
		}
		return newClaim(rel, subject, value, instead)
	}
	return claim{}
}

// conditions says whether a word leads in where or when a value holds.
func conditions(w string) bool {
	return w == "for" || w == "as" || w == "in" || w == "when" || w == "per"
}

// useClaim is "use X for Y" and "Y uses X".
func useClaim(ts []token, at int) claim {
	value, instead := valueOf(ts[at+1:])
	for i, t := range value {
		if conditions(t.raw) {
			subject := append(slices.Clone(ts[:at]), value[i+1:]...)
			return newClaim("use", subject, value[:i], instead)
		}
	}
	// what it is for may stand behind what it rules out
	return newClaim("use", ts[:at], value, instead)
}

// valueOf is the rest of the clause, and what is ruled out in it.
func valueOf(ts []token) (value, instead []token) {
	out := &value
	for i, t := range ts {
		switch {
		case t.raw == "because" || t.raw == "since" || t.raw == "so" || t.raw == "while":
			return value, instead
		case t.raw == "over" || t.raw == "not" && i > 0 || t.raw == "rather" || t.raw == "instead" || t.neg && i > 0 && joins(ts[i-1].raw):
			out = &instead
			continue
		case (t.raw == "for" || t.raw == "in" || t.raw == "as") && out == &instead:
			out = &value
		}
		*out = append(*out, t)
		next := ""
		if i+1 < len(ts) {
			next = ts[i+1].raw
		}
		if t.end && next != "not" && !(out == &instead && (next == "for" || next == "in" || next == "as")) {
			break
		}
	}
	return value, instead
}

func newClaim(rel string, subject, value, instead []token) claim {
	c := claim{relation: rel, value: content(value), instead: content(instead)}
	s := content(subject)
	if len(s) == 0 && rel != "use" || len(c.value) == 0 {
		return claim{}
	}
	c.head = headOf(subject)
	slices.Sort(s)
	c.subject = strings.Join(slices.Compact(s), " ")
	if rel == "use" && c.subject == "" {
		c.subject = "-"
	}
	c.measured = len(measures(value)) == 1 && len(c.value) <= 2
	for _, t := range value {
		if t.name || t.mark || class(t.stem) != "" {
			c.named = true
		}
	}
	return c
}

// headOf is the noun that a subject is about: its last word, or the one before
// "of".
func headOf(ts []token) (head string) {
	for _, t := range ts {
		if t.raw == "of" && head != "" {
			break
		}
		if !t.stop && !t.neg && t.stem != "" {
			head = t.stem
		}
	}
	return head
}

// content is the stems of what says something.
func content(ts []token) (out []string) {
	for _, t := range ts {
		if !t.stop && !t.neg && t.stem != "" {
			out = append(out, t.stem)
		}
	}
	return out
}

// against says whether two claims rule each other out.
func (c claim) against(d claim) bool {
	if c.subject == "" || d.subject == "" || c.relation != d.relation {
		return false
	}
	if rulesOut(c, d) || rulesOut(d, c) {
		return true
	}
	if c.subject != d.subject || c.subject == "-" || subset(c.value, d.value) || subset(d.value, c.value) {
		return false
	}
	if swapped(c.value, d.value) || c.measured && d.measured {
		return true
	}
	return attribute(c.head) && len(c.value) <= 4 && len(d.value) <= 4 && (c.named || d.named || len(c.value) == 1 && len(d.value) == 1)
}

// rulesOut: c says "X, not Y" and d says Y, or "Y, not X".
func rulesOut(c, d claim) bool {
	if c.denied || d.denied || len(c.instead) == 0 || !slices.Equal(sorted(c.instead), sorted(d.value)) {
		return false
	}
	return c.subject == d.subject || c.subject == "-" || d.subject == "-" && len(d.instead) > 0
}

// sharpens: d says "X" and c says "X, not Y".
func (c claim) sharpens(d claim) bool {
	return c.subject != "" && c.subject == d.subject && c.relation == d.relation && slices.Equal(c.value, d.value) && len(c.instead) > 0 && len(d.instead) == 0
}

func sorted(s []string) []string { return slices.Sorted(slices.Values(s)) }

func subset(a, b []string) bool {
	for _, x := range a {
		if !slices.Contains(b, x) {
			return false
		}
	}
	return true
}

// aside is where a statement that has said what is so rules something out besides: "X, not Y",
// "X and no Y", "X instead of Y". It is the statement's end if it does not.
func aside(ts []token) int {
	for i, t := range ts {
		if i == 0 {
			continue
		}
		other := t.raw == "instead" || t.raw == "rather" && i+1 < len(ts) && ts[i+1].raw == "than"
		behind := joins(ts[i-1].raw) || ts[i-1].end && !(ts[0].stop && relationOf(ts[0]) == "") // in tests, no mocks
		if other || behind && t.neg && forbidding(t.raw) {
			return i
		}
	}
	return len(ts)
}

// ban is where a statement that forbids something first goes on to what to do in its place:
// "don't use X, use Y", "no X, but Y". It is 0 if it does not.
func ban(ts []token) int {
	for i := 1; i < len(ts); i++ {
		if ts[i-1].end && denied(ts[:i]) && (ts[i].raw == "but" || relationOf(ts[i]) == "use") && !slices.ContainsFunc(ts[i:], func(t token) bool { return t.neg }) {
			return i
		}
	}
	return 0
}

func joins(w string) bool { return w == "and" || w == "but" }

// denied says whether an odd number of words deny what is said.
func denied(ts []token) (odd bool) {
	for _, t := range ts {
		odd = odd != t.neg
	}
	return odd
}

// swapped says whether two values are the same but for one word, which has its
// opposite, or another word of its closed class, in its place.
func swapped(a, b []string) bool {
	if len(a) != len(b) {
		return false
	}
	found := false
	for i := range a {
		x, y := a[i], b[i]
		if x == y {
			continue
		}
		c := class(x)
		if found || opposite(x) != y && opposite(y) != x && (c == "" || c != class(y)) {
			return false
		}
		found = true
	}
	return found
}

func opposite(stem string) string {
	switch stem {
	case "enabl":
		return "disabl"
	case "on":
		return "off"
	case "true":
		return "false"
	case "requir", "mandatori":
		return "option"
	case "allow":
		return "forbidden"
	case "public":
		return "privat"
	case "synchron":
		return "asynchron"
	case "support":
		return "unsupport"
	case "open":
		return "close"
	case "manual":
		return "automat"
	case "tab":
		return "space"
	case "stabl":
		return "unstabl"
	case "light":
		return "dark"
	}
	return ""
}

// class is the closed class of a word, of which a thing has one at a time.
func class(stem string) string {
	switch stem {
	case "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday":
		return "day"
	case "januari", "februari", "march", "april", "june", "juli", "august", "septemb", "octob", "novemb", "decemb":
		return "month"
	case "daili", "weekly", "week", "month", "monthly", "hour", "hourli", "nightli", "quarter", "quarterli":
		return "rhythm"
	}
	return ""
}

// attribute tells nouns that have one value at a time.
func attribute(stem string) bool {
	switch stem {
	case "branch", "port", "owner", "timezon", "zone", "timeout", "limit", "region", "editor", "databas", "licens", "languag", "name",
		"email", "version", "deadlin", "lead", "maintain", "manag", "budget", "address", "host", "url", "directori", "folder", "path",
		"level", "size", "format", "style", "theme", "shell", "model", "framework", "formatt", "linter", "runner", "logger",
		"provid", "registri", "domain", "password", "rate", "interv", "threshold", "ttl", "retent", "currenc", "locat",
		"author", "encod", "window":
		return true
	}
	return false
}
