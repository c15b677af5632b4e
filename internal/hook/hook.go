// Package hook answers one event of a harness in one process: the harness starts
// `pimento hook NAME`, writes the event to standard input and reads the answer. How a
// harness says an event and hears an answer is its [Dialect]; everything else is the same
// for all of them and is done by [Serve].
//
// A hook never stands in the agent's way. Garbage on the input, a part that panics, a
// deadline that passes: whatever happens, the answer is an empty block whose faults say
// what was missing, and the process exits with 0.
package hook

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
	"github.com/pimento-memory/pimento/internal/text"
	"github.com/pimento-memory/pimento/internal/tool"
)

// maxInput bounds what is read of an event: a prompt of 1 MB, escaped.
const maxInput = 8 << 20

// handoffWait is how long a compaction's handoff may take.
const handoffWait = 3 * time.Second

// inputWait is how long the harness may take to write its event.
const inputWait = 5 * time.Second

// grace is what a turn may take beyond the engine's own deadline before the
// hook answers without it.
const grace = 200 * time.Millisecond

// Options say how a hook works.
type Options struct {
	Dir     string                                   // where it was started; for events that name no directory
	Project string                                   // the session's, where the directory of an event may be any below it
	Main    bool                                     // a person leads the session, as far as the harness's environment tells
	Print   bool                                     // it answers one prompt of a command line: the first line alone is surely the user's
	Open    func(dir string) (*engine.Engine, error) // makes the engine
	Wait    time.Duration                            // the engine's deadline; 0 means 300 ms
}

// look is how often the clock looks whether what is being done has taken too long.
const look = 25 * time.Millisecond

// A stage is what is being done, and how long that may take: then the harness is
// told that it is late.
type stage struct {
	limit time.Duration
	to    pimento.Turn
	late  tool.TurnReply
	more  time.Duration // for what it is doing all the same, the harness having been told
}

// Serve reads one turn from in as a harness says it, writes the reply to out and keeps
// the books. It never fails. All of it is done by one goroutine, beside a clock: the
// engine keeps its own deadline, and the clock holds when even that fails. A turn
// that is too late is given as long again before it is abandoned: what it makes,
// such as a prefix of very long pages, is there for the next one then, which would
// be as late without it.
func Serve(ctx context.Context, d Dialect, in io.Reader, out io.Writer, opt Options) {
	var answered atomic.Bool
	reply := func(to pimento.Turn, rep tool.TurnReply) (ours bool) {
		if ours = answered.CompareAndSwap(false, true); ours {
			d.encode(out, to, rep)
		}
		return ours
	}
	var now atomic.Pointer[stage]
	now.Store(&stage{limit: inputWait, late: tool.EmptyTurn(pimento.Turn{}, pimento.Fault{Kind: "input", Detail: "no event on standard input in time"})})
	done := make(chan struct{})
	go func() {
		defer close(done)
		serve(ctx, d, in, opt, &now, reply)
	}()
	s := overdue(&now, done)
	if s == nil {
		return
	}
	if !reply(s.to, s.late) {
		<-done // the answer is out, and the books are being kept
		return
	}
	select {
	case <-done:
	case <-time.After(s.more):
	}
}

// apart marks what Claude Code (2.1.330) puts behind the prompt that it was started with,
// with a line's end between: what was piped in. Codex marks it so itself.
func apart(prompt string) string {
	typed, piped, ok := strings.Cut(prompt, "\n")
	if !ok {
		return prompt
	}
	return typed + "\n\n<stdin>\n" + piped + "\n</stdin>"
}

// overdue waits for a stage that takes too long; nil says that the turn has ended. It
// looks now and then instead of being told when a stage begins: most turns end before
// it first looks, and to wake a thread for each stage costs such a turn more.
func overdue(now *atomic.Pointer[stage], done <-chan struct{}) *stage {
	clock := time.NewTicker(look)
	defer clock.Stop()
	var seen *stage
	var since time.Time
	for {
		select {
		case <-done:
			return nil
		case at := <-clock.C:
			if s := now.Load(); s != seen {
				seen, since = s, at
			} else if at.Sub(since) >= s.limit {
				return s
			}
		}
	}
}

// serve answers one turn. It says in now how long the next of it may take.
func serve(ctx context.Context, d Dialect, in io.Reader, opt Options, now *atomic.Pointer[stage], reply func(pimento.Turn, tool.TurnReply) bool) {
	t, wrong, err := read(d, in)
	if err != nil {
		reply(t, tool.EmptyTurn(t, pimento.Fault{Kind: "input", Detail: err.Error()}))
		return
	}
	t.Dir = cmp.Or(opt.Project, t.Dir, opt.Dir)
	if t.Event == pass {
		return
	}
	if t.Harness == "" {
		t.Harness = d.Name
	}
	t.Main = t.Main || opt.Main
	if opt.Print {
		t.Prompt = apart(t.Prompt)
	}
	wait := opt.Wait
	if wait <= 0 {
		wait = 300 * time.Millisecond
	}
	if t.Event == pimento.BeforeCompact {
		wait = max(wait, handoffWait) // writes a handoff, which a harness waits for longer than for a prompt
	}
	late := tool.EmptyTurn(t, pimento.Fault{Kind: "deadline", Detail: "the turn took too long"})
	takes := func(d time.Duration) { now.Store(&stage{d + grace, t, late, d + grace}) }
	takes(wait)
	rep, after := run(ctx, t, opt, func(d time.Duration) { takes(max(wait, d)) })
	if wrong != nil {
		rep.Block.Faults = append(rep.Block.Faults, pimento.Fault{Kind: "input", Detail: wrong.Error()})
	}
	if reply(t, rep) {
		after()
	}
}

// read reads one JSON object and does not wait for what follows it.
func read(d Dialect, in io.Reader) (t pimento.Turn, wrong, err error) {
	limited := &io.LimitedReader{R: in, N: maxInput}
	var raw json.RawMessage
	if err = json.NewDecoder(limited).Decode(&raw); err == nil {
		t, wrong, err = d.decode(raw)
	}
	switch {
	case err != nil && limited.N == 0:
		err = fmt.Errorf("an event of more than %d bytes", maxInput)
	case errors.Is(err, io.EOF):
		err = errors.New("no event on standard input")
	case err != nil:
		err = malformed(err)
	}
	if err != nil {
		t = pimento.Turn{} // half an event is none
	}
	return t, wrong, err
}

func malformed(err error) error { return fmt.Errorf("malformed event: %w", text.Misfit(err)) }

// run opens the engine and asks it, once it has told how long that may take.
// Panics on the way are faults.
func run(ctx context.Context, t pimento.Turn, opt Options, longer func(time.Duration)) (rep tool.TurnReply, after func()) {
	defer func() {
		if r := recover(); r != nil {
			rep = tool.EmptyTurn(t, pimento.Fault{Kind: "panic", Detail: fmt.Sprint(r)})
			after = func() {}
		}
	}()
	e, err := opt.Open(t.Dir)
	if err != nil {
		return tool.EmptyTurn(t, pimento.Fault{Kind: "open", Detail: err.Error()}), func() {}
	}
	longer(e.Patience(ctx))
	rep, keep := tool.Turn(ctx, e, t)
	return rep, func() { keep(ctx) } // the process ends, which closes more cheaply than we could
}
