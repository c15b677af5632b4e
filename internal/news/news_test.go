package news

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/index"
	"github.com/pimento-memory/pimento/internal/text"
)

// TestFold plays what happens between prompts (".") to a conversation whose
// prefix shows p and q: +a appears, *a appears in bulk, -a vanishes, a>b is edited,
// xa and oa are ticked and opened again.
func TestFold(t *testing.T) {
	for _, c := range []struct{ script, told string }{
		{"+a . .", "added a | "},
		{"-p .", "withdrawn p"},
		{"+a -a .", ""},
		{"-p +p .", ""},
		{"-p . +p .", "withdrawn p | valid again p"},
		{"-p . -p .", "withdrawn p | "}, // whoever saw it: each process that was behind the files tells it anew
		{"-p . -p . +p .", "withdrawn p |  | valid again p"},
		{"p>b . p>b . -p .", "edited p b |  | "},
		{"+a . a>b . a>b .", "added a | edited a b | "},
		{"xp . xp .", "done p | "},
		{"xp . op . op .", "done p | reopened p | "},
		{"+a . -a . +a .", "added a | withdrawn a | valid again a"},
		{"+p .", ""},
		{"p>b .", "edited p b"},
		{"p>b b>p .", ""},
		{"p>b . b>p .", "edited p b | edited b p"},
		{"p>b b>c .", "edited p c"},
		{"p>b . b>c .", "edited p b | edited b c"},
		{"+a a>b .", "added b"},
		{"p>b -b .", "withdrawn p"},
		{"p>b . -b .", "edited p b | withdrawn b"},
		{"p>b . +p -b .", "edited p b | valid again p, withdrawn b"}, // as a checkout brings it
		{"p>b . -b +p .", "edited p b | valid again p, withdrawn b"},
		{"p>b . -b . +p .", "edited p b | withdrawn b | valid again p"},
		{"p>b b>c . -c +p .", "edited p c | valid again p, withdrawn c"},
		{"p>b . b>c . +b -c .", "edited p b | edited b c | valid again b, withdrawn c"},
		{"p>b . -b *p *a .", "edited p b | added 1 entries appeared at once, valid again p, withdrawn b"},
		{"xp .", "done p"},
		{"xc .", ""}, // nobody said that it was open
		{"oc .", "reopened c"},
		{"xp op .", ""},
		{"xp . op .", "done p | reopened p"},
		{"+a xa .", "done a"},
		{"+a xa oa .", "added a"},
		{"*a *b .", "added 2 entries appeared at once"},
		{"-p . *p *a .", "withdrawn p | added 1 entries appeared at once, valid again p"},
		{"-p *p .", ""},
		{"*a . -a *a .", "added 1 entries appeared at once | "},
	} {
		shown := map[string]bool{"p": true, "q": true}
		var evs []pimento.Event
		var told []string
		for i, s := range strings.Fields(c.script) {
			if s != "." {
				evs = append(evs, event(i, s))
				continue
			}
			f := Fold{Known: func(id string) bool { return shown[id] }, Skip: func(pimento.Event) bool { return false }}
			for _, ev := range slices.Concat(evs, evs) { // in the journal, and seen just now
				f.Take(ev)
			}
			said := []string{}
			now := map[string]bool{}
			for ch := range f.Changes() {
				text, _, _ := strings.Cut(ch.Text, " (")
				said = append(said, strings.Join(strings.Fields(string(ch.Op)+" "+string(ch.Was)+" "+cmp.Or(text, string(ch.Statement))), " "))
				now[ch.ID], now[string(ch.Statement)] = true, now[string(ch.Statement)] || ch.Op != Withdrawn
			}
			for id, in := range now {
				shown[id] = shown[id] || in
			}
			told = append(told, strings.Join(said, ", "))
		}
		if got := strings.Join(told, " | "); got != c.told {
			t.Errorf("%s\n got %q\nwant %q", c.script, got, c.told)
		}
	}
}

func event(i int, s string) pimento.Event {
	ev := pimento.Event{ID: strconv.Itoa(i), Time: time.Unix(1, 0), Statement: pimento.Statement(s[1:])}
	switch s[0] {
	case '+':
		ev.Type = pimento.Appeared
	case '*':
		ev.Type, ev.Reason = pimento.Appeared, pimento.ReasonBulk
	case '-':
		ev.Type = pimento.Vanished
	case 'x':
		ev.Type = pimento.Completed
	case 'o':
		ev.Type = pimento.Reopened
	default:
		from, to, _ := strings.Cut(s, ">")
		ev.Type, ev.From, ev.Statement = pimento.Aliased, pimento.Statement(from), pimento.Statement(to)
	}
	ev.Text = string(ev.Statement)
	return ev
}

