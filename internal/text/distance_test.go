package text

import "testing"

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "abc", 3}, {"recall", "recall", 0}, {"Recall", "recall", 0}, {"recal", "recall", 1},
		{"kitten", "sitting", 3}, {"enabeld", "enabled", 1}, {"ab", "ba", 1}, {"abcd", "badc", 2}, {"", "x", 1},
	} {
		if got := Distance(c.a, c.b); got != c.want || Distance(c.b, c.a) != got {
			t.Errorf("Distance(%q, %q) = %d, want %d", c.a, c.b, got, c.want)
		}
	}
}
