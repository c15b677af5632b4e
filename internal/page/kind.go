package page

import (
	"path"
	"strings"

	"github.com/pimento-memory/pimento"
)

// categoryOf reads "[category] " at the start of a bullet's text. "fact" is
// read, too: it is how a fact is kept a fact under a heading like "Lessons".
func categoryOf(s string) (kind pimento.Kind, n int) {
	if len(s) < 3 || s[0] != '[' {
		return "", 0
	}
	end := strings.IndexByte(s[:min(len(s), 16)], ']')
	if end < 0 || end+1 >= len(s) || s[end+1] != ' ' && s[end+1] != '\t' {
		return "", 0
	}
	kind = pimento.Kind(strings.ToLower(s[1:end]))
	if !isCategory(kind) {
		return "", 0
	}
	_, gap := indentOf(s[end+1:])
	if end+1+gap == len(s) {
		return "", 0
	}
	return kind, end + 1 + gap
}

func isCategory(k pimento.Kind) bool {
	switch k {
	case pimento.KindPreference, pimento.KindLesson, pimento.KindPattern, pimento.KindDecision,
		pimento.KindDone, pimento.KindMistake, pimento.KindFact:
		return true
	}
	return false
}

// headingKind is the kind that a heading gives to what stands below it, ""
// when the heading does not say.
func headingKind(heading string) pimento.Kind {
	h := strings.ToLower(heading)
	switch h {
	case "done", "completed", "completions":
		return pimento.KindDone
	}
	for word := range strings.FieldsSeq(h) {
		switch strings.Trim(word, ":,.()&") {
		case "preference", "preferences":
			return pimento.KindPreference
		case "decision", "decisions":
			return pimento.KindDecision
		case "lesson", "lessons":
			return pimento.KindLesson
		case "pattern", "patterns":
			return pimento.KindPattern
		case "mistake", "mistakes":
			return pimento.KindMistake
		}
	}
	return ""
}

// topicKind is the kind of a bullet in topics/<topic>.md that names none and
// has no telling heading.
func topicKind(rel string) pimento.Kind {
	if !isTopic(rel) {
		return ""
	}
	return headingKind(strings.TrimSuffix(path.Base(rel), ".md"))
}
