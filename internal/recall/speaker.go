package recall

import (
	"slices"
	"strings"
	"unicode"

	"github.com/pimento-memory/pimento/internal/text"
)

// Whoever asks a conversation with an assistant says "I" where the messages say by
// whom they are. These are the names that the two have there.
const (
	userNames      = "user human me"
	assistantNames = "assistant ai"
)

// isRole says whether an author is one of the two who talk in a session of an agent,
// and no person with a name.
func isRole(author string) bool {
	name := strings.ToLower(author)
	return slices.Contains(strings.Fields(userNames+" "+assistantNames), name)
}

// speakers asks for who is meant by "I" and "you", as by a name: nothing where nobody
// of these names has written. It is a hint, and no lack where it does not hold.
func (w *words) speakers(question string, p Params) {
	names := spokenBy(question)
	if p.Author == 0 || names == "" {
		return
	}
	have := w.keys()
	u := len(w.units)
	w.units = append(w.units, unit{})
	for name := range strings.FieldsSeq(names) {
		if key := text.Key(text.Author, name); !have[key] {
			w.terms = append(w.terms, term{key: key, field: text.Author, factor: "author", weight: 1, unit: u, sure: 1})
		}
	}
}

// spokenBy is whose messages a question is about: the assistant's where it asks for
// what "you" said, the user's where it says "I" otherwise, "" where it says
// neither. "Can you tell me" asks for nothing that was said.
func spokenBy(question string) string {
	const (
		first   = " i im ive id me my mine myself "
		polite  = " can could would will please "
		between = " have just also once earlier originally previously first then "
		said    = " advise advised describe described explain explained gave give given list listed mention mentioned name named propose proposed provide provided " +
			"recommend recommended said say suggest suggested tell told write wrote "
	)
	names, before, you := "", "", false
	asked := strings.NewReplacer("'", "", "’", "").Replace(strings.ToLower(question))
	for word := range strings.FieldsFuncSeq(asked, func(r rune) bool { return !unicode.IsLetter(r) }) {
		in := func(list string) bool { return strings.Contains(list, " "+word+" ") }
		switch {
		case you && in(said), word == "your" && in(said):
			return assistantNames
		case word == "you":
			you = !strings.Contains(polite, " "+before+" ")
		case word == "youve":
			you = true
		case in(first):
			names, you = userNames, false
		case !in(between):
			you = false
		}
		before = word
	}
	if names == "" && strings.Contains(strings.ReplaceAll(question, "我们", ""), "我") {
		names = userNames
	}
	return names
}
