package engine

import (
	"context"
	"sync"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/glean"
	"github.com/pimento-memory/pimento/internal/think"
	"github.com/pimento-memory/pimento/internal/upkeep"
)

// conclude proposes what was decided and found out in the messages that a
// compaction takes away. It runs after the answer: a compaction waits for
// nobody. A process that serves has the user's language model read them, where
// the user wants that of compactions; any other, and one whose model fails, goes
// by words.
func (t *turn) conclude(ctx context.Context) {
	most := t.v.profile.Handoff.Propose
	if t.Event != pimento.BeforeCompact || most == 0 || !t.keeps() || t.v.capture == captureOff || t.quotesSealed() {
		return
	}
	messages := append(t.Dropped[:len(t.Dropped):len(t.Dropped)], t.SplitTurn...)
	if len(messages) == 0 || t.v.worth != worthAll || !t.e.opt.Serve || !t.v.thinker.On() {
		t.concluded(ctx, t.v, upkeep.Conclusions(messages, most))
		return
	}
	t.e.readOuts.begin(t.Session)
	shown := t.shownTexts(ctx)
	t.e.background.Go(func() {
		thinking, cancel := context.WithTimeout(t.e.life, worthTime)
		defer cancel()
		found, err := t.readOut(thinking, messages, most)
		// The session may have ended meanwhile; what it said is kept.
		ctx, done := context.WithTimeout(context.WithoutCancel(thinking), commitTime)
		defer done()
		v := t.e.look(ctx) // the turn is over, and the user may want it otherwise by now
		if v.capture == captureOff || !v.traces {
			return
		}
		if err != nil {
			t.concluded(ctx, v, upkeep.Conclusions(messages, most))
			return
		}
		for _, c := range found {
			if !glean.Echo(c.Text, shown) {
				t.proposeConclusion(ctx, v, c, "a language model read it in what a compaction took away")
			}
		}
	})
}

// readOuts are the sessions of which a language model reads what their
// compaction takes away: its summary is not read as well.
type readOuts struct {
	mu sync.Mutex
	of map[string]bool
}

func (r *readOuts) begin(session string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.of == nil {
		r.of = map[string]bool{}
	}
	r.of[session] = true
}

// over says whether the compaction that is over was read, and forgets it.
func (r *readOuts) over(session string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	was := r.of[session]
	delete(r.of, session)
	return was
}

// readOut asks the language model what the messages conclude.
func (t *turn) readOut(ctx context.Context, messages []pimento.Message, most int) ([]upkeep.Conclusion, error) {
	thinker, err := t.e.openThinker(t.v)
	if err != nil {
		return nil, err
	}
	defer thinker.Close()
	ask := upkeep.ConcludeAsk()
	said := transcript(messages, thinker.Room(ask))
	ask.Material = []think.Material{{Name: "the conversation", Text: said}}
	answer, err := thinker.Think(ctx, ask)
	if err != nil {
		return nil, err
	}
	return upkeep.ReadConclusions(answer, said, most)
}

// concluded takes what was found by words: proposed, or written where the user
// lets that be written.
func (t *turn) concluded(ctx context.Context, v *view, found []upkeep.Conclusion) {
	for _, c := range found {
		if v.capture == captureAuto {
			_, _ = t.e.Remember(ctx, Note{Text: c.Text, Kind: c.Kind, Cue: "behavioral", Implicit: true, Actor: "agent", Session: t.Session})
			continue
		}
		t.proposeConclusion(ctx, v, c, "the "+c.Role+" said so before a compaction")
	}
}

func (t *turn) proposeConclusion(ctx context.Context, v *view, c upkeep.Conclusion, why string) {
	_, _ = t.e.propose(ctx, v, pimento.Proposal{Text: c.Text, Kind: c.Kind, Cue: "behavioral", Source: upkeep.ConcludeSource, Reason: why},
		Actor{Name: "agent", Session: t.Session})
}
