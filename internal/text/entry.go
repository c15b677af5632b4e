package text

import (
	"bytes"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/pimento-memory/pimento"
)

// A TermCount is a term of an entry, field letter included, and how often it
// occurs there.
type TermCount struct {
	Text string
	TF   uint16
}

// A Passage is an entry, or a part of a long one, as terms: sorted, each there
// once. Words is the number of words of its text, for length normalisation:
// without stop words and metadata, each character of an unspaced script as one.
// Beside is that of the whole entry, known where it is one passage.
type Passage struct {
	Terms  []TermCount
	Words  int
	Beside Beside
}

// Passages is everything an entry can be found by: the terms of its text, and
// its heading, path, kind, date, tags and links as Meta, Tag and Flag terms. A
// long text yields several passages that overlap (see [Windows]); the first
// carries what is not in the words of the text. The result is overwritten by
// the next call.
func (a *Analyzer) Passages(e pimento.Entry, path string) []Passage {
	a.census.reset()
	out := a.passagesIn(English, e, path)
	if l := a.census.language(); l != English {
		out = a.passagesIn(l, e, path)
	}
	return out
}

// passagesIn is Passages for a text that is in a language.
func (a *Analyzer) passagesIn(l Language, e pimento.Entry, path string) []Passage {
	a.passages, a.terms, a.lang = a.passages[:0], a.terms[:0], l
	defer func() { a.lang = English }()
	var beside Beside
	for w := range Windows(e.Text) {
		a.entry, a.count = a.entry[:0], 0
		a.add = func(key string) { a.entry = append(a.entry, key) }
		a.scanner.scan(w)
		words := a.count
		beside = besideIn(a.entry)
		if len(a.passages) == 0 {
			a.metadata(e, path)
			a.flags(e)
		}
		a.passages = append(a.passages, Passage{Terms: a.tally(), Words: words})
	}
	if len(a.passages) == 1 {
		a.passages[0].Beside = beside
	}
	return a.passages
}

// termsAtOnce is for how many terms of a long text there is room before more is made.
const termsAtOnce = 4096

// tally counts the terms of a.entry, in a.terms.
func (a *Analyzer) tally() []TermCount {
	slices.Sort(a.entry)
	if n := len(a.entry); len(a.passages) > 0 && cap(a.terms)-len(a.terms) < n {
		// Those of the passages before stay where they are: a text may have a hundred thousand.
		a.terms = make([]TermCount, 0, max(n, termsAtOnce))
	}
	start := len(a.terms)
	for _, k := range a.entry {
		if n := len(a.terms); n > start && a.terms[n-1].Text == k {
			if t := &a.terms[n-1]; t.TF < 1<<16-1 && k[0] != Tag && k[0] != Meta {
				t.TF++
			}
			continue
		}
		a.terms = append(a.terms, TermCount{k, 1})
	}
	return a.terms[start:len(a.terms):len(a.terms)]
}

// metadata adds what is known about the entry beside its text.
func (a *Analyzer) metadata(e pimento.Entry, path string) {
	a.heading = true
	a.scanner.scan(e.Heading)
	a.scanner.scan(strings.TrimSuffix(path, ".md"))
	a.scanner.scan(string(e.Kind))
	for _, t := range e.Tags {
		a.scanner.scan(t)
	}
	for _, l := range e.Links {
		a.scanner.scan(l)
	}
	last := pimento.Triple{} // triples mostly share their beginning, and words of the metadata count once
	for _, t := range e.Triples {
		if t.Subject != last.Subject || !plain(t.Subject) {
			a.scanner.scan(t.Subject)
		}
		if t.Predicate != last.Predicate || !plain(t.Predicate) {
			a.scanner.scan(t.Predicate)
		}
		a.scanner.scan(t.Object)
		last = t
	}
	a.heading = false
	for _, t := range e.Tags {
		a.scanner.name(t)
	}
	for _, l := range e.Links {
		a.scanner.name(l)
	}
	for _, l := range e.Replaces {
		a.scanner.name(l)
	}
	for _, n := range e.Names {
		a.add(NameKey(n))
	}
	a.author(e.Author)
	for _, edge := range edgesOf(e) {
		edge.keys(a.add)
	}
	if !e.Stamp.IsZero() {
		year, month, day := e.Stamp.Date()
		a.buf = strconv.AppendInt(a.buf[:0], int64(year), 10)
		a.date(string(a.buf))
		a.date(Stem(strings.ToLower(month.String())))
		a.date(strconv.Itoa(day))
		a.date(e.Stamp.Format("2006-01-02"))
	}
}

// author adds the words of a name, and the pairs of one that is written without
// spaces.
func (a *Analyzer) author(name string) {
	if name == "" {
		return // most entries, and to take turns with the scanner is not free
	}
	for n := range strings.FieldsSeq(name) {
		n = strings.TrimFunc(n, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		a.buf = a.buf[:0]
		for _, r := range n {
			a.buf = fold(a.buf, r)
		}
		if len(a.buf) > 0 {
			a.add(a.key(Author, bytes.Clone(a.buf)))
		}
	}
	a.scanner.emit = func(sh shape, low []byte) {
		if sh == aPair {
			a.add(a.key(Author, low))
		}
	}
	a.scanner.scan(name)
	a.scanner.emit = a.token
}

// NameKey is the key of the entry that a link means; "" when it means none.
func NameKey(link string) string { return linkKey(Name, link) }

// NamesFile says whether a link leads to a folder, or by its ending to a file that
// is no page: to source code, a picture. Whether that is there is not asked.
func NamesFile(link string) bool {
	ext := strings.ToLower(path.Ext(link))
	return strings.HasSuffix(link, "/") || len(ext) > 1 && 'a' <= ext[1] && ext[1] <= 'z' && ext != ".md" && !strings.Contains(ext, " ")
}

// LinkKey is the key of the entries that link there.
func LinkKey(name string) string { return linkKey(Tag, name) }

func linkKey(field byte, name string) (key string) {
	sc := scanner{emit: func(_ shape, low []byte) { key = Key(field, string(low)) }}
	sc.name(name)
	return key
}

func (a *Analyzer) date(s string) { a.add(a.key(Meta, []byte(s))) }

func (a *Analyzer) flags(e pimento.Entry) {
	if e.Kind != "" {
		a.add(a.key(Flag, []byte("k:"+string(e.Kind))))
	}
	if a.lang != English {
		a.add(FlagLanguage(a.lang))
	}
	if e.Pinned {
		a.add(FlagPinned)
	}
	if e.Always {
		a.add(FlagAlways)
	}
	if !e.Task {
		return
	}
	a.add(FlagTask)
	if e.Done {
		a.add(FlagDone)
	} else {
		a.add(FlagOpen)
	}
}
