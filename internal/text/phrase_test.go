package text_test

import (
	"strings"
	"testing"

	"github.com/pimento-memory/pimento/internal/text"
)

func TestHasPhrase(t *testing.T) {
	for _, c := range []struct {
		s, phrase string
		want      bool
	}{
		{"Please REVIEW this PR.", "pr", true}, {"prepare it", "pr", false}, {"a_pr", "pr", false}, {"pr's", "pr", false}, {"(pr)", "pr", true},
		{"我们以后都用它", "以后都", true}, {"用PR评审", "评审", true}, {"代码pr评审", "pr", true}, {"", "x", false}, {"x", "", false}, {"prpr pr", "pr", true},
		{"I don't", "don", false}, {"doesn't work!", "doesn't work", true},
	} {
		if got := text.HasPhrase(c.s, c.phrase); got != c.want {
			t.Errorf("%q in %q: %v", c.phrase, c.s, got)
		}
	}
}

func TestSentences(t *testing.T) {
	for s, want := range map[string]string{
		"":                            "",
		"One. Two! Three? Four; five": "One.| Two!| Three?| Four; five",
		"v3.12.4 of a.b is out":       "v3.12.4 of a.b is out",
		"先做。再看！好？行":                   "先做。|再看！|好？|行",
		"a\nb\n":                      "a\n|b\n",
		"broken \xff. bytes":          "broken \xff.| bytes",
	} {
		got := text.Sentences(s)
		if strings.Join(got, "|") != want || strings.Join(got, "") != s {
			t.Errorf("%q: %q", s, got)
		}
	}
}
