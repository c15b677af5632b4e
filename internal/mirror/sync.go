package mirror

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"runtime"
	"slices"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/index"
	"github.com/pimento-memory/pimento/internal/news"
	"github.com/pimento-memory/pimento/internal/page"
	"github.com/pimento-memory/pimento/internal/recall"
	"github.com/pimento-memory/pimento/internal/text"
	"github.com/pimento-memory/pimento/internal/vault"
)

// racy is git's rule for stamps: a page that was written less than so long
// before it was indexed may have changed again within the clock's grain, so
// its stamp proves nothing and its bytes are hashed.
const racy = 20 * time.Millisecond

// syncBatch is how much text is read, in bytes, before the index takes it: it
// bounds the memory of a full build.
const syncBatch = 2 << 20

// Synced says what one sync of a root did.
type Synced struct {
	Events []pimento.Event // what changed in the files, for the journal
	Behind bool            // the time was over before all was read
	Unseen bool            // it was over before all files were looked at
	Heavy  string          // the page that is too large for any prompt; "" for none, or where it is read afterwards
	Faults []pimento.Fault // pages that cannot be read
	Plain  bool            // there certainly is no encrypted page
	Err    error           // the index's or the vault's trouble; what was found still holds
}

// An Occasion is in what circumstances a root is synced.
type Occasion struct {
	Settled bool // the watcher has seen every earlier edit: a root without news needs no sweep
	Idle    bool // nobody waits: all of the time is there for reading
}

// Sync brings the root's index up to the files as they are now. It stops
// reading pages when ctx is done; what is left waits for the next call. When
// another sync of the root takes too long, the index is handed out as it is.
func (m *Mirror) Sync(ctx context.Context, oc Occasion) (index.Index, Synced, *pimento.Fault) {
	if !m.syncing.enter(ctx) {
		idx, fault := m.Index(ctx)
		return idx, Synced{Behind: true}, fault
	}
	defer m.syncing.leave()
	idx, fault := m.Index(ctx)
	var s Synced
	if oc.Settled && fault == nil && !m.behind && m.opt.Watch.Quiet(m.opt.Root.Key()) && complete(ctx, idx) {
		s.Plain = m.plain
		return idx, s, fault
	}
	look, done := LookFor(ctx, oc)
	defer done()
	m.opt.Watch.Begin(look, m.opt.Root.Key(), m.opt.Root.Dir(), m.opt.Clock())
	s.Err = m.sweep(ctx, look, idx, oc, &s)
	for try := 0; try < 2 && errors.Is(s.Err, errIndexLost); try++ {
		if try == 0 {
			idx, fault = m.Index(ctx)
		} else {
			idx, fault = m.inMemory(s.Err)
		}
		s = Synced{}
		s.Err = m.sweep(ctx, look, idx, oc, &s)
	}
	m.behind, m.plain = s.Behind || s.Err != nil, s.Plain
	return idx, s, fault
}

// errIndexLost means that an index could not even list its pages. It is opened
// anew, and if that does not help, done without.
var errIndexLost = errors.New("index")

