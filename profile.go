package pimento

// A Budget limits text. Every limit that is not 0 holds; notes about what was cut
// count inside it.
type Budget struct {
	Tokens int `json:"tokens,omitempty"`
	Chars  int `json:"chars,omitempty"` // runes
	Bytes  int `json:"bytes,omitempty"`
	Lines  int `json:"lines,omitempty"`
}

// A Profile is policy as data; no profile has code of its own.
type Profile struct {
	Name    string `json:"name"`
	Extends string `json:"extends,omitempty"`
	About   string `json:"about"`

	// DefaultScope is where a write goes that names no scope; outside a project
	// it is always global.
	DefaultScope Scope `json:"default_scope"`

	// Snapshot is "stable" (frozen prefix, fresh tail), "current" (the same, and
	// the prefix is taken anew as soon as a page changes) or "per-turn" (one
	// block, rendered anew on every prompt).
	Snapshot string `json:"snapshot"`

	Prefix Budget `json:"prefix"` // limit of the prefix zone
	Tail   Budget `json:"tail"`   // limit of the tail zone
	Block  Budget `json:"block"`  // limit of both together
	// Window, when not 0, is the room for the prefix and the rest of the prompt
	// together, in tokens: a prefix gets at most Window less the rest.
	Window int `json:"window,omitempty"`

	// Paged shows the curated pages entry by entry if they do not fit as they
	// stand, each entry in as much detail as there is room for; Resident limits all
	// of them together. Without Paged they are shown as text, each cut to Index.
	Paged    bool   `json:"paged"`
	Resident Budget `json:"resident"`
	Index    Budget `json:"index"`

	Title     string    `json:"title"`    // heading that stands before the sections of the prefix
	Joiner    string    `json:"joiner"`   // between sections
	Sections  []Section `json:"sections"` // in the order in which they stand
	Recall    Recall    `json:"recall"`
	Handoff   Handoff   `json:"handoff"`
	Scoring   Scoring   `json:"scoring"`
	Writes    Writes    `json:"writes,omitzero"`
	Capacity  Capacity  `json:"capacity,omitzero"`
	Topics    Topics    `json:"topics,omitzero"`
	Dream     Dreaming  `json:"dream,omitzero"`
	Overhear  Overhear  `json:"overhear,omitzero"`
	Reminder  Reminder  `json:"reminder,omitzero"`
	Tools     []string  `json:"tools"`
	Retention Retention `json:"retention,omitzero"`
	Signs     []Sign    `json:"signs,omitempty"`
	// Commands are verbs of /memory that a harness offers as commands of their
	// own as well: "remember" makes /remember.
	Commands []string `json:"commands,omitempty"`

	Past Past `json:"past,omitzero"`

	// Skills are the workflows of ours that a harness offers: daily-audit,
	// knowledge-lint.
	Skills []string `json:"skills,omitempty"`

	// AuditHours is after how many hours without an audit one is overdue, 0 for
	// never.
	AuditHours int `json:"audit_hours,omitempty"`

	// ExitSummary is what a session leaves in the daily log when it ends: "off"
	// (or "") nothing, "listed" what it wrote into memory, "thought" what a language
	// model says of it when the user turned one on, else as listed.
	ExitSummary string `json:"exit_summary,omitempty"`

	// Stamped makes memory_write append to a long-term page the way a daily log
	// grows, as a block below a line with time and session; without it a note
	// becomes an entry in the page's own manner.
	Stamped bool `json:"stamped,omitempty"`

	// Preamble is what the model is told about its memory (preamble.md);
	// PreambleEmpty says whether it is shown when there is no memory at all. A
	// line of it that names {global}, {project} or {local} stands only when that
	// root may be used.
	Preamble      string `json:"-"`
	PreambleEmpty bool   `json:"preamble_empty"`

	// ToolTexts maps a tool's name to its description (tools/NAME.md).
	ToolTexts map[string]string `json:"-"`
}

// SectionOf is the first section that shows a pick, nil for none.
func (p *Profile) SectionOf(pick Pick) *Section {
	for i := range p.Sections {
		if p.Sections[i].Pick == pick {
			return &p.Sections[i]
		}
	}
	return nil
}

