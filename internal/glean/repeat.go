package glean

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pimento-memory/pimento/internal/text"
)

// The length of a statement that may recur, in runes: shorter ones say nothing
// by themselves, longer ones are tasks.
const (
	minRepeat = 12
	maxRepeat = 200
)

// alike is the share of common words from which two statements say the same.
const alike = 0.6

// Standing are the sentences of a message that correct, forbid or prescribe
// ("no, use pnpm instead of npm", "don't touch the generated files"). Once, such
// a sentence is about the task at hand; in one session after another it is
// about the project.
func Standing(message string) (out []string) {
	if text.Command(message) {
		return nil
	}
	all, _ := sentences(message)
	for _, s := range all {
		said := tidy(s.text)
		if n := text.Width(said); n < minRepeat || utf8.RuneCountInString(said) > maxRepeat || s.asks(words(s.masked)) || passing(s.masked) || reported(s.masked) {
			continue
		}
		if prescribes(s.masked) && !suspicious(said) {
			out = append(out, said)
		}
	}
	return out
}

// prescribes says whether a sentence is an order of the kind that outlives its task.
func prescribes(masked string) bool {
	for _, w := range [...]string{"不要", "别", "不能", "必须用", "应该用", "我说过", "跟你说过", "禁止", "改用", "而不是"} {
		if i := strings.Index(masked, w); i >= 0 && (utf8.RuneCountInString(masked[:i]) <= 6 || w == "而不是" || w == "改用") {
			return true
		}
	}
	ws := words(masked)
	for len(ws) > 1 && filler(ws[0]) {
		ws = ws[1:]
	}
	if len(ws) < 3 {
		return false
	}
	has := func(phrase string) bool { return text.Phrase(masked, phrase, 0) >= 0 }
	switch strings.ReplaceAll(ws[0], "’", "'") {
	case "don't", "never", "always", "stop", "avoid":
		return true
	case "do", "you":
		return ws[1] == "not" || ws[1] == "must" || ws[1] == "should" && ws[2] == "not" || strings.HasSuffix(ws[1], "n't")
	case "we":
		return ws[1] == "use" || ws[1] == "never" || ws[1] == "always" || ws[1] == "don't" || ws[1] == "do" && ws[2] == "not"
	case "i":
		return ws[1] == "told" || ws[1] == "said" || ws[1] == "already" && (ws[2] == "told" || ws[2] == "said")
	case "use", "run", "put", "write", "call", "name":
		return has("instead of") || has("not") || has("instead") || has("rather than") || has("never")
	}
	return false
}

// Alike says whether two statements say the same in other words: most of their
// words are common, and every number, name and denial.
func Alike(a, b string) bool {
	x, y := vocabulary(a), vocabulary(b)
	both := 0
	for w, sharp := range x {
		if _, ok := y[w]; ok {
			both++
		} else if sharp {
			return false
		}
	}
	for w, sharp := range y {
		if _, ok := x[w]; sharp && !ok {
			return false
		}
	}
	all := len(x) + len(y) - both
	return all > 0 && float64(both) >= alike*float64(all)
}

// vocabulary are the words of a statement, and which of them must not differ.
func vocabulary(s string) map[string]bool {
	out := map[string]bool{}
	for _, w := range words(lower(s)) {
		w = strings.ReplaceAll(w, "’", "'")
		switch {
		case strings.HasSuffix(w, "n't"), w == "not", w == "never", w == "stop", w == "avoid":
			out["\x00no"] = true
		case strings.ContainsFunc(w, unicode.IsDigit), strings.ContainsAny(w, "/_.-+"):
			out[w] = true
		case filler(w), text.Stop(strings.ReplaceAll(w, "'", "")), w == "always", w == "told", w == "said", w == "already":
		default:
			text.Analyze(w, func(field byte, term string) {
				if field == text.Word || field == text.CJK && utf8.RuneCountInString(term) > 1 {
					out[term] = false
				}
			})
		}
	}
	return out
}

// A Saying is a statement with the session in which it was said.
type Saying struct{ Text, Session string }

// Recurring counts the sessions in which a statement was said, in these or
// other words, and gives the words in which it was said first. sayings are in
// the order in which they were said and hold the statement itself.
func Recurring(s string, sayings []Saying) (first string, sessions int) {
	seen := map[string]bool{}
	for _, x := range sayings {
		if !Alike(s, x.Text) {
			continue
		}
		if first == "" {
			first = x.Text
		}
		seen[x.Session] = true
	}
	return first, len(seen)
}
