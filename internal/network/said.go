package network

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/pimento-memory/pimento/internal/courier"
	"github.com/pimento-memory/pimento/internal/text"
)

// notOne is an answer that is none of a language model.
func notOne(b []byte, err error) error {
	if start := text.OneLine(strings.ToValidUTF8(string(b[:min(len(b), 400)]), ""), 80); start != "" {
		return errors.Join(fmt.Errorf("the answer is not one: it begins with %q", start), err)
	}
	return errors.New("the answer is not one: it is empty")
}

// errBroken is a stream that ends and does not say that it has ended.
var errBroken = errors.New("the answer breaks off")

// pieces are the JSON values of an answer: one, or several from an endpoint that
// streams although nobody asked it to, a line each or an event each. done says that
// the events end with the word of OpenAI's endpoint that they are over.
// https://html.spec.whatwg.org/multipage/server-sent-events.html
func pieces(b []byte) (out []json.RawMessage, done bool, err error) {
	if lines := bytes.TrimSpace(b); bytes.HasPrefix(lines, []byte("data:")) || bytes.HasPrefix(lines, []byte(":")) || bytes.HasPrefix(lines, []byte("event:")) {
		var data []byte
		for line := range bytes.Lines(lines) {
			value, ok := bytes.CutPrefix(line, []byte("data:"))
			switch {
			case ok && string(bytes.TrimSpace(value)) == "[DONE]":
				done = true
			case ok:
				data = append(data, value...)
			}
		}
		b = data
	}
	for d := json.NewDecoder(bytes.NewReader(b)); ; {
		var raw json.RawMessage
		if err := d.Decode(&raw); err == io.EOF && len(out) > 0 {
			return out, done, nil
		} else if err != nil {
			return nil, false, err
		}
		out = append(out, raw)
	}
}

// complaint is what an endpoint says went wrong, a text or an object with one.
type complaint string

func (c *complaint) UnmarshalJSON(b []byte) error {
	var long struct {
		Message string `json:"message"`
	}
	if json.Unmarshal(b, (*string)(c)) != nil && json.Unmarshal(b, &long) == nil {
		*c = complaint(long.Message)
	}
	return nil
}

func (c complaint) err() error { return errors.New("the server says: " + text.OneLine(string(c), 200)) }

// words are a text, or parts of which some are.
type words string

func (w *words) UnmarshalJSON(b []byte) error {
	if err := json.Unmarshal(b, (*string)(w)); err == nil {
		return nil
	}
	var parts []struct {
		Type, Text string
	}
	if err := json.Unmarshal(b, &parts); err != nil {
		return err
	}
	for _, p := range parts {
		if p.Type == "text" || p.Type == "output_text" {
			*w += words(p.Text)
		}
	}
	return nil
}

func ollamaAnswer(b []byte) (said courier.ChatAnswer, err error) {
	all, _, err := pieces(b)
	if err != nil {
		return said, notOne(b, err)
	}
	ended := true
	for _, raw := range all {
		var a struct {
			Message *struct {
				Content words `json:"content"`
			} `json:"message"`
			Error  complaint `json:"error"`
			Done   *bool     `json:"done"`
			Reason string    `json:"done_reason"`
			In     int       `json:"prompt_eval_count"`
			Out    int       `json:"eval_count"`
		}
		switch err := json.Unmarshal(raw, &a); {
		case err == nil && a.Error != "":
			return said, a.Error.err()
		case err != nil || a.Message == nil:
			return said, notOne(b, err)
		}
		said.Text += string(a.Message.Content)
		said.In, said.Out = max(said.In, a.In), max(said.Out, a.Out)
		said.Cut = said.Cut || a.Reason == "length"
		ended = a.Done == nil || *a.Done
	}
	if !ended {
		return said, errBroken
	}
	return said, nil
}

// A choice is an answer of an endpoint that speaks as OpenAI's does, or of a
// stream the next part of one.
type choice struct {
	Message, Delta struct {
		Content words  `json:"content"`
		Refusal string `json:"refusal"`
	}
	Reason string `json:"finish_reason"`
}

func openAIAnswer(b []byte) (said courier.ChatAnswer, err error) {
	all, ended, err := pieces(b)
	if err != nil {
		return said, notOne(b, err)
	}
	heard, streamed := false, false
	for _, raw := range all {
		var a struct {
			Choices []choice  `json:"choices"`
			Error   complaint `json:"error"`
			Usage   struct {
				In  int `json:"prompt_tokens"`
				Out int `json:"completion_tokens"`
			} `json:"usage"`
		}
		switch err := json.Unmarshal(raw, &a); {
		case err == nil && a.Error != "":
			return said, a.Error.err()
		case err != nil:
			return said, notOne(b, err)
		}
		said.In, said.Out = max(said.In, a.Usage.In), max(said.Out, a.Usage.Out)
		for _, c := range a.Choices[:min(len(a.Choices), 1)] {
			if no := c.Message.Refusal + c.Delta.Refusal; no != "" {
				return said, errors.New("the model declined: " + no)
			}
			heard, streamed, ended = true, streamed || c.Delta.Content != "", ended || c.Reason != ""
			said.Text += string(c.Message.Content + c.Delta.Content)
			said.Cut = said.Cut || c.Reason == "length"
		}
	}
	switch {
	case !heard:
		return said, notOne(b, nil)
	case streamed && !ended: // some endpoints end with a reason, some with [DONE], none of these with neither
		return said, errBroken
	}
	return said, nil
}
