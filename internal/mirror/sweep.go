package mirror

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/index"
	"github.com/pimento-memory/pimento/internal/index/segment"
	"github.com/pimento-memory/pimento/internal/vault"
)

// Pages of the index that no root has. They sort before every real page.
const (
	// completeMark is there once every page was indexed: until then, and in an
	// index that was made anew, nothing that a sync finds is news. It goes where
	// another version of the program has seen, and told, what this one has not.
	completeMark = "\x00complete"

	// dirMark and a directory's path hold the directory's stamp, taken before it
	// was listed. There is one for every directory, or none: they are stored when
	// all that a sweep has found is in the index.
	dirMark = "\x00dir/"

	// plainMark stands in the place of dirMark where no encrypted page lies in the
	// directory.
	plainMark = "\x00plain/"

	// newsMark holds the moment, as Synced, when entries were last taken in.
	newsMark = "\x00news"
)

func isMark(path string) bool { return path != "" && path[0] == 0 }

// EachPage calls yield for the real pages of an index.
func EachPage(ctx context.Context, idx index.Index, yield func(index.Page) bool) error {
	return idx.Pages(ctx, func(p index.Page) bool { return isMark(p.Path) || yield(p) })
}

// PagePaths are the paths of an index's real pages that pass keep, in order.
func PagePaths(ctx context.Context, idx index.Index, keep func(rel string) bool) (rels []string, err error) {
	err = EachPage(ctx, idx, func(p index.Page) bool {
		if keep == nil || keep(p.Path) {
			rels = append(rels, p.Path)
		}
		return true
	})
	return rels, err
}

// outrun says whether the index of another version knows more than ours.
func (m *Mirror) outrun() bool { return segment.Outrun(m.indexDir(), m.opt.Clock()) }

// complete says whether an index has once held every page of its root.
func complete(ctx context.Context, idx index.Index) bool {
	_, ok, err := idx.Page(ctx, completeMark)
	return ok && err == nil
}

// A finding is what a look at a root found to be other than the index says.
type finding struct {
	dirty []dirtyPage
	gone  []string     // indexed, and not there any more
	dirs  []index.Page // marks to store once all of it is taken over
	first bool         // the index never held all of the root
	plain bool         // no encrypted page is below the root

	partial bool   // there was no time for the rest, of which nothing is known
	hurried bool   // there was none the last time
	at      string // the last page looked at, as far as they have an order

	faults []pimento.Fault // directories that could not be listed, pages that could not be looked at; what the index knows of them stays
}

// A dirtyPage is a file whose stamp is not what the index has.
type dirtyPage struct {
	rel   string
	stamp pimento.Stamp
	known bool // to the index
}

func (n *finding) none() bool {
	return len(n.dirty) == 0 && len(n.gone) == 0 && len(n.dirs) == 0 && !n.first
}

// sweep compares the files with the index, for as long as look allows, and takes over
// what changed.
func (m *Mirror) sweep(ctx, look context.Context, idx index.Index, oc Occasion, s *Synced) error {
	n, err := m.compare(look, idx)
	if errors.Is(err, errLate) {
		n.partial, s.Unseen, err = true, true, nil
	} else if n.hurried && err == nil && !oc.Idle {
		m.ended()
	}
	s.Plain = err == nil && n.plain
	s.Faults = append(s.Faults, n.faults...)
	if err == nil && !n.none() {
		err = m.takeOver(ctx, idx, n, oc, s)
	}
	s.Behind = s.Behind || s.Unseen
	return err
}

// errLate says that there was no time to look at all files. What was found until then
// is new; of the others nothing is known.
var errLate = errors.New("no time to look at all files")

// leastLook is how long a root is looked at in any case, as far as there is so much
// time; where there is none, a tenth of it: an index that never comes up to its files
// is worse than an answer that is late by as much.
const leastLook = 50 * time.Millisecond

// LookFor is the time in which a root is looked at: half of what there is where somebody
// waits, so that what the index knows can be told.
func LookFor(ctx context.Context, oc Occasion) (context.Context, context.CancelFunc) {
	end, limited := ctx.Deadline()
	if !limited {
		return context.WithoutCancel(ctx), func() {}
	}
	left := time.Until(end)
	if !oc.Idle {
		left = max(left/2, min(left, leastLook))
	}
	return context.WithTimeout(context.WithoutCancel(ctx), max(left, leastLook/10))
}

// compare looks for what is new: first at what the index knows, which is enough when no
// directory has changed, else at everything. With errLate it has found a part of it;
// the next look that has not all the time begins where that one ended.
func (m *Mirror) compare(ctx context.Context, idx index.Index) (n finding, err error) {
	_, limited := ctx.Deadline()
	from, was := "", false
	if limited && m.opt.Scope != pimento.Local {
		from, was = m.stoppedAt()
	}
	if was {
		n, err = m.lookFirst(ctx, idx, from)
		n.hurried = true
	} else {
		n, err = m.compareAll(ctx, idx)
	}
	if errors.Is(err, errLate) {
		m.stopAt(n.at)
	}
	return n, err
}

// compareAll is compare in the order of the index, or of the directories.
func (m *Mirror) compareAll(ctx context.Context, idx index.Index) (finding, error) {
	if m.opt.Scope != pimento.Local {
		if n, ok, err := m.probe(ctx, idx); ok || err != nil {
			return n, err
		}
	}
	return m.list(ctx, idx)
}

