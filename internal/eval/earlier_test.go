package eval

import (
	"slices"
	"testing"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
	"github.com/pimento-memory/pimento/internal/when"
)

// TestEarlierStatesAreNamed: of the development questions' former states that no line says it
// replaces, half are named when the later one is written; nine of ten writes name nothing.
func TestEarlierStatesAreNamed(t *testing.T) {
	var writes, names, former, named int
	for _, p := range projects(t) {
		of, later := map[string]Line{}, map[string][]string{} // statements by id of what came later
		for _, l := range p.Lines {
			of[l.ID] = l
		}
		asked, _ := developed(p)
		for _, q := range asked {
			for _, g := range q.Gold {
				for _, s := range q.Stale {
					if !slices.Contains(of[g].Supersedes, s) && of[g].Section == of[s].Section {
						later[g] = append(later[g], string(pimento.StatementOf(of[s].Text)))
					}
				}
			}
		}
		lines := slices.Clone(p.Lines)
		slices.SortStableFunc(lines, func(a, b Line) int { return dayOf(a).Compare(dayOf(b)) })
		w, err := bench(t).newWorld(t.Context(), pimento.Project, dayOf(lines[0]))
		if err != nil {
			t.Fatal(err)
		}
		err = w.with(setting{}, func(e *engine.Engine) error {
			for _, l := range lines {
				if l.Type == "log" {
					continue
				}
				w.Now = dayOf(l).Add(9 * time.Hour)
				res, err := e.Remember(t.Context(), engine.Note{Text: l.Text, Page: listPage(l.Section)})
				if err != nil {
					return err
				}
				writes, names = writes+1, names+len(res.Earlier)
				was := slices.Compact(slices.Sorted(slices.Values(later[l.ID])))
				former += len(was)
				for _, en := range res.Earlier {
					named += one(slices.Contains(was, string(en.Statement)))
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d writes name %d entries; of %d former states %d", writes, names, former, named)
	if named < 18 || names > 75 {
		t.Error("too few, or too many")
	}
}

func dayOf(l Line) time.Time {
	day, _ := when.Parse(l.Date)
	return day
}
