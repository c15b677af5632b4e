package bert

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// A tokenizer cuts text into WordPiece tokens as BERT's authors do: words
// between white space, punctuation and CJK characters on their own, lower case
// without accents (where the model was trained so), then the longest pieces
// that the vocabulary has.
//
// One thing differs: "[SEP]" and the like in a text are text. A memory must
// not be able to end a sequence.
type tokenizer struct {
	words map[string]int32 // pieces at the start of a word
	tails map[string]int32 // pieces within a word, without their "##"
	lower bool             // lower case, and accents stripped
	long  int              // bytes of the longest piece

	unknown, first, last int32 // [UNK], [CLS], [SEP]
}

const (
	maxWord = 100     // characters above which a word is not looked at
	maxText = 1 << 20 // bytes of a text that are looked at
)

// encode returns the ids of a text between [CLS] and [SEP], at most limit in
// all, and whether any of its words is known.
func (t *tokenizer) encode(text string, limit int) (ids []int32, known bool) {
	s := &splitter{tokenizer: t, limit: limit - 1, ids: append(make([]int32, 0, 32), t.first)}
	if len(text) > maxText {
		text = text[:maxText]
	}
	for _, r := range text {
		if s.full() {
			break
		}
		s.char(r)
	}
	s.endChunk()
	return append(s.ids, t.last), s.known
}

// A splitter collects one text's tokens.
type splitter struct {
	*tokenizer
	ids   []int32
	limit int
	known bool
	chunk []byte // what stands between white space
	ascii bool   // whether chunk has nothing else
	word  []byte // what of it is not yet a token
}

func (s *splitter) full() bool { return len(s.ids) >= s.limit }

// char takes one character of the text.
func (s *splitter) char(r rune) {
	switch {
	case r < utf8.RuneSelf:
		switch {
		case r == ' ' || r == '\t' || r == '\n' || r == '\r':
			s.endChunk()
		case r >= ' ' && r != 0x7f:
			s.chunk = append(s.chunk, byte(r))
		}
	case r == utf8.RuneError || unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs):
	case unicode.IsSpace(r) || unicode.Is(unicode.Zs, r):
		s.endChunk()
	default:
		s.ascii = false
		s.chunk = utf8.AppendRune(s.chunk, r)
	}
}

// endChunk cuts what stood between white space into words.
func (s *splitter) endChunk() {
	chunk := s.chunk
	if s.lower && !s.ascii {
		chunk = norm.NFD.Bytes(chunk)
	}
	for len(chunk) > 0 && !s.full() {
		r, size := utf8.DecodeRune(chunk)
		chunk = chunk[size:]
		switch {
		case s.lower && r >= utf8.RuneSelf && unicode.Is(unicode.Mn, r):
			continue
		case s.lower:
			r = unicode.ToLower(r)
		}
		if punctuation(r) || ideograph(r) {
			s.endWord()
			s.word = utf8.AppendRune(s.word, r)
			s.endWord()
			continue
		}
		s.word = utf8.AppendRune(s.word, r)
	}
	s.endWord()
	s.chunk, s.ascii = s.chunk[:0], true
}

// endWord cuts a word into pieces, the longest first; a word with a part that
// no piece fits is unknown as a whole.
func (s *splitter) endWord() {
	word := s.word
	s.word = s.word[:0]
	if len(word) == 0 || s.full() {
		return
	}
	start := len(s.ids)
	if utf8.RuneCount(word) > maxWord {
		s.ids = append(s.ids, s.unknown)
		return
	}
	pieces := s.words
	for len(word) > 0 {
		id, size := longest(pieces, word[:min(len(word), s.long)])
		if size == 0 {
			s.ids = append(s.ids[:start], s.unknown)
			return
		}
		s.ids = append(s.ids, id)
		word, pieces = word[size:], s.tails
	}
	s.known = true
	if len(s.ids) > s.limit {
		s.ids = s.ids[:s.limit]
	}
}

// longest finds the longest piece that word begins with; size is 0 without one.
func longest(pieces map[string]int32, word []byte) (id int32, size int) {
	for end := len(word); end > 0; end-- {
		if id, ok := pieces[string(word[:end])]; ok {
			return id, end
		}
	}
	return 0, 0
}

// punctuation is every sign of ASCII that is no letter, digit or space, and
// Unicode's punctuation.
func punctuation(r rune) bool {
	if r < utf8.RuneSelf {
		return r > ' ' && r < '0' || r > '9' && r < 'A' || r > 'Z' && r < 'a' || r > 'z' && r < 0x7f
	}
	return unicode.Is(unicode.P, r)
}

// ideograph tells the characters that BERT treats as words: the CJK blocks,
// not Hangul or Kana.
func ideograph(r rune) bool {
	return r >= 0x4E00 && r <= 0x9FFF || r >= 0x3400 && r <= 0x4DBF || r >= 0xF900 && r <= 0xFAFF ||
		r >= 0x20000 && r <= 0x2A6DF || r >= 0x2A700 && r <= 0x2CEAF || r >= 0x2F800 && r <= 0x2FA1F
}
