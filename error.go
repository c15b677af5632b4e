package pimento

import (
	"errors"
	"strings"
)

// An ErrorKind says what sort of failure an [Error] is; doors map it to their
// own codes through the one table in [ErrorKind.ExitCode].
type ErrorKind uint8

const (
	KindInternal    ErrorKind = iota // a bug, or the machine failed us
	KindUsage                        // the call or the configuration is wrong
	KindRefused                      // understood, and refused with a reason
	KindDenied                       // consent or trust is missing
	KindConflict                     // somebody else changed it, or an id is ambiguous
	KindUnavailable                  // a needed part is not there now (disk full, read-only, timeout)
	KindNotFound                     // the named thing does not exist
)

// String is the kind's name in JSON, logs and rpc.
func (k ErrorKind) String() string {
	names := [...]string{"internal", "usage", "refused", "denied", "conflict", "unavailable", "not_found"}
	if int(k) < len(names) {
		return names[k]
	}
	return "internal"
}

// ExitCode is the process exit status of docs/FORMATS.md: 1 refused or
// internal, 2 usage, 3 denied, 4 conflict, 5 unavailable.
func (k ErrorKind) ExitCode() int {
	switch k {
	case KindUsage:
		return 2
	case KindDenied:
		return 3
	case KindConflict:
		return 4
	case KindUnavailable:
		return 5
	default:
		return 1
	}
}

// Error is the one error type at package borders: what was being done, to
// which path, of which kind, and what the person can do next.
type Error struct {
	Op   string    // the operation, a verb: "remember", "vault.write"
	Path string    // the file or id concerned, if any
	Kind ErrorKind // what sort of failure
	Hint string    // what to do next; empty when there is nothing to do
	Err  error     // the cause
}

// Error reads "op path: cause"; the hint is left to the door that prints it.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.Op)
	if e.Path != "" {
		b.WriteString(" " + e.Path)
	}
	if e.Err != nil {
		b.WriteString(": " + e.Err.Error())
	}
	return b.String()
}

func (e *Error) Unwrap() error { return e.Err }

// MessageOf is an error for a person: an [Error] without its operation, which is a word
// of ours; any other error as it stands.
func MessageOf(err error) string {
	e, ok := err.(*Error)
	switch {
	case !ok || e.Err == nil:
		return err.Error()
	case e.Path != "":
		return e.Path + ": " + e.Err.Error()
	}
	return e.Err.Error()
}

// KindOf is the kind of the outermost [Error] in err's chain, KindInternal for
// any other error.
func KindOf(err error) ErrorKind {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Kind
	}
	return KindInternal
}

// HintOf is the first non-empty hint in err's tree, outermost first.
func HintOf(err error) string {
	if e, ok := err.(*Error); ok && e.Hint != "" {
		return e.Hint
	}
	switch err := err.(type) {
	case interface{ Unwrap() error }:
		return HintOf(err.Unwrap())
	case interface{ Unwrap() []error }:
		for _, e := range err.Unwrap() {
			if hint := HintOf(e); hint != "" {
				return hint
			}
		}
	}
	return ""
}
