package page

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/goccy/go-yaml"

	"github.com/pimento-memory/pimento"
)

// Meta is what the front matter of a page says.
type Meta struct {
	Date    time.Time // zero when absent or not a date; without a zone it is in UTC
	Type    string    // as written: user, project, agent-feedback, reference, ...
	Tier    string    // as written: L1, L2, always, relevant
	Title   string
	Tags    []string // without '#'
	Triples []pimento.Triple
	Until   time.Time // the day from which on it no longer holds; zero when absent

	Supersedes []string // links to what the page makes obsolete

	Lost []string // keys that are there and hold what cannot be read, sorted
}

// Meta is the page's front matter; ok is false when there is none or it cannot
// be read, in which case it is opaque text.
func (p *Page) Meta() (m Meta, ok bool) { return p.meta, p.hasMeta }

// FrontFault says why a page has no front matter that can be read, "" when it has.
func (p *Page) FrontFault() string {
	switch {
	case p.hasMeta:
		return ""
	case p.front != (pimento.Span{}):
		return "its front matter cannot be read as YAML; nothing of it counts"
	case isFrontRule(p.src[p.body:lineAt(p.src, p.body).end]):
		return "its front matter is not closed by a line of ---; it counts as text"
	}
	return "it has no front matter"
}

const (
	byteOrderMark = "\ufeff"
	maxFront      = 64 << 10 // more is not front matter
)

// readFront finds the start of the body and reads the front matter before it.
func (p *Page) readFront() {
	if strings.HasPrefix(p.src, byteOrderMark) {
		p.body = len(byteOrderMark)
	}
	top := p.body
	if len(p.conflicts) > 0 && p.conflicts[0] == top {
		top = lineAt(p.src, top).next // its first side may begin with the rule
	}
	if !strings.HasPrefix(p.src[top:], "---") {
		return
	}
	first := lineAt(p.src, top)
	if !isFrontRule(p.src[first.start:first.end]) {
		return
	}
	for at := first.next; at < len(p.src) && at < maxFront; {
		ln := lineAt(p.src, at)
		s := p.src[at:ln.end]
		if strings.HasPrefix(s, "<!--") {
			return // an unclosed rule, and then a stamp
		}
		if isFrontRule(s) {
			p.body, p.front = ln.next, pimento.Span{Start: first.next, End: at}
			p.meta, p.hasMeta = readMeta(p.src[first.next:at])
			return
		}
		at = ln.next
	}
}

// Body is where the text of the page starts, after byte order mark and front
// matter.
func (p *Page) Body() int { return p.body }

// SetFront is the splice that makes a key of the front matter, which stands on
// one line, say value; none when the page has no front matter or no room for the
// key on a line of its own.
func (p *Page) SetFront(key, value string) []pimento.Splice {
	if p.front == (pimento.Span{}) || strings.ContainsAny(value, "\r\n") {
		return nil
	}
	if plain, ok := scalar(value); !ok || plain != value {
		b, _ := json.Marshal(value) // a string of JSON is one of YAML
		value = string(b)
	}
	at := p.front.Start
	for at < p.front.End {
		ln := lineAt(p.src, at)
		if k, _, ok := strings.Cut(p.src[at:ln.end], ":"); ok && k == key {
			if next := p.src[ln.next:p.front.End]; next != "" && strings.IndexByte(" \t-", next[0]) >= 0 {
				return nil // its value goes on below
			}
			return []pimento.Splice{{Off: at, Del: ln.end - at, Ins: []byte(key + ": " + value)}}
		}
		at = ln.next
	}
	return []pimento.Splice{{Off: p.front.End, Ins: []byte(key + ": " + value + p.eol)}}
}

// isFrontRule reports one of the lines around front matter.
func isFrontRule(s string) bool { return strings.TrimRight(s, " \t") == "---" }

// readMeta reads front matter: line by line when it is nothing but plain
// "key: value" and "key: [a, b]", else as YAML, and line by line again when it
// is no YAML: others write values as they are, a colon or '@' in them or not.
func readMeta(s string) (Meta, bool) {
	if fields, ok := lineFields(s, scalar); ok {
		return metaOf(fields), true
	}
	if m, ok := readYAML(s); ok {
		return m, true
	}
	fields, ok := lineFields(s, bare)
	if !ok {
		return Meta{}, false
	}
	return metaOf(fields), true
}

// lineFields reads front matter that is a field a line, its values by value.
func lineFields(s string, value func(string) (string, bool)) (map[string]any, bool) {
	fields := map[string]any{}
	for ln := range strings.Lines(s) {
		ln = strings.TrimRight(ln, " \t\r\n")
		if ln == "" || ln[0] == '#' {
			continue
		}
		key, v, ok := strings.Cut(ln, ":")
		if !ok || !lineField(fields, key, v, value) {
			return nil, false
		}
	}
	return fields, true
}

// lineField reads one line of front matter.
func lineField(fields map[string]any, key, v string, value func(string) (string, bool)) bool {
	if !plainKey(key) || v != "" && v[0] != ' ' && v[0] != '\t' {
		return false
	}
	v = strings.TrimSpace(v)
	if key == "triples" || strings.HasPrefix(v, "[[") { // JSON or links, whatever YAML would make of them
		fields[key] = v
		return true
	}
	if list, ok := strings.CutPrefix(v, "["); ok {
		if list, ok = strings.CutSuffix(list, "]"); !ok || strings.ContainsAny(list, "[]{}") {
			return false
		}
		var items []any
		for item := range strings.SplitSeq(list, ",") {
			item, ok = value(strings.TrimSpace(item))
			if !ok {
				return false
			}
			if item != "" {
				items = append(items, item)
			}
		}
		fields[key] = items
		return true
	}
	v, ok := value(v)
	fields[key] = v
	return ok
}

