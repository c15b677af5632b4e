package pimento

import "fmt"

// Topics is a profile's policy for topic articles: pages that hold one topic
// each and are written whole. A limit of 0 is none. Lint proposes by the same
// numbers.
type Topics struct {
	MaxLines    int `json:"max_lines,omitempty"`    // of one article
	MaxBytes    int `json:"max_bytes,omitempty"`    // of one article
	MaxFiles    int `json:"max_files,omitempty"`    // topic pages of a scope; an article that is there may always be written again
	WarnFiles   int `json:"warn_files,omitempty"`   // more of them are warned about, and lint proposes what to merge
	HintFiles   int `json:"hint_files,omitempty"`   // more of them are mentioned
	MaxKeywords int `json:"max_keywords,omitempty"` // in a file name, topic--kw1,kw2.md
	Overlap     int `json:"overlap,omitempty"`      // so many shared keywords are a conflict; a shared topic always is. 0 looks for neither

	// Index begins a generated list of the topic pages on MEMORY.md where there is
	// none, and ends what is injected of that page with it. An existing list is
	// kept up to date under any profile.
	Index bool `json:"index,omitempty"`
}

// Notes are the warnings and hints for a scope with so many topic pages.
func (t Topics) Notes(files int) []string {
	switch {
	case t.WarnFiles > 0 && files > t.WarnFiles:
		return []string{fmt.Sprintf("Warning: %d topic files, more than %d. Merge related topics now.", files, t.WarnFiles)}
	case t.HintFiles > 0 && files > t.HintFiles:
		return []string{fmt.Sprintf("Hint: %d topic files; above %d they should be merged.", files, t.WarnFiles)}
	}
	return nil
}
