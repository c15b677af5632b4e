package page

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pimento-memory/pimento"
)

func TestDialectOf(t *testing.T) {
	for rel, want := range map[string]Dialect{
		"SCRATCHPAD.md": Checklist, "MEMORY.md": List, "MEMORY.local.md": List, "topics/lessons.md": List, "memory.md": List,
		"topics/old/lessons.md": Article, "daily/2026-02-15.md": Log, "raw/observations/x.md": Log,
		"knowledge/x.md": Article, "deploy.md": Article, "build--go,ci.md": Article, "sub/MEMORY.md": Article,
	} {
		if got := DialectOf(rel); got != want {
			t.Errorf("%s is a %s, want %s", rel, got, want)
		}
	}
}

func TestTitle(t *testing.T) {
	for _, c := range []struct{ rel, src, want string }{
		{"deploy.md", "text\n# The Title #\n# Another\n", "The Title"},
		{"deploy.md", "```\n# code\n```\n", "deploy"},
		{"knowledge/a.md", "---\ntitle: From front matter\n---\ntext\n", "From front matter"},
		{"knowledge/a.md", "---\ntitle: x\n---\n# Heading\n", "Heading"},
		{"build--go,ci.md", "", "build"},
		{"topics/lessons.md", "- a\n", "lessons"},
	} {
		if got := Parse(c.rel, []byte(c.src)).Title(); got != c.want {
			t.Errorf("%s %q has title %q, want %q", c.rel, c.src, got, c.want)
		}
	}
}

func TestStampReach(t *testing.T) {
	const s = "<!-- 2026-02-15 14:30:00 [a1b2c3d4] -->\n"
	for _, c := range []struct {
		src   string
		dated []bool
	}{
		{s + "- a\n- b\n", []bool{true, true}},
		{s + "- a\n\n- b\n", []bool{true, false}},
		{s + "## H\n\n- a\n- b\n", []bool{true, true}},
		{s + "- a\n## H\n- b\n", []bool{true, false}},
		{s + "\n- a\n", []bool{false}},
		{s + "<!-- comment -->\n- a\n", []bool{false}},
		{s + "- a\n" + s + "- b\n", []bool{true, true}},
	} {
		var got []bool
		for _, e := range Parse("MEMORY.md", []byte(c.src)).Entries() {
			got = append(got, !e.Stamp.IsZero())
		}
		if diff := cmp.Diff(c.dated, got); diff != "" {
			t.Errorf("%q: %s", c.src, diff)
		}
	}
}

// A stamp goes with the last entry that it dates, and not before.
func TestRemoveSharedStamp(t *testing.T) {
	const s = "<!-- 2026-02-15 14:30:00 [a1b2c3d4] -->\n"
	p := Parse("MEMORY.md", []byte("# M\n\n"+s+"- a\n- b\n\n- c\n"))
	p = edited(t, p, p.Remove(p.Entries()[0]))
	if got, want := string(p.Bytes()), "# M\n\n"+s+"- b\n\n- c\n"; got != want {
		t.Fatalf("left %q, want %q", got, want)
	}
	p = edited(t, p, p.Remove(p.Entries()[0]))
	if got, want := string(p.Bytes()), "# M\n\n- c\n"; got != want {
		t.Fatalf("left %q, want %q", got, want)
	}
}

func TestForeignLinesOfAChecklistSurvive(t *testing.T) {
	p := Parse("SCRATCHPAD.md", []byte("# Scratchpad\nmine\n- [ ] a\n  more of a\nforeign\n\n<!-- note -->\n- [x] b\n***\n"))
	for _, e := range p.Entries() {
		if !e.Task {
			continue
		}
		if got := string(edited(t, p, p.Remove(e)).Bytes()); !strings.Contains(got, "\nmine\n") || !strings.Contains(got, "foreign\n") ||
			!strings.Contains(got, "<!-- note -->\n") || !strings.Contains(got, "***\n") {
			t.Errorf("without %q: %q", e.Text, got)
		}
	}
}

