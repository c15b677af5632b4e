package glean

import (
	"slices"
	"strings"
	"unicode"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/text"
)

// An Exchange is one run of an agent: what the user asked for, what it said, and
// by which tools.
type Exchange struct {
	Prompt string
	Answer string
	Tools  []string // names
}

// The classes of what is worth remembering. All else is not: how far the work
// is, an answer that serves once, small talk, the work itself.
const (
	Wanted  = "wanted"  // a preference, correction or complaint of the user
	Fetched = "fetched" // a fact that a tool brought and that will be needed again
	Decided = "decided" // a decision with its reason, or an insight
)

// A Worth is what of an exchange is worth remembering.
type Worth struct {
	Class string
	Kind  pimento.Kind
	Text  string // one line
}

// worthLimit is the longest text of a Worth in runes.
const worthLimit = 300

// Worthy finds by words alone what of an exchange is worth remembering, at most
// one thing. What [Listen] hears by the profile's phrases is wanted; the other
// tests weigh signs of English and Chinese against signs that it is about this
// moment. Constants and words were chosen on the dev half of eval/worth; how well
// that works is measured by `pimento eval worth`.
func Worthy(x Exchange, p pimento.Overhear) (Worth, bool) {
	if w, ok := wanted(x.Prompt, p); ok {
		return w, true
	}
	if w, ok := decided(x); ok {
		return w, true
	}
	return fetched(x)
}

// wanted looks for what the user wants to be otherwise from now on.
func wanted(prompt string, p pimento.Overhear) (Worth, bool) {
	for _, h := range Listen(prompt, p) {
		return Worth{Class: Wanted, Kind: pimento.KindPreference, Text: h.Text}, true
	}
	best, at := 0, ""
	opens := 0 // what the first sentence says of the whole: "wrong again."
	said, _ := sentences(prompt)
	for i, s := range said {
		n := s.wants()
		if i == 0 {
			opens = min(s.opens(), 1)
		} else if n > 0 {
			n += opens
		}
		if n > best {
			best, at = n, s.text
		}
	}
	if best < 2 || text.Width(at) < asksWidth {
		return Worth{}, false
	}
	return Worth{Class: Wanted, Kind: kindWanted(at), Text: cutText(at)}, true
}

// wants weighs the signs that a sentence is about how things are to be.
func (s sentence) wants() int {
	whole := " " + strings.Join(words(s.masked), " ") + " "
	n := s.opens() + found(whole, standing(), 2) + found(s.masked, standingUnspaced(), 2)
	n += min(1, found(s.masked, contrast(), 1))
	if prescribes(s.masked) {
		n++
	}
	n -= found(whole, momentary(), 2) + found(s.masked, momentaryUnspaced(), 2)
	if passing(s.masked) || s.question && s.opens() < 2 {
		n -= 2
	}
	if reported(s.masked) {
		n -= 2
	}
	return n
}

// opens is how strongly a sentence begins as a correction or a complaint.
func (s sentence) opens() int {
	m := strings.TrimLeft(s.masked, " -—")
	for _, o := range complaints() {
		if strings.HasPrefix(m, o) {
			return 2
		}
	}
	for _, o := range corrections() {
		if strings.HasPrefix(m, o) {
			return 1
		}
	}
	return 0
}

// kindWanted is a preference for what is about taste or habit, a lesson for what
// sets a fact right.
func kindWanted(s string) pimento.Kind {
	low := " " + lower(s) + " "
	if found(low, []string{" is ", " are ", " listens ", " starts ", " lives ", "不对", "错了"}, 1) > 0 &&
		found(low, []string{" always", " never", "prefer", "please", "rather", " hate", "don't", " my ", " i "}, 1) == 0 {
		return pimento.KindLesson
	}
	return pimento.KindPreference
}

// decided looks for a choice with its reason, or for what somebody found out.
func decided(x Exchange) (Worth, bool) {
	best, at := 0, ""
	asked := 0
	low := lower(x.Prompt)
	if found(low, choiceQuestions(), 1) > 0 && !passing(low) {
		asked = 1
	}
	weigh := func(all string, asked int) {
		said, _ := sentences(all)
		for _, s := range said {
			insight, choice := found(s.masked, insights(), 1), found(s.masked, choices(), 1)
			n := 2*insight + choice + min(1, found(s.masked, reasons(), 1))
			if n > 0 {
				n += asked
			}
			if s.question || insight+choice+asked == 0 || found(s.masked, working(), 1) > 0 && insight == 0 {
				continue
			}
			if n > best {
				best, at = n, s.text
			}
		}
	}
	weigh(x.Prompt, 0)
	weigh(x.Answer, asked)
	if best < 2 || text.Width(at) < 30 {
		return Worth{}, false
	}
	kind := pimento.KindDecision
	if found(lower(at), insights(), 1) > 0 {
		kind = pimento.KindLesson
	}
	return Worth{Class: Decided, Kind: kind, Text: cutText(at)}, true
}

// fetched looks for a fact that was asked for and that a tool brought.
func fetched(x Exchange) (Worth, bool) {
	looked := slices.ContainsFunc(x.Tools, func(t string) bool { return t != "edit" && t != "write" })
	low := strings.TrimLeft(lower(x.Prompt), " ")
	asks := slices.ContainsFunc(lookups(), func(l string) bool { return strings.HasPrefix(low, l) }) || found(low, lookupsUnspaced(), 1) > 0
	if !looked || !asks || found(low, aboutWork(), 1) > 0 {
		return Worth{}, false
	}
	best, at := 0, ""
	said, _ := sentences(x.Answer)
	for _, s := range said {
		whole := " " + strings.Join(words(s.masked), " ") + " "
		n := min(2, marks(s.text)) + min(1, found(s.masked, sources(), 1)) + min(1, found(whole, relations(), 1)+found(s.masked, relationsUnspaced(), 1))
		n -= 2 * found(whole, statusWords(), 1)
		n -= 2 * found(s.masked, statusUnspaced(), 1)
		if marks(s.text) > 0 && n > best {
			best, at = n, s.text
		}
	}
	if best < 2 {
		return Worth{}, false
	}
	return Worth{Class: Fetched, Kind: pimento.KindFact, Text: cutText(at)}, true
}

// marks counts the words that name something: with a digit, a path, code, or a
// capital inside.
func marks(s string) (n int) {
	for i, w := range strings.Fields(s) {
		bare := strings.TrimFunc(w, func(r rune) bool { return unicode.IsPunct(r) && r != '/' && r != '@' })
		if bare == "" {
			continue
		}
		inner := strings.ContainsAny(bare, "/_@") || strings.Contains(strings.Trim(bare, "."), ".") || strings.ContainsFunc(bare, unicode.IsDigit) || strings.HasPrefix(w, "`")
		if inner || i > 0 && strings.ContainsFunc(bare[1:], unicode.IsUpper) {
			n++
		}
	}
	return n
}

// found counts which of some words a text holds, up to most.
func found(s string, any []string, most int) (n int) {
	for _, w := range any {
		if strings.Contains(s, w) {
			if n++; n == most {
				break
			}
		}
	}
	return n
}

func cutText(s string) string {
	rs := []rune(tidy(s))
	if len(rs) > worthLimit {
		return strings.TrimSpace(string(rs[:worthLimit-1])) + "…"
	}
	return string(rs)
}
