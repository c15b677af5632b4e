package profile

import (
	"strings"

	"github.com/pimento-memory/pimento"
)

func (c *checker) overhear(o *pimento.Overhear) {
	for _, x := range []struct {
		key     string
		phrases []string
	}{{"ask", o.Ask}, {"commit", o.Commit}, {"propose", o.Propose}} {
		for _, p := range x.phrases {
			if strings.TrimSpace(strings.ReplaceAll(p, "|", "")) == "" || strings.ContainsAny(p, "\n\r") || strings.Count(p, "|") > 1 {
				c.fail("overhear."+x.key, p, "a phrase on one line, in an ask with at most one bar where the text begins")
			}
		}
	}
	for _, x := range []struct {
		key string
		n   int
	}{{"min_message", o.MinMessage}, {"min_sentence", o.MinSentence}, {"max_chars", o.MaxChars}, {"max", o.Max},
		{"cooldown_minutes", o.CooldownMinutes}, {"habits", o.Habits}, {"repeats", o.Repeats}} {
		c.atLeast0("overhear."+x.key, x.n)
	}
}