func TestIndexFault(t *testing.T) {
	const begin, end = IndexBegin + "\n", IndexEnd + "\n"
	for _, c := range []struct {
		src     string
		fault   bool
		entries int
	}{
		{"- a\n", false, 1},
		{begin + "- a\n" + end + "- b\n", false, 1},
		{begin + "- a\n" + end, false, 0},
		{"  " + begin + "- a\n", false, 2},
		{"text " + IndexBegin + "\n", false, 1},
		{begin + "- a\n", true, 1},
		{"- a\n" + end, true, 1},
		{end + "- a\n" + begin, true, 1},
		{begin + begin + "- a\n" + end, true, 1},
		{begin + "- a\n" + end + end, true, 1},
	} {
		p := Parse("MEMORY.md", []byte(c.src))
		checkPage(t, p, []byte(c.src))
		if fault := p.IndexFault() != ""; fault != c.fault || len(p.Entries()) != c.entries {
			t.Errorf("%q: fault %q and %d entries", c.src, p.IndexFault(), len(p.Entries()))
		}
	}
	p := Parse("MEMORY.md", []byte("x\n"+begin+"- a\n"+end))
	if span, ok := p.IndexRegion(); !ok || string(p.Bytes()[span.Start:span.End]) != "- a\n" {
		t.Errorf("region %v (%v)", span, ok)
	}
}

func TestConflicted(t *testing.T) {
	const conflict = "<<<<<<< HEAD\n- a\n=======\n- b\n>>>>>>> x\n"
	for _, c := range []struct {
		src  string
		want bool
	}{
		{conflict, true},
		{"- a\n||||||| x\n" + conflict, true},
		{IndexBegin + "\n" + conflict + IndexEnd + "\n", false},
		{"<<<<<<< HEAD\n- a\n", false},
		{"<<<<<<< HEAD\n>>>>>>> x\n", false},
		{"- a\n  <<<<<<< HEAD\n  =======\n  >>>>>>> x\n", false},
		{"Title\n=======\n", false},
	} {
		if got := Parse("MEMORY.md", []byte(c.src)).Conflicted(); got != c.want {
			t.Errorf("%q: %v", c.src, got)
		}
	}
	p := Parse("MEMORY.md", []byte(conflict))
	if es := p.Entries(); len(es) != 1 || es[0].Text != "a" || es[0].Line != 2 {
		t.Errorf("an open conflict says: %+v", es)
	}
}

// TestAnOpenConflictSaysItsFirstSide holds the statements of a page with a conflict
// against those of the page that it was made of.
func TestAnOpenConflictSaysItsFirstSide(t *testing.T) {
	const two, base = "<<<<<<< HEAD\nX=======\nY>>>>>>> 1a2b3c\n", "<<<<<<< HEAD\nX||||||| 0\nZ=======\nY>>>>>>> 1a2b3c\n"
	for rel, c := range map[string]struct{ page, ours, theirs string }{
		"MEMORY.md":           {"- one\n%- two\n", "- three\n  more\n", "- four\n"},
		"SCRATCHPAD.md":       {"# Scratchpad\n\n- [ ] one\n%- [ ] two\n", "- [ ] three\n", "- [x] three\n"},
		"daily/2026-11-23.md": {"<!-- 2026-11-23 09:53:59 -->\none\n\n%", "<!-- 2026-11-23 10:00:00 -->\ntwo\n", "<!-- 2026-11-23 10:01:00 -->\nthree\n\n<!-- 2026-11-23 10:02:00 -->\nfour\n"},
		"topics/db.md":        {"%", "- postgres 16 *(pinned)*\n", "- postgres 17\n"},
		"knowledge/db.md":     {"---\n%date: 2026-01-04T10:00:00Z\n---\nPostgres.\n", "type: project\n", "type: user\n"},
		"knowledge/all.md":    {"%", "---\ntype: project\n---\nPostgres.\n", "---\ntype: user\n---\nMySQL.\n"},
		"knowledge/crlf.md":   {"One.\r\n%Two.\r\n", "Three.\r\n", "Four.\r\n"},
		"notes.md":            {"# Notes\n\nOne.\n%", "## Two\n\nThree.\n", "## Four\n"},
	} {
		for _, form := range []string{two, base} {
			conflict := strings.NewReplacer("X", c.ours, "Y", c.theirs, "Z", c.theirs).Replace(form)
			if strings.Contains(c.page, "\r") {
				conflict = strings.ReplaceAll(strings.ReplaceAll(conflict, "\r", ""), "\n", "\r\n")
			}
			src := []byte(strings.Replace(c.page, "%", conflict, 1))
			p, clean := Parse(rel, src), Parse(rel, []byte(strings.Replace(c.page, "%", c.ours, 1)))
			checkPage(t, p, src)
			said := func(p *Page) (out []string) {
				for _, e := range p.Entries() {
					out = append(out, fmt.Sprint(e.Statement, e.Kind, e.Heading, e.Done, e.Pinned, e.Stamp))
				}
				return out
			}
			if d := cmp.Diff(said(clean), said(p)); d != "" || !p.Conflicted() {
				t.Errorf("%q: %s", src, d)
			}
			if got := p.Agreed(); !bytes.Equal(got.Bytes(), clean.Bytes()) {
				t.Errorf("%q: agreed %q", src, got.Bytes())
			}
			for _, e := range p.Entries() {
				through := bytes.Contains(src[e.Span.Start:e.Span.End], []byte("======="))
				if through && (p.Remove(e) != nil || p.Replace(e, "x") != nil || p.SetPinned(e, !e.Pinned) != nil) {
					t.Errorf("%q: %q is edited", src, e.Text)
				}
			}
		}
	}
}

