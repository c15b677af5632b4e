package text

// An Analyzer turns text into terms. It remembers the words it has met, within
// a bound, because stemming is the dearest part and texts repeat their words.
// It is for one goroutine; the zero value is not usable.
type Analyzer struct {
	scanner scanner
	words   map[string]word   // by the word as it stands
	foreign map[spoken]word   // words of other languages than English
	lang    Language          // of what is scanned
	census  census            // of what was scanned since it was reset
	keys    map[string]string // other keys, each by itself
	buf     []byte
	add     func(key string)
	heading bool // what is scanned is metadata: stems in Meta instead of words
	count   int  // words added since the caller set it to 0

	entry    []string // scratch of Passages
	terms    []TermCount
	passages []Passage
}

// word holds the keys of one word. A stop word has none.
type word struct {
	stem, exact, ident, meta string
	silent                   tongues
}

// A spoken word is one of a language, in lower case.
type spoken struct {
	lang Language
	word string
}

// cacheSize bounds both caches; a memory's vocabulary is far smaller, and what
// does not fit is computed again.
const cacheSize = 1 << 15

// NewAnalyzer makes an Analyzer.
func NewAnalyzer() *Analyzer {
	a := &Analyzer{words: map[string]word{}, foreign: map[spoken]word{}, keys: map[string]string{}}
	a.scanner.emit, a.scanner.spell = a.token, a.census.spell
	return a
}

// Analyze calls emit for every term of s, in the order of s and as often as it
// occurs.
func (a *Analyzer) Analyze(s string, emit func(field byte, term string)) {
	a.add = func(key string) { emit(key[0], key[1:]) }
	a.scanner.scan(s)
}

// Stems calls emit for the stem of every word of s, in the order of s, as the words
// of a language, stop words left out. A word that may says no to is not stemmed: emit
// gets "" for it.
func (a *Analyzer) Stems(l Language, s string, may func(low []byte) bool, emit func(stem string)) {
	a.lang = l
	a.scanner.emit = func(sh shape, low []byte) {
		if sh != aWord && sh != aName && sh != aPart {
			return
		}
		if !may(low) {
			if l.of(low).says(string(low)) != saysNothing {
				emit("")
			}
		} else if w := a.word(sh, low); w.stem != "" {
			emit(w.stem[1:])
		}
	}
	a.scanner.scan(s)
	a.scanner.emit, a.lang = a.token, English
}

// Analyze is [Analyzer.Analyze] for a single text.
func Analyze(s string, emit func(field byte, term string)) { NewAnalyzer().Analyze(s, emit) }

// token maps what the scanner found to terms.
func (a *Analyzer) token(sh shape, low []byte) {
	if a.heading {
		a.metaToken(sh, low)
		return
	}
	switch sh {
	case aWord, aName:
		w := a.word(sh, low)
		if w.silent != 0 {
			a.census.add(low, w.silent)
		}
		if w.stem == "" {
			return
		}
		a.count++
		a.add(w.stem)
		a.add(w.exact)
	case aWhole:
		a.add(a.key(Exact, low))
	case aPart:
		w := a.word(sh, low)
		if w.stem == "" {
			return
		}
		a.count++
		a.add(w.stem)
		a.add(w.ident)
	case aNumber:
		a.count++
		a.add(a.key(Exact, low))
	case aSign:
		if !particle(low) {
			a.count++
			a.add(a.key(CJK, low))
		}
	case aPair:
		a.add(a.key(CJK, low))
	case aTag:
		a.add(a.key(Tag, low))
	}
}

// metaToken maps a token of the metadata. Dates keep their whole form and lose
// the zeros of their parts: "2026-03-05" is also 2026, 3 and 5.
func (a *Analyzer) metaToken(sh shape, low []byte) {
	switch sh {
	case aWord, aName, aPart:
		if w := a.word(sh, low); w.meta != "" {
			a.add(w.meta)
		}
	case aNumber:
		for len(low) > 1 && low[0] == '0' {
			low = low[1:]
		}
		a.add(a.key(Meta, low))
	case aWhole:
		a.add(a.key(Meta, low))
	case aSign, aPair:
		a.add(a.key(CJK, low))
	}
}

// word looks the word up, or stems it.
func (a *Analyzer) word(sh shape, low []byte) word {
	if l := a.lang.of(low); l != English {
		return a.spoken(l, sh, low)
	}
	if w, ok := a.words[string(low)]; ok {
		return w
	}
	if len(a.words) >= cacheSize {
		clear(a.words)
	}
	s := string(low)
	w := wordOf(s, Stem(s))
	w.silent = silentIn(s)
	if w.silent&1 != 0 {
		w = word{silent: w.silent}
	}
	a.words[s] = w
	return w
}

// spoken is word in another language, where a word by itself is stemmed as it is
// written and a part of one as it is folded.
func (a *Analyzer) spoken(l Language, sh shape, low []byte) word {
	written := a.scanner.written(sh, low)
	key := spoken{l, written}
	if w, ok := a.foreign[key]; ok {
		return w
	}
	if len(a.foreign) >= cacheSize {
		clear(a.foreign)
	}
	s := string(low)
	w := word{silent: silentIn(s)}
	if l.says(s) != saysNothing && !Stop(s) {
		w = wordOf(s, l.stem(written))
		w.silent = silentIn(s)
	}
	a.foreign[key] = w
	return w
}

func wordOf(w, stem string) word {
	return word{stem: Key(Word, stem), exact: Key(Exact, w), ident: Key(Ident, w), meta: Key(Meta, stem)}
}

// key is Key without allocating for keys that were met before.
func (a *Analyzer) key(field byte, low []byte) string {
	a.buf = append(append(a.buf[:0], field), low...)
	if k, ok := a.keys[string(a.buf)]; ok {
		return k
	}
	if len(a.keys) >= cacheSize {
		clear(a.keys)
	}
	k := string(a.buf)
	a.keys[k] = k
	return k
}
