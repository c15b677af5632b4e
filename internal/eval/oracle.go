package eval

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
	"github.com/pimento-memory/pimento/internal/fault"
	"github.com/pimento-memory/pimento/internal/text"
)

// A Headroom is what an oracle finds to be gained over the resident set on small
// pages, where every way to show what must stand can be tried.
type Headroom struct {
	Cases   int `json:"cases"`   // sessions, each with a work and a budget of its own
	Prompts int `json:"prompts"` // looked at
	Short   int `json:"short"`   // at which resident said that the least set does not fit
	Wrong   int `json:"wrong"`   // of these, at which some way would have fitted
	Unsaid  int `json:"unsaid"`  // at which it did not fit and resident did not say so
	Faults  int `json:"faults"`  // that another choice would have avoided
}

// Headroom lives so many small sessions under the profile resident and holds
// every prompt against the oracle.
func (b Bench) Headroom(ctx context.Context, cases int) (Headroom, error) {
	h := Headroom{Cases: cases}
	for seed := range uint64(cases) {
		if err := h.hold(ctx, b, seed); err != nil {
			return h, err
		}
	}
	return h, nil
}

func (h *Headroom) hold(ctx context.Context, b Bench, seed uint64) error {
	r := rand.New(rand.NewPCG(seed, 0))
	budget := 30 + r.IntN(150)
	sh := shape{name: "small", prompts: 6, compact: 2, rules: 1 + r.IntN(5), goals: 2, finds: 3, again: 2}
	w, err := b.newWorld(ctx, pimento.Project, workStart())
	if err != nil {
		return err
	}
	s := Supply{Kinds: map[fault.Kind]int{}}
	over := map[string]any{"resident": map[string]any{"tokens": budget}}
	err = w.with(setting{profile: string(Resident), overrides: over}, func(e *engine.Engine) error {
		a := &agent{work: newWorkload(sh, seed), supply: &s}
		a.memory = watched{&pages{w: w, e: e}, func(block pimento.Block) { h.look(block, leastRoom(a.holds), budget) }}
		return a.live(ctx)
	})
	h.Faults += s.Faults
	return err
}

// look holds one block against the least room that what must stand takes.
func (h *Headroom) look(block pimento.Block, least, budget int) {
	short := slices.ContainsFunc(block.Faults, func(f pimento.Fault) bool { return f.Kind == string(fault.PinnedMiss) })
	h.Prompts++
	if short {
		h.Short++
	}
	if short && least+slack <= budget {
		h.Wrong++
	}
	if !short && least > budget {
		h.Unsaid++
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
