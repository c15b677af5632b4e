package upkeep

import (
	"slices"
	"strings"
	"unicode"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/text"
	"github.com/pimento-memory/pimento/internal/when"
)

// A token is one word of a statement, in its place.
type token struct {
	raw  string // lower-cased, without the punctuation around it
	stem string // what it is compared by
	mark bool   // a number, version, path or identifier: what differs in it differs
	name bool   // written with a capital inside a sentence, or as code
	stop bool
	neg  bool
	end  bool // a clause ends behind it
	last byte // the sign behind it, if there is one

	other bool // a word of another language, which is no more than its stem
	verb  bool // the end of a verb in two parts: geht auf
}

// A gist is what two statements are compared by.
type gist struct {
	text    string
	folded  string   // the text without what makes no difference
	terms   []string // of content, sorted, each once; without negations
	words   []string // the terms that are no marks
	marks   []string // the terms that are
	negated bool     // an odd number of negations
	besides []string // terms of what alone it rules out, see aside
	only    bool     // it says that nothing else is so
	asks    bool     // it is a question
	event   bool     // it tells what happened once
	later   bool     // it says that something was another way before
	claim   claim
	form    form
}

// gistOf reads a statement.
func gistOf(e pimento.Entry) gist { return gistBy(e, tokensOf(e.Text)) }

// gistBy is gistOf with the tokens of the text, which it does not keep.
func gistBy(e pimento.Entry, tokens []token) gist {
	g := gist{text: e.Text, folded: folded(e.Text), event: e.Kind == pimento.KindDone}
	g.later = isLater(tokens)
	g.asks = len(tokens) > 0 && tokens[len(tokens)-1].last == '?'
	tokens = core(tokens)
	event := false
	for _, t := range tokens {
		g.only = g.only || t.raw == "only"
		switch {
		case t.neg:
			g.negated = !g.negated
		case happened(t.stem):
			event = true
			fallthrough
		case !t.stop && t.stem != "":
			g.terms = append(g.terms, t.stem)
			if t.mark {
				g.marks = append(g.marks, t.stem)
			} else {
				g.words = append(g.words, t.stem)
			}
		}
	}
	for _, list := range []*[]string{&g.terms, &g.words, &g.marks} {
		slices.Sort(*list)
		*list = slices.Clone(slices.Compact(*list)) // without the room that it grew into
	}
	var past bool
	g.aims(tokens)
	g.event = g.event || event && g.claim.relation != "use" // to use merge is no merge
	if eastern(e.Text) {
		tokens = fromEast(e.Text)
		g.later = g.later || isLater(tokens)
	}
	g.form, past = formOf(tokens)
	g.event = g.event || past
	return g
}

// aims finds the claim of a statement, and what it rules out besides.
func (g *gist) aims(tokens []token) {
	g.claim = claimOf(tokens)
	at, but := aside(tokens), ban(tokens)
	said, out := tokens[:at], tokens[at:]
	if but > 0 {
		said, out = tokens[but:], tokens[:but]
	}
	g.claim.denied = denied(said)
	if len(out) == 0 {
		return
	}
	says := content(said)
	g.besides = slices.DeleteFunc(content(out), func(s string) bool { return s == "use" || slices.Contains(says, s) }) // "but" goes with the verb
	if c := claimOf(said); but > 0 && c.relation == "use" {
		g.claim = c
		g.claim.instead = g.besides
	}
}

// maxTokens is how much of a long entry is compared.
const maxTokens = 400

func tokensOf(s string) []token { return (*wordBook)(nil).tokens(nil, s) }

// A wordBook keeps what it has read of words: of a large memory's nearly all come again.
// None keeps nothing.
type wordBook struct {
	read  map[spelt]token
	known map[string]counts
	only  map[string]bool // of English function words
}

// counts are of each language.
type counts [text.Russian + 1]int8

// A spelt word is one as it stands between blanks.
type spelt struct {
	word  string
	in    text.Language
	first bool // of a sentence
}

// wordsKept is about how many different words a large memory has.
const wordsKept = 1 << 16

// tokens appends the tokens of a text.
func (w *wordBook) tokens(out []token, s string) []token {
	return w.tokensIn(w.languageOf(s), out, s)
}

