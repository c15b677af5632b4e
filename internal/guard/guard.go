// Package guard looks at a text that is about to become a memory and names what speaks
// against it. [Check] returns [Finding]s; what to do about them is decided by the caller,
// which is mostly package remember. [Redact] and [Hide] take secrets out of a text that is shown or logged.
// The package is pure.
//
// A model reads a memory again and again, and a memory often stands in a file that a team
// shares. So two things must not slip in unseen. One is a secret, which would be committed
// and from then on be sent to every provider: it is refused. The other is a sentence that
// orders the model about ("ignore all previous instructions"): it is only warned of,
// because a note about prompt injection reads the same as an injection.
//
// People switch off a guard that cries wolf. Therefore a secret is recognised by the shape
// that its issuer gave it, a prefix and a length. Where it has no such shape, it is
// recognised only as the value that is assigned to a telling name (password, api_key, ...),
// if the value looks random and is no placeholder. Bare uuids, commit ids, digests and
// base64 in prose are not secrets.
//
// Each rule names literal strings of which one must stand in the text before its pattern
// is compiled or tried. So an ordinary sentence costs a few substring searches.
package guard

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pimento-memory/pimento"
)

// A Kind is a class of findings.
type Kind string

const (
	Secret    Kind = "secret"
	Injection Kind = "injection"
	Empty     Kind = "empty"
	TooLarge  Kind = "too_large"
	Binary    Kind = "binary"
)

// A Severity says what a finding asks for.
type Severity string

const (
	Stop Severity = "refuse" // must not be written
	Warn Severity = "warn"   // may be written; tell the user
)

// A Finding is one thing that speaks against a text. It never holds the matched
// text itself, which may be a secret; Span says where it stands.
type Finding struct {
	Kind     Kind         `json:"kind"`
	Rule     string       `json:"rule"`
	Span     pimento.Span `json:"span"`
	Severity Severity     `json:"severity"`
}

// MaxBytes is the size limit of a text: far more than any entry that helps a
// model, less than a page that would stall it.
const MaxBytes = 256 << 10

// Options of a check. The zero value checks everything.
type Options struct {
	AllowSecrets bool // the user said so on the command line; never set by a config file
}

// Check returns what speaks against the text, in the order in which it stands.
// A text that is empty, too large or binary is not looked at any further.
// Secrets that overlap are reported once, by the most specific rule.
func Check(text string, opts Options) []Finding {
	whole := pimento.Span{End: len(text)}
	switch {
	case len(text) > MaxBytes:
		return []Finding{{TooLarge, "too-large", whole, Stop}}
	case isBlank(text):
		return []Finding{{Empty, "empty", whole, Stop}}
	}
	if f, bad := binary(text); bad {
		return []Finding{f}
	}
	var out []Finding
	if !opts.AllowSecrets {
		out = secrets(text)
	}
	out = append(out, injections(text)...)
	slices.SortStableFunc(out, func(a, b Finding) int { return a.Span.Start - b.Span.Start })
	return out
}

// Refuses returns the first finding that must stop a write.
func Refuses(findings []Finding) (Finding, bool) {
	for _, f := range findings {
		if f.Severity == Stop {
			return f, true
		}
	}
	return Finding{}, false
}

// Redact replaces every secret among the findings by "[secret: RULE]", for
// texts that must be shown or logged although they were refused.
func Redact(text string, findings []Finding) string {
	var b strings.Builder
	at := 0
	for _, f := range findings {
		if f.Kind != Secret || f.Span.Start < at || f.Span.End > len(text) {
			continue
		}
		b.WriteString(text[at:f.Span.Start] + "[secret: " + f.Rule + "]")
		at = f.Span.End
	}
	return b.String() + text[at:]
}

// Hide is a text without its secrets, see [Redact].
func Hide(text string) string { return Redact(text, Check(text, Options{})) }

// isBlank reports whether nothing is left when white space, control characters
// and invisible marks (byte order mark, zero-width characters) are taken off.
// A NUL is not blank, it is binary.
func isBlank(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool {
		return r == 0 || r > ' ' && !invisible(r)
	}) < 0
}

func invisible(r rune) bool {
	return r >= 0x7f && r <= 0xa0 || r >= 0x2000 && r <= 0x200f || r >= 0x2028 && r <= 0x202f ||
		r >= 0x2060 && r <= 0x2064 || r == 0x3000 || r == 0xfeff
}

// binary finds a NUL, or bytes that are not UTF-8 in more than one of ten
// characters. A few invalid bytes are legal: user text is kept as it is.
func binary(text string) (Finding, bool) {
	if i := strings.IndexByte(text, 0); i >= 0 {
		return Finding{Binary, "nul-byte", pimento.Span{Start: i, End: i + 1}, Stop}, true
	}
	if utf8.ValidString(text) {
		return Finding{}, false
	}
	bad, all, first := 0, 0, -1
	for i, r := range text {
		all++
		if r == utf8.RuneError && !bytes.HasPrefix([]byte(text[i:min(i+3, len(text))]), []byte("\uFFFD")) {
			bad++
			if first < 0 {
				first = i
			}
		}
	}
	return Finding{Binary, "not-utf8", pimento.Span{Start: max(first, 0), End: len(text)}, Stop}, bad*10 > all
}
