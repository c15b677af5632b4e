// Package glean finds what may be worth remembering although nobody wrote it down: what a
// user says in passing ([Listen]), the sentences of a message that correct or forbid ([Standing]), what is
// said in one session after another ([Recurring]), the commands that a project's files name
// ([Commands]), those that are run all the time ([Habit]), and the exchanges that taught
// something ([Worthy]). [Echo] tells when a text is only our own coming back.
//
// The package is pure, and it decides nothing about writing. It would rather miss ten
// things than make one up.
//
// Listening works like this. A phrase alone proves little, because "I prefer" also stands
// in quotations, in questions and in texts to be translated. So a phrase counts only
//
//   - in what the user typed: no code, no quotation, no log, no long paste;
//   - in a sentence that tells something: no question, no denial, no supposition, no
//     report of what somebody else said;
//   - in a sentence about how things are to be: not about "this one", not about today,
//     and not about something that keeps going wrong;
//   - in a sentence of its own, and not in a text that it is a task to write, or that is
//     handed over.
//
// The phrases come from the profile. These tests are about the language, English and
// Chinese, and stand in words.go; what "from now on" needs in others stands in
// foreign.go, what tells a rule from a report or a task in rule.go. How well they do is
// measured on testdata/labelled.jsonl: go test -v.
package glean

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/guard"
	"github.com/pimento-memory/pimento/internal/text"
)

// A Heard is one statement in a message.
type Heard struct {
	Text     string
	Asked    bool // the user asked to remember it
	Sure     bool // may be written at once
	Personal bool // it is about the user, and no project
}

const (
	// typedChars is how much may look typed, in runes. Of more nothing is written at
	// once, and only the first and the last paragraph are listened to.
	typedChars = 600
	// asksWidth is the least width of what a user asks to remember.
	asksWidth = 7
	// heardAtMost is how much of one message is taken when the profile does not say.
	heardAtMost = 3
)

// Listen finds what a message says, in its order.
func Listen(message string, p pimento.Overhear) []Heard {
	width := text.Width(message)
	if text.Command(message) || width < min(p.MinMessage, asksWidth) {
		return nil
	}
	if !mayHold(message, p) {
		return nil // nearly every message: nothing else is looked at
	}
	phrases := phrasesOf(p)
	said, long := sentences(message)
	var out []Heard
	for _, s := range said {
		h, ok := s.hear(phrases, p, width)
		if !ok || slices.ContainsFunc(out, func(o Heard) bool { return o.Text == h.Text }) {
			continue
		}
		h.Sure = h.Sure && !long && !suspicious(h.Text) && utf8.RuneCountInString(h.Text) <= orAll(p.MaxChars)
		h.Personal = personal(h.Text, p.Personal)
		out = append(out, h)
		if len(out) == max(p.Max, 1) || p.Max == 0 && len(out) == heardAtMost {
			break
		}
	}
	return out
}

// personal says whether a text begins with one of the phrases, or with fillers before it.
func personal(said string, phrases []string) bool {
	low := lower(said)
	return slices.ContainsFunc(phrases, func(ph string) bool {
		at := text.Phrase(low, strings.ToLower(ph), 0)
		return at >= 0 && !slices.ContainsFunc(words(low[:at]), func(w string) bool { return !filler(w) })
	})
}

func orAll(n int) int {
	if n == 0 {
		return 1 << 30
	}
	return n
}

// suspicious says whether a text reads like an order to a model or holds a
// secret: such a text is never written because it was overheard.
func suspicious(s string) bool { return len(guard.Check(s, guard.Options{})) > 0 }

// A phrase is one of the profile's, with what it does.
type phrase struct {
	text       string // lower case
	cut        int    // of an asking one, where the text begins that is remembered
	ask, write bool
}

