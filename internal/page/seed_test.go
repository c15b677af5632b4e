package page

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pimento-memory/pimento"
)

// A seed is a page of the test data and its variants.
type seed struct {
	name string // for messages
	rel  string // relative to its scope's root
	b    []byte
}

// seeds reads every page of testdata/pages, with "\n" and with "\r\n", with a
// byte order mark, and without its last line ending. The first folder is the
// system that writes such pages.
func seeds(tb testing.TB) []seed {
	tb.Helper()
	var list []seed
	root := filepath.Join("testdata", "pages")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(root, path)
		name = filepath.ToSlash(name)
		_, rel, _ := strings.Cut(name, "/")
		crlf := bytes.ReplaceAll(b, []byte("\n"), []byte("\r\n"))
		list = append(list,
			seed{name, rel, b},
			seed{name + " crlf", rel, crlf},
			seed{name + " bom", rel, append([]byte(byteOrderMark), bytes.TrimPrefix(b, []byte(byteOrderMark))...)},
			seed{name + " open", rel, bytes.TrimRight(b, "\r\n")})
		return nil
	})
	if err != nil {
		tb.Fatal(err)
	}
	if len(list) < 15*4 {
		tb.Fatalf("only %d seeds under %s: was the test data moved?", len(list), root)
	}
	return list
}

// checkPage fails when a parsed page breaks what every page promises.
func checkPage(tb testing.TB, p *Page, b []byte) {
	tb.Helper()
	if !bytes.Equal(p.Bytes(), b) {
		tb.Fatalf("bytes changed: %q, want %q", p.Bytes(), b)
	}
	at, seen := 0, map[pimento.Statement]int{}
	for i, e := range p.Entries() {
		if e.Span.Start < at || e.Span.End <= e.Span.Start || e.Span.End > len(b) {
			tb.Fatalf("entry %d has span %v after %d in %d bytes", i, e.Span, at, len(b))
		}
		at = e.Span.End
		if c := p.cuts[i]; c.text < e.Span.Start || c.text > e.Span.End || c.own < e.Span.Start || c.box >= e.Span.End {
			tb.Fatalf("entry %d is cut %+v outside its span %v", i, c, e.Span)
		}
		own := p.cuts[i].own
		if p.Dialect() == Article {
			own = p.cuts[i].text
		}
		if line := 1 + bytes.Count(b[:own], []byte("\n")); e.Line != line {
			tb.Fatalf("entry %d is on line %d, says %d", i, line, e.Line)
		}
		if e.Text == "" || Clean(e.Text) != e.Text {
			tb.Fatalf("entry %d has text %q", i, e.Text)
		}
		if e.Statement != pimento.StatementOf(e.Text) {
			tb.Fatalf("entry %d has statement %s, want %s", i, e.Statement, pimento.StatementOf(e.Text))
		}
		if e.N != seen[e.Statement] {
			tb.Fatalf("entry %d is repetition %d, want %d", i, e.N, seen[e.Statement])
		}
		seen[e.Statement]++
		if got, ok := p.Find(e.Statement, e.N); !ok || got.Span != e.Span {
			tb.Fatalf("entry %d is not found", i)
		}
		if e.Page != p.rel || e.Scope != "" {
			tb.Fatalf("entry %d is at %s:%s", i, e.Scope, e.Page)
		}
	}
}

// edited applies splices and parses the result.
func edited(tb testing.TB, p *Page, splices []pimento.Splice) *Page {
	tb.Helper()
	b, ok := pimento.ApplySplices(p.Bytes(), splices)
	if !ok {
		tb.Fatalf("splices %v do not fit a page of %d bytes", splices, len(p.Bytes()))
	}
	next := ParseAs(p.Dialect(), p.rel, b)
	checkPage(tb, next, b)
	return next
}
