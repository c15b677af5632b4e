package main

import (
	"bytes"
	"html"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"
)

// reader says how prose is taken out of a file of that name: nil if it holds
// none, or is somebody else's work (a vendored copy with a licence of its own).
func reader(name string) func(body []byte, emit func(paragraph string)) {
	for dir := range strings.SplitSeq(path.Dir(name), "/") {
		switch dir {
		case "vendor", "third_party", "node_modules", "testdata", "locale", "locales", "_locales":
			return nil
		}
	}
	switch {
	case isData(name):
		return glosses
	case isIndex(name):
		return func([]byte, func(string)) {} // read by synsets
	}
	switch path.Ext(name) {
	case ".go", ".proto", ".ts", ".mts", ".cts", ".rs":
		return comments
	case ".js", ".mjs":
		return unminified
	case ".py":
		return python
	case ".md", ".mdx", ".markdown", ".rst", ".adoc":
		return marked
	case ".txt":
		if strings.Contains(name, "/doc") || strings.HasSuffix(name, ".rst.txt") {
			return marked
		}
	case ".html", ".htm":
		return webpage
	}
	return nil
}

// unminified reads a script whose lines are of human length.
func unminified(body []byte, emit func(string)) {
	if len(body) < 200*(1+bytes.Count(body, []byte("\n"))) {
		comments(body, emit)
	}
}

// comments emits the comments of a language with // and /* */: consecutive
// lines are one text.
func comments(body []byte, emit func(string)) {
	var group []byte
	flush := func() {
		if len(group) > 0 {
			marked(group, emit)
			group = group[:0]
		}
	}
	blank := 0 // newlines since the last comment
	for i := 0; i < len(body); {
		switch c := body[i]; {
		case c == '/' && i+1 < len(body) && body[i+1] == '/':
			end := lineEnd(body, i)
			group = append(append(group, bytes.TrimLeft(body[i:end], "/! \t")...), '\n')
			i, blank = end, 0
		case c == '/' && i+1 < len(body) && body[i+1] == '*':
			end := bytes.Index(body[i+2:], []byte("*/"))
			if end < 0 {
				end = len(body) - i - 2
			}
			flush()
			for line := range bytes.Lines(body[i+2 : i+2+end]) {
				group = append(append(group, bytes.Trim(line, "* \t\r\n")...), '\n')
			}
			flush()
			i, blank = min(i+end+4, len(body)), 0
		case c == '"' || c == '\'' || c == '`':
			i = quoted(body, i)
			flush()
		case c == '\n':
			if blank++; blank > 1 {
				flush()
			}
			i++
		case c == ' ' || c == '\t' || c == '\r':
			i++
		default:
			flush()
			i++
		}
	}
	flush()
}

func lineEnd(body []byte, i int) int {
	if n := bytes.IndexByte(body[i:], '\n'); n >= 0 {
		return i + n
	}
	return len(body)
}

// quoted returns the end of the string or rune that starts at i; a plain quote
// ends with its line, so that an apostrophe swallows no more than that.
func quoted(body []byte, i int) int {
	q := body[i]
	for i++; i < len(body); i++ {
		switch {
		case body[i] == q:
			return i + 1
		case body[i] == '\\' && q != '`':
			i++
		case body[i] == '\n' && q != '`':
			return i
		}
	}
	return len(body)
}

// python emits docstrings and comments.
func python(body []byte, emit func(string)) {
	rest := string(body)
	for {
		i := strings.Index(rest, `"""`)
		if i < 0 {
			break
		}
		end := strings.Index(rest[i+3:], `"""`)
		if end < 0 {
			break
		}
		var b strings.Builder
		for line := range strings.Lines(rest[i+3 : i+3+end]) {
			if t := strings.TrimSpace(line); strings.HasPrefix(t, ">>>") || strings.HasPrefix(t, "...") {
				line = "\n"
			}
			b.WriteString(line)
		}
		marked([]byte(b.String()), emit)
		rest = rest[i+6+end:]
	}
	var group strings.Builder
	for line := range bytes.Lines(body) {
		t := bytes.TrimSpace(line)
		if bytes.HasPrefix(t, []byte("#")) {
			group.Write(bytes.TrimLeft(t, "#! "))
			group.WriteByte('\n')
			continue
		}
		if group.Len() > 0 {
			marked([]byte(group.String()), emit)
			group.Reset()
		}
	}
}

