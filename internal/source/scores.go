// Package source reads the files of other memory systems, so that what they knew can be
// taken over, and writes them, so that it can be taken back. It is pure: bytes go in,
// records come out. What becomes of a record is not decided here.
//
// It knows
//   - the state files of the scored-topics system for pi (topics/*.md with
//     memory-scores.json beside them): [ParseScores], and its store of past sessions:
//     [ParseSessions]. Its topic files need no reading of their own, they are pages;
//   - the auto-memory of Claude Code: [ClaudeNotes];
//   - pages of pi-mind, to write them: [Knowledge];
//   - the transcripts of Claude Code and Codex: [ClaudeSteps], [CodexSteps].
package source

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"
	"unicode/utf16"

	"github.com/pimento-memory/pimento/internal/plainjson"
)

// A Score is what that system kept of one entry. The entry's text is not in the
// file, only its [Key].
type Score struct {
	Class          string    `json:"class"` // the category: preference, lesson, ...
	Score          float64   `json:"score"`
	EvidenceCount  int       `json:"evidenceCount"`
	Cue            string    `json:"cue"` // explicit, structural, behavioral, recurrence
	FirstSeen      time.Time `json:"firstSeen"`
	LastReinforced time.Time `json:"lastReinforced"`
	UserState      string    `json:"userState"` // auto, pinned, forgotten
	Lifecycle      string    `json:"lifecycle"`
	SourceSession  string    `json:"sourceSession,omitempty"` // of later versions
}

// Scores is a scores file.
type Scores struct {
	Entries     map[string]Score `json:"entries"` // by Key
	LastRebuild time.Time        `json:"lastRebuild"`
}

// A Session is what it kept of one past session.
type Session struct {
	ID        string    `json:"sessionId"`
	Timestamp time.Time `json:"timestamp"`
	Summary   string    `json:"summary"`
}

// Sessions is a session store.
type Sessions struct {
	Entries []Session `json:"entries"`
}

// What a file of that system is, see [Recognize].
const (
	ScoresFile   = "scores"
	SessionsFile = "sessions"
	VectorsFile  = "vectors"
)

// Recognize says what a file is, "" for none of that system's: by the name that it
// has there, else, when somebody has renamed it, by what it holds.
func Recognize(name string, b []byte) string {
	for _, k := range [...][2]string{{"memory-scores.json", ScoresFile}, {"session-search.json", SessionsFile}, {"embeddings.json", VectorsFile}} {
		if strings.HasPrefix(name, k[0]) {
			return k[1]
		}
	}
	if s, err := ParseScores(b); err == nil {
		for _, e := range s.Entries { // vectors are kept by the same keys
			if e.Class != "" && e.EvidenceCount > 0 {
				return ScoresFile
			}
		}
	}
	if s, err := ParseSessions(b); err == nil && len(s.Entries) > 0 && s.Entries[0].Summary != "" {
		return SessionsFile
	}
	return ""
}

// ParseScores reads memory-scores.json, or memory-scores.jsonl, to which each
// change appends the whole state, so that the last line that can be read holds.
// Numbers that make no sense (evidence below 1, a time in no year) are the
// caller's to mend.
func ParseScores(b []byte) (Scores, error) {
	return parseLast(b, func(s Scores) bool { return s.Entries != nil })
}

// ParseSessions reads session-search.json, or the same as lines.
func ParseSessions(b []byte) (Sessions, error) {
	return parseLast(b, func(s Sessions) bool { return s.Entries != nil })
}

// parseLast reads the whole as one state, else each line, the last good one last.
// A state is good when it has entries.
func parseLast[T any](b []byte, hasEntries func(T) bool) (state T, err error) {
	read := func(raw []byte) error {
		var one T
		if err := json.Unmarshal(raw, &one); err != nil {
			return err
		}
		if !hasEntries(one) {
			return errors.New(`it has no "entries"`)
		}
		state = one
		return nil
	}
	b = bytes.TrimPrefix(b, []byte("\xef\xbb\xbf"))
	whole := read(b)
	if whole == nil {
		return state, nil
	}
	good := false
	for line := range bytes.Lines(b) {
		if line = bytes.TrimSpace(line); len(line) > 0 && read(line) == nil {
			good = true
		}
	}
	if !good {
		return state, fmt.Errorf("not a state file: %w", whole)
	}
	return state, nil
}

// Key is how a scores file names an entry: 8 hex digits of the line "- [class]
// text", without markers.
//
// It was meant to be FNV-1a of 32 bits. But the original multiplies in doubles,
// whose 53 bits the product of a hash and the prime exceeds, and takes UTF-16
// units for bytes. So the low bits are rounded away, and the result is no FNV-1a
// of anything longer than a few characters. Its files can only be read by
// repeating the mistake: the hash as a signed 32-bit number, a product rounded
// to a double, and that modulo 2^32.
func Key(class, text string) string {
	h := uint32(0x811c9dc5)
	for _, unit := range utf16.Encode([]rune("- [" + class + "] " + text)) {
		product := float64(int32(h^uint32(unit))) * 0x01000193
		h = uint32(int64(math.Mod(product, 1<<32)))
	}
	return fmt.Sprintf("%08x", h)
}

// Line is the text of an entry as its key is made of it: its first line,
// because that system knew no others.
func Line(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return strings.TrimSpace(line)
}

// JSON is the file as that system writes it.
func (s Scores) JSON() ([]byte, error) { return plainjson.Marshal(s, "  ") }

// JSON is the file as that system writes it.
func (s Sessions) JSON() ([]byte, error) { return plainjson.Marshal(s, "  ") }
