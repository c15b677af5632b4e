package pimento

// Overhear is a profile's policy for what a user says in passing, and for what
// their project and their work show. The zero value listens to nothing. What is
// written at once is written as if the user had asked for it; everything else waits
// in the inbox. The user's own setting `capture` takes precedence over all of it.
type Overhear struct {
	// Ask are phrases that ask to remember what follows ("remember that"), Commit
	// those of a sentence that says how it is to be from now on; both are written
	// at once. Propose are those of a sentence that may state a preference; it
	// waits in the inbox. Letter case does not count; words count as a whole.
	Ask     []string `json:"ask,omitempty"`
	Commit  []string `json:"commit,omitempty"`
	Propose []string `json:"propose,omitempty"`
	// Personal are phrases with which a statement begins that is about the user and no
	// project ("my name is"): it goes to the global scope.
	Personal []string `json:"personal,omitempty"`

	// MinMessage and MinSentence are the least width of a message and of a sentence
	// that are listened to; a Chinese character counts two. What Ask asks for
	// may be shorter.
	MinMessage  int `json:"min_message,omitempty"`
	MinSentence int `json:"min_sentence,omitempty"`
	// MaxChars is the longest text that is written at once. A longer one waits,
	// whole; one of more than three times as much is ignored.
	MaxChars int `json:"max_chars,omitempty"`
	// Max is how much of one message is taken at most, 0 for three.
	Max int `json:"max,omitempty"`
	// CooldownMinutes is how long saying the same again does not count again.
	CooldownMinutes int `json:"cooldown_minutes,omitempty"`

	// Files proposes the build and test commands of the project's own files.
	Files bool `json:"files,omitempty"`
	// Habits proposes a build or test command that was run in so many sessions,
	// Repeats what a user said or corrected in so many; 0 for neither.
	Habits  int `json:"habits,omitempty"`
	Repeats int `json:"repeats,omitempty"`
}

// Listens says whether anything that a user says is listened to.
func (o Overhear) Listens() bool { return len(o.Ask)+len(o.Commit)+len(o.Propose) > 0 || o.Repeats > 0 }