// tokensIn appends the tokens of a text in a language.
func (w *wordBook) tokensIn(in text.Language, out []token, s string) []token {
	first, at, read := true, 0, false
	for f := range strings.FieldsSeq(s) {
		if len(out) >= maxTokens {
			break
		}
		at += strings.Index(s[at:], f) + len(f)
		if read { // with the word before it
			read = false
			continue
		}
		before, f := elided(in, f)
		if before != "" {
			out = append(out, w.token(spelt{before, in, false}))
		}
		if in != text.English {
			f = asEnglish(in, f, strings.TrimSpace(s[at:]) != "", out)
			if english := phrase(in, f, s[at:]); english != "" {
				out, read, first = append(out, tokenOf(english, false)), true, false
				continue
			}
		}
		t := w.token(spelt{f, in, first})
		t.particle(in, f, strings.TrimSpace(s[at:]) == "")
		if t.raw == "" {
			if len(out) > 0 && strings.ContainsAny(f, ",;.:()—") {
				out[len(out)-1].end = true
			}
			if len(out) > 0 && f == "?" { // as French writes it
				out[len(out)-1].last = '?'
			}
			continue
		}
		first = strings.ContainsAny(f[len(f)-1:], ".!?:")
		if unspacedIn(t.raw) {
			out = append(out, signs(t.raw)...)
			continue
		}
		if n := len(out); n > 0 && out[n-1].raw == "one" && unit(t.stem) {
			out[n-1].stem, out[n-1].mark, out[n-1].stop = "1", true, false
		}
		if n := len(out); n > 0 && t.raw == "only" && out[n-1].neg { // not only
			out[n-1].neg, out[n-1].stop = false, true
		}
		out = append(out, t)
	}
	if in != text.English {
		out = inOrder(in, out)
	}
	harmless(out)
	return out
}

// harmless reads what is no problem as allowed: who says so forbids nothing.
func harmless(ts []token) {
	const near = 4 // words: ce n'est pas un problème
	for i, t := range ts {
		switch t.stem {
		case "problem", "problèm", "problema", "проблем", "issu", "concern", "troubl", "harm", "obstacl":
		default:
			continue
		}
		denied, is := false, false
		for j := i - 1; j >= max(0, i-near) && !ts[j].end; j-- {
			denied, is = denied || ts[j].neg, is || ts[j].raw == "is" || ts[j].raw == "are" || ts[j].raw == "be"
		}
		if !denied || !is {
			continue
		}
		for j := i - 1; j >= max(0, i-near) && !ts[j].end; j-- {
			ts[j].stop, ts[j].neg = ts[j].stop || ts[j].neg, false
		}
		ts[i].raw, ts[i].stem = "allowed", "allow"
	}
}

// token is the token of a word.
func (w *wordBook) token(s spelt) token {
	if w != nil {
		if t, ok := w.read[s]; ok {
			return t
		}
	}
	t := tokenOf(s.word, s.first)
	if s.in != text.English && !t.mark && t.raw != "" {
		t.inLanguage(s.in)
	}
	if w != nil && len(w.read) < wordsKept {
		w.read[s] = t
	}
	return t
}

// isLater says whether a statement says that something was another way before: now, moved,
// no longer, since June, instead of.
func isLater(ts []token) bool {
	for i, t := range ts {
		next := token{}
		if i+1 < len(ts) {
			next = ts[i+1]
		}
		since := t.raw == "since" && (when.Month(next.raw) != 0 || isDay(next) || next.mark)
		if changed(t.raw) || t.raw == "anymore" || t.raw == "instead" && i > 0 || since || t.raw == "no" && next.raw == "longer" {
			return true
		}
	}
	return false
}

// core is a statement without the reason that it gives.
func core(ts []token) []token {
	for i, t := range ts {
		if i > 1 && (t.raw == "because" || t.raw == "since" || t.raw == "so" && i+1 < len(ts) && ts[i+1].raw == "that") {
			return ts[:i]
		}
	}
	return ts
}

