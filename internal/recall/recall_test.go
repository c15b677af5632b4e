package recall_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/index"
	"github.com/pimento-memory/pimento/internal/recall"
)

func ask(t testing.TB, roots []recall.Source, q pimento.Query, opts recall.Options) pimento.Answer {
	t.Helper()
	return recall.Answer(t.Context(), q, roots, opts)
}

func texts(a pimento.Answer) []string {
	var out []string
	for _, h := range a.Hits {
		out = append(out, string(h.Entry.Scope)+":"+h.Entry.Page+" "+h.Entry.Text)
	}
	return out
}

func want(t *testing.T, a pimento.Answer, st pimento.Status, hits ...string) {
	t.Helper()
	if a.Status != st {
		t.Errorf("status %s, want %s; faults %v", a.Status, st, a.Faults)
	}
	if d := cmp.Diff(hits, texts(a)); d != "" {
		t.Error(d)
	}
}

const small = `
-- global/MEMORY.md --
- Prefers tabs over spaces
- Deploys go through the release train
-- project/MEMORY.md --
- Deploys need a signed tag
- Prefers tabs over spaces
-- project/archive/old.md --
Deploys once needed a phone call
-- project/SCRATCHPAD.md --
- [ ] Write the deploys page
- [x] Fix the deploys script
`

// broken is an index that fails, in the call that it names.
type broken struct {
	index.Reader
	in string
}

var errBroken = errors.New("bad checksum in block 7")

func (b broken) Stats(ctx context.Context, terms []string) (index.Stats, error) {
	if b.in == "stats" {
		return index.Stats{}, errBroken
	}
	return b.Reader.Stats(ctx, terms)
}

func (b broken) Search(ctx context.Context, q index.Query) ([]index.Match, error) {
	if b.in == "search" {
		return nil, errBroken
	}
	return b.Reader.Search(ctx, q)
}

func TestStatuses(t *testing.T) {
	roots := archive(t, small)
	project := []pimento.Scope{pimento.Project}
	closed := []recall.Source{{Scope: pimento.Project}}
	bad := func(in string, which ...int) []recall.Source {
		out := slices.Clone(roots)
		for _, i := range which {
			out[i].Reader = broken{out[i].Reader, in}
		}
		return out
	}
	for _, tt := range []struct {
		name  string
		roots []recall.Source
		q     pimento.Query
		opts  recall.Options
		want  pimento.Status
		fault string
		hits  bool
	}{
		{"a hit", roots, pimento.Query{Text: "signed tag"}, recall.Options{}, pimento.OK, "", true},
		{"nothing fits", roots, pimento.Query{Text: "mongolia"}, recall.Options{}, pimento.NoMatch, "", false},
		{"only stop words", roots, pimento.Query{Text: "what is it?"}, recall.Options{}, pimento.NoMatch, "", false},
		{"only signs", roots, pimento.Query{Text: "?!… 👍"}, recall.Options{}, pimento.NoMatch, "", false},
		{"no memory at all", nil, pimento.Query{Text: "tabs"}, recall.Options{}, pimento.NoMatch, "", false},
		{"empty", roots, pimento.Query{}, recall.Options{}, pimento.Malformed, "", false},
		{"control characters", roots, pimento.Query{Text: "\x00\x1b\t\x7f \n"}, recall.Options{}, pimento.Malformed, "", false},
		{"without consent", roots, pimento.Query{Text: "tabs", Scopes: project},
			recall.Options{DeniedScopes: project}, pimento.Denied, "consent", false},
		{"partly without consent", roots, pimento.Query{Text: "tabs", Scopes: []pimento.Scope{pimento.Global, pimento.Project}},
			recall.Options{DeniedScopes: project}, pimento.OK, "consent", true},
		{"denied and not asked for is not named", roots, pimento.Query{Text: "signed"},
			recall.Options{DeniedScopes: project}, pimento.NoMatch, "", false},
		{"nothing could be opened", closed, pimento.Query{Text: "tabs"}, recall.Options{}, pimento.Unavailable, "index", false},
		{"one could not be opened", append(closed, roots[0]), pimento.Query{Text: "tabs"}, recall.Options{}, pimento.OK, "index", true},
		{"all broken in stats", bad("stats", 0, 1), pimento.Query{Text: "tabs"}, recall.Options{}, pimento.BackendError, "index", false},
		{"all broken in search", bad("search", 0, 1), pimento.Query{Text: "tabs"}, recall.Options{}, pimento.BackendError, "index", false},
		{"one broken, the other answers", bad("search", 1), pimento.Query{Text: "tabs"}, recall.Options{}, pimento.OK, "index", true},
		{"one broken, the other has nothing", bad("search", 0), pimento.Query{Text: "mongolia train"}, recall.Options{}, pimento.BackendError, "index", false},
	} {
		a := ask(t, tt.roots, tt.q, tt.opts)
		if a.Status != tt.want || len(a.Hits) > 0 != tt.hits {
			t.Errorf("%s: %s with %d hits, want %s; %v", tt.name, a.Status, len(a.Hits), tt.want, a.Faults)
		}
		if tt.fault == "" && len(a.Faults) > 0 || tt.fault != "" && (len(a.Faults) == 0 || a.Faults[0].Kind != tt.fault) {
			t.Errorf("%s: faults %v, want %q", tt.name, a.Faults, tt.fault)
		}
	}
}

