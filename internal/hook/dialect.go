package hook

import (
	"encoding/json"
	"io"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/tool"
)

// A Dialect is how one harness says what happens and is answered.
type Dialect struct {
	Name string

	// decode makes a turn of a JSON value. A field of a wrong type counts as left out,
	// and wrong says so; but not where that would let memory go farther than the
	// harness meant.
	decode func(raw []byte) (t pimento.Turn, wrong, err error)

	// encode answers a turn, an empty one where it could not be read.
	encode func(out io.Writer, to pimento.Turn, rep tool.TurnReply)
}

// pass is the event that no harness's event is: nothing is to be done.
const pass = pimento.TurnEvent("pass")

// Dialects are all there are.
func Dialects() []Dialect {
	return []Dialect{{"pi", piTurn, ours}, {"claude", claudeTurn, added}, {"codex", codexTurn, added}}
}

// piTurn reads a turn in our own words.
func piTurn(raw []byte) (t pimento.Turn, wrong, err error) {
	if wrong = json.Unmarshal(raw, &t); wrong == nil {
		return t, nil, nil
	}
	var bounds struct {
		Event, Session string
		Off, Untrusted bool
		ByAgent        bool `json:"by_agent"`
	}
	return t, malformed(wrong), json.Unmarshal(raw, &bounds)
}

// ours answers in our own words. A closed pipe means that nobody listens.
func ours(out io.Writer, _ pimento.Turn, rep tool.TurnReply) { say(out, rep) }

func say(out io.Writer, v any) {
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(v)
}
