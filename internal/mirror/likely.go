package mirror

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/index"
	"github.com/pimento-memory/pimento/internal/regular"
	"github.com/pimento-memory/pimento/internal/vault"
)

const (
	// newestFirst is how many pages are looked at before all others where there may be
	// no time for these: those changed last, which are likely to be changed again.
	newestFirst = 256
	// listedInAHurry is how many pages a changed directory may hold to be listed then.
	// Of a larger one the pages that are known have their turn as all others do.
	listedInAHurry = 10_000
)

// stopFile holds where the last look at a root stopped that there was no time to end.
// It does not lie in the index, whose age is that of its files.
func (m *Mirror) stopFile() string {
	return filepath.Join(m.opt.Cache, "looks", m.opt.Root.Key())
}

// stoppedAt is the page where the last look stopped; ok is false when it ended.
func (m *Mirror) stoppedAt() (rel string, ok bool) {
	b, err := regular.Read(m.stopFile())
	return string(b), err == nil
}

// stopAt notes where a look stopped; a note that fails is made by the next look.
func (m *Mirror) stopAt(rel string) {
	name := m.stopFile()
	if os.WriteFile(name, []byte(rel), 0o600) != nil && os.MkdirAll(filepath.Dir(name), 0o700) == nil { // half a name is as good a place to begin
		_ = os.WriteFile(name, []byte(rel), 0o600)
	}
}

// ended notes that there is time for a look at all files, after all.
func (m *Mirror) ended() { _ = os.Remove(m.stopFile()) }

// A likely is a look at a root of which the last one found more files than there
// was time for. It begins with those that are likeliest to be new.
type likely struct {
	finding
	look     *vault.Probe
	complete bool
	sealed   bool                // an encrypted page lies in a directory that has not changed
	dirs     map[string]bool     // that the index knows
	stirred  []stirredDir        // of them, those that have changed
	holds    map[string]int      // how many known pages they hold
	seen     map[string]struct{} // of the pages, those that are in dirty
	newest   []index.Page
	least    int64 // the mtime that a page must exceed to be among the newest, once there are so many
	lacking  bool  // something is not as the index says, and what there is else only a list can tell
}

type stirredDir struct {
	rel   string
	mtime int64
}

// lookFirst is compare in the order of what is likeliest to be new: the pages that were
// changed last, the directories that have changed, then all others from a page on.
func (m *Mirror) lookFirst(ctx context.Context, idx index.Index, from string) (finding, error) {
	look, err := m.opt.Root.Probe()
	if err != nil {
		return m.list(ctx, idx)
	}
	defer look.Close()
	h := &likely{finding: finding{at: from}, look: look, dirs: map[string]bool{}, holds: map[string]int{}, seen: map[string]struct{}{}}
	if err := h.survey(ctx, m, idx); err != nil {
		return h.finding, err
	}
	if !h.complete || len(h.dirs) == 0 {
		return m.list(ctx, idx)
	}
	for _, p := range h.newest {
		if ctx.Err() != nil {
			return h.finding, errLate
		}
		h.page(p)
	}
	if err := h.changedDirs(ctx, m, idx); err != nil {
		return h.finding, err
	}
	for _, first := range []bool{true, false} {
		if err := h.rest(ctx, m, idx, from, first); err != nil {
			return h.finding, err
		}
	}
	if !h.lacking {
		return h.finding, nil
	}
	n, err := m.list(ctx, idx)
	if errors.Is(err, errLate) {
		for _, p := range n.dirty {
			h.found(p)
		}
		n = h.finding
	}
	return n, err
}

