package recall

import (
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/index"
	"github.com/pimento-memory/pimento/internal/text"
)

// Docs appends the index's form of one entry of a page, one doc for each passage.
// What it makes of entries and what is asked for must agree. Besides its words, the
// first passage gets one term of its statement, by which ids are looked up. day
// dates an entry without a date of its own.
func Docs(docs []index.Doc, an *text.Analyzer, rel string, day time.Time, en pimento.Entry) []index.Doc {
	d := index.Doc{Statement: en.Statement, N: en.N, Span: en.Span, Line: en.Line, Kind: en.Kind}
	if en.Pinned {
		d.Flags |= index.Pinned
	}
	if en.Task {
		d.Flags |= index.Task
	}
	if en.Done {
		d.Flags |= index.Done
	}
	if asks(en.Text) {
		d.Flags |= index.Asks
	}
	asked, told := questions(en.Text)
	if en.Author != "" {
		d.Flags |= index.Said
		if asked > 0 && !isRole(en.Author) {
			d.Flags |= index.Inquires
		}
	}
	if asked > told {
		d.Flags |= index.Wonders
	}
	switch {
	case !en.Stamp.IsZero():
		d.Date = wallClock(en.Stamp).Unix()
	case !day.IsZero():
		d.Date = wallClock(day).Unix()
	}
	from := len(docs)
	for _, p := range an.Passages(en, rel) {
		d.Len, d.Beside, d.Terms = p.Words, p.Beside, make([]index.Term, len(p.Terms), len(p.Terms)+1)
		for i, t := range p.Terms {
			d.Terms[i] = index.Term{Text: t.Text, TF: t.TF}
		}
		docs = append(docs, d)
		d.Flags |= index.More
	}
	id := index.Term{Text: IDKey(string(en.Statement)), TF: 1}
	first := &docs[from].Terms
	at := sort.Search(len(*first), func(i int) bool { return (*first)[i].Text >= id.Text })
	*first = slices.Insert(*first, at, id)
	return docs
}

// wallClock is what a clock on the wall shows at t, as a time in UTC. Days are what
// people wrote down, and pages are named by them: a stamp, a daily page and
// "yesterday" must mean the same day wherever they are read.
func wallClock(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), 0, time.UTC)
}

// instant is when a clock on a wall at a place shows what wallClock made; zero stays zero.
func instant(t time.Time, at *time.Location) time.Time {
	if t.IsZero() {
		return t
	}
	return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), 0, at)
}

// questions are the columns of a text's questions, and of all else in it; neither is
// counted of a text that has no question.
func questions(s string) (asked, told int) {
	if !strings.ContainsAny(s, "?？") {
		return 0, 0 // most entries, and sentences are not free
	}
	for _, sentence := range text.Sentences(s) {
		if n := text.Width(sentence); asks(sentence) {
			asked += n
		} else {
			told += n
		}
	}
	return asked, told
}

// asks says whether a text ends with a question.
func asks(s string) bool {
	s = strings.TrimRight(s, " \t\r\n\"')*_")
	return strings.HasSuffix(s, "?") || strings.HasSuffix(s, "？")
}