// takeOver reads changed pages in the order of soonest, and applies them in batches.
// first says that the index never held all of the root: while that is so, which
// may take several turns, nothing is news.
func (m *Mirror) takeOver(ctx context.Context, idx index.Index, n finding, oc Occasion, s *Synced) error {
	dirty, gone, first := n.dirty, n.gone, n.first || m.outrun()
	slices.SortStableFunc(dirty, soonest)
	d := m.differ()
	d.Silent = first
	for _, rel := range gone {
		if isMark(rel) {
			continue
		}
		if p, ok, err := idx.Page(context.WithoutCancel(ctx), rel); err == nil && ok { // else its end would never be told
			d.Page(rel, p, index.Page{Path: rel}, nil)
		}
	}
	var errs []error
	taken := make(chan error, 1) // what became of the batch before, while this one is read
	taken <- nil
	take := func(put []index.Page, gone []string, entries []pimento.Entry) {
		taken <- caught("sync", func() error { return m.takeIn(ctx, idx, put, gone, entries) })
	}
	missed, total := false, len(dirty)
	for more := true; more; more = len(dirty) > 0 {
		put, entries, touched, all := m.readPages(ctx, idx, dirty, oc, d, s)
		dirty, missed = dirty[touched:], missed || !all
		if m.opt.Indexing != nil && touched < total {
			m.opt.Indexing(total-len(dirty), total)
		}
		if len(dirty) == 0 && first && !n.partial {
			put = append(put, index.Page{Path: completeMark})
		}
		if len(dirty) == 0 && !missed {
			put = append(put, n.dirs...)
		}
		if d.Waits() { // after the pages were read: a plan is staged before it changes one
			plans, _ := m.opt.Journal.Pending(ctx)
			d.Except(plans)
		}
		// Before the index moves on: else a process that dies now would take
		// the news of every session along. Whoever notes these events, and how
		// often, they have the same ids, and stand in the journal once.
		_ = m.opt.Journal.Note(ctx, d.News(unknown(dirty)))
		if len(put) > 0 || len(gone) > 0 {
			errs = append(errs, <-taken)
			if oc.Idle && !m.opt.Serve && errors.Join(errs...) != nil {
				taken <- nil
				s.Behind = true // nothing of it would be there for the process that comes next
				break
			}
			m.changed()
			if len(dirty) == 0 || ctx.Err() != nil {
				take(put, gone, entries)
			} else {
				go take(put, gone, entries)
			}
		}
		gone = nil
		if ctx.Err() != nil || s.Behind {
			s.Behind = len(dirty) > 0
			break
		}
	}
	errs = append(errs, <-taken)
	s.Events = d.Told()
	if n.first && !n.partial && !s.Behind {
		errs = append(errs, compact(ctx, idx))
	}
	return errors.Join(errs...)
}

// differ tells what other hands did to pages of the root.
func (m *Mirror) differ() *news.Differ {
	return &news.Differ{Key: m.opt.Root.Key(), Scope: m.opt.Scope, Project: m.opt.Project, Now: m.opt.Now()}
}

// unknown is how many of the pages the index has never held.
func unknown(dirty []dirtyPage) (n int) {
	for _, p := range dirty {
		if !p.known {
			n++
		}
	}
	return n
}

// compact lets an index that can do so make itself cheaper to read, which is
// worth it after a full build.
func compact(ctx context.Context, idx index.Index) error {
	if c, ok := idx.(interface{ Compact(context.Context) error }); ok {
		return c.Compact(ctx)
	}
	return nil
}

// readPages parses the first of the changed pages, as many as make one batch
// or as ctx allows, but at least one that is not heavy; touched is how many were
// dealt with. Entries are handed on where they get vectors. A page that cannot be read
// leaves the index as it is, and all is false; one for which there is no time ends the sync.
func (m *Mirror) readPages(ctx context.Context, idx index.Index, dirty []dirtyPage, oc Occasion, d *news.Differ, s *Synced) (put []index.Page, entries []pimento.Entry, touched int, all bool) {
	var size int64
	all = true
	embeds := m.embeds()
	for len(dirty) > 0 {
		if touched > 0 && (ctx.Err() != nil || size > syncBatch) {
			break
		}
		next := gulp(dirty)
		reading, done, fits := next[0].within(ctx, oc)
		if !fits {
			m.leave(next[0], next[0].takes() >= m.opt.Deadline/2, s)
			break
		}
		read := m.readAll(reading, idx, next)
		done()
		for i, r := range read {
			size += next[i].stamp.Size
			switch {
			case errors.Is(r.err, errOutOfTime): // a heavy one, alone
				m.leave(next[i], true, s)
				return put, entries, touched, false
			case errors.Is(r.err, fs.ErrNotExist): // gone since the sweep; the next one sees it
				all = false
			case r.err != nil:
				all = false
				s.Faults = append(s.Faults, pimento.FaultOf("vault", r.err))
			case r.news:
				if r.disputed {
					s.Faults = append(s.Faults, pimento.Fault{Kind: "vault", Detail: next[i].rel + OpenConflict})
				}
				if !r.same {
					d.Page(next[i].rel, r.old, r.now, r.entries)
				}
				put = append(put, r.now)
				if embeds {
					entries = append(entries, r.entries...)
				}
			}
		}
		touched, dirty = touched+len(next), dirty[len(next):]
	}
	return put, entries, touched, all
}

