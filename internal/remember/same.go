package remember

import (
	"slices"
	"strings"
	"unicode"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/page"
	"github.com/pimento-memory/pimento/internal/text"
)

// fold is the form of a text in which two notes are the same: lower case, runs
// of white space as one space, and without punctuation at the end. It compares
// whole texts only; a text that contains another is not the same.
func fold(s string) string {
	return strings.TrimRightFunc(oneLine(s), func(r rune) bool { return strings.ContainsRune(".!?,;:…。！？，；：、 ", r) })
}

// findSame looks for an entry that says what the note says: on the target page
// first, then among the near entries. The exact statement wins over a folded
// one.
func findSame(in Input) (pimento.Entry, bool) {
	pool := in.Target.entries()
	if in.Target.Page.Dialect() == page.Log {
		if len(pool) == 0 || pool[len(pool)-1].Statement != pimento.StatementOf(in.Note.Text) {
			return pimento.Entry{}, false
		}
		return pool[len(pool)-1], true
	}
	for _, e := range in.Near {
		if e.Scope == in.Target.Scope && e.Page != in.Target.Rel && page.DialectOf(e.Page) != page.Log {
			pool = append(pool, e)
		}
	}
	pool = slices.DeleteFunc(pool, func(e pimento.Entry) bool { return !counts(in, e) || in.Target.hides(e) || !in.Note.relatesAs(e) })
	st, folded := pimento.StatementOf(in.Note.Text), fold(in.Note.Text)
	if i := slices.IndexFunc(pool, func(e pimento.Entry) bool { return e.Statement == st }); i >= 0 {
		return pool[i], true
	}
	if i := slices.IndexFunc(pool, func(e pimento.Entry) bool { return folded != "" && fold(e.Text) == folded }); i >= 0 {
		return pool[i], true
	}
	return everyPart(in, pool)
}

// everyPart is the first of the entries that a text of several entries would
// become, when all of them stand there already.
func everyPart(in Input, pool []pimento.Entry) (first pimento.Entry, ok bool) {
	if !in.Note.Stamped || in.Target.Page.Dialect() != page.List {
		return first, false
	}
	for i, part := range page.Parse(in.Target.Rel, []byte(in.Note.Text)).Entries() {
		at := slices.IndexFunc(pool, func(e pimento.Entry) bool { return e.Statement == part.Statement })
		if at < 0 {
			return pimento.Entry{}, false
		}
		if i == 0 {
			first, ok = pool[at], true
		}
	}
	return first, ok
}

// counts reports whether an entry may count as the note said before. Tasks are
// the same only as open tasks (a finished one may have to be done again), and
// what lies in the archive is no longer said.
func counts(in Input, e pimento.Entry) bool {
	task := in.Note.Task || in.Target.Page.Dialect() == page.Checklist
	return e.Task == task && !e.Done && !page.Archived(e.Page) && e.Kind != pimento.KindHandoff
}

// alike is the share of common words from which two texts resemble each other
// enough to be shown side by side. It decides nothing: both stay.
const alike = 0.6

// resembling lists what the note resembles, without being the same.
func resembling(in Input) (ids []string, reason string) {
	mine := vocabulary(in.Note.Text)
	for _, e := range in.Near {
		if e.Scope == in.Target.Scope && e.Statement != pimento.StatementOf(in.Note.Text) && jaccard(mine, vocabulary(e.Text)) >= alike {
			ids = append(ids, e.String())
		}
	}
	if len(ids) > 0 {
		reason = "it resembles what is there already; forget or edit that if it says the same or no longer holds"
	}
	return ids, reason
}

// vocabulary is the set of a text's exact words, numbers included, so that two
// release notes that differ by a version are different.
func vocabulary(s string) map[string]bool {
	set := map[string]bool{}
	text.Analyze(s, func(field byte, term string) {
		if field == text.Exact || field == text.CJK {
			set[term] = true
		}
	})
	return set
}

// jaccard is the size of the intersection over the size of the union.
func jaccard(a, b map[string]bool) float64 {
	if len(a) == 0 || len(b) == 0 {
		return 0
	}
	both := 0
	for w := range a {
		if b[w] {
			both++
		}
	}
	return float64(both) / float64(len(a)+len(b)-both)
}

// clip cuts s to at most n bytes at a rune boundary.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.TrimRightFunc(text.ClipBytes(s, n), unicode.IsSpace)
}
