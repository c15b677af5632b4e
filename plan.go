package pimento

import (
	"crypto/sha256"
	"encoding/hex"
)

// A Digest is the sha256 of a page's bytes in hex; "" stands for "no such
// page".
type Digest string

// DigestOf computes the digest of a page's bytes. An existing empty page has a
// digest, too.
func DigestOf(b []byte) Digest {
	sum := sha256.Sum256(b)
	return Digest(hex.EncodeToString(sum[:]))
}

// A Splice replaces Del bytes at Off by Ins.
type Splice struct {
	Off int    `json:"off"`
	Del int    `json:"del,omitempty"`
	Ins []byte `json:"ins,omitempty"`
}

// ApplySplices returns a copy of b with the splices made. They are sorted by
// Off, do not overlap, and refer to offsets of b. It reports false, changing
// nothing, when they do not fit b.
func ApplySplices(b []byte, splices []Splice) ([]byte, bool) {
	size, at := len(b), 0
	for _, s := range splices {
		if s.Off < at || s.Del < 0 || s.Off+s.Del > len(b) {
			return nil, false
		}
		at = s.Off + s.Del
		size += len(s.Ins) - s.Del
	}
	out := make([]byte, 0, size)
	at = 0
	for _, s := range splices {
		out = append(out, b[at:s.Off]...)
		out = append(out, s.Ins...)
		at = s.Off + s.Del
	}
	return append(out, b[at:]...), true
}

// A Change is one page's part of a plan. It holds against exactly the page
// whose digest is Before; the page afterwards has the digest After.
type Change struct {
	Scope   Scope    `json:"scope"`
	Page    string   `json:"page"`
	Before  Digest   `json:"before"`           // "" creates the page
	After   Digest   `json:"after"`            // "" removes it
	Append  bool     `json:"append,omitempty"` // one splice at the end, written with O_APPEND
	Splices []Splice `json:"splices,omitempty"`
}

// An Action is what a plan will do.
type Action string

const (
	Put       Action = "put"
	Reinforce Action = "reinforced"
	Propose   Action = "proposed"
	Refuse    Action = "refused"
)

// A Code says in one word what became of a write, for programs: a refusal's
// reason is for people.
type Code string

const (
	CodeOK          Code = "OK"
	CodeSchema      Code = "SCHEMA_INVALID"     // no text, not text, or no such place
	CodeProvenance  Code = "PROVENANCE_MISSING" // captured, and nothing says where
	CodeScope       Code = "SCOPE_DENIED"       // no consent, no trust, no project
	CodeDestructive Code = "DESTRUCTIVE_OP"     // it would write over what its author has not seen
	CodePolicy      Code = "POLICY_DENIED"      // anything else that the rules are against
	CodeSecret      Code = "SECRET_DETECTED"
	CodeTooLarge    Code = "TOO_LARGE"
	CodeDuplicate   Code = "DUPLICATE" // the same stands there; it counts as said again
)

// CodeOf is the code of a write that ended in an error.
func CodeOf(err error) Code {
	if err == nil {
		return CodeOK
	}
	switch KindOf(err) {
	case KindUsage, KindNotFound:
		return CodeSchema
	case KindDenied:
		return CodeScope
	case KindConflict:
		return CodeDestructive
	}
	return CodePolicy
}

// A Plan is a write before it happens: previewed, staged in the journal,
// applied under the digest guard, and replayed after a crash.
type Plan struct {
	ID      string   `json:"id"`
	Root    string   `json:"root,omitempty"` // key of the memory root that it was made for; no other may replay it
	Verb    string   `json:"verb"`           // remember, forget, edit, scratch, handoff, ...
	Action  Action   `json:"action"`
	Code    Code     `json:"code,omitempty"` // "" is what Outcome makes of the action
	Reason  string   `json:"reason,omitempty"`
	Near    []string `json:"near,omitempty"` // ids that explain the reason
	Changes []Change `json:"changes,omitempty"`
	Heading string   `json:"heading,omitempty"` // above what its first event is about, at most 200 characters
	Events  []Event  `json:"events,omitempty"`  // what becomes true once it is committed
}

// Outcome is the plan's code.
func (p Plan) Outcome() Code {
	switch {
	case p.Code != "":
		return p.Code
	case p.Action == Refuse:
		return CodePolicy
	}
	return CodeOK
}
