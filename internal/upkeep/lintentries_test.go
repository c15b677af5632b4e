package upkeep

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/page"
	"github.com/pimento-memory/pimento/internal/score"
)

// knowledgeOf are pages of knowledge made of front matter alone and a sentence.
func knowledgeOf(fronts map[string]string) LintFacts {
	f := LintFacts{Now: time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)}
	for _, name := range []string{"a", "b", "c", "d"} {
		if front, ok := fronts[name]; ok {
			rel := "knowledge/" + name + ".md"
			f.Pages = append(f.Pages, &LintPage{Rel: rel, Page: page.Parse(rel, fmt.Appendf(nil, "---\n%s\n---\nPage %s says something.\n", front, name))})
		}
	}
	return f
}

func TestTriplesClash(t *testing.T) {
	for _, tt := range []struct {
		name, a, b string
		clash      bool
	}{
		{"two objects of one that takes one", `triples: [["db", "port", "1"]]`, `triples: [["DB", "Port", "2"]]`, true},
		{"the same object", `triples: [["db", "port", "1"]]`, `triples: [["db", "port", " 1 "]]`, false},
		{"a predicate that takes many", `triples: [["alice", "owns", "x"]]`, `triples: [["alice", "owns", "y"]]`, false},
		{"a denial", `triples: [["alice", "owns", "x"]]`, `triples: [["alice", "no_longer_owns", "x"]]`, true},
		{"the denial of another", `triples: [["alice", "owns", "x"]]`, `triples: [["alice", "not_owns", "y"]]`, false},
		{"two denials", `triples: [["db", "not_port", "1"]]`, `triples: [["db", "not_port", "2"]]`, false},
		{"other subjects", `triples: [["db", "port", "1"]]`, `triples: [["web", "port", "2"]]`, false},
		{"one has ended", "until: 2026-05-01\n" + `triples: [["db", "port", "1"]]`, `triples: [["db", "port", "2"]]`, false},
		{"one ends later", "until: 2026-07-01\n" + `triples: [["db", "port", "1"]]`, `triples: [["db", "port", "2"]]`, true},
		{"one is superseded", `triples: [["db", "port", "1"]]`, "supersedes: a\n" + `triples: [["db", "port", "2"]]`, false},
	} {
		found := tripleContradictions(knowledgeOf(map[string]string{"a": tt.a, "b": tt.b}))
		if (len(found) > 0) != tt.clash {
			t.Errorf("%s: %v", tt.name, found)
		}
	}
}

func TestSupersedeCycles(t *testing.T) {
	for _, tt := range []struct {
		name  string
		links string // "a>b b>a"
		want  string
	}{
		{"a chain", "a>b b>c c>d", ""},
		{"two", "a>b b>a", "a b a"},
		{"itself", "a>a", "a a"},
		{"three, with a way in", "a>b b>c c>d d>b", "b c d b"},
		{"a diamond", "a>b a>c b>d c>d", ""},
		{"two circles", "a>b b>a c>d d>c", "a b a|c d c"},
		{"a link that leads nowhere", "a>x", ""},
	} {
		fronts := map[string]string{"a": "type: user", "b": "type: user", "c": "type: user", "d": "type: user"}
		lists := map[string][]string{}
		for link := range strings.FieldsSeq(tt.links) {
			from, to, _ := strings.Cut(link, ">")
			lists[from] = append(lists[from], to)
		}
		for from, to := range lists {
			fronts[from] = "supersedes: [" + strings.Join(to, ", ") + "]"
		}
		var got []string
		for _, x := range supersedeCycles(knowledgeOf(fronts)) {
			_, way, _ := strings.Cut(x.Text, ": ")
			var names []string
			for _, at := range strings.Split(way, " -> ") {
				names = append(names, strings.TrimPrefix(at[:strings.Index(at, ".md")], "knowledge/"))
			}
			got = append(got, strings.Join(names, " "))
		}
		if s := strings.Join(got, "|"); s != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, s, tt.want)
		}
	}
}

// A kind that fades within weeks is not looked at again before half a year.
func TestRested(t *testing.T) {
	now := time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)
	p := score.Default()
	for days, want := range map[int]int{60: 0, 179: 0, 181: 1, 900: 1} {
		said := now.AddDate(0, 0, -days)
		k := Known{Entry: pimento.Entry{Kind: pimento.KindDecision, Text: "we chose postgres", Stamp: said}}
		k.Standing = score.Rank([]score.Fact{{Kind: k.Kind, Text: k.Text, First: said, Last: said}}, p, now)[0]
		if got := Rested([]Known{k}, p, now); len(got) != want {
			t.Errorf("%d days: %d", days, len(got))
		}
	}
}