// fresh says whether a stamp proves that nothing has changed since an indexed
// page was read.
func fresh(p index.Page, now pimento.Stamp) bool {
	return p.Stamp == now && max(now.Mtime, now.Ctime)+int64(racy) < p.Synced
}

// probe stats every page and directory of the index. ok is false when that
// cannot tell: a directory has changed, or is not known.
func (m *Mirror) probe(ctx context.Context, idx index.Index) (n finding, ok bool, err error) {
	look, err := m.opt.Root.Probe()
	if err != nil {
		return n, false, nil // the listing meets the same error and reports it
	}
	defer look.Close()
	marks := 0
	n.plain = true
	err = m.eachIndexed(ctx, idx, func(p index.Page) bool {
		if ok = ctx.Err() == nil; !ok {
			return false
		}
		if rel, holdsSealed, isDir := cutDirMark(p.Path); isDir {
			marks++
			n.plain = n.plain && !holdsSealed
			now, there := look.Dir(rel)
			ok = there && fresh(p, now)
			return ok
		}
		switch p.Path {
		case completeMark:
			marks++
			return true
		case newsMark:
			return true
		}
		if marks < 2 { // neither complete nor a directory
			ok = false
			return false
		}
		n.at = p.Path
		now, there := look.Page(p.Path)
		if ok = there; ok && !fresh(p, now) {
			n.dirty = append(n.dirty, dirtyPage{p.Path, now, true})
		}
		return ok
	})
	if ctx.Err() != nil && err == nil {
		n.plain = n.plain && n.at != "" // it has seen all directories
		return n, false, errLate
	}
	return n, ok && marks >= 2, err
}

// cutDirMark is the directory that a mark is for, and whether an encrypted page may
// lie in it.
func cutDirMark(path string) (rel string, sealed, ok bool) {
	if rel, ok = strings.CutPrefix(path, dirMark); ok {
		return rel, true, true
	}
	rel, ok = strings.CutPrefix(path, plainMark)
	return rel, false, ok
}

// eachIndexed calls yield for all that an index lists. An index that cannot
// list is lost, and dropped.
func (m *Mirror) eachIndexed(ctx context.Context, idx index.Index, yield func(index.Page) bool) error {
	if err := idx.Pages(context.WithoutCancel(ctx), yield); err != nil { // a list that is cut short by the time would look like one that is lost
		m.Drop()
		return fmt.Errorf("%w: %w", errIndexLost, err)
	}
	return nil
}

// list compares every file and directory below the root with the index.
func (m *Mirror) list(ctx context.Context, idx index.Index) (finding, error) {
	type state struct {
		page index.Page
		seen bool
	}
	var states []state
	known := map[string]int{} // to states
	n := finding{first: true, plain: true}
	err := m.eachIndexed(ctx, idx, func(p index.Page) bool {
		switch p.Path {
		case completeMark:
			n.first = false
			return true
		case newsMark:
			return true
		}
		if ctx.Err() != nil {
			return false
		}
		known[p.Path] = len(states)
		states = append(states, state{page: p})
		return true
	})
	if err != nil {
		return n, err
	}
	if ctx.Err() != nil { // it may not know all of the index
		return finding{}, errLate
	}
	// changed says whether a path is not as the index has it.
	changed := func(path string, now pimento.Stamp) (isKnown, isChanged bool) {
		i, ok := known[path]
		if !ok {
			return false, true
		}
		states[i].seen = true
		return true, !fresh(states[i].page, now)
	}
	start := m.nanos()
	skipped, err := m.opt.Root.Sweep(ctx, func(rel string, now pimento.Stamp) {
		if isKnown, isChanged := changed(rel, now); isChanged {
			n.dirty = append(n.dirty, dirtyPage{rel, now, isKnown})
		}
	}, func(rel string, now pimento.Stamp, sealed bool) {
		mark := plainMark + rel
		if sealed {
			mark, n.plain = dirMark+rel, false
		}
		if _, isChanged := changed(mark, now); isChanged && m.opt.Scope != pimento.Local {
			n.dirs = append(n.dirs, index.Page{Path: mark, Stamp: now, Synced: start})
		}
	})
	if ctx.Err() != nil {
		return finding{dirty: n.dirty, first: n.first}, errLate
	}
	if err != nil {
		return n, err
	}
	unread := n.unread(skipped)
	for i := range states {
		if !states[i].seen && !unread(states[i].page.Path) {
			n.gone = append(n.gone, states[i].page.Path)
		}
	}
	return n, nil
}

// unread notes the directories that could not be listed and the pages that could not
// be looked at, and says whether a page or mark of the index is of one of them.
func (n *finding) unread(skipped []vault.Skip) func(path string) bool {
	var unread []string
	for _, s := range skipped {
		if s.Unread {
			unread = append(unread, s.Rel)
			n.faults = append(n.faults, pimento.Fault{Kind: "vault", Detail: s.Rel + " cannot be read: " + s.Why})
		}
	}
	return func(path string) bool {
		dir, _, isDir := cutDirMark(path) // its own mark the sweep has told anew
		if isDir {
			path = dir
		}
		return slices.ContainsFunc(unread, func(rel string) bool { return path == rel && !isDir || strings.HasPrefix(path, rel+"/") })
	}
}