func TestFoldSkips(t *testing.T) {
	f := Fold{Known: func(string) bool { return false }, Skip: func(ev pimento.Event) bool { return ev.Page == "theirs" }}
	f.Take(pimento.Event{ID: "1", Type: pimento.Appeared, Statement: "a", Page: "theirs"})
	f.Take(pimento.Event{ID: "2", Type: pimento.Appeared, Statement: "b", Page: "ours"})
	f.Take(pimento.Event{ID: "3", Type: pimento.Appeared, Page: "theirs", Text: "1001 entries changed at once"}) // whosever they are
	var got []string
	for c := range f.Changes() {
		got = append(got, c.ID)
	}
	if !slices.Equal(got, []string{"~3", "~2"}) {
		t.Error(got)
	}
}

// page is a page of these statements; x marks a ticked one.
func page(words string) (p index.Page, es []pimento.Entry) {
	n := map[pimento.Statement]int{}
	for _, w := range strings.Fields(words) {
		d := index.Doc{Statement: pimento.Statement(strings.TrimSuffix(w, "x"))}
		if strings.HasSuffix(w, "x") {
			d.Flags = index.Done
		}
		d.N = n[d.Statement]
		n[d.Statement]++
		p.Docs = append(p.Docs, d)
		es = append(es, pimento.Entry{Text: "text of " + string(d.Statement)})
	}
	p.Digest = pimento.Digest(words)
	return p, es
}

func TestDiffer(t *testing.T) {
	for _, c := range []struct{ was, is, want string }{
		{"a b", "a b", ""},
		{"a b", "b a", ""},
		{"a", "a b", "appeared b"},
		{"a b", "a", "vanished b"},
		{"a b c", "a d c", "aliased b d"},
		{"a b c", "a d e c", "appeared d, appeared e, vanished b"},
		{"a b c z", "a d e z", "aliased b d, aliased c e"},
		{"a b z c", "d b z e", "aliased a d, aliased c e"},
		{"a b", "ax b", "completed a"},
		{"ax b", "a b", "reopened a"},
		{"a a", "a", "vanished a"},
		{"a", "a a", "appeared a"},
		{"a b", "", "vanished a, vanished b"},
	} {
		old, _ := page(c.was)
		now, es := page(c.is)
		diff := func() ([]string, []string) {
			d := Differ{Key: "k"}
			d.Page("x.md", old, now, es)
			var said, ids []string
			for _, ev := range d.News(0) {
				said = append(said, strings.Join(strings.Fields(fmt.Sprintf("%s %s %s", ev.Type, ev.From, ev.Statement)), " "))
				ids = append(ids, ev.ID)
				if ev.Type != pimento.Vanished && ev.Text != "text of "+string(ev.Statement) {
					t.Errorf("%s -> %s: the event of %s says %q", c.was, c.is, ev.Statement, ev.Text)
				}
			}
			return said, ids
		}
		said, ids := diff()
		if got := strings.Join(said, ", "); got != c.want {
			t.Errorf("%s -> %s: got %s, want %s", c.was, c.is, got, c.want)
		}
		if _, again := diff(); !slices.Equal(ids, again) || len(slices.Compact(slices.Sorted(slices.Values(ids)))) != len(ids) {
			t.Errorf("%s -> %s: ids %v, then %v", c.was, c.is, ids, again)
		}
	}
}

// TestStrangersAreNoEdit: what one branch and another put at the same place are two
// entries, which would have one history else; an edit of a few words is one.
func TestStrangersAreNoEdit(t *testing.T) {
	entry := func(words string) (d index.Doc) {
		var b text.Beside
		ws := strings.Fields(words)
		for i := range ws[1:] {
			b.Add(ws[i], ws[i+1])
		}
		return index.Doc{Statement: pimento.StatementOf(words), Beside: b}
	}
	for _, c := range []struct {
		was, is string
		alone   bool
		want    int // events
	}{
		{"metric carry unit last part name", "invoice number restart every january year", false, 2},
		{"metric carry unit last part name", "invoice number restart every january year", true, 1}, // a page that was written anew
		{"metric carry unit last part name", "metric carry unit first part name", false, 1},
		{"metric carry unit last part name", "metric carry unit last", false, 1},
		{"port 80", "login stay day", false, 1}, // too short to tell
	} {
		old, now := []index.Doc{entry(c.was)}, []index.Doc{entry(c.is)}
		if !c.alone {
			both := entry("what stands on either branch")
			old, now = append([]index.Doc{both}, old...), append([]index.Doc{both}, now...)
		}
		var d Differ
		d.Page("x.md", index.Page{Docs: old}, index.Page{Docs: now}, make([]pimento.Entry, 2))
		if got := d.News(0); len(got) != c.want {
			t.Errorf("%s -> %s: %+v", c.was, c.is, got)
		}
	}
}

