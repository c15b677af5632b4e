package engine

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/guard"
	"github.com/pimento-memory/pimento/internal/inject"
	"github.com/pimento-memory/pimento/internal/text"
)

// record keeps the trace of a prompt and, once, what its prefix was built from.
func (t *turn) record(ctx context.Context) {
	traces, block := t.e.traces(t.v), t.noted()
	name := factsName(t.v.digest, block.Prefix)
	if t.builtFrom != nil {
		if b, err := inject.Record(*t.builtFrom); err == nil {
			_ = traces.Keep(ctx, name, b)
		}
	}
	if t.isNew && t.Event != pimento.PromptTurn {
		t.e.tellLater(t.frozen.Key, t.frozenTrace)
	}
	if t.Event == pimento.PromptTurn {
		if !t.isNew {
			block.Trace = append(t.e.told(t.frozen.Key), block.Trace...)
		}
		_ = traces.Add(ctx, t.trace(block, name))
	}
}

// factsName names what a prefix was built from by what came of it: any facts
// that give these bytes under this profile are as good.
func factsName(profile, prefix string) string {
	return digestOf(profile + "\x00" + prefix)
}

// asked is the prompt as records keep it: its beginning, without secrets.
func (t *turn) asked() string {
	return text.OneLine(guard.Hide(t.Prompt), 200)
}

// trace is the stored record of the turn.
func (t *turn) trace(block pimento.Block, facts string) pimento.Trace {
	tr := pimento.Trace{V: 1, ID: block.TraceID, Time: t.e.Now(), Session: t.Session, Harness: t.Harness,
		Prompt: t.asked(), Block: block, Sum: block.Sum(), Facts: facts,
		Micros: t.e.opt.Clock().Sub(t.started).Microseconds()}
	if t.tailFrom != nil {
		b, err := inject.Record(*t.tailFrom)
		if err != nil {
			return tr
		}
		tr.Beside = json.RawMessage(b)
	}
	tr.Block.Prefix, tr.Block.Tail = "", ""
	return tr
}

// A Replayed is a block that was built again from its record, or a question that
// was asked again.
type Replayed struct {
	Trace   pimento.Trace
	Block   pimento.Block
	Answer  pimento.Answer // to a question
	Same    bool           // byte for byte what was handed out then; of a question, the same status and hits in the same order
	Decided bool           // every decision about the prompt is the one on record
}

// Trace is the record with an id, or the id's beginning. The error is of
// KindNotFound, or of KindConflict when several begin so.
func (e *Engine) Trace(ctx context.Context, id string) (pimento.Trace, error) {
	e.recorded()
	list, err := e.traces(e.look(ctx)).List(ctx, 0)
	if err != nil {
		return pimento.Trace{}, err
	}
	return pickTrace(list, id)
}

// leastTraceID is how much of a trace's id must be given.
const leastTraceID = 8

func pickTrace(list []pimento.Trace, id string) (pimento.Trace, error) {
	var found []pimento.Trace
	for _, tr := range list {
		if tr.ID == id {
			return tr, nil
		}
		if len(id) >= leastTraceID && len(id) < len(tr.ID) && tr.ID[:len(id)] == id {
			found = append(found, tr)
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return pimento.Trace{}, &pimento.Error{Op: "trace", Path: id, Kind: pimento.KindNotFound,
			Err: errors.New("there is no such trace"), Hint: "list them with: pimento traces"}
	}
	return pimento.Trace{}, &pimento.Error{Op: "trace", Path: id, Kind: pimento.KindConflict,
		Err: errors.New("several traces begin so"), Hint: "give more of the id; list them with: pimento traces"}
}

// Replay is Rebuild for the trace with an id, see Trace; a question is asked
// again, of memory as it is now.
func (e *Engine) Replay(ctx context.Context, id string) (Replayed, error) {
	tr, err := e.Trace(ctx, id)
	if err != nil {
		return Replayed{}, err
	}
	if tr.Recall != nil {
		return e.askAgain(ctx, tr)
	}
	return e.Rebuild(ctx, tr)
}

// Rebuild builds the block of a trace again, from its recorded facts alone: it
// reads no page, no journal and no clock. The error is of KindNotFound when the
// facts are no longer kept.
func (e *Engine) Rebuild(ctx context.Context, tr pimento.Trace) (Replayed, error) {
	prefix, err := e.traces(e.look(ctx)).Facts(tr.Facts)
	if err != nil {
		return Replayed{Trace: tr}, err
	}
	b, frozen, err := inject.Replay(prefix, tr.Beside)
	if err != nil {
		return Replayed{Trace: tr}, &pimento.Error{Op: "replay", Path: tr.ID, Kind: pimento.KindUnavailable, Err: err,
			Hint: "the record is damaged or of another version"}
	}
	b.Profile, b.Session, b.TraceID = tr.Block.Profile, tr.Session, tr.ID
	b.Faults = append([]pimento.Fault{}, tr.Block.Faults...)
	r := Replayed{Trace: tr, Same: b.Sum() == tr.Sum}
	b.Trace, r.Decided = decidedAgain(tr.Block.Trace, frozen, b.Trace)
	r.Block = b
	return r, nil
}

// decidedAgain holds what was decided anew against the record. Its end must be
// what was decided about the prompt. Before that stands what was decided about the
// prefix, where that was made for this prompt; what it was made from is kept once
// for the same bytes, so other facts may have given them before.
func decidedAgain(recorded, frozen, beside []pimento.Decision) (all []pimento.Decision, same bool) {
	recorded = slices.DeleteFunc(slices.Clone(recorded), func(d pimento.Decision) bool { return d.Reason == sealedReason })
	rest := len(recorded) - len(beside)
	if rest < 0 || asKept(recorded[rest:]) != asKept(beside) {
		return beside, false
	}
	if rest > 0 && asKept(recorded[:rest]) == asKept(frozen) {
		return append(frozen, beside...), true
	}
	return append(recorded[:rest:rest], beside...), true
}

// asKept is decisions as a record holds them.
func asKept(ds []pimento.Decision) string {
	if len(ds) == 0 {
		return ""
	}
	b, _ := json.Marshal(ds) // they came from JSON, or go there
	return string(b)
}