func TestFilters(t *testing.T) {
	roots := archive(t, small)
	q := pimento.Query{Text: "deploys"}
	open := "project:SCRATCHPAD.md Write the deploys page"
	done := "project:SCRATCHPAD.md Fix the deploys script"
	old := "project:archive/old.md Deploys once needed a phone call"
	has := func(a pimento.Answer, s string) bool { return slices.Contains(texts(a), s) }

	a := ask(t, roots, q, recall.Options{})
	if !has(a, open) || has(a, done) || has(a, old) || len(a.Hits) != 3 {
		t.Errorf("by default: %v", texts(a))
	}
	q.Kinds = []pimento.Kind{pimento.KindTask}
	if a := ask(t, roots, q, recall.Options{}); !has(a, open) || !has(a, done) || len(a.Hits) != 2 {
		t.Errorf("tasks: %v", texts(a))
	}
	q.Kinds, q.All = nil, true
	if a := ask(t, roots, q, recall.Options{}); !has(a, done) || !has(a, old) || len(a.Hits) != 5 {
		t.Errorf("all: %v", texts(a))
	}
	q.All = false
	skip := recall.Options{Skip: func(_ pimento.Scope, ms []index.Match) []index.Match {
		return slices.DeleteFunc(ms, func(m index.Match) bool { return m.Page == "SCRATCHPAD.md" })
	}}
	if a := ask(t, roots, q, skip); has(a, open) || len(a.Hits) != 2 {
		t.Errorf("skipping the scratchpad: %v", texts(a))
	}
	q.Scopes = []pimento.Scope{pimento.Global}
	want(t, ask(t, roots, q, recall.Options{}), pimento.OK, "global:MEMORY.md Deploys go through the release train")
	q.Scopes = nil
	q.Limit = 1
	if a := ask(t, roots, q, recall.Options{Limit: 3}); len(a.Hits) != 1 {
		t.Errorf("limit 1: %v", texts(a))
	}
	q.Limit = 0
	if a := ask(t, roots, q, recall.Options{Limit: 2}); len(a.Hits) != 2 {
		t.Errorf("limit 2 by option: %v", texts(a))
	}
}

// TestOneHitPerStatement: what two roots say is one hit, in the narrower scope.
func TestOneHitPerStatement(t *testing.T) {
	want(t, ask(t, archive(t, small), pimento.Query{Text: "tabs or spaces"}, recall.Options{}),
		pimento.OK, "project:MEMORY.md Prefers tabs over spaces")
}

