package main

import (
	"io/fs"
	"slices"
	"strings"
	"testing"
)

// all is the text of word lists.
func all(t *testing.T, files fs.FS) string {
	t.Helper()
	s, err := together(files)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestThesaurusIsGroupsOfWords(t *testing.T) {
	groups := readThesaurus(all(t, thesaurus))
	if len(groups) < 2000 {
		t.Fatalf("%d groups", len(groups))
	}
	for _, g := range groups {
		for _, w := range g {
			if w != strings.ToLower(w) || len(strings.Fields(w)) > 6 {
				t.Errorf("%q is no word or phrase in lower case", w)
			}
		}
	}
}

func TestNumbered(t *testing.T) {
	words := readThesaurus("# colours\nred, crimson tide, a b c, unknown, 红色 # warm\nalone\n")
	if want := [][]string{{"red", "crimson tide", "a b c", "unknown", "红色"}}; len(words) != 1 || !slices.Equal(words[0], want[0]) {
		t.Fatalf("%q", words)
	}
	number := map[string]int{"red": 4, "crimson": 5, "crimson tide": 6, "红色": 7}
	got := numbered(words, number, newTokenizer(newLexicon(words)), 2)
	if len(got) != 1 || !slices.Equal(got[0].words, []int{4, 6, 7}) || got[0].weight != 2 {
		t.Errorf("%+v", got)
	}
}

func TestAssociationsAreAWordAndOthers(t *testing.T) {
	as := readAssociations(all(t, associations))
	if len(as) < 800 {
		t.Fatalf("%d associations", len(as))
	}
	for _, a := range as {
		for _, w := range append([]string{a.head}, a.words...) {
			if w != strings.ToLower(w) || len(strings.Fields(w)) > 6 {
				t.Errorf("%q is no word or phrase in lower case", w)
			}
		}
	}
}

// TestLinked: a phrase that is no word counts by its parts, and a head that the
// vocabulary does not have links nothing.
func TestLinked(t *testing.T) {
	as := readAssociations("# sea\nboat: harbour, red sail, unknown, boat\nghost: boat\n")
	number := map[string]int{"boat": 0, "harbour": 1, "red": 2, "sail": 3}
	got := linked(as, number, newTokenizer(newLexicon(nil)), 0.5)
	if len(got) != 3 || got[0].weight != 0.5 || got[1].weight != 0.25 || !slices.Equal(got[2].words, []int{0, 3}) {
		t.Errorf("%+v", got)
	}
}