func TestNumber(t *testing.T) {
	p := Parse("MEMORY.md", []byte("1. a\n   1. in a\n 12) [lesson] b\n- c\n3. [ ] d\n\n4 e\n\n5. f\n"))
	var got []string
	for _, e := range p.Entries() {
		got = append(got, e.Number)
	}
	if d := cmp.Diff([]string{"1.", "12)", "", "3.", "", "5."}, got); d != "" {
		t.Errorf("%s\n%+v", d, p.Entries())
	}
}

func TestMarkup(t *testing.T) {
	for _, c := range []struct {
		text        string
		tags, links []string
	}{
		{"#a #b-c (#d), \"#e_1\" #a", []string{"a", "b-c", "d", "e_1"}, nil},
		{"#标签 #데이터 #été、#次", []string{"标签", "데이터", "été", "次"}, nil},
		{"#123 a#b # x ## y #- https://x.org/#z C# &#39;", nil, nil},
		{"`#no` ``a ` #no`` ```\n#no\n``` ~~~\n#no\n~~~ #yes ` #open", []string{"yes", "open"}, nil},
		{"[[a]] [[b c|alias]] [[]] [[x\ny]] [[[d]]", nil, []string{"a", "b c", "d"}},
		{"[x](a.md) [y](b/c.md#part) [z](https://x.org/d.md) [m](mailto:a@b) [s](#only) [r](/abs.md) [t](<e f.md> \"title\") [u](g.md 'h')", nil, []string{"a.md", "b/c.md", "e f.md", "g.md"}},
		{"`[[no]]` [x](#tag) #1a #trail- end", []string{"1a", "trail"}, nil},
	} {
		tags, links := markup(c.text)
		if diff := cmp.Diff([][]string{c.tags, c.links}, [][]string{tags, links}); diff != "" {
			t.Errorf("%q (-want +got):\n%s", c.text, diff)
		}
	}
}

