package eval

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
	"github.com/pimento-memory/pimento/internal/when"
)

// TestThroughTheEngine asks codemem's development questions of recall, as the evaluation
// does, and of an engine over the same notes written day by day, as users write: what
// one finds the other must. Then as prompts, alone and with the output of a tool below.
func TestThroughTheEngine(t *testing.T) {
	ar, err := txtar.ParseFile("testdata/pasted.txtar")
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]*[7]int{"all": {}} // as they are printed
	for _, p := range projects(t) {
		w, lines, err := bench(t).remember(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		r := corpus(t, p.Lines...)
		r.K = 5
		ask := func(e *engine.Engine, i int, q Asked) [7]int {
			day, _ := when.Parse(q.Now)
			w.Now = day.Add(12 * time.Hour)
			hits := r.Rank(t.Context(), q.Question).Hits
			found := e.Recall(t.Context(), pimento.Query{Text: q.Text, Limit: 5}).Hits
			ranked := func(h Ranked) bool { return slices.Contains(q.Gold, h.ID) }
			hit := func(h pimento.Hit) bool {
				return slices.ContainsFunc(q.Gold, func(id string) bool { return pimento.StatementOf(lines[id].asWritten()) == h.Entry.Statement })
			}
			shown := func(prompt string) int {
				b, err := w.ask(t.Context(), e, w.Now, prompt)
				if err != nil {
					t.Fatal(err)
				}
				return one(slices.ContainsFunc(q.Gold, func(id string) bool { return look(b).holds(lines[id].Text) }))
			}
			output := string(ar.Files[i%len(ar.Files)].Data)
			return [7]int{1, one(slices.IndexFunc(hits, ranked) == 0), one(slices.IndexFunc(found, hit) == 0), one(slices.ContainsFunc(hits, ranked)),
				one(slices.ContainsFunc(found, hit)), shown(q.Text), shown(q.Text + "\n\n```\n" + output + "```\n")}
		}
		if err := w.with(setting{profile: "default"}, func(e *engine.Engine) error {
			mine, _ := developed(p)
			for i, q := range mine {
				if rows[q.Type] == nil {
					rows[q.Type] = &[7]int{}
				}
				for k, n := range ask(e, i, q) {
					rows[q.Type][k] += n
					rows["all"][k] += n
				}
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	var b strings.Builder
	for _, typ := range slices.Sorted(maps.Keys(rows)) {
		n := rows[typ]
		fmt.Fprintf(&b, "%s: of %d first %d, through the engine %d; among five %d and %d; in the block of a prompt %d, with output pasted below %d\n", typ, n[0], n[1], n[2], n[3], n[4], n[5], n[6])
	}
	golden(t, "door", b.String())
}
