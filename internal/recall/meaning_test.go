package recall_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/embed"
	"github.com/pimento-memory/pimento/internal/index"
	"github.com/pimento-memory/pimento/internal/index/vectors"
	"github.com/pimento-memory/pimento/internal/recall"
)

// matters is an embedder that knows one matter.
type matters struct{ err error }

func (m matters) Info() embed.Info { return embed.Info{ID: "matters", Dim: 2, Related: 0.5} }
func (m matters) Close() error     { return nil }

func (m matters) Embed(_ context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i, s := range texts {
		if out[i] = []float32{0, 1}; strings.Contains(s, "boat") || strings.Contains(s, "ship") {
			out[i] = []float32{1, 0}
		}
	}
	return out, m.err
}

// near lets roots be asked by a list of statements, nearest first.
func near(roots []recall.Source, sts ...pimento.Statement) {
	for i := range roots {
		roots[i].Near = func(_ context.Context, _ embed.Embedder, _ []float32, n int) (out []vectors.Near, err error) {
			for i, st := range sts[:min(n, len(sts))] {
				out = append(out, vectors.Near{Statement: st, Sim: 0.9 - float32(i)/1e4})
			}
			return out, nil
		}
	}
}

func by(m matters) recall.Options {
	return recall.Options{Embedder: func(context.Context) (embed.Embedder, error) { return m, nil }}
}

const ships = `
-- global/MEMORY.md --
- Every ship is painted grey
- Invoices are sent on Mondays
-- project/MEMORY.md --
- Every ship is painted grey
`

var grey = pimento.StatementOf("Every ship is painted grey")

// TestMeaningOneHit: what is found by meaning stands in its most specific scope.
func TestMeaningOneHit(t *testing.T) {
	roots := archive(t, ships)
	near(roots, grey)
	want(t, ask(t, roots, pimento.Query{Text: "boat"}, by(matters{})), pimento.OK, "project:MEMORY.md Every ship is painted grey")
}

// TestStrict: a profile may ask for more likeness than the embedder's own
// threshold, 0.5 here, or for less, of what shares no word with the question.
func TestStrict(t *testing.T) {
	for _, c := range []struct {
		sim    float32
		strict float64
		found  bool
	}{
		{0.6, 0, true}, {0.4, 0, false}, {0.6, 0.5, false}, {0.8, 0.5, true}, {0.99, 1, false},
		{0.4, -0.5, true}, {0.2, -0.5, false}, {0.05, -1, true},
	} {
		roots := archive(t, ships)
		for i := range roots {
			roots[i].Near = func(context.Context, embed.Embedder, []float32, int) ([]vectors.Near, error) {
				return []vectors.Near{{Statement: grey, Sim: c.sim}}, nil
			}
		}
		opts := by(matters{})
		opts.Strict = c.strict
		if got := len(ask(t, roots, pimento.Query{Text: "boat"}, opts).Hits) > 0; got != c.found {
			t.Errorf("likeness %v, strict %v: found %v", c.sim, c.strict, got)
		}
	}
}

// TestSemanticFallsBack: when meaning cannot be asked, words answer and say so.
func TestSemanticFallsBack(t *testing.T) {
	tired := errors.New("tired")
	failing := func(roots []recall.Source) {
		for i := range roots {
			roots[i].Near = func(context.Context, embed.Embedder, []float32, int) ([]vectors.Near, error) { return nil, tired }
		}
	}
	for name, c := range map[string]struct {
		opts recall.Options
		near func([]recall.Source)
	}{
		"no embedder": {recall.Options{}, func(r []recall.Source) { near(r) }},
		"it cannot be opened": {recall.Options{Embedder: func(context.Context) (embed.Embedder, error) { return nil, tired }},
			func(r []recall.Source) { near(r) }},
		"it fails":         {by(matters{tired}), func(r []recall.Source) { near(r) }},
		"the vectors fail": {by(matters{}), failing},
		"no root has any":  {by(matters{}), func([]recall.Source) {}},
		"a word it knows not": {recall.Options{Embedder: func(context.Context) (embed.Embedder, error) { return unknowing{}, nil }},
			func(r []recall.Source) { near(r) }},
	} {
		roots := archive(t, ships)
		c.near(roots)
		a := ask(t, roots, pimento.Query{Text: "invoices", Mode: pimento.Semantic}, c.opts)
		want(t, a, pimento.OK, "global:MEMORY.md Invoices are sent on Mondays")
		if len(a.Faults) == 0 {
			t.Errorf("%s: nobody is told", name)
		}
	}
}

