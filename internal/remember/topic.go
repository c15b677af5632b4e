package remember

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/guard"
	"github.com/pimento-memory/pimento/internal/page"
)

// An Article is a whole topic article to be written, with everything that the
// decision about it depends on.
type Article struct {
	Content  string
	By       By
	Target   Target // the page of its name
	Policy   pimento.Topics
	Others   []string             // paths of the scope's other topic pages
	Lines    func(rel string) int // lines of another topic page, for messages
	Replaces []Replaced           // other topic pages whose place it takes
	Findings []guard.Finding      // of the content
}

// A Replaced page goes to the archive when an article takes its place.
type Replaced struct{ From, To Target }

// PutArticle decides about an article. The checks stand in the order in which
// their refusals are told: size in bytes, in lines, what the guard found, the
// number of files, conflicts with other topics. Nothing is written by a refused
// plan; Near names the files that it conflicts with.
//
// Payloads are what must be stored before the plan is applied: first that of
// each replaced page, in order, then, where the article was there before, what
// it was.
func PutArticle(a Article) (pimento.Plan, []Payload) {
	p := pimento.Plan{Verb: "article", Action: pimento.Refuse}
	after := articleBytes(a.Content)
	if p.Reason = a.refusal(after); p.Reason != "" {
		return p, nil
	}
	if found := a.conflicts(); len(found) > 0 {
		p.Reason = conflictText(a.Target.Rel, found)
		for _, c := range found {
			p.Near = append(p.Near, c.Rel)
		}
		return p, nil
	}
	p.Action = pimento.Put
	var kept []Payload
	for _, r := range a.Replaces {
		gone, payload := ArchivePage(r.From, r.To, "merged into "+a.Target.Rel, a.By)
		if gone.Action == pimento.Refuse {
			return gone, nil
		}
		p.Changes, p.Events, kept = append(p.Changes, gone.Changes...), append(p.Events, gone.Events...), append(kept, payload)
	}
	before := a.Target.Page.Bytes()
	if a.Target.Digest != "" && bytes.Equal(before, after) {
		p.Reason = "it says that already"
		return p, kept
	}
	change := pimento.Change{Scope: a.Target.Scope, Page: a.Target.Rel, Before: a.Target.Digest, After: pimento.DigestOf(after),
		Splices: []pimento.Splice{{Del: len(before), Ins: after}}}
	p.Changes = append(p.Changes, change)
	p.Events = append(exchanged(a.Target, page.Parse(a.Target.Rel, after), pimento.Remembered, a.By), p.Events...)
	if a.Target.Digest != "" {
		kept = append(kept, KeptWhole("overwrite", a.Target, after, a.By))
	}
	return p, kept
}

// articleBytes is the content as a file: with a line break at its end.
func articleBytes(content string) []byte {
	content = strings.TrimPrefix(content, "\ufeff")
	if content != "" && !strings.HasSuffix(content, "\n") {
		content += "\n"
	}
	return []byte(content)
}

// refusal says why an article must not be written whatever other topics there
// are, "" when it may.
func (a Article) refusal(after []byte) string {
	lim, lines, files := a.Policy, page.Lines(after), len(a.Others)-len(a.Replaces)
	if n := page.Size(after); lim.MaxBytes > 0 && n > lim.MaxBytes {
		return fmt.Sprintf("the content has %d bytes, the limit is %d; split it into several topics, or leave out what can be read elsewhere", n, lim.MaxBytes)
	}
	if lim.MaxLines > 0 && lines > lim.MaxLines {
		return fmt.Sprintf("the content has %d lines, the limit is %d; split it by subtopic, one file each", lines, lim.MaxLines)
	}
	if f, stop := guard.Refuses(a.Findings); stop {
		return refusalFor(f)
	}
	switch {
	case a.Target.Page.Conflicted():
		return a.Target.Rel + " has an unresolved git conflict; resolve it first"
	case lim.MaxFiles > 0 && a.Target.Digest == "" && files >= lim.MaxFiles:
		return fmt.Sprintf("there are %d topic files, the limit is %d; merge related topics first: write one with the names of the others in replaces, or archive what no longer holds", files, lim.MaxFiles)
	}
	return ""
}

// A TopicConflict is another topic page that an article should perhaps be a part
// of.
type TopicConflict struct {
	Rel    string
	Lines  int
	Shared []string // keywords that both have; nil when they share the topic
}

// conflicts are the topic pages with the same topic or with too many of the same
// keywords, but for the page itself and those that it replaces. Case is folded.
func (a Article) conflicts() (out []TopicConflict) {
	for _, rel := range a.Others {
		if slices.ContainsFunc(a.Replaces, func(r Replaced) bool { return r.From.Rel == rel }) {
			continue
		}
		if shared, clash := page.TopicsClash(a.Target.Rel, rel, a.Policy.Overlap); clash {
			out = append(out, TopicConflict{rel, a.Lines(rel), shared})
		}
	}
	return out
}

// conflictText lists the conflicting files and the three ways out.
func conflictText(rel string, found []TopicConflict) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s conflicts with:\n", rel)
	for _, c := range found {
		why := "same topic"
		if len(c.Shared) > 0 {
			why = fmt.Sprintf("%d keywords overlap (%s)", len(c.Shared), strings.Join(c.Shared, ", "))
		}
		fmt.Fprintf(&b, "- %s (%s, %d lines)\n", c.Rel, why, c.Lines)
	}
	first := path.Base(found[0].Rel)
	fmt.Fprintf(&b, "Three ways out:\n"+
		"1. Merge: read them, write one article that says it all, and name the others in replaces; they go to the archive.\n"+
		"2. Replace: when the new text fully supersedes the old, write it under the old name, %s.\n"+
		"3. Unrelated: choose another topic, or keywords of which fewer are shared, and try again.", first)
	return b.String()
}
