package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/glean"
	"github.com/pimento-memory/pimento/internal/profile"
)

// A worth says whether exchanges are looked through for what is worth
// remembering. Only the user's own configuration sets it.
type worth string

const (
	worthOff     worth = "off"     // nobody looks
	worthAnswers worth = "answers" // when the agent has answered
	worthAll     worth = "all"     // and what a compaction took away, or its summary
)

func parseWorth(raw json.RawMessage) (worth, error) {
	var s string
	if err := json.Unmarshal(raw, &s); err == nil {
		switch w := worth(s); w {
		case worthOff, worthAnswers, worthAll:
			return w, nil
		}
	}
	return worthOff, fmt.Errorf(`"worth" is off, answers or all, not %s`, raw)
}

// Worth says what is looked through for something worth remembering: "off",
// "answers" or "all".
func (e *Engine) Worth(ctx context.Context) string { return string(e.look(ctx).worth) }

// SetWorth writes the user's choice of what is looked through, see Worth.
func (e *Engine) SetWorth(ctx context.Context, what string) error {
	raw, err := json.Marshal(what)
	if err == nil {
		_, err = parseWorth(raw)
	}
	if err != nil {
		return &pimento.Error{Op: "worth", Path: what, Kind: pimento.KindUsage, Err: err, Hint: "use one of: off, answers, all"}
	}
	return e.setOwn(ctx, "worth", what)
}

// worthTime is how long looking at one exchange may take; the model has a limit
// of its own.
const worthTime = 5 * time.Minute

// glean looks at what was said for something worth remembering, once the answer
// is out and nobody waits. It only ever proposes. A process that serves asks the
// language model, if the user turned one on; one that answers a single event, and
// one without a model, goes by words.
func (t *turn) glean(ctx context.Context) {
	x, ok := t.exchange(ctx)
	if !ok {
		return
	}
	shown := t.shownTexts(ctx)
	if !t.e.opt.Serve || !t.v.thinker.On() {
		if w, ok := glean.Worthy(x, t.phrases()); ok {
			t.proposeWorth(ctx, w, shown)
		}
		return
	}
	t.e.background.Go(func() {
		ctx, cancel := context.WithTimeout(t.e.life, worthTime)
		defer cancel()
		th, err := t.e.openThinker(t.v)
		if err != nil || th == nil {
			return
		}
		defer th.Close()
		thought, err := th.Think(ctx, glean.WorthAsk(x))
		if err != nil {
			return // what it cost, and that it failed, stands in its account
		}
		if w, ok, _ := glean.WorthOf(thought, x); ok {
			t.proposeWorth(ctx, w, shown)
		}
	})
}

// exchange is what was said, if it is to be looked at: not where the agent wrote
// to memory in this very run, and knows what it is doing.
func (t *turn) exchange(ctx context.Context) (x glean.Exchange, ok bool) {
	if t.v.worth == worthOff || t.v.capture == captureOff || !t.keeps() || t.e.untrusted || t.quotesSealed() {
		return x, false
	}
	switch {
	case t.Event == pimento.TurnEnd && t.Answer != "":
		x = glean.Exchange{Answer: t.Answer}
		if !t.ByAgent {
			x.Prompt = t.Prompt
		}
		for _, u := range t.Tools {
			x.Tools = append(x.Tools, u.Name)
		}
		return x, !t.e.rememberedIn(ctx, t)
	case t.Event == pimento.AfterCompact && t.v.worth == worthAll && t.Summary != "" && !t.e.readOuts.over(t.Session):
		return glean.Exchange{Answer: t.Summary}, true
	}
	return x, false
}

// rememberedIn says whether the session's agent wrote to memory since its last
// prompt.
func (e *Engine) rememberedIn(ctx context.Context, t *turn) (yes bool) {
	since := time.Time{}
	if tr, ok, err := e.traces(t.v).Last(ctx, t.Session); err == nil && ok {
		since = tr.Time
	}
	for _, st := range t.v.stores {
		_ = st.journal.Each(ctx, []pimento.EventType{pimento.Remembered, pimento.Reinforced, pimento.Aliased}, func(ev pimento.Event) {
			yes = yes || ev.Session == t.Session && ev.Actor == "agent" && !ev.Time.Before(since)
		})
	}
	return yes
}

// phrases are those that the profile listens to; one that listens to none has
// default's.
func (t *turn) phrases() pimento.Overhear {
	if p := t.v.profile.Overhear; p.Listens() {
		return p
	}
	p, _, _ := profile.Load("default", nil, nil) // ours, and always there
	return p.Overhear
}

// proposeWorth puts it into the inbox. What we showed the model and comes back
// is no news.
func (t *turn) proposeWorth(ctx context.Context, w glean.Worth, shown []string) {
	if glean.Echo(w.Text, shown) {
		return
	}
	why := map[string]string{glean.Wanted: "the user said how it is to be", glean.Fetched: "the agent looked it up", glean.Decided: "it was decided, or found out"}
	_, _ = t.e.Propose(ctx, pimento.Proposal{Text: w.Text, Kind: w.Kind, Cue: "behavioral", Source: glean.WorthSource, Reason: why[w.Class]},
		Actor{Name: "harness", Session: t.Session})
}