// What a plan under way does to several pages is no news on any that it has reached.
func TestAPlanOfSeveralPagesIsNoNews(t *testing.T) {
	d := Differ{Key: "root"}
	for _, rel := range []string{"a.md", "b.md", "c.md"} {
		old, _ := page("stays goes")
		next, es := page("stays")
		d.Page(rel, old, next, es)
	}
	gone := func(rel string) pimento.Event {
		return pimento.Event{Type: pimento.Forgotten, Page: rel, Statement: "goes"}
	}
	left := pimento.Digest("stays")
	d.Except([]pimento.Plan{{Root: "root", Events: []pimento.Event{gone("a.md"), gone("b.md"), gone("c.md")},
		Changes: []pimento.Change{{Page: "a.md", After: left}, {Page: "b.md", After: left}, {Page: "c.md", After: "not yet"}}}})
	var got []string
	for _, ev := range d.News(0) {
		got = append(got, string(ev.Type)+" "+ev.Page)
	}
	if want := []string{"vanished c.md"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestTheFirstSyncIsNoNews(t *testing.T) {
	d := Differ{Silent: true}
	now, es := page("a b")
	if d.Page("x.md", index.Page{}, now, es); len(d.News(0)) > 0 {
		t.Error(d.Told())
	}
}

func TestManyAtOnce(t *testing.T) {
	for _, c := range []struct{ entries, left, events, bulk, lines int }{
		{BulkOver, 0, BulkOver + 1, 0, 0},
		{BulkOver, 1, BulkOver + 1, BulkOver, 0},
		{BulkOver + 1, 0, BulkOver + 2, BulkOver + 1, 0},
		{maxEvents, 0, 2, 0, 1}, // the line, and what vanished
		{30, maxEvents, 2, 0, 1},
	} {
		old, _ := page("gone stays")
		var words []string
		for i := range c.entries {
			words = append(words, fmt.Sprint("w", i))
		}
		now, es := page("stays " + strings.Join(words, " "))
		var d Differ
		d.Page("x.md", old, now, es)
		bulk, lines := 0, 0
		for _, ev := range d.News(c.left) {
			switch {
			case ev.Statement == "":
				lines++
			case ev.Reason == pimento.ReasonBulk:
				bulk++
			}
		}
		if len(d.Told()) != c.events || bulk != c.bulk || lines != c.lines {
			t.Errorf("%+v: %d events, %d in bulk, %d lines", c, len(d.Told()), bulk, lines)
		}
	}
}

// TestSummed: of a sort so many on one page (or, of what was never shown, anywhere)
// are one line with all their notices; everything else is told as before.
func TestSummed(t *testing.T) {
	of := func(op Op, page, old string, n int) (out []Change) {
		for i := range n {
			st := fmt.Sprint(op, page, i)
			out = append(out, Change{ID: "~" + st, Op: op, Statement: pimento.Statement(st), Text: st, Old: old, Scope: pimento.Project, Page: page})
		}
		return out
	}
	for _, c := range []struct {
		all   []Change
		lines int
		text  string
	}{
		{of(Withdrawn, "MEMORY.md", "", BulkOver), BulkOver, ""},
		{of(Withdrawn, "MEMORY.md", "", BulkOver+1), 1, "withdrawn 21 entries of MEMORY.md"},
		{of(Returned, "MEMORY.md", "", BulkOver+1), 1, "valid again 21 entries of MEMORY.md"},
		{of(Edited, "MEMORY.md", "was", BulkOver+1), 1, "edited 21 entries of MEMORY.md"},
		{of(Added, "MEMORY.md", "", BulkOver+1), BulkOver + 1, ""}, // said one by one, or a flood already
		{slices.Concat(of(Withdrawn, "a.md", "", 11), of(Withdrawn, "b.md", "", 11)), 22, ""},
		{slices.Concat(of(Edited, "a.md", "", 11), of(Edited, "b.md", "", 11)), 1, "edited 22 entries changed"}, // never shown
		{slices.Concat(of(Withdrawn, "a.md", "", 30), of(Edited, "a.md", "was", 2)), 3, "withdrawn 30 entries of a.md"},
	} {
		got := Summed(slices.Clone(c.all))
		if len(got) != c.lines {
			t.Errorf("%d lines, want %d", len(got), c.lines)
		}
		var ids, want []string
		for _, x := range got {
			ids = append(append(ids, x.ID), x.Also...)
		}
		for _, x := range c.all {
			want = append(want, x.ID)
		}
		if !slices.Equal(ids, want) {
			t.Errorf("told are %v", ids)
		}
		if first := string(got[0].Op) + " " + got[0].Text; c.text != "" && (!strings.HasPrefix(first, c.text) || got[0].Statement != "") {
			t.Errorf("%q, want %q", first, c.text)
		}
	}
}