// TestFilteredCrowd: a hit that stands behind more filtered entries than are
// fetched at first is still found.
func TestFilteredCrowd(t *testing.T) {
	var b strings.Builder
	b.WriteString("-- project/SCRATCHPAD.md --\n")
	for i := range 300 {
		fmt.Fprintf(&b, "- [x] crane crane crane %d\n", i)
	}
	b.WriteString("- [ ] the long and winding task about the one crane that nobody wants to repair at all\n")
	a := ask(t, archive(t, b.String()), pimento.Query{Text: "crane"}, recall.Options{})
	if len(a.Hits) != 1 || !strings.Contains(a.Hits[0].Entry.Text, "winding") {
		t.Errorf("got %v", texts(a))
	}
}

// TestTies: equal scores are ordered by scope, page, and position, whatever the
// order of the roots.
func TestTies(t *testing.T) {
	roots := archive(t, `
-- global/topics/a.md --
- crane one
-- project/topics/a.md --
- crane two
- crane six
-- project/topics/b.md --
- crane ten
`)
	alone := recall.DefaultParams() // neighbours break ties
	alone.Prev, alone.Next = 0, 0
	var first pimento.Answer
	for range 3 {
		a := ask(t, roots, pimento.Query{Text: "crane"}, recall.Options{Params: alone})
		if first.Hits == nil {
			first = a
		}
		if d := cmp.Diff(first, a); d != "" {
			t.Fatal("not reproducible:\n" + d)
		}
		slices.Reverse(roots)
	}
	want(t, first, pimento.OK, "project:topics/a.md crane two", "project:topics/a.md crane six",
		"project:topics/b.md crane ten", "global:topics/a.md crane one")
}

func TestWhy(t *testing.T) {
	roots := archive(t, `
-- project/MEMORY.md --
# Storage
- The port_calls table is partitioned by month #storage
- 数据库连接池的上限是二十
- The month begins on a Monday
- A table of tides
`)
	prior := recall.Options{Prior: func(es []pimento.Entry) []float64 { return slices.Repeat([]float64{7}, len(es)) }} // clamped to 1
	for question, factors := range map[string][]string{
		"is the port_calls table partitioned by month": {"words", "exact", "identifier", "coverage", "bigram", "prior"},
		"#storage": {"tag", "coverage", "prior"},
		"storage":  {"meta", "tag", "coverage", "prior"},
		"连接池":      {"cjk", "coverage", "prior"},
	} {
		a := ask(t, roots, pimento.Query{Text: question}, prior)
		if len(a.Hits) == 0 {
			t.Fatalf("%s: no hit", question)
		}
		h := a.Hits[0]
		sum, got := 0.0, map[string]float64{}
		for i, f := range h.Why {
			sum += f.Share
			got[f.Factor] = f.Share
			if i > 0 && f.Share > h.Why[i-1].Share {
				t.Errorf("%s: factors not sorted: %v", question, h.Why)
			}
		}
		if math.Abs(sum-1) > 1e-9 {
			t.Errorf("%s: shares sum to %v", question, sum)
		}
		for _, f := range factors {
			if got[f] <= 0 {
				t.Errorf("%s: no %s in %v", question, f, h.Why)
			}
		}
		if got["prior"] > 0.1 {
			t.Errorf("%s: the prior has %v of the score", question, got["prior"])
		}
	}
}

// TestPrior breaks ties and does not lift over a better answer.
func TestPrior(t *testing.T) {
	roots := archive(t, `
-- project/MEMORY.md --
- Cranes are serviced in spring by the north team
- Cranes are serviced in autumn by the south team *(pinned)*
- Cranes are yellow *(pinned)*
`)
	opts := recall.Options{Prior: func(es []pimento.Entry) []float64 {
		out := make([]float64, len(es))
		for i, e := range es {
			if e.Pinned {
				out[i] = 1
			}
		}
		return out
	}}
	a := ask(t, roots, pimento.Query{Text: "when are cranes serviced"}, opts)
	if len(a.Hits) != 3 || !strings.Contains(a.Hits[0].Entry.Text, "autumn") || strings.Contains(a.Hits[1].Entry.Text, "yellow") {
		t.Errorf("got %v", texts(a))
	}
}

