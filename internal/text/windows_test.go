package text

import (
	"fmt"
	"strings"
	"testing"
)

// TestExcerpt: parts begin and end with a line where one is near, and show what they
// leave out.
func TestExcerpt(t *testing.T) {
	far := strings.Repeat("word ", 60)
	for _, test := range []struct{ text, part, want string }{
		{"one\n\nthe second line is here\n\nthree", "second line", "… the second line is here …"},
		{"one two", "one two", "one two"},
		{"first\nsecond", "first", "first …"},
		{far + "this part " + far, "this part", "… this part …"},
		{far + "\nthis part", "this", "… this part"},
	} {
		at := strings.Index(test.text, test.part)
		if got := Excerpt(test.text, at, at+len(test.part)); got != test.want {
			t.Errorf("%q of %q: %q, want %q", test.part, test.text, got, test.want)
		}
	}
	var b strings.Builder
	for i := range 500 {
		fmt.Fprintf(&b, "w%d ", i)
	}
	covered := 0
	for from, to := range WindowsAt(b.String()) {
		if from > covered {
			t.Errorf("nothing covers %d to %d", covered, from)
		}
		covered = to
	}
	if covered != b.Len() {
		t.Errorf("%d of %d bytes", covered, b.Len())
	}
}
