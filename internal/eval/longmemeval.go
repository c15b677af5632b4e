package eval

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/pimento-memory/pimento"
)

// A haystack is one question of LongMemEval with the sessions in which its answer
// may stand (Wu et al. 2024, arXiv:2410.10813).
type haystack struct {
	ID        *string        `json:"question_id"`
	Type      string         `json:"question_type"`
	Question  string         `json:"question"`
	Answer    anyText        `json:"answer"`
	Date      string         `json:"question_date"`
	Sessions  []string       `json:"haystack_session_ids"`
	Dates     []string       `json:"haystack_dates"`
	Messages  [][]longspoken `json:"haystack_sessions"`
	Answering []string       `json:"answer_session_ids"`
	Locomo    any            `json:"conversation"` // of the other benchmark's files
}

type longspoken struct {
	Role      string `json:"role"`
	Content   string `json:"content"`
	HasAnswer bool   `json:"has_answer"`
}

// anyText is a text that some files write as a number.
type anyText string

func (a *anyText) UnmarshalJSON(b []byte) error {
	var s string
	if json.Unmarshal(b, &s) == nil {
		*a = anyText(s)
	} else {
		*a = anyText(b)
	}
	return nil
}

const longHint = "longmemeval_s.json, _m.json or _oracle.json as they are published: a list of questions with " +
	"question_id, question_type, question, answer, haystack_session_ids, haystack_dates, haystack_sessions, answer_session_ids"

// LongMemEval reads the questions of a file, one memory each; files of some
// gigabytes are never held as a whole. each is given how many bytes were read.
func LongMemEval(r io.Reader, name string, each func(d Dialogue, dropped int, read int64) error) error {
	return readList(r, name, longHint, func(h haystack, n int, read int64) error {
		d, err := h.dialogue()
		if err != nil {
			return wrongFile(fmt.Sprintf("%s, question %d", name, n), err, h.hint())
		}
		return each(d, 0, read)
	})
}

func (h haystack) hint() string {
	if h.Locomo != nil {
		return "this looks like LoCoMo: pimento eval locomo FILE"
	}
	return longHint
}

// absent marks the ids of questions that have no answer.
const absent = "_abs"

// dialogue is the memory of a question. Only what the user said is searched, as
// the benchmark's own retrieval does it.
func (h haystack) dialogue() (d Dialogue, err error) {
	switch {
	case h.ID == nil || h.Question == "":
		return d, errors.New("it has no question_id, or no question")
	case len(h.Messages) == 0:
		return d, errors.New("it has no haystack_sessions")
	case len(h.Sessions) != len(h.Messages) || len(h.Dates) != len(h.Messages):
		return d, fmt.Errorf("%d sessions, %d of their ids, %d of their dates", len(h.Messages), len(h.Sessions), len(h.Dates))
	}
	q := Sought{Question: Question{ID: *h.ID, Text: h.Question, Now: h.Date}, Type: h.Type, Answer: string(h.Answer), Rule: h.rule()}
	seen := map[string]int{}
	for i, session := range h.Sessions {
		seen[session]++
		for n, m := range h.Messages[i] {
			id := session + "_" + strconv.Itoa(n+1)
			if seen[session] > 1 {
				id += "#" + strconv.Itoa(seen[session]) // a session that is there twice
			}
			mine := m.Role == "user"
			d.Said = append(d.Said, Spoken{Line{ID: id, Text: m.Content, Date: h.Dates[i], Author: author(m.Role), Section: session}, !mine})
			if m.HasAnswer && mine {
				q.Any.add(id, session)
			}
		}
	}
	if !strings.HasSuffix(*h.ID, absent) {
		q.Official = Evidence{slices.Clone(q.Any.Said), slices.Clone(q.Any.Sessions)}
	}
	q.Any.Sessions = h.Answering // whoever said it there
	d.Asked = []Sought{q}
	return d, nil
}

// author is a role as the author of a message: the user is whoever remembers.
func author(role string) string {
	if role == "user" {
		return ""
	}
	return role
}

func (e *Evidence) add(said, session string) {
	e.Said = append(e.Said, said)
	if !slices.Contains(e.Sessions, session) {
		e.Sessions = append(e.Sessions, session)
	}
}

// rule is how an answer is judged.
func (h haystack) rule() Rule {
	switch {
	case strings.HasSuffix(*h.ID, absent):
		return Unanswerable
	case h.Type == "temporal-reasoning":
		return Days
	case h.Type == "knowledge-update":
		return Latest
	case h.Type == "single-session-preference":
		return Rubric
	}
	return Contains
}

// readList decodes a list item by item.
func readList[T any](r io.Reader, name, hint string, each func(item T, n int, read int64) error) error {
	dec := json.NewDecoder(r)
	if t, err := dec.Token(); err != nil || t != json.Delim('[') {
		return wrongFile(name, errors.New("not a JSON list"), hint)
	}
	n := 0
	for dec.More() {
		var item T
		n++
		switch err := dec.Decode(&item); {
		case errors.Is(err, io.ErrUnexpectedEOF):
			return cutShort(name, n)
		case err != nil:
			return wrongFile(fmt.Sprintf("%s, item %d", name, n), err, hint)
		}
		if err := each(item, n, dec.InputOffset()); err != nil {
			return err
		}
	}
	if _, err := dec.Token(); err != nil {
		return cutShort(name, n)
	}
	if n == 0 {
		return wrongFile(name, errors.New("the list is empty"), hint)
	}
	return nil
}

func cutShort(name string, n int) error {
	return wrongFile(fmt.Sprintf("%s, item %d", name, n), errors.New("the file ends in the middle"), "download it once more")
}

func wrongFile(where string, err error, hint string) error {
	return &pimento.Error{Op: "eval", Path: where, Kind: pimento.KindUsage, Err: err, Hint: hint}
}
