package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/glean"
	"github.com/pimento-memory/pimento/internal/remember"
	"github.com/pimento-memory/pimento/internal/text"
)

// overheardIn is the source of a proposal that came from what a user said.
const overheardIn = "overheard"

// overhear takes up what the user says in passing: what they ask to remember is
// written before the prompt is answered, so that the answer of the model and
// the notice are true; what may be a preference goes to the inbox. Nothing of
// it keeps the prompt from being answered.
func (t *turn) overhear(ctx context.Context) {
	if t.Event != pimento.PromptTurn || !t.listens() {
		return
	}
	p := t.v.profile.Overhear
	if end, ok := ctx.Deadline(); ok { // a lock that somebody holds must not cost the answer
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Until(end)/2)
		defer cancel()
	}
	for _, h := range glean.Listen(t.Prompt, p) {
		t.taken = append(t.taken, h.Text)
		known := !h.Asked && t.e.says(ctx, t.v, h.Text)
		if !h.Asked && !known && glean.Echo(h.Text, t.shownTexts(ctx)) {
			continue // we said it; that it comes back is no news
		}
		n := Note{Text: h.Text, Kind: pimento.KindPreference, Cue: "explicit", Actor: "user", Session: t.Session,
			Again: time.Duration(p.CooldownMinutes) * time.Minute, Implicit: !h.Sure}
		if h.Asked {
			n.Kind = ""
		}
		if h.Personal {
			n.Scope = pimento.Global
		}
		var res Result
		var err error
		switch {
		case h.Sure, t.v.capture == captureAuto:
			res, err = t.e.Remember(ctx, n)
		case known:
			continue // in which memory ever: there is nothing to ask
		default:
			res, err = t.e.propose(ctx, t.v, pimento.Proposal{Text: n.Text, Kind: n.Kind, Scope: n.Scope, Cue: n.Cue, Source: overheardIn,
				Reason: "you said so in passing"}, n.actor())
		}
		if errors.Is(err, context.DeadlineExceeded) {
			t.later = append(t.later, n)
		}
		t.tell(h.Text, res, err)
		if res.Action == pimento.Put && t.v.store(res.Scope) == nil { // the first write made its memory
			v := t.e.look(ctx)
			v.faults, t.v = t.v.faults, v
			t.suit(&t.v.profile)
		}
	}
}

// rememberLater is a second try of what could not be written before the answer,
// because others were writing. Who still cannot puts it into the inbox.
func (t *turn) rememberLater(ctx context.Context) {
	all, cancel := context.WithTimeout(context.WithoutCancel(ctx), laterFor)
	defer cancel()
	writing, done := context.WithTimeout(all, laterFor*4/5)
	defer done()
	for _, n := range t.later {
		if _, err := t.e.Remember(writing, n); err != nil {
			_, _ = t.e.propose(all, t.v, pimento.Proposal{Text: n.Text, Kind: n.Kind, Scope: n.Scope, Cue: n.Cue, Source: overheardIn,
				Reason: "you asked for it while memory was busy"}, n.actor())
		}
	}
}

// laterFor bounds how long a second try waits for the others.
const laterFor = 5 * time.Second

// listens says whether what is said in this turn may be kept.
func (t *turn) listens() bool {
	return !t.ByAgent && t.mayGather() && t.v.profile.Overhear.Listens()
}

// tell says to the person what became of what they said; what changed nothing
// is not worth a word.
func (t *turn) tell(said string, res Result, err error) {
	said, hint := text.OneLine(said, 80), pimento.HintOf(err)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		t.say(fmt.Sprintf("will be remembered: %s (others are writing to memory now)", said), "")
	case err != nil:
		if e, ok := errors.AsType[*pimento.Error](err); ok && e.Err != nil {
			err = e.Err // without our name for what failed
		}
		t.say(fmt.Sprintf("not remembered: %s (%v)", said, err), hint)
	case res.Action == pimento.Put:
		told, hint := fmt.Sprintf("remembered: %s (%s %s)", said, res.Scope, res.Page), ""
		if len(res.Against) > 0 {
			other := res.Against[0]
			told += ", which cannot hold beside: " + text.OneLine(other.Text, 80)
			hint = "take out what does not hold: pimento forget " + string(other.Statement[:8])
		}
		if len(res.Proposals) > 0 {
			hint = "what it may replace waits in: pimento inbox"
		}
		t.say(told, hint)
	case res.Action == pimento.Propose:
		t.say("remember this? "+said, "it waits in: pimento inbox")
	case res.Action == pimento.Refuse && res.Reason != saidBefore && res.Reason != remember.WaitsAlready && res.Reason != standsAlready:
		t.say("not remembered: "+res.Reason, "")
	}
}

func (t *turn) say(text, hint string) { t.told = append(t.told, Notice{text, hint}) }

// shownTexts are the texts of memory that this session's model was shown, as
// far as its frozen prefix and the ids in its context tell.
func (t *turn) shownTexts(ctx context.Context) []string {
	if t.shownOnce != nil {
		return t.shownOnce
	}
	t.shownOnce = []string{}
	ids := append(append([]string{}, t.InContext...), t.state.Shown...)
	if f, ok, err := t.e.sessions.LatestFrozen(ctx, t.Harness, t.Session); err == nil && ok {
		t.shownOnce = append(t.shownOnce, f.Prefix)
	}
	for _, id := range ids {
		if strings.HasPrefix(id, "~") {
			continue
		}
		for _, en := range t.e.standingAs(ctx, t.v, pimento.Statement(id)) {
			t.shownOnce = append(t.shownOnce, en.Text)
		}
	}
	return t.shownOnce
}

// says tells whether an entry says exactly this, so that it is said again.
func (e *Engine) says(ctx context.Context, v *view, s string) bool {
	return len(e.standingAs(ctx, v, pimento.StatementOf(s))) > 0
}
