package page

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/pimento-memory/pimento"
)

// maxFileName bounds a file name in bytes, as the vault does.
const maxFileName = 200

// CheckTopicFile checks a file name as somebody gave it, and returns the page that
// it names. The refusal says which rule it breaks, and what to do; it is "" for
// a name that is right.
func CheckTopicFile(name string, policy pimento.Topics) (rel, refusal string) {
	bad := func(what, do string) (string, string) {
		return "", fmt.Sprintf("the file name %s %s; %s", inQuotes(name), what, do)
	}
	const form = "use topic--kw1,kw2.md"
	base := strings.TrimSpace(name)
	for strings.HasSuffix(base, ".md") {
		base = strings.TrimSuffix(base, ".md")
	}
	topic, keywords := Topic(base + ".md")
	switch {
	case strings.ContainsAny(name, `/\`):
		return bad("has a path separator (/ or \\)", form)
	case base == "":
		return bad("is empty", form)
	case base[0] == '.':
		return bad("starts with a dot", form)
	case strings.ContainsFunc(base, func(r rune) bool { return r < ' ' || r == 0x7f || strings.ContainsRune(`|<>:"?*`, r) }):
		return bad(`has one of |<>:"?* or a control character`, "leave them out")
	case strings.TrimSpace(topic) == "":
		return bad("has no topic before --", form)
	case isReserved(topic):
		return bad("is reserved: memory itself keeps a page of that name", "choose another topic")
	}
	if reason := badKeywords(base, keywords, policy); reason != "" {
		return bad(reason, form)
	}
	rel = topicFile(topic, keywords)
	if len(rel) > maxFileName {
		return bad(fmt.Sprintf("has %d bytes, the limit is %d", len(rel), maxFileName), "use a shorter topic or fewer keywords")
	}
	return rel, ""
}

// isReserved says whether a name belongs to a page with a role of its own. Case
// is folded because some file systems do.
func isReserved(topic string) bool {
	switch strings.ToLower(topic) {
	case "memory", "memory.local", "scratchpad":
		return true
	}
	return false
}

// badKeywords says what is wrong with the part behind "--", "" if nothing is.
func badKeywords(base string, keywords []string, policy pimento.Topics) string {
	_, list, _ := strings.Cut(base, "--")
	switch {
	case policy.MaxKeywords > 0 && len(keywords) > policy.MaxKeywords:
		return fmt.Sprintf("has %d keywords, the limit is %d", len(keywords), policy.MaxKeywords)
	case strings.TrimSpace(list) != "" && strings.Count(list, ",")+1 != len(keywords):
		return "has an empty keyword"
	}
	for i, kw := range keywords {
		if slices.ContainsFunc(keywords[:i], func(k string) bool { return strings.EqualFold(k, kw) }) {
			return "has the keyword " + inQuotes(kw) + " twice"
		}
	}
	return ""
}

// TopicsClash says whether two topic pages are about the same: they have one
// topic, or so many keywords in common. An overlap of 0 finds none.
func TopicsClash(a, b string, overlap int) (shared []string, clash bool) {
	if overlap <= 0 {
		return nil, false
	}
	topicA, keysA := Topic(a)
	topicB, keysB := Topic(b)
	if strings.EqualFold(topicA, topicB) {
		return nil, true
	}
	for _, kw := range keysA {
		if slices.ContainsFunc(keysB, func(k string) bool { return strings.EqualFold(k, kw) }) {
			shared = append(shared, kw)
		}
	}
	return shared, len(shared) >= overlap
}

// HoldsTopic says whether a page holds a topic: the generated index names it,
// and the limits on topic files count it. Pages with a role by name, logs, notes
// and what is archived or encrypted do not.
func HoldsTopic(rel string) bool {
	return strings.HasSuffix(rel, ".md") && Origin(rel) == rel && (DialectOf(rel) == Article || strings.HasPrefix(rel, TopicsDir))
}

// Lines is the number of lines of a text; a break at its end ends the last one.
func Lines(b []byte) int {
	n := bytes.Count(b, []byte("\n"))
	if len(b) > 0 && b[len(b)-1] != '\n' {
		n++
	}
	return n
}

// Size is the length of a text without the line break at its end, which a write
// adds where it lacks one.
func Size(b []byte) int { return len(bytes.TrimSuffix(b, []byte("\n"))) }

// inQuotes puts a name into a message, on one line and not at any length.
func inQuotes(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > 120 {
		s = string(r[:120]) + "…"
	}
	return `"` + s + `"`
}
