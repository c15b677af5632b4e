// Package usage says which memories an answer made use of ([Judge]), and sums that up over
// many answers ([Sum]). It is pure.
//
// A memory was used when the answer says something that it can only have from there: the
// memory's id, a name, number or path of it (a strong mark), or most of its words close
// together. What the prompt says already proves nothing, because an answer repeats the
// question. If the answer calls a memory outdated, the memory was not used but
// contradicted.
//
// All of this judges by words, and therefore it errs. A preference that is followed by
// leaving something out leaves no mark. testdata/labelled.jsonl holds such cases, and the
// test tells how well this method does on them, and how well it does to look for the first
// 40 characters of a memory.
package usage

import (
	"strings"
	"unicode"

	"github.com/pimento-memory/pimento/internal/text"
)

// A Memory is one that stood in front of the model.
type Memory struct {
	ID   string // statement
	Text string
}

// A Verdict says what became of one memory.
type Verdict struct {
	ID           string
	Used         bool
	Contradicted bool
	Why          string // cited, mark, words, or what contradicts it; "" for neither
}

// Constants of the judgement, chosen on the dev half of the labelled set.
const (
	// window is how many sentences in a row count as close together.
	window = 3
	// markShare and wordShare are the shares of a memory's distinctive weight
	// that the answer must hold, with a strong mark among it and without; of
	// words at least minWords.
	markShare = 0.3
	wordShare = 0.5
	minWords  = 2
	// aboutShare is the share from which a sentence is about a memory, so that
	// what contradicts there contradicts it.
	aboutShare = 0.15

	strongWeight = 3.0 // a name, number or path
	properWeight = 2.0 // a capitalised word within a sentence
	weakWeight   = 0.5 // a word that is in any text
	pairWeight   = 0.7 // two characters of a script without spaces
)

// maxWindows bounds the work for a very long answer.
const maxWindows = 400

// Judge says for each memory what the answer made of it, in the same order.
func Judge(prompt, answer string, memories []Memory) []Verdict {
	asked := stems(prompt)
	var sentences []string
	for _, s := range text.Sentences(answer) {
		if s = strings.TrimSpace(s); s != "" {
			sentences = append(sentences, s)
		}
	}
	if len(sentences) > maxWindows {
		sentences = append(sentences[:maxWindows/2:maxWindows/2], sentences[len(sentences)-maxWindows/2:]...)
	}
	views := make([]view, len(sentences))
	for i := range sentences {
		views[i] = newView(strings.Join(sentences[i:min(len(sentences), i+window)], "\n"))
	}
	single := make([]view, len(sentences))
	for i, s := range sentences {
		single[i] = newView(s)
	}
	marks := make([][]mark, len(memories))
	for i, m := range memories {
		marks[i] = distinctive(m.Text, asked)
	}
	opposed := contradicted(marks, single)
	out := make([]Verdict, len(memories))
	for i, m := range memories {
		if word := opposed[i]; word != "" {
			out[i] = Verdict{ID: m.ID, Contradicted: true, Why: word}
			continue
		}
		why := uses(marks[i], views)
		if cites(strings.ToLower(answer), m.ID) {
			why = "cited"
		}
		out[i] = Verdict{ID: m.ID, Used: why != "", Why: why}
	}
	return out
}

// uses says by what an answer shows that it knows a memory, "" for nothing.
func uses(marks []mark, views []view) string {
	for _, w := range views {
		got := w.holds(marks)
		switch {
		case got.strong > 0 && got.share >= markShare:
			return "mark"
		case got.words >= minWords && got.share >= wordShare:
			return "words"
		}
	}
	return ""
}

// cites says whether an answer names an id, by at least its first 8 digits.
func cites(answer, id string) bool {
	return len(id) >= 8 && strings.Contains(answer, strings.ToLower(id[:8]))
}

// A mark is a word of a memory that the prompt does not hold.
type mark struct {
	key    string // stem, or the whole in lower case where it is strong
	strong bool
	weight float64
}

// distinctive are the marks of a text, each once.
func distinctive(s string, asked map[string]bool) []mark {
	var out []mark
	seen := map[string]bool{}
	put := func(m mark) {
		if !seen[m.key] && !asked[m.key] {
			seen[m.key] = true
			out = append(out, m)
		}
	}
	starts := true
	for _, raw := range strings.Fields(withoutCategory(s)) {
		w := strings.TrimFunc(raw, trimmed)
		if w == "" {
			continue
		}
		if strong(w) {
			put(mark{strings.ToLower(w), true, strongWeight})
			starts = endsSentence(raw)
			continue
		}
		weight := 1.0
		if first := []rune(w)[0]; unicode.IsUpper(first) && !starts {
			weight = properWeight
		}
		if text.Weak(strings.ToLower(w)) {
			weight = weakWeight
		}
		text.Analyze(w, func(field byte, term string) {
			switch {
			case field == text.Word:
				put(mark{term, false, weight})
			case field == text.CJK && len([]rune(term)) == 2:
				put(mark{term, false, pairWeight})
			}
		})
		starts = endsSentence(raw)
	}
	return out
}

