package glean

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/text"
	"github.com/pimento-memory/pimento/internal/think"
)

// WorthSource is the source of proposals that come from looking at an exchange,
// and what its cost is booked under.
const WorthSource = "worth"

// How much of an exchange a language model is shown, in runes, as published for
// pi-mind's detector: enough for the point, little enough for a small model.
const (
	worthPrompt = 800
	worthAnswer = 3000
	worthTokens = 250 // of the answer
)

const worthTask = `Is there anything in this exchange between a user and a coding agent that is worth remembering for later sessions?

TRUE, with its class:
- wanted: the user states a lasting preference, corrects the agent, or complains about how it works. "no, we use pnpm here" is one.
- fetched: the agent got a fact from a tool that will be needed again. "staging runs PostgreSQL 15.6 on db-stg-2, port 6432" is one.
- decided: a decision that is not obvious, with its reason, or an insight about why something failed. "ULIDs, because the ids are a clustered key" is one.

ALWAYS FALSE:
- how far the work is: "all tests pass", "deployed"
- an answer that serves once: general knowledge, explanations, a calculation, a translation
- small talk
- the ordinary work itself: "add a flag", "fix the typo", and what was done about it. "no, the other file" is about this moment.

If it is true, text is the one thing to remember: one line of at most 120 characters that is understood alone, in the language of the exchange, in its own words, names and numbers. kind: preference (how the user wants it), lesson (what to do differently, why something failed), fact (what is so), decision (what was chosen and why).`

var worthSchema = json.RawMessage(`{"type":"object","additionalProperties":false,"required":["remember","class","kind","text"],"properties":{` +
	`"remember":{"type":"boolean"},"class":{"type":"string","enum":["wanted","fetched","decided","none"]},` +
	`"kind":{"type":"string","enum":["preference","lesson","fact","decision","none"]},"text":{"type":"string"}}}`)

// WorthAsk is the question about an exchange for a language model.
func WorthAsk(x Exchange) think.Ask {
	tools := strings.Join(x.Tools[:min(len(x.Tools), 20)], ", ")
	ask := think.Ask{For: WorthSource, Task: worthTask, Schema: worthSchema, Max: worthTokens,
		Material: []think.Material{{Name: "what the user said", Text: ends(x.Prompt, worthPrompt)}, {Name: "what the agent said", Text: ends(x.Answer, worthAnswer)}}}
	if tools != "" {
		ask.Material = append(ask.Material, think.Material{Name: "the tools that it used", Text: tools})
	}
	return ask
}

// WorthOf reads a language model's answer about an exchange. ok is false when
// there is nothing worth remembering, when the answer cannot be read, and when
// the text is not what the exchange says: it must hold half of the text's words,
// and all that name something. why tells which.
func WorthOf(t think.Thought, x Exchange) (w Worth, ok bool, why string) {
	var said struct {
		Remember    bool
		Class, Text string
		Kind        pimento.Kind
	}
	if err := t.JSON(&said); err != nil {
		return w, false, "the answer is no JSON"
	}
	w = Worth{Class: said.Class, Kind: said.Kind, Text: cutText(said.Text)}
	switch {
	case !said.Remember:
		return w, false, "nothing"
	case w.Class != Wanted && w.Class != Fetched && w.Class != Decided:
		return w, false, fmt.Sprintf("%q is no class", text.OneLine(said.Class, 40))
	case w.Kind != pimento.KindPreference && w.Kind != pimento.KindLesson && w.Kind != pimento.KindFact && w.Kind != pimento.KindDecision:
		return w, false, fmt.Sprintf("%q is no kind", text.OneLine(string(said.Kind), 40))
	case text.Width(w.Text) < asksWidth:
		return w, false, "no text"
	case !saidIn(w.Text, x.Prompt+"\n"+x.Answer):
		return w, false, "the exchange does not say so"
	}
	return w, true, ""
}

// saidIn says whether a text is made of what a source says: every word that names
// something (a number, a path, code) as it stands, and half of the others by
// their beginnings.
func saidIn(s, source string) bool {
	low := lower(source)
	all, there := 0, 0
	for _, w := range words(lower(s)) {
		switch {
		case strings.ContainsFunc(w, unicode.IsDigit) || strings.ContainsAny(w, "/_@.="):
			if !strings.Contains(low, w) {
				return false
			}
			all, there = all+1, there+1
		case strings.ContainsFunc(w, text.Unspaced):
			rs := []rune(w)
			for i := 0; i+1 < len(rs); i += 2 {
				if all++; strings.Contains(low, string(rs[i:i+2])) {
					there++
				}
			}
		case len(w) > 3:
			if all++; strings.Contains(low, w[:min(len(w), 5)]) {
				there++
			}
		}
	}
	return 2*there >= all
}

// ends is both ends of a text that is longer than so many runes.
func ends(s string, n int) string {
	rs := []rune(s)
	if len(rs) <= n {
		return s
	}
	return string(rs[:n/2]) + "\n[...]\n" + string(rs[len(rs)-n/2:])
}
