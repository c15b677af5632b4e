package recall

import "strings"

// bears says whether the best hits bear on the question, where the caller sets a floor,
// and keeps few of them where that is not sure.
func (a *asking) bears(best []*candidate, sure, share float64) bool {
	if a.opts.MinConfidence == 0 {
		return true
	}
	if a.little() {
		says := a.words.says(every)
		if says == 0 {
			return false
		}
		share = 0
		for _, c := range best[:min(len(best), 3)] {
			if question(a.q.Text) {
				share = max(share, a.words.says(c.match.Held)/says)
			}
		}
		a.limit = min(a.limit, briefHits)
	}
	return sure >= a.opts.MinConfidence || share >= enough
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
