package engine

import (
	"context"
	"fmt"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/page"
)

// coldAuto is the word of a profile whose cold topics are archived when a
// session starts.
const coldAuto = "auto"

// archiveCold moves the topics that have gone cold into the archive, or with
// apply false only says where to. Nothing of them is deleted, each move has a
// way back, and a topic with a pin is never cold. The moves that were made are
// returned with an error, too.
func (e *Engine) archiveCold(ctx context.Context, v *view, apply bool, by Actor) ([]Move, error) {
	moves := []Move{}
	if s := v.profile.Scoring; s.Cold == "" || s.ColdAfter <= 0 {
		return moves, nil
	}
	for _, t := range e.topics(ctx, v) {
		if !t.Cold || page.Archived(t.Page) {
			continue
		}
		reason := fmt.Sprintf("cold: nothing of it was said since %s", t.Newest.Format("2006-01-02"))
		m, err := e.move(ctx, moving{v.store(t.Scope), t.Page, nil, t.Name}, reason, apply, by)
		if err != nil {
			return moves, err
		}
		moves = append(moves, m)
	}
	return moves, nil
}

// cool archives what has gone cold at the start of a session, where the profile
// says so, before anything is shown of it.
func (t *turn) cool(ctx context.Context) {
	if t.Event != pimento.SessionStart || t.v.profile.Scoring.Cold != coldAuto {
		return
	}
	moves, err := t.e.archiveCold(ctx, t.v, true, Actor{Name: "harness", Session: t.Session})
	t.v.faultErr("cold", err)
	t.cooled = moves
}

// cooledNotices say what went, and how it comes back.
func cooledNotices(moves []Move) []Notice {
	var said []Notice
	for _, m := range moves {
		said = append(said, Notice{fmt.Sprintf("archived what has gone cold: %s:%s", m.Scope, m.Page), "back with: pimento restore " + m.Recovery})
	}
	return said
}