// survey asks the index for its directories, and looks at them, and for the newest of
// its pages.
func (h *likely) survey(ctx context.Context, m *Mirror, idx index.Index) error {
	err := m.eachIndexed(ctx, idx, func(p index.Page) bool {
		rel, sealed, isDir := cutDirMark(p.Path)
		switch {
		case isDir:
			h.dirs[rel] = true
			now, there := h.look.Dir(rel)
			switch {
			case !there:
				h.lacking = true
			case fresh(p, now):
				h.sealed = h.sealed || sealed
			default:
				h.lacking = true
				h.stirred = append(h.stirred, stirredDir{rel, now.Mtime})
			}
		case p.Path == completeMark:
			h.complete = true
		case isMark(p.Path):
		default:
			h.among(p)
		}
		return ctx.Err() == nil
	})
	if err == nil && ctx.Err() != nil {
		return errLate
	}
	h.newest = h.newest[:h.keep()]
	h.plain = err == nil && !h.sealed && !h.lacking
	return err
}

// among takes a page that may be one of the newest.
func (h *likely) among(p index.Page) {
	if len(h.stirred) > 0 {
		h.holds[dirOf(p.Path)]++
	}
	if p.Stamp.Mtime <= h.least {
		return
	}
	if h.newest = append(h.newest, p); len(h.newest) >= 2*newestFirst {
		h.newest = h.newest[:h.keep()]
		h.least = h.newest[len(h.newest)-1].Stamp.Mtime
	}
}

// keep puts the newest pages first, and says how many of them count.
func (h *likely) keep() int {
	slices.SortFunc(h.newest, func(a, b index.Page) int {
		return cmp.Or(cmp.Compare(b.Stamp.Mtime, a.Stamp.Mtime), cmp.Compare(a.Path, b.Path))
	})
	return min(len(h.newest), newestFirst)
}

// dirOf is the directory of a page, "" for the root.
func dirOf(rel string) string { return rel[:max(0, strings.LastIndexByte(rel, '/'))] }

// page looks at a page that the index knows.
func (h *likely) page(p index.Page) {
	switch now, there := h.look.Page(p.Path); {
	case !there:
		h.lacking = true
	case !fresh(p, now):
		h.found(dirtyPage{p.Path, now, true})
	}
}

// found takes a page that is new or was changed, once.
func (h *likely) found(p dirtyPage) {
	if _, ok := h.seen[p.rel]; !ok {
		h.seen[p.rel] = struct{}{}
		h.dirty = append(h.dirty, p)
	}
}

// changedDirs lists the directories that have changed, the last one first, and what
// is below them that the index does not know.
func (h *likely) changedDirs(ctx context.Context, m *Mirror, idx index.Index) error {
	slices.SortFunc(h.stirred, func(a, b stirredDir) int {
		return cmp.Or(cmp.Compare(b.mtime, a.mtime), cmp.Compare(a.rel, b.rel))
	})
	var failed error
	plain := !h.sealed
	for _, dir := range h.stirred {
		if h.holds[dir.rel] > listedInAHurry {
			plain = false
			continue
		}
		// What cannot be listed the list of all files meets again, and reports.
		err := m.opt.Root.SweepDir(ctx, dir.rel, func(rel string, now pimento.Stamp) {
			p, known, err := idx.Page(context.WithoutCancel(ctx), rel)
			if failed = errors.Join(failed, err); err == nil && (!known || !fresh(p, now)) {
				h.found(dirtyPage{rel, now, known})
			}
		}, func(_ string, _ pimento.Stamp, sealed bool) { plain = plain && !sealed }, func(rel string) bool { return !h.dirs[rel] })
		if ctx.Err() != nil {
			return errLate
		}
		plain = plain && err == nil
	}
	h.plain = plain
	return failed
}

// rest looks at the pages after the one where the last look stopped or, last, at those
// up to it.
func (h *likely) rest(ctx context.Context, m *Mirror, idx index.Index, from string, after bool) error {
	err := m.eachIndexed(ctx, idx, func(p index.Page) bool {
		switch {
		case isMark(p.Path) || p.Path <= from == after:
			return true
		case ctx.Err() != nil:
			return false
		}
		h.at = p.Path
		h.page(p)
		return true
	})
	if err == nil && ctx.Err() != nil {
		return errLate
	}
	return err
}
