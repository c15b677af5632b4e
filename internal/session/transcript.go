package session

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"time"
)

// maxLine is the longest line of a transcript that is read; a longer one holds
// a picture or what a tool answered.
const maxLine = 1 << 20

// A Transcript is a session as pi keeps it.
type Transcript struct {
	Session string
	Pasts   []Past // what the user said and what compactions made of it, in order
}

// ReadTranscript reads a file of pi's: JSON lines, the first of which says whose
// it is. What cannot be read is passed over. mine is asked with that first line,
// so that of foreign sessions nothing else is read; ok is false for those, and
// for what is no transcript. The error is that of reading.
func ReadTranscript(r io.Reader, mine func(dir string) bool) (t Transcript, ok bool, err error) {
	in := bufio.NewReaderSize(r, maxLine)
	for first := true; ; first = false {
		line, err := in.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			for errors.Is(err, bufio.ErrBufferFull) {
				_, err = in.ReadSlice('\n')
			}
			line = nil
		}
		var e entry
		switch {
		case err != nil && !errors.Is(err, io.EOF):
			return t, false, err
		case json.Unmarshal(line, &e) != nil: // torn, too long, or of another program
		case first:
			if e.Type != "session" || e.ID == "" || !mine(e.Dir) {
				return t, false, nil
			}
			t.Session = e.ID
		default:
			if p, ok := e.past(t.Session); ok {
				t.Pasts = append(t.Pasts, p)
			}
		}
		if first && t.Session == "" {
			return t, false, nil
		}
		if err != nil {
			return t, true, nil
		}
	}
}

// entry is one line of a transcript.
type entry struct {
	Type    string    `json:"type"`
	ID      string    `json:"id"`
	Dir     string    `json:"cwd"`
	Time    time.Time `json:"timestamp"`
	Summary string    `json:"summary"`
	Message struct {
		Role    string          `json:"role"`
		Content json.RawMessage `json:"content"`
	} `json:"message"`
}

func (e entry) past(session string) (Past, bool) {
	switch {
	case e.Time.IsZero():
	case e.Type == "compaction":
		return Past{Session: session, Kind: Summary, Time: e.Time, Text: e.Summary}, true
	case e.Type == "message" && e.Message.Role == "user":
		return Past{Session: session, Kind: Said, Time: e.Time, Text: textOf(e.Message.Content)}, true
	}
	return Past{}, false
}

// textOf is a message's text, which is a string or a list of parts.
func textOf(content json.RawMessage) string {
	var s string
	if json.Unmarshal(content, &s) == nil {
		return s
	}
	var parts []struct{ Type, Text string }
	_ = json.Unmarshal(content, &parts)
	var texts []string
	for _, p := range parts {
		if p.Type == "text" {
			texts = append(texts, p.Text)
		}
	}
	return strings.Join(texts, "\n")
}
