package journal

import (
	"context"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/pimento-memory/pimento"
)

// A Mark is a position between two events. The zero Mark is before the first. A
// mark survives rewrites, because they move nothing. In a journal that was deleted
// and begun anew it stands before the first event, since all events there are
// younger than the mark.
type Mark struct {
	Gen string `json:"gen"` // lineage and number of rewrites when it was taken
	Off int64  `json:"off"`

	// News is where events before the mark begin that Select is to visit again.
	News []int64 `json:"news,omitempty"`
}

// maxNews bounds the events that a mark carries along.
const maxNews = 512

// offset is where the mark stands in a journal whose whole lines end at end.
func (m Mark) offset(gen generation, end int64) int64 {
	if !m.from(gen) || m.Off < 0 {
		return 0
	}
	return min(m.Off, end)
}

// from says whether the mark was taken in the journal of that lineage.
func (m Mark) from(gen generation) bool {
	lineage, _, _ := strings.Cut(m.Gen, ".")
	return lineage == gen.lineage
}

// Mark is the position after the last event.
func (j *Journal) Mark(ctx context.Context) (Mark, error) {
	j.absorb(ctx)
	f, err := j.openEvents()
	if err != nil || f == nil {
		return Mark{}, j.fail("mark", err)
	}
	defer f.Close()
	gen, end, err := extent(f, f.stamp.Size())
	if err != nil {
		return Mark{}, j.fail("mark", err)
	}
	return Mark{Gen: gen.String(), Off: end}, nil
}

// extent is the generation of a file of the given size and the end of its last
// whole line.
func extent(f io.ReaderAt, size int64) (generation, int64, error) {
	gen, err := readGeneration(f)
	if err != nil || gen.lineage == "" {
		return gen, 0, err
	}
	end, err := lastNewline(f, size)
	return gen, end, err
}

// Each calls visit for every event that is of one of the types, of any when there
// are none, in the order in which they were written. The spool is folded in first
// if the lock is free. Lines that are damaged or of a later version are passed over.
func (j *Journal) Each(ctx context.Context, types []pimento.EventType, visit func(pimento.Event)) error {
	_, err := j.Select(ctx, Mark{}, types, visit)
	return err
}

// Select is Each for the events after m, and for those that m carries along. Events
// of other types cost a glance at their line, and that only once: a later call may
// begin at the returned mark, which carries along what was visited.
func (j *Journal) Select(ctx context.Context, m Mark, types []pimento.EventType, visit func(pimento.Event)) (Mark, error) {
	j.absorb(ctx)
	var next Mark
	err := j.scan(m, func(f io.ReaderAt, gen generation, from, to int64) error {
		next = Mark{Gen: gen.String(), Off: from}
		full := false
		take := func(off int64, line []byte) {
			ev, ok := eventAmong(line, types)
			if !ok {
				return
			}
			visit(ev)
			if full = full || len(next.News) == maxNews; !full {
				next.News = append(next.News, off)
			}
		}
		if m.from(gen) {
			for _, off := range m.News {
				if err := lineAt(ctx, f, off, from, take); err != nil {
					return err
				}
			}
		}
		_, err := eachLine(ctx, f, from, to, func(off int64, line []byte) bool {
			take(off, line)
			if !full {
				next.Off = off + int64(len(line)) + 1
			}
			return true
		})
		return err
	})
	return next, j.fail("select", err)
}

