package inject

import (
	"strings"
	"testing"

	"github.com/pimento-memory/pimento"
)

// repeating are two pages of which the second begins as the first one does.
func repeating(p pimento.Profile, rest string) Facts {
	first := Text{Scope: pimento.Global, Page: "MEMORY.md", Body: "- one\n- two\n"}
	second := Text{Scope: pimento.Project, Page: "MEMORY.md", Body: first.Body + rest}
	for _, t := range []*Text{&first, &second} {
		at := 0
		for line := range strings.SplitAfterSeq(t.Body, "\n") {
			if line != "" {
				t.IDs, t.Spans = append(t.IDs, strings.TrimSpace(line)[2:]), append(t.Spans, pimento.Span{Start: at, End: at + len(line)})
			}
			at += len(line)
		}
	}
	return Facts{Profile: p, Texts: map[pimento.Pick][]Text{pimento.PickMemory: {first, second}}}
}

// TestCutOfWhatRepeats: what is left of a page says that it was cut, also where all
// that fits stands on another page already.
func TestCutOfWhatRepeats(t *testing.T) {
	p := pimento.Profile{Prefix: pimento.Budget{Bytes: 2000}, Sections: []pimento.Section{{Name: "memory", Zone: pimento.Prefix,
		Pick: pimento.PickMemory, Raw: true, Heading: "## {path} ({scope})"}}}
	capped := p
	capped.Index = pimento.Budget{Lines: 2}
	for rest, tt := range map[string]struct {
		p    pimento.Profile
		want []string
	}{
		"- three\n- four\n":                           {capped, []string{"## MEMORY.md (project)", "[Index truncated: showing 12 of 27 bytes."}},
		"- " + strings.Repeat("three ", 600) + "\n":   {p, []string{"## MEMORY.md (project)", "- three three", "[…]"}},
		"- three\n" + strings.Repeat("- four\n", 900): {p, []string{"## MEMORY.md (project)", "- three\n", " lines more in MEMORY.md"}},
	} {
		block := Build(repeating(tt.p, rest))
		for _, want := range tt.want {
			if !strings.Contains(block.Prefix, want) {
				t.Errorf("%.20q: no %q in %q", rest, want, block.Prefix)
			}
		}
		if n := strings.Count(block.Prefix, "- one\n"); n != 1 {
			t.Errorf("%.20q: the same text %d times", rest, n)
		}
		if last := block.Trace[len(block.Trace)-1]; last.Decision != "brief" {
			t.Errorf("%.20q: %+v", rest, last)
		}
	}
}

// TestCutOfOneLine: the note counts in English.
func TestCutOfOneLine(t *testing.T) {
	p := pimento.Profile{Prefix: pimento.Budget{Tokens: 60}, Sections: []pimento.Section{{Name: "memory", Zone: pimento.Prefix,
		Pick: pimento.PickMemory, Raw: true, Trim: "middle", Heading: "## {path}"}}}
	f := Facts{Profile: p, Texts: map[pimento.Pick][]Text{pimento.PickMemory: {{Scope: pimento.Project, Page: "MEMORY.md",
		Body: "- one\n- " + strings.Repeat("two ", 60) + "\n- three\n"}}}}
	if got := Build(f).Prefix; !strings.Contains(got, "- one\n[... 1 line more in MEMORY.md]\n- three") {
		t.Errorf("%q", got)
	}
}
