package text_test

import (
	"strings"
	"testing"

	"github.com/pimento-memory/pimento/internal/text"
)

func TestSnippet(t *testing.T) {
	long := strings.Repeat("filler words of no matter ", 20) + "then we DEPLOYED the billing service and rolled it back " + strings.Repeat("more filler words follow ", 20)
	cjk := strings.Repeat("今天天气很好我们出去玩", 30) + "数据库端口是五四三二" + strings.Repeat("然后回家吃饭睡觉休息", 30)
	cases := []struct{ name, s, question, want string }{
		{"short is whole", "a  b\nc", "b", "a b c"},
		{"the densest place", "deploy " + long, "how do we deploy billing?", "…"},
		{"nothing found", long, "zebra", "filler words"},
		{"cjk", cjk, "数据库端口", "…"},
		{"empty", "", "x", ""},
	}
	holds := map[string]string{"the densest place": "DEPLOYED the billing service", "cjk": "数据库端口是五四三二"}
	for _, c := range cases {
		got := text.Snippet(c.s, c.question)
		if !strings.HasPrefix(got, c.want) || !strings.Contains(got, holds[c.name]) || len([]rune(got)) > 202 {
			t.Errorf("%s: %q", c.name, got)
		}
	}
	if got := text.Snippet(long, "billing"); strings.Contains(got, "…iller") || strings.HasSuffix(got, "fille…") {
		t.Errorf("a word was cut: %q", got)
	}
}
