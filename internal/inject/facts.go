package inject

import (
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/news"
)

// Facts are everything that Build needs to know.
type Facts struct {
	Profile pimento.Profile

	// Today is the local calendar day, YYYY-MM-DD. It chooses the daily logs and
	// fills {date}; a prefix is frozen for its session by the caller, so that
	// midnight does not change it.
	Today string

	// Now is the moment from which a section of entries of the last days counts;
	// zero lets all of them in.
	Now time.Time

	// Empty says that no memory exists at all.
	Empty bool

	// Dirs are the directories of the roots that may be used, as the model is
	// to name them.
	Dirs map[pimento.Scope]string

	// Texts are page bodies for raw sections, in the order in which they stand.
	// A paged profile also gets the entries of PickMemory as Items, in that
	// order.
	Texts map[pimento.Pick][]Text

	// Items are entries for the listing sections. Hits and reminders come best
	// first; all others may come in any order.
	Items map[pimento.Pick][]Item

	// Known would be hits, but are in front of the model already. They only go to
	// the trace.
	Known []pimento.Occurrence

	// Outdated would be hits, but a later state of them is in front of the model
	// already. They only go to the trace.
	Outdated []pimento.Occurrence `json:",omitempty"`

	// Quotes would be hits, too, but only repeat what others say.
	Quotes []pimento.Occurrence `json:",omitempty"`

	Changes []news.Change // what happened since the prefix was taken, oldest first

	// Room is how many characters the harness accepts of what is built (the prefix,
	// the tail beside a frozen one, or the block of one turn), 0 for any number.
	Room int `json:",omitempty"`

	// InContext holds the statements and notices ("~…") that the session's
	// context has already; the tail does not say them again.
	InContext map[string]bool

	// Prefix, when set, is the session's frozen prefix: it is returned verbatim
	// and only the tail is built. A per-turn profile has no frozen prefix and
	// ignores it.
	Prefix *FrozenPrefix

	// Class is the sort of prompt that this is, nil for none. It moves the sections
	// that are built for the prompt.
	Class *pimento.Class `json:",omitempty"`

	// SystemTokens is the size of the rest of the prompt, 0 if unknown.
	SystemTokens int
}

// file is how the model is to name a page: its path, or just its name when
// nobody said where its root is.
func (f *Facts) file(scope pimento.Scope, page string) string {
	if dir := f.Dirs[scope]; dir != "" {
		return dir + "/" + page
	}
	return page
}

// A Text is the body of one page, or a part of one, for a raw section.
type Text struct {
	Scope pimento.Scope // "" for a file of the project that lies in no root
	Page  string
	Date  string // YYYY-MM-DD of a daily log
	Body  string
	Cut   bool `json:",omitempty"` // the page goes on beyond Body

	// IDs are the statements whose text stands in Body, and Spans, parallel to
	// them, the bytes of Body that belong to each. With spans, an entry that
	// stands elsewhere in the block is left out and one that was cut away is not
	// claimed; without, the ids count only for a body that is shown whole.
	IDs   []string
	Spans []pimento.Span
}

// An Item is one entry that may be listed.
type Item struct {
	Entry    pimento.Entry
	Standing pimento.Standing
	Why      []pimento.Factor // why it ranks where it does; goes to the trace
	Excerpt  string           `json:",omitempty"` // of a long hit, see [pimento.Hit]
	Replaced bool             `json:",omitempty"` // another entry says that it replaces it

	// Shapes, when set, are the shapes that were made when the entry was written.
	// They are what [ShapesOf] would make, so no record of facts holds them.
	Shapes *Shapes `json:"-"`
}

// A FrozenPrefix is a prefix as an earlier turn of the session built it.
type FrozenPrefix struct {
	Text     string
	IDs      []string
	Tokens   int // 0: estimated again
	Sections []pimento.SectionUse
}
