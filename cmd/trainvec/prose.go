package main

import (
	"bytes"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"
)

// An emitter takes the parts of a document in the order of reading.
type emitter func(kind byte, said string)

// Kinds of parts. A text begins with the name of what it is about, which may be
// empty; a title belongs to the paragraphs after it.
const (
	nameKind      = 'n'
	titleKind     = 't'
	paragraphKind = 'p'
)

// reader says how prose is taken out of a file of that name: nil if it holds
// none, or is somebody else's work (a vendored copy with a licence of its own).
func reader(name string) func(body []byte, emit emitter) {
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
		return func([]byte, emitter) {} // read by synsets
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
func unminified(body []byte, emit emitter) {
	if len(body) < 200*(1+bytes.Count(body, []byte("\n"))) {
		comments(body, emit)
	}
}

// comments emits the comments of a language with // and /* */: consecutive
// lines are one text, about what the line of code says that comes next, or that
// they stand behind.
func comments(body []byte, emit emitter) {
	var group []byte
	code := -1 // where the code of this line begins
	flush := func(about string) {
		if len(group) > 0 {
			emit(nameKind, about)
			marked(group, emit)
			group = group[:0]
		}
	}
	blank := 0 // newlines since the last comment
	for i := 0; i < len(body); {
		switch c := body[i]; {
		case c == '/' && i+1 < len(body) && body[i+1] == '/':
			if code >= 0 {
				flush("")
			}
			end := lineEnd(body, i)
			group = append(append(group, bytes.TrimLeft(body[i:end], "/! \t")...), '\n')
			if code >= 0 {
				flush(declared(body[code:i]))
			}
			i, blank = end, 0
		case c == '/' && i+1 < len(body) && body[i+1] == '*':
			end := bytes.Index(body[i+2:], []byte("*/"))
			if end < 0 {
				end = len(body) - i - 2
			}
			flush("")
			for line := range bytes.Lines(body[i+2 : i+2+end]) {
				group = append(append(group, bytes.Trim(line, "* \t\r\n")...), '\n')
			}
			i, blank = min(i+end+4, len(body)), 0
		case c == '"' || c == '\'' || c == '`':
			flush("")
			i = quoted(body, i)
		case c == '\n':
			if blank++; blank > 1 {
				flush("")
			}
			i, code = i+1, -1
		case c == ' ' || c == '\t' || c == '\r':
			i++
		default:
			if code < 0 {
				code = i
				flush(declared(body[i:lineEnd(body, i)]))
			}
			i++
		}
	}
	flush("")
}

// declared is the name that a line of code is about: its first word that is
// none of the language, behind the receiver of a method; "" without one.
func declared(line []byte) string {
	s := strings.TrimPrefix(string(line), "func (")
	if len(s) < len(line) {
		_, s, _ = strings.Cut(s, ")")
	}
	for w := range strings.FieldsFuncSeq(s, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		switch w {
		case "func", "type", "var", "const", "package", "import", "export", "default", "declare", "public", "private", "protected", "static",
			"readonly", "abstract", "async", "function", "class", "interface", "enum", "namespace", "module", "let", "get", "set", "def", "self",
			"fn", "pub", "struct", "impl", "trait", "use", "mod", "message", "service", "rpc", "optional", "repeated", "string", "int32", "int64",
			"bool", "return", "if", "for", "case", "else", "switch", "new", "extends", "mut", "unsafe", "crate", "cfg", "range", "go", "defer":
		default:
			if len(w) > 2 {
				return w
			}
		}
	}
	return ""
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
func python(body []byte, emit emitter) {
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
		emit(nameKind, defined(rest[:i]))
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
			emit(nameKind, declared(t))
			marked([]byte(group.String()), emit)
			group.Reset()
		}
	}
}

// defined is the name of the function or class whose docstring comes next.
func defined(before string) string {
	before = before[max(0, len(before)-400):]
	at := max(strings.LastIndex(before, "def "), strings.LastIndex(before, "class "))
	if at < 0 || strings.Count(before[at:], ":\n") != 1 {
		return ""
	}
	return declared([]byte(before[at:]))
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
