package remember

import (
	"bytes"
	"strings"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/guard"
	"github.com/pimento-memory/pimento/internal/page"
)

const updatedMark = "<!-- last updated: "

// Overwrite plans to replace a whole page by text, under a first line that says
// when and by which session. The payload keeps every byte that the page had and
// must be stored before the plan is applied; it is empty when there was no page.
// Statements that stay keep their history; the events name those that are new
// and those that are gone. Logs are never overwritten.
func Overwrite(t Target, text string, by By, findings []guard.Finding) (pimento.Plan, Payload) {
	p := pimento.Plan{Verb: "overwrite", Action: pimento.Refuse}
	if f, stop := guard.Refuses(findings); stop {
		p.Code, p.Reason = codeFor(f), refusalFor(f)
		return p, Payload{}
	}
	if t.Page.Dialect() == page.Log {
		p.Code, p.Reason = pimento.CodeDestructive, t.Rel+" is a log, which is only appended to"
		return p, Payload{}
	}
	after := overwritten(text, by)
	if after == nil {
		p.Code, p.Reason = pimento.CodeSchema, refusalFor(guard.Finding{Kind: guard.Empty})
		return p, Payload{}
	}
	before := t.Page.Bytes()
	// The whole page is one splice, so that the plan shows what it does.
	_, change, err := t.change([]pimento.Splice{{Del: len(before), Ins: after}})
	if err != nil {
		p.Reason = reasonOf(err)
		return p, Payload{}
	}
	p.Action, p.Changes = pimento.Put, []pimento.Change{change}
	p.Events = exchanged(t, page.Parse(t.Rel, after), pimento.Remembered, by)
	if t.Digest == "" {
		return p, Payload{}
	}
	return p, KeptWhole("overwrite", t, after, by)
}

// KeptWhole is what brings back a page as it was before a verb put other text in its place.
func KeptWhole(verb string, t Target, after []byte, by By) Payload {
	was := bytes.Clone(t.Page.Bytes())
	return Payload{V: 1, Verb: verb, Time: by.Now, Scope: t.Scope, Page: t.Rel, Whole: true,
		Raw: was, After: pimento.DigestOf(after), Undo: []pimento.Splice{{Del: len(after), Ins: was}}}
}

// overwritten is the new page, nil for a blank text. An update line that the
// text brings along, because it was read from the page before, is not repeated.
func overwritten(text string, by By) []byte {
	body := strings.TrimLeft(strings.TrimPrefix(text, "\ufeff"), "\r\n")
	for strings.HasPrefix(body, updatedMark) {
		_, body, _ = strings.Cut(body, "\n")
	}
	if strings.TrimSpace(body) == "" {
		return nil
	}
	if !strings.HasSuffix(body, "\n") {
		body += "\n"
	}
	line := strings.Replace(page.StampLine(by.Now, by.Session), "<!-- ", updatedMark, 1)
	return []byte(line + "\n" + body)
}

// exchanged lists what an overwritten page says anew, which is an event of the given type,
// and no longer.
func exchanged(t Target, now *page.Page, anew pimento.EventType, by By) (events []pimento.Event) {
	for _, e := range now.Entries() {
		if e.N == 0 && count(t.Page, e.Statement) == 0 {
			ev := by.saying(anew, t.here(e))
			if anew == pimento.Remembered {
				ev.Cue = "explicit"
			}
			events = append(events, ev)
		}
	}
	for _, e := range t.Page.Entries() {
		if e.N == 0 && count(now, e.Statement) == 0 {
			events = append(events, by.event(pimento.Vanished, t.here(e)))
		}
	}
	return events
}

// OtherVersion refuses to write over a page that is not the one its author saw.
func OtherVersion(t Target, version string) (pimento.Plan, bool) {
	if version == "" || t.Digest != "" && strings.HasPrefix(string(t.Digest), version) || t.Digest == "" && version == NoPage {
		return pimento.Plan{}, false
	}
	return pimento.Plan{Verb: "overwrite", Action: pimento.Refuse, Code: pimento.CodeDestructive,
		Reason: t.Rel + " is not the version that was named; read it again"}, true
}

// NoPage is the version of a page that does not exist yet.
const NoPage = "none"