// TestBigram: the words side by side beat the words apart.
func TestBigram(t *testing.T) {
	roots := archive(t, `
-- project/MEMORY.md --
- The tide rules every table near the old harbour and its pier
- The harbour tide comes before the table is laid for old friends
- A tide table hangs near the old harbour and has its own light
`)
	a := ask(t, roots, pimento.Query{Text: "where is the tide table"}, recall.Options{})
	if len(a.Hits) != 3 || !strings.HasPrefix(a.Hits[0].Entry.Text, "A tide table") {
		t.Errorf("got %v", texts(a))
	}
}

// TestCoverageFloor: an entry that holds only a common word of the prompt is no
// answer, and nothing is a right answer.
func TestCoverageFloor(t *testing.T) {
	roots := archive(t, `
-- project/MEMORY.md --
- The server runs Debian
- The server has 8 cores
- The server is called anvil
- Sourdough needs 30 hours
`)
	q := pimento.Query{Text: "rotate the certificates of the kubernetes ingress server"}
	if a := ask(t, roots, q, recall.Options{}); len(a.Hits) != 3 {
		t.Errorf("a person's question: %v", texts(a))
	}
	a := ask(t, roots, q, recall.Options{MinCoverage: 0.3})
	want(t, a, pimento.NoMatch)
	a = ask(t, roots, pimento.Query{Text: "how many cores does the server have"}, recall.Options{MinCoverage: 0.3})
	want(t, a, pimento.OK, "project:MEMORY.md The server has 8 cores")
}

// TestVanished: an entry that was edited away since it was indexed is dropped
// with a fault, and the next takes its place.
func TestVanished(t *testing.T) {
	roots := archive(t, small)
	text := roots[1].Text
	roots[1].Text = func(ctx context.Context, rel string, d index.Doc) (pimento.Entry, error) {
		if d.Statement == pimento.StatementOf("Deploys need a signed tag") {
			return pimento.Entry{}, errors.New("the page changed")
		}
		return text(ctx, rel, d)
	}
	a := ask(t, roots, pimento.Query{Text: "deploys signed tag", Limit: 1}, recall.Options{})
	if a.Status != pimento.OK || len(a.Hits) != 1 || len(a.Faults) != 1 || a.Faults[0].Kind != "vault" {
		t.Errorf("got %v, faults %v", texts(a), a.Faults)
	}
}

func TestDeadline(t *testing.T) {
	roots := archive(t, small)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	a := recall.Answer(ctx, pimento.Query{Text: "deploys"}, roots, recall.Options{})
	if a.Status != pimento.NoMatch || len(a.Hits) > 0 || len(a.Faults) != 1 || a.Faults[0].Kind != "deadline" {
		t.Errorf("already over: %s, faults %v", a.Status, a.Faults)
	}

	ctx, cancel = context.WithCancel(t.Context())
	defer cancel()
	text := roots[1].Text
	roots[1].Text = func(c context.Context, rel string, d index.Doc) (pimento.Entry, error) {
		defer cancel() // the time ends after the first entry
		return text(c, rel, d)
	}
	a = recall.Answer(ctx, pimento.Query{Text: "deploys signed tag"}, roots, recall.Options{})
	if a.Status != pimento.OK || len(a.Hits) != 1 || len(a.Faults) != 1 || a.Faults[0].Kind != "deadline" {
		t.Errorf("half way: %s %v, faults %v", a.Status, texts(a), a.Faults)
	}
}

