package main

import (
	"bytes"
	"html"
	"strings"
)

// marked emits the paragraphs of lightly marked text (markdown, rst, plain):
// blank lines, list items and headings begin a new one, fenced code is left out.
func marked(body []byte, emit emitter) {
	var p []byte
	lines := 0 // in p
	flush := func() {
		if len(p) > 0 {
			emit(paragraphKind, plain(string(p)))
		}
		p, lines = p[:0], 0
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
		case t[0] == '#':
			flush()
			emit(titleKind, plain(string(bytes.Trim(t, "# "))))
		case underline(t) && lines == 1:
			emit(titleKind, plain(string(p)))
			p, lines = p[:0], 0
		case t[0] == '-' || t[0] == '*' || t[0] == '@' || t[0] == '|' || t[0] == '>' || t[0] == '+':
			flush()
			p = append(append(p, bytes.TrimLeft(t, "-*|>+ ")...), ' ')
			lines = 2 // never a title
		default:
			p = append(append(p, t...), ' ')
			lines++
		}
		first = false
	}
	flush()
}

// underline tells whether the line makes a title of the one before.
func underline(t []byte) bool {
	return len(t) > 2 && strings.IndexByte("=-~^\"'+.", t[0]) >= 0 && len(bytes.Trim(t, string(t[0]))) == 0
}

// webpage emits the paragraphs of HTML without scripts and examples.
func webpage(body []byte, emit emitter) {
	s := string(body)
	var p strings.Builder
	kind := byte(paragraphKind)
	flush := func() {
		if p.Len() > 0 {
			emit(kind, html.UnescapeString(p.String()))
			p.Reset()
		}
		kind = paragraphKind
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
		case "h1", "h2", "h3", "h4", "h5", "h6", "dt":
			flush()
			if open {
				kind = titleKind
			}
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
