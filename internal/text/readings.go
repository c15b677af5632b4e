package text

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pimento-memory/pimento/internal/codeblock"
)

// Readings are the questions that a prompt may ask, the likeliest first: what somebody
// typed; that with what of the pasted lines tells of something wrong; the whole. Where
// nothing was pasted, the prompt is all. Of one that is longer than twice queryHalf
// bytes, both ends are looked at.
func Readings(prompt string) []Reading {
	typed, alarms, pasted := split(prompt)
	if !pasted {
		return []Reading{{Text: prompt}}
	}
	var out []Reading
	if strings.TrimSpace(typed) != "" {
		out = append(out, Reading{Text: typed})
	}
	for _, line := range alarms {
		out = append(out, Reading{typed + "\n" + line, true})
	}
	return append(out, Reading{prompt, true})
}

// Typed is what of a prompt somebody typed, and not pasted or handed over as a file, as
// far as its looks tell; of one that is longer than twice queryHalf bytes, at both ends.
func Typed(prompt string) string {
	typed, _, pasted := split(prompt)
	if !pasted {
		return prompt
	}
	return typed
}

// split takes a prompt apart: what was typed, with the names of files that were handed
// over, and of what was not the lines that tell of something wrong.
func split(prompt string) (_ string, alarms []string, pasted bool) {
	if !strings.Contains(prompt, "\n") {
		return prompt, nil, false
	}
	if i := strings.LastIndex(prompt, "</skill>"); i >= 0 && strings.HasPrefix(prompt, "<skill ") { // what pi makes of /skill:name
		typed, alarms, _ := split(prompt[i+len("</skill>"):])
		return typed, alarms, true
	}
	head, tail := ends(prompt)
	lines := strings.SplitAfter(head, "\n")
	if tail != "" {
		lines = append(append(lines, "\n"), strings.SplitAfter(tail, "\n")...)
	}
	var typed strings.Builder
	for i, was := range pastedOf(lines) {
		if !was {
			typed.WriteString(lines[i])
			continue
		}
		pasted = true
		if _, name, ok := strings.Cut(lines[i], `<file name="`); ok {
			name, _, _ = strings.Cut(name, `"`)
			typed.WriteString(name[strings.LastIndexAny(name, `/\`)+1:] + "\n")
		}
		if len(alarms) < alarmsAsked && alarming(lines[i]) {
			if line := timeless(lines[i]); !slices.Contains(alarms, line) {
				alarms = append(alarms, line)
			}
		}
	}
	return typed.String(), alarms, pasted
}

// alarmsAsked is how many lines that tell of something wrong are asked at most.
const alarmsAsked = 6

// timeless is a line without its dates and times, which differ in each.
func timeless(line string) string {
	return strings.Join(slices.DeleteFunc(strings.Fields(line), func(w string) bool {
		hour, _, _ := strings.Cut(w, ":")
		return (strings.Count(w, "-") == 2 || strings.Count(w, ":") >= 2 && !strings.Contains(hour, ".")) && strings.Trim(w, "0123456789TZ.,:-+/[]()") == ""
	}), " ")
}

// A Reading is one of the questions that a prompt may ask; Pasted tells that some of it
// was not typed.
type Reading struct {
	Text   string
	Pasted bool
}

// pastedLines is how many lines that read like no sentence count as pasted: one error in
// the middle of a question is part of it. One of longLine bytes counts twice, and so on.
const pastedLines, longLine = 3, 200

// pastedOf says of each line whether it was pasted: what is fenced or between tags, and
// logs, code, tables and traces.
func pastedOf(lines []string) []bool {
	out := make([]bool, len(lines))
	begin := 0 // of a paragraph
	var fence codeblock.Fence
	closed := closings(lines)
	for i, l := range lines {
		l = strings.TrimSpace(l)
		switch tag := opens(l); {
		case i < begin: // between tags
			out[i] = true
		case fence != "":
			out[i] = true
			if fence = fence.After(l); fence == "" {
				begin = i + 1
			}
		case codeblock.Opening(l) != "":
			paragraph(lines[begin:i], out[begin:i])
			out[i], fence = true, codeblock.Opening(l)
		case tag != "" && closed[tag] >= i+1:
			paragraph(lines[begin:i], out[begin:i])
			out[i], begin = true, closed[tag]
		case l == "":
			paragraph(lines[begin:i], out[begin:i])
			begin = i + 1
		}
	}
	if fence == "" {
		paragraph(lines[begin:], out[begin:])
	}
	all := true
	for i, l := range lines {
		all = all && (out[i] || strings.TrimSpace(l) == "")
	}
	if r, _ := utf8.DecodeRuneInString(lines[0]); all && unicode.IsLetter(r) {
		out[0] = false // people begin with what they want
	}
	return out
}

// opens is the name of the tag that a line begins with, "" for none.
func opens(line string) string {
	if !strings.HasPrefix(line, "<") {
		return ""
	}
	n := 1
	for n < len(line) && (line[n] >= 'a' && line[n] <= 'z' || n > 1 && (line[n] >= '0' && line[n] <= '9' || line[n] == '-' || line[n] == '_')) {
		n++
	}
	if n == 1 || n == len(line) || line[n] != '>' && line[n] != ' ' {
		return ""
	}
	return line[1:n]
}

// closings are the tags that lines close, each with the number of lines up to the last
// that does: what was handed over may hold the tag that ends it.
func closings(lines []string) map[string]int {
	out := map[string]int{}
	for i, l := range lines {
		if _, tag, ok := strings.Cut(l, "</"); ok {
			tag, _, _ = strings.Cut(tag, ">")
			out[tag] = i + 1
		}
	}
	return out
}

// paragraph marks what was pasted of lines without an empty one between: from the first
// that reads like no sentence to the last, if there are enough of them. Lines that begin
// with the same word as the one before or behind are those of a log.
func paragraph(lines []string, pasted []bool) {
	first, last, n := 0, -1, 0
	heads := make([]string, len(lines)+2)
	for i, l := range lines {
		heads[i+1], pasted[i] = sentence(l)
	}
	for i := range lines {
		head := heads[i+1]
		if pasted[i] && (head == "" || head != heads[i] && head != heads[i+2]) {
			continue
		}
		if n == 0 {
			first = i
		}
		last = i
		n += 1 + len(lines[i])/longLine
	}
	for i := range pasted {
		pasted[i] = n >= pastedLines && 2*n > last-first && first <= i && i <= last
	}
}

// sentence says whether a line reads like one, and what word it begins with, "" for an
// item of a list: most of its words are words, the first is one, no space stands before
// it and no gap within.
func sentence(line string) (head string, ok bool) {
	line = strings.TrimRightFunc(line, unicode.IsSpace)
	words, plain := 0, 0
	text, item := listItem(line)
	for w := range strings.FieldsSeq(text) {
		if words == 0 {
			head = w
		}
		if words++; isPlain(w) {
			plain++
		}
	}
	if item {
		return "", 2*plain >= words
	}
	return head, words > 1 && isPlain(head) && 4*plain >= 3*words && line[0] > ' ' && !strings.Contains(line, "   ")
}

// listItem is the text of an item of a list.
func listItem(line string) (text string, ok bool) {
	mark, text, ok := strings.Cut(strings.TrimLeft(line, " \t"), " ")
	if ok = ok && (mark == "-" || mark == "*" || len(mark) > 1 && strings.Trim(mark[:len(mark)-1], "0123456789") == "" && strings.ContainsAny(mark[len(mark)-1:], ".)")); !ok {
		return line, false
	}
	return text, true
}

// isPlain says whether a word is made of letters, whatever stands around it.
func isPlain(w string) bool {
	w = strings.Trim(w, "\"'`“”‘’.,;:!?()[]*_…、。，！？；：")
	return strings.ContainsFunc(w, unicode.IsLetter) && !strings.ContainsFunc(w, func(r rune) bool { return !unicode.IsLetter(r) && !strings.ContainsRune("'’-", r) })
}

// alarming says whether a line tells of something wrong.
func alarming(line string) bool {
	low := strings.ToLower(line)
	for _, w := range []string{"error", "fail", "panic", "exception", "fatal", "warn", "cannot", "denied", "refused", "undefined", "unexpected", "timeout", "timed out",
		"not found", "no such", "missing", "invalid", "unable", "abort", "fehler", "错误", "失败", "异常"} {
		if strings.Contains(low, w) {
			return true
		}
	}
	return false
}
