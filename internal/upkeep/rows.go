package upkeep

import (
	"cmp"
	"fmt"
	"slices"
)

const (
	// fewRows is how many lines that follow each other are the rows of a table, if they are
	// of one form and were said at once; of two one cannot tell.
	fewRows = 3
	// manyRows is of how many entries of one form no two are compared by it, wherever they
	// stand. So many values are never those of one thing, and all with all would be quadratic.
	manyRows = 12
)

// tables takes the form and the claim from what are rows of one table: "the bus runs at
// 9:00", "at 10:00", "at 11:00".
func (f *finder) tables() {
	for _, rows := range f.byForm() {
		if f.rows(rows) {
			for _, i := range rows {
				f.gists[i].form, f.gists[i].claim = form{}, claim{}
			}
		}
	}
	claims := map[string][]int{}
	for i, g := range f.gists {
		if c := g.claim; c.subject != "" && c.subject != "-" {
			key := string(f.entries[i].Scope) + c.relation + "\x00" + c.subject
			claims[key] = append(claims[key], i)
		}
	}
	for _, rows := range claims {
		if f.different(rows, func(g gist) string { return g.folded }) > manyRows {
			for _, i := range rows {
				f.gists[i].claim = claim{}
			}
		}
	}
}

// rows says whether entries of one form are rows of a table.
func (f *finder) rows(entries []int) bool {
	if len(entries) < fewRows {
		return false
	}
	n := f.different(entries, func(g gist) string { return fmt.Sprint(g.form.slots) })
	if n < fewRows || n > manyRows {
		return n > manyRows
	}
	by := slices.Clone(entries)
	slices.SortFunc(by, func(a, b int) int { return cmp.Compare(f.entries[a].Line, f.entries[b].Line) })
	for k, i := range by {
		x, y := f.entries[i], f.entries[by[max(0, k-1)]]
		if f.gists[i].later || x.Page != y.Page || x.Line-y.Line > 1 || !x.Said().Equal(y.Said()) {
			return false
		}
	}
	return true
}

// different is how many of some entries differ in what is said of them.
func (f *finder) different(entries []int, says func(gist) string) int {
	seen := map[string]bool{}
	for _, i := range entries {
		seen[says(f.gists[i])] = true
	}
	return len(seen)
}
