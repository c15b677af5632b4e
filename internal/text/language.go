package text

import (
	"bytes"
	"slices"
	"strings"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/dutch"
	"github.com/blevesearch/snowballstem/english"
	"github.com/blevesearch/snowballstem/french"
	"github.com/blevesearch/snowballstem/german"
	"github.com/blevesearch/snowballstem/italian"
	"github.com/blevesearch/snowballstem/portuguese"
	"github.com/blevesearch/snowballstem/russian"
	"github.com/blevesearch/snowballstem/spanish"
	"github.com/blevesearch/snowballstem/swedish"
	"github.com/blevesearch/snowballstem/turkish"
)

// A Language is one that words are stemmed in and whose function words say
// nothing. A text is in English that shows no other. Russian words are known by their
// letters, in texts of any language; Japanese and Korean have no stems, and Chinese
// counts as English, because the table of word vectors knows both.
type Language uint8

const (
	English Language = iota
	German
	French
	Spanish
	Portuguese
	Italian
	Dutch
	Swedish
	Turkish
	Polish
	Russian
	Japanese
	Korean
	languages
)

// Known are the languages that a memory may be asked in although a question shows none.
func Known() []Language {
	return []Language{German, French, Spanish, Portuguese, Italian, Dutch, Swedish, Turkish, Polish, Russian}
}

// leastForeign is how many function words of a language a text has at least that is
// in it. A single one stands in English notes, too: "DER files", "the MIT license", "OS".
const leastForeign = 2

// A census counts the function words of a text by language, those that are not
// English each once. A letter that English has not counts as one word. Words of a single
// letter do not count alone: u, y and z are in formulas and code.
type census struct {
	words   [languages]int
	met     []string
	long    tongues // languages of which there was more than one letter
	letters tongues // languages of which there was one
}

func (c *census) reset() { *c = census{met: c.met[:0]} }

// spell looks at a word as it is written.
func (c *census) spell(written string) {
	for _, r := range written {
		in := English
		switch r {
		case 'ä', 'ö', 'ü', 'ß', 'Ä', 'Ö', 'Ü':
			in = German
		case 'è', 'ê', 'ù', 'û', 'î', 'œ', 'È', 'Ê':
			in = French
		case 'ñ', 'Ñ':
			in = Spanish
		case 'ã', 'õ', 'Ã', 'Õ':
			in = Portuguese
		case 'ì', 'ò':
			in = Italian
		case 'å', 'Å':
			in = Swedish
		case 'ı', 'ğ', 'ş', 'Ğ', 'Ş', 'İ':
			in = Turkish
		case 'ą', 'ę', 'ł', 'ś', 'ż', 'ź', 'ć', 'ń', 'Ł', 'Ś', 'Ż', 'Ź', 'Ć':
			in = Polish
		}
		if r >= 0x400 && r < 0x480 { // no other language here has these
			c.long |= 1 << Russian
			c.words[Russian] += leastForeign
			return
		}
		if in != English && c.letters&(1<<in) == 0 {
			c.letters |= 1 << in
			c.words[in]++
		}
	}
}

// add counts a word in lower case that says nothing in some languages.
func (c *census) add(low []byte, in tongues) {
	if in&1 != 0 {
		c.words[English]++ // "in", "so" and "was", whatever else they are
		return
	}
	if in == 0 || slices.ContainsFunc(c.met, func(s string) bool { return s == string(low) }) {
		return
	}
	c.met = append(c.met, string(low))
	if len(low) > 1 {
		c.long |= in
	}
	for l := German; l < languages; l++ {
		if in&(1<<l) != 0 {
			c.words[l]++
		}
	}
}

// language is the one that has the most words.
func (c *census) language() Language {
	best := English
	for l := German; l < languages; l++ {
		if c.long&(1<<l) != 0 && c.words[l] >= leastForeign && c.words[l] > c.words[best] {
			best = l
		}
	}
	return best
}

// tongues are languages, a bit for each.
type tongues uint16

// silentIn is in which languages a word in lower case says nothing.
func silentIn(low string) (in tongues) {
	for l := English; l < languages; l++ {
		if l.says(low) == saysNothing {
			in |= 1 << l
		}
	}
	return in
}

// Silent says whether a word in lower case says nothing in one of the languages: whoever
// frames a question in it uses it.
func Silent(word string) bool {
	var low []byte
	for _, r := range word {
		low = fold(low, r)
	}
	return silentIn(string(low)) != 0
}

// signsPerWord is how many characters of Japanese or Korean weigh as much as a function
// word: a message quoted in an English question is not its language.
const signsPerWord = 2

// LanguageOf is the language of a text, and whether the text shows it: "getUserName" and
// "Verbindung" might be of any, and count as English.
func LanguageOf(s string) (l Language, shown bool) {
	var c census
	kana, hangul := 0, 0
	sc := scanner{emit: func(sh shape, low []byte) {
		switch {
		case sh == aWord:
			c.add(low, silentIn(string(low)))
		case sh == aSign && low[0] == 0xE3 && low[1] >= 0x81 && low[1] <= 0x83: // U+3040..U+30FF
			kana++
		case sh == aSign && low[0] >= 0xEA && low[0] <= 0xED: // U+A000..U+D7FF
			hangul++
		}
	}, spell: c.spell}
	head, tail := ends(s)
	sc.scan(head)
	sc.scan(tail)
	c.words[Japanese], c.words[Korean] = kana/signsPerWord, hangul/signsPerWord
	c.long |= 1<<Japanese | 1<<Korean
	l = c.language()
	return l, l != English || c.words[English] > 0
}

