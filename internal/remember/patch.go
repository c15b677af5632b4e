package remember

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/guard"
	"github.com/pimento-memory/pimento/internal/page"
)

// maxReason is how much of the reason for a change is kept, in runes.
const maxReason = 200

// Reason is a reason as it is kept with what it is about: on one line, cut to
// 200 characters; "" when nothing of it is left.
func Reason(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > maxReason {
		s = strings.TrimSpace(string(r[:maxReason]))
	}
	return s
}

// A Patch is one exact replacement in the text of a page.
type Patch struct {
	Old, New string
	Reason   string // see [Reason]
}

// Plan plans to replace what stands exactly once in a page's text, and notes
// in its front matter, where it has one, when and why that was done. Nothing
// else of the page changes. A refusal says how often the old text stands there.
func (x Patch) Plan(t Target, by By, findings []guard.Finding) pimento.Plan {
	p := pimento.Plan{Verb: "patch", Action: pimento.Refuse}
	body := string(t.Page.Bytes())[t.Page.Body():]
	switch n := strings.Count(body, x.Old); {
	case strings.TrimSpace(x.Old) == "":
		p.Reason = "the old text is empty; pass the exact text that is to be replaced"
		return p
	case x.Old == x.New:
		p.Reason = "old and new text are the same; nothing to change"
		return p
	case strings.Contains(x.Reason, "---"):
		p.Reason = "the reason must not hold ---, which ends front matter"
		return p
	case n != 1:
		p.Reason = fmt.Sprintf("the old text stands %d times in %s; it must stand there exactly once", n, t.Rel)
		if n > 1 {
			p.Reason += ", so pass more of what is around it"
		} else {
			p.Reason += ", so read the page and pass its text as it is"
		}
		return p
	}
	if f, stop := guard.Refuses(findings); stop && x.New != "" {
		p.Reason = refusalFor(f)
		return p
	}
	splices := t.Page.SetFront("updated", by.Now.Format(time.RFC3339))
	if why := Reason(x.Reason); why != "" {
		splices = append(splices, t.Page.SetFront("update_reason", why)...)
	}
	splices = append(splices, pimento.Splice{Off: t.Page.Body() + strings.Index(body, x.Old), Del: len(x.Old), Ins: []byte(x.New)})
	slices.SortStableFunc(splices, func(a, b pimento.Splice) int { return a.Off - b.Off })
	after, change, err := t.change(merged(splices))
	if err != nil {
		p.Reason = reasonOf(err)
		return p
	}
	now := page.Parse(t.Rel, after)
	if len(now.Entries()) == 0 {
		p.Reason = "nothing would be left of the page; forget it instead"
		return p
	}
	p.Action, p.Changes = pimento.Put, []pimento.Change{change}
	p.Events = patched(t, now, by)
	return p
}

// merged puts insertions at one place together.
func merged(splices []pimento.Splice) (out []pimento.Splice) {
	for _, s := range splices {
		if n := len(out); n > 0 && out[n-1].Off == s.Off && out[n-1].Del == 0 && s.Del == 0 {
			out[n-1].Ins = append(out[n-1].Ins, s.Ins...)
			continue
		}
		out = append(out, s)
	}
	return out
}

// patched says which entry became which: one whose text changed keeps its
// history. Where the patch made or took away entries, they are told apart.
func patched(t Target, now *page.Page, by By) (events []pimento.Event) {
	before, after := t.Page.Entries(), now.Entries()
	if len(before) != len(after) {
		return exchanged(t, now, pimento.Remembered, by)
	}
	for i, e := range after {
		if e.Statement == before[i].Statement {
			continue
		}
		ev := by.became(before[i].Statement, t.here(e))
		ev.Cue = "explicit"
		events = append(events, ev)
	}
	return events
}
