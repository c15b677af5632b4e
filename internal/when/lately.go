package when

import "strings"

// lately are words for a time that has no beginning: what is newest is of it.
const lately = `
recently
lately
of late
recent
recent days
recent weeks
recent months
we last
i last
zuletzt
kürzlich
neulich
jüngst
letztens
unlängst
in letzter zeit
in der letzten zeit
récemment
dernièrement
ces derniers temps
ces temps ci
récent
récente
récents
récentes
recientemente
últimamente
ultimamente
reciente
recientes
hace poco
recentemente
recente
recentes
há pouco
di recente
recenti
poco fa
onlangs
recentelijk
laatst
de laatste tijd
nyligen
på sistone
på sista tiden
senaste tiden
senast
ostatnio
niedawno
w ostatnim czasie
недавно
за последнее время
в последнее время
son zamanlarda
son olarak
geçenlerde
yakınlarda
最近
近来
近期
近日
近頃
この頃
최근
요즘
요새
`

// Lately says whether a question asks for what is newest without naming a time
// ("recently", "in letzter Zeit", "最近"), and returns the question with blanks in place
// of the words that say so. Where a question names a time as well, ask [Window] first.
func Lately(question string) (rest string, ok bool) {
	ts := tokens(question)
	left := []byte(question)
	for line := range strings.FieldsFuncSeq(lately, func(r rune) bool { return r == '\n' }) {
		words := strings.Fields(line)
		for i := range ts {
			if n := begins(ts[i:], words); n > 0 {
				for j := ts[i].from; j < ts[i+n-1].to; j++ {
					left[j] = ' '
				}
				ok = true
			}
		}
	}
	if ok {
		return string(left), true
	}
	return question, false
}

// begins is with how many tokens words stand at the beginning of some, 0 for none. Of
// signs each is a token of its own, and Korean adds endings.
func begins(ts []token, words []string) (n int) {
	for _, w := range words {
		for w != "" {
			if n == len(ts) {
				return 0
			}
			rest, ok := strings.CutPrefix(w, ts[n].s)
			if !ok {
				if w[0] < 0xEA || w[0] > 0xED || !strings.HasPrefix(ts[n].s, w) {
					return 0
				}
				rest = ""
			}
			w = rest
			n++
		}
	}
	return n
}

// last are words for the newest of something; "*" stands for any ending. Of signs a word
// may be part of another one.
const last = "last latest newest letzte* neueste* jüngste* dernier* dernièr* últim* ultim* laatste nieuwste senaste sista ostatni* последн* son 上次 最后 最新 最後 前回 마지막 지난번"

// Last says whether a word in lower case is one for the newest of something ("the last
// decision", "dernière décision"), and what is left of it: "決定は" of "最後の決定は".
func Last(word string) (left string, ok bool) {
	if word == "" {
		return "", false
	}
	for w := range strings.FieldsSeq(last) {
		begin, any := strings.CutSuffix(w, "*")
		if w == word || any && strings.HasPrefix(word, begin) {
			return "", true
		}
		if word[0] >= 0xE3 && w[0] >= 0xE3 && strings.Contains(word, w) {
			return strings.ReplaceAll(word, w, " "), true
		}
	}
	return word, false
}