// plainKey reports a key of letters, digits, '-' and '_'.
func plainKey(key string) bool {
	for _, c := range []byte(key) {
		letter := 'a' <= c|0x20 && c|0x20 <= 'z'
		if !letter && (c < '0' || c > '9') && c != '-' && c != '_' {
			return false
		}
	}
	return key != "" && key[0] != '-'
}

// scalar reads a plain or simply quoted value; ok is false when it needs YAML.
func scalar(s string) (string, bool) {
	if s == "" {
		return "", true
	}
	if q := s[0]; q == '"' || q == '\'' {
		if len(s) < 2 || s[len(s)-1] != q || strings.ContainsAny(s[1:len(s)-1], string(q)+`\`) {
			return "", false
		}
		return s[1 : len(s)-1], true
	}
	if strings.IndexByte("|>&*!{}%@`?-,#", s[0]) >= 0 && !(s[0] == '-' && len(s) > 1 && s[1] != ' ') {
		return "", false
	}
	if strings.Contains(s, " #") || strings.Contains(s, ": ") || strings.HasSuffix(s, ":") {
		return "", false
	}
	return s, true
}

// bare is a value as it stands, whatever it means to YAML; ok is false when it
// must be YAML's.
func bare(s string) (string, bool) {
	return s, s == "" || strings.IndexByte("\"'|>{[", s[0]) < 0
}

// readYAML reads front matter that needs a YAML parser.
func readYAML(s string) (m Meta, ok bool) {
	defer func() { // a page never fails to parse, whatever a library thinks of it
		if recover() != nil {
			m, ok = Meta{}, false
		}
	}()
	var fields map[string]any
	if err := yaml.Unmarshal([]byte(s), &fields); err != nil {
		return Meta{}, false
	}
	return metaOf(fields), true
}

// metaOf picks the known fields; one of the wrong type is left out.
func metaOf(fields map[string]any) Meta {
	var m Meta
	m.Type, _ = fields["type"].(string)
	m.Tier, _ = fields["tier"].(string)
	m.Title, _ = fields["title"].(string)
	m.Date = dateField(fields["date"])
	m.Until = dateField(fields["until"])
	switch tags := fields["tags"].(type) {
	case []any:
		for _, t := range tags {
			if s, ok := t.(string); ok {
				m.Tags = appendTag(m.Tags, s)
			}
		}
	case string:
		for t := range strings.SplitSeq(tags, ",") {
			m.Tags = appendTag(m.Tags, t)
		}
	}
	rows, isList := triplesIn(fields["triples"])
	for _, row := range rows { // one that is not three texts is left out; lint names it
		if t, ok := tripleOf(row); ok {
			m.Triples = append(m.Triples, t)
		}
	}
	m.Supersedes = linksOf(fields["supersedes"])
	m.Lost = lost(fields, m, isList && len(rows) == len(m.Triples))
	return m
}

// lost names the keys of which something was left out; triples says that none of
// those was.
func lost(fields map[string]any, m Meta, triples bool) (keys []string) {
	if v, ok := fields["date"]; ok && m.Date.IsZero() && v != "" && v != nil {
		keys = append(keys, "date")
	}
	if v := fields["triples"]; v != nil && v != "" && !triples {
		keys = append(keys, "triples")
	}
	if v, ok := fields["until"]; ok && m.Until.IsZero() && v != "" && v != nil {
		keys = append(keys, "until")
	}
	return keys
}

// linksOf reads one link or several, with or without brackets.
func linksOf(v any) (links []string) {
	switch v := v.(type) {
	case string:
		for link := range strings.SplitSeq(strings.ReplaceAll(v, "[[", "]]"), "]]") {
			if link = strings.Trim(link, " \t,"); link != "" {
				links = append(links, link)
			}
		}
	case []any:
		for _, x := range v {
			links = append(links, linksOf(x)...)
		}
	}
	return links
}

func dateField(v any) time.Time {
	switch date := v.(type) {
	case time.Time:
		return date
	case string:
		return dateOf(date)
	}
	return time.Time{}
}

func appendTag(tags []string, s string) []string {
	if s = strings.TrimPrefix(strings.TrimSpace(s), "#"); s == "" {
		return tags
	}
	return append(tags, s)
}

// dateOf reads a date as the systems write it: RFC 3339, with or without zone
// and seconds, or a day.
func dateOf(s string) time.Time {
	if len(s) < len("2006-01-02") || len(s) > 40 {
		return time.Time{}
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02", stampLayout, "2006-01-02T15:04:05", "2006-01-02 15:04", "2006-01-02T15:04"} {
		if t, err := time.Parse(layout, s); err == nil {
			return t
		}
	}
	return time.Time{}
}

// triplesIn are the rows of triples; ok is false when they are no list.
func triplesIn(v any) (rows []any, ok bool) {
	rows, ok = v.([]any)
	if s, isText := v.(string); isText {
		ok = json.Unmarshal([]byte(s), &rows) == nil
	}
	return rows, ok
}

func tripleOf(row any) (t pimento.Triple, ok bool) {
	cells, _ := row.([]any)
	if len(cells) != 3 {
		return t, false
	}
	for i, to := range [...]*string{&t.Subject, &t.Predicate, &t.Object} {
		s, _ := cells[i].(string)
		if *to = strings.TrimSpace(s); *to == "" {
			return t, false
		}
	}
	return t, true
}
