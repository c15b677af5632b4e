package eval

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/pimento-memory/pimento/internal/text"
	"github.com/pimento-memory/pimento/internal/think"
)

// A Rule says when an answer is right. They are LongMemEval's, in our words.
type Rule int

const (
	Contains     Rule = iota // all of the known answer is in it
	Days                     // the same, and a count of days may be off by one
	Latest                   // what is so now is in it, whatever was so before
	Rubric                   // it makes use of what the known answer describes
	Unanswerable             // it says that this is not known
)

// task is what a model that judges is told.
func (r Rule) task() string {
	const verdict = " Answer with one word: yes or no."
	switch r {
	case Days:
		return "Is the given answer right? It is when it says all that the known answer says, or leads to it step by step. " +
			"A number of days, weeks or months may differ by one." + verdict
	case Latest:
		return "Is the given answer right? It is when it says what the known answer says is so now, also if it tells what was so before." + verdict
	case Rubric:
		return "Is the given answer right? The known answer describes what a good one takes into account. " +
			"It need not hold every point, but must remember and use what the user told of themselves." + verdict
	case Unanswerable:
		return "The question has no answer in the memory; the known answer may say why. Does the given answer say that this is not known, or that only something else is?" + verdict
	}
	return "Is the given answer right? It is when it says all that the known answer says, or leads to it step by step; not when it says a part of it." + verdict
}

// unknown is what a model says that finds no answer; LoCoMo's score looks for it.
const unknown = "not mentioned"

// answer asks the model, given the best of the ranking, and scores what it says.
func (run *DialogueRun) answer(ctx context.Context, d Dialogue, q Sought, f *Found) error {
	when := ""
	if q.Now != "" {
		when = " Today is " + text.OneLine(q.Now, 60) + "."
	}
	t, err := run.Model.Think(ctx, think.Ask{For: "eval", Max: maxAnswer,
		Task: "Answer the question from the memory of earlier conversations alone, in a short phrase." + when +
			" If the memory does not say, answer: " + unknown + ".",
		Material: []think.Material{{Name: "memory", Text: d.read(f.Hits, run.Level, run.Tokens)}, {Name: "question", Text: q.Text}}})
	if err != nil {
		return fmt.Errorf("question %s: %w", q.ID, err)
	}
	f.Hypothesis = t.Text
	if run.F1 {
		score := q.f1(t.Text)
		f.F1 = &score
	}
	t, err = run.Model.Think(ctx, think.Ask{For: "eval", Max: maxAnswer, Task: q.Rule.task(), Material: []think.Material{
		{Name: "question", Text: q.Text}, {Name: "known answer", Text: q.Answer}, {Name: "given answer", Text: f.Hypothesis}}})
	if err != nil {
		return fmt.Errorf("judging question %s: %w", q.ID, err)
	}
	right := yes(t.Text)
	f.Right = &right
	return nil
}

// yes reads a verdict: the last yes or no that stands in it.
func yes(verdict string) bool {
	last := false
	for _, w := range strings.FieldsFunc(strings.ToLower(verdict), func(r rune) bool { return !unicode.IsLetter(r) }) {
		if w == "yes" || w == "no" {
			last = w == "yes"
		}
	}
	return last
}

// read is what the best hits say, in so many tokens: each session, or each
// message with what was answered, below its date. The first is cut if need be.
func (d Dialogue) read(hits []string, level string, tokens int) string {
	var b strings.Builder
	for _, id := range hits {
		said := d.around(id, level)
		if len(said) == 0 {
			continue
		}
		part := "## " + said[0].Date + "\n"
		for _, s := range said {
			part += speaker(s) + ": " + s.Text + "\n"
		}
		n := text.Tokens(part)
		for b.Len() == 0 && n > tokens {
			part = text.ClipBytes(part, len(part)*tokens/n)
			n = text.Tokens(part)
		}
		if n > tokens {
			break
		}
		tokens -= n
		b.WriteString(part + "\n")
	}
	return b.String()
}

// speaker is who said something, for a reader.
func speaker(s Spoken) string {
	if s.Author == "" {
		return "user"
	}
	return s.Author
}

// around are the messages that belong to a hit.
func (d Dialogue) around(id, level string) []Spoken {
	if level == SessionLevel {
		return slices.DeleteFunc(slices.Clone(d.Said), func(s Spoken) bool { return s.Section != id })
	}
	i := slices.IndexFunc(d.Said, func(s Spoken) bool { return s.ID == id })
	if i < 0 {
		return nil
	}
	end := i + 1
	for end < len(d.Said) && d.Said[end].Aside && d.Said[end].Section == d.Said[i].Section {
		end++
	}
	return d.Said[i:end]
}

// f1 is LoCoMo's own score of an answer: how far its words and those of the known
// one agree; of several known ones, each with the answer's best part.
func (q Sought) f1(answer string) float64 {
	switch q.Type {
	case categories()[adversarial]:
		folded := strings.ToLower(answer)
		return float64(one(strings.Contains(folded, unknown) || strings.Contains(folded, "no information available")))
	case categories()[1]:
		parts, sum := strings.Split(answer, ","), 0.0
		known := strings.Split(q.Answer, ",")
		for _, k := range known {
			best := 0.0
			for _, p := range parts {
				best = max(best, agree(p, k))
			}
			sum += best
		}
		return sum / float64(len(known))
	case categories()[3]:
		first, _, _ := strings.Cut(q.Answer, ";")
		return agree(answer, first)
	}
	return agree(answer, q.Answer)
}

// agree is the harmonic mean of how many stems of a stand in b and the other way
// round.
func agree(a, b string) float64 {
	as, bs := stems(a), stems(b)
	if len(as) == 0 || len(bs) == 0 {
		return 0
	}
	left, same := slices.Clone(bs), 0
	for _, w := range as {
		if i := slices.Index(left, w); i >= 0 {
			left = slices.Delete(left, i, i+1)
			same++
		}
	}
	return 2 * float64(same) / float64(len(as)+len(bs))
}

// stems are the words of an answer without punctuation and articles.
func stems(s string) (out []string) {
	s = strings.Map(func(r rune) rune {
		if r < 0x80 && unicode.IsPunct(r) || strings.ContainsRune("$+<=>^`|~", r) {
			return -1
		}
		return unicode.ToLower(r)
	}, s)
	for _, w := range strings.Fields(s) {
		switch w {
		case "a", "an", "the", "and":
		default:
			out = append(out, text.Stem(w))
		}
	}
	return out
}
