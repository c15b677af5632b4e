package engine

import (
	"context"
	"unicode/utf8"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/inject"
	"github.com/pimento-memory/pimento/internal/session"
)

// A harness whose hooks can only add to the conversation cannot be handed a prefix
// anew on every prompt. So the session's file says which prefix stands there
// (State.Given) and that its entries are in context (State.Shown), until a compaction
// has taken it away.

// tailRoom is what of a harness's room, in characters, no prefix takes: a prompt must
// be able to bring both.
const tailRoom = 1500

// suit fits a profile to what the harness does with it.
func (t *turn) suit(p *pimento.Profile) {
	if t.Lasting && p.Snapshot == "per-turn" {
		p.Snapshot = "stable" // the whole block once more with each prompt would fill the conversation
	}
}

// prefixFacts are what a prefix or a whole block is built from.
func (t *turn) prefixFacts(ctx context.Context) inject.Facts {
	f := t.e.facts(ctx, t.v, t.Turn)
	if f.Room = t.Room; f.Room > 0 && t.v.profile.Snapshot != "per-turn" {
		f.Room = max(1, t.Room-tailRoom)
	}
	return f
}

// inPlace stands before a prefix in whose conversation there is an earlier one; that of
// a fork's is not known.
const inPlace = "This takes the place of the memory that stands further up.\n\n"

// lay decides whether the prefix has to be given; the tail has the rest of the room
// then.
func (t *turn) lay(f *inject.Facts) {
	t.gives = t.Lasting && t.frozen.Prefix != "" && t.state.Given != digestOf(t.frozen.Prefix)
	if f.Room = t.Room; f.Room > 0 && t.gives {
		f.Room = max(1, t.Room-utf8.RuneCountInString(t.handedOut().Prefix))
	}
}

// handedOut is the block as the harness gets it.
func (t *turn) handedOut() pimento.Block {
	b := t.block
	switch {
	case !t.Lasting:
	case !t.gives:
		b.Prefix = ""
	case t.state.Given != "" || t.Reason == "fork":
		b.Prefix = inPlace + t.frozen.Prefix
	default:
		b.Prefix = t.frozen.Prefix
	}
	return b
}

// given notes that the prefix stands in the conversation now.
func (t *turn) given(s *session.State) {
	if t.gives {
		s.Given = digestOf(t.frozen.Prefix)
		s.Shown = append(s.Shown, t.frozen.IDs...)
	}
}

// toolUsed notes what a tool's answer put into the conversation. The tool ran in another
// process: where it might have opened an encrypted page, it is taken to have done so.
func (t *turn) toolUsed(ctx context.Context) {
	if t.Session == "" || len(t.InContext) == 0 {
		return
	}
	sealed := t.e.opens(ctx, t.v)
	t.v.faultErr("session", t.e.sessions.Update(ctx, t.Harness, t.Session, func(s *session.State) {
		s.Shown, s.Sealed = append(s.Shown, t.InContext...), s.Sealed || sealed
	}))
}

// compacting notes, where the conversation holds the prefix, that it is about to go:
// of the events that may follow a compaction, the first is to begin anew.
func (t *turn) compacting(ctx context.Context) {
	if t.Lasting && t.Session != "" {
		t.v.faultErr("session", t.e.sessions.Update(ctx, t.Harness, t.Session, func(s *session.State) { s.Compacting = true }))
	}
}

// emptied begins anew where a session starts without what its context held.
func (t *turn) emptied(ctx context.Context) {
	if t.Session == "" || t.Event != pimento.SessionStart || t.Reason != "compact" && t.Reason != "clear" {
		return
	}
	t.v.faultErr("session", t.e.sessions.Update(ctx, t.Harness, t.Session, func(s *session.State) {
		anew(s)
		t.state = *s
	}))
}

// compacted starts a new epoch: the prefix is taken anew and nothing of the
// tails is in the context any more.
func (t *turn) compacted(ctx context.Context) {
	if t.Session == "" {
		return
	}
	err := t.e.sessions.Update(ctx, t.Harness, t.Session, func(s *session.State) {
		after := t.Compaction + "/after"
		if t.Compaction != "" && s.Compacted(after) || t.Lasting && !s.Compacting {
			return // reported twice
		}
		if t.Compaction != "" {
			s.Compactions = append(s.Compactions, after)
		}
		anew(s)
	})
	t.v.faultErr("session", err)
}

// anew says that a session's context holds nothing of memory.
func anew(s *session.State) {
	s.Epoch++
	s.Shown, s.Given, s.Compacting = nil, "", false
}
