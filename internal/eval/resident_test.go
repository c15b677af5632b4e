package eval

import (
	"fmt"
	"testing"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/fault"
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

// An oracle knows each way to show what must stand, and how little room the best
// of them takes. On small pages it tries all of them: where resident says that
// the least set does not fit, it does not, and where it fits nothing is missing.
func TestResidentAgainstTheOracleOfPages(t *testing.T) {
	h, err := bench(t).Headroom(t.Context(), 30)
	if err != nil || h.Wrong > 0 || h.Unsaid > 0 || h.Faults > 0 {
		t.Errorf("%+v, %v", h, err)
	}
	if h.Prompts < 150 || h.Short < 10 || h.Short > h.Prompts-50 {
		t.Errorf("the cases are too easy, or too hard, to tell anything: %+v", h)
	}
}

// An oracle that never finds anything proves nothing: it is right about pages
// whose least room is known by counting.
func TestTheOracleCounts(t *testing.T) {
	all := newWorkload(shape{name: "small", prompts: 6, compact: 2, rules: 3, goals: 2, finds: 3, again: 2}, 1)
	var holds []thing
	for _, s := range all.steps {
		holds = append(holds, s.told...)
	}
	least := leastRoom(holds)
	block := pimento.Block{Faults: []pimento.Fault{{Kind: string(fault.PinnedMiss)}}}
	var h Headroom
	h.look(block, least, least+slack)
	h.look(block, least, least-1)
	h.look(pimento.Block{}, least, least-1)
	h.look(pimento.Block{}, least, least)
	if want := (Headroom{Prompts: 4, Short: 2, Wrong: 1, Unsaid: 1}); h != want || least == 0 {
		t.Errorf("%+v, want %+v; least %d", h, want, least)
	}
}
