package engine

import "testing"

func TestQuotesWholeWords(t *testing.T) {
	for _, tt := range []struct {
		s, text string
		want    bool
	}{
		{"Use Go.", "Use Go", true},
		{"Use Google Cloud", "Use Go", false},
		{"Use Google, then Use Go", "Use Go", true},
		{"reUse Go", "Use Go", false},
		{"we said: \"Use Go\"", "Use Go", true},
		{"部署前先跑测试再说", "先跑测试", true},
		{"we said: Use Go and nothing else.", "Use Go\n  and nothing else", true},
		{"we said:\r\nUse\r\nGo", "Use Go", true},
		{"nothing", "Use Go", false},
	} {
		if got := quotes(tt.s, tt.text); got != tt.want {
			t.Errorf("quotes(%q, %q) = %v", tt.s, tt.text, got)
		}
	}
}
