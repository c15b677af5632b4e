package glean_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/pimento-memory/pimento/eval/worth"
	"github.com/pimento-memory/pimento/internal/glean"
	"github.com/pimento-memory/pimento/internal/think"
)

type exchange struct {
	Split, Class, Prompt, Answer string
	Tools                        []string
}

func exchanges(t testing.TB) (all []exchange) {
	t.Helper()
	for line := range bytes.Lines(worth.Cases) {
		var c exchange
		if err := json.Unmarshal(line, &c); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		all = append(all, c)
	}
	return all
}

// A change that finds less, or more that is not worth it, fails. Words and
// constants were chosen on dev; test was written afterwards and nothing was tuned
// on it. go test -v prints dev's errors.
func TestWorthyOnTheLabelledSet(t *testing.T) {
	all := exchanges(t)
	if len(all) < 120 {
		t.Fatalf("only %d cases", len(all))
	}
	for _, split := range []string{"dev", "test"} {
		var x tally
		for _, c := range all {
			if c.Split != split {
				continue
			}
			w, got := glean.Worthy(glean.Exchange{Prompt: c.Prompt, Answer: c.Answer, Tools: c.Tools}, policy(t, "default"))
			want := c.Class <= "C"
			if got {
				x.said++
			}
			if want {
				x.there++
				if got {
					x.hit++
				}
			}
			if got != want && split == "dev" {
				t.Logf("%s %v: %q -> %q (%+v)", c.Class, got, c.Prompt, c.Answer, w)
			}
		}
		t.Logf("%s: precision %.2f recall %.2f of %d", split, x.precision(), x.recall(), x.there)
		if least := map[string]float64{"dev": 0.95, "test": 0.75}[split]; x.precision() < least {
			t.Errorf("%s: precision %.2f", split, x.precision())
		}
		if least := map[string]float64{"dev": 0.88, "test": 0.35}[split]; x.recall() < least {
			t.Errorf("%s: recall %.2f", split, x.recall())
		}
	}
}

// What a model says of an exchange is taken only when the exchange says so.
func TestWorthOfIsNotTakenAtItsWord(t *testing.T) {
	x := glean.Exchange{Prompt: "no, the api listens on 8443 in every environment", Answer: "Corrected the port in deploy/api.yaml.", Tools: []string{"edit"}}
	say := func(remember bool, class, kind, text string) think.Thought {
		b, _ := json.Marshal(map[string]any{"remember": remember, "class": class, "kind": kind, "text": text})
		return think.Thought{Text: "Sure:\n" + string(b)}
	}
	for _, tt := range []struct {
		said think.Thought
		why  string
	}{
		{say(true, "wanted", "lesson", "The API listens on 8443 in every environment"), ""},
		{say(true, "wanted", "lesson", "The API listens on 8444 in every environment"), "the exchange does not say so"},
		{say(true, "wanted", "lesson", "Customers love dashboards with colourful charts"), "the exchange does not say so"},
		{say(true, "wanted", "lesson", "ok"), "no text"},
		{say(true, "gossip", "lesson", "The API listens on 8443"), `"gossip" is no class`},
		{say(true, "wanted", "rumour", "The API listens on 8443"), `"rumour" is no kind`},
		{say(false, "none", "none", ""), "nothing"},
		{think.Thought{Text: "I would remember it."}, "the answer is no JSON"},
	} {
		w, ok, why := glean.WorthOf(tt.said, x)
		if ok != (tt.why == "") || why != tt.why || ok && w.Text != "The API listens on 8443 in every environment" {
			t.Errorf("%s: %+v %v %q", tt.said.Text, w, ok, why)
		}
	}
	ask := glean.WorthAsk(glean.Exchange{Prompt: strings.Repeat("界", 5000), Answer: strings.Repeat("x", 9000), Tools: []string{"bash"}})
	if ask.For != glean.WorthSource || len(ask.Material) != 3 || len([]rune(ask.Material[0].Text)) > 820 || len(ask.Material[1].Text) > 3020 {
		t.Errorf("%+v", ask)
	}
}
