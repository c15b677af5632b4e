package inject

import (
	"fmt"
	"hash/crc32"
	"slices"
	"strconv"
	"strings"

	"github.com/pimento-memory/pimento"
	mdpage "github.com/pimento-memory/pimento/internal/page"
)

const (
	// tracedHits is how many hits get a decision of their own.
	tracedHits = 200
	// misses is how many entries in a row may find no room in any shape before
	// the rest is only counted.
	misses = 3
)

// onlyFull are the shapes of a section that names none.
var onlyFull = []string{"full"}

// Why an entry is not shown.
const (
	notAlive   = "its standing is below the limit"
	tooOld     = "last said too long ago"
	isDone     = "done"
	isReplaced = "another entry says that it replaces it"
	standsHere = "already stands in the block"
	inContext  = "already in the session's context"
	isOutdated = "a later state of it is in front of the model already"
	overMax    = "over the section's maximum"
	overEach   = "over the section's maximum for its kind"
	onlyQuotes = "what it quotes stands elsewhere, if it still holds"
	noRoom     = "no room"
)

// InFront says of a decision that it left an entry out because the model has its text
// in front of it already.
func InFront(d pimento.Decision) bool { return d.Reason == standsHere || d.Reason == inContext }

// fillList lists entries, one line or more each.
func (b *build) fillList(w *filler, sec *pimento.Section, zone pimento.Zone) {
	if sec.Pick == pimento.PickHits {
		b.decideKnown()
	}
	items := b.f.Items[sec.Pick]
	if len(items) == 0 {
		return
	}
	l := b.newListing(w, sec, zone)
	for i := range b.order(sec, items, l) {
		it := &items[i]
		id := string(it.Entry.Statement)
		switch {
		case l.closed != "":
			l.drop(it, l.closed)
		case id != "" && b.shown[id]:
			l.drop(it, standsHere)
		case zone == pimento.Tail && b.f.inContext(it):
			l.drop(it, inContext)
		case sec.Pick == pimento.PickHits && mdpage.IsHandoff(&it.Entry):
			l.drop(it, onlyQuotes)
		case sec.MaxEach > 0 && l.each[it.Entry.Kind] >= sec.MaxEach:
			l.drop(it, overEach)
		case !l.place(it, w.room):
			l.missed(it)
		}
	}
	l.finish()
}

// decideKnown traces the hits that the model has in front of it already, or a later
// state of them.
func (b *build) decideKnown() {
	for _, o := range b.f.Known {
		reason := inContext
		if b.shown[string(o.Statement)] {
			reason = standsHere
		}
		b.decide(string(o.Statement), o.Page, "dropped", reason)
	}
	for _, o := range b.f.Outdated {
		b.decide(string(o.Statement), o.Page, "dropped", isOutdated)
	}
	for _, o := range b.f.Quotes {
		b.decide(string(o.Statement), o.Page, "dropped", onlyQuotes)
	}
}

// A listing is one listing section on its way.
type listing struct {
	b      *build
	w      *filler
	sec    *pimento.Section
	zone   pimento.Zone
	head   string // until the first entry stands
	n      int    // entries that stand
	each   map[pimento.Kind]int
	inRow  int    // misses in a row
	closed string // why nothing more is taken
	seen   int
	counts tallies
	note   size // reserved for the note
	whole  int  // the most tokens of an entry that stands whole, 0 for no bound
}

func (b *build) newListing(w *filler, sec *pimento.Section, zone pimento.Zone) *listing {
	l := &listing{b: b, w: w, sec: sec, zone: zone, head: heading(sec, b.f.Today)}
	if n := len(b.f.Items[sec.Pick]); sec.More != "" || l.tool() != "" {
		l.note = measure(l.moreNote(n))
		if !l.note.within(w.room) {
			l.note = size{}
		}
	}
	l.whole = l.wholeUpTo(b.f.Items[sec.Pick])
	return l
}

// wholeUpTo is how many tokens of an entry stand whole: half of what the section says
// where there is no room for all hits. The part of a long one that bears on the prompt
// nearly always holds what was asked for, and so there is room for others.
func (l *listing) wholeUpTo(items []Item) int {
	if l.sec.Whole == 0 || !slices.Contains(l.sec.Shapes, "excerpt") {
		return 0
	}
	all := l.note
	for i := range items {
		text := items[i].Entry.Text
		if !all.plus(rough(len(text))).within(l.w.room) {
			return l.sec.Whole / 2
		}
		if all = all.plus(measure(text)); !all.within(l.w.room) {
			return l.sec.Whole / 2
		}
	}
	return l.sec.Whole
}

// tool is the tool that shows what a list leaves out; lists that are never
// whole (standing, hits) do not say so.
func (l *listing) tool() string {
	switch l.sec.Pick {
	case pimento.PickTasks:
		return "scratchpad"
	case pimento.PickPointers:
		return "memory_index"
	}
	return ""
}

// moreNote is the line under a list that is not whole: the section's own, or the
// one that names the tool that shows the rest.
func (l *listing) moreNote(n int) string {
	if l.sec.More != "" {
		return strings.ReplaceAll(l.sec.More, "{n}", strconv.Itoa(n)) + "\n"
	}
	return l.b.moreNote(n, l.tool())
}

// place tries the section's shapes, best first. The note's room is kept free,
// and a text that cannot fit in full is not even rendered.
func (l *listing) place(it *Item, room size) bool {
	room = room.minus(l.note)
	shapes := l.sec.Shapes
	if len(shapes) == 0 {
		shapes = onlyFull
	}
	for _, shape := range shapes {
		if shape == "full" && (!rough(len(it.Entry.Text)).within(room) || l.excerpted(it)) || shape == "excerpt" && it.Excerpt == "" {
			continue
		}
		piece := l.lead() + l.render(it, shape)
		if l.w.addWithin(piece, room) {
			l.placed(it, shape)
			return true
		}
	}
	return false
}

