package inject

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"

	"github.com/pimento-memory/pimento"
)

// A Row is an entry as a line of the page table: what it is, how much of it must be
// shown, and its four shapes, made from the entry alone, without a clock or a
// model.
type Row struct {
	V           int            `json:"v"`
	ID          string         `json:"id"` // 16 hex digits of the sha256 of scope, class, heading and text
	Scope       pimento.Scope  `json:"scope"`
	Class       Class          `json:"class"`
	Pin         string         `json:"pin"`          // hard: the user's; soft: its class must stand; none
	MinFidelity string         `json:"min_fidelity"` // none, pointer, structured
	Title       string         `json:"title"`
	Source      RowSource      `json:"source"`
	Reps        map[string]Rep `json:"reps"` // full, compressed, structured, pointer
	Links       []string       `json:"links"`
	Version     string         `json:"version"` // what a set-with-version must name: how the page's digest begins
	Dirty       bool           `json:"dirty"`   // a write to its page is staged and not finished
	Confirmed   string         `json:"last_confirmed,omitempty"`
}

// A RowSource is where an entry stands.
type RowSource struct {
	File     string         `json:"file"`
	LineFrom int            `json:"line_from"`
	LineTo   int            `json:"line_to"`
	SHA256   pimento.Digest `json:"sha256"`
}

// A Rep is one shape of an entry.
type Rep struct {
	Text   string `json:"text"`
	Tokens int    `json:"tokens"`
}

// rowVersion is the version of Row.
const rowVersion = 1

// versionDigits is how much of a page's digest a version is.
const versionDigits = 12

// RowOf makes the row of an entry of a page with the given digest.
func RowOf(e pimento.Entry, digest pimento.Digest, confirmed time.Time, dirty bool) Row {
	class := classOf(&e)
	r := Row{V: rowVersion, ID: rowID(string(e.Scope), string(class), e.Heading, string(e.Statement)), Scope: e.Scope, Class: class,
		Pin: "none", MinFidelity: "none", Title: lastHeading(e.Heading), Links: e.Links, Version: string(digest[:min(versionDigits, len(digest))]), Dirty: dirty,
		Source: RowSource{e.Page, e.Line, e.Line + strings.Count(strings.TrimSpace(e.Text), "\n"), digest}}
	switch {
	case e.Pinned:
		r.Pin = "hard"
	case class.floor() == atStructured:
		r.Pin = "soft"
	}
	if floor := floorOf(&e); floor > atNothing {
		r.MinFidelity = floor.String()
	}
	if !confirmed.IsZero() {
		r.Confirmed = confirmed.Format(time.DateOnly)
	}
	if r.Links == nil {
		r.Links = []string{}
	}
	s := ShapesOf(&e)
	r.Reps = map[string]Rep{
		"full":       s.full.rep(),
		"compressed": s.compressed.rep(),
		"structured": s.structured.rep(),
		"pointer":    s.pointer.rep(),
	}
	return r
}

func (s shape) rep() Rep { return Rep{strings.TrimSuffix(s.text, "\n"), s.size.tokens} }

func rowID(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:8])
}

// TopicRow makes the row of a topic file that an index line links to. Its headings
// stand for it; its text is shown when a prompt needs it.
func TopicRow(scope pimento.Scope, file string, digest pimento.Digest, entries []pimento.Entry) Row {
	var heads []string
	last := 0
	for _, e := range entries {
		if h := lastHeading(e.Heading); h != "" && (len(heads) == 0 || heads[len(heads)-1] != h) {
			heads = append(heads, h)
		}
		last = e.Line + strings.Count(strings.TrimSpace(e.Text), "\n")
	}
	if len(heads) == 0 {
		for _, e := range entries[:min(1, len(entries))] {
			heads = []string{brief(e.Text)}
		}
	}
	return Row{V: rowVersion, ID: rowID(string(scope), string(Evidence), file), Scope: scope, Class: Evidence, Pin: "none", MinFidelity: "pointer",
		Title: inline(file), Links: []string{}, Version: string(digest[:min(versionDigits, len(digest))]),
		Source: RowSource{file, 1, last, digest},
		Reps: map[string]Rep{
			"structured": shapeOf("- " + inline(file) + ": " + strings.Join(heads, "; ")).rep(),
			"pointer":    shapeOf("- " + inline(file)).rep(),
		}}
}
