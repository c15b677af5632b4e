// Package hook is the one-shot door: a harness starts `pimento hook pi` for one
// event, writes the event to its standard input and reads the answer.
//
// A hook never stands in the agent's way. Whatever happens, garbage on the
// input, a part that panics, a deadline that passes, it answers with an empty
// block whose faults say what was missing, and the process exits with 0.
package hook

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
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
	Dir  string                                   // where it was started; for events that name no directory
	Open func(dir string) (*engine.Engine, error) // makes the engine
	Wait time.Duration                            // the engine's deadline; 0 means 300 ms
}

// Pi reads one turn as JSON from in, writes the reply to out and keeps the
// books. It never fails.
func Pi(ctx context.Context, in io.Reader, out io.Writer, opt Options) {
	t, err := decode(in)
	if err != nil {
		write(out, tool.EmptyTurn(t, pimento.Fault{Kind: "input", Detail: err.Error()}))
		return
	}
	if t.Dir == "" {
		t.Dir = opt.Dir
	}
	if t.Harness == "" {
		t.Harness = "pi"
	}
	rep, after := answer(ctx, t, opt)
	write(out, rep)
	after()
}

// decode reads one JSON object and waits neither for what follows it nor, for
// longer than inputWait, for a harness that writes nothing.
func decode(in io.Reader) (pimento.Turn, error) {
	type result struct {
		turn pimento.Turn
		err  error
	}
	got := make(chan result, 1)
	go func() {
		var r result
		limited := &io.LimitedReader{R: in, N: maxInput}
		r.err = json.NewDecoder(limited).Decode(&r.turn)
		switch {
		case r.err != nil && limited.N == 0:
			r.err = fmt.Errorf("an event of more than %d bytes", maxInput)
		case errors.Is(r.err, io.EOF):
			r.err = errors.New("no event on standard input")
		case r.err != nil:
			r.err = fmt.Errorf("malformed event: %w", r.err)
		}
		if r.err != nil {
			r.turn = pimento.Turn{} // half an event is none
		}
		got <- r
	}()
	timer := time.NewTimer(inputWait)
	defer timer.Stop()
	select {
	case r := <-got:
		return r.turn, r.err
	case <-timer.C:
		return pimento.Turn{}, errors.New("no event on standard input in time")
	}
}

// answer runs the turn beside a clock: the engine keeps its own deadline, and
// this one holds when even that fails. A turn that is too late is abandoned.
func answer(ctx context.Context, t pimento.Turn, opt Options) (tool.TurnReply, func()) {
	type result struct {
		reply tool.TurnReply
		after func()
	}
	wait := opt.Wait
	if wait <= 0 {
		wait = 300 * time.Millisecond
	}
	if t.Event == pimento.BeforeCompact {
		wait = max(wait, handoffWait) // writes a handoff, which a harness waits for longer than for a prompt
	}
	got, longer := make(chan result, 1), make(chan time.Duration, 1)
	go func() {
		rep, after := run(ctx, t, opt, longer)
		got <- result{rep, after}
	}()
	timer := time.NewTimer(wait + grace)
	defer timer.Stop()
	for {
		select {
		case r := <-got:
			return r.reply, r.after
		case d := <-longer:
			timer.Reset(max(wait, d) + grace)
		case <-timer.C:
			return tool.EmptyTurn(t, pimento.Fault{Kind: "deadline", Detail: "the turn took too long"}), func() {}
		}
	}
}

// run opens the engine and asks it, once it has told how long that may take.
// Panics on the way are faults.
func run(ctx context.Context, t pimento.Turn, opt Options, longer chan<- time.Duration) (rep tool.TurnReply, after func()) {
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
	longer <- e.Patience(ctx)
	rep, keep := tool.Turn(ctx, e, t)
	return rep, func() { keep(ctx) } // the process ends, which closes more cheaply than we could
}

func write(out io.Writer, rep tool.TurnReply) {
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(rep) // a closed pipe means that nobody listens
}