// withoutCategory takes a "[lesson] " off.
func withoutCategory(s string) string {
	if rest, ok := strings.CutPrefix(s, "["); ok {
		if _, after, ok := strings.Cut(rest, "] "); ok {
			return after
		}
	}
	return s
}

func trimmed(r rune) bool {
	return strings.ContainsRune("`\"'“”‘’()[]{}<>,;:.!?*。，；：！？（）「」", r)
}

func endsSentence(raw string) bool { return strings.ContainsAny(raw[len(raw)-1:], ".!?:;") }

// strong says whether a word is a name of something: it has a digit, or a sign
// or a capital within.
func strong(w string) bool {
	if len(w) < 2 {
		return false
	}
	inner, letters, upper := false, 0, 0
	for i, r := range w {
		switch {
		case unicode.IsDigit(r) && len(w) > 1:
			inner = true
		case strings.ContainsRune("_/.:@#=$+", r) && (i > 0 || r == '#' || r == '-'):
			inner = true
		case unicode.IsUpper(r) && i > 0:
			upper++
			inner = inner || letters > upper
		case r > 0x2e80:
			return false // scripts without spaces: pairs tell more
		}
		if unicode.IsLetter(r) {
			letters++
		}
	}
	return inner || letters >= 3 && upper == letters-1 && unicode.IsUpper([]rune(w)[0])
}

// stems are the words of a text, and its strong words as a whole.
func stems(s string) map[string]bool {
	set := map[string]bool{}
	for _, raw := range strings.Fields(s) {
		if w := strings.TrimFunc(raw, trimmed); strong(w) {
			set[strings.ToLower(w)] = true
		}
	}
	text.Analyze(s, func(field byte, term string) {
		if field == text.Word || field == text.CJK {
			set[term] = true
		}
	})
	return set
}

// A view is a part of the answer.
type view struct {
	lower string
	stems map[string]bool
}

func newView(s string) view { return view{strings.ToLower(s), stems(s)} }

// A holding is what a part of the answer holds of a memory.
type holding struct {
	strong, words int
	share         float64 // of the memory's distinctive weight
}

func (v view) holds(marks []mark) holding {
	var h holding
	var all, got float64
	for _, m := range marks {
		all += m.weight
		switch {
		case m.strong && standsIn(v.lower, m.key):
			h.strong++
		case !m.strong && v.stems[m.key]:
			h.words++
		default:
			continue
		}
		got += m.weight
	}
	if all > 0 {
		h.share = got / all
	}
	return h
}

// standsIn says whether a word stands in a text as a whole.
func standsIn(s, w string) bool {
	for at := 0; ; {
		i := strings.Index(s[at:], w)
		if i < 0 {
			return false
		}
		from, to := at+i, at+i+len(w)
		if !alnum(s, from-1) && !alnum(s, to) {
			return true
		}
		at = to
	}
}

func alnum(s string, i int) bool {
	if i < 0 || i >= len(s) {
		return false
	}
	c := s[i]
	return c >= 'a' && c <= 'z' || c >= '0' && c <= '9'
}

// contradicting are the words by which an answer says that a memory does not
// hold any more.
func contradicting() []string {
	return []string{"outdated", "out of date", "no longer", "not anymore", "is stale", "was stale", "obsolete", "contradict", "contrary to",
		"has changed since", "isn't true", "is not true", "过时", "不再成立", "已经不是"}
}

// contradicted finds what an answer says against memories, by their index: in
// the sentence that is about them or, where that is about none ("that is
// outdated"), in the one before.
func contradicted(marks [][]mark, single []view) map[int]string {
	out := map[int]string{}
	for i, s := range single {
		for _, word := range contradicting() {
			if !strings.Contains(s.lower, word) {
				continue
			}
			about := s.about(marks)
			if len(about) == 0 && i > 0 {
				about = single[i-1].about(marks)
			}
			for _, m := range about {
				out[m] = word
			}
		}
	}
	return out
}

// about lists the memories that a part of the answer is about.
func (v view) about(marks [][]mark) (out []int) {
	for i, ms := range marks {
		if h := v.holds(ms); h.share >= aboutShare && h.strong+h.words > 0 {
			out = append(out, i)
		}
	}
	return out
}