// A Sign names files by which a folder is recognised as kept in a profile's layout.
type Sign struct {
	Files  string `json:"files"`            // a pattern (path.Match) below the folder: "daily/*.md"
	Holds  string `json:"holds,omitempty"`  // how a line of a markdown file among them begins
	What   string `json:"what"`             // what they are, for reports: "daily logs"
	Weight int    `json:"weight"`           // 1 to 10; what other systems have as well weighs little
	Unread bool   `json:"unread,omitempty"` // they are no pages; they are left where they are
}

// A Section is one slot of the block.
type Section struct {
	Name    string `json:"name"`
	Zone    Zone   `json:"zone"`
	Pick    Pick   `json:"pick"`
	Heading string `json:"heading"` // may contain {date}, {path}, {scope}, {Scope}, {file}
	Budget  Budget `json:"budget"`

	// Trim says which end of a text survives a cut: start, end or middle.
	Trim string `json:"trim,omitempty"`
	// Rank is who gives way: when the zone or block is over its budget, the section
	// with the highest rank gives way first.
	Rank int `json:"rank,omitempty"`
	// Max is the largest number of entries, 0 for no limit.
	Max int `json:"max,omitempty"`
	// MaxEach is the largest number of entries of one kind, 0 for no limit.
	MaxEach int `json:"max_each,omitempty"`
	// Kinds restricts an entries pick.
	Kinds []Kind `json:"kinds,omitempty"`
	// Scopes restricts the pick.
	Scopes []Scope `json:"scopes,omitempty"`
	// Days is how far back a log pick reaches: 0 is today, 1 is yesterday. A kinds
	// pick holds what was last said less than so many days ago, 0 for no limit.
	Days int `json:"days,omitempty"`
	// Back lets a log pick fall back on an earlier day: where nothing was logged on
	// its own, the last log of at most so many days before that is shown. After a
	// weekend, that is Friday's.
	Back int `json:"back,omitempty"`
	// Least is the lowest lifecycle that a kinds pick shows: active, provisional
	// or candidate; "" is candidate.
	Least string `json:"least,omitempty"`
	// Shapes an entry may take, best first: full, excerpt (of a long hit the part that
	// bears on the prompt), brief, structured, pointer.
	Shapes []string `json:"shapes,omitempty"`
	// Whole is the largest hit, in tokens, that is shown in full where an excerpt
	// is allowed; 0 for any that there is room for.
	Whole int `json:"whole,omitempty"`
	// Form is how a list shows its entries: "bullets" ("" means that), or
	// "passages", each below the path of its page, with rules between.
	Form string `json:"form,omitempty"`
	// More is the line below a list that leaves entries out for want of room, with
	// {n} for how many; "" for the house's line, where it has one.
	More string `json:"more,omitempty"`
	// Raw keeps a page's text as it is (fenced), instead of listing its entries.
	Raw bool `json:"raw,omitempty"`
	// Plain leaves out the dates and origins of entries.
	Plain bool `json:"plain,omitempty"`
}

// A Pick names the facts that a section renders.
type Pick string

const (
	PickPinned   Pick = "pinned"   // entries with a pin, wherever they stand
	PickTasks    Pick = "tasks"    // open items of the scratchpad
	PickHandoff  Pick = "handoff"  // the project's last handoff
	PickDaily    Pick = "daily"    // the daily log of Days ago, or of at most Back days earlier
	PickMemory   Pick = "memory"   // MEMORY.md, scope by scope
	PickKinds    Pick = "kinds"    // entries of Kinds by standing
	PickAlways   Pick = "always"   // what is of the tier that is always shown, or has a pin, the newest first
	PickPointers Pick = "pointers" // one line for each topic page
	PickChanged  Pick = "changed"  // what changed since the prefix was taken
	PickReminder Pick = "reminders"
	PickHits     Pick = "hits"      // what answers the prompt
	PickRelation Pick = "relations" // how the things that the prompt names are related
	PickSessions Pick = "sessions"  // past sessions that bear on the prompt
	PickAudit    Pick = "audit"     // that an audit is overdue
	PickRunning  Pick = "running"   // what is at work on this memory in the background
	PickRules    Pick = "rules"     // rules/*.md of the project, for the main agent; raw, in the prefix
)

