package graph_test

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/graph"
	"github.com/pimento-memory/pimento/internal/index"
	"github.com/pimento-memory/pimento/internal/index/memindex"
	"github.com/pimento-memory/pimento/internal/index/segment"
	"github.com/pimento-memory/pimento/internal/page"
	"github.com/pimento-memory/pimento/internal/recall"
	"github.com/pimento-memory/pimento/internal/text"
)

const team = `
-- project/knowledge/auth.md --
---
type: project
date: 2026-05-08
triples: [["Alice", "owns", "auth-service"], ["alice", "role", "backend lead"], ["auth-service", "depends_on", "postgres"]]
---
We chose JWT over sessions. See [[deploys]] and [[no-such-page]].
-- project/knowledge/deploys.md --
---
type: project
date: 2026-03-01
triples:
  - [deploys, happen on, Tuesday]
  - [Bob, owns, deploy-pipeline]
  - [deploy-pipeline, uses, auth-service]
  - ["", "is", "nothing"]
  - [two, cells]
---
How deploys go.
-- project/knowledge/deploys-2026.md --
---
type: project
date: 2026-06-01
supersedes: [[deploys]]
triples: [["deploys", "happen on", "Thursday"], ["Carol", "owns", "deploy-pipeline"]]
---
Deploys moved.
-- project/knowledge/freeze.md --
---
type: project
date: 2026-01-01
until: 2026-02-01
triples: [["main", "is frozen by", "the release"]]
---
A freeze.
-- project/knowledge/zh.md --
---
type: project
date: 2026-04-01
triples: [["张三丰", "负责", "支付网关"]]
---
支付网关的负责人。
-- project/raw/compaction/x.md --
---
triples: [["ghost", "haunts", "auth-service"]]
---
What happened is not what is true. carol said the oauth_token owns island.
-- global/knowledge/auth.md --
---
type: user
date: 2026-05-08
triples: [["alice", "owns", "auth-service"]]
---
The same again, elsewhere.
`

func sources(t testing.TB, archive string) []graph.Source {
	t.Helper()
	pages := map[pimento.Scope][]index.Page{}
	for _, f := range txtar.Parse([]byte(archive)).Files {
		scope, rel, _ := strings.Cut(f.Name, "/")
		s := pimento.Scope(scope)
		pages[s] = append(pages[s], indexPage(page.Parse(rel, f.Data), rel))
	}
	var out []graph.Source
	for _, s := range pimento.Scopes() {
		if pages[s] == nil {
			continue
		}
		idx := memindex.New()
		slices.SortFunc(pages[s], func(a, b index.Page) int { return strings.Compare(a.Path, b.Path) })
		if err := idx.Apply(t.Context(), pages[s], nil); err != nil {
			t.Fatal(err)
		}
		out = append(out, graph.Source{Scope: s, Reader: idx})
	}
	return out
}

var analyzer = text.NewAnalyzer()

func indexPage(p *page.Page, rel string) index.Page {
	ip := index.Page{Path: rel}
	for _, e := range p.Entries() {
		ip.Docs = recall.Docs(ip.Docs, analyzer, rel, time.Time{}, e)
	}
	return ip
}

func lines(facts []pimento.Relation) string {
	var b strings.Builder
	for _, f := range facts {
		fmt.Fprintf(&b, "%s -> %s -> %s (%s..%s) %s:%s\n", f.Subject, f.Predicate, f.Object, f.From, f.Until, f.Scope, f.Page)
	}
	return b.String()
}

func day(s string) time.Time {
	t, _ := time.Parse(time.DateOnly, s)
	return t
}

