package text

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A shape says what sort of token the scanner found.
type shape uint8

const (
	aWord   shape = iota // a word of letters (and digits), nothing joined
	aName                // an identifier without separators but with humps: PostgreSQL
	aWhole               // a compound with its separators: read_model, src/main.go
	aPart                // one part of a name or compound
	aNumber              // digits only
	aSign                // one character of an unspaced script
	aPair                // two neighbouring ones
	aTag                 // the name of a #tag or [[link]]
)

// Classes of ASCII bytes, as far as the scanner tells them apart.
const (
	isOther uint8 = iota
	isLower
	isUpper
	isDigit
	isJoint // may stand between the parts of a compound
	isScore // the underscore: a joint that may also lead
)

var classes = [128]uint8{
	'a': isLower, 'b': isLower, 'c': isLower, 'd': isLower, 'e': isLower, 'f': isLower, 'g': isLower,
	'h': isLower, 'i': isLower, 'j': isLower, 'k': isLower, 'l': isLower, 'm': isLower, 'n': isLower,
	'o': isLower, 'p': isLower, 'q': isLower, 'r': isLower, 's': isLower, 't': isLower, 'u': isLower,
	'v': isLower, 'w': isLower, 'x': isLower, 'y': isLower, 'z': isLower,
	'A': isUpper, 'B': isUpper, 'C': isUpper, 'D': isUpper, 'E': isUpper, 'F': isUpper, 'G': isUpper,
	'H': isUpper, 'I': isUpper, 'J': isUpper, 'K': isUpper, 'L': isUpper, 'M': isUpper, 'N': isUpper,
	'O': isUpper, 'P': isUpper, 'Q': isUpper, 'R': isUpper, 'S': isUpper, 'T': isUpper, 'U': isUpper,
	'V': isUpper, 'W': isUpper, 'X': isUpper, 'Y': isUpper, 'Z': isUpper,
	'0': isDigit, '1': isDigit, '2': isDigit, '3': isDigit, '4': isDigit,
	'5': isDigit, '6': isDigit, '7': isDigit, '8': isDigit, '9': isDigit,
	'-': isJoint, '.': isJoint, '/': isJoint, '\\': isJoint, ':': isJoint, '@': isJoint,
	'_': isScore,
}

// A scanner cuts text into tokens. emit gets each token lower-cased and folded
// (see fold); the bytes are only valid during the call. Its buffers are kept
// from call to call.
type scanner struct {
	emit   func(sh shape, low []byte)
	spell  func(written string) // gets words with letters beyond ASCII, nil for nobody
	buf    []byte               // the compound being read, lower-cased
	parts  []span               // its parts, within buf
	gaps   bool                 // it has separators
	text   string               // what is scanned
	at     int                  // where in it the compound begins
	end    int                  // and ends
	beyond bool                 // there is a letter in it that is not ASCII
}

type span struct{ start, end int }

func (sc *scanner) scan(s string) {
	sc.text = s
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			switch cl := classes[c]; {
			case cl == isLower || cl == isUpper || cl == isDigit || cl == isScore:
				i = max(sc.compound(s, i), i+1) // a lone underscore is nothing
			case c == '#':
				sc.tag(s, i)
				i++
			case c == '$' && i+1 < len(s) && classes[s[i+1]&0x7f] == isDigit:
				sc.word("dollar", i)
				i++
			case c == '[' && strings.HasPrefix(s[i:], "[["):
				sc.link(s[i+2:])
				i += 2
			default:
				i++
			}
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case unspaced(r):
			i = sc.signs(s, i)
		case inWord(r):
			i = sc.compound(s, i)
		default:
			switch r {
			case '£':
				sc.word("pound", i)
			case '€':
				sc.word("euro", i)
			}
			i += n
		}
	}
}

// word emits the word that the sign at s[i] is read as: who asks for dollars or how much
// something cost means $45, too.
func (sc *scanner) word(w string, i int) {
	sc.buf, sc.at, sc.end = append(sc.buf[:0], w...), i, i
	sc.emit(aWord, sc.buf)
}

