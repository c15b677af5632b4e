package news

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/index"
	"github.com/pimento-memory/pimento/internal/text"
)

// A Differ turns changed pages of one root into the events of one sync: what
// appeared, vanished, was edited, ticked or opened again by somebody else's hand.
// The same two versions of a page give events with the same ids, whoever compares
// them.
type Differ struct {
	Key     string // of the root
	Scope   pimento.Scope
	Project string // whose root it is, "" for the global one
	Now     time.Time
	Silent  bool // the first sync of a root: nothing is news

	appeared int
	events   []pimento.Event           // not told yet, see News
	reads    map[string]pimento.Digest // what the pages of these events read as
	told     []pimento.Event
	flood    bool // one line was told for many entries
}

// BulkOver is the number of entries that may appear in one sync before it counts
// as a clone or an import, whose entries get no grace of the new.
const BulkOver = 20

// maxEvents bounds the events of one sync; beyond it one says how many entries
// changed.
const maxEvents = 1000

// eventText is the most of an entry's text that an event keeps, in bytes.
const eventText = 400

// Page compares a page's old docs with its new ones; entries are the new
// docs' entries, nil when the page is gone.
func (d *Differ) Page(rel string, old, next index.Page, entries []pimento.Entry) {
	if d.Silent {
		return
	}
	next.Docs = slices.DeleteFunc(slices.Clone(next.Docs), func(x index.Doc) bool { return x.Flags&index.More != 0 })
	salt := d.Key + "|" + rel + "|" + string(old.Digest) + "|" + string(next.Digest) + "|" +
		strconv.FormatInt(next.Stamp.Mtime, 36)
	emit := func(typ pimento.EventType, st pimento.Statement, n int, from pimento.Statement, txt string) {
		sum := sha256.Sum256([]byte(salt + "|" + string(typ) + "|" + string(st) + "|" + strconv.Itoa(n) + "|" + string(from)))
		d.events = append(d.events, pimento.Event{
			V: pimento.EventVersion, ID: "s" + hex.EncodeToString(sum[:8]), Time: d.Now, Type: typ,
			Scope: d.Scope, Page: rel, Statement: st, N: n, From: from,
			Text: text.ClipBytes(txt, eventText), Actor: "sync", Project: d.Project,
		})
	}
	was, is := map[docKey]index.Doc{}, map[docKey]index.Doc{}
	for _, x := range old.Docs {
		was[docKey{x.Statement, x.N}] = x
	}
	for _, x := range next.Docs {
		is[docKey{x.Statement, x.N}] = x
	}
	edited := pairEdits(old.Docs, next.Docs, was, is)
	for i, x := range next.Docs {
		k := docKey{x.Statement, x.N}
		if from, ok := edited[k]; ok {
			emit(pimento.Aliased, x.Statement, x.N, from, entries[i].Text)
			continue
		}
		o, ok := was[k]
		if !ok {
			d.appeared++
			emit(pimento.Appeared, x.Statement, x.N, "", entries[i].Text)
			continue
		}
		switch done := x.Flags&index.Done != 0; {
		case done == (o.Flags&index.Done != 0):
		case done:
			emit(pimento.Completed, x.Statement, x.N, "", entries[i].Text)
		default:
			emit(pimento.Reopened, x.Statement, x.N, "", entries[i].Text)
		}
	}
	if d.reads == nil {
		d.reads = map[string]pimento.Digest{}
	}
	d.reads[rel] = next.Digest
	sources := map[pimento.Statement]bool{}
	for _, from := range edited {
		sources[from] = true
	}
	for _, x := range old.Docs {
		if _, ok := is[docKey{x.Statement, x.N}]; !ok && !sources[x.Statement] {
			emit(pimento.Vanished, x.Statement, x.N, "", "")
		}
	}
}

type docKey struct {
	st pimento.Statement
	n  int
}