// TestHugeQuestion: both ends of a pasted log are read, and it costs no more
// than a short question.
func TestHugeQuestion(t *testing.T) {
	roots := archive(t, small)
	log := strings.Repeat("2026-03-14 INFO zzz yyy xxx 0xdeadbeef \n", 25000)
	start := time.Now()
	for _, q := range []string{"signed tag\n" + log, log + "\nsigned tag", strings.Repeat("漢", 300000) + " signed tag"} {
		a := ask(t, roots, pimento.Query{Text: q}, recall.Options{})
		if len(a.Hits) == 0 || !strings.Contains(a.Hits[0].Entry.Text, "signed tag") {
			t.Errorf("%.20q...: %v", q, texts(a))
		}
	}
	t.Logf("three questions of 1 MB: %v", time.Since(start))
}

// TestWithoutText: a source without a getter still says where.
func TestWithoutText(t *testing.T) {
	roots := archive(t, small)
	roots[1].Text = nil
	a := ask(t, roots[1:], pimento.Query{Text: "signed tag", Limit: 1}, recall.Options{})
	if len(a.Hits) != 1 {
		t.Fatal(a)
	}
	e := a.Hits[0].Entry
	if e.Statement != pimento.StatementOf("Deploys need a signed tag") || e.Page != "MEMORY.md" || e.Line != 1 || e.Scope != pimento.Project {
		t.Errorf("%+v", e)
	}
}

// FuzzAnswer: no question crashes, every hit is explained, and the order is the
// order of the scores.
// What takes away from a score has its share as well, a negative one: what words
// gave is that much more than the score.
func TestWhyNot(t *testing.T) {
	roots := archive(t, `
-- project/MEMORY.md --
- Why is the port_calls table partitioned by month?
- The month begins on a Monday
`)
	ask := func(o recall.Options) (float64, map[string]float64) {
		a := recall.Answer(t.Context(), pimento.Query{Text: "port_calls table"}, roots, o)
		if len(a.Hits) == 0 {
			t.Fatal("no hit")
		}
		sum, got := 0.0, map[string]float64{}
		for _, f := range a.Hits[0].Why {
			sum += f.Share
			got[f.Factor] = f.Share
		}
		if math.Abs(sum-1) > 1e-9 {
			t.Errorf("shares sum to %v: %v", sum, a.Hits[0].Why)
		}
		return a.Hits[0].Score, got
	}
	params := recall.DefaultParams()
	params.Bigram = 0 // which comes after what takes away
	_, got := ask(recall.Options{Params: params})
	if want := -params.Wonders / (1 - params.Wonders); math.Abs(got["wonders"]-want) > 1e-9 {
		t.Errorf("what asks has a share of %v, not %v: %v", got["wonders"], want, got)
	}
	_, got = ask(recall.Options{Params: params, Weights: map[pimento.Kind]float64{pimento.KindFact: 0.25}})
	if math.Abs(got["kind"]+3) > 1e-9 {
		t.Errorf("a kind that weighs a quarter has a share of %v: %v", got["kind"], got)
	}
	if score, got := ask(recall.Options{Params: params, Weights: map[pimento.Kind]float64{pimento.KindFact: 0.001}, Loose: true}); score <= 0 || got["words"] <= 0 {
		t.Errorf("%v, %v", score, got)
	}
}

func FuzzAnswer(f *testing.F) {
	for _, q := range []string{"deploys", "#tag [[x]]", "\xff\xfe", "数据库 pool", strings.Repeat("a b ", 900), "read_model.go:17"} {
		f.Add(q)
	}
	roots := archive(f, small)
	f.Fuzz(func(t *testing.T, q string) {
		a := recall.Answer(t.Context(), pimento.Query{Text: q}, roots, recall.Options{})
		for i, h := range a.Hits {
			sum := 0.0
			for _, w := range h.Why {
				sum += w.Share
			}
			if math.Abs(sum-1) > 1e-6 || math.IsNaN(h.Score) || i > 0 && h.Score > a.Hits[i-1].Score {
				t.Fatalf("%q: hit %d: %v %v", q, i, h.Score, h.Why)
			}
		}
		if (a.Status == pimento.OK) != (len(a.Hits) > 0) {
			t.Fatalf("%q: %s with %d hits", q, a.Status, len(a.Hits))
		}
	})
}