// excerpted says whether the part of an entry that bears on the prompt stands for all of
// it: where the section has excerpts, and the entry is longer than what it shows whole.
func (l *listing) excerpted(it *Item) bool {
	return it.Excerpt != "" && l.whole > 0 && (len(it.Entry.Text) > 16*l.whole || tokens(it.Entry.Text) > l.whole)
}

// ExcerptID identifies the part of an entry that was shown. It stands beside the
// entry's id, so that another part may follow in a later turn. It begins with '~',
// as ids of notices do, because it is no statement either.
func ExcerptID(st pimento.Statement, excerpt string) string {
	return fmt.Sprintf("%s%08x", excerptsOf(st), crc32.ChecksumIEEE([]byte(excerpt)))
}

// excerptsOf is how the ids of the excerpts of an entry begin.
func excerptsOf(st pimento.Statement) string { return "~" + string(st) + "@" }

// inContext says whether the session's context holds an entry, or of a long one the
// part that bears on the prompt.
func (f *Facts) inContext(it *Item) bool {
	st := it.Entry.Statement
	if it.Excerpt != "" && f.InContext[ExcerptID(st, it.Excerpt)] {
		return true
	}
	return st != "" && f.InContext[string(st)] && (it.Excerpt == "" || !f.excerpted(st))
}

// excerpted says whether the context holds a part of an entry.
func (f *Facts) excerpted(st pimento.Statement) bool {
	for id := range f.InContext {
		if strings.HasPrefix(id, excerptsOf(st)) {
			return true
		}
	}
	return false
}

// lead is what stands before the next entry.
func (l *listing) lead() string {
	if l.sec.Form == "passages" && l.n > 0 {
		return "\n---\n\n"
	}
	return l.head
}

// placed notes an entry that stands. A pointer says where a text is, and its
// first clause what it is about, so that the text may still come.
func (l *listing) placed(it *Item, shape string) {
	l.head, l.inRow = "", 0
	if l.sec.MaxEach > 0 {
		if l.each == nil {
			l.each = map[pimento.Kind]int{}
		}
		l.each[it.Entry.Kind]++
	}
	if l.n++; l.sec.Max > 0 && l.n >= l.sec.Max {
		l.closed = overMax
	}
	id := string(it.Entry.Statement)
	if id != "" && shape != "pointer" && shape != "structured" {
		l.b.shown[id] = true
		l.w.ids = append(l.w.ids, id)
	}
	if shape == "excerpt" {
		l.w.ids = append(l.w.ids, ExcerptID(it.Entry.Statement, it.Excerpt))
	}
	l.b.decide(id, it.Entry.Page, shape, l.sec.Name+l.why(it))
}

func (l *listing) render(it *Item, shape string) string {
	switch {
	case l.sec.Pick == pimento.PickPointers:
		return topicLine(it)
	case shape == "pointer":
		return pointer(&it.Entry)
	case shape == "structured":
		return structured(&it.Entry, false)
	}
	text, from := it.Entry.Text, ""
	switch shape {
	case "brief":
		text = brief(text)
	case "excerpt":
		text = it.Excerpt
	}
	if !l.sec.Plain {
		from = origin(it, shape == "excerpt")
	}
	if l.sec.Form == "passages" {
		return passage(it, text, from)
	}
	return bullet(markOf(&it.Entry), text, from)
}

// topicLine is one line for a topic page: the entry's text, or its path.
func topicLine(it *Item) string {
	if it.Entry.Text == "" {
		return "- " + inline(it.Entry.Page) + "\n"
	}
	return "- " + inline(brief(it.Entry.Text)) + "\n"
}

// why is what recall says about a hit.
func (l *listing) why(it *Item) string {
	if l.sec.Pick != pimento.PickHits || len(it.Why) == 0 {
		return ""
	}
	var b strings.Builder
	for _, f := range it.Why {
		b.WriteString("; " + f.Factor + " " + strconv.FormatFloat(f.Share, 'f', 2, 64))
	}
	return b.String()
}

func (l *listing) missed(it *Item) {
	l.drop(it, noRoom)
	if l.inRow++; l.inRow >= misses {
		l.closed = noRoom
	}
}

// drop notes that an entry is not shown: hits one by one up to a limit, all
// else as counts.
func (l *listing) drop(it *Item, reason string) {
	l.seen++
	if l.sec.Pick == pimento.PickHits && l.seen <= tracedHits {
		l.b.decide(string(it.Entry.Statement), it.Entry.Page, "dropped", reason)
		return
	}
	l.counts.add(reason, 1)
}

// tallies count candidates that were left out, by the reason, in the order in which
// the reasons came up.
type tallies []tally

type tally struct {
	reason string
	n      int
}

func (t *tallies) add(reason string, n int) {
	if n == 0 {
		return
	}
	for i := range *t {
		if (*t)[i].reason == reason {
			(*t)[i].n += n
			return
		}
	}
	*t = append(*t, tally{reason, n})
}

// finish writes the note and the counts.
func (l *listing) finish() {
	more := 0
	for _, t := range l.counts {
		l.b.count(l.sec.Name, t.reason, t.n)
		if t.reason == noRoom || t.reason == overMax {
			more += t.n
		}
	}
	if more > 0 && l.n > 0 && l.note != (size{}) {
		l.w.add(l.moreNote(more))
	}
}
