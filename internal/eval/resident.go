package eval

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
	"github.com/pimento-memory/pimento/internal/fault"
	"github.com/pimento-memory/pimento/internal/text"
	"github.com/pimento-memory/pimento/internal/tool"
)

// A Policy is a way to keep an agent supplied with what it knew.
type Policy string

const (
	// Retrieval puts in front of the model what bears on the prompt, and nothing
	// else. Everything is written down at once.
	Retrieval Policy = "retrieval"
	// Summary keeps, at each compaction, the newest of what was said, word for
	// word: the best that a summary of this size could do. There is no memory.
	Summary Policy = "summary"
	// Resident is the profile of that name.
	Resident Policy = "resident"
)

// Policies lists all of them.
func Policies() []Policy { return []Policy{Retrieval, Summary, Resident} }

// ResidentBudgets are the sizes of maxMemoryTokens that are measured.
func ResidentBudgets() []int { return []int{120, 250, 500, 1000, 2000, 4096} }

// A Supply says how one policy did at one piece of work within one budget.
type Supply struct {
	Workload string             `json:"workload"`
	Budget   int                `json:"budget"` // maxMemoryTokens; the others get what resident has beside it, too
	Policy   Policy             `json:"policy"`
	Prompts  int                `json:"prompts"`
	Faults   int                `json:"faults"` // that another choice would have avoided
	Kinds    map[fault.Kind]int `json:"kinds"`
	// Short counts the prompts at which even the least set did not fit: what is
	// missing then no policy could have shown, and it is said in the block.
	Short  int     `json:"short"`
	Tokens float64 `json:"tokens"` // mean of what memory took of a prompt
}

// ResidentOptions of a run. Zero means every budget and seed 1.
type ResidentOptions struct {
	Budgets []int
	Seed    uint64
}

// Supplies lives each workload under each policy within each budget: the
// workload is the same, the memory is real, and a fault is counted when what a
// prompt needs is neither in the agent's context nor in the text before it.
func (b Bench) Supplies(ctx context.Context, o ResidentOptions) ([]Supply, error) {
	if len(o.Budgets) == 0 {
		o.Budgets = ResidentBudgets()
	}
	if o.Seed == 0 {
		o.Seed = 1
	}
	step := b.steps(len(shapes()) * len(o.Budgets) * len(Policies()))
	var out []Supply
	for _, sh := range shapes() {
		work := newWorkload(sh, o.Seed)
		for _, budget := range o.Budgets {
			for _, p := range Policies() {
				s, err := b.supply(ctx, work, p, budget)
				if err != nil {
					return nil, err
				}
				out = append(out, s)
				step()
			}
		}
	}
	return out, nil
}

// supply lives one workload.
func (b Bench) supply(ctx context.Context, work workload, p Policy, budget int) (Supply, error) {
	s := Supply{Workload: work.name, Budget: budget, Policy: p, Prompts: len(work.steps), Kinds: map[fault.Kind]int{}}
	prof, err := b.profile(string(Resident))
	if err != nil {
		return s, err
	}
	beside := size(pimento.Profile{Tail: prof.Tail})
	if p == Summary {
		a := agent{work: work, supply: &s, memory: &summary{room: budget + beside}}
		return s, a.live(ctx)
	}
	w, err := b.newWorld(ctx, pimento.Project, workStart())
	if err != nil {
		return s, err
	}
	over := map[string]any{"resident": map[string]any{"tokens": budget}}
	if p == Retrieval {
		const many = 40
		over = map[string]any{"tail": map[string]any{"tokens": budget + beside}, "recall": map[string]any{"hits": many},
			"sections": map[string]any{"memory": nil, "topics": map[string]any{"max": many}}}
	}
	return s, w.with(setting{profile: string(Resident), overrides: over}, func(e *engine.Engine) error {
		a := agent{work: work, supply: &s, memory: &pages{w: w, e: e}}
		if err := a.live(ctx); err != nil {
			return err
		}
		return a.agrees(ctx, e)
	})
}

