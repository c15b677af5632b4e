package eval

import (
	"fmt"
	"slices"

	"github.com/pimento-memory/pimento"
)

// An Opened is a question that the design document leaves open, answered by what
// was measured.
type Opened struct {
	Question string `json:"question"`
	Answer   string `json:"answer"`
	Measured string `json:"measured"`
}

// open answers the document's questions from a study's tables.
func (s *Study) open() []Opened {
	var out []Opened
	for _, o := range []Opened{s.fast(), s.words(), s.large(), s.handoff()} {
		if o.Answer != "" {
			out = append(out, o)
		}
	}
	return out
}

func yesNo(yes bool) string {
	if yes {
		return "yes"
	}
	return "no"
}

func (s *Study) fast() (o Opened) {
	worst, entries := 0.0, 0
	for _, t := range s.Times {
		for _, ms := range []float64{t.Cold, t.Opened, t.Warm} {
			if ms > worst {
				worst, entries = ms, t.Entries
			}
		}
	}
	if len(s.Times) == 0 {
		return o
	}
	warm := s.Times[len(s.Times)-1].Warm
	return Opened{fmt.Sprintf("Are %g seconds enough for a search?", s.LimitMS/1000), yesNo(worst < s.LimitMS),
		fmt.Sprintf("a whole prompt takes %.0f ms at most (%d entries), %.1f ms in a running process", worst, entries, warm)}
}

func (s *Study) words() (o Opened) {
	at := func(by pimento.Mode) int {
		return slices.IndexFunc(s.Wordings, func(w Wording) bool { return w.By == string(by) })
	}
	k, h := at(pimento.Keyword), at(pimento.Hybrid)
	if k < 0 || h < 0 {
		return o
	}
	words, both := s.Wordings[k], s.Wordings[h]
	return Opened{"Do key words suffice?", yesNo(words.Other >= both.Other && words.Paraphrases >= both.Paraphrases),
		fmt.Sprintf("asked in other words they find %d of %d, with meaning %d; of codemem's paraphrases %.0f%% and %.0f%%",
			words.Other, words.N, both.Other, 100*words.Paraphrases, 100*both.Paraphrases)}
}

// enoughShown is the share of the evidence from which on a page counts as shown.
const enoughShown = 0.9

// middle is the cut that the document has.
const middle = "middle"

func (s *Study) large() (o Opened) {
	if len(s.Growth) == 0 {
		return o
	}
	without, with := 0, 0
	for _, g := range s.Growth {
		if g.Without[middle] >= enoughShown {
			without = g.KB
		}
		if g.With[middle] >= enoughShown {
			with = g.KB
		}
	}
	last := s.Growth[len(s.Growth)-1]
	size := fmt.Sprintf("%d KB", max(without, with))
	if without+with == 0 {
		size = fmt.Sprintf("under %d KB", s.Growth[0].KB)
	}
	return Opened{"How large may MEMORY.md grow, cut in the middle?", size, fmt.Sprintf("more than that shows less than %.0f%% of the evidence; %d KB %.0f%%, with search %.0f%%",
		100*enoughShown, last.KB, 100*last.Without[middle], 100*last.With[middle])}
}

func (s *Study) handoff() (o Opened) {
	gain := 0
	for _, with := range s.Survival {
		i := slices.IndexFunc(s.Survival, func(v Survival) bool { return !v.Handoff && v.When == with.When })
		if !with.Handoff || i < 0 {
			continue
		}
		a, b := with.Log+with.Tasks, s.Survival[i].Log+s.Survival[i].Tasks
		gain += a - b
		if o.Answer == "" {
			o = Opened{"Does the handoff help after a compaction?", "?", fmt.Sprintf("of %d lines and tasks known with it and without:", with.Lines+with.Open)}
		} else {
			o.Measured += ","
		}
		o.Measured += fmt.Sprintf(" %s %d and %d", with.When, a, b)
		o.Answer = yesNo(gain > 0)
	}
	return o
}
