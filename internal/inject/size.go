package inject

import (
	"math"
	"strings"
	"unicode/utf8"

	"github.com/pimento-memory/pimento"
)

// A size is what a piece of text takes of a budget, or how much room is left.
// Pieces end with their line break, so the sizes of pieces add up; the token
// estimate of a whole is at most the sum over its pieces.
type size struct{ tokens, chars, bytes, lines int }

// unlimited leaves room for sums without overflow.
const unlimited = math.MaxInt32

func measure(s string) size {
	return size{tokens(s), utf8.RuneCountInString(s), len(s), strings.Count(s, "\n")}
}

// rough is the least that n bytes can take, without looking at them. No
// estimate worth its name gives more than 16 bytes to a token.
func rough(n int) size { return size{n / 16, n / 4, n, 0} }

func (a size) plus(b size) size {
	return size{a.tokens + b.tokens, a.chars + b.chars, a.bytes + b.bytes, a.lines + b.lines}
}

func (a size) minus(b size) size {
	return size{a.tokens - b.tokens, a.chars - b.chars, a.bytes - b.bytes, a.lines - b.lines}
}

func (a size) least(b size) size {
	return size{min(a.tokens, b.tokens), min(a.chars, b.chars), min(a.bytes, b.bytes), min(a.lines, b.lines)}
}

// half rounds up.
func (a size) half() size {
	return size{(a.tokens + 1) / 2, (a.chars + 1) / 2, (a.bytes + 1) / 2, (a.lines + 1) / 2}
}

// share is an even one of n.
func (a size) share(n int) size { return size{a.tokens / n, a.chars / n, a.bytes / n, a.lines / n} }

func (a size) within(room size) bool {
	return a.tokens <= room.tokens && a.chars <= room.chars && a.bytes <= room.bytes && a.lines <= room.lines
}

// roomOf is the room of a budget for text that ends with a line break which is
// trimmed at the end.
func roomOf(b pimento.Budget) size {
	or := func(n, more int) int {
		if n <= 0 {
			return unlimited
		}
		return min(n, unlimited) + more
	}
	return size{or(b.Tokens, 0), or(b.Chars, 1), or(b.Bytes, 1), or(b.Lines, 0)}
}

// whole is the size of a finished text, with the line break that roomOf grants.
// The tokens are estimated when they are not known.
func whole(s string, known int) size {
	if s == "" {
		return size{}
	}
	if known <= 0 {
		known = tokens(s)
	}
	return size{known, utf8.RuneCountInString(s) + 1, len(s) + 1, strings.Count(s, "\n") + 1}
}

// A filler takes pieces as long as there is room.
type filler struct {
	room size // left
	used size
	b    strings.Builder
	ids  []string
}

// add takes the piece if it fits.
func (w *filler) add(piece string) bool { return w.addWithin(piece, w.room) }

// addWithin takes the piece if it fits the given part of the room.
func (w *filler) addWithin(piece string, room size) bool {
	if !rough(len(piece)).within(room) {
		return false
	}
	m := measure(piece)
	if !m.within(room) {
		return false
	}
	w.take(piece, m)
	return true
}

func (w *filler) take(piece string, m size) {
	w.write(piece)
	w.charge(m)
}

func (w *filler) write(s string) {
	if w.b.Cap() == 0 {
		w.b.Grow(min(4*max(w.room.tokens, 0), 2048))
	}
	w.b.WriteString(s)
}

func (w *filler) charge(m size) { w.room, w.used = w.room.minus(m), w.used.plus(m) }
