package journal

import (
	"fmt"
	"math"
	"strconv"
	"time"
)

// A Record is what the events say about one statement.
//
// Remembered, reinforced and the first appeared event raise Evidence, are the
// times behind First and Last, and offer their cue. Injected and used events
// count. The first imported event of a statement takes the place of what a sync
// had seen of it, because whoever reported it knew it for longer; else imported
// is reinforced. Confirmed sets Confirmed and Last. Forgotten (or
// purged) and restored switch their flag; what is remembered again is not
// forgotten any more. An aliased event moves the record of From to Statement
// and joins it with what is there: counts add up, the wider span of time and
// the stronger cue win, and Edited is the event's time. One with a cue, an edit of
// ours, is evidence where there is none but that the text came in bulk, and says that
// the new text is not forgotten.
type Record struct {
	First      time.Time // first said or seen; zero when no such event is known
	Last       time.Time // last said, reinforced or confirmed
	Confirmed  time.Time // last confirmed by the user, zero if never
	Edited     time.Time // when its text became this one, or was seen to have become it; zero if it was said so
	Evidence   int
	Injected   int
	Used       int
	Cue        string // the strongest: explicit, structural, behavioral, recurrence, or empty
	Forgotten  bool
	Remembered bool   // we wrote it ourselves at least once
	Bulk       bool   // first seen among too many for a person at work, see pimento.ReasonBulk
	Project    string // the project it was last said in, 16 hex digits, for what is kept outside a project's own root
}

// A key is a statement as the table holds it, padded with zeros.
type key [16]byte

// keyOf is the key of a statement; there is none for one that is empty, longer
// than a key, or holds a zero byte.
func keyOf[T ~string | ~[]byte](s T) (k key, ok bool) {
	if len(s) == 0 || len(s) > len(k) {
		return k, false
	}
	for i := range len(s) {
		if s[i] == 0 {
			return k, false
		}
		k[i] = s[i]
	}
	return k, true
}

// A row is a Record in fixed width. Times are nanoseconds since the epoch.
type row struct {
	first, last, confirmed, edited int64
	evidence, injected, used       uint32
	cue                            uint8
	flags                          uint8
	project                        uint64 // 0 for none
}

const (
	flagForgotten uint8 = 1 << iota
	_                   // once said of a pin, which the page says
	flagRemembered
	flagBulk
)

// noTime stands for the zero time and for times that nanoseconds cannot hold.
const noTime = math.MinInt64

func nanos(t time.Time) int64 {
	if y := t.Year(); y < 1678 || y > 2261 {
		return noTime
	}
	return t.UnixNano()
}

func timeOf(ns int64) time.Time {
	if ns == noTime {
		return time.Time{}
	}
	return time.Unix(0, ns).UTC()
}

func earlier(a, b int64) int64 {
	if a == noTime || b != noTime && b < a {
		return b
	}
	return a
}

// cues lists the cues from the weakest; the index in it is how a row holds one.
// A cue that is not listed is not folded.
func cues() [5]string {
	return [5]string{"", "recurrence", "behavioral", "structural", "explicit"}
}

func cueOf(name []byte) uint8 {
	for i, c := range cues() {
		if c == string(name) {
			return uint8(i)
		}
	}
	return 0
}

func newRow() row { return row{first: noTime, last: noTime, confirmed: noTime, edited: noTime} }

func (r row) record() Record {
	cue := ""
	if all := cues(); int(r.cue) < len(all) {
		cue = all[r.cue]
	}
	return Record{
		First: timeOf(r.first), Last: timeOf(r.last), Confirmed: timeOf(r.confirmed), Edited: timeOf(r.edited),
		Evidence: int(r.evidence), Injected: int(r.injected), Used: int(r.used),
		Cue:       cue,
		Forgotten: r.flags&flagForgotten != 0, Remembered: r.flags&flagRemembered != 0, Bulk: r.flags&flagBulk != 0,
		Project: projectName(r.project),
	}
}

// projectOf reads a project's id of 16 hex digits; any other is no project.
func projectOf(id []byte) uint64 {
	if len(id) != 16 {
		return 0
	}
	n, err := strconv.ParseUint(string(id), 16, 64)
	if err != nil {
		return 0
	}
	return n
}

func projectName(n uint64) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%016x", n)
}

// in places the statement in the project that an event happened in.
func (r *row) in(o op) {
	if o.project != 0 {
		r.project = o.project
	}
}

// said takes up one more piece of evidence.
func (r *row) said(o op) {
	r.evidence++
	r.first = earlier(r.first, o.at)
	r.last = max(r.last, o.at)
	r.cue = max(r.cue, o.cue)
	r.in(o)
}

// apply folds one event in; aliases are the view's business.
func (r *row) apply(o op) {
	switch o.kind {
	case opRemembered:
		r.said(o)
		r.flags = r.flags&^flagForgotten | flagRemembered
	case opReinforced: // who says it again wants it, though it was forgotten once
		r.said(o)
		r.flags &^= flagForgotten
	case opImported:
		if r.flags&flagRemembered == 0 && r.evidence <= 1 {
			r.evidence, r.first, r.last, r.cue = 0, noTime, r.confirmed, 0
		}
		r.said(o)
		r.flags = r.flags&^flagBulk | flagRemembered
	case opAppeared, opAppearedBulk:
		if r.evidence > 0 {
			return
		}
		r.said(o)
		if o.kind == opAppearedBulk {
			r.flags |= flagBulk
		}
	case opEdited: // who edits what nobody was heard to say says it
		if r.evidence == 0 || r.flags&flagBulk != 0 && r.evidence == 1 {
			r.evidence, r.first, r.last = 0, noTime, r.confirmed
			r.said(o)
			r.flags = r.flags&^flagBulk | flagRemembered
		}
		r.flags &^= flagForgotten
	case opHandedOff:
		r.in(o)
	case opInjected:
		r.injected++
	case opUsed:
		r.used++
	case opConfirmed:
		r.confirmed = max(r.confirmed, o.at)
		r.last = max(r.last, o.at)
		r.flags &^= flagForgotten
	case opForgotten:
		r.flags |= flagForgotten
	case opRestored:
		r.flags &^= flagForgotten
	}
}

// join adds the history of a statement that became this one at a time. Whether it is
// forgotten, and whether it came in bulk, is for the older knowledge of the
// statement itself to say, if there is any.
func (r *row) join(from row, known bool, at int64) {
	flags := r.flags | from.flags&flagRemembered
	if !known {
		flags |= from.flags & flagForgotten
	}
	if r.evidence == 0 || from.evidence > 0 && from.first < r.first {
		flags = flags&^flagBulk | from.flags&flagBulk
	}
	r.flags = flags
	r.first = earlier(r.first, from.first)
	r.last = max(r.last, from.last)
	r.confirmed = max(r.confirmed, from.confirmed)
	r.edited = max(r.edited, from.edited, at)
	r.evidence += from.evidence
	r.injected += from.injected
	r.used += from.used
	if r.project == 0 {
		r.project = from.project
	}
	r.cue = max(r.cue, from.cue)
}
