package pimento

import "time"

// A Status is the reason code of an answer.
type Status string

const (
	OK           Status = "ok"
	NoMatch      Status = "no_match"
	Denied       Status = "denied"
	Malformed    Status = "malformed"
	Unavailable  Status = "unavailable"
	BackendError Status = "backend_error"
)

// A Mode says by what a question is answered.
type Mode string

const (
	Hybrid   Mode = "hybrid"   // words, and meaning as far as words do not answer; the default
	Keyword  Mode = "keyword"  // the words alone, no synonyms
	Semantic Mode = "semantic" // meaning alone
	Deep     Mode = "deep"     // Hybrid, and the most thorough way of an engine that has several
)

// A Query asks for memories.
type Query struct {
	Text   string
	Mode   Mode    // "" means Hybrid
	Limit  int     // 0 means the profile's default
	Scopes []Scope // empty means all that are consented
	Kinds  []Kind  // empty means all
	Now    time.Time
	All    bool // also logs and tasks of other projects

	Archived bool // also what lies in archive/
}

// A Factor is one part of a hit's score and its share of the whole; the share of
// what takes away from the score is negative, and all shares add up to 1.
type Factor struct {
	Factor string  `json:"factor"`
	Share  float64 `json:"share"`
}

// A Hit is one statement that answers, found in its most specific scope.
type Hit struct {
	Entry Entry
	Score float64
	Why   []Factor

	Excerpt string // of a long entry, the part with most of the question's words; else ""

	Replaced bool // a better hit says that it replaces this one
}

// An Answer is what recall found, why, and what was missing while it looked.
type Answer struct {
	Status Status
	Hits   []Hit

	// Confidence is how sure it is that the first hit answers the question, from
	// 0 to 1; callers that inject unasked set a floor for it.
	Confidence float64

	Known []Occurrence // would be hits, but the asker has them already; best first
	// Outdated would be hits, but the asker has a later state of each.
	Outdated []Occurrence
	// Quotes would be hits, but only repeat what others say, or said once.
	Quotes []Occurrence
	Faults []Fault

	// Relations are what the graph knows of the things that the question names.
	Relations []Relation
}
