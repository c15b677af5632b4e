package page

import (
	"strings"
	"testing"

	"github.com/pimento-memory/pimento"
)

func statements(p *Page) (list []pimento.Statement) {
	for _, e := range p.Entries() {
		list = append(list, e.Statement)
	}
	return list
}

func one(t *testing.T, rel, src string) pimento.Entry {
	t.Helper()
	p := Parse(rel, []byte(src))
	checkPage(t, p, []byte(src))
	if len(p.Entries()) != 1 {
		t.Fatalf("%q has %d entries, want 1", src, len(p.Entries()))
	}
	return p.Entries()[0]
}

// What is not part of a statement: the way it is written down.
func TestStatementSurvivesTheWayItIsWritten(t *testing.T) {
	want := pimento.StatementOf("run the linter first")
	for _, c := range []struct{ rel, src string }{
		{"MEMORY.md", "- run the linter first\n"},
		{"MEMORY.md", "* run the linter first"},
		{"MEMORY.md", "7. run the linter first\n"},
		{"MEMORY.md", "run the linter first\r\n"},
		{"MEMORY.md", "- run the\n  linter first\n"},
		{"MEMORY.md", "- [ ] run the linter first\n"},
		{"MEMORY.md", "- [x] run the linter first\n"},
		{"MEMORY.md", "- [X] [lesson] run the linter first\n"},
		{"topics/lessons.md", "- [lesson] run the linter first\n"},
		{"topics/lessons.md", "- [Lesson] run  the linter first *(pinned)* *(enforced)*\n"},
		{"topics/lessons.md", "- [mistake] run the linter first *(pinned)* *(pinned)* ^pm-00c0ffee\n"},
		{"MEMORY.md", "<!-- 2026-02-15 14:30:00 [a1b2c3d4] -->\nrun the linter first"},
		{"SCRATCHPAD.md", "# Scratchpad\n\n<!-- 2026-02-15 14:30:00 [a1b2c3d4] -->\n- [x] run the linter first\n"},
		{"daily/2026-02-15.md", "<!-- 2026-02-15 14:30:00 [a1b2c3d4] -->\n\nrun the linter first\n\n"},
		{"daily/2026-02-15.md", "<!-- 2026-02-15 14:30:00 -->\n- [ ] run the linter first\n"},
		{"knowledge/a.md", "---\ntype: user\n---\n\nrun the linter first\n"},
		{"linter.md", "run the linter first *(pinned)*\n"},
	} {
		if e := one(t, c.rel, c.src); e.Statement != want {
			t.Errorf("%s %q says %q", c.rel, c.src, e.Text)
		}
	}
}

func TestHandEditChangesOneStatement(t *testing.T) {
	before := Parse("MEMORY.md", []byte("- a\n- b\n- c\n"))
	after := Parse("MEMORY.md", []byte("- a\n- b, but better\n- c\n"))
	x, y := statements(before), statements(after)
	if x[0] != y[0] || x[1] == y[1] || x[2] != y[2] {
		t.Errorf("before %v, after %v", x, y)
	}
}

func TestMovedBulletKeepsItsStatement(t *testing.T) {
	before := Parse("MEMORY.md", []byte("# A\n- x\n- y\n# B\n"))
	after := Parse("MEMORY.md", []byte("# A\n- y\n# B\n- x\n"))
	for _, e := range before.Entries() {
		got, ok := after.Find(e.Statement, e.N)
		if !ok || got.Text != e.Text {
			t.Errorf("%q is lost", e.Text)
		}
	}
}

func TestEqualBulletsOfOnePageAreCounted(t *testing.T) {
	p := Parse("MEMORY.md", []byte("- same\n- other\n- same *(pinned)*\n\nsame\n"))
	st := pimento.StatementOf("same")
	for n, line := range []int{1, 3, 5} {
		if e, ok := p.Find(st, n); !ok || e.Line != line {
			t.Errorf("repetition %d is on line %d (%v), want %d", n, e.Line, ok, line)
		}
	}
	if _, ok := p.Find(st, 3); ok {
		t.Error("a fourth was found")
	}
	// Removing one of them removes that one.
	e, _ := p.Find(st, 1)
	if got := string(edited(t, p, p.Remove(e)).Bytes()); got != "- same\n- other\n\nsame\n" {
		t.Errorf("left %q", got)
	}
}

func TestEqualBulletsOfTwoPagesShareTheStatement(t *testing.T) {
	a, b := one(t, "MEMORY.md", "- same\n"), one(t, "topics/lessons.md", "- [lesson] same\n")
	if a.Statement != b.Statement || a.Occurrence == b.Occurrence || a.N != 0 || b.N != 0 {
		t.Errorf("occurrences %v and %v", a.Occurrence, b.Occurrence)
	}
}

func TestBoxAndPinKeepTheStatement(t *testing.T) {
	for _, s := range seeds(t) {
		p := Parse(s.rel, s.b)
		for _, e := range p.Entries() {
			splices := p.SetPinned(e, !e.Pinned)
			if splices == nil {
				t.Fatalf("%s: no pin change for %q", s.name, e.Text)
			}
			next := edited(t, p, splices)
			got, ok := next.Find(e.Statement, e.N)
			if !ok || got.Pinned == e.Pinned {
				t.Fatalf("%s: pin of %q gave %+v", s.name, e.Text, got)
			}
			if !e.Pinned {
				if back := edited(t, next, next.SetPinned(got, false)); string(back.Bytes()) != string(s.b) {
					t.Fatalf("%s: pin and unpin of %q left %q", s.name, e.Text, back.Bytes())
				}
			}
			if e.Task {
				next = edited(t, p, p.SetDone(e, !e.Done))
				if got, ok := next.Find(e.Statement, e.N); !ok || got.Done == e.Done {
					t.Fatalf("%s: tick of %q gave %+v", s.name, e.Text, got)
				}
			}
		}
	}
}

// No entry of any seed resists removal, and its replacement keeps its state.
func TestEveryEntryCanBeReplacedAndRemoved(t *testing.T) {
	for k, s := range seeds(t) {
		p := Parse(s.rel, s.b)
		for i, e := range p.Entries() {
			if splices := p.Remove(e); splices == nil {
				t.Errorf("%s: %q cannot be removed", s.name, e.Text)
			}
			for j, text := range hostileTexts() {
				if (j+k)%3 > 0 || Clean(text) == "" { // a third of the pairs is plenty
					continue
				}
				splices := p.Replace(e, text)
				if splices == nil {
					t.Errorf("%s: %q cannot become %q", s.name, e.Text, text)
					continue
				}
				if got := edited(t, p, splices).Entries()[i]; got.Text != Clean(text) || !sameState(&got, &e) {
					t.Errorf("%s: %q became %+v", s.name, text, got)
				}
			}
		}
	}
}

func TestStatementSumIsStatementOf(t *testing.T) {
	texts := append(hostileTexts(), "", " ", "  a", "a  ", "a \u3000 b", "\u0085a", "a\u00a0", "\xff \xfe", "a\tb\vc", "é è", " é", "a é", strings.Repeat("x ", 99))
	for _, text := range texts {
		if got := string(foldSpace(nil, text)); got != strings.Join(strings.Fields(text), " ") {
			t.Errorf("%q is folded to %q", text, got)
		}
	}
}
