package pimento

// Scoring is how statements gain and lose standing. Package score explains each
// number. A profile without it has score.Default.
type Scoring struct {
	// Decay says what Days are: "e-folding" (after so many days 37% is left, the
	// published arithmetic) or "half-life" (50%).
	Decay string `json:"decay"`
	// Days is how fast a kind fades. A kind that is not listed, or listed with 0,
	// does not.
	Days map[Kind]float64 `json:"days"`
	// Cues maps how a statement came to be known to its weight. A cue that is not
	// listed weighs as "behavioral" does.
	Cues map[string]float64 `json:"cues"`
	// Active, Provisional and Candidate are the lowest scores of these
	// lifecycles; what is below Candidate is dropped.
	Active      float64 `json:"active"`
	Provisional float64 `json:"provisional"`
	Candidate   float64 `json:"candidate"`
	// GraceDays is how long after it was first seen an explicit statement of our
	// own writing is at least provisional, 0 for no grace.
	GraceDays float64 `json:"grace_days"`
	// Used is the share that a score gains at most by answers that use the statement,
	// 0 for none.
	Used float64 `json:"used,omitempty"`
	// Prohibitions are kept ("keep" or "", they do not fade by disuse) or treated
	// like all else ("fade").
	Prohibitions string `json:"prohibitions,omitempty"`

	// Caps is how many entries of a kind may be active; of what is over, the best
	// Overflow are provisional and the rest candidates. Total caps the active
	// ones of all kinds. A kind that is not listed has no cap, and 0 is no total.
	Caps     map[Kind]int `json:"caps,omitempty"`
	Overflow int          `json:"overflow,omitempty"`
	Total    int          `json:"total,omitempty"`

	// Cold says what becomes of a topic page in which nothing was said for
	// ColdAfter times the days of its kind, and nothing is pinned: "" for
	// nothing, "propose" or "auto" (archived when a session starts; restorable).
	Cold      string  `json:"cold,omitempty"`
	ColdAfter float64 `json:"cold_after,omitempty"`
}

// Writes is where a note goes that names no page, and how far a page may grow.
type Writes struct {
	// Kind is what a note is that names no kind, "" to let the page decide.
	Kind Kind `json:"kind,omitempty"`
	// Pages is the page of each kind; MEMORY.md for a kind that is not listed.
	Pages map[Kind]string `json:"pages,omitempty"`
	// Folder, when set, is where every note that names no page gets a page of its
	// own with front matter.
	Folder string `json:"folder,omitempty"`
	// PageChars is the largest page that may grow by a note, in characters, 0 for
	// no limit. A note that does not fit is refused with advice.
	PageChars int `json:"page_chars,omitempty"`
	// Preview has memory_write answer with what the page held before. Without, it
	// stands in the prefix, and would be paid for twice.
	Preview bool `json:"preview,omitempty"`
}

// Capacity is the signal that memory fills its room.
type Capacity struct {
	// Header is the heading of the report; {percent}, {used} and {budget} are
	// filled in, in tokens. With snapshot "per-turn" it stands in the place of the
	// title; else it goes to the tail, once in a session, from From percent on.
	Header string `json:"header,omitempty"`
	// From is the percentage from which on Warning stands below the header.
	From    int    `json:"from,omitempty"`
	Warning string `json:"warning,omitempty"`
}
