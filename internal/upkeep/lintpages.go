package upkeep

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/guard"
	"github.com/pimento-memory/pimento/internal/page"
	"github.com/pimento-memory/pimento/internal/text"
)

// openConflicts finds pages that git could not merge and nobody has. Inside the
// generated index it is none: the next write makes that part anew.
func openConflicts(f LintFacts) (out []Finding) {
	for _, p := range f.Pages {
		if p.Page.Conflicted() {
			text := "an open git conflict; the page takes nothing new"
			if p.Page.Dialect() == page.Log {
				text = "an open git conflict; the log goes on below it"
			}
			out = append(out, Finding{Page: p.Rel, Line: lineOf(p.Page.Bytes(), "<<<<<<< "), Text: text, Do: "resolve it in an editor"})
		}
	}
	return out
}

// notUTF8 finds pages of which not every word can be read, and so not be found.
func notUTF8(f LintFacts) (out []Finding) {
	for _, p := range f.Pages {
		b := p.Page.Bytes()
		if utf8.Valid(b) {
			continue
		}
		found := Finding{Page: p.Rel, Text: "it is not UTF-8: words with other letters than a to z may not be found", Do: "save it as UTF-8 in an editor"}
		if bytes.HasPrefix(b, []byte("\xff\xfe")) || bytes.HasPrefix(b, []byte("\xfe\xff")) {
			found.Text = "it is UTF-16: no word of it can be found"
		}
		for line := range bytes.Lines(b) {
			found.Line++
			if !utf8.Valid(line) {
				break
			}
		}
		out = append(out, found)
	}
	return out
}

// lineOf is the number of the first line that starts with head, from 1, 0 for
// none.
func lineOf(b []byte, head string) int {
	n := 0
	for line := range bytes.Lines(b) {
		n++
		if bytes.HasPrefix(line, []byte(head)) {
			return n
		}
	}
	return 0
}

func brokenMarkers(f LintFacts) (out []Finding) {
	for _, p := range f.Pages {
		if fault := p.Page.IndexFault(); fault != "" {
			line := max(lineOf(p.Page.Bytes(), page.IndexBegin), lineOf(p.Page.Bytes(), page.IndexEnd))
			out = append(out, Finding{Page: p.Rel, Line: line, Text: fault + "; the index is not kept",
				Do: "keep one pair of " + page.IndexBegin + " and " + page.IndexEnd + ", or none"})
		}
	}
	return out
}

func secretEntries(f LintFacts) []Finding {
	return f.guarded(guard.Secret, "it looks like a secret", "withdraw the secret where it is used, then: pimento purge ")
}

func ordersToAModel(f LintFacts) []Finding {
	return f.guarded(guard.Injection, "it reads like an order to a model, or hides characters", "if nobody you trust wrote it: pimento forget ")
}

// guarded names the entries that something of one kind speaks against; do ends before the
// entry's id.
func (f LintFacts) guarded(kind guard.Kind, what, do string) (out []Finding) {
	for _, o := range f.objections {
		if o.Kind == kind {
			out = append(out, Finding{Page: o.page, Line: o.line, Text: what + " (" + o.Rule + ")", Do: do + string(o.statement)})
		}
	}
	return out
}

// An objection is what speaks against an entry, and where.
type objection struct {
	guard.Finding
	page      string
	line      int
	statement pimento.Statement
}

// objectionsTo asks the guard about each entry, once for all rules: it takes longer than all
// that they ask besides.
func objectionsTo(pages []*LintPage) (out []objection) {
	for _, p := range pages {
		for _, e := range p.Page.Entries() {
			for _, found := range guard.Check(e.Text, guard.Options{}) {
				out = append(out, objection{found, p.Rel, e.Line + strings.Count(e.Text[:found.Span.Start], "\n"), e.Statement})
			}
		}
	}
	return out
}

// repeated finds what one page says twice. Logs may: they say what happened.
func repeated(f LintFacts) (out []Finding) {
	for _, p := range f.Pages {
		if p.Page.Dialect() == page.Log {
			continue
		}
		for _, e := range p.Page.Entries() {
			if e.N == 0 {
				continue
			}
			first, _ := p.Page.Find(e.Statement, 0)
			at := pimento.Occurrence{Scope: f.Scope, Page: p.Rel, Statement: e.Statement, N: e.N}
			out = append(out, Finding{Page: p.Rel, Line: e.Line, Text: "it says again what line " + strconv.Itoa(first.Line) + " says",
				Do: "archive one of them", Fix: &Fix{Archive: &at}})
		}
	}
	return out
}

// deadLinks finds links that lead nowhere. Those to what was archived lead
// somewhere, and the subjects of a note need not.
func deadLinks(f LintFacts) (out []Finding) {
	if f.Known == nil {
		return nil
	}
	for _, p := range f.Pages {
		for _, e := range p.Page.Entries() {
			subjects, said := "", e.Text
			if p.Page.Dialect() != page.Article {
				subjects, said = subjectsOf(said)
			}
			for _, link := range e.Links {
				if strings.Contains(subjects, "[["+link) && !strings.Contains(said, link) {
					continue
				}
				if !text.NamesFile(link) && !f.Known(link) {
					out = append(out, Finding{Page: p.Rel, Line: lineWith(e, link), Text: "the link " + link + " leads nowhere",
						Do: "correct it, or write what it should lead to"})
				}
			}
		}
	}
	return out
}

// subjectsOf cuts a note behind the tags and names in brackets that it begins
// with, as in "#decision [[database-choice]] Chose PostgreSQL". There a name says
// what the note is about, as a tag does, and promises no page.
func subjectsOf(note string) (subjects, said string) {
	said = note
	for {
		said = strings.TrimLeft(said, " \t")
		if _, after, ok := strings.Cut(said, "]]"); ok && strings.HasPrefix(said, "[[") {
			said = after
			continue
		}
		tag, after, _ := strings.Cut(said, " ")
		if len(tag) < 2 || tag[0] != '#' || tag[1] == '#' {
			return strings.TrimSuffix(note, said), said
		}
		said = after
	}
}

// lineWith is the line of an entry on which a text first stands.
func lineWith(e pimento.Entry, text string) int {
	before, _, ok := strings.Cut(e.Text, text)
	if !ok {
		return e.Line
	}
	return e.Line + strings.Count(before, "\n")
}

// emptyPages finds pages that say nothing: an article that is but a title. The
// pages that have a role by name may be empty.
func emptyPages(f LintFacts) (out []Finding) {
	for _, p := range f.Pages {
		if len(p.Page.Entries()) > 0 || p.Page.Dialect() != page.Article || p.Rel == wikiIndex {
			continue
		}
		at := pimento.Occurrence{Scope: f.Scope, Page: p.Rel}
		out = append(out, Finding{Page: p.Rel, Text: "the page says nothing", Do: "write to it, or archive it", Fix: &Fix{Archive: &at}})
	}
	return out
}
