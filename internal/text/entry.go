package text

import (
	"slices"
	"strconv"
	"strings"

	"github.com/pimento-memory/pimento"
)

// A TermCount is a term of an entry, field letter included, and how often it
// occurs there.
type TermCount struct {
	Text string
	TF   uint16
}

// EntryTerms is everything an entry can be found by: the terms of its text, and
// its heading, path, kind, date, tags and links as Meta, Tag and Flag terms.
// The terms are sorted and each is there once; the slice is overwritten by the
// next call. words is the number of words of the text, for length
// normalisation: without stop words and metadata, each character of an unspaced
// script as one.
func (a *Analyzer) EntryTerms(e pimento.Entry, path string) (terms []TermCount, words int) {
	a.entry, a.count = a.entry[:0], 0
	a.add = func(key string) { a.entry = append(a.entry, key) }
	a.scanner.scan(e.Text)
	words = a.count
	a.metadata(e, path)
	a.flags(e)
	slices.Sort(a.entry)
	a.terms = a.terms[:0]
	for _, k := range a.entry {
		if n := len(a.terms); n > 0 && a.terms[n-1].Text == k {
			if t := &a.terms[n-1]; t.TF < 1<<16-1 && k[0] != Tag && k[0] != Meta {
				t.TF++
			}
			continue
		}
		a.terms = append(a.terms, TermCount{k, 1})
	}
	return a.terms, words
}

// EntryTerms is [Analyzer.EntryTerms] for a single entry.
func EntryTerms(e pimento.Entry, path string) (terms []TermCount, words int) {
	return NewAnalyzer().EntryTerms(e, path)
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
	a.heading = false
	for _, t := range e.Tags {
		a.scanner.name(t)
	}
	for _, l := range e.Links {
		a.scanner.name(l)
	}
	if !e.Stamp.IsZero() {
		year, month, day := e.Stamp.Date()
		a.buf = strconv.AppendInt(a.buf[:0], int64(year), 10)
		a.date(string(a.buf))
		a.date(stem(strings.ToLower(month.String())))
		a.date(strconv.Itoa(day))
		a.date(e.Stamp.Format("2006-01-02"))
	}
}

func (a *Analyzer) date(s string) { a.add(a.key(Meta, []byte(s))) }

func (a *Analyzer) flags(e pimento.Entry) {
	if e.Kind != "" {
		a.add(a.key(Flag, []byte("k:"+string(e.Kind))))
	}
	if e.Pinned {
		a.add(FlagPinned)
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
