package upkeep

import (
	"encoding/json"
	"strings"

	"github.com/pimento-memory/pimento/internal/think"
)

// ConcludeSource is the source of proposals that come from what a compaction
// takes away, and what a language model's reading of it is booked under.
const ConcludeSource = "compaction"

const concludeTokens = 700 // of the answer

const concludeTask = `The material is the part of a conversation between a user and a coding agent that is about to be dropped from the agent's context. What of it must a later session know?

Name it: decisions with their reason (decision), why something failed or what to do differently (lesson), what the user wants from now on (preference), how things are done here (pattern), facts that were looked up and will be needed again (fact). One line of at most 160 characters each, understood alone, in the language of the conversation and in its own words, names and numbers. The most important first.

Leave out: how far the work is, plans, questions, guesses, what was taken back later, general knowledge, what the code itself shows. Often nothing is left: then the list is empty.`

var concludeSchema = json.RawMessage(`{"type":"object","additionalProperties":false,"required":["remember"],"properties":{` +
	`"remember":{"type":"array","items":{"type":"object","additionalProperties":false,"required":["text","kind"],"properties":{"text":{"type":"string"},` +
	`"kind":{"type":"string","enum":["decision","lesson","preference","pattern","fact"]}}}}}}`)

// ConcludeAsk is the question about what a compaction takes away for a language
// model; the caller adds the messages, as many as there is room for.
func ConcludeAsk() think.Ask {
	return think.Ask{For: ConcludeSource, Task: concludeTask, Schema: concludeSchema, Max: concludeTokens}
}

// ReadConclusions reads a language model's answer about a conversation: at most
// so many, without what it was not shown there. The error is about an answer that
// cannot be read.
func ReadConclusions(t think.Thought, conversation string, most int) (found []Conclusion, err error) {
	var said ideas
	if err := t.JSON(&said); err != nil {
		return nil, err
	}
	grounds, seen := groundsIn(conversation), map[string]bool{}
	for _, idea := range said.Remember {
		k, why := idea.check(grounds, DreamFacts{})
		if folded := strings.ToLower(k.Text); why == "" && !seen[folded] && len(found) < most {
			seen[folded] = true
			found = append(found, Conclusion{Text: k.Text, Kind: k.Kind})
		}
	}
	return found, nil
}
