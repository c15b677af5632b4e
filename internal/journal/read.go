package journal

import (
	"context"
	"encoding/json"
	"os"
	"slices"
	"strings"

	"github.com/pimento-memory/pimento"
)

// A Mark is a position between two events. The zero Mark is before the first.
// A mark outlives rewrites, because they move nothing. For a journal that was
// deleted and begun anew it stands before the first event: all of them are
// younger than the mark.
type Mark struct {
	Gen string `json:"gen"` // lineage and number of rewrites when it was taken
	Off int64  `json:"off"`
}

// offset is where the mark stands in a journal whose whole lines end at end.
func (m Mark) offset(gen generation, end int64) int64 {
	lineage, _, _ := strings.Cut(m.Gen, ".")
	if lineage != gen.lineage || m.Off < 0 {
		return 0
	}
	return min(m.Off, end)
}

// Mark is the position after the last event.
func (j *Journal) Mark(ctx context.Context) (Mark, error) {
	j.absorb(ctx)
	f, err := j.openEvents()
	if err != nil || f == nil {
		return Mark{}, j.fail("mark", err)
	}
	defer f.Close()
	gen, end, err := extent(f)
	if err != nil {
		return Mark{}, j.fail("mark", err)
	}
	return Mark{gen.String(), end}, nil
}

// extent is a file's generation and the end of its last whole line.
func extent(f *os.File) (generation, int64, error) {
	gen, err := readGeneration(f)
	if err != nil || gen.lineage == "" {
		return gen, 0, err
	}
	st, err := f.Stat()
	if err != nil {
		return gen, 0, err
	}
	end, err := lastNewline(f, st.Size())
	return gen, end, err
}

// Since calls visit for the events after m in the order in which they were
// written, until visit returns false, and returns the position after the last
// event visited. The spool is folded in first if the lock is free. Lines that
// are damaged or of a later version are passed over.
func (j *Journal) Since(ctx context.Context, m Mark, visit func(pimento.Event) bool) (Mark, error) {
	_, end, err := j.Select(ctx, m, nil, visit)
	return end, err
}

// Select is Since for events of some types only (all, if none is named). The
// others cost a glance at their line each. Besides the position after the last
// event it returns the one before the first event that was visited: a later
// call may begin there.
func (j *Journal) Select(ctx context.Context, m Mark, types []pimento.EventType, visit func(pimento.Event) bool) (first, last Mark, err error) {
	j.absorb(ctx)
	f, err := j.openEvents()
	if err != nil || f == nil {
		return Mark{}, Mark{}, j.fail("since", err)
	}
	defer f.Close()
	gen, end, err := extent(f)
	if err != nil {
		return m, m, j.fail("since", err)
	}
	// A mark inside a line is none of ours; the line is shown.
	from, err := lastNewline(f, m.offset(gen, end))
	if err != nil {
		return m, m, j.fail("since", err)
	}
	news := int64(-1)
	from, err = eachLine(ctx, f, from, end, func(off int64, line []byte) bool {
		if len(types) > 0 {
			if typ := glance(line); typ != nil && !slices.Contains(types, pimento.EventType(typ)) {
				return true
			}
			if f, ok := scanLine(line); !ok || !slices.Contains(types, pimento.EventType(f.typ)) {
				return true
			}
		}
		var ev pimento.Event
		if blank(line) || json.Unmarshal(line, &ev) != nil {
			return true
		}
		if ev.V > pimento.EventVersion || ev.Type == typeGeneration {
			return true
		}
		if news < 0 {
			news = off
		}
		return visit(ev)
	})
	if news < 0 {
		news = from
	}
	return Mark{gen.String(), news}, Mark{gen.String(), from}, j.fail("since", err)
}

// Records returns what is known of the statements; a statement without a
// record is not in the map.
func (j *Journal) Records(ctx context.Context, sts []pimento.Statement) (map[pimento.Statement]Record, error) {
	sorted := slices.Sorted(slices.Values(sts)) // neighbours share a block
	out := make(map[pimento.Statement]Record, len(sts))
	j.absorb(ctx)
	err := j.withView(ctx, func(v *view, _ *os.File) error {
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

// EachRecord calls visit for every statement's record, in the order of the
// statements, until visit returns false.
func (j *Journal) EachRecord(ctx context.Context, visit func(pimento.Statement, Record) bool) error {
	type keyed struct {
		k key
		r row
	}
	var all []keyed
	j.absorb(ctx)
	err := j.withView(ctx, func(v *view, _ *os.File) error {
		if all = all[:0]; v == nil {
			return nil
		}
		return v.each(ctx, func(k key, r row) error {
			all = append(all, keyed{k, r})
			return nil
		})
	})
	if err != nil {
		return j.fail("records", err)
	}
	for _, x := range all { // visit may call the journal
		if !visit(x.k.statement(), x.r.record()) {
			break
		}
	}
	return nil
}

// Pending returns the plans that were staged and neither committed nor
// rejected, in the order in which they were staged. A plan that cannot be
// decoded is left out.
func (j *Journal) Pending(ctx context.Context) ([]pimento.Plan, error) {
	var plans []pimento.Plan
	j.absorb(ctx)
	err := j.withView(ctx, func(v *view, f *os.File) error {
		if v == nil {
			return nil
		}
		for _, s := range v.pending {
			_, err := eachLine(ctx, f, s.Off, v.off, func(_ int64, line []byte) bool {
				if _, p, err := planOf(line); err == nil {
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

// Damaged is the number of lines that are no events, as of the last Records,
// EachRecord or Pending of this Journal.
func (j *Journal) Damaged() int {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.view == nil {
		return 0
	}
	return j.view.damaged
}
