package text

import (
	"iter"
	"strings"
	"unicode/utf8"
)

// A long text is looked at through windows, because one that says much about
// many things looks like an answer to everything, and its length holds it back
// where it does answer. Windows of 80 words, each 50 after the one before, let
// one set of constants fit notes of a line and pages of prose.
const (
	windowWords = 80
	windowStep  = 50
	// windowLeast is how many words make a text long: less than two windows
	// would tell apart.
	windowLeast = windowWords + windowStep/2
)

// Windows yields the text itself if it is short, else windows of it that
// overlap and together cover it. A character of an unspaced script counts as a
// word.
func Windows(s string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for from, to := range WindowsAt(s) {
			if !yield(s[from:to]) {
				return
			}
		}
	}
}

// WindowsAt yields where the windows of s begin and end.
func WindowsAt(s string) iter.Seq2[int, int] {
	return func(yield func(from, to int) bool) {
		starts := wordStarts(s)
		if len(starts) <= windowLeast {
			yield(0, len(s))
			return
		}
		for i := 0; ; i += windowStep {
			if i+windowWords >= len(starts) {
				yield(starts[i], len(s))
				return
			}
			if !yield(starts[i], starts[i+windowWords]) {
				return
			}
		}
	}
}

// wholeLine is how many bytes an excerpt grows at most at either end to begin and end
// with a line.
const wholeLine = 160

// Excerpt is a part of a text: from the beginning of its first line to the end of its
// last one, if these are near, with "…" where something is left out.
func Excerpt(s string, from, to int) string {
	if line := strings.LastIndexByte(s[:from], '\n') + 1; from-line <= wholeLine {
		from = line
	}
	if end := strings.IndexByte(s[to:], '\n'); end >= 0 && end <= wholeLine {
		to += end
	} else if end < 0 && len(s)-to <= wholeLine {
		to = len(s)
	}
	out := strings.TrimSpace(s[from:to])
	if strings.TrimSpace(s[:from]) != "" {
		out = "… " + out
	}
	if strings.TrimSpace(s[to:]) != "" {
		out += " …"
	}
	return out
}

// wordStarts is where the words of s begin; nil if s is too short to be long.
func wordStarts(s string) []int {
	if len(s) < 2*windowLeast {
		return nil
	}
	starts := make([]int, 0, len(s)/5)
	in := false
	for i := 0; i < len(s); {
		r, n := rune(s[i]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeRuneInString(s[i:])
		}
		switch {
		case unspaced(r):
			starts, in = append(starts, i), false
		case r == ' ' || r == '\n' || r == '\t' || r == '\r' || r == 0x3000:
			in = false
		case !in:
			starts, in = append(starts, i), true
		}
		i += n
	}
	return starts
}
