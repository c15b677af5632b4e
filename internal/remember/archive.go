package remember

import (
	"bytes"

	"github.com/pimento-memory/pimento"
)

// Archive plans to move exactly one occurrence from its page to the archive
// page to. The payload, which must be stored before the plan is applied, brings
// it back to where it stood. The error is of KindNotFound when the page has no
// such entry.
func Archive(t, to Target, o pimento.Occurrence, reason string, by By) (pimento.Plan, Payload, error) {
	p, pl, err := Forget(t, o, by)
	if err != nil || p.Action == pimento.Refuse {
		p.Verb = "archive"
		return p, pl, err
	}
	e, _ := t.locate(o)
	raw := t.Page.Bytes()[e.Span.Start:e.Span.End]
	_, copied, err := to.change(to.append(raw, pl))
	if err != nil {
		return pimento.Plan{Verb: "archive", Action: pimento.Refuse, Reason: reasonOf(err)}, Payload{}, nil
	}
	// The copy comes first: after a crash between the two there are two, not none.
	return archived(pimento.Plan{Action: pimento.Put, Changes: []pimento.Change{copied, p.Changes[0]}},
		[]pimento.Entry{e}, reason, by), pl.keptIn(to.Rel), nil
}

// ArchivePage plans to move a whole page, byte for byte, to the archive page to,
// which does not exist. The payload must be stored before the plan is applied.
func ArchivePage(t, to Target, reason string, by By) (pimento.Plan, Payload) {
	if t.Digest == "" || to.Digest != "" {
		return pimento.Plan{Verb: "archive", Action: pimento.Refuse, Reason: t.Rel + ": there is no such page"}, Payload{}
	}
	raw := t.Page.Bytes()
	whole := []pimento.Splice{{Ins: raw}}
	p := archived(pimento.Plan{Action: pimento.Put, Changes: []pimento.Change{
		{Scope: to.Scope, Page: to.Rel, After: t.Digest, Splices: whole},
		{Scope: t.Scope, Page: t.Rel, Before: t.Digest},
	}}, t.entries(), reason, by)
	pl := Payload{V: 1, Time: by.Now, Scope: t.Scope, Page: t.Rel, Whole: true, Raw: bytes.Clone(raw), Undo: whole}
	return p, pl.keptIn(to.Rel)
}

// archived completes a plan that moves entries into the archive.
func archived(p pimento.Plan, es []pimento.Entry, reason string, by By) pimento.Plan {
	p.Verb, p.Reason = "archive", reason
	for _, e := range es {
		ev := by.saying(pimento.Archived, e)
		ev.Reason = clip(reason, maxEventText)
		p.Events = append(p.Events, ev)
	}
	return p
}

func (pl Payload) keptIn(rel string) Payload {
	pl.Verb, pl.Archive = "archive", rel
	return pl
}

// append is the splice that puts an entry's own lines at the end of a page, as
// an entry of its own where that can be.
func (t Target) append(raw []byte, pl Payload) []pimento.Splice {
	was := t.Page.Bytes()
	raw = append(bytes.TrimRight(raw, "\r\n"), '\n')
	gap := ""
	if len(was) > 0 && was[len(was)-1] != '\n' {
		gap = "\n"
	}
	for _, more := range []string{"", "\n"} {
		splices := []pimento.Splice{{Off: len(was), Ins: append([]byte(gap+more), raw...)}}
		if len(was) == 0 || t.grows(splices, pl, false) {
			return splices
		}
	}
	return []pimento.Splice{{Off: len(was), Ins: append([]byte(gap+"\n"), raw...)}}
}

// Unarchive adds to the plan of a restore that the copy leaves the archive;
// from is the archive page that the payload names, as it is now. A copy that is
// not there as it was put there stays.
func Unarchive(p pimento.Plan, pl Payload, from Target) pimento.Plan {
	if p.Action == pimento.Refuse || from.Digest == "" {
		return p
	}
	gone := pimento.Change{Scope: from.Scope, Page: from.Rel, Before: from.Digest}
	if !pl.Whole {
		last := count(from.Page, pl.Statement) - 1
		e, ok := from.Page.Find(pl.Statement, last)
		if !ok {
			return p
		}
		left, c, err := from.change(from.Page.Remove(e))
		if err != nil {
			return p
		}
		if len(bytes.TrimSpace(left)) > 0 {
			gone = c
		}
	} else if from.Digest != pimento.DigestOf(pl.Raw) {
		p.Reason = from.Rel + " was edited in the archive; that copy stays there"
		return p
	}
	p.Changes = append(p.Changes, gone)
	return p
}

// FromArchive is the payload of a page that lies in the archive as a whole, for
// those who have no other.
func FromArchive(from Target, rel string) Payload {
	raw := from.Page.Bytes()
	return Payload{V: 1, Scope: from.Scope, Page: rel, Whole: true, Raw: raw,
		Undo: []pimento.Splice{{Ins: raw}}}.keptIn(from.Rel)
}