// MayBe are the languages that a short text may be in, likely ones first: English, and
// those of which it has as many function words as of English, also in compounds
// ("avons-nous"); or, if it has none of any language, all, where it has a letter that
// English has not.
func MayBe(s string) (ls []Language) {
	var counts [languages]int
	silent, letters := 0, false
	sc := scanner{emit: func(sh shape, low []byte) {
		if sh != aWord && sh != aPart {
			return
		}
		in := silentIn(string(low))
		if in != 0 {
			silent++
		}
		for l := English; l <= Russian; l++ {
			if in&(1<<l) != 0 {
				counts[l]++
			}
		}
	}, spell: func(string) { letters = true }}
	sc.scan(s)
	for l := English; l <= Russian; l++ {
		if l == English || counts[l] >= max(counts[English], 1) || silent == 0 && letters {
			ls = append(ls, l)
		}
	}
	slices.SortStableFunc(ls, func(a, b Language) int { return counts[b] - counts[a] })
	return ls
}

// Code is the language's code of ISO 639-1.
func (l Language) Code() string {
	return [...]string{"en", "de", "fr", "es", "pt", "it", "nl", "sv", "tr", "pl", "ru", "ja", "ko"}[l]
}

// Compounds says whether the language writes them in one word.
func (l Language) Compounds() bool { return l == German || l == Dutch || l == Swedish }

// of is the language of one word: Russian by its letters, or that of its text, where
// that has stems.
func (l Language) of(low []byte) Language {
	switch {
	case len(low) > 1 && (low[0] == 0xD0 || low[0] == 0xD1): // U+0400..U+047F
		return Russian
	case l >= Russian:
		return English
	}
	return l
}

// inverted tells whether a compound is a verb with what stands for its subject or
// object: "garde-t-il", "cifra-se".
func (l Language) inverted(low string) bool {
	if l != French && l != Portuguese {
		return false
	}
	i := strings.LastIndexByte(low, '-')
	return i > 0 && l.says(low[i+1:]) == saysNothing
}

// says tells how much a word of the language says, in lower case and without accents.
func (l Language) says(low string) says {
	switch l {
	case German:
		return germanSays(low)
	case French:
		return frenchSays(low)
	case Spanish:
		return spanishSays(low)
	case Portuguese:
		return portugueseSays(low)
	case Italian:
		return italianSays(low)
	case Dutch:
		return dutchSays(low)
	case Swedish:
		return swedishSays(low)
	case Turkish:
		return turkishSays(low)
	case Polish:
		return polishSays(low)
	case Russian:
		return russianSays(low)
	}
	switch {
	case Stop(low):
		return saysNothing
	case Weak(low):
		return saysLittle
	}
	return saysMuch
}

// stem is the snowball stem of a word in lower case, folded. It is taken of the word
// as it is written, because French and Portuguese endings are told by their accents.
// An English word with anything but ASCII letters in it is its own stem.
func (l Language) stem(word string) string {
	switch l {
	case English:
		if strings.IndexFunc(word, func(r rune) bool { return r < 'a' || r > 'z' }) >= 0 {
			return word
		}
	case Portuguese: // the plurals of "ão", which the algorithm keeps apart
		for _, end := range [...]string{"ões", "ães"} {
			if s, ok := strings.CutSuffix(word, end); ok {
				word = s + "ão"
			}
		}
	}
	if l == Polish {
		return polishStem(word)
	}
	env := snowballstem.NewEnv(word)
	switch l {
	case English:
		english.Stem(env)
		return env.Current()
	case German:
		german.Stem(env)
	case French:
		french.Stem(env)
	case Spanish:
		spanish.Stem(env)
	case Portuguese:
		portuguese.Stem(env)
	case Italian:
		italian.Stem(env)
	case Dutch:
		dutch.Stem(env)
	case Swedish:
		swedish.Stem(env)
	case Turkish:
		turkish.Stem(env)
	case Russian:
		russian.Stem(env)
	}
	var out []byte
	for _, r := range env.Current() {
		out = fold(out, r)
	}
	return string(out)
}

// polishStem takes the longest ending that leaves four letters. There is no snowball
// algorithm for Polish.
func polishStem(word string) string {
	var out []byte
	for _, r := range word {
		out = fold(out, r)
	}
	for _, end := range [...]string{"iach", "iami", "iego", "iemu", "owie", "ach", "ami", "ego", "emu", "owi", "ych", "ymi", "imi", "ich", "iom", "iem",
		"om", "em", "ow", "ej", "ie", "ia", "iu", "io", "ym", "im", "ac", "ic", "y", "i", "a", "e", "o", "u"} {
		if s, ok := bytes.CutSuffix(out, []byte(end)); ok && len(s) >= 4 {
			return string(s)
		}
	}
	return string(out)
}

// Stem is the stem of an English word.
func Stem(word string) string { return English.stem(word) }

// Stem is the stem of a word of the language in lower case, without accents, "" for one
// that says nothing.
func (l Language) Stem(word string) string {
	var low []byte
	for _, r := range word {
		low = fold(low, r)
	}
	if l = l.of(low); l.says(string(low)) == saysNothing {
		return ""
	}
	return l.stem(word)
}
