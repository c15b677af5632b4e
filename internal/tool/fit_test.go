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

// Wide characters take two columns, and writing without spaces breaks anywhere but
// before what ends a sentence.
func TestWideText(t *testing.T) {
	for _, c := range []struct {
		text  string
		width int
		want  string
	}{
		{"部署先经过预发布集群，然后才到生产环境。", 20, "部署先经过预发布集\n  群，然后才到生产环\n  境。"},
		{"deploys 先经过预发布集群再到生产 then", 22, "deploys 先经过预发布\n  集群再到生产 then"},
		{"a/very/long/path/that/is/no/sentence x", 20, "a/very/long/path/that/is/no/sentence\n  x"},
		{"aaaaaaaaaaaaaaaaaa 部署先经过预发布集群然后才到生产环境里", 22, "aaaaaaaaaaaaaaaaaa\n  部署先经过预发布集群\n  然后才到生产环境里"},
		{"e\u0301e\u0301e\u0301 e\u0301 stays on one line", 26, "e\u0301e\u0301e\u0301 e\u0301 stays on one line"},
	} {
		if got := Wrap(c.text, c.width, "  "); got != c.want {
			t.Errorf("%s\n got %q\nwant %q", c.text, got, c.want)
		}
	}
	for _, c := range []struct {
		text string
		n    int
		want string
	}{
		{"部署先经过", 10, "部署先经过"}, {"部署先经过", 9, "部署先经…"}, {"部署先经过", 8, "部署先…"}, {"plain words", 5, "plai…"}, {"plain", 5, "plain"}, {"a\xffb部", 3, "a\ufffd…"},
	} {
		if got := OneLine(c.text, c.n); got != c.want {
			t.Errorf("OneLine(%q, %d) = %q, want %q", c.text, c.n, got, c.want)
		}
	}
}