// TestANumberIsMeant: who names a port or a status code means no other one, though more is
// said of another; a number that stands nowhere takes nothing from anybody.
func TestANumberIsMeant(t *testing.T) {
	roots := made(t, map[string][]pimento.Entry{"notes.md": {
		{Text: "The port of the profiler is 6060, on each pod, and the port may be forwarded"},
		{Text: "fakepsp listens on 9099"}, {Text: "The sea is blue"}, {Text: "Gophers dig"},
	}})
	for question, first := range map[string]string{
		"what's on the port 9099, is it the port of a pod?": "fakepsp listens on 9099",
		"what's on the port 7777, is it the port of a pod?": "The port of the profiler is 6060, on each pod, and the port may be forwarded",
	} {
		a := ask(t, roots, pimento.Query{Text: question}, recall.Options{})
		if len(a.Hits) == 0 || a.Hits[0].Entry.Text != first {
			t.Errorf("%q finds %q", question, texts(a))
		}
		for _, h := range a.Hits {
			lost := slices.ContainsFunc(h.Why, func(f pimento.Factor) bool { return f.Factor == "number" && f.Share < 0 })
			if lost != (strings.Contains(question, "9099") && h.Entry.Text != first) {
				t.Errorf("%q: %+v", question, h)
			}
		}
	}
}

func BenchmarkAnswer(b *testing.B) {
	var s strings.Builder
	s.WriteString("-- project/MEMORY.md --\n")
	for i := range 1000 {
		fmt.Fprintf(&s, "- crane %d lifts cargo for berth %d on pier %c with a load of %d tons\n", i, i%37, 'a'+i%26, i*7%100)
	}
	roots := archive(b, s.String())
	for b.Loop() {
		a := recall.Answer(b.Context(), pimento.Query{Text: "which crane lifts cargo for berth 12 on pier k"}, roots, recall.Options{})
		if len(a.Hits) == 0 {
			b.Fatal("no hits")
		}
	}
}

// TestWeights: what a profile thinks of kinds and of ages moves the hits,
// however they were found, and the newest gains, not the oldest.
func TestWeights(t *testing.T) {
	roots := archive(t, `
-- project/knowledge/a.md --
---
date: 2026-03-01
type: reference
---
The canary deploy takes ten minutes.
-- project/knowledge/b.md --
---
date: 2026-03-01
type: user
---
The canary deploy takes nine minutes.
-- project/knowledge/c.md --
---
date: 2025-03-01
type: reference
---
The canary deploy takes six minutes.
`)
	q := pimento.Query{Text: "canary deploy", Now: time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)}
	pages := func(o recall.Options) (names []string, why []pimento.Factor) {
		for _, h := range recall.Answer(t.Context(), q, roots, o).Hits {
			names = append(names, h.Entry.Page)
			why = append(why, h.Why...)
		}
		return names, why
	}
	params := recall.DefaultParams()
	params.Recent = 0
	if got, _ := pages(recall.Options{Params: params}); !slices.Equal(got, []string{"knowledge/a.md", "knowledge/b.md", "knowledge/c.md"}) {
		t.Errorf("without weights: %v", got)
	}
	got, why := pages(recall.Options{Params: params, Weights: map[pimento.Kind]float64{pimento.KindPreference: 1.5}, Fresh: pimento.Fresh{Boost: 0.15, Days: 60}})
	if !slices.Equal(got, []string{"knowledge/b.md", "knowledge/a.md", "knowledge/c.md"}) {
		t.Errorf("with weights: %v", got)
	}
	for _, factor := range []string{"kind", "fresh"} {
		if !slices.ContainsFunc(why, func(f pimento.Factor) bool { return f.Factor == factor }) {
			t.Errorf("no hit says %s", factor)
		}
	}
	params.Recent = 0
	low := recall.Options{Params: params, Weights: map[pimento.Kind]float64{pimento.KindReference: 0.5, pimento.KindPreference: 0.1}}
	if got, _ := pages(low); !slices.Equal(got[:2], []string{"knowledge/a.md", "knowledge/c.md"}) {
		t.Errorf("a weight below 1: %v", got)
	}
}

