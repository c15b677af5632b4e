package pimento

// Reminder is which entries stand beside the prompt that follows edits of files.
// The zero value is none.
type Reminder struct {
	Max         int     `json:"max,omitempty"`          // entries
	MinCoverage float64 `json:"min_coverage,omitempty"` // share of a file's name, in idf mass, that an entry must hold
}

// A Class is a sort of prompt for which some kinds of memory count more.
type Class struct {
	Name string `json:"name"`
	// Words, any of which makes a prompt one of the class, whole and in any letter
	// case; of several classes the first one counts.
	Words []string `json:"words"`
	// Kinds are what counts more: the scores of such entries are multiplied by
	// Boost, and with snapshot "per-turn" their sections get Budget times their room
	// and give way later by Rank ranks.
	Kinds  []Kind  `json:"kinds"`
	Boost  float64 `json:"boost,omitempty"`
	Budget float64 `json:"budget,omitempty"`
	Rank   int     `json:"rank,omitempty"`
	// Hits is how many entries are recalled, 0 for as many as ever.
	Hits int `json:"hits,omitempty"`
}
