package profile

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pimento-memory/pimento"
)

func (c *checker) overhear(o *pimento.Overhear) {
	for _, x := range []struct {
		key     string
		phrases []string
	}{{"ask", o.Ask}, {"commit", o.Commit}, {"propose", o.Propose}, {"personal", o.Personal}} {
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

func (c *checker) classes(classes []pimento.Class) {
	for i, cl := range classes {
		key := fmt.Sprintf("recall.classes[%d].", i)
		if cl.Name == "" || len(cl.Words) == 0 || slices.Contains(cl.Words, "") {
			c.fail(key+"words", strings.Join(cl.Words, ", "), "a name, and words that are not empty")
		}
		for _, k := range cl.Kinds {
			c.oneOf(key+"kinds", string(k), kinds()...)
		}
		if !(cl.Boost >= 0 && cl.Boost <= 10 && cl.Budget >= 0 && cl.Budget <= 10) {
			c.fail(key+"boost", fmt.Sprint(cl.Boost, " and budget ", cl.Budget), "numbers from 0 to 10")
		}
		c.atLeast0(key+"rank", cl.Rank)
		c.atLeast0(key+"hits", cl.Hits)
	}
}