// Within is Each for the events between two times; a zero end is no end. It finds
// the first of them by binary search, so events must be nearly in the order of
// their times: if the clock was set back by more than a day, some are missed.
func (j *Journal) Within(ctx context.Context, from, to time.Time, types []pimento.EventType, visit func(pimento.Event)) error {
	j.absorb(ctx)
	err := j.scan(Mark{}, func(f io.ReaderAt, _ generation, low, end int64) error {
		for high := end; high-low > 2*glanceBytes; {
			at, err := lastNewline(f, (low+high)/2)
			if err != nil {
				return err
			}
			if at <= low {
				break // a long line
			}
			early := false
			if err := lineAt(ctx, f, at, end, func(_ int64, line []byte) {
				ev, ok := eventOf(line)
				early = ok && ev.Time.Before(from.Add(-ajar))
			}); err != nil {
				return err
			}
			if early {
				low = at
			} else {
				high = at
			}
		}
		_, err := eachLine(ctx, f, low, end, func(_ int64, line []byte) bool {
			ev, ok := eventAmong(line, types)
			switch {
			case !ok || ev.Time.Before(from):
			case !to.IsZero() && !ev.Time.Before(to):
				return ev.Time.Before(to.Add(ajar))
			default:
				visit(ev)
			}
			return true
		})
		return err
	})
	return j.fail("within", err)
}

// ajar is how far events may be out of order: those of the spool are written later.
const ajar = 24 * time.Hour

// scan calls use with the events and the offsets between which those after m
// lie; not at all for a journal that does not exist.
func (j *Journal) scan(m Mark, use func(f io.ReaderAt, gen generation, from, to int64) error) error {
	f, err := j.openEvents()
	if err != nil || f == nil {
		return err
	}
	defer f.Close()
	gen, end, err := extent(f, f.stamp.Size())
	if err != nil {
		return err
	}
	// A mark inside a line is none of ours; the line is shown.
	from, err := lastNewline(f, m.offset(gen, end))
	if err != nil {
		return err
	}
	return use(f, gen, from, end)
}

// eventOf decodes a line; ok is false for what is no event, or of a later version.
func eventOf(line []byte) (ev pimento.Event, ok bool) {
	if blank(line) || json.Unmarshal(line, &ev) != nil {
		return ev, false
	}
	return ev, ev.V <= pimento.EventVersion && ev.Type != typeGeneration
}

// eventAmong is eventOf for a line that is of one of the types, of any when there are
// none. Others cost a glance.
func eventAmong(line []byte, types []pimento.EventType) (ev pimento.Event, ok bool) {
	wanted := func(typ pimento.EventType) bool { return len(types) == 0 || slices.Contains(types, typ) }
	if typ := glance(line); typ != nil && !wanted(pimento.EventType(typ)) {
		return ev, false
	}
	ev, ok = eventOf(line)
	return ev, ok && wanted(ev.Type)
}

// Records returns what is known of the statements; a statement without a
// record is not in the map.
func (j *Journal) Records(ctx context.Context, sts []pimento.Statement) (map[pimento.Statement]Record, error) {
	sorted := slices.Sorted(slices.Values(sts)) // neighbours share a block
	out := make(map[pimento.Statement]Record, len(sts))
	j.absorb(ctx)
	err := j.withView(ctx, func(v *view, _ io.ReaderAt) error {
		if v == nil {
			return nil
		}
		for _, st := range sorted {
			k, ok := keyOf(st)
			if !ok {
				continue
			}
			r, ok, err := v.row(k)
			if err != nil {
				return err
			}
			if ok {
				out[st] = r.record()
			}
		}
		return nil
	})
	if err != nil {
		return nil, j.fail("records", err)
	}
	return out, nil
}

// Pending returns the plans that were staged and neither committed nor
// rejected, in the order in which they were staged. A plan that cannot be
// decoded is left out.
func (j *Journal) Pending(ctx context.Context) ([]pimento.Plan, error) {
	var plans []pimento.Plan
	j.absorb(ctx)
	err := j.withView(ctx, func(v *view, f io.ReaderAt) error {
		if v == nil {
			return nil
		}
		for _, s := range v.pending {
			_, err := eachLine(ctx, f, s.Off, v.off, func(_ int64, line []byte) bool {
				if p, err := planOf(line); err == nil {
					if p.ID == "" {
						p.ID = s.Txn
					}
					plans = append(plans, p)
				}
				return false
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
	return plans, j.fail("pending", err)
}

// Damaged is the number of lines that are no events, as of the last Records or
// Pending of this Journal.
func (j *Journal) Damaged() int {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.view == nil {
		return 0
	}
	return j.view.damaged
}
