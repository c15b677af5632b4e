package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"sort"
	"strings"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/index"
	"github.com/pimento-memory/pimento/internal/page"
)

// racy is git's rule for stamps: a page that was written less than so long
// before it was indexed may have changed again within the clock's grain, so
// its stamp proves nothing and its bytes are hashed.
const racy = 20 * time.Millisecond

// bulkEntries is the number of entries that may appear in one sync before it
// counts as a clone or an import, whose entries get no grace of the new.
const bulkEntries = 20

// maxSyncEvents bounds what one sync writes to the journal; beyond it one
// event says how many entries changed.
const maxSyncEvents = 1000

// syncBatch is how many changed pages are read before the index takes them, so
// that a deadline loses little of the work.
const syncBatch = 256

// A synced report says what one sync of a root did.
type synced struct {
	events  []pimento.Event // what changed in the files, for the journal
	changed int             // pages read
	left    int             // pages that the deadline left for the next time
	err     error           // the index's or the vault's trouble; what was found still holds
}

// pageState is what the index knows of a page.
type pageState struct {
	stamp  pimento.Stamp
	digest pimento.Digest
	synced int64
	seen   bool
}

// syncStore brings a root's index up to the files as they are now. It stops
// reading pages when ctx is done; what is left waits for the next call.
// settled says that the watcher has seen every earlier edit, so that a root
// without news needs no sweep.
func (e *Engine) syncStore(ctx context.Context, st *store, settled bool) (index.Index, synced, *pimento.Fault) {
	st.sync.Lock()
	defer st.sync.Unlock()
	idx, fault := e.index(ctx, st)
	var s synced
	dir := st.root.Dir()
	if e.watch != nil {
		if settled && fault == nil && !st.behind && e.watch.quiet(dir) {
			return idx, s, fault
		}
		e.watch.begin(dir, e.opt.Clock())
	}
	s.err = e.sweep(ctx, st, idx, &s)
	st.behind = s.left > 0 || s.err != nil
	return idx, s, fault
}

// settle says whether the watcher, where there is one, has seen every edit
// made until now.
func (e *Engine) settle(ctx context.Context) bool { return e.watch != nil && e.watch.settle(ctx) }

// sweep compares every file with the index and takes over what changed.
func (e *Engine) sweep(ctx context.Context, st *store, idx index.Index, s *synced) error {
	known := map[string]*pageState{}
	err := idx.Pages(ctx, func(p index.Page) bool {
		known[p.Path] = &pageState{stamp: p.Stamp, digest: p.Digest, synced: p.Synced}
		return true
	})
	if err != nil {
		st.dropIndex()
		return fmt.Errorf("index: %w", err)
	}
	fresh := len(known) == 0
	var dirty []dirtyPage
	err = st.root.Sweep(context.WithoutCancel(ctx), func(rel string, stamp pimento.Stamp) {
		k := known[rel]
		if k != nil {
			k.seen = true
			if k.stamp == stamp && stamp.Mtime+int64(racy) < k.synced {
				return
			}
		}
		dirty = append(dirty, dirtyPage{rel, stamp, k})
	})
	if err != nil {
		return err
	}
	var gone []string
	for rel, k := range known {
		if !k.seen {
			gone = append(gone, rel)
		}
	}
	sort.Strings(gone)
	return e.takeOver(ctx, st, idx, dirty, gone, fresh, s)
}

// A dirtyPage is a file whose stamp is not what the index has.
type dirtyPage struct {
	rel   string
	stamp pimento.Stamp
	known *pageState // nil: new to the index
}

// takeOver reads changed pages, newest first, and applies them in batches.
func (e *Engine) takeOver(ctx context.Context, st *store, idx index.Index, dirty []dirtyPage, gone []string, fresh bool, s *synced) error {
	sort.Slice(dirty, func(i, j int) bool { return dirty[i].stamp.Mtime > dirty[j].stamp.Mtime })
	d := differ{store: st, now: e.opt.Now(), silent: fresh}
	for _, rel := range gone {
		if p, ok, err := idx.Page(ctx, rel); err == nil && ok {
			d.page(rel, p, index.Page{Path: rel}, nil)
		}
	}
	var errs []error
	for len(dirty) > 0 || len(gone) > 0 {
		batch := dirty[:min(syncBatch, len(dirty))]
		put, touched := e.readPages(ctx, st, idx, batch, &d)
		s.changed += len(put)
		if len(put) > 0 || len(gone) > 0 {
			st.changed()
			errs = append(errs, idx.Apply(context.WithoutCancel(ctx), put, gone))
		}
		dirty, gone = dirty[touched:], nil
		if ctx.Err() != nil {
			s.left = len(dirty)
			break
		}
	}
	s.events = d.done()
	return errors.Join(errs...)
}

