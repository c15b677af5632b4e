package engine

import (
	"context"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/upkeep"
)

// concludedIn is the source of a proposal that came from what a compaction took
// away.
const concludedIn = "compaction"

// conclude proposes what was decided and found out in the messages that a
// compaction takes away. It runs after the answer: a compaction waits for
// nobody.
func (t *turn) conclude(ctx context.Context) {
	most := t.v.profile.Handoff.Propose
	if t.Event != pimento.BeforeCompact || most == 0 || t.Session == "" || t.silent() || !t.v.traces || t.v.capture == captureOff || t.quotesSealed() {
		return
	}
	by := Actor{"agent", t.Session}
	for _, c := range upkeep.Conclusions(append(t.Dropped, t.SplitTurn...), most) {
		if t.v.capture == captureAuto {
			_, _ = t.e.Remember(ctx, Note{Text: c.Text, Kind: c.Kind, Cue: "behavioral", Implicit: true, Actor: by.Name, Session: by.Session})
			continue
		}
		_, _ = t.e.propose(ctx, t.v, pimento.Proposal{Text: c.Text, Kind: c.Kind, Cue: "behavioral", Source: concludedIn,
			Reason: "the " + c.Role + " said so before a compaction"}, by)
	}
}
