package tool

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
)

// A TurnReply is the JSON with which every door answers a turn.
type TurnReply struct {
	Block   pimento.Block   `json:"block"`
	Notice  string          `json:"notice"`  // for the person, said once, mostly one line
	Consent *engine.Consent `json:"consent"` // null unless a project waits for a yes
	Grace   time.Duration   `json:"-"`       // see [engine.Reply]

	notices []engine.Notice
}

// In is the reply as it is said at another door than a shell.
func (r TurnReply) In(p Paint) TurnReply {
	var said []string
	for _, n := range r.notices {
		line := n.Text
		if n.Hint != "" {
			line = strings.TrimSuffix(line, ".") + "; " + p.Hint(n.Hint)
		}
		said = append(said, line)
	}
	r.Notice = strings.Join(said, "\n")
	return r
}

// Turn answers a turn and never fails: a panic below becomes an empty block
// with a fault. The returned function does the bookkeeping, is never nil, and
// must be called once the reply has been handed out.
func Turn(ctx context.Context, e *engine.Engine, t pimento.Turn) (rep TurnReply, after func(context.Context)) {
	nothing := func(context.Context) {}
	defer func() {
		if r := recover(); r != nil {
			rep, after = EmptyTurn(t, pimento.Fault{Kind: "panic", Detail: fmt.Sprint(r)}), nothing
		}
	}()
	got := e.Turn(ctx, t)
	after = nothing
	if got.After != nil {
		after = Harmless(got.After)
	}
	rep = TurnReply{Block: Whole(got.Block), Consent: got.Consent, Grace: got.Grace, notices: got.Notices}
	return rep.In(Paint{}), after
}

// Harmless is bookkeeping that cannot panic: the answer is out, so it may fail,
// and not harm.
func Harmless(keep func(context.Context)) func(context.Context) {
	return func(ctx context.Context) {
		defer func() { _ = recover() }()
		keep(ctx)
	}
}

// Fenced is a prefix as it stands in a conversation, "" for none.
func Fenced(prefix string) string {
	if prefix == "" {
		return ""
	}
	return "<memory>\n" + strings.TrimSpace(prefix) + "\n</memory>"
}

// EmptyTurn is the reply of a turn for which nothing could be done.
func EmptyTurn(t pimento.Turn, faults ...pimento.Fault) TurnReply {
	return TurnReply{Block: Whole(pimento.Block{Status: pimento.Unavailable, Session: t.Session, Faults: faults})}
}

// Told is a record as it is shown: without what replay alone reads.
func Told(tr pimento.Trace) pimento.Trace {
	tr.Block, tr.Beside = Whole(tr.Block), nil
	return tr
}

// Whole makes lists that are never null in JSON.
func Whole(b pimento.Block) pimento.Block {
	if b.Sections == nil {
		b.Sections = []pimento.SectionUse{}
	}
	if b.Trace == nil {
		b.Trace = []pimento.Decision{}
	}
	if b.Faults == nil {
		b.Faults = []pimento.Fault{}
	}
	return b
}
