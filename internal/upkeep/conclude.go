package upkeep

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/guard"
)

// A Conclusion is a sentence of a conversation that says what was decided or
// found out.
type Conclusion struct {
	Text string
	Kind pimento.Kind // decision or lesson
	Role string       // who said it; "" when a language model read it out of what was said
}

// The width of a conclusion in runes: a shorter one says nothing by itself, a
// longer one is no sentence.
const (
	leastConclusion = 25
	mostConclusion  = 300
)

// decided and foundOut are what a sentence says that concludes something, in
// small letters. They stand for themselves: what is merely likely, asked or
// planned has other words.
func decided() []string {
	return []string{"we decided", "i decided", "you decided", "decision:", "decided to", "decided against", "we chose", "i chose", "we settled on", "settled on",
		"we agreed", "agreed to", "agreed on", "we'll use", "we will use", "we'll go with", "let's go with", "going with", "决定", "我们选择"}
}

func foundOut() []string {
	return []string{"root cause", "it turned out", "turned out that", "turns out", "the reason was", "the cause was", "the problem was", "the bug was",
		"was caused by", "is caused by", "the fix was", "the fix is", "was fixed by", "lesson:", "原因是", "结果发现"}
}

// unsure are words of a sentence that concludes nothing.
func unsure() []string {
	return []string{"maybe", "might", "could be", "perhaps", "probably", "possibly", "not sure", "if we", "if you", "whether", "let me", "should we", "shall we",
		"i think", "i'll check", "也许", "可能"}
}

// Conclusions finds what the messages that a compaction takes away conclude: at
// most so many sentences, the last ones said, in their order. It knows words and
// no meaning; what it finds waits for a yes.
func Conclusions(messages []pimento.Message, most int) (found []Conclusion) {
	seen := map[string]bool{}
	for i := len(messages) - 1; i >= 0 && len(found) < most; i-- {
		m := messages[i]
		if m.Role != "user" && m.Role != "assistant" {
			continue
		}
		said := sentencesOf(m.Text)
		for j := len(said) - 1; j >= 0 && len(found) < most; j-- {
			kind := concludes(said[j])
			folded := strings.ToLower(said[j])
			if kind == "" || seen[folded] {
				continue
			}
			seen[folded] = true
			found = append(found, Conclusion{said[j], kind, m.Role})
		}
	}
	slices.Reverse(found)
	return found
}

// concludes says what kind of memory a sentence is, "" for none.
func concludes(s string) pimento.Kind {
	n, small := utf8.RuneCountInString(s), " "+strings.ToLower(s)
	cjk := strings.IndexFunc(s, func(r rune) bool { return unicode.Is(unicode.Han, r) }) >= 0
	if n > mostConclusion || n < leastConclusion && !cjk || cjk && n < leastConclusion/3 || strings.ContainsAny(s, "?？") ||
		holdsWord(small, unsure()) || len(guard.Check(s, guard.Options{})) > 0 {
		return ""
	}
	switch {
	case holdsWord(small, foundOut()):
		return pimento.KindLesson
	case holdsWord(small, decided()):
		return pimento.KindDecision
	}
	return ""
}

// holdsWord says whether one of the phrases stands in a text, not within a word.
func holdsWord(text string, phrases []string) bool {
	for _, p := range phrases {
		at := strings.Index(text, p)
		if at < 0 {
			continue
		}
		before, _ := utf8.DecodeLastRuneInString(text[:at])
		after, _ := utf8.DecodeRuneInString(text[at+len(p):])
		if p[0] >= utf8.RuneSelf || !unicode.IsLetter(before) && !unicode.IsLetter(after) {
			return true
		}
	}
	return false
}

// sentencesOf are the sentences of a message, without its code, quotations and
// headings.
func sentencesOf(message string) (out []string) {
	fence := false
	for line := range strings.Lines(message) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "```") {
			fence = !fence
		}
		if fence || line == "" || strings.ContainsRune("`>|#<", rune(line[0])) {
			continue
		}
		line = strings.TrimSpace(strings.TrimLeft(line, "-*•0123456789.) "))
		start := 0
		for i, r := range line {
			end := i + utf8.RuneLen(r)
			stop := strings.ContainsRune(".!?", r) && (end == len(line) || line[end] == ' ') || strings.ContainsRune("。！？", r)
			if stop {
				out, start = append(out, strings.TrimSpace(line[start:end])), end
			}
		}
		if rest := strings.TrimSpace(line[start:]); rest != "" {
			out = append(out, rest)
		}
	}
	return out
}