// OpenConflict says of a page what it says while one stands there.
const OpenConflict = " holds an open git conflict; what its first side says counts until it is resolved"

// leave notes that there was no time for a heavy page.
func (m *Mirror) leave(p dirtyPage, always bool, s *Synced) {
	s.Behind = true
	if always && !m.opt.Serve {
		s.Heavy = p.rel
	}
}

// Pages are read several at a time, on all processors, as far as there are many:
// a turn has a few and is not worth the trouble.
const (
	gulpPages  = 64
	gulpBytes  = 128 << 10 // some milliseconds, after which it is asked again whether there is time
	askEntries = 64        // of a large page, after which the same is asked
	syncPace   = 4 << 20   // bytes of a large page that are taken in in a second; 5.3 million where we measured
)

// heavy says whether a page alone is more than one gulp.
func (p dirtyPage) heavy() bool { return p.stamp.Size > gulpBytes }

// takes is how long the page should take, heavy as it is.
func (p dirtyPage) takes() time.Duration {
	return time.Duration(float64(p.stamp.Size) / syncPace * float64(time.Second))
}

// within is the time in which a page is read, and whether that will do. What is not
// heavy is read in any case: else nothing might ever be. A heavy one gets half of
// the time where somebody waits, so that the answer has the other half whatever the
// pace of the machine.
func (p dirtyPage) within(ctx context.Context, oc Occasion) (reading context.Context, done context.CancelFunc, fits bool) {
	end, limited := ctx.Deadline()
	if !limited || !p.heavy() {
		return ctx, func() {}, true
	}
	left := time.Until(end)
	if !oc.Idle {
		left /= 2
	}
	if p.takes() >= left {
		return ctx, func() {}, false
	}
	reading, done = context.WithTimeout(ctx, left)
	return reading, done, true
}

// soonest orders pages as they are read: the newest first, but after all others
// those that are heavy, the smallest of them first. A page that takes longer than
// there is time then holds up nothing but itself.
func soonest(a, b dirtyPage) int {
	var x, y int64
	if a.heavy() {
		x = a.stamp.Size
	}
	if b.heavy() {
		y = b.stamp.Size
	}
	return cmp.Or(cmp.Compare(x, y), cmp.Compare(b.stamp.Mtime, a.stamp.Mtime))
}

// errOutOfTime means that a heavy page took longer than there was time.
var errOutOfTime = errors.New("out of time")

// gulp is the first of the pages, as many as are read before it is looked whether
// there is time for more. A heavy one is read alone.
func gulp(dirty []dirtyPage) []dirtyPage {
	n, size := 0, int64(0)
	for n < len(dirty) && n < gulpPages && (n == 0 || size < gulpBytes && !dirty[n].heavy()) {
		size += dirty[n].stamp.Size
		n++
	}
	return dirty[:n]
}

// A pageRead is what became of a changed page.
type pageRead struct {
	old, now index.Page
	entries  []pimento.Entry
	news     bool // false when only the clock's grain made the page look changed
	same     bool // its bytes are those that the index knows
	disputed bool // an open git conflict stands on it
	err      error
}

