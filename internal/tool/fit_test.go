package tool

import "testing"

// On a narrow terminal sentences are wrapped, and rows at their gaps.
func TestFit(t *testing.T) {
	const text = "a row   with   gaps   is wider      than this\n  words 25%, meaning 23%, page 19%, coverage 12%\nshort\n"
	for _, c := range []struct {
		width int
		want  string
	}{
		{0, text}, {100, text},
		{40, "a row  with  gaps  is wider  than this\n  words 25%, meaning 23%, page 19%,\n  coverage 12%\nshort\n"},
	} {
		if got := (Paint{Width: c.width}).Fit(text); got != c.want {
			t.Errorf("%d:\n%s", c.width, got)
		}
	}
}
