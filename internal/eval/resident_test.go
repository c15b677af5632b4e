package eval

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
	"github.com/pimento-memory/pimento/internal/fault"
	"github.com/pimento-memory/pimento/internal/inject"
	"github.com/pimento-memory/pimento/internal/text"
)

// Whatever the work and the budget: as long as the least set fits, resident
// leaves nothing out that another choice would have shown, and where it does not
// fit the block says so. The others do leave something out.
func TestResidentHasNoControllableFault(t *testing.T) {
	budgets := []int{120, 500}
	if testing.Short() {
		budgets = budgets[:1]
	}
	out, err := bench(t).Supplies(t.Context(), ResidentOptions{Budgets: budgets})
	if err != nil {
		t.Fatal(err)
	}
	faults, kinds, short := map[Policy]int{}, map[fault.Kind]bool{}, 0
	for _, s := range out {
		faults[s.Policy] += s.Faults
		for k := range s.Kinds {
			kinds[k] = true
		}
		if s.Policy == Resident {
			short += s.Short
			if s.Faults > 0 {
				t.Errorf("%+v", s)
			}
		}
	}
	if faults[Retrieval] < 100 || faults[Summary] < 50 {
		t.Errorf("the work is too easy to tell anything: %v", faults)
	}
	if short == 0 {
		t.Error("no budget was too small for the least set")
	}
	for _, k := range fault.Kinds() {
		if !kinds[k] {
			t.Errorf("no %s was provoked", k)
		}
	}
}

// The same seed is the same work, another one is not.
func TestWorkloadsAreDeterministic(t *testing.T) {
	for _, sh := range shapes() {
		a, b, c := newWorkload(sh, 7), newWorkload(sh, 7), newWorkload(sh, 8)
		if fmt.Sprint(a) != fmt.Sprint(b) || fmt.Sprint(a) == fmt.Sprint(c) {
			t.Errorf("%s: not made from its seed", sh.name)
		}
		seen := map[string]bool{}
		for _, s := range a.steps {
			for _, x := range s.told {
				if seen[x.subject] {
					t.Errorf("%s: two things are called %s", sh.name, x.subject)
				}
				seen[x.subject] = true
			}
		}
	}
}

// watched is a memory whose blocks are looked at.
type watched struct {
	memory
	each func(pimento.Block)
}

func (w watched) prompt(ctx context.Context, words string) (pimento.Block, error) {
	b, err := w.memory.prompt(ctx, words)
	if err == nil {
		w.each(b)
	}
	return b, err
}

// slack is what the note at a page's end may take more than it had to, in
// tokens, because it is set aside before it is known what it will say.
const slack = 8

// An oracle knows each way to show what must stand, and how little room the best
// of them takes. On small pages it tries all of them: where it says that the
// least set does not fit, it does not, and where it fits nothing is missing.
func TestResidentAgainstTheOracleOfPages(t *testing.T) {
	b := bench(t)
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 0))
		budget := 30 + r.IntN(150)
		sh := shape{name: "small", prompts: 6, compact: 2, rules: 1 + r.IntN(5), goals: 2, finds: 3, again: 2}
		w, err := b.newWorld(t.Context(), pimento.Project, workStart)
		must(t, err)
		s := Supply{Kinds: map[fault.Kind]int{}}
		over := map[string]any{"resident": map[string]any{"tokens": budget}}
		must(t, w.with(t.Context(), setting{profile: string(Resident), overrides: over}, func(e *engine.Engine) error {
			a := &agent{work: newWorkload(sh, seed), supply: &s}
			a.memory = watched{&pages{w: w, e: e}, func(block pimento.Block) {
				short := slices.ContainsFunc(block.Faults, func(f pimento.Fault) bool { return f.Kind == inject.PinnedMiss })
				least := leastRoom(a.holds)
				if short && least+slack <= budget {
					t.Errorf("says that what must stand does not fit into %d tokens; %d are enough:\n%s", budget, least, block.Prefix)
				}
				if !short && least > budget {
					t.Errorf("what must stand takes %d tokens at least, and is said to fit into %d:\n%s", least, budget, block.Prefix)
				}
			}}
			return a.live(t.Context())
		}))
		if s.Faults > 0 {
			t.Errorf("%+v", s)
		}
	}
}

// leastRoom is the least room, in tokens, that shows every thing that must
// stand at least by its first clause, with all that a page costs around it:
// every assignment of shapes is tried, under headings and without.
func leastRoom(holds []thing) int {
	var required []thing
	more := ""
	for _, t := range holds {
		if t.required() {
			required = append(required, t)
		} else {
			more = "1 more, " // the line that links to what was found
		}
	}
	if len(required) == 0 {
		return 0
	}
	best := 1 << 30
	opening := text.Tokens("### Project MEMORY.md  (.pi/memory/MEMORY.md)\n\n")
	headings := map[sort]string{rule: "Rules", goal: "Plan"}
	for _, headed := range []bool{true, false} {
		frame := opening
		if headed {
			seen := map[sort]bool{}
			for _, t := range required {
				if !seen[t.sort] {
					frame += text.Tokens("##### " + headings[t.sort] + "\n")
				}
				seen[t.sort] = true
			}
		}
		var try func(i, used, cut int)
		try = func(i, used, cut int) {
			if i == len(required) {
				if said := more; cut > 0 || said != "" {
					if cut > 0 {
						said += fmt.Sprintf("%d shortened", cut)
					}
					used += text.Tokens("[... " + strings.TrimSuffix(said, ", ") + "; all of it: .pi/memory/MEMORY.md]\n")
				}
				best = min(best, used)
				return
			}
			t := required[i]
			in := ""
			if !headed {
				in = headings[t.sort] + ": "
			}
			try(i+1, used+text.Tokens("- "+t.text()+"\n"), cut)
			try(i+1, used+text.Tokens("- "+in+t.clause+"…\n"), cut+1)
		}
		try(0, frame, 0)
	}
	return best
}
