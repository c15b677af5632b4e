package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// SignWords is about how many words of Chinese, Japanese and Korean a text has that say
// something: two Chinese characters, a run of Japanese ones or of Katakana (Hiragana are
// endings), what stands between two blanks in Korean.
func SignWords(s string) (n int) {
	for s != "" {
		r, size := utf8.DecodeRuneInString(s)
		switch {
		case hangul(r):
			if size = lead(s, hangul, 1<<10); !koreanStop(s[:size]) {
				n++
			}
		case katakana(r):
			size = lead(s, katakana, 1<<10)
			n++
		case han(r):
			if stop := silentSigns(s); stop > 0 {
				size = stop
				break
			}
			size = lead(s, han, 2)
			n++
		}
		s = s[size:]
	}
	return n
}

func han(r rune) bool      { return unicode.Is(unicode.Han, r) }
func hangul(r rune) bool   { return unicode.Is(unicode.Hangul, r) }
func katakana(r rune) bool { return r >= 0x30A0 && r <= 0x30FF }

// lead is how many bytes at the beginning of s are of a script, of so many characters.
func lead(s string, script func(rune) bool, most int) (size int) {
	for i, r := range s {
		if most == 0 || !script(r) {
			return i
		}
		most--
	}
	return len(s)
}

// silentSigns is how many bytes at the beginning of s are the longest Chinese or Japanese
// word there that says nothing or little, 0 for none.
func silentSigns(s string) (size int) {
	n := 0
	for i, r := range s {
		end := i + utf8.RuneLen(r)
		if n++; n > 4 || !han(r) {
			break
		}
		switch w := s[:end]; {
		case Stop(w), Weak(w), w == "何", w == "誰", w == "我", w == "你", w == "他", w == "们", w == "把", w == "有", w == "到", w == "过", w == "会", w == "事", w == "事情", w == "时", w == "时候":
			size = end
		}
	}
	return size
}

// koreanStop says whether a Korean word says nothing: who, what, did, and the particles
// that stand alone where the word before them was taken out.
func koreanStop(w string) bool {
	if utf8.RuneCountInString(w) == 1 {
		return true
	}
	const words = " 뭐를 무엇을 무엇 무슨 어떤 우리 우리가 우리는 했어 했지 했나 했나요 했니 했습니까 한일 일이 있었어 있었지 있었나 있었나요 에는 까지 부터 동안 에서 에게 누가 "
	return strings.Contains(words, " "+w+" ")
}
