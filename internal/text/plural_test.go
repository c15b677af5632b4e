package text_test

import (
	"testing"

	"github.com/pimento-memory/pimento/internal/text"
)

func TestPlural(t *testing.T) {
	for want, got := range map[string]string{
		"0 days": text.Plural(0, "day"), "1 entry": text.Plural(1, "entry"), "2 entries": text.Plural(2, "entry"), "3 pages": text.Plural(3, "page"),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