func TestAround(t *testing.T) {
	for _, c := range []struct {
		name, id, day string
		dir           graph.Direction
		want          string
	}{
		{"both ways, what is more specific first, said twice told once", "auth-service", "2026-11-01", graph.Both,
			"auth-service -> depends_on -> postgres (2026-05-08..) project:knowledge/auth.md\n" +
				"Alice -> owns -> auth-service (2026-05-08..) project:knowledge/auth.md\n"},
		{"a page that another one replaces ended that day", "deploy-pipeline", "", graph.In,
			"Bob -> owns -> deploy-pipeline (2026-03-01..2026-06-01) project:knowledge/deploys.md\n" +
				"Carol -> owns -> deploy-pipeline (2026-06-01..) project:knowledge/deploys-2026.md\n"},
		{"as of a day before", "deploy-pipeline", "2026-04-01", graph.In,
			"Bob -> owns -> deploy-pipeline (2026-03-01..2026-06-01) project:knowledge/deploys.md\n"},
		{"as of a day after", "deploys", "2026-07-01", graph.Out,
			"deploys -> happen on -> Thursday (2026-06-01..) project:knowledge/deploys-2026.md\n"},
		{"until is the first day on which it does not hold", "main", "2026-02-01", graph.Both, ""},
		{"and the day before it does", "main", "2026-01-31", graph.Both,
			"main -> is frozen by -> the release (2026-01-01..2026-02-01) project:knowledge/freeze.md\n"},
		{"what happened is no source", "ghost", "", graph.Both, ""},
		{"spelled otherwise", "backend_lead", "2026-11-01", graph.In, "alice -> role -> backend lead (2026-05-08..) project:knowledge/auth.md\n"},
	} {
		g := graph.New(sources(t, team), day(c.day))
		facts, err := g.Around(t.Context(), c.id, c.dir, 0)
		if err != nil {
			t.Fatal(err)
		}
		facts = slices.DeleteFunc(facts, func(f pimento.Relation) bool { return f.Predicate == text.Replaces })
		if got := lines(facts); got != c.want {
			t.Errorf("%s: %s as of %s:\n%s", c.name, c.id, c.day, gocmp.Diff(c.want, got))
		}
	}
}

// TestQuestions holds what a question brings along, and what it must not.
func TestQuestions(t *testing.T) {
	g := graph.New(sources(t, team+`
-- project/knowledge/noise.md --
---
date: 2026-05-08
triples: [["oauth_token", "signed by", "vault"], ["carol", "lives on", "island"], ["go-service", "runs", "cron"]]
---
Noise.
`), day("2026-11-01"))
	for question, want := range map[string]string{
		"who owns auth-service?":         "Alice owns auth-service",
		"what does the auth depend on?":  "auth-service depends_on postgres", // a part of the name, and the relation by its stem
		"when do deploys happen?":        "deploys happen on Thursday",
		"张三丰负责什么?":                       "张三丰 负责 支付网关",
		"谁负责支付网关？":                       "张三丰 负责 支付网关",
		"the car is broken":              "", // not carol
		"what is going on":               "", // neither island nor go-service
		"支付成功了吗":                         "", // a part of a name is not the name
		"":                               "",
		"how is the weather in Lisbon??": "",
	} {
		facts, err := g.About(t.Context(), question, 15)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if len(facts) > 0 {
			got = facts[0].Subject + " " + facts[0].Predicate + " " + facts[0].Object
		}
		if got != want {
			t.Errorf("%q: %q, want %q", question, got, want)
		}
		if strings.Contains(question, "auth") && strings.Contains(lines(facts), "oauth") {
			t.Errorf("%q found oauth_token", question)
		}
	}
	twice := graph.New(sources(t, team+`
-- project/knowledge/again.md --
---
date: 2026-10-08
triples: [["alice", "Owns", "Auth-Service"]]
---
Alice still does.
`), day("2026-11-01"))
	facts, err := twice.About(t.Context(), "who owns auth-service?", 15)
	if all := lines(facts); err != nil || strings.Count(strings.ToLower(all), "owns") != 1 || !strings.Contains(all, "(2026-05-08..)") {
		t.Errorf("what two pages say is told twice, or not since the first said so:\n%s (%v)", all, err)
	}
	if facts, _ := g.About(t.Context(), "auth-service", 1); len(facts) != 1 {
		t.Errorf("the limit does not hold: %d", len(facts))
	}
}

