package recall

import (
	"math"
	"slices"
	"strings"

	"github.com/pimento-memory/pimento/internal/text"
)

// bears says whether the best hits bear on the question, where the caller sets a floor,
// and keeps few of them where that is not sure.
func (a *asking) bears(best []*candidate, sure, share float64) bool {
	if a.opts.MinConfidence == 0 {
		return true
	}
	if a.onlyTime() && a.asked && slices.ContainsFunc(best, func(c *candidate) bool { return c.timely }) {
		return true
	}
	little := a.little()
	if little {
		says := a.words.says(every)
		if says == 0 {
			return false
		}
		share = 0
		if question(a.q.Text) {
			for _, c := range best[:min(len(best), 3)] {
				share = max(share, a.words.says(c.match.Held)/says)
			}
		}
		a.limit = min(a.limit, briefHits)
	}
	if sure >= a.opts.MinConfidence || share >= enough {
		return true
	}
	unsure := a.opts.Unsure
	if little || a.pasted || sure < unsure.MinConfidence || unsure.Hits == 0 {
		return false
	}
	a.limit = min(a.limit, unsure.Hits)
	return true
}

// little says whether the question says less than brief.
func (a *asking) little() bool {
	return a.window == nil && a.words.says(every) < brief*a.words.once
}

// question says whether a prompt is put as one: "what is the port", "tell me where it is".
func question(prompt string) bool {
	n := 0
	for word := range strings.FieldsSeq(strings.ToLower(prefixRunes(prompt, 200))) {
		switch word {
		case "what", "which", "who", "whose", "when", "where", "why", "how":
			return true
		}
		if n++; n == 5 {
			break
		}
	}
	return asks(prompt)
}

// says is the idf mass of what a match holds of the question, apart from the words that
// any request is framed with; of every, all of it.
func (w *words) says(held uint64) (sum float64) {
	for i := range w.units {
		switch u := &w.units[i]; {
		case u.weak < 1:
		case held == every:
			sum += u.idf
		default:
			sum += w.found(u, held)
		}
	}
	return sum
}

const every = ^uint64(0)

// A question that says less than brief is more often a word to the agent ("fix the typo",
// "show me the diff") than a question: of 132 of those 9 in 10 say less, and of codemem's
// development questions 4 in 100. It has at most briefHits.
const brief, briefHits = 1.3, 4

// enough is the share of a question, by the rarity of its words and less what names
// count there, that tells by itself that an entry bears on it. The lower, the more
// is shown, and the more of it is noise: of evidence, of what another project's prompts
// recall, and of what questions without an answer do, 76, 19 and 27 in 100 here; with
// 0.4 it is 73, 16 and 21, with 0.3 80, 25 and 39.
const enough = 0.37

// confidence is how sure it is that the best hits answer, from 0 to 1: it grows
// with the share of the question that one of them covers, and with its score,
// which counts how much that share is, so that a long prompt of which a part is
// answered, or a question answered in other words, is not taken for one that is
// not. The score is told as in a memory of a certain size (rarest). A long prompt has a
// share as well by what it has in common with one hit (plenty).
//
// That a hit holds a name tells what it is about, and little of whether it answers:
// a memory has much to say of whatever it names. That it lacks one tells that
// it does not.
func (a *asking) confidence(cs []*candidate) (sure, share float64) {
	score, told, answered := 0.0, 0.0, 0.0
	mass := max(a.words.mass, 1e-9) // a question may have no word that weighs
	for _, c := range cs[:min(len(cs), 3)] {
		has, lacks := a.words.named(c.match.Held)
		has *= nameHeld
		covered := (c.share*mass - has) / (mass - has + nameLacked*lacks)
		share = max(share, covered)
		told = max(told, a.words.told(c.match.Held)-has/a.words.once)
		answered = max(answered, a.answered(c, covered))
		counts := c.score - meaningUnsure*c.why.of("meaning")
		if a.lately { // newer is no surer
			counts -= c.why.of("date")
		}
		score = max(score, counts*mass/(mass+lacks))
	}
	sure = max(answered, told/plenty) + scoreSure*math.Log1p(score*rarest/a.words.once)
	if a.words.lang != text.English {
		share, sure = share*unaided, sure*unaided
	}
	sure /= 1 + sure
	if a.pasted {
		sure *= a.params.Pasted
	}
	return sure, share
}

// Of what a name counts in a question, the part that is not counted for an entry that
// holds it, and how many times it counts against one that lacks it. All from 0.5 to 1
// and from 2 to 5 tell questions that are answered from others about equally well;
// without, the area under the curve of codemem's development questions is 0.81, not 0.86.
const nameHeld, nameLacked = 0.75, 3

// answered is the share of the question that a candidate covers, and the time that
// was asked for. "What broke on 2 May?" has one word, and a note of that day
// answers it whatever its words.
func (a *asking) answered(c *candidate, share float64) float64 {
	if !c.timely {
		return share
	}
	return a.withTime(share)
}

// withTime is what is covered of a question by an entry that has a share of its
// words, and is of the time that it asks for.
func (a *asking) withTime(share float64) float64 {
	time := max(timeSure*a.words.once-a.words.timeMass(), 0)
	return (share*a.words.mass + time) / (a.words.mass + time)
}

// timeSure is what being of the time that was asked for counts, in words that stand
// in one entry alone.
const timeSure = 3

// plenty is how many words that stand in one entry alone are as good as the whole
// of a question. With 4 a prompt about another project is answered too often, with
// more a third of the tasks is not.
const plenty = 5

// scoreSure is what the logarithm of the score counts beside coverage; from 0.2 to
// 0.5 it tells answerable questions from others about equally well.
const scoreSure = 0.3

// rarest is the idf of a word that stands in one entry of some 360 alone, as large as
// codemem's projects are. Scores grow with how rare a word can be, so they are told as if each
// memory were of that size, and a floor means about the same in all (eval.TestSizes).
const rarest = 5.5

// unaided is how many times a share of a question counts in a language of which neither
// synonyms nor likeness in meaning are known: less of it can be covered. Of eval/languages'
// 420 questions in ten such languages the default profile's tail holds the answer of 163
// without it, of 297 with 1.4, of 384 with 1.8; of 85 questions without an answer
// something for 1, 4 and 29.
const unaided = 1.4

// meaningUnsure is the part of what likeness in meaning gives that orders hits and
// says nothing about whether they answer: a question without an answer has
// something like it, too.
const meaningUnsure = 0.4
