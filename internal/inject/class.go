package inject

import (
	"strings"

	"github.com/pimento-memory/pimento"
)

// A Class says what an entry is to the agent, and so how much of it must at least
// be shown. The six are those of ClawVM (arXiv 2604.10352).
type Class string

const (
	Policy       Class = "policy"     // what always holds: the user's standing instructions
	Constraint   Class = "constraint" // rules, decisions and lessons
	Plan         Class = "plan"       // what is being done, and the next step
	Preference   Class = "preference" // how the user likes things
	Evidence     Class = "evidence"   // facts that can be looked up again
	Conversation Class = "conversation"
)

// classOf reads an entry's class off what a person can see of it: its kind,
// else the nearest heading that tells, else its pin. A kind is what a category,
// a box or a heading said outright, so it goes before a guess.
func classOf(e *pimento.Entry) Class {
	c := classOfKind(e)
	if c == "" {
		c = classOfHeading(e.Heading)
	}
	switch {
	case c != "" && c != Evidence && c != Conversation:
		return c
	case e.Pinned:
		return Policy
	case c == "":
		return Evidence
	}
	return c
}

// classOfKind is "" for a plain fact, which says nothing of its use.
func classOfKind(e *pimento.Entry) Class {
	switch e.Kind {
	case pimento.KindPreference:
		return Preference
	case pimento.KindLesson, pimento.KindMistake, pimento.KindPattern, pimento.KindDecision:
		return Constraint
	case pimento.KindTask:
		if e.Done {
			return Evidence
		}
		return Plan
	case pimento.KindDone, pimento.KindReference:
		return Evidence
	case pimento.KindNote, pimento.KindHandoff:
		return Conversation
	}
	return ""
}

// classOfHeading looks at the innermost heading first.
func classOfHeading(path string) Class {
	for path != "" {
		last := path
		if i := strings.LastIndex(path, " > "); i >= 0 {
			path, last = path[:i], path[i+len(" > "):]
		} else {
			path = ""
		}
		for word := range strings.FieldsSeq(strings.ToLower(last)) {
			if c := classOfWord(strings.Trim(word, ":,.()&")); c != "" {
				return c
			}
		}
	}
	return ""
}

func classOfWord(word string) Class {
	switch word {
	case "policy", "policies", "instructions", "principles":
		return Policy
	case "constraint", "constraints", "rule", "rules", "invariant", "invariants", "conventions", "decisions", "lessons", "gotchas":
		return Constraint
	case "plan", "plans", "todo", "todos", "goal", "goals", "next", "roadmap", "milestones":
		return Plan
	case "preference", "preferences", "style":
		return Preference
	}
	return ""
}

// floor is the least level at which an entry of the class must stand. Of one that
// needs none, a note that counts it under its page is enough.
func (c Class) floor() level {
	switch c {
	case Policy, Constraint, Plan:
		return atStructured
	case Preference:
		return atPointer
	}
	return atNothing
}

// floorOf is the least level at which an entry must stand. A pin raises it.
func floorOf(e *pimento.Entry) level {
	if e.Pinned {
		return atStructured
	}
	return classOf(e).floor()
}