// TestTagsWeigh: what has a tag that counts less comes after what has not, whichever
// passage of it was found, and is found all the same.
func TestTagsWeigh(t *testing.T) {
	roots := archive(t, `
-- project/knowledge/a.md --
---
tags: [deploys, stale]
---
The canary deploy takes ten minutes.
-- project/knowledge/b.md --
---
tags: [deploys]
---
The canary deploy takes nine minutes, and stale data is no matter.
-- global/MEMORY.md --
- The canary deploy takes six minutes #stale
`)
	pages := func(tags map[string]float64) (names []string) {
		for _, h := range recall.Answer(t.Context(), pimento.Query{Text: "canary deploy minutes"}, roots, recall.Options{Tags: tags}).Hits {
			names = append(names, h.Entry.Page)
		}
		return names
	}
	if got := pages(nil); len(got) != 3 || got[0] != "knowledge/a.md" {
		t.Errorf("without: %v", got)
	}
	if got := pages(map[string]float64{"stale": 0.3}); len(got) != 3 || got[0] != "knowledge/b.md" {
		t.Errorf("with: %v", got)
	}
}

// TestALinkIsNoTag: what links to a page of the same name as a tag does not have it.
func TestALinkIsNoTag(t *testing.T) {
	roots := archive(t, `
-- project/knowledge/a.md --
---
tags: [deploys]
---
The canary deploy takes ten minutes, see [[stale]].
-- project/knowledge/b.md --
---
tags: [Stale]
---
The canary deploy takes nine minutes.
-- project/knowledge/c.md --
---
tags: [deploys, stale]
---
The canary deploy takes six minutes, see [[stale]].
-- global/MEMORY.md --
- The canary deploy takes two minutes #stale
- The canary deploy takes one minute, [[stale]]
`)
	weighed := map[string]bool{}
	for _, h := range recall.Answer(t.Context(), pimento.Query{Text: "canary deploy minutes", Limit: 9}, roots, recall.Options{Tags: map[string]float64{"stale": 2}, Loose: true}).Hits {
		for _, w := range h.Why {
			if w.Factor == "tag" {
				weighed[h.Entry.Text] = true
			}
		}
	}
	if got := slices.Sorted(maps.Keys(weighed)); len(got) != 3 || strings.Contains(strings.Join(got, " "), "ten") || strings.Contains(strings.Join(got, " "), "one") {
		t.Errorf("taken for tagged: %q", got)
	}
}

// TestConfidenceFloor: an answer that is not sure enough has no hits at all, one
// that is has them all, and a hit that holds the whole question is one in the
// smallest memory.
func TestConfidenceFloor(t *testing.T) {
	var s strings.Builder
	s.WriteString("-- project/MEMORY.md --\n- The walrus gateway listens on port 8443.\n- Walrus alerts go to the pager.\n")
	for i := range 60 {
		fmt.Fprintf(&s, "- Crane %d lifts cargo for berth %d.\n", i, i%7)
	}
	roots := archive(t, s.String())
	floor := recall.Options{MinConfidence: 0.57}
	faint := pimento.Query{Text: "who painted the mural of berth workers in the canteen of the harbour office"}
	if a := ask(t, roots, faint, recall.Options{}); len(a.Hits) == 0 || a.Confidence >= floor.MinConfidence {
		t.Fatalf("nothing faint to leave out: %+v", a)
	}
	if a := ask(t, roots, faint, floor); a.Status != pimento.NoMatch || len(a.Hits) > 0 || a.Confidence == 0 {
		t.Errorf("below the floor: %s, %d hits, confidence %.2f", a.Status, len(a.Hits), a.Confidence)
	}
	sure := pimento.Query{Text: "walrus gateway port"}
	if with, without := ask(t, roots, sure, floor), ask(t, roots, sure, recall.Options{}); len(with.Hits) != len(without.Hits) || len(with.Hits) < 2 {
		t.Errorf("above it: %d hits of %d", len(with.Hits), len(without.Hits))
	}
	half := pimento.Query{Text: "walrus gateway of the mural"}
	if a := ask(t, roots, half, recall.Options{MinConfidence: 0.99}); len(a.Hits) == 0 {
		t.Errorf("a hit that holds half of the question: %+v", a)
	}
	small := archive(t, "-- project/MEMORY.md --\n- The gateway listens on port 8443.\n")
	if a := ask(t, small, pimento.Query{Text: "gateway port"}, recall.Options{MinConfidence: 0.99}); len(a.Hits) != 1 {
		t.Errorf("in a small memory: %+v", a)
	}
}