// marked emits the paragraphs of lightly marked text (markdown, rst, plain):
// blank lines, list items and headings begin a new one, fenced code is left out.
func marked(body []byte, emit func(string)) {
	var p []byte
	flush := func() {
		if len(p) > 0 {
			emit(plain(string(p)))
			p = p[:0]
		}
	}
	fence, matter := false, bytes.HasPrefix(body, []byte("---\n"))
	first := true
	for line := range bytes.Lines(body) {
		t := bytes.TrimSpace(line)
		switch {
		case matter:
			matter = first || string(t) != "---"
		case bytes.HasPrefix(t, []byte("```")) || bytes.HasPrefix(t, []byte("~~~")):
			fence = !fence
			flush()
		case fence:
		case len(t) == 0:
			flush()
		case t[0] == '#' || t[0] == '-' || t[0] == '*' || t[0] == '@' || t[0] == '|' || t[0] == '>' || t[0] == '+':
			flush()
			p = append(append(p, bytes.TrimLeft(t, "#-*|>+ ")...), ' ')
		default:
			p = append(append(p, t...), ' ')
		}
		first = false
	}
	flush()
}

// webpage emits the paragraphs of HTML without scripts and examples.
func webpage(body []byte, emit func(string)) {
	s := string(body)
	var p strings.Builder
	flush := func() {
		if p.Len() > 0 {
			emit(html.UnescapeString(p.String()))
			p.Reset()
		}
	}
	for len(s) > 0 {
		i := strings.IndexByte(s, '<')
		if i < 0 {
			p.WriteString(s)
			break
		}
		p.WriteString(s[:i])
		s = s[i:]
		end := strings.IndexByte(s, '>')
		if end < 0 {
			break
		}
		tag, _, _ := strings.Cut(strings.ToLower(strings.Trim(s[1:end], "/")), " ")
		open := s[1] != '/'
		s = s[end+1:]
		switch tag {
		case "script", "style", "pre", "nav", "head":
			flush()
			if open {
				if j := strings.Index(s, "</"+tag); j >= 0 {
					s = s[j:]
				}
			}
		case "a", "code", "em", "strong", "b", "i", "span", "tt", "var", "samp", "cite", "abbr":
		default:
			flush()
		}
	}
	flush()
}

// plain takes tags, link targets and addresses out of a paragraph.
func plain(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '<':
			if n := strings.IndexByte(s[i:], '>'); n > 0 && n < 200 {
				i += n
				b.WriteByte(' ')
				continue
			}
		case s[i] == ']' && strings.HasPrefix(s[i:], "]("):
			if n := strings.IndexByte(s[i:], ')'); n > 0 {
				i += n
				continue
			}
		case s[i] == 'h' && (strings.HasPrefix(s[i:], "http://") || strings.HasPrefix(s[i:], "https://")):
			if n := strings.IndexAny(s[i:], " )>\"'\n\t"); n > 0 {
				i += n - 1
			} else {
				i = len(s)
			}
			continue
		case s[i] == '`' || s[i] == '*' || s[i] == '[':
			b.WriteByte(' ')
			continue
		}
		b.WriteByte(s[i])
	}
	return html.UnescapeString(b.String())
}

// prose tells whether a sentence reads like English or Chinese, and not like
// code, a table or another language: enough letters, and function words among
// the words.
func prose(s string, function func(word string) bool) bool {
	letters, han, other := 0, 0, 0
	for _, r := range s {
		switch {
		case unicode.Is(unicode.Han, r):
			han++
		case r < utf8.RuneSelf && (unicode.IsLetter(r) || r == ' '):
			letters++
		default:
			other++
		}
	}
	if han >= 4 {
		return other < 2*han
	}
	if letters < 20 || other*5 > letters {
		return false
	}
	words, small := 0, 0
	for w := range strings.FieldsSeq(s) {
		words++
		if function(strings.ToLower(w)) {
			small++
		}
	}
	return words >= 4 && small*8 >= words
}
