package recall_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/embed"
	"github.com/pimento-memory/pimento/internal/recall"
)

// A chain of replacements is one fact at four times. Only the first answers in the
// words of the question; the last is what holds.
const chain = `
-- project/knowledge/limit-1.md --
The upload limit per file and per customer is 5 megabytes for everybody.
-- project/knowledge/limit-2.md --
---
supersedes: limit-1
---
Upload limit 20 megabytes.
-- project/knowledge/limit-3.md --
---
supersedes: limit-2
---
Fifty since the new store.
-- project/knowledge/limit-4.md --
---
supersedes: "[[limit-3]]"
---
None at all, storage is cheap.
-- project/knowledge/other.md --
The customer portal shows the size of each file. See [[limit-3]].
`

// TestAChainEndsAtItsEnd: what was replaced twice gives way to what holds now, in
// whatever order words find the links of the chain.
func TestAChainEndsAtItsEnd(t *testing.T) {
	roots := archive(t, chain)
	for _, q := range []string{"upload limit per file and customer", "new store fifty", "upload limit 20", "storage is cheap now, so what is the upload limit per file"} {
		a := ask(t, roots, pimento.Query{Text: q}, recall.Options{})
		var pages []string
		for _, h := range a.Hits {
			if strings.Contains(h.Entry.Page, "limit") {
				pages = append(pages, strings.TrimPrefix(h.Entry.Page, "knowledge/"))
			}
		}
		if len(pages) == 0 || pages[0] != "limit-4.md" || !falling(pages) {
			t.Errorf("%q: %v", q, pages)
		}
		if a := ask(t, roots, pimento.Query{Text: q, Limit: 1}, recall.Options{}); len(a.Hits) != 1 || a.Hits[0].Entry.Page != "knowledge/limit-4.md" {
			t.Errorf("%q: the first is %v", q, texts(a))
		}
	}
	a := ask(t, roots, pimento.Query{Text: "upload limit per file and customer"}, recall.Options{})
	for i, h := range a.Hits {
		if old := strings.Contains(h.Entry.Page, "limit") && i > 0; h.Replaced != old {
			t.Errorf("%s is replaced: %t", h.Entry.Page, h.Replaced)
		}
	}
	if why := a.Hits[0].Why; len(why) == 0 || why[0].Factor != "replaces" {
		t.Errorf("why it is there: %v", why)
	}
	known := func(st pimento.Statement) bool { return st == a.Hits[0].Entry.Statement }
	if a := ask(t, roots, pimento.Query{Text: "upload limit per file and customer"}, recall.Options{Known: known}); strings.Contains(strings.Join(texts(a), " "), "cheap") {
		t.Errorf("what is known is said again: %v", texts(a))
	}
}

func falling(names []string) bool {
	for i := range names[1:] {
		if names[i] < names[i+1] {
			return false
		}
	}
	return true
}

// TestACircleOfReplacements is an answer all the same.
func TestACircleOfReplacements(t *testing.T) {
	roots := archive(t, `
-- project/knowledge/a.md --
---
supersedes: c
---
The canary deploy takes ten minutes.
-- project/knowledge/b.md --
---
supersedes: a
---
The canary deploy takes nine minutes.
-- project/knowledge/c.md --
---
supersedes: [b, c]
---
The canary takes eight.
`)
	if a := ask(t, roots, pimento.Query{Text: "canary deploy minutes"}, recall.Options{}); len(a.Hits) != 3 || a.Hits[0].Replaced {
		t.Errorf("%v", texts(a))
	}
}

// TestManyReplacementsAreFoundByName: four times as many entries that replace each
// other cost about four times as much, not sixteen times.
func TestManyReplacementsAreFoundByName(t *testing.T) {
	cost := func(n int) float64 {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "-- project/knowledge/limit-%d.md --\n---\nsupersedes: limit-%d\n---\nThe upload limit is %d megabytes.\n", i, i/2*2-1, i)
		}
		roots := archive(t, b.String())
		return testing.AllocsPerRun(1, func() {
			if a := ask(t, roots, pimento.Query{Text: "upload limit", Limit: n}, recall.Options{}); len(a.Hits) != n {
				t.Errorf("%d hits of %d", len(a.Hits), n)
			}
		})
	}
	if few, many := cost(50), cost(200); many > 8*few {
		t.Errorf("50 cost %.0f, 200 %.0f", few, many)
	}
}

// TestAnOlderStateOfWhatIsKnown: what the asker has a later state of is left out, and
// named as that; what only resembles it stays.
func TestAnOlderStateOfWhatIsKnown(t *testing.T) {
	day := func(d int) time.Time { return time.Date(2026, 3, d, 10, 0, 0, 0, time.UTC) }
	const (
		old    = "The upload limit per file is 5 megabytes."
		newer  = "The upload limit per file is now 20 megabytes."
		beside = "The upload directory is cleaned every night."
	)
	said := dated(t, map[string]time.Time{old: day(1), newer: day(2), beside: day(1)})
	for _, c := range []struct {
		roots      []recall.Source
		has, wants []string
		leaves     []string
	}{
		{said, []string{newer}, []string{beside}, []string{old}},
		{said, []string{old}, []string{newer, beside}, nil},
		{said, nil, []string{newer, old, beside}, nil},
		{archive(t, chain), []string{"None at all, storage is cheap."}, []string{"The customer portal shows the size of each file. See [[limit-3]]."},
			[]string{"Fifty since the new store.", "Upload limit 20 megabytes.", "The upload limit per file and per customer is 5 megabytes for everybody."}},
	} {
		var known func(pimento.Statement) bool
		if c.has != nil {
			known = func(st pimento.Statement) bool {
				return slices.ContainsFunc(c.has, func(s string) bool { return pimento.StatementOf(s) == st })
			}
		}
		a := ask(t, c.roots, pimento.Query{Text: "upload limit per file and customer"}, recall.Options{Known: known, Lexicon: embed.NewStatic()})
		var hits []string
		for _, h := range a.Hits {
			hits = append(hits, h.Entry.Text)
		}
		if !slices.Equal(hits, c.wants) {
			t.Errorf("with %v: %q", c.has, hits)
		}
		var left []pimento.Statement
		for _, s := range c.leaves {
			left = append(left, pimento.StatementOf(s))
		}
		var got []pimento.Statement
		for _, o := range a.Outdated {
			got = append(got, o.Statement)
		}
		if !slices.Equal(got, left) {
			t.Errorf("with %v: left out %v", c.has, a.Outdated)
		}
	}
}