// phrasesOf lists the phrases, those that ask first, longer ones first.
func phrasesOf(p pimento.Overhear) []phrase {
	var all []phrase
	add := func(texts []string, ask, write bool) {
		from := len(all)
		for _, t := range texts {
			head, tail, bar := strings.Cut(strings.ToLower(t), "|")
			p := phrase{text: strings.TrimSpace(head), ask: ask, write: write}
			p.cut = len(p.text)
			if bar {
				p.text += " " + strings.TrimSpace(tail)
			}
			if p.text != "" {
				all = append(all, p)
			}
		}
		slices.SortStableFunc(all[from:], func(a, b phrase) int { return len(b.text) - len(a.text) })
	}
	add(p.Ask, true, true)
	add(p.Commit, false, true)
	add(p.Propose, false, false)
	return all
}

// mayHold says whether a message holds the beginning of one of the phrases.
func mayHold(message string, p pimento.Overhear) bool {
	low := lower(message)
	return slices.ContainsFunc([][]string{p.Ask, p.Commit, p.Propose}, func(texts []string) bool {
		return slices.ContainsFunc(texts, func(t string) bool {
			head, _, _ := strings.Cut(t, "|")
			return strings.Contains(low, strings.ToLower(strings.TrimSpace(head)))
		})
	})
}

// hear looks at one sentence.
func (s sentence) hear(phrases []phrase, p pimento.Overhear, message int) (Heard, bool) {
	for _, ph := range phrases {
		for from := 0; ; {
			at := text.Phrase(s.masked, ph.text, from)
			if at < 0 {
				break
			}
			from = at + len(ph.text)
			h := Heard{Asked: ph.ask, Sure: ph.write}
			if ph.ask {
				h.Text, h.Sure = s.asked(ph, at)
			} else if message >= p.MinMessage && text.Width(s.text) >= p.MinSentence {
				h.Text, h.Sure = s.told(ph, at)
			}
			if h.Text != "" && utf8.RuneCountInString(h.Text) <= 3*min(orAll(p.MaxChars), 1<<20) {
				return h, true
			}
		}
	}
	return Heard{}, false
}

// asked is what a sentence asks to remember, "" for nothing, and whether it is sure. Only
// what may stand before a request stands before it, or the text itself: "the port is
// 6432, remember that".
func (s sentence) asked(ph phrase, at int) (string, bool) {
	from := s.boundary(at)
	lead := request(s.masked[from:at])
	if !slices.Contains(requests(), lead) || s.question && !strings.HasSuffix(lead, "you") || edits(s.masked[:from]) {
		return "", false
	}
	rest, sure := s.text[at+ph.cut:], !s.handed && !announced(s.masked[:from])
	if tidy(rest) != "" {
		rest = strings.TrimRight(rest, "；; ") + s.more(at+ph.cut)
	}
	if text.Unspaced(lastRune(ph.text)) {
		for _, no := range afterAsking() {
			if strings.HasPrefix(rest, no) {
				return "", false
			}
		}
	}
	if rest = trimAsked(rest); courteous(rest) {
		if rest = strings.TrimRight(s.text[:from], " ,，:：-"); rest == "" {
			rest = s.meant()
		}
	}
	if text.Width(rest) < asksWidth || pointing(rest, ph.text) {
		return "", false
	}
	if thatThing(words(lower(rest)), ph.text) {
		return rest, false
	}
	if unnamed(words(lower(rest))) { // "It caches. Remember that it needs a restart."
		if s.meant() == "" || from > 0 {
			return rest, false
		}
		rest = tidy(s.before + s.text)
	}
	return rest, sure && !refersBack(words(lower(rest)))
}

// more is what goes on behind a semicolon where all behind a colon is to be remembered:
// "Remember: keep pull requests small; split anything bigger". A task may stand behind any
// other one.
func (s sentence) more(cut int) string {
	if s.after == "" || !strings.HasPrefix(strings.TrimSpace(s.text[cut:]), ":") && !strings.HasSuffix(strings.TrimSpace(s.text[:cut]), ":") {
		return ""
	}
	return "; " + tidy(s.after)
}

