package qmd

import (
	"testing"

	"github.com/pimento-memory/pimento"
)

func TestEntryOf(t *testing.T) {
	es := []pimento.Entry{
		{Line: 1, Text: "deploys go through staging"},
		{Line: 2, Text: "the canary needs ten minutes"},
		{Line: 5, Text: "roll back with harborctl"},
	}
	for name, c := range map[string]struct {
		hit      Hit
		question string
		hidden   int
		want     int
	}{
		"its line":                          {Hit{Line: 2}, "", -1, 1},
		"a line below an entry's first":     {Hit{Line: 4}, "", -1, 1},
		"several lines, by the question":    {Hit{Line: 1, Lines: 5}, "how long does the canary take", -1, 1},
		"several lines of a quotation":      {Hit{Line: 1, Text: "deploys\nthe canary needs"}, "", -1, 1},
		"by the quotation where it is even": {Hit{Line: 1, Lines: 9, Text: "harborctl"}, "unrelated", -1, 2},
		"no line, what is quoted":           {Hit{Text: "roll back"}, "the canary", -1, 2},
		"no line, and nothing of it quoted": {Hit{Text: "something else"}, "the canary", -1, -1},
		"only what may be shown":            {Hit{Line: 2}, "canary", 1, -1},
	} {
		if got := EntryOf(es, map[int]bool{c.hidden: true}, c.hit, c.question); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}

func TestName(t *testing.T) {
	if Name("topics/My Notes, old.md") != Name("topics/my-notes--old.md") || Name("a.md") == Name("b.md") {
		t.Error("names are compared without what qmd changes")
	}
}
