package inject

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/text"
)

// fill lays one section into the room that is left of its zone.
func (b *build) fill(sec *pimento.Section, zone pimento.Zone, room size) slot {
	if sec.Pick != pimento.PickPinned { // pins are bound by the zone alone
		room = room.least(roomOf(sec.Budget))
	}
	w := &filler{room: room}
	switch {
	case sec.Raw && sec.Pick == pimento.PickMemory && b.p.Paged:
		b.fillPaged(w, sec)
	case sec.Raw, sec.Pick == pimento.PickRules:
		b.fillTexts(w, sec)
	case sec.Pick == pimento.PickChanged:
		b.fillChanges(w, sec)
	case sec.Pick == pimento.PickPinned:
		b.fillPinned(w, sec, zone)
	default:
		b.fillList(w, sec, zone)
	}
	return slot{sec: sec, text: strings.TrimSuffix(w.b.String(), "\n"), ids: w.ids, size: w.used}
}

// heading fills in the heading of a section that shows no page.
func heading(sec *pimento.Section, date string) string {
	return fillIn(sec.Heading, []placeholder{{"{date}", date}, {"{path}", ""}, {"{scope}", ""}})
}

// headingOf is the heading of a section that names the page it shows.
func (b *build) headingOf(sec *pimento.Section, t *Text) string {
	return fillIn(sec.Heading, []placeholder{{"{date}", t.Date}, {"{path}", t.Page}, {"{scope}", string(t.Scope)}, {"{Scope}", named(t.Scope)},
		{"{file}", b.f.file(t.Scope, t.Page)}})
}

// named is a scope as it stands in a heading.
func named(s pimento.Scope) string {
	scope := string(s)
	return strings.ToUpper(scope[:min(len(scope), 1)]) + scope[min(len(scope), 1):]
}

// leadOf stands before a page below another one of its section: its own heading if each
// has one, else the scope if it is another.
func (b *build) leadOf(sec *pimento.Section, above, t *Text, each bool) string {
	switch {
	case each:
		return "\n" + b.headingOf(sec, t)
	case t.Scope != above.Scope && t.Scope != "":
		return "\n### " + named(t.Scope) + "\n\n"
	}
	return "\n"
}

type placeholder struct{ name, value string }

func fillIn(h string, values []placeholder) string {
	if h == "" {
		return ""
	}
	for at := strings.IndexByte(h, '{'); at >= 0; {
		for _, v := range values {
			if strings.HasPrefix(h[at:], v.name) {
				value := inline(v.value)
				h = h[:at] + value + h[at+len(v.name):]
				at += len(value) - 1 // a value is never looked into
				break
			}
		}
		next := strings.IndexByte(h[at+1:], '{')
		if next < 0 {
			break
		}
		at += 1 + next
	}
	return h + "\n\n"
}

// fillTexts lays the bodies of pages, each under its own heading when the
// heading names the page.
func (b *build) fillTexts(w *filler, sec *pimento.Section) {
	each := strings.Contains(sec.Heading, "{path}") || strings.Contains(strings.ToLower(sec.Heading), "{scope}")
	var texts []*Text
	date := ""
	if sec.Pick == pimento.PickDaily {
		date = b.dayOf(sec)
	}
	for i := range b.f.Texts[sec.Pick] {
		t := &b.f.Texts[sec.Pick][i]
		if ofScopes(sec, t.Scope) && (date == "" || t.Date == date) {
			texts = append(texts, t)
		}
	}
	var above *Text
	for i, t := range texts {
		aside := b.setAside(sec, texts[i:], w.room, each)
		w.room = w.room.minus(aside)
		lead := ""
		if above != nil {
			lead = b.leadOf(sec, above, t, each)
		} else {
			lead = b.headingOf(sec, t)
		}
		t, note := b.capped(sec, t)
		left, ok := b.layBody(w, lead, sec, t)
		switch {
		case note == "":
		case ok:
			left++
			w.add(note)
		case left == 0 && w.add(lead+note): // all that the cap lets in stands elsewhere
			left, ok = 1, true
		}
		w.room = w.room.plus(aside)
		if ok {
			above = t
		}
		switch {
		case ok && left == 0:
			b.decide(sec.Name, t.Page, "full", sec.Name+", whole")
		case ok:
			b.decide(sec.Name, t.Page, "brief", fmt.Sprintf("%s, cut at the %s: %s left out", sec.Name, cutEnd(sec.Trim), text.Plural(left, "line")))
		case left > 0:
			b.decide(sec.Name, t.Page, "dropped", noRoom)
		}
	}
}

