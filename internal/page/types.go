package page

import (
	"cmp"
	"strings"

	"github.com/pimento-memory/pimento"
)

// The types that front matter may give to an article, in one place: whatever
// speaks of them asks here.

// TypeCompaction is the type of what a compaction made of a session. It is no
// subject, and nobody writes it as knowledge.
const TypeCompaction = "compaction"

// Types are the subjects of the mind layout, in the order in which its own
// programs name them.
func Types() []string { return []string{"user", "project", "agent-feedback", "reference"} }

// KnownTypes are all types that are not wrong: those of the mind layout, and the
// kinds of ours that it has no subject for.
func KnownTypes() []string {
	return append(Types(), TypeCompaction, "lesson", "pattern", "done", "mistake", "fact")
}

// NewerType is what a type of older versions of the mind layout is called now, ""
// when it is none. Their "fact" stays: here it is a kind of its own.
func NewerType(typ string) string {
	switch strings.ToLower(typ) {
	case "feedback", "maintenance":
		return "agent-feedback"
	case "note", "research", "article", "paper", "concept":
		return "reference"
	case "workflow", "decision", "tool":
		return "project"
	case "preference":
		return "user"
	}
	return ""
}

// KindOfType is the kind of an article by the type in its front matter: the four
// types of the mind layout, their older names, and our own kinds.
func KindOfType(typ string) pimento.Kind {
	typ = cmp.Or(NewerType(typ), strings.ToLower(typ))
	switch typ {
	case "user":
		return pimento.KindPreference
	case "agent-feedback":
		return pimento.KindLesson
	case "project":
		return pimento.KindDecision
	}
	if k := pimento.Kind(typ); isCategory(k) {
		return k
	}
	return pimento.KindReference
}

// TypeOf is the type that front matter gives to an article of a kind.
func TypeOf(k pimento.Kind) string {
	switch k {
	case pimento.KindPreference:
		return "user"
	case pimento.KindLesson:
		return "agent-feedback"
	case pimento.KindDecision:
		return "project"
	}
	if isCategory(k) {
		return string(k)
	}
	return string(pimento.KindReference)
}