// TestTimeAskedForIsCovered: a note of the time that a question names makes the
// answer surer, because the time is a part of what was asked.
func TestTimeAskedForIsCovered(t *testing.T) {
	day := func(d int) time.Time { return time.Date(2026, 5, d, 9, 0, 0, 0, time.UTC) }
	notes := map[string]time.Time{"The importer broke on a header with a byte order mark": day(2)}
	for i := range 60 {
		notes[fmt.Sprintf("Crane %d lifts cargo for berth %d", i, i%7)] = day(3 + i%20)
	}
	roots := dated(t, notes)
	q := pimento.Query{Text: "which customs importer fault did we have?", Now: day(25)}
	ever := ask(t, roots, q, recall.Options{})
	q.Text = "which customs importer fault did we have on 2 May?"
	then := ask(t, roots, q, recall.Options{})
	if len(then.Hits) == 0 || !strings.Contains(then.Hits[0].Entry.Text, "importer") || then.Confidence < ever.Confidence+0.1 {
		t.Errorf("of that day: %v, confidence %.2f; at any time %.2f", then.Hits, then.Confidence, ever.Confidence)
	}
}

// TestADayOfTheWeekIsADate: what is asked of a Friday is answered by a note of that day,
// though no note says which day of the week it was, and by what says the word.
func TestADayOfTheWeekIsADate(t *testing.T) {
	day := func(d int) time.Time { return time.Date(2026, 11, d, 9, 0, 0, 0, time.UTC) }
	notes := map[string]time.Time{"Moved the flags to a table, reverted": day(13), "Feature flags live in a file": day(9), "The gateway is Kong": day(10)}
	q := pimento.Query{Text: "what did we try on Friday?", Now: day(16)}
	if got := texts(ask(t, dated(t, notes), q, recall.Options{MinConfidence: 0.6})); len(got) != 1 || !strings.Contains(got[0], "Moved") {
		t.Errorf("of that day: %q", got)
	}
	notes["Deploys go out on Friday"] = day(2)
	if got := texts(ask(t, dated(t, notes), q, recall.Options{MinConfidence: 0.6})); len(got) != 2 || !strings.Contains(got[0], "Moved") {
		t.Errorf("and a rule: %q", got)
	}
}

// TestWhoAsksDoesNotKnow: an entry that only asks stands behind what tells, though it
// holds more of the question, and is found.
func TestWhoAsksDoesNotKnow(t *testing.T) {
	roots := archive(t, `
-- project/MEMORY.md --
- Which insurance covers the roof of the shed?
- Painters come on Monday
- The shed's roof is on the insurance of Kehoe, number 4711
- Lunch is at noon
`)
	q := pimento.Query{Text: "which insurance covers the shed's roof"}
	got := texts(ask(t, roots, q, recall.Options{}))
	if len(got) != 2 || !strings.Contains(got[0], "4711") || !strings.HasSuffix(got[1], "?") {
		t.Errorf("got %q", got)
	}
}