// leastShare is what some lines take. Of less a page says nothing.
func leastShare() size { return size{tokens: 40, chars: 160, bytes: 160, lines: 4} }

// setAside is what the pages that come after the first of some keep of the room: all they need, up to
// an even share. So a short page stands whole below a long one. Of many pages the last
// have no share.
func (b *build) setAside(sec *pimento.Section, texts []*Text, room size, each bool) (aside size) {
	later := texts[1:]
	for len(later) > 0 && !leastShare().within(room.share(len(later)+1)) {
		later = later[:len(later)-1]
	}
	for i, t := range later {
		need := measure(b.leadOf(sec, texts[i], t, each))
		t, note := b.capped(sec, t)
		if p, ok := b.bodyOf(sec, t); ok {
			lines, _ := p.forward(room)
			for i := range lines {
				need = need.plus(lines[i].size)
			}
			aside = aside.plus(need.plus(measure(note)).least(room.share(len(later) + 1)))
		}
	}
	return aside
}

// cutEnd says where a text loses lines.
func cutEnd(trim string) string {
	switch trim {
	case "end":
		return "start"
	case "middle":
		return "middle"
	}
	return "end"
}

// dayOf is the day whose log a section shows: its own, or the last before it of which
// there is one.
func (b *build) dayOf(sec *pimento.Section) string {
	day, first := dayBefore(b.f.Today, sec.Days), dayBefore(b.f.Today, sec.Days+sec.Back)
	last := ""
	for _, t := range b.f.Texts[sec.Pick] {
		if first <= t.Date && t.Date <= day && ofScopes(sec, t.Scope) {
			last = max(last, t.Date)
		}
	}
	return cmp.Or(last, day)
}

// dayBefore is the calendar day n days before today, "?" if today is no date.
func dayBefore(today string, n int) string {
	t, err := time.Parse(time.DateOnly, today)
	if err != nil {
		return "?"
	}
	return t.AddDate(0, 0, -n).Format(time.DateOnly)
}

// claim notes which statements of a text now stand in the block: those within
// [from, to) of its body.
func (b *build) claim(w *filler, t *Text, from, to int, whole bool) {
	spans := len(t.Spans) == len(t.IDs)
	if !whole && !spans {
		return
	}
	for i, id := range t.IDs {
		if id == "" || b.shown[id] {
			continue
		}
		if !whole {
			s := t.Spans[i]
			end := s.Start + len(strings.TrimRight(t.Body[s.Start:s.End], " \t\r\n"))
			if s.Start < from || end > to {
				continue
			}
		}
		b.shown[id] = true
		w.ids = append(w.ids, id)
	}
}

// cutNote is the line that stands where a text was cut.
func (b *build) cutNote(t *Text, lines int) string {
	s := "[... "
	if t.Cut {
		s += "over "
	}
	s += text.Plural(lines, "line") + " more"
	if t.Page != "" {
		s += " in " + inline(t.Page)
	}
	if t.Scope != "" { // what lies in no root no tool of ours shows
		s += b.by("memory_read", "memory_index")
	}
	return s + "]\n"
}

// moreNote is the line under a list that is not whole.
func (b *build) moreNote(n int, tool string) string {
	return fmt.Sprintf("[... %d more%s]\n", n, b.by(tool))
}

// by names the tool that shows the rest, the first of those that the profile
// has.
func (b *build) by(tools ...string) string {
	for _, tool := range tools {
		if slices.Contains(b.p.Tools, tool) {
			return "; " + tool + " shows them"
		}
	}
	return ""
}
