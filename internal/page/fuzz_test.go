package page

import (
	"strings"
	"testing"
	"time"

	"github.com/pimento-memory/pimento"
)

func FuzzParse(f *testing.F) {
	for _, s := range seeds(f) {
		f.Add(uint8(DialectOf(s.rel)), s.rel, s.b)
	}
	f.Fuzz(func(t *testing.T, d uint8, rel string, b []byte) {
		checkPage(t, ParseAs(Dialect(d%4), rel, b), b)
		p := ParseAs(Dialect(d%4), rel, b)
		p.Title()
		p.IndexRegion()
		p.Conflicted()
	})
}

func FuzzEdit(f *testing.F) {
	texts := hostileTexts()
	for i, s := range seeds(f) {
		f.Add(uint8(i), s.rel, s.b, texts[i%len(texts)], uint8(i))
	}
	f.Fuzz(func(t *testing.T, pick uint8, rel string, b []byte, text string, how uint8) {
		if len(b) > 1<<14 || len(text) > 1<<12 {
			return
		}
		p := Parse(rel, b)
		checkPage(t, p, b)
		checkInsert(t, p, text, how)
		if len(p.Entries()) > 0 {
			checkEdits(t, p, int(pick)%len(p.Entries()), text)
		}
	})
}

// checkInsert inserts text and looks for it.
func checkInsert(t *testing.T, p *Page, text string, how uint8) {
	n := New{Text: text, Pinned: how&1 > 0, Task: how&2 > 0, Done: how&4 > 0}
	if how&8 > 0 {
		n.Stamp, n.Session = time.Date(2026, 2, 15, 14, 30, 0, 0, time.UTC), "a1b2c3d4-rest"
	}
	kinds := append(pimento.EntryKinds(), "")
	n.Kind = kinds[int(how>>4)%len(kinds)]
	splices := p.Insert(n)
	clean := Clean(text)
	if clean == "" {
		if splices != nil {
			t.Fatalf("a blank text was inserted: %v", splices)
		}
		return
	}
	if splices == nil && closesComment(p, text) {
		return
	}
	if len(splices) != 1 || splices[0].Del != 0 {
		t.Fatalf("insert of %q (%+v) into %q: %v", text, n, p.Bytes(), splices)
	}
	next := edited(t, p, splices)
	if p.Dialect() == Article || p.Dialect() == Log && n.Stamp.IsZero() {
		return
	}
	if p.Dialect() == Log && splices[0].Off != len(p.Bytes()) {
		t.Fatalf("a log was not appended to")
	}
	var e *pimento.Entry
	for i := range next.Entries() {
		x := &next.Entries()[i]
		if x.Span.Start >= splices[0].Off && x.Span.End <= splices[0].Off+len(splices[0].Ins) {
			if e != nil {
				t.Fatalf("insert of %q made %q and %q", text, e.Text, x.Text)
			}
			e = x
		}
	}
	if e == nil || e.Text != clean || e.Pinned != n.Pinned {
		t.Fatalf("insert of %q (%+v) into\n%q gave %+v in\n%q", clean, n, p.Bytes(), e, next.Bytes())
	}
	if p.Dialect() != Log && isCategory(n.Kind) && e.Kind != n.Kind {
		t.Fatalf("insert with kind %s gave %s", n.Kind, e.Kind)
	}
	if got, want := next.Entries(), p.Entries(); !sameButOne(want, got, e) {
		t.Fatalf("insert of %q into\n%q changed another entry:\n%q", text, p.Bytes(), next.Bytes())
	}
	back := edited(t, next, next.Remove(*e))
	clears := strings.HasSuffix(string(p.Bytes()), "\n") && !strings.HasSuffix(string(p.Bytes()), "\n\n") &&
		!strings.HasSuffix(string(p.Bytes()), "\n\r\n") && !p.isBlank() && splices[0].Off == len(p.Bytes())
	if clears && !isBlank(lastLineOf(p)) && string(back.Bytes()) != string(p.Bytes()) {
		t.Fatalf("insert and remove of %q left\n%q, want\n%q", text, back.Bytes(), p.Bytes())
	}
}

// closesComment reports the one case in which an edit may be refused: the text
// would close a comment that the page leaves open.
func closesComment(p *Page, text string) bool {
	return strings.Contains(text, "-->") && strings.Contains(p.src, "<!--")
}

