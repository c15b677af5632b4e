package eval

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// A sample is one conversation of LoCoMo with the questions about it (Maharana et
// al. 2024, arXiv:2402.17753).
type sample struct {
	ID           anyText                    `json:"sample_id"`
	Conversation map[string]json.RawMessage `json:"conversation"`
	QA           []struct {
		Question string   `json:"question"`
		Answer   anyText  `json:"answer"`
		Evidence []string `json:"evidence"`
		Category int      `json:"category"`
	} `json:"qa"`
	Long any `json:"haystack_sessions"` // of the other benchmark's files
}

type locospoken struct {
	Speaker string `json:"speaker"`
	ID      string `json:"dia_id"`
	Text    string `json:"text"`
	Caption string `json:"blip_caption"`
}

const locoHint = "locomo10.json as it is published: a list of samples with conversation (session_1, session_1_date_time, ...) and qa (question, answer, evidence, category)"

// categories are the names of LoCoMo's kinds of questions, by their numbers.
func categories() []string {
	return []string{"?", "multi-hop", "temporal", "open-domain", "single-hop", "adversarial"}
}

// LoCoMo reads the conversations of a file, one memory each.
func LoCoMo(r io.Reader, name string, each func(d Dialogue, dropped int, read int64) error) error {
	return readList(r, name, locoHint, func(s sample, n int, read int64) error {
		d, dropped, err := s.dialogue(n)
		if err != nil {
			hint := locoHint
			if s.Long != nil {
				hint = "this looks like LongMemEval: pimento eval longmemeval FILE"
			}
			return wrongFile(fmt.Sprintf("%s, sample %d", name, n), err, hint)
		}
		return each(d, dropped, read)
	})
}

// dialogue is the n-th conversation as a memory. dropped counts the evidence that
// names no message of it.
func (s sample) dialogue(n int) (d Dialogue, dropped int, err error) {
	if d.Said, err = s.said(); err != nil {
		return d, 0, err
	}
	if len(s.QA) == 0 {
		return d, 0, errors.New("it has no qa")
	}
	sessions := map[string]string{}
	for _, m := range d.Said {
		sessions[m.ID] = m.Section
	}
	for i, qa := range s.QA {
		if qa.Question == "" || qa.Category < 1 || qa.Category >= len(categories()) {
			return d, 0, fmt.Errorf("question %d has no text, or the category %d", i+1, qa.Category)
		}
		q := Sought{Question: Question{ID: fmt.Sprintf("%s-%d", cmp.Or(string(s.ID), strconv.Itoa(n)), i+1), Text: qa.Question},
			Type: categories()[qa.Category], Answer: string(qa.Answer)}
		if qa.Category == adversarial {
			q.Rule = Unanswerable
		}
		for _, id := range saidIn(qa.Evidence) {
			if session, ok := sessions[id]; ok {
				q.Any.add(id, session)
			} else {
				dropped++
			}
		}
		q.Official = q.Any
		d.Asked = append(d.Asked, q)
	}
	return d, dropped, nil
}

const adversarial = 5

// said are the messages of a conversation in the order of its sessions.
func (s sample) said() (out []Spoken, err error) {
	for i := 1; ; i++ {
		name := "session_" + strconv.Itoa(i)
		raw, ok := s.Conversation[name]
		if !ok {
			if len(out) == 0 {
				return nil, errors.New("it has no conversation with session_1")
			}
			return out, nil
		}
		var date string
		if raw, ok := s.Conversation[name+"_date_time"]; ok {
			if err := json.Unmarshal(raw, &date); err != nil {
				return nil, fmt.Errorf("%s_date_time: %w", name, err)
			}
		}
		var messages []locospoken
		if err := json.Unmarshal(raw, &messages); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		for _, m := range messages {
			if m.Caption != "" {
				m.Text += " [shares " + m.Caption + "]"
			}
			out = append(out, Spoken{Line: Line{ID: m.ID, Text: m.Text, Date: date, Author: m.Speaker, Section: name}})
		}
	}
}

// saidIn are the ids of messages that some evidence names, each once. Some files
// name several in one text, or with zeros before the number.
func saidIn(evidence []string) (out []string) {
	for _, e := range evidence {
		for _, id := range strings.FieldsFunc(e, func(r rune) bool { return strings.ContainsRune(" ;,()", r) }) {
			if session, n, ok := strings.Cut(id, ":"); ok {
				id = session + ":" + strings.TrimLeft(n, "0")
			}
			if !slices.Contains(out, id) {
				out = append(out, id)
			}
		}
	}
	return out
}
