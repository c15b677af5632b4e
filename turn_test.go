package pimento_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/pimento-memory/pimento"
)

// Whatever a harness sends, a turn stays within its limits, and of long lists
// the latest is what stays.
func TestTurnIsBounded(t *testing.T) {
	in := pimento.Turn{Answer: "first " + strings.Repeat("é", pimento.MaxAnswer) + " last", Summary: strings.Repeat("漢", pimento.MaxSummary)}
	for i := range 1000 {
		in.Tools = append(in.Tools, pimento.ToolUse{Name: fmt.Sprint("tool", i, strings.Repeat("x", 100)), Command: strings.Repeat("é", 1000)})
		in.Edited = append(in.Edited, fmt.Sprint("file", i))
		in.Dropped = append(in.Dropped, pimento.Message{Role: "user", Text: fmt.Sprint(i, strings.Repeat(" word", 200))})
	}
	got := in.Bounded()
	if len(got.Answer) > pimento.MaxAnswer+1 || !strings.HasPrefix(got.Answer, "first ") || !strings.HasSuffix(got.Answer, " last") {
		t.Errorf("answer of %d bytes: %q ... %q", len(got.Answer), got.Answer[:10], got.Answer[len(got.Answer)-10:])
	}
	if len(got.Summary) > pimento.MaxSummary+1 || !utf8.ValidString(got.Answer+got.Summary+got.Tools[0].Command) {
		t.Errorf("a summary of %d bytes, or a broken character", len(got.Summary))
	}
	if len(got.Tools) != pimento.MaxTools || !strings.HasPrefix(got.Tools[99].Name, "tool999") || len(got.Tools[0].Name) > 64 || len(got.Tools[0].Command) > 300 {
		t.Errorf("%d tools, the last %+v", len(got.Tools), got.Tools[len(got.Tools)-1])
	}
	if strings.Join(got.Edited, " ") != "file990 file991 file992 file993 file994 file995 file996 file997 file998 file999" {
		t.Errorf("edited: %v", got.Edited)
	}
	size := 0
	for _, m := range got.Dropped {
		size += len(m.Text)
	}
	if size > pimento.MaxDropped || len(got.Dropped) < 100 || !strings.HasPrefix(got.Dropped[len(got.Dropped)-1].Text, "999 ") {
		t.Errorf("%d messages of %d bytes", len(got.Dropped), size)
	}
	if len(in.Tools) != 1000 || len(in.Tools[0].Name) < 100 {
		t.Error("the turn that came in was changed")
	}
}
