package page

import "testing"

// Whatever the order in which entries are asked for, a Finder finds what Find does.
func TestFinder(t *testing.T) {
	p := Parse("MEMORY.md", []byte("- one\n- two\n- one\n- three\n- one\n"))
	f := p.Finder()
	for _, i := range []int{0, 1, 2, 3, 4, 4, 2, 0, 3, 1} {
		want := p.Entries()[i]
		got, ok := f.Find(want.Statement, want.N)
		if !ok || got.Span != want.Span {
			t.Errorf("entry %d: found %v, %q at %v", i, ok, got.Text, got.Span)
		}
	}
	if _, ok := f.Find(p.Entries()[0].Statement, 3); ok {
		t.Error("there are three of it")
	}
	if _, ok := Parse("MEMORY.md", nil).Finder().Find(p.Entries()[0].Statement, 0); ok {
		t.Error("an empty page has none")
	}
}