type unknowing struct{ matters }

func (unknowing) Embed(_ context.Context, texts []string) ([][]float32, error) {
	return make([][]float32, len(texts)), nil
}

// TestSkip: what the caller does not want to see is not shown, whether words, a
// link or meaning found it.
func TestSkip(t *testing.T) {
	roots := archive(t, `
-- global/MEMORY.md --
- The harbour is described in [[port-plan]]
-- global/daily/2026-02-01.md --
See [[port-plan]] for the ship
-- global/port-plan.md --
# Port plan

Quay four is for tankers.
`)
	near(roots, pimento.StatementOf("See [[port-plan]] for the ship"))
	opts := by(matters{})
	for _, question := range []string{"boat", "harbour", "for the ship"} {
		if got := strings.Join(texts(ask(t, roots, pimento.Query{Text: question}, opts)), "\n"); !strings.Contains(got, "daily/") {
			t.Errorf("%q: what is to be left out is not found at all: %s", question, got)
		}
	}
	opts.Skip = func(_ pimento.Scope, ms []index.Match) []index.Match {
		return slices.DeleteFunc(ms, func(m index.Match) bool { return strings.HasPrefix(m.Page, "daily/") })
	}
	for _, question := range []string{"boat", "harbour", "for the ship"} {
		if got := strings.Join(texts(ask(t, roots, pimento.Query{Text: question}, opts)), "\n"); strings.Contains(got, "daily/") {
			t.Errorf("%q shows %s", question, got)
		}
		if got := strings.Join(texts(ask(t, roots, pimento.Query{Text: question, All: true}, opts)), "\n"); !strings.Contains(got, "daily/") {
			t.Errorf("%q with All does not show it: %s", question, got)
		}
	}
}

// TestDeadVectors: statements that stand nowhere any more take nobody's place.
func TestDeadVectors(t *testing.T) {
	roots := archive(t, ships)
	dead := make([]pimento.Statement, 100)
	for i := range dead {
		dead[i] = pimento.StatementOf("gone " + string(rune('a'+i%26)) + string(rune('a'+i/26)))
	}
	near(roots, append(dead, grey)...)
	want(t, ask(t, roots, pimento.Query{Text: "boat"}, by(matters{})), pimento.OK, "project:MEMORY.md Every ship is painted grey")
}

// TestOneCalendar: yesterday is the day before today on the asker's wall, in every
// zone, for stamps and daily pages.
func TestOneCalendar(t *testing.T) {
	day := func(d int) time.Time { return time.Date(2026, 11, d, 0, 0, 0, 0, time.UTC) }
	var roots []recall.Source
	for _, zone := range []*time.Location{time.UTC, time.FixedZone("west", -8*3600), time.FixedZone("east", 13*3600)} {
		for _, hour := range []int{0, 9, 23} {
			now := time.Date(2026, 11, 3, hour, 30, 0, 0, zone)
			roots = dated(t, map[string]time.Time{"Parser release one": day(1), "Parser release two": day(2), "Parser release three": day(3),
				"Parser release stamped": time.Date(2026, 11, 2, 23, 50, 0, 0, zone)})
			a := recall.Answer(t.Context(), pimento.Query{Text: "parser release yesterday", Now: now}, roots, recall.Options{})
			for i, h := range a.Hits {
				share := 0.0
				for _, f := range h.Why {
					if f.Factor == "date" {
						share = f.Share
					}
				}
				if of := h.Entry.Text == "Parser release two" || h.Entry.Text == "Parser release stamped"; of != (share > 0) || of == (share < 0) || of != (i < 2) {
					t.Errorf("%s: hit %d is %q, date %.2f", now, i, h.Entry.Text, share)
				}
			}
			if len(a.Hits) != 4 {
				t.Errorf("%s: %v", now, texts(a))
			}
		}
	}
}

