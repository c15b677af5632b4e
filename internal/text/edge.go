package text

import (
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/pimento-memory/pimento"
)

// An Edge is a triple with the time in which it holds. It is kept in the index
// as terms of the field [Graph], so that the graph of a memory is derived with
// everything else and needs no store of its own. Each edge is two terms, one
// found from its subject and one from its object; each entity of it is found by
// its words:
//
//	g>alice\0owns\0auth-service\0...    what alice is related to
//	g<auth-service\0owns\0alice\0...    what is related to auth-service
//	g=auth\0auth-service                entities with the word "auth"
//
// Days are "2006-01-02", "" when they are not known.
type Edge struct {
	pimento.Triple
	From  string // the first day on which it holds
	Until string // the first day on which it no longer does
}

// Graph is the field of edges and of entities' words.
const Graph byte = 'g'

// Predicates of the edges that links make.
const (
	LinksTo  = "links_to"
	Replaces = "replaces"
)

const (
	edgeOut    = "g>"
	edgeIn     = "g<"
	entityWord = "g="
	edgeParts  = 8
	maxEntity  = 500 // bytes of a name; more is no name
)

// EntityID is the identity of an entity or predicate: names are one that differ
// in letter case, white space, quotes and control characters alone. It is ""
// for what is no name.
func EntityID(name string) string {
	if len(name) > maxEntity {
		return ""
	}
	if plain(name) {
		return name
	}
	var b strings.Builder
	gap := false
	for _, r := range name {
		switch {
		case unicode.IsSpace(r):
			gap = b.Len() > 0
			continue
		case unicode.IsControl(r), strings.ContainsRune("\"'`“”‘’«»", r), r == utf8.RuneError:
			continue
		}
		if gap {
			b.WriteByte('_')
			gap = false
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// plain says whether a name is its own id: small letters, digits and joints, as
// most are.
func plain(name string) bool {
	for i := range len(name) {
		if c := name[i]; c >= utf8.RuneSelf || classes[c] == isOther || classes[c] == isUpper {
			return false
		}
	}
	return true
}

// edgesOf are what an entry says about how things are related: its triples, and,
// when others can link to it, its own links.
func edgesOf(e pimento.Entry) []Edge {
	var out []Edge
	from, until := day(e.Stamp), day(e.Until)
	add := func(t pimento.Triple) { out = append(out, Edge{t, from, until}) }
	for _, t := range e.Triples {
		add(t)
	}
	name := linkName(e.Names)
	if name == "" {
		return out
	}
	for _, l := range e.Links {
		if slices.Contains(e.Replaces, l) {
			continue
		}
		add(pimento.Triple{Subject: name, Predicate: LinksTo, Object: PageName(l)})
	}
	for _, l := range e.Replaces {
		add(pimento.Triple{Subject: name, Predicate: Replaces, Object: PageName(l)})
	}
	return out
}

// linkName is the name of an entry as one end of a link: its file's, without
// directory and keywords.
func linkName(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return PageName(names[0])
}

// PageName is the file's name in a link, without directory, ending, keywords
// and what a link shows instead.
func PageName(link string) string {
	link, _, _ = strings.Cut(link, "|")
	link = strings.TrimSuffix(link, ".md")
	link = link[strings.LastIndexByte(link, '/')+1:]
	link, _, _ = strings.Cut(link, "--")
	return link
}

func day(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.DateOnly)
}

// Holds says whether the edge holds on a day; one without days always does.
func (e Edge) Holds(day string) bool {
	return (e.From == "" || e.From <= day) && (e.Until == "" || day < e.Until)
}

// keys are the edge's terms, none when an end of it has no name.
func (e Edge) keys(add func(string)) {
	s, p, o := EntityID(e.Subject), EntityID(e.Predicate), EntityID(e.Object)
	if s == "" || p == "" || o == "" {
		return
	}
	tail := "\x00" + e.From + "\x00" + e.Until + "\x00" + unless(s, e.Subject) + "\x00" + unless(p, e.Predicate) + "\x00" + unless(o, e.Object)
	add(edgeOut + s + "\x00" + p + "\x00" + o + tail)
	add(edgeIn + o + "\x00" + p + "\x00" + s + tail)
	for _, id := range [...]string{s, o} {
		for _, w := range EntityWords(id) {
			add(entityWord + w + "\x00" + id)
		}
	}
}

// unless is a name as it is written, "" when it is written like its id.
func unless(id, name string) string {
	if id == name {
		return ""
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return -1
		}
		return r
	}, name)
}

// ParseEdge reads an edge's term, of either direction.
func ParseEdge(key string) (e Edge, ok bool) {
	if len(key) < 2 || key[0] != Graph || key[1] != '>' && key[1] != '<' {
		return e, false
	}
	f := strings.Split(key[2:], "\x00")
	if len(f) != edgeParts {
		return e, false
	}
	if key[:2] == edgeIn {
		f[0], f[2] = f[2], f[0]
	}
	for i := range 3 {
		if f[5+i] != "" {
			f[i] = f[5+i]
		}
	}
	return Edge{pimento.Triple{Subject: f[0], Predicate: f[1], Object: f[2]}, f[3], f[4]}, true
}

// OutPrefix and InPrefix begin the terms of the edges that leave or reach an
// entity, given by its id; of all edges for "".
func OutPrefix(id string) string { return edgePrefix(edgeOut, id) }

// InPrefix is described at OutPrefix.
func InPrefix(id string) string { return edgePrefix(edgeIn, id) }

func edgePrefix(kind, id string) string {
	if id == "" {
		return kind
	}
	return kind + id + "\x00"
}

// EntityWords are the words by which an entity is found: those between signs,
// and the first two characters of what is written without spaces.
func EntityWords(id string) []string {
	var words []string
	for w := range strings.FieldsFuncSeq(id, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if r, n := utf8.DecodeRuneInString(w); unspaced(r) {
			_, m := utf8.DecodeRuneInString(w[n:])
			w = w[:n+m]
		}
		if !slices.Contains(words, w) {
			words = append(words, w)
		}
	}
	return words
}

// EntityPrefix begins the terms of the entities that have a word, or a word that
// begins so.
func EntityPrefix(word string, whole bool) string {
	if whole {
		return entityWord + word + "\x00"
	}
	return entityWord + word
}

// EntityOf is the id in a term that EntityPrefix found.
func EntityOf(key string) string { return key[strings.LastIndexByte(key, 0)+1:] }

// FarEnd is, of an edge's term, the id of the end that it is not found from.
func FarEnd(key string) string {
	_, rest, _ := strings.Cut(key, "\x00")
	_, rest, _ = strings.Cut(rest, "\x00")
	end, _, _ := strings.Cut(rest, "\x00")
	return end
}