// A memory is what a policy has beside the agent's context.
type memory interface {
	write(ctx context.Context, all []thing) error                    // what holds now
	compact(ctx context.Context, lost []thing) error                 // the context is gone
	prompt(ctx context.Context, words string) (pimento.Block, error) // what the model is given
	acted(ctx context.Context, calls []pimento.ToolUse) error
}

// An agent lives a workload.
type agent struct {
	work   workload
	supply *Supply
	memory memory

	holds []thing         // what was told and still holds
	knows map[string]bool // subjects of what its context holds
	since []thing         // told since the last compaction
}

func (a *agent) live(ctx context.Context) error {
	a.knows = map[string]bool{}
	for _, s := range a.work.steps {
		if s.compacted {
			if err := a.memory.compact(ctx, a.since); err != nil {
				return err
			}
			clear(a.knows)
		}
		block, err := a.memory.prompt(ctx, s.prompt())
		if err != nil {
			return err
		}
		calls := a.answers(s, block)
		if err := a.memory.acted(ctx, calls); err != nil {
			return err
		}
		a.learn(s)
		if err := a.memory.write(ctx, a.holds); err != nil {
			return err
		}
	}
	a.supply.Tokens /= float64(max(a.supply.Prompts, 1))
	return ctx.Err()
}

// answers looks for what one prompt needs, counts what is missing, and returns
// the calls that the agent had to make.
func (a *agent) answers(s step, b pimento.Block) (calls []pimento.ToolUse) {
	in, short := look(b), slices.ContainsFunc(b.Faults, func(f pimento.Fault) bool { return f.Kind == string(fault.PinnedMiss) })
	a.supply.Tokens += float64(b.Tokens)
	a.supply.Short += one(short)
	if s.compacted && slices.ContainsFunc(a.since, func(t thing) bool { return a.lost(t) }) {
		a.fault(fault.FlushMiss)
	}
	if s.compacted {
		a.since = nil
	}
	if !short && slices.ContainsFunc(a.holds, func(t thing) bool { return t.required() && !a.knows[t.subject] && !in.holds(t.clause) }) {
		a.fault(map[bool]fault.Kind{true: fault.Bootstrap, false: fault.PinnedMiss}[s.compacted])
	}
	for _, t := range s.needs {
		if !a.knows[t.subject] && !in.holds(t.text()) {
			a.fault(t.missed())
			calls = append(calls, t.call()...)
		}
		a.knows[t.subject] = true
	}
	for _, t := range s.told {
		calls = append(calls, t.call()...)
	}
	return calls
}

// lost says whether nothing holds a thing any more that still holds.
func (a *agent) lost(t thing) bool {
	kept, ok := a.memory.(*summary)
	return ok && slices.Contains(a.holds, t) && !slices.Contains(kept.kept, t)
}

func (a *agent) fault(k fault.Kind) {
	a.supply.Faults++
	a.supply.Kinds[k]++
}

func (a *agent) learn(s step) {
	a.holds = slices.DeleteFunc(a.holds, func(t thing) bool { return slices.Contains(s.ended, t) })
	a.holds, a.since = append(a.holds, s.told...), append(a.since, s.told...)
	for _, t := range s.told {
		a.knows[t.subject] = true
	}
}

// agrees checks that the faults which are found in journal and traces are those
// that were counted, as far as they can be told from there.
func (a *agent) agrees(ctx context.Context, e *engine.Engine) error {
	found, err := e.Faults(ctx)
	if err != nil {
		return err
	}
	count := map[fault.Kind]int{}
	for _, f := range found {
		count[f.Kind]++
	}
	if count[fault.DuplicateTool] != a.supply.Kinds[fault.DuplicateTool] {
		return &pimento.Error{Op: "eval", Kind: pimento.KindInternal,
			Err: fmt.Errorf("%s, %d tokens: %d calls were made again, and the records show %d", a.supply.Workload, a.supply.Budget,
				a.supply.Kinds[fault.DuplicateTool], count[fault.DuplicateTool])}
	}
	return nil
}

