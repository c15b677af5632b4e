package segment

import (
	"context"
	"errors"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/index"
)

// patience is how long a writer waits for another one.
const patience = 20 * time.Millisecond

// Apply implements [index.Index]. A small change is appended to the delta; a
// large one becomes a segment at once. A damaged index is thrown away, so that
// afterwards it holds this change and nothing else, see [Index.Rebuilt].
func (x *Index) Apply(ctx context.Context, put []index.Page, remove []string) error {
	const op = "index.apply"
	if err := ctx.Err(); err != nil {
		return fault(op, x.dir, pimento.KindUnavailable, err)
	}
	put, remove = tidy(put, remove)
	if err := check(put); err != nil {
		return fault(op, x.dir, pimento.KindUsage, err)
	}
	x.change.Lock()
	defer x.change.Unlock()
	if x.isClosed() {
		return fault(op, x.dir, pimento.KindInternal, os.ErrClosed)
	}
	if len(put)+len(remove) == 0 && x.local.empty() {
		return nil
	}
	err := x.attempt(func() error { return x.store(ctx, put, remove) })
	if err == nil {
		return nil
	}
	if err2 := x.attempt(func() error { x.keep(put, remove); x.publish(); return nil }); err2 != nil {
		return fault(op, x.dir, pimento.KindInternal, err2)
	}
	return fault(op, x.dir, pimento.KindUnavailable, err)
}

// attempt runs f; when the index turns out to be damaged, f has a second try on
// an empty one.
func (x *Index) attempt(f func() error) (err error) {
	for range 2 {
		if e := guarded(func() { err = f() }); e != nil {
			err = e
		}
		if _, damaged := errors.AsType[damage](err); !damaged {
			return err
		}
		x.restart(err)
	}
	return err
}

// tidy sorts put by path, the last of equal paths winning, and takes from
// remove what is put. The slices given are not changed.
func tidy(put []index.Page, remove []string) ([]index.Page, []string) {
	byPath := func(a, b index.Page) int { return strings.Compare(a.Path, b.Path) }
	all := slices.Clone(put)
	slices.SortStableFunc(all, byPath)
	n := 0
	for i := range all {
		if i+1 < len(all) && all[i+1].Path == all[i].Path {
			continue
		}
		all[n] = all[i]
		n++
	}
	all = slices.Clip(all[:n]) // who appends must not write into it
	var gone []string
	for _, path := range remove {
		if _, found := slices.BinarySearchFunc(all, path, func(p index.Page, s string) int { return strings.Compare(p.Path, s) }); !found {
			gone = append(gone, path)
		}
	}
	slices.Sort(gone)
	return all, slices.Compact(gone)
}

// acquireLock makes this process the writer.
func (x *Index) acquireLock(ctx context.Context) error {
	if err := os.MkdirAll(x.dir, 0o700); err != nil {
		return err
	}
	if ok, err := x.lock.TryLock(); ok || err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if ok, err := x.lock.TryLockContext(ctx, time.Millisecond); !ok {
		return errors.Join(errors.New("another process is writing the index"), err)
	}
	return nil
}

// store writes the change, and with it what could not be stored before.
func (x *Index) store(ctx context.Context, put []index.Page, remove []string) error {
	if err := x.acquireLock(ctx); err != nil {
		return err
	}
	defer x.lock.Unlock()
	if _, err := x.reload(); err != nil {
		return err
	}
	c := x.changeset(put, remove)
	stored, err := x.storeSmall(c)
	if err == nil && !stored {
		err = x.flush(c, len(c.layers) > 0 || docsOf(c.put) >= x.opt.MergeDocs/2)
	}
	if err != nil {
		return err
	}
	x.local = &local{}
	x.publish()
	return nil
}

// A changeset is what has to be stored: pages by path, removed paths, and large
// changes that could not be stored before. No path is in it twice.
type changeset struct {
	put    []index.Page
	remove []string
	layers []layer
}