// pairEdits finds hand edits: between two entries that stayed, as many
// vanished as appeared. The first that vanished there became the first that
// appeared, and so on, unless they have nothing in common: two branches end a page
// with notes of their own. The result maps the new entry to the old statement.
func pairEdits(old, next []index.Doc, was, is map[docKey]index.Doc) map[docKey]pimento.Statement {
	gap := func(docs []index.Doc, stays map[docKey]index.Doc) map[docKey][]docKey {
		out, anchor := map[docKey][]docKey{}, docKey{}
		for _, x := range docs {
			k := docKey{x.Statement, x.N}
			if _, ok := stays[k]; ok {
				anchor = k
				continue
			}
			out[anchor] = append(out[anchor], k)
		}
		return out
	}
	edited := map[docKey]pimento.Statement{}
	came := gap(next, was)
	for anchor, lost := range gap(old, is) {
		if got := came[anchor]; len(got) == len(lost) {
			for i := range got {
				if one := len(old) == 1 && len(next) == 1; one || !strangers(was[lost[i]], is[got[i]]) {
					edited[got[i]] = lost[i].st
				}
			}
		}
	}
	return edited
}

// strangers says that of two entries that are long enough to tell less than a
// quarter of the words that stand side by side in the one do so in the other.
func strangers(a, b index.Doc) bool {
	count := func(x, y [2]uint64) int { return bits.OnesCount64(x[0]&y[0]) + bits.OnesCount64(x[1]&y[1]) }
	least := min(count(a.Beside, a.Beside), count(b.Beside, b.Beside))
	return least >= enoughToTell && 4*count(a.Beside, b.Beside) < least
}

const enoughToTell = 4 // an edit of one word parts two pairs

// Waits says whether there is anything to tell.
func (d *Differ) Waits() bool { return len(d.events) > 0 }

// Except takes out what plans under way do to pages that read as these leave them: no
// other hand did that, and the plans' own events tell it when they end.
func (d *Differ) Except(plans []pimento.Plan) {
	ours := map[pimento.Occurrence]bool{}
	for _, p := range plans {
		for _, c := range p.Changes {
			if reads, ok := d.reads[c.Page]; !ok || p.Root != d.Key || reads != c.After {
				continue
			}
			for _, ev := range p.Events {
				if ev.Page == c.Page {
					ours[pimento.Occurrence{Page: ev.Page, Statement: ev.Statement}] = true
				}
			}
		}
	}
	d.events = slices.DeleteFunc(d.events, func(ev pimento.Event) bool {
		mine := ours[pimento.Occurrence{Page: ev.Page, Statement: ev.Statement}]
		if mine && ev.Type == pimento.Appeared {
			d.appeared--
		}
		return mine
	})
}

// News returns the events since the last call. left is how many pages that the
// index does not know are still to be read; each counts as an entry at least.
// Many entries at once are an import or a checkout and are marked so. Of too many
// events those that appeared are told as one, because what was changed or taken
// away may stand in front of a model.
func (d *Differ) News(left int) []pimento.Event {
	evs := d.events
	d.events = nil
	if d.appeared+left > BulkOver {
		for i := range evs {
			if evs[i].Type == pimento.Appeared {
				evs[i].Reason = pimento.ReasonBulk
			}
		}
	}
	if total := len(d.told) + len(evs) + left; len(evs) > 0 && (d.flood || total > maxEvents) {
		evs = d.flooded(evs, total, left > 0)
	}
	d.told = append(d.told, evs...)
	return evs
}

// Told are the events of all calls of News.
func (d *Differ) Told() []pimento.Event { return d.told }

// flooded puts one line, told once, in the place of the entries that appeared.
func (d *Differ) flooded(evs []pimento.Event, total int, more bool) (out []pimento.Event) {
	if !d.flood {
		line := evs[0]
		line.ID, line.Type, line.Statement, line.From = line.ID+"+", pimento.Appeared, "", ""
		line.Text = fmt.Sprintf("%d entries changed at once; search for what you need", total)
		if more {
			line.Text = "at least " + line.Text
		}
		d.flood, out = true, append(out, line)
	}
	for _, ev := range evs {
		if ev.Type != pimento.Appeared && len(d.told)+len(out) <= maxEvents {
			out = append(out, ev)
		}
	}
	return out
}
