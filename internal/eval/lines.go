package eval

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/text"
)

// A Line is one entry of a corpus.
type Line struct {
	ID         string   `json:"id"`
	Text       string   `json:"text"`
	Date       string   `json:"date,omitempty"` // free text, see when.Parse; its words are indexed as they are
	Author     string   `json:"author,omitempty"`
	Type       string   `json:"type,omitempty"`
	Section    string   `json:"section,omitempty"` // entries of one section are neighbours in line order
	Path       string   `json:"path,omitempty"`
	Tags       []string `json:"tags,omitempty"`
	Links      []string `json:"links,omitempty"`      // ids
	Supersedes []string `json:"supersedes,omitempty"` // ids
}

// UnmarshalJSON takes a number for a text and one text for a list: what others write
// so is as clear.
func (l *Line) UnmarshalJSON(b []byte) error {
	var in struct {
		ID         word     `json:"id"`
		Text       word     `json:"text"`
		Date       word     `json:"date"`
		Author     word     `json:"author"`
		Type       word     `json:"type"`
		Section    word     `json:"section"`
		Path       word     `json:"path"`
		Tags       wordList `json:"tags"`
		Links      wordList `json:"links"`
		Supersedes wordList `json:"supersedes"`
	}
	err := json.Unmarshal(b, &in)
	*l = Line{string(in.ID), string(in.Text), string(in.Date), string(in.Author), string(in.Type), string(in.Section), string(in.Path), in.Tags, in.Links, in.Supersedes}
	return err
}

// A Question is one line of the queries.
type Question struct {
	ID   string `json:"id"`
	Text string `json:"text"`
	Now  string `json:"now,omitempty"`
}

// UnmarshalJSON takes a number for a text.
func (q *Question) UnmarshalJSON(b []byte) error {
	var in struct {
		ID   word `json:"id"`
		Text word `json:"text"`
		Now  word `json:"now"`
	}
	err := json.Unmarshal(b, &in)
	*q = Question{string(in.ID), string(in.Text), string(in.Now)}
	return err
}

// word is a text, or a number as it is written.
type word string

func (w *word) UnmarshalJSON(b []byte) error {
	if b[0] == '-' || '0' <= b[0] && b[0] <= '9' {
		*w = word(b)
		return nil
	}
	return json.Unmarshal(b, (*string)(w))
}

// wordList is a list of texts or numbers, or one of them.
type wordList []string

func (l *wordList) UnmarshalJSON(b []byte) error {
	words := make([]word, 1)
	err := error(nil)
	if b[0] == '[' {
		err = json.Unmarshal(b, &words)
	} else {
		err = json.Unmarshal(b, &words[0])
	}
	*l = nil
	for _, w := range words {
		if w != "" {
			*l = append(*l, string(w))
		}
	}
	return err
}

// maxLine bounds one line of input.
const maxLine = 64 << 20

// ReadLines decodes JSON lines; blank ones and the mark of UTF-8 at the beginning
// are passed over. check, if given, refuses some. The error names the line.
func ReadLines[T any](r io.Reader, name string, check ...func(n int, v T) error) ([]T, error) {
	var out []T
	s := bufio.NewScanner(r)
	s.Buffer(nil, maxLine)
	n := 1
	for ; s.Scan(); n++ {
		line := bytes.TrimSpace(s.Bytes())
		if n == 1 {
			line = bytes.TrimPrefix(line, []byte("\ufeff"))
		}
		if len(line) == 0 {
			continue
		}
		var v T
		err := json.Unmarshal(line, &v)
		for _, c := range check {
			if err == nil {
				err = c(n, v)
			}
		}
		if err != nil {
			return nil, malformed(name, n, err)
		}
		out = append(out, v)
	}
	if errors.Is(s.Err(), bufio.ErrTooLong) {
		return nil, malformed(name, n, fmt.Errorf("longer than %d MB", maxLine>>20))
	}
	return out, s.Err()
}

// ReadCorpus reads the lines of a corpus. Each has an id of its own.
func ReadCorpus(r io.Reader, name string) ([]Line, error) {
	at := map[string]int{}
	return ReadLines(r, name, func(n int, l Line) error {
		if l.ID == "" {
			return errors.New("no id")
		}
		if first, twice := at[l.ID]; twice {
			return fmt.Errorf("the id %s stands in line %d, too", text.OneLine(l.ID, 60), first)
		}
		at[l.ID] = n
		return nil
	})
}

// ReadQuestions reads queries. Each has an id.
func ReadQuestions(r io.Reader, name string) ([]Question, error) {
	return ReadLines(r, name, func(_ int, q Question) error {
		if q.ID == "" {
			return errors.New("no id")
		}
		return nil
	})
}

func malformed(name string, line int, err error) error {
	e := &pimento.Error{Op: "eval", Kind: pimento.KindUsage, Err: text.Misfit(err), Hint: "each line is one JSON object; docs/FORMATS.md has the keys"}
	if line > 0 {
		e.Path = fmt.Sprintf("%s:%d", name, line)
	}
	return e
}