// changeset adds to a change what only this process knows.
func (x *Index) changeset(put []index.Page, remove []string) changeset {
	lo := x.local.without(put, remove)
	for _, p := range lo.put {
		put = append(put, *p)
	}
	remove = slices.AppendSeq(slices.Clone(remove), maps.Keys(lo.removed))
	slices.SortFunc(put, func(a, b index.Page) int { return strings.Compare(a.Path, b.Path) })
	return changeset{put, remove, lo.layers}
}

// without is a copy that knows nothing of some pages.
func (lo *local) without(put []index.Page, remove []string) *local {
	paths := slices.Clone(remove)
	for i := range put {
		paths = append(paths, put[i].Path)
	}
	out := &local{layers: slices.Clone(lo.layers), put: maps.Clone(lo.put), removed: maps.Clone(lo.removed)}
	out.forget(paths)
	return out
}

func docsOf(pages []index.Page) (n int) {
	for i := range pages {
		n += len(pages[i].Docs)
	}
	return n
}

// storeSmall appends a change to the delta, if it fits there.
func (x *Index) storeSmall(c changeset) (stored bool, err error) {
	b := x.base
	if b.cur == nil || b.closed || len(c.layers) > 0 || b.docs+docsOf(c.put) > x.opt.DeltaDocs ||
		len(c.put)+len(c.remove)+len(b.recent) > x.opt.DeltaDocs {
		return false, nil
	}
	layers := slices.Clone(b.layers)
	var records []byte
	for i := range c.put {
		p := &c.put[i]
		records = appendRecord(records, p.Path, p, bury(layers, []string{p.Path}))
	}
	for _, path := range c.remove {
		graves := bury(layers, []string{path})
		if _, ok := b.recent[path]; ok || len(graves) > 0 {
			records = appendRecord(records, path, nil, graves)
		}
	}
	if int(b.end)+len(records) > x.opt.DeltaBytes {
		return false, nil
	}
	if len(records) == 0 {
		return true, nil
	}
	if err := x.appendDelta(b, records); err != nil {
		return false, err
	}
	next := *b
	if err := next.readDelta(); err != nil {
		return false, err
	}
	x.base = &next
	return true, nil
}

// keep holds a change that could not be stored, for this process.
func (x *Index) keep(put []index.Page, remove []string) {
	lo := x.local.without(put, remove)
	if lo.put == nil {
		lo.put, lo.removed = map[string]*index.Page{}, map[string]bool{}
	}
	for _, path := range remove {
		lo.removed[path] = true
	}
	if docsOf(put) > x.opt.DeltaDocs {
		lo.layers = append(lo.layers, buildLayers(put, 0)...)
	} else {
		for i := range put {
			p := put[i]
			p.Docs = slices.Clone(p.Docs)
			for j := range p.Docs {
				p.Docs[j].Terms = slices.Clone(p.Docs[j].Terms)
			}
			lo.put[p.Path] = &p
		}
	}
	x.local = lo
}

// giveUp throws the index away after a reader of the snapshot found it damaged.
func (x *Index) giveUp(s *snapshot, why error) {
	x.change.Lock()
	defer x.change.Unlock()
	x.mu.Lock()
	current := x.snap == s
	x.mu.Unlock()
	if current {
		x.restart(why)
	}
}

// restart makes the index empty. The caller holds change.
func (x *Index) restart(why error) {
	if x.base.delta != nil {
		x.base.delta.Close()
	}
	x.base, x.local = x.discard(why), &local{}
	if !x.isClosed() {
		x.publish()
	}
}

// discard notes why the stored index is not used, and removes CURRENT if it
// can, so that other processes need not find out for themselves. The files
// stay for those who have them open; the next writer removes them.
func (x *Index) discard(why error) *base {
	x.note(why)
	info := x.base.info
	if info == nil {
		info, _ = os.Stat(x.currentPath())
	}
	empty := &base{ignore: info}
	if x.lock.Locked() {
		return empty // in the middle of writing: a new CURRENT is about to come
	}
	if ok, err := x.lock.TryLock(); !ok || err != nil {
		return empty
	}
	defer x.lock.Unlock()
	if now, err := os.Stat(x.currentPath()); err == nil && sameFile(now, info) {
		os.Remove(x.currentPath())
	}
	return empty
}