func TestResolve(t *testing.T) {
	g := graph.New(sources(t, team), day("2026-11-01"))
	for name, want := range map[string]string{
		"auth-service": "auth-service", "Auth Service": "auth-service", "ALICE": "alice", "auth": " [auth auth-service]", "nobody": " []",
		"main": "main", // held once
	} {
		id, near, err := g.Resolve(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		got := id
		if id == "" {
			got = fmt.Sprint(" ", near)
		}
		if name == "auth" {
			want = "auth" // the page auth.md links somewhere, so it is an entity
		}
		if got != want {
			t.Errorf("%q is %q, want %q", name, got, want)
		}
	}
}

func TestPath(t *testing.T) {
	g := graph.New(sources(t, team), day("2026-11-01"))
	for _, c := range []struct{ a, b, want string }{
		{"carol", "postgres", ""},                            // the old page's edge between them has ended
		{"alice", "postgres", "owns,depends_on"},             // against no direction
		{"backend_lead", "postgres", "role,owns,depends_on"}, // against one
		{"alice", "alice", ""},
		{"alice", "nobody", ""},
	} {
		p, err := g.Path(t.Context(), c.a, c.b, 0)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, s := range p.Steps {
			got = append(got, s.Predicate)
		}
		if strings.Join(got, ",") != c.want || p.Cut {
			t.Errorf("%s to %s: %v, want %s", c.a, c.b, p, c.want)
		}
	}
	then := graph.New(sources(t, team), day("2026-05-10"))
	if p, _ := then.Path(t.Context(), "bob", "postgres", 0); len(p.Steps) != 3 {
		t.Errorf("in May: %v", p)
	}
	if p, _ := then.Path(t.Context(), "bob", "postgres", 1); !p.Cut || p.Steps != nil {
		t.Errorf("one visit: %v", p)
	}
}

// TestPathsAreShortest compares paths with a search that looks at one entity
// after the other, in graphs of which a part has ended.
func TestPathsAreShortest(t *testing.T) {
	ctx, things := t.Context(), func(n int) string { return fmt.Sprintf("thing-%02d", n) }
	found := 0
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(seed, 1))
		var b strings.Builder
		for p := range 24 {
			fmt.Fprintf(&b, "-- project/knowledge/p%02d.md --\n---\ndate: 2026-01-%02d\n", p, 1+p)
			switch r.IntN(4) {
			case 0:
				b.WriteString("until: 2026-02-01\n")
			case 1:
				fmt.Fprintf(&b, "supersedes: [[p%02d]]\n", r.IntN(p+1))
			}
			fmt.Fprintf(&b, "triples: [[%q, \"r%d\", %q]]\n---\nText.\n", things(r.IntN(16)), r.IntN(3), things(r.IntN(16)))
		}
		g := graph.New(sources(t, b.String()), day("2026-11-01"))
		for range 30 {
			from, to := things(r.IntN(16)), things(r.IntN(16))
			p, err := g.Path(ctx, from, to, 0)
			if err != nil {
				t.Fatal(err)
			}
			if want := steps(ctx, t, g, from, to); len(p.Steps) != want {
				t.Errorf("seed %d, %s to %s: %d steps, want %d: %v\n%s", seed, from, to, len(p.Steps), want, p.Steps, b.String())
			}
			at := from
			for _, s := range p.Steps { // each goes on where the one before ended
				switch at {
				case text.EntityID(s.Subject):
					at = text.EntityID(s.Object)
				case text.EntityID(s.Object):
					at = text.EntityID(s.Subject)
				default:
					t.Fatalf("seed %d: %v does not go on from %s", seed, s, at)
				}
			}
			if len(p.Steps) > 0 && at != to {
				t.Errorf("seed %d: the path ends at %s, not at %s", seed, at, to)
			}
			found += min(len(p.Steps), 1)
		}
	}
	if found < 100 {
		t.Errorf("only %d paths", found)
	}
}