func TestFrontMatter(t *testing.T) {
	const day = "2026-03-01 00:00:00 +0000 UTC"
	for _, c := range []struct{ front, want string }{
		{"type: user\ntier: L1\ndate: 2026-03-01\ntags: [a, 'b c', \"d\"]", day + " user L1  [a b c d] []"},
		{"date: 2026-03-01T00:00:00Z\ntags: a, b", day + "    [a b] []"},
		{"date: 2026-03-01\ntags:\n- a\n- b\ntitle: >\n  folded\n  text", day + "   folded text [a b] []"},
		{"triples: [[\"a\",\"b\",\"c\"],[\"d\"]]", "0001-01-01 00:00:00 +0000 UTC    [] [[a b c]]"},
		{"triples: [[\" a \",\"b\\t\",\" c d\"],[\"a\",\" \",\"c\"]]", "0001-01-01 00:00:00 +0000 UTC    [] [[a b c d]]"},
		{"triples:\n  - [a, b, c]", "0001-01-01 00:00:00 +0000 UTC    [] [[a b c]]"},
		{"# comment\n\ntype: project", "0001-01-01 00:00:00 +0000 UTC project   [] []"},
		{"date: yesterday\ntype: 7", "0001-01-01 00:00:00 +0000 UTC 7   [] []"},
		{"a: &a [*a]", "0001-01-01 00:00:00 +0000 UTC    [] []"}, // an alias of itself is nothing
		// What others write line by line without quoting, and YAML does not read.
		{"type: user\ntier: L1\ndate: 2026-03-01\nupdate_reason: fix: the port\nnote: it ends in:", day + " user L1  [] []"},
		{"type: user\ntags: [@pi/coding, a: b, *c, c#, d]\ntriples: [[\"a\",\"b\",\"c\"]]", "0001-01-01 00:00:00 +0000 UTC user   [@pi/coding a: b *c c# d] [[a b c]]"},
		{"type: user\nnote: a: b\n  more: below", "none"},
		{"type: user\nnote: \"a\": b", "none"},
		{"tags: [a", "none"},
		{"\tx", "none"},
	} {
		p := Parse("knowledge/a.md", []byte("---\n"+c.front+"\n---\nbody\n"))
		got := "none"
		if m, ok := p.Meta(); ok {
			m.Title = strings.TrimSpace(m.Title)
			got = fmt.Sprint(m.Date, " ", m.Type, " ", m.Tier, " ", m.Title, " ", m.Tags, " ", triples(m.Triples))
		}
		if got != c.want {
			t.Errorf("%q: %s, want %s", c.front, got, c.want)
		}
		if es := p.Entries(); len(es) != 1 || es[0].Text != "body" || es[0].Line != strings.Count(c.front, "\n")+4 {
			t.Errorf("%q: entries %+v", c.front, es)
		}
	}
}

// Pages that are quadratic for a careless cutter. They are large enough to hang
// the test if one of them is.
func TestHugePages(t *testing.T) {
	if testing.Short() {
		t.Skip("megabytes")
	}
	const n = 1 << 19
	rep := func(s string) string { return strings.Repeat(s, n/len(s)) }
	var ticks, fences strings.Builder
	for i := 1; ticks.Len() < n; i++ {
		ticks.WriteString(strings.Repeat("`", i) + " #a ")
		fences.WriteString(strings.Repeat("`", 3+(4000-i)%4000) + "\nx\n")
	}
	for name, src := range map[string]string{
		"bullets": rep("- a bullet\n"), "one line": rep("x y "), "open links": "- " + rep("[["), "closing": rep("]("), "ticks": ticks.String(),
		"fences": fences.String(), "open fences": rep("```\nx\n~~~~\n"), "comments": rep("<!-- x\n"), "open comment": "<!-- " + rep("x\n"),
		"pins": "- x" + rep(" *(pinned)*"), "backslashes": "- " + rep(`\`) + "[x] y " + rep(`\`) + "*(pinned)*", "hashes": rep("#"), "tags": rep("#a1 #b2 "),
		"blank lines": "- a\n" + rep("\n"), "gaps": rep("- a\n\n\n\n"), "markers": rep(IndexBegin + "\n"), "conflicts": rep("<<<<<<< a\n=======\n>>>>>>> b\n"),
		"stamps": rep("<!-- 2026-02-15 14:30:00 [a1b2c3d4] -->\n- [ ] x\n"), "headings": rep("## h\nx\n"), "front": "---\n" + rep("a: b\n"), "tabs": rep("\t"), "returns": "- a" + rep("\r"),
		"nul": rep("\x00"), "same heading": rep("# A\n## B\n- x\n"), "deep": "- a\n" + rep("  - b\n"), "boxes": rep("- [ ] a\nlazy\n```\n"),
	} {
		for _, d := range []Dialect{List, Log, Checklist, Article} {
			t.Run(name+" "+d.String(), func(t *testing.T) {
				p := ParseAs(d, "MEMORY.md", []byte(src))
				if string(p.Bytes()) != src {
					t.Fatal("bytes changed")
				}
				if len(p.Entries()) > 0 {
					p.Replace(p.Entries()[0], "something else")
				}
				p.Insert(New{Text: "x", Kind: pimento.KindLesson})
			})
		}
	}
}

// TestParseCopiesAPageOnce: a page may have 50 MB.
func TestParseCopiesAPageOnce(t *testing.T) {
	b := []byte("# " + strings.Repeat("a title and no entry ", 50_000) + "\n")
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	p := Parse("topics/long.md", b)
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > uint64(len(b))*3/2 {
		t.Errorf("%d bytes for a page of %d", n, len(b))
	}
	runtime.KeepAlive(p)
}