func lastLineOf(p *Page) string {
	s := strings.TrimRight(string(p.Bytes()), "\r\n")
	return s[strings.LastIndexByte(s, '\n')+1:]
}

// sameButOne reports whether got is want with one more entry.
func sameButOne(want, got []pimento.Entry, extra *pimento.Entry) bool {
	if len(got) != len(want)+1 {
		return false
	}
	i := 0
	for k := range got {
		if got[k].Span == extra.Span {
			continue
		}
		if got[k].Text != want[i].Text || !sameState(&got[k], &want[i]) {
			return false
		}
		i++
	}
	return i == len(want)
}

// checkEdits edits the i-th entry in every way and counts what is refused.
func checkEdits(t *testing.T, p *Page, i int, text string) (refused int) {
	e := p.Entries()[i]
	alone := func(what string, next *Page, kept int) {
		t.Helper()
		if len(next.Entries()) != len(p.Entries())-1+kept {
			t.Fatalf("%s of %q in\n%q left %d of %d entries:\n%q", what, e.Text, p.Bytes(), len(next.Entries()), len(p.Entries()), next.Bytes())
		}
		for j, x := range p.Entries() {
			if j == i {
				continue
			}
			k := j
			if j > i {
				k += kept - 1
			}
			if got := next.Entries()[k]; got.Text != x.Text || !sameState(&got, &x) {
				t.Fatalf("%s of %q in\n%q changed %q to %q:\n%q", what, e.Text, p.Bytes(), x.Text, got.Text, next.Bytes())
			}
		}
	}
	if s := p.Replace(e, text); s != nil {
		next := edited(t, p, s)
		alone("replace", next, 1)
		if got := next.Entries()[i]; got.Text != Clean(text) || !sameState(&got, &e) {
			t.Fatalf("replace of %q in\n%q gave %+v, want %q", e.Text, p.Bytes(), got, Clean(text))
		}
	} else if clean := Clean(text); clean != "" && clean != e.Text && !closesComment(p, text) {
		refused++
	}
	if s := p.Remove(e); s != nil {
		alone("remove", edited(t, p, s), 0)
	} else {
		refused++
	}
	if s := p.SetPinned(e, !e.Pinned); s != nil {
		next := edited(t, p, s)
		alone("pin", next, 1)
		if got := next.Entries()[i]; got.Text != e.Text || got.Pinned == e.Pinned {
			t.Fatalf("pin of %q in\n%q gave %+v", e.Text, p.Bytes(), got)
		}
	} else {
		refused++
	}
	if s := p.SetDone(e, !e.Done); s != nil {
		next := edited(t, p, s)
		alone("done", next, 1)
		if got := next.Entries()[i]; got.Statement != e.Statement || got.Done == e.Done {
			t.Fatalf("done of %q gave %+v", e.Text, got)
		}
	}
	return refused
}

// hostileTexts look like structure of ours and must come back as text.
func hostileTexts() []string {
	return []string{
		"plain", "# heading", "## Session Handoff", "## Session Summary (auto, exit: x)", "- [ ] box", "[ ] box", "[x] box",
		"[lesson] category", `\[lesson] escaped`, "- bullet\n- bullet", "<!-- 2026-02-15 14:30:00 [a1b2c3d4] -->",
		"a\n<!-- HANDOFF 2026-02-15 14:30:00 [a1b2c3d4] -->\nb", "ends *(pinned)*", "*(pinned)*", `ends \*(pinned)*`,
		"first *(pinned)*\nsecond", "ends *(enforced)*", "ends ^pm-0a1b2c3d", "```\nnever closed", "~~~\na\n~~~", "a\n\nb\n\n\nc",
		"<!-- index:begin -->", "<!-- index:end -->\n<!-- index:begin -->", "<<<<<<< a\n=======\n>>>>>>> b", "---", "---\na: b\n---\nc",
		"- -", "* *", "_ _ _", "a\n---", "a\n===", "1. one\n2. two", "\ta tab", "a\n\tb\n    c", "a\r\nb\rc", "\x00\xff", "<!-- unclosed", "-", "[ ]", "> quote",
		"| a | b |\n|---|---|", `\`, `\\# x`, "a  \nb", "## section\n\ntext", "```\n## x\n```", "日本語 #標\n- 二", "\u00a0", "a\n\u00a0\nb", "```go\nx\n```",
	}
}