// readPages parses a batch; touched is how many of it were dealt with before
// ctx was done. An unreadable page leaves the index as it is and is a fault
// elsewhere (doctor reads every page).
func (e *Engine) readPages(ctx context.Context, st *store, idx index.Index, batch []dirtyPage, d *differ) (put []index.Page, touched int) {
	for _, p := range batch {
		if ctx.Err() != nil && touched > 0 {
			break
		}
		touched++
		now := e.clockNanos()
		b, stamp, err := st.root.Read(ctx, p.rel)
		if err != nil {
			if errors.Is(err, fs.ErrNotExist) {
				continue // gone since the sweep; the next one sees it
			}
			continue
		}
		digest := pimento.DigestOf(b)
		var old index.Page
		if p.known != nil {
			if old, _, err = idx.Page(ctx, p.rel); err != nil {
				continue
			}
			if p.known.digest == digest {
				if p.known.stamp == stamp && now < p.known.synced+int64(racy) {
					continue // hashed again within the racy window: nothing new to store
				}
			}
		}
		parsed := page.Parse(p.rel, b)
		entries := st.entries(parsed, p.rel)
		next := st.indexPage(p.rel, stamp, digest, now, entries)
		if p.known == nil || p.known.digest != digest {
			d.page(p.rel, old, next, entries)
		}
		put = append(put, next)
	}
	return put, touched
}

// indexPage makes the index's form of a parsed page.
func (st *store) indexPage(rel string, stamp pimento.Stamp, digest pimento.Digest, now int64, entries []pimento.Entry) index.Page {
	p := index.Page{Path: rel, Stamp: stamp, Digest: digest, Synced: now, Docs: make([]index.Doc, len(entries))}
	day := pageDate(rel)
	for i, en := range entries {
		p.Docs[i] = st.doc(rel, day, en)
	}
	return p
}

// doc is the index's form of one entry. Besides the words it gets one term of
// its statement, by which ids are looked up.
func (st *store) doc(rel string, day time.Time, en pimento.Entry) index.Doc {
	terms, words := st.analyzer.EntryTerms(en, rel)
	d := index.Doc{Statement: en.Statement, N: en.N, Span: en.Span, Line: en.Line, Kind: en.Kind, Len: words}
	if en.Pinned {
		d.Flags |= index.Pinned
	}
	if en.Task {
		d.Flags |= index.Task
	}
	if en.Done {
		d.Flags |= index.Done
	}
	switch {
	case !en.Stamp.IsZero():
		d.Date = en.Stamp.Unix()
	case !day.IsZero():
		d.Date = day.Unix()
	}
	d.Terms = make([]index.Term, 0, len(terms)+1)
	for _, t := range terms {
		d.Terms = append(d.Terms, index.Term{Text: t.Text, TF: t.TF})
	}
	id := idTerm(string(en.Statement))
	at := sort.Search(len(d.Terms), func(i int) bool { return d.Terms[i].Text >= id })
	d.Terms = append(d.Terms, index.Term{})
	copy(d.Terms[at+1:], d.Terms[at:])
	d.Terms[at] = index.Term{Text: id, TF: 1}
	return d
}

// idDigits is the shortest id that a person may type.
const idDigits = 8

// idTerm is the index term by which a statement is looked up; 's' is no field
// letter of package text.
func idTerm(statement string) string { return "s" + statement[:min(idDigits, len(statement))] }

// pageDate is the day of a daily page, zero for any other page.
func pageDate(rel string) time.Time {
	name, ok := strings.CutPrefix(rel, "daily/")
	if !ok {
		return time.Time{}
	}
	t, err := time.Parse(time.DateOnly, strings.TrimSuffix(name, ".md"))
	if err != nil {
		return time.Time{}
	}
	return t
}

// clockNanos is the moment for the racy rule. It must be the machine's own
// clock, which also stamps the files, and not the door's, which a user may
// have moved.
func (e *Engine) clockNanos() int64 { return e.opt.Clock().UnixNano() }
