package tool

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/pimento-memory/pimento"
)

// arguments reads a call's JSON object by name and keeps the first complaint.
// A model corrects itself from an error text, so each complaint names the
// parameter, the value that was given and what is allowed.
type arguments struct {
	tool  string
	given map[string]json.RawMessage
	known []string
	err   error
}

// parseArguments accepts a JSON object, or nothing at all for "no arguments".
func parseArguments(tool string, raw json.RawMessage) (*arguments, error) {
	a := &arguments{tool: tool}
	if len(bytes.TrimSpace(raw)) == 0 || string(bytes.TrimSpace(raw)) == "null" {
		return a, nil
	}
	if err := json.Unmarshal(raw, &a.given); err != nil {
		what := "the arguments are not a JSON object"
		if !json.Valid(raw) {
			what += ": " + err.Error()
		}
		return nil, &pimento.Error{Op: tool, Kind: pimento.KindUsage,
			Err:  errors.New(what),
			Hint: `pass one object, for example {"query": "deploy"}`}
	}
	return a, nil
}

// text is an optional string. White space alone counts as absent.
func (a *arguments) text(name string) string {
	raw, ok := a.value(name)
	if !ok {
		return ""
	}
	var s string
	if json.Unmarshal(raw, &s) != nil {
		a.complain(name, raw, "a string")
	}
	if strings.TrimSpace(s) == "" {
		return ""
	}
	return s
}

// need is a string that must be there; why completes the complaint.
func (a *arguments) need(name, why string) string {
	s := a.text(name)
	if s == "" && a.err == nil {
		a.err = &pimento.Error{Op: a.tool, Kind: pimento.KindUsage,
			Err: fmt.Errorf("%q is required%s", name, why)}
	}
	return s
}

// choice is one of a closed list; def stands for an absent value.
func (a *arguments) choice(name, def string, allowed ...string) string {
	s := a.text(name)
	if s == "" {
		return def
	}
	if !slices.Contains(allowed, s) {
		a.complain(name, quote(s), "one of "+strings.Join(allowed, ", "))
	}
	return s
}

// number is a whole number in [low, high].
func (a *arguments) number(name string, def, low, high int) int {
	raw, ok := a.value(name)
	if !ok {
		return def
	}
	var f float64
	if json.Unmarshal(raw, &f) != nil || f != math.Trunc(f) || f < float64(low) || f > float64(high) {
		a.complain(name, raw, fmt.Sprintf("a whole number from %d to %d", low, high))
		return def
	}
	return int(f)
}

// flag is an optional boolean, false when absent.
func (a *arguments) flag(name string) bool {
	raw, ok := a.value(name)
	if !ok {
		return false
	}
	var b bool
	if json.Unmarshal(raw, &b) != nil {
		a.complain(name, raw, "true or false")
	}
	return b
}

// list is an optional list of strings; one string alone counts as a list of one.
func (a *arguments) list(name string) []string {
	raw, ok := a.value(name)
	if !ok {
		return nil
	}
	var one string
	if json.Unmarshal(raw, &one) == nil {
		return []string{one}
	}
	var many []string
	if json.Unmarshal(raw, &many) != nil {
		a.complain(name, raw, "a list of strings")
	}
	return many
}

// date is a calendar day, YYYY-MM-DD.
func (a *arguments) date(name string) string {
	s := strings.TrimSpace(a.text(name))
	if s == "" || validDate(s) {
		return s
	}
	if a.err == nil {
		a.err = &pimento.Error{Op: a.tool, Kind: pimento.KindUsage,
			Err: plainError("Invalid date format: " + clip(s, 80) + ". Use YYYY-MM-DD.")}
	}
	return ""
}

// validDate says whether s is a day that exists, as YYYY-MM-DD.
func validDate(s string) bool {
	_, err := time.Parse(time.DateOnly, s)
	return err == nil
}

// done reports the first complaint, a parameter that nobody asked for among
// them. It comes after all parameters have been read.
func (a *arguments) done() error {
	if a.err != nil {
		return a.err
	}
	for _, name := range slices.Sorted(maps.Keys(a.given)) {
		if !slices.Contains(a.known, name) {
			return &pimento.Error{Op: a.tool, Kind: pimento.KindUsage,
				Err:  fmt.Errorf("unknown parameter %q", clip(name, 80)),
				Hint: allowedNames(a.known)}
		}
	}
	return nil
}

func allowedNames(known []string) string {
	if len(known) == 0 {
		return "this tool takes no parameters"
	}
	return "allowed are " + strings.Join(known, ", ")
}

func (a *arguments) value(name string) (json.RawMessage, bool) {
	a.known = append(a.known, name)
	raw, ok := a.given[name]
	return raw, ok && string(raw) != "null"
}

func (a *arguments) complain(name string, raw json.RawMessage, allowed string) {
	if a.err == nil {
		a.err = &pimento.Error{Op: a.tool, Kind: pimento.KindUsage,
			Err: fmt.Errorf("parameter %q must be %s, not %s", name, allowed, clip(string(raw), 80))}
	}
}

func quote(s string) json.RawMessage {
	raw, _ := json.Marshal(s) // a string always marshals
	return raw
}

// plainError is a text that models know, full stop and all.
type plainError string

func (e plainError) Error() string { return string(e) }

func unknownTool(name string) error {
	return &pimento.Error{Op: "tool", Kind: pimento.KindUsage,
		Err:  fmt.Errorf("unknown tool %q", clip(name, 80)),
		Hint: "use one of: " + strings.Join(Names(), ", ")}
}

// Message is an error as a person or a model reads it: what went wrong,
// without the chain of operations that a log would want.
func Message(err error) string {
	if e, ok := errors.AsType[*pimento.Error](err); ok {
		return pimento.MessageOf(e)
	}
	return err.Error()
}