// readAll reads pages and keeps their order. Each processor has an analyzer of
// its own, kept for the next call; a heavy page, which is read alone, has all of them.
func (m *Mirror) readAll(ctx context.Context, idx index.Index, dirty []dirtyPage) []pageRead {
	out := make([]pageRead, len(dirty))
	workers := min(runtime.GOMAXPROCS(0), (len(dirty)+7)/8)
	own := 1
	if len(dirty) == 1 && dirty[0].heavy() {
		own = runtime.GOMAXPROCS(0)
	}
	for len(m.analyzers) < max(workers, own) {
		m.analyzers = append(m.analyzers, text.NewAnalyzer())
	}
	deal(workers, len(dirty), func(worker int, mine iter.Seq[int]) {
		read := m.opt.Root.Reader()
		defer read.Close()
		for i := range mine {
			err := caught("read", func() error {
				out[i] = m.readPage(ctx, idx, read, m.analyzers[worker:worker+own], dirty[i])
				return nil
			})
			if err != nil {
				out[i] = pageRead{err: err}
			}
		}
	})
	return out
}

// caught turns a panic into an error. In a goroutine of ours nobody above could,
// and the process that answers an agent would be gone.
func caught(op string, f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = &pimento.Error{Op: op, Kind: pimento.KindInternal, Err: fmt.Errorf("panic: %v", r)}
		}
	}()
	return f()
}

// readPage makes the index's form of a changed page.
func (m *Mirror) readPage(ctx context.Context, idx index.Index, read *vault.Reader, ans []*text.Analyzer, p dirtyPage) (r pageRead) {
	now := m.nanos()
	b, stamp, err := read.Read(context.WithoutCancel(ctx), p.rel)
	if r.err = err; err != nil {
		return r
	}
	if p.known {
		if r.old, _, r.err = idx.Page(context.WithoutCancel(ctx), p.rel); r.err != nil {
			return r
		}
	}
	digest := pimento.DigestOf(b)
	r.same = p.known && r.old.Digest == digest
	if r.same && r.old.Stamp == stamp && now < r.old.Synced+int64(racy) {
		return r
	}
	parsed := page.Parse(p.rel, b)
	r.entries, r.news, r.disputed = parsed.In(m.opt.Scope), true, parsed.Conflicted()
	r.now = PageOf(ans[0], p.rel, stamp, digest, now, nil)
	if !p.heavy() {
		r.now.Docs = docs(ans[0], p.rel, r.entries)
	} else {
		r.now.Docs, r.err = heavyDocs(ctx, ans, p.rel, r.entries)
	}
	return r
}

// heavyDocs is docs by several analyzers, until the time is over.
func heavyDocs(ctx context.Context, ans []*text.Analyzer, rel string, entries []pimento.Entry) ([]index.Doc, error) {
	parts := slices.Collect(slices.Chunk(entries, askEntries))
	made, errs := make([][]index.Doc, len(parts)), make([]error, len(ans))
	deal(min(len(ans), len(parts)), len(parts), func(worker int, mine iter.Seq[int]) {
		errs[worker] = caught("read", func() error {
			for i := range mine {
				if ctx.Err() != nil {
					return errOutOfTime
				}
				made[i] = docs(ans[worker], rel, parts[i])
			}
			return nil
		})
	})
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return slices.Concat(made...), nil
}

// PageOf makes the index's form of a parsed page.
func PageOf(an *text.Analyzer, rel string, stamp pimento.Stamp, digest pimento.Digest, now int64, entries []pimento.Entry) index.Page {
	return index.Page{Path: rel, Stamp: stamp, Digest: digest, Synced: now, Docs: docs(an, rel, entries)}
}

// docs are the index's form of entries of a page.
func docs(an *text.Analyzer, rel string, entries []pimento.Entry) []index.Doc {
	out := make([]index.Doc, 0, len(entries))
	day, _ := page.Day(rel)
	for _, en := range entries {
		out = recall.Docs(out, an, rel, day, en)
	}
	return out
}

// nanos is the moment for the racy rule. It must be the machine's own
// clock, which also stamps the files, and not the door's, which a user may
// have moved.
func (m *Mirror) nanos() int64 { return m.opt.Clock().UnixNano() }