// call is how the agent gets a thing from a tool.
func (t thing) call() []pimento.ToolUse {
	if t.sort != called {
		return nil
	}
	sum := sha256.Sum256([]byte(t.subject))
	return []pimento.ToolUse{{Name: "bash", Args: hex.EncodeToString(sum[:8])}}
}

// A summary is a context that keeps the newest of what it loses.
type summary struct {
	room int
	kept []thing
}

func (m *summary) write(context.Context, []thing) error           { return nil }
func (m *summary) acted(context.Context, []pimento.ToolUse) error { return nil }

func (m *summary) compact(_ context.Context, lost []thing) error {
	all := append(m.kept, lost...)
	m.kept = nil
	for room, i := m.room, len(all)-1; i >= 0; i-- {
		if room -= text.Tokens("- " + all[i].text() + "\n"); room < 0 {
			break
		}
		m.kept = append([]thing{all[i]}, m.kept...)
	}
	return nil
}

func (m *summary) prompt(context.Context, string) (pimento.Block, error) {
	var b strings.Builder
	for _, t := range m.kept {
		b.WriteString("- " + t.text() + "\n")
	}
	return pimento.Block{Prefix: b.String(), Tokens: text.Tokens(b.String())}, nil
}

// pages are the memory of a profile, which the agent writes with its own tools.
type pages struct {
	w           *world
	e           *engine.Engine
	compactions int
}

const residentSession = "work"

// workStart is when a workload begins; nothing depends on the day.
func workStart() time.Time { return time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC) }

// write brings the pages up to what holds: rules and the plan in the index, what
// was found out in a topic file that it links to.
func (m *pages) write(_ context.Context, all []thing) error {
	var index, found strings.Builder
	for _, part := range []struct {
		heading string
		sort    sort
	}{{"Rules", rule}, {"Plan", goal}} {
		index.WriteString("## " + part.heading + "\n\n")
		for _, t := range all {
			if t.sort == part.sort {
				index.WriteString("- " + t.text() + "\n")
			}
		}
		index.WriteString("\n")
	}
	for _, t := range all {
		if !t.required() {
			found.WriteString("\n## The " + t.subject + " part\n\n" + t.text() + "\n")
		}
	}
	if found.Len() > 0 {
		index.WriteString("## Topics\n\n- [Findings](findings.md)\n")
		if err := os.WriteFile(filepath.Join(m.w.root, "findings.md"), []byte("# Findings\n"+found.String()), 0o644); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(m.w.root, "MEMORY.md"), []byte(index.String()), 0o644)
}

func (m *pages) compact(ctx context.Context, _ []thing) error {
	m.compactions++
	for _, event := range []pimento.TurnEvent{pimento.BeforeCompact, pimento.AfterCompact} {
		t := m.w.turn(event, residentSession, "")
		t.Compaction = fmt.Sprint(m.compactions)
		if _, err := m.turn(ctx, t); err != nil {
			return err
		}
	}
	return nil
}

func (m *pages) prompt(ctx context.Context, words string) (pimento.Block, error) {
	m.w.Now = m.w.Now.Add(10 * time.Minute)
	return m.turn(ctx, m.w.turn(pimento.PromptTurn, residentSession, words))
}

func (m *pages) acted(ctx context.Context, calls []pimento.ToolUse) error {
	m.w.Now = m.w.Now.Add(time.Minute)
	t := m.w.turn(pimento.TurnEnd, residentSession, "")
	t.Tools = calls
	_, err := m.turn(ctx, t)
	return err
}

func (m *pages) turn(ctx context.Context, t pimento.Turn) (pimento.Block, error) {
	m.w.Now = m.w.Now.Add(time.Second)
	rep, after := tool.Turn(ctx, m.e, t)
	after(ctx)
	return rep.Block, faulty(rep.Block.Faults)
}