// tokenOf reads one word as it stands between spaces.
func tokenOf(f string, first bool) token {
	bare := strings.TrimFunc(f, func(r rune) bool {
		return strings.ContainsRune("\"'`“”‘’«»()[]{}<>,;:.!?*…。，；：！？", r)
	})
	t := token{raw: strings.ReplaceAll(strings.ToLower(bare), "’", "'")}
	t.end = strings.TrimRight(f, ",;.!?)") != f
	t.last = f[len(f)-1]
	t.raw = strings.TrimSuffix(t.raw, "'s")
	plain := strings.ReplaceAll(t.raw, "'", "")
	if n, ok := numeral(plain); ok {
		plain = n
	}
	t.neg = negates(plain)
	t.stop = text.Stop(plain) && !t.neg && bare != "US" && bare != "IT" || filler(plain)
	digit := strings.ContainsFunc(plain, unicode.IsDigit)
	inner := strings.ContainsAny(strings.Trim(plain, "-/."), "./_:@#=+") || strings.HasPrefix(plain, "--") || strings.Contains(f, "`")
	t.mark = digit || inner
	t.name = inner || !first && bare != "" && unicode.IsUpper([]rune(bare)[0])
	t.stem = plain
	if !t.mark {
		t.stem = canonical(text.Stem(plain))
	} else {
		t.stem = strings.TrimPrefix(plain, "v")
	}
	return t
}

func unspacedIn(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return r >= 0x2E80 })
}

// signs are the terms of a run without spaces; its negations are looked for in
// the run.
func signs(run string) (out []token) {
	text.Analyze(run, func(field byte, term string) {
		if field == text.CJK || field == text.Exact {
			out = append(out, token{raw: term, stem: term, mark: strings.ContainsFunc(term, unicode.IsDigit)})
		}
	})
	for _, no := range []string{"不要", "不再", "不用", "从不", "禁止", "别用", "没有", "不是"} {
		if strings.Contains(run, no) {
			return append(out, token{raw: no, neg: true})
		}
	}
	return out
}

func negates(w string) bool {
	switch w {
	case "not", "never", "no", "dont", "doesnt", "didnt", "isnt", "arent", "wasnt", "werent", "wont", "cant", "cannot", "couldnt",
		"shouldnt", "mustnt", "neednt", "hasnt", "havent", "without", "avoid", "avoids", "stop", "forbidden", "forbid", "forbids", "neither",
		"nobody", "nothing", "forget", "unsupported", "refuse", "refuses":
		return true
	}
	return false
}

// filler is a word that says the same with and without it.
func filler(w string) bool {
	switch w {
	case "always", "please", "just", "really", "very", "also", "still", "now", "currently", "generally", "usually", "user", "should",
		"must", "shall", "will", "would", "we", "i", "they", "our", "please,", "longer", "any", "every", "whenever", "remember", "note":
		return true
	}
	return false
}

// canonical gives words that mean the same in notes one form. Stems in, stems
// out.
func canonical(stem string) string {
	switch stem {
	case "util", "utilis", "employ", "leverag":
		return "use"
	case "delet", "drop", "eras":
		return "remov"
	case "send":
		return "push"
	case "begin", "launch":
		return "start"
	case "creat", "make":
		return "build"
	case "repair":
		return "fix"
	case "favor", "favour", "like":
		return "prefer"
	case "need", "demand":
		return "requir"
	case "execut", "invok":
		return "run"
	case "sit", "resid", "locat", "store", "keep", "kept":
		return "live"
	case "concis", "brief":
		return "short"
	case "answer", "repli":
		return "respons"
	case "db":
		return "databas"
	case "repo":
		return "repositori"
	case "sec":
		return "second"
	case "min", "mins":
		return "minut"
	case "pr":
		return "pull-request"
	case "prod":
		return "product"
	case "config":
		return "configur"
	case "doc":
		return "document"
	}
	return stem
}

// happened tells verbs of things that happen once, again and again: what they
// tell differs by what it names.
func happened(stem string) bool {
	switch stem {
	case "releas", "fix", "merg", "close", "ship", "bump", "tag", "publish", "upgrad", "complet", "land", "finish", "deploy", "migrat", "met", "meet":
		return true
	}
	return false
}

func numeral(w string) (string, bool) {
	for i, n := range [...]string{"zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"} {
		if w == n && i != 1 {
			return [...]string{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"}[i], true
		}
	}
	switch w {
	case "fifteen":
		return "15", true
	case "twenty":
		return "20", true
	case "thirty":
		return "30", true
	case "forty":
		return "40", true
	case "fifty":
		return "50", true
	case "sixty":
		return "60", true
	case "hundred":
		return "100", true
	}
	return "", false
}
