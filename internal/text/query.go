package text

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A QueryTerm is one term of a query. Weight is what a match counts before the
// index's idf. Group is the ordinal of the prompt's word, from 0 in the order
// of first appearance: all terms with one Group stand for the same word, so
// that whoever asks how much of a prompt an entry covers counts it once. Name
// tells that the word is written as names are.
type QueryTerm struct {
	Field  byte
	Term   string
	Weight float32
	Group  int
	Name   bool
}

// Key is the term as the index keeps it.
func (q QueryTerm) Key() string { return Key(q.Field, q.Term) }

// A prompt longer than twice queryHalf bytes is read at both ends only: what is
// wanted stands before or after the pasted log.
const queryHalf = 16 << 10

// QueryTerms is the query that a prompt asks: an OR of its words without stop
// words, at most limit terms (0 means no limit), the most telling first and in
// a stable order. A word is asked for in every field where it can stand. The
// weights say how telling a match is there: a stem is 1, the exact form adds a
// third, a name typed with its humps or separators, a long number and a tag count
// more than a word, parts of names less, and weak words half.
func QueryTerms(s string, l Language, limit int) []QueryTerm {
	q := query{seen: make(map[string]int, 64), groups: make(map[string]int, 16)}
	q.scanner.emit, q.lang = q.token, l
	head, tail := ends(s)
	q.scanner.scan(head)
	q.scanner.scan(tail)
	slices.SortStableFunc(q.terms, func(a, b rankedTerm) int { return cmp.Compare(b.rank, a.rank) })
	if limit > 0 && len(q.terms) > limit {
		q.terms = q.terms[:limit]
	}
	out := make([]QueryTerm, len(q.terms))
	for i, t := range q.terms {
		out[i] = t.QueryTerm
	}
	return out
}

// ends is the text itself, or both ends of one that is too long, cut at white
// space where there is some.
func ends(s string) (head, tail string) {
	if len(s) <= 2*queryHalf {
		return s, ""
	}
	head = ClipBytes(s, queryHalf)
	if i := strings.LastIndexAny(head, " \n\t"); i > 0 {
		head = head[:i]
	}
	tail = s[len(s)-queryHalf:]
	if i := strings.IndexAny(tail, " \n\t"); i >= 0 {
		tail = tail[i:]
	}
	return head, tail
}

// rankedTerm adds how much a term is worth keeping when there are too many.
type rankedTerm struct {
	QueryTerm
	rank float32
}

type query struct {
	lang    Language
	scanner scanner
	terms   []rankedTerm
	seen    map[string]int // key to its place in terms
	groups  map[string]int // word to Group
	shape   shape          // of the word at hand
	name    bool           // the word at hand is written as names are
}

func (q *query) token(sh shape, low []byte) {
	s := string(low)
	q.shape = sh
	q.name = (sh == aWord || sh == aName) && named(q.scanner.text, q.scanner.at, q.lang)
	switch sh {
	case aWord:
		q.word(s, 1)
	case aName:
		q.word(s, 1)
		q.put(s, Exact, s, 1.2)
	case aWhole:
		if q.lang.inverted(s) {
			return
		}
		q.put(s, Exact, s, 1.5)
		q.put(s, Tag, s, 1)
		q.put(s, Meta, s, 0.5)
		q.put(s, Author, s, 1.0/3)
	case aPart:
		q.word(s, 0.6)
	case aNumber:
		q.put(s, Exact, s, numberWeight(s))
		if n := strings.TrimLeft(s, "0"); n != "" {
			q.put(s, Meta, n, 0.5)
		}
	case aSign:
		if !particle(low) {
			q.put(s, CJK, s, 0.5)
		}
	case aPair:
		q.put(s, CJK, s, 1)
		q.put(s, Author, s, 1.0/3)
	case aTag:
		q.put(s, Tag, s, 1.5)
	}
}

// named tells whether the word at s[at] is written as names are: it has capitals and
// other letters, and one of the capitals is not its first letter, or no sentence begins
// with it. What is all in capitals (DB, CI) is short for words.
func named(s string, at int, l Language) bool {
	letters, capitals, inside := 0, 0, false
	for _, r := range s[at:] {
		if !unicode.IsLetter(r) {
			break
		}
		if unicode.IsUpper(r) {
			capitals++
			inside = inside || letters > 0
		}
		letters++
	}
	return capitals > 0 && capitals < letters && (inside || l != German && !begins(s[:at]))
}

// begins tells whether a sentence, a line or a quotation begins behind s.
func begins(s string) bool {
	line := strings.TrimRight(s, " \t\"'“‘(*_`>#-")
	if line == "" {
		return true
	}
	r, _ := utf8.DecodeLastRuneInString(line)
	return strings.ContainsRune(".!?:;\n\r。！？：；", r)
}

// Number tells whether a term is a number that stands for one thing, as a name does: one
// of three digits and more that is no year (a port, an amount, a status code).
func Number(term string) bool {
	year := len(term) == 4 && (term[:2] == "19" || term[:2] == "20")
	return len(term) >= 3 && !year && strings.Trim(term, "0123456789") == ""
}

// numberWeight is what a number counts. It has no stem, so its exact form counts for
// both; one that stands for one thing tells as much as a name.
func numberWeight(s string) float32 {
	if Number(s) {
		return 1.5
	}
	return 4.0 / 3
}

// word asks for a word in every field where it can stand.
func (q *query) word(s string, weight float32) {
	l := q.lang.of([]byte(s))
	says := max(l.says(s), English.says(s))
	if says == saysNothing {
		if q.name {
			q.put(s, Author, s, 1.0/3) // what did Will say?
		}
		return
	}
	if says == saysLittle {
		weight /= 2
	}
	st := Stem(s)
	q.put(s, Word, st, weight)
	if l != English {
		if other := l.stem(q.scanner.written(q.shape, []byte(s))); other != st {
			q.put(s, Word, other, weight)
			q.put(s, Meta, other, weight/2)
		}
	}
	exact := weight / 3
	if l != English { // where words have many forms, the same one is chance; it still tells times
		exact = 0
	}
	q.put(s, Exact, s, exact)
	q.put(s, Meta, st, weight/2)
	q.put(s, Ident, s, weight/3)
	q.put(s, Tag, s, weight/3)
	q.put(s, Author, s, weight/3)
}

// put asks for a term, or raises the weight of one that is asked for already.
// What is said again is a little more worth keeping.
func (q *query) put(word string, field byte, term string, weight float32) {
	group, ok := q.groups[word]
	if !ok {
		group = len(q.groups)
		q.groups[word] = group
	}
	key := Key(field, term)
	if i, ok := q.seen[key]; ok {
		t := &q.terms[i]
		t.Weight = max(t.Weight, weight)
		t.rank = max(t.rank, weight*telling(word)) + 0.01
		return
	}
	q.seen[key] = len(q.terms)
	q.terms = append(q.terms, rankedTerm{QueryTerm{field, key[1:], weight, group, q.name}, weight * telling(word)})
}

// telling guesses how much a word says from its length alone, 0.5..1: long
// words are rarer. There is no corpus here to ask.
func telling(word string) float32 {
	if n := utf8.RuneCountInString(word); n != len(word) {
		return 1
	}
	return 0.5 + float32(min(len(word), 10))/20
}