// written is a token in lower case as it is written, where it is a word that stands in
// the text, else as it was folded.
func (sc *scanner) written(sh shape, low []byte) string {
	if sh == aWord && sc.at < sc.end {
		return strings.ToLower(sc.text[sc.at:sc.end])
	}
	return string(low)
}

// compound reads a word with whatever is joined to it, from s[i] on, emits its
// tokens and returns where it ends.
func (sc *scanner) compound(s string, i int) int {
	sc.buf, sc.parts, sc.gaps, sc.beyond, sc.at = sc.buf[:0], sc.parts[:0], false, false, i
	start, prev := 0, isOther // where in buf the part being read starts; the class before
	for i < len(s) && len(sc.buf) < maxCompound {
		c := s[i]
		if c >= utf8.RuneSelf {
			next, cl, ok := sc.foreign(s, i)
			if !ok {
				break
			}
			if cl == isUpper && prev == isLower {
				start = sc.cut(start)
			}
			if cl != isOther {
				prev = cl
			}
			i = next
			continue
		}
		cl := classes[c]
		switch cl {
		case isLower, isDigit:
			sc.buf = append(sc.buf, c)
			prev = cl
			i++
			continue
		case isUpper:
			if prev == isLower || prev == isUpper && hump(s[i+1:]) {
				start = sc.cut(start)
			}
			sc.buf = append(sc.buf, c+('a'-'A'))
			prev = cl
			i++
			continue
		case isJoint, isScore:
			if n := joints(s[i:]); n > 0 {
				sc.cut(start)
				sc.buf = append(sc.buf, s[i:i+n]...)
				start, prev = len(sc.buf), isOther
				sc.gaps = true
				i += n
				continue
			}
		case isOther:
			if c == '\'' && (prev == isLower || prev == isUpper) {
				n := apostrophe(s[i+1:])
				if n == 0 && elided(sc.buf) {
					i++
					sc.buf, start, sc.at = sc.buf[:0], 0, i
					continue
				}
				if n > 0 || n == 0 && !suffixed(sc.buf, s[i+1:]) {
					i += 1 + n
					continue
				}
			}
		}
		break
	}
	sc.cut(start)
	return sc.finish(s, i)
}

// foreign takes one rune beyond ASCII into the compound. It returns where the
// next one starts and the rune's class; ok is false when the compound ends
// before it.
func (sc *scanner) foreign(s string, i int) (next int, cl uint8, ok bool) {
	r, n := utf8.DecodeRuneInString(s[i:])
	if r == '’' {
		k := -1
		if len(sc.buf) > 0 {
			k = apostrophe(s[i+n:])
		}
		if k == 0 && elided(sc.buf) {
			sc.buf, sc.at = sc.buf[:0], i+n
		}
		return i + n + k, isOther, k > 0 || k == 0 && !suffixed(sc.buf, s[i+n:])
	}
	if !inWord(r) || unspaced(r) {
		return i, isOther, false
	}
	cl, sc.beyond = isLower, true
	switch {
	case unicode.IsUpper(r):
		cl = isUpper
	case unicode.IsDigit(r):
		cl = isDigit
	}
	sc.buf = fold(sc.buf, r)
	return i + n, cl, true
}

// cut ends the part that began at start and returns the start of the next one.
func (sc *scanner) cut(start int) int {
	if len(sc.buf) > start {
		sc.parts = append(sc.parts, span{start, len(sc.buf)})
	}
	return len(sc.buf)
}

