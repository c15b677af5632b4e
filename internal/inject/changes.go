package inject

import (
	"strings"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/news"
	"github.com/pimento-memory/pimento/internal/page"
)

// fillChanges tells what happened since the prefix was taken, once each,
// oldest first. What does not fit is told on a later turn, because only the
// notices that stand are listed in the block's ids.
func (b *build) fillChanges(w *filler, sec *pimento.Section) {
	head := heading(sec, b.f.Today)
	for i := range b.f.Changes {
		c := b.asNew(b.f.Changes[i])
		if c.ID != "" && (b.f.InContext[c.ID] || b.shown[c.ID]) {
			b.decide(c.ID, c.Page, "dropped", inContext)
			continue
		}
		if c.Op == news.Withdrawn && !b.known(c.Statement, c.Text) {
			b.decide(c.ID, c.Page, "dropped", "what was withdrawn never stood in this context")
			continue
		}
		if fresh(&c) && c.Statement != "" && (b.shown[string(c.Statement)] || b.f.InContext[string(c.Statement)]) {
			b.decide(c.ID, c.Page, "dropped", standsHere)
			continue
		}
		shape := b.placeChange(w, head, &c)
		if shape == "" {
			b.count(sec.Name, noRoom, len(b.f.Changes)-i)
			return
		}
		head = ""
		b.decide(c.ID, c.Page, shape, sec.Name+", "+string(c.Op))
	}
}

// asNew tells an edit of what this context never held as something new.
func (b *build) asNew(c news.Change) news.Change {
	if c.Op == news.Edited && c.Statement != "" && (c.Old == "" || !b.known(c.Was, c.Old)) {
		c.Op = news.Added
	}
	return c
}

// known says whether a text may stand in this session's context. Telling a
// model to ignore what it never saw would only show it.
func (b *build) known(st pimento.Statement, text string) bool {
	id := string(st)
	if id == "" || b.shown[id] || b.f.InContext[id] {
		return true
	}
	first, _, _ := strings.Cut(Fence(strings.TrimSpace(text)), "\n")
	return first != "" && strings.Contains(b.out.Prefix, first)
}

// placeChange writes a change, in full or briefly, and returns the shape.
func (b *build) placeChange(w *filler, head string, c *news.Change) string {
	for _, shape := range []string{"full", "brief"} {
		if !w.add(head + changeLine(c, shape == "brief")) {
			continue
		}
		for _, id := range []string{c.ID, string(c.Statement)} {
			if id == "" || id == string(c.Statement) && (c.Op == news.Withdrawn || b.shown[id]) {
				continue
			}
			b.shown[id] = true
			w.ids = append(w.ids, id)
		}
		w.ids = append(w.ids, c.Also...)
		return shape
	}
	return ""
}

// fresh says that a change brings an entry that this context does not hold.
func fresh(c *news.Change) bool { return c.Op == news.Added || c.Op == news.Pinned }

// changeLine words a change. Only what is new is told at length.
func changeLine(c *news.Change, short bool) string {
	text := c.Text
	if short || !fresh(c) && c.Op != news.Edited {
		text = brief(text)
	}
	switch {
	case c.Statement == "": // a line for many
		text = c.Text
	case fresh(c) && page.DialectOf(c.Page) == page.Checklist:
		text = "[ ] " + text
	case c.Op == news.Edited:
		text = brief(c.Old) + " -> " + text
	case c.Op == news.Withdrawn:
		text += " (no longer valid; ignore it where it stands above)"
	}
	return bullet("- "+inline(string(c.Op))+": ", text, from(c))
}

// from is the origin of a change: its scope, and its page where that is one that a
// model may have to look up.
func from(c *news.Change) string {
	if c.Scope == "" || c.Op == news.Withdrawn || c.Op == news.Edited {
		return ""
	}
	at := inline(string(c.Scope))
	if c.Op == news.Added && c.Statement != "" && ofSubject(c.Page) {
		at = inline(c.Page) + ", " + at
	}
	return " (" + at + ")"
}

// ofSubject says whether a page is about something, as MEMORY.md, the checklist and
// logs are not.
func ofSubject(rel string) bool {
	switch page.DialectOf(rel) {
	case page.Article:
		return rel != ""
	case page.List:
		return rel != page.Memory && rel != page.LocalMemory
	}
	return false
}
