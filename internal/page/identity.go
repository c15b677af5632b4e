package page

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/pimento-memory/pimento"
)

// number fills in statements and counts the repetitions of each.
func (p *Page) number() {
	var scratch []byte
	var digits [16]byte
	seen := make(map[uint64]int32, len(p.entries))
	for i := range p.entries {
		e := &p.entries[i]
		var sum [8]byte
		sum, scratch = statementSum(e.Text, scratch)
		hex.Encode(digits[:], sum[:])
		e.Statement = pimento.Statement(digits[:])
		key := binary.LittleEndian.Uint64(sum[:])
		e.N = int(seen[key])
		seen[key]++
	}
}

// statementSum is pimento.StatementOf before it is put in hex, computed in a
// scratch buffer because a page asks for it once per entry.
func statementSum(text string, scratch []byte) ([8]byte, []byte) {
	scratch = foldSpace(scratch[:0], text)
	sum := sha256.Sum256(scratch)
	return [8]byte(sum[:8]), scratch
}

// foldSpace appends text with every run of white space as one space and none
// around it.
func foldSpace(dst []byte, text string) []byte {
	regular := regularPrefix(text)
	dst = append(slices.Grow(dst, len(text)), text[:regular]...)
	gap := false
	for i := regular; i < len(text); {
		size, space := 1, false
		if c := text[i]; c < utf8.RuneSelf {
			space = c == ' ' || '\t' <= c && c <= '\r'
		} else {
			var r rune
			r, size = utf8.DecodeRuneInString(text[i:])
			space = unicode.IsSpace(r)
		}
		if space {
			gap = true
		} else {
			if gap && len(dst) > 0 {
				dst = append(dst, ' ')
			}
			gap = false
			dst = append(dst, text[i:i+size]...)
		}
		i += size
	}
	return dst
}

// regularPrefix is the length of what can be copied as it is: ASCII words with
// single spaces between them.
func regularPrefix(text string) int {
	space := true
	for i := range len(text) {
		c := text[i]
		if c == ' ' {
			if space {
				return max(i-1, 0)
			}
			space = true
			continue
		}
		if c < ' ' || c >= utf8.RuneSelf {
			if space {
				return max(i-1, 0)
			}
			return i
		}
		space = false
	}
	if space {
		return max(len(text)-1, 0)
	}
	return len(text)
}