// finish emits what compound has read up to s[i].
func (sc *scanner) finish(s string, i int) int {
	sc.end = i
	if n := sign(sc.buf, s[i:]); n > 0 { // c++, c#, f#
		sc.emit(aWhole, append(sc.buf, s[i:i+n]...))
		return i + n
	}
	for len(sc.buf) > 0 && sc.gaps && sc.buf[len(sc.buf)-1] < utf8.RuneSelf && classes[sc.buf[len(sc.buf)-1]] >= isJoint {
		sc.buf = sc.buf[:len(sc.buf)-1]
	}
	if len(sc.parts) == 0 {
		return i
	}
	if one := sc.parts[0]; len(sc.parts) == 1 && one.end-one.start == len(sc.buf) {
		switch {
		case len(sc.buf) > maxPart:
		case digits(sc.buf):
			sc.emit(aNumber, sc.buf)
		default:
			if sc.beyond && sc.spell != nil {
				sc.spell(s[sc.at:i])
			}
			sc.emit(aWord, sc.buf)
		}
		return i
	}
	switch {
	case len(sc.buf) > maxWhole:
	case sc.gaps:
		sc.emit(aWhole, sc.buf)
		sc.base()
	case len(sc.buf) <= maxPart:
		sc.emit(aName, sc.buf)
	}
	if !sc.gaps && len(sc.buf) > maxPart {
		return i // one endless chain of letters in both cases: not a name but data
	}
	for _, p := range sc.parts {
		part := sc.buf[p.start:p.end]
		switch {
		case len(part) < 2 || len(part) > maxPart:
		case digits(part):
			sc.emit(aNumber, part)
		default:
			sc.emit(aPart, part)
		}
	}
	return i
}

// base emits the file name at the end of a path by itself, too: who asks for
// window.go means internal/rates/window.go. One without an extension is a part like
// any other.
func (sc *scanner) base() {
	name := sc.buf[bytes.LastIndexAny(sc.buf, "/\\")+1:]
	if len(name) < len(sc.buf) && bytes.IndexAny(name, ".-_") > 0 {
		sc.emit(aWhole, name)
	}
}

// signs emits the run of unspaced characters that starts at s[i], one by one
// and in pairs, and returns where it ends.
func (sc *scanner) signs(s string, i int) int {
	last := -1 // where the previous sign starts in buf
	sc.buf = sc.buf[:0]
	for i < len(s) {
		r, n := utf8.DecodeRuneInString(s[i:])
		if !unspaced(r) {
			break
		}
		start := len(sc.buf)
		sc.buf = utf8.AppendRune(sc.buf, r)
		sc.emit(aSign, sc.buf[start:])
		if last >= 0 {
			sc.emit(aPair, sc.buf[last:])
		}
		if start > maxCompound { // keep the buffer small
			copy(sc.buf, sc.buf[start:])
			sc.buf = sc.buf[:len(sc.buf)-start]
			start = 0
		}
		last = start
		i += n
	}
	return i
}

// tag emits the tag whose '#' is s[i], if it is one: at the start of a word,
// and a letter follows.
func (sc *scanner) tag(s string, i int) {
	if i > 0 {
		if r, _ := utf8.DecodeLastRuneInString(s[:i]); inWord(r) || r == '#' || r == '&' {
			return
		}
	}
	sc.buf = sc.buf[:0]
	for j, r := range s[i+1:] {
		if !inWord(r) && (r != '-' && r != '/' && r != '_' || j == 0) || len(sc.buf) > maxWhole {
			break
		}
		if j == 0 && !unicode.IsLetter(r) {
			return
		}
		sc.buf = fold(sc.buf, r)
	}
	sc.emitTag()
}

// link emits the target of the [[link]] whose text follows.
func (sc *scanner) link(s string) {
	end := strings.Index(s[:min(len(s), 2*maxWhole)], "]]")
	if end < 0 {
		return
	}
	sc.name(s[:end])
}

// name emits a tag or link given by its name. An alias ("target|shown as") and
// a heading ("target#part") are no part of it.
func (sc *scanner) name(s string) {
	if i := strings.IndexAny(s, "|#\n"); i > 0 {
		s = s[:i]
	}
	sc.buf = sc.buf[:0]
	for _, r := range strings.TrimSuffix(strings.TrimSpace(strings.TrimPrefix(s, "#")), ".md") {
		sc.buf = fold(sc.buf, r)
	}
	sc.emitTag()
}

func (sc *scanner) emitTag() {
	for len(sc.buf) > 0 && (sc.buf[len(sc.buf)-1] == '-' || sc.buf[len(sc.buf)-1] == '/') {
		sc.buf = sc.buf[:len(sc.buf)-1]
	}
	if len(sc.buf) > 0 && len(sc.buf) <= maxWhole {
		sc.emit(aTag, sc.buf)
	}
}
