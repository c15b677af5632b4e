// Package codeblock tells where a fenced code block of markdown begins and ends
// (CommonMark 0.31, section 4.5). Whoever reads text line by line, and must not take
// code for prose, asks it.
//
// A fence may be indented by any amount, because most text that is read here stands,
// or will stand, below an item of a list; who is stricter looks at the line first.
// Code that is only indented is not recognized.
package codeblock

import "strings"

// A Fence is the run of characters that opened a code block, and that closes it:
// "```" or "~~~~". "" is the fence of prose.
type Fence string

// Opening is the fence of the block that a line opens, "" when it opens none.
func Opening(line string) Fence {
	s := strings.Trim(line, blanks)
	if s == "" || s[0] != '`' && s[0] != '~' {
		return ""
	}
	n := 1
	for n < len(s) && s[n] == s[0] {
		n++
	}
	if n < 3 || s[0] == '`' && strings.Contains(s[n:], "`") { // else it is code within a line
		return ""
	}
	return Fence(s[:n])
}

// ClosedBy reports whether a line closes the block.
func (f Fence) ClosedBy(line string) bool {
	s := strings.Trim(line, blanks)
	return f != "" && strings.HasPrefix(s, string(f)) && strings.Trim(s, string(f[:1])) == ""
}

// After is the fence of what comes after a line that stands in the block, or in
// prose.
func (f Fence) After(line string) Fence {
	switch {
	case f == "":
		return Opening(line)
	case f.ClosedBy(line):
		return ""
	}
	return f
}

const blanks = " \t\r\n"