// Recall is a profile's policy for per-prompt retrieval.
type Recall struct {
	Hits        int     `json:"hits"`         // at most so many per prompt, 0 for no search
	MinCoverage float64 `json:"min_coverage"` // share of the prompt's idf mass that a hit must cover
	// MinConfidence is how sure an answer must be for any of its hits to be
	// recalled unasked, see Answer.Confidence; 0 for no floor.
	MinConfidence float64 `json:"min_confidence,omitempty"`
	// Unsure are the hits of an answer that is less sure than that.
	Unsure Unsure `json:"unsure,omitzero"`
	// Least is the share of the best hit's score below which a hit is left out, 0 for
	// as little as a search leaves out.
	Least      float64 `json:"least,omitempty"`
	QueryChars int     `json:"query_chars"` // the prompt is cut to so many at its beginning, 0 for 4,000 of both ends
	// Weights multiply the scores of entries by their kind, 1 for a kind that is
	// not named; Fresh lets what is new count more.
	Weights map[Kind]float64 `json:"weights,omitempty"`
	Fresh   Fresh            `json:"fresh,omitzero"`
	// Tags multiply the scores of entries that have a tag, such as "stale".
	Tags map[string]float64 `json:"tags,omitempty"`
	// Strict moves how alike in meaning an entry must be that shares no word with
	// the prompt: 0 is what was found right for the embedder in use, 1 lets nothing
	// in, -1 everything.
	Strict  float64  `json:"strict,omitempty"`
	Closers []string `json:"closers"` // prompts that recall nothing
	Classes []Class  `json:"classes,omitempty"`
	// Layout is how memory_search answers: "" is a block for each result, "lines"
	// a line each with its score and evidence. Search is how many results it has
	// when the call does not say, 0 for five.
	Layout string `json:"layout,omitempty"`
	Search int    `json:"search,omitempty"`
	// Rank is the order of a search: "" is recall's; "published" puts what is
	// pinned first and the rest by similarity * 100 + score, for comparison.
	Rank string `json:"rank,omitempty"`
}

// Unsure recalls few hits of an answer that is less sure than a profile wants: at most
// Hits, if it is at least as sure as MinConfidence.
type Unsure struct {
	MinConfidence float64 `json:"min_confidence"`
	Hits          int     `json:"hits"`
}

// Fresh raises the scores of what is new: by the share Boost today, by less the
// older it is, by nothing after Days.
type Fresh struct {
	Boost float64 `json:"boost"`
	Days  int     `json:"days"`
}

// Dreaming is a profile's policy for upkeep between sessions.
type Dreaming struct {
	// Sessions is how many past sessions a dream hands to the language model at
	// most, 0 for none: then it only looks at what stands in memory.
	Sessions int `json:"sessions,omitempty"`
	// Apply is what a dream does by itself: "" nothing, all of it waits in the
	// inbox; "duplicates" archives entries that say the same; "all".
	Apply string `json:"apply,omitempty"`
}

// Past is a profile's policy for sessions that are over.
type Past struct {
	// Keep keeps what the user says in a session for later ones to search, and
	// what a compaction makes of it, in private state. A section or tool that
	// searches past sessions implies it.
	Keep bool `json:"keep,omitempty"`
	// Days is how long that is kept, 0 for no limit but that of their number.
	Days int `json:"days,omitempty"`
	// Compactions makes a page of what a compaction makes of a session, below
	// raw/compaction of the user's own memory, to be recalled like any other.
	Compactions bool `json:"compactions,omitempty"`
}

// Handoff is a profile's policy for what is written at a compaction.
type Handoff struct {
	Enabled  bool `json:"enabled"`
	LogLines int  `json:"log_lines"` // last lines of today's log that it quotes
	// Propose is how much of what a compaction takes away, decisions and
	// findings, goes to the inbox at most; 0 for nothing.
	Propose int `json:"propose,omitempty"`
}

// Retention is how long records of what happened, and what was learned from it, are
// kept. The zero value keeps everything.
type Retention struct {
	// Types are ages in days, by the type that a page's front matter names; older
	// pages are archived.
	Types map[string]int `json:"types,omitempty"`
	// Raw are ages in days, by folder of raw/; older pages and .jsonl files are
	// deleted for good.
	Raw map[string]int `json:"raw,omitempty"`
	// Every is after how many writes it is acted on unasked, 0 for never.
	Every int `json:"every,omitempty"`
}
