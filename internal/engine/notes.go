package engine

import (
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/page"
)

// A Note is something to remember.
type Note struct {
	Text    string
	Scope   pimento.Scope // "" means the profile's default
	Kind    pimento.Kind  // "" lets the page decide
	Heading string
	Page    string // "" means MEMORY.md of the scope
	Pinned  bool
	Stamped bool // with a stamp line, as the daybook's tools write

	Daily     bool // goes to today's log
	Overwrite bool // replaces the page
	// Version, with Overwrite, is the beginning of the digest of the page that the
	// author has seen, or remember.NoPage. If the page is another one, it is not
	// overwritten.
	Version string

	// Front gives the note a page of its own with this front matter, below Page,
	// which then is a folder.
	Front *page.Meta

	Cue         string // explicit (default), structural, behavioral, recurrence
	Actor       string // user (default), agent, harness
	Session     string
	AllowSecret bool // the user insisted on the command line

	// Again is a cooldown: within this time of the last saying, the same text does
	// not count as said again. 0 is none.
	Again time.Duration

	// Implicit says that nobody asked for it to be written. It waits in the
	// inbox, unless the user's configuration says that such notes are written.
	Implicit bool

	ahead func(Undo) error // see Actor
}

// actor is who wants it remembered.
func (n Note) actor() Actor { return Actor{n.Actor, n.Session, n.ahead} }

// A Result is what became of a write. Its JSON form is the contract of
// docs/FORMATS.md.
type Result struct {
	ID       pimento.Statement `json:"id"`
	Scope    pimento.Scope     `json:"scope"`
	Page     string            `json:"page"`
	Line     int               `json:"line"`
	Action   pimento.Action    `json:"action"`
	Code     pimento.Code      `json:"code,omitempty"`
	Reason   string            `json:"reason"`
	Near     []string          `json:"near,omitempty"`
	Recovery string            `json:"recovery,omitempty"` // id for restore

	Recoveries []string `json:"recoveries,omitempty"` // the same for all entries that an accepted proposal took away

	Quoted []string `json:"quoted,omitempty"` // entries that hold the text of one that was forgotten

	// Opposes are entries beside which it cannot hold, Against what they say.
	Opposes []string        `json:"opposes,omitempty"`
	Against []pimento.Entry `json:"-"`
	// Earlier is what it may be the later state of; Near names it, too.
	Earlier []pimento.Entry `json:"-"`

	// Proposals are what waits in the inbox because of it: what it nearly says
	// again, to be merged.
	Proposals []string `json:"proposals,omitempty"`

	// Text is the entry after the write; Was is what the page held before, for
	// previews; Notices are the ids under which sessions see the change.
	Text    string   `json:"-"`
	Was     string   `json:"-"`
	Path    string   `json:"-"` // absolute path of the page
	Notices []string `json:"-"`
}

// IDs lists what a harness should count as being in its context after it has
// shown the result to the model.
func (r Result) IDs() []string {
	ids := append([]string(nil), r.Notices...)
	if r.ID != "" && r.Action != pimento.Refuse {
		ids = append(ids, string(r.ID))
	}
	return ids
}