// meant is the sentence before one that only asks to remember it, "" where that one says
// nothing by itself: "We use pnpm, not npm. Please remember that."
func (s sentence) meant() string {
	before := strings.TrimSpace(s.before)
	says := slices.DeleteFunc(words(lower(before)), filler)
	if len(says) < 3 || strings.ContainsAny(before, "?？") || points(before, "") {
		return ""
	}
	return before
}

// told is what a sentence tells, "" for nothing, and whether it is sure.
func (s sentence) told(ph phrase, at int) (string, bool) {
	from, rest := s.clause(at), words(s.masked[at+len(ph.text):])
	if anywhere(ph.text) && len(rest) == 0 { // "use tabs, from now on"
		from = s.clause(len(strings.TrimRight(s.masked[:at], " ,:-")))
	}
	lead, whole := words(s.masked[from:at]), words(s.masked)
	if s.asks(whole) && !(ph.write && politely(whole)) {
		return "", false
	}
	sure := ph.write
	switch {
	case s.handed, denied(s.masked[:at], lead), reported(s.masked[:at]), edits(s.masked[:from]), passing(s.masked), unlike(ph.text, rest):
		return "", false
	case text.Unspaced(lastRune(ph.text)):
		clear, after := unspacedLead(s.masked[from:at])
		orderly, tells := unspacedOrder(ph.text, s.masked[at+len(ph.text):])
		if after || ph.write && (tells || !orderly) {
			return "", false
		}
		sure = sure && clear
	case anywhere(ph.text):
		if goingOn(lead, rest) {
			return "", false
		}
	case !leadsIn(lead), slices.Equal(lead, []string{"you"}), // "you always use the wrong path"
		ordering(ph.text) && slices.Contains(lead, "i"): // "I never touch the config"
		return "", false
	}
	told := tidy(s.text[from:])
	if anywhere(ph.text) {
		about := rest // "from now on, use tabs"
		if len(lead) > 0 && !leadsIn(lead) && !politely(lead) {
			about = lead // "use tabs from now on"
			if first := afterFillers(lead)[0]; !orders(lead[0]) && !orders(first) && !denies(first) || !stopped(s.masked[at+len(ph.text):]) && embeds(lead, rest) {
				return "", false
			}
		}
		order := ordered(ph.text, about, rest)
		if suffers(about) || !order && !rules(about) && !slices.ContainsFunc(append(lead, rest...), obliges) {
			return "", false
		}
		sure = sure && order
	}
	sure = sure && !announced(s.masked[:from]) && !bounded(whole)
	if points(told, ph.text) { // "run it with -race from now on"
		if told = tidy(s.text); from == 0 {
			if s.before == "" {
				return "", false
			}
			told, sure = tidy(s.before+s.text), sure && !strings.ContainsAny(s.before, "?？")
		}
	}
	if text.Width(told) <= text.Width(ph.text)+3 {
		return "", false // nothing but the phrase
	}
	return told, sure && !refersBack(words(lower(told)))
}

// tidy is a text on one line without the punctuation that begins it.
func tidy(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	return strings.TrimLeftFunc(s, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(",;:-—–，；：、", r) })
}

// Echo says whether a text is a line or sentence of what the model was shown:
// memory that comes back is no news. Letter case, white space, marks before it
// and punctuation behind it do not count.
func Echo(s string, shown []string) bool {
	want := plain(s)
	for _, all := range shown {
		for line := range strings.Lines(all) {
			if plain(line) == want {
				return true
			}
			for _, part := range parts(line) {
				if plain(part) == want {
					return true
				}
			}
		}
	}
	return false
}

// plain is the form in which two sentences are one.
func plain(s string) string {
	s = strings.ToLower(strings.Join(strings.Fields(s), " "))
	s = strings.TrimLeft(s, "-*+•>#0123456789.) ")
	if rest, ok := strings.CutPrefix(s, "["); ok { // "[lesson] "
		if _, after, ok := strings.Cut(rest, "] "); ok {
			s = after
		}
	}
	s = strings.TrimSuffix(s, " *(pinned)*")
	return strings.TrimRightFunc(s, func(r rune) bool { return unicode.IsPunct(r) || unicode.IsSpace(r) })
}