// steps is how far two things are apart, 0 for not at all.
func steps(ctx context.Context, t *testing.T, g *graph.Graph, from, to string) int {
	t.Helper()
	far := map[string]int{from: 0}
	for queue := []string{from}; len(queue) > 0; queue = queue[1:] {
		facts, err := g.Around(ctx, queue[0], graph.Both, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range facts {
			for _, end := range []string{text.EntityID(f.Subject), text.EntityID(f.Object)} {
				if _, known := far[end]; !known {
					far[end] = far[queue[0]] + 1
					queue = append(queue, end)
				}
			}
		}
	}
	return far[to]
}

func TestTimelineAndHealth(t *testing.T) {
	g := graph.New(sources(t, team), day("2026-11-01"))
	facts, err := g.Timeline(t.Context(), "deploy-pipeline", 0)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range facts {
		got = append(got, f.From+" "+f.Subject)
	}
	if want := []string{"2026-03-01 deploy-pipeline", "2026-03-01 Bob", "2026-06-01 Carol"}; !slices.Equal(got, want) {
		t.Errorf("timeline %v, want %v", got, want)
	}
	h, err := g.Health(t.Context(), "2026-11-01")
	if err != nil {
		t.Fatal(err)
	}
	if h.Facts != 6 || h.Ended != 4 || h.Links != 3 || len(h.Broken) != 1 || h.Broken[0].Object != "no-such-page" {
		t.Errorf("%+v", h)
	}
	if h.Predicates[0].Name != "owns" || h.Predicates[0].N != 2 || h.Busiest[0].Name != "auth-service" && h.Busiest[0].Name != "alice" && h.Busiest[0].Name != "Alice" {
		t.Errorf("%+v", h)
	}
	if slices.ContainsFunc(h.Suspicious, func(c graph.Count) bool { return c.Name == "owns" }) {
		t.Errorf("owns is suspicious")
	}
	h, err = graph.New(sources(t, `
-- project/knowledge/vague.md --
---
triples: [["alice", "of", "ops"], ["alice", "related to", "bob"], ["alice", "负责", "ops"], ["alice", "role", "lead"]]
---
Vague. See [main](../../src/main.go), [docs](../docs/), ![a picture](../raw/images/a.png) and [gone](gone.md).
`), day("2026-11-01")).Health(t.Context(), "2026-11-01")
	if err != nil || len(h.Suspicious) != 2 || h.Suspicious[0].Name != "of" || h.Suspicious[1].Name != "related_to" {
		t.Errorf("suspicious: %+v (%v)", h.Suspicious, err)
	}
	if len(h.Broken) != 1 || h.Broken[0].Object != "gone" {
		t.Errorf("broken: %+v", h.Broken)
	}
}

// TestFollowsItsPages holds that the graph is derived: what a page no longer
// says is not there.
func TestFollowsItsPages(t *testing.T) {
	idx := memindex.New()
	put := func(rel, body string) {
		t.Helper()
		if err := idx.Apply(t.Context(), []index.Page{indexPage(page.Parse(rel, []byte(body)), rel)}, nil); err != nil {
			t.Fatal(err)
		}
	}
	around := func() string {
		t.Helper()
		facts, err := graph.New([]graph.Source{{Scope: pimento.Project, Reader: idx}}, day("2026-11-01")).Around(t.Context(), "a", graph.Both, 0)
		if err != nil {
			t.Fatal(err)
		}
		return lines(facts)
	}
	put("knowledge/x.md", "---\ntriples: [[\"a\", \"knows\", \"b\"]]\n---\nText.\n")
	if !strings.Contains(around(), "knows") {
		t.Fatal("not there")
	}
	put("knowledge/x.md", "---\ntriples: [[\" a \", \"trusts\", \"b\"]]\n---\nText.\n")
	if got := around(); strings.Contains(got, "knows") || !strings.Contains(got, "a -> trusts") {
		t.Errorf("after the change: %s", got)
	}
	if err := idx.Apply(t.Context(), nil, []string{"knowledge/x.md"}); err != nil {
		t.Fatal(err)
	}
	if got := around(); got != "" {
		t.Errorf("after the page is gone: %s", got)
	}
}

// big is a segment of n triples over n/5 entities.
func big(b *testing.B, n int) *graph.Graph {
	b.Helper()
	idx, err := segment.Open(b.Context(), b.TempDir(), segment.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { idx.Close() })
	var batch []index.Page
	entities := n / 5
	for i := 0; i < n; i += 10 {
		var rows []string
		for j := range 10 {
			k := i + j
			rows = append(rows, fmt.Sprintf(`["service-%d", "depends_on", "service-%d"]`, k%entities, (k*7919+k/entities*31)%entities))
		}
		rel := fmt.Sprintf("knowledge/p%06d.md", i)
		body := "---\ndate: 2026-05-08\ntriples: [" + strings.Join(rows, ", ") + "]\n---\nWhat depends on what.\n"
		batch = append(batch, indexPage(page.Parse(rel, []byte(body)), rel))
		if len(batch) == 1000 || i+10 >= n {
			if err := idx.Apply(b.Context(), batch, nil); err != nil {
				b.Fatal(err)
			}
			batch = nil
		}
	}
	if err := idx.Compact(b.Context()); err != nil {
		b.Fatal(err)
	}
	return graph.New([]graph.Source{{Scope: pimento.Project, Reader: idx}}, day("2026-11-01"))
}

func BenchmarkGraph(b *testing.B) {
	const n = 100_000
	g := big(b, n)
	ctx := context.Background()
	b.Run("around", func(b *testing.B) {
		for i := range b.N {
			if _, err := g.Around(ctx, fmt.Sprintf("service-%d", i*37%(n/5)), graph.Both, 0); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("about", func(b *testing.B) {
		for i := range b.N {
			if _, err := g.About(ctx, fmt.Sprintf("what does service-%d depend on?", i*37%(n/5)), 15); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("path", func(b *testing.B) {
		seen, found := 0, 0
		for i := range b.N {
			p, err := g.Path(ctx, fmt.Sprintf("service-%d", i*37%(n/5)), fmt.Sprintf("service-%d", i*91%(n/5)), 0)
			if err != nil {
				b.Fatal(err)
			}
			seen += p.Seen
			found += cmp.Compare(len(p.Steps), 0)
		}
		b.ReportMetric(float64(seen)/float64(b.N), "visits/op")
		b.ReportMetric(float64(found)/float64(b.N), "found/op")
	})
}