// TestMeaningOfATime: an entry of the time that the question asks for, which has some
// of its words, is what was asked for, and no likeness.
func TestMeaningOfATime(t *testing.T) {
	day := func(d int) time.Time { return time.Date(2026, 11, d, 0, 0, 0, 0, time.UTC) }
	entries := map[string]time.Time{"Vessel lacquer": day(20), "Boat engine": day(24)}
	for i := range 30 {
		entries["Other "+string(rune('a'+i))] = day(1)
	}
	roots := dated(t, entries)
	for i := range roots {
		roots[i].Near = func(context.Context, embed.Embedder, []float32, int) ([]vectors.Near, error) {
			return []vectors.Near{{Statement: pimento.StatementOf("Vessel lacquer"), Sim: 0.9}}, nil
		}
	}
	opts := recall.Options{Embedder: func(context.Context) (embed.Embedder, error) { return alike{}, nil }}
	for question, first := range map[string]string{"boat varnish": "Vessel lacquer", "boat varnish yesterday": "Boat engine", "boat varnish on 20 November": "Vessel lacquer"} {
		a := recall.Answer(t.Context(), pimento.Query{Text: question, Now: day(25)}, roots, opts)
		if len(a.Hits) == 0 || a.Hits[0].Entry.Text != first {
			t.Errorf("%q: %q, want %q first", question, texts(a), first)
		}
	}
}

// alike is a weak embedder to which everything is as like as its list says.
type alike struct{}

func (alike) Info() embed.Info {
	return embed.Info{ID: "alike", Dim: 1, Related: 0.3, Weak: true}
}
func (alike) Close() error { return nil }
func (alike) Embed(context.Context, []string) ([][]float32, error) {
	return [][]float32{{1}}, nil
}

// TestWordsAgainstAModel: what has all the words of a question is not outvoted by what
// a model finds a little more like it, and where no words are in common the model
// decides.
func TestWordsAgainstAModel(t *testing.T) {
	roots := archive(t, ships)
	near(roots, grey)
	for question, first := range map[string]string{"when are invoices sent?": "Invoices are sent on Mondays", "boat lacquer": "Every ship is painted grey"} {
		a := ask(t, roots, pimento.Query{Text: question}, by(matters{}))
		if len(a.Hits) == 0 || a.Hits[0].Entry.Text != first {
			t.Errorf("%q: %q, want %q first", question, texts(a), first)
		}
	}
}

// TestTableBesideAModel: the built-in table is asked, too, of vectors of its own, also
// when the model cannot be had, which is said.
func TestTableBesideAModel(t *testing.T) {
	roots, table := archive(t, ships), embed.NewStatic()
	for i := range roots {
		roots[i].Near = func(_ context.Context, by embed.Embedder, _ []float32, _ int) ([]vectors.Near, error) {
			st := grey
			if by == embed.Embedder(table) {
				st = pimento.StatementOf("Invoices are sent on Mondays")
			}
			return []vectors.Near{{Statement: st, Sim: 0.9}}, nil
		}
	}
	opts := by(matters{})
	opts.Lexicon = table
	a := ask(t, roots, pimento.Query{Text: "boat"}, opts)
	if got := texts(a); len(got) != 2 || len(a.Faults) > 0 {
		t.Errorf("%q, faults %v", got, a.Faults)
	}
	opts.Embedder = func(context.Context) (embed.Embedder, error) { return nil, errors.New("not at home") }
	a = ask(t, roots, pimento.Query{Text: "boat"}, opts)
	want(t, a, pimento.OK, "global:MEMORY.md Invoices are sent on Mondays")
	if len(a.Faults) != 1 {
		t.Errorf("faults %v", a.Faults)
	}
}

// TestCrowd: what a weak embedder finds counts by how far it stands out of what
// else it finds.
func TestCrowd(t *testing.T) {
	roots := archive(t, ships)
	invoices := pimento.StatementOf("Invoices are sent on Mondays")
	meant := func(second float32, nearest int) float64 {
		for i := range roots {
			roots[i].Near = func(context.Context, embed.Embedder, []float32, int) ([]vectors.Near, error) {
				return []vectors.Near{{Statement: invoices, Sim: 0.6}, {Statement: grey, Sim: second}}, nil
			}
		}
		p := recall.DefaultParams()
		p.Nearest = nearest
		a := recall.Answer(t.Context(), pimento.Query{Text: "bills"}, roots,
			recall.Options{Params: p, Loose: true, Embedder: func(context.Context) (embed.Embedder, error) { return alike{}, nil }})
		for _, h := range a.Hits {
			if h.Entry.Statement == invoices {
				return h.Score
			}
		}
		t.Fatalf("%s %+v", a.Status, a.Hits)
		return 0
	}
	if alone, crowded := meant(0.2, 2), meant(0.55, 2); crowded >= alone/2 {
		t.Errorf("%.3f among others that are nearly as like, %.3f without", crowded, alone)
	}
	if few, many := meant(0.55, 30), meant(0.2, 30); few != many {
		t.Errorf("%.3f and %.3f, where there is no crowd", few, many)
	}
}

// TestCrowdOfTheSame: vectors kept in half a byte a number are a little longer than
// they should be, and a memory of lines that are all alike is nothing but crowd.
func TestCrowdOfTheSame(t *testing.T) {
	roots := archive(t, ships)
	for i := range roots {
		roots[i].Near = func(context.Context, embed.Embedder, []float32, int) ([]vectors.Near, error) {
			return []vectors.Near{{Statement: pimento.StatementOf("Invoices are sent on Mondays"), Sim: 1.005}, {Statement: grey, Sim: 1.003}}, nil
		}
	}
	p := recall.DefaultParams()
	p.Nearest = 2
	a := recall.Answer(t.Context(), pimento.Query{Text: "bills"}, roots,
		recall.Options{Params: p, Loose: true, Embedder: func(context.Context) (embed.Embedder, error) { return alike{}, nil }})
	if len(a.Hits) != 2 || math.IsNaN(a.Confidence) {
		t.Fatalf("confidence %v, %+v", a.Confidence, a.Hits)
	}
	for _, h := range a.Hits {
		if math.IsNaN(h.Score) || math.IsInf(h.Score, 0) {
			t.Errorf("%s: score %v", h.Entry.Text, h.Score)
		}
	}
}

// TestMeaningUnanswered: where vectors could not be asked, words count in full.
func TestMeaningUnanswered(t *testing.T) {
	roots := archive(t, ships)
	q := pimento.Query{Text: "which ship carries the invoices of rockets, balloons and bicycles"}
	alone := ask(t, roots, q, recall.Options{})
	for i := range roots {
		roots[i].Near = func(context.Context, embed.Embedder, []float32, int) ([]vectors.Near, error) {
			return nil, errors.New("spoilt")
		}
	}
	spoilt := ask(t, roots, q, recall.Options{Embedder: func(context.Context) (embed.Embedder, error) { return alike{}, nil }})
	if len(alone.Hits) == 0 || len(alone.Hits) != len(spoilt.Hits) || alone.Confidence != spoilt.Confidence {
		t.Fatalf("%+v\n%+v", alone, spoilt)
	}
	for i, h := range alone.Hits {
		if got := spoilt.Hits[i].Score; got != h.Score {
			t.Errorf("%s: %.3f, %.3f without an embedder", h.Entry.Text, got, h.Score)
		}
	}
}
