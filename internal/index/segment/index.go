package segment

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"sync"

	"github.com/gofrs/flock"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/index"
)

// Options tune an index; the zero value is right.
type Options struct {
	// DeltaBytes and DeltaDocs bound the delta: every process that opens the
	// index reads all of it. 0 means 64 KiB and 200 docs.
	DeltaBytes int
	DeltaDocs  int

	// MergeDocs bounds the docs that a small Apply merges, so that no turn waits
	// for a large merge; those are made by large Applies and by Compact. 0 means
	// 2048.
	MergeDocs int
}

func (o Options) withDefaults() Options {
	if o.DeltaBytes == 0 {
		o.DeltaBytes = 64 << 10
	}
	if o.DeltaDocs == 0 {
		o.DeltaDocs = 200
	}
	if o.MergeDocs == 0 {
		o.MergeDocs = 2048
	}
	return o
}

// An Index is one index directory, open. It may be used by several goroutines,
// and the directory by several processes.
type Index struct {
	dir  string
	opt  Options
	lock *flock.Flock

	change sync.Mutex // held by whoever changes base or local
	base   *base      // what is stored
	local  *local     // what is not

	mu      sync.Mutex // guards what follows, for moments only
	snap    *snapshot  // nil when closed
	rebuilt string
	free    *sums // for the next search
}

var _ index.Index = (*Index)(nil)

// Open opens the index in the directory, which need not exist. An index that is
// damaged or cannot be read opens as an empty one, see [Index.Rebuilt]. The only
// error is that of ctx.
func Open(ctx context.Context, dir string, opt Options) (*Index, error) {
	if err := ctx.Err(); err != nil {
		return nil, fault("index.open", dir, pimento.KindUnavailable, err)
	}
	x := &Index{dir: dir, opt: opt.withDefaults(), base: &base{}, local: &local{}}
	x.lock = flock.New(filepath.Join(dir, "LOCK"), flock.SetPermissions(0o600))
	b, err := x.load(nil)
	if err != nil {
		b = &base{}
		if _, damaged := errors.AsType[damage](err); damaged {
			b = x.discard(err)
		} else {
			x.note(err)
		}
	}
	x.base = b
	x.publish()
	return x, nil
}

// Rebuilt says why the index was found unusable and is empty since, or "".
func (x *Index) Rebuilt() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.rebuilt
}

// Close implements [index.Index]. Searches that are under way finish.
func (x *Index) Close() error {
	x.change.Lock()
	defer x.change.Unlock()
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.snap == nil {
		return nil
	}
	if x.base.delta != nil {
		x.base.delta.Close()
	}
	x.base, x.local = &base{}, &local{}
	x.drop(x.snap)
	x.snap, x.free = nil, nil
	return nil
}

// publish makes base and local what readers see. The caller holds change, or
// has the index to itself.
func (x *Index) publish() {
	s := compose(x.base, x.local)
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, l := range s.layers {
		l.file.refs++
	}
	if x.snap != nil {
		x.drop(x.snap)
	}
	x.snap = s
}

// drop gives up one use of a snapshot; the last one unmaps what no other
// snapshot uses. The caller holds mu.
func (x *Index) drop(s *snapshot) {
	if s.refs--; s.refs > 0 {
		return
	}
	for _, l := range s.layers {
		if l.file.refs--; l.file.refs == 0 {
			l.file.close()
		}
	}
}

func (x *Index) acquire(ctx context.Context, op string) (*snapshot, error) {
	if err := ctx.Err(); err != nil {
		return nil, fault(op, x.dir, pimento.KindUnavailable, err)
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.snap == nil {
		return nil, fault(op, x.dir, pimento.KindInternal, os.ErrClosed)
	}
	x.snap.refs++
	return x.snap, nil
}

func (x *Index) release(s *snapshot) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.drop(s)
}

// read runs f on the current snapshot.
func (x *Index) read(ctx context.Context, op string, f func(*snapshot)) error {
	s, err := x.acquire(ctx, op)
	if err != nil {
		return err
	}
	defer x.release(s)
	return x.guard(op, s, func() { f(s) })
}

// guard runs f, which reads mapped memory. If that turns out to be damaged, the
// index is given up and empty from then on.
func (x *Index) guard(op string, s *snapshot, f func()) error {
	err := guarded(f)
	if err == nil {
		return nil
	}
	x.mu.Lock()
	current := x.snap == s
	x.mu.Unlock()
	if current {
		x.giveUp(s, err)
	}
	return &pimento.Error{Op: op, Path: x.dir, Kind: pimento.KindInternal, Err: err, Hint: "the index is rebuilt by the next sync"}
}

// guarded runs f and turns what damaged or vanished memory does to it into an
// error: our own damage, a fault of the memory, or an index out of range.
func guarded(f func()) (err error) {
	old := debug.SetPanicOnFault(true)
	defer func() {
		debug.SetPanicOnFault(old)
		switch r := recover().(type) {
		case nil:
		case damage:
			err = r
		case runtime.Error:
			err = damage(r.Error())
		default:
			panic(r)
		}
	}()
	f()
	return nil
}

func newFileGuarded(data []byte, free func()) (f *file, err error) {
	if e := guarded(func() { f, err = newFile(data, free) }); e != nil {
		err = e
	}
	return f, err
}

func fault(op, path string, kind pimento.ErrorKind, err error) error {
	return &pimento.Error{Op: op, Path: path, Kind: kind, Err: err}
}

// sums are clean ones for n docs.
func (x *Index) sums(docs int) *sums {
	x.mu.Lock()
	defer x.mu.Unlock()
	if s := x.free; s != nil && cap(s.best) >= docs {
		x.free = nil
		s.best, s.held = s.best[:docs], s.held[:docs]
		return s
	}
	return &sums{best: make([]float32, docs), held: make([]uint64, docs)}
}

// giveBack takes clean sums for the next search.
func (x *Index) giveBack(s *sums) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.snap != nil && (x.free == nil || cap(s.best) > cap(x.free.best)) {
		x.free = s
	}
}

// Refresh implements [index.Index]. When nothing has changed it costs two
// stats. While another goroutine changes the index, which may be a long merge,
// it does not wait: every change reads first what is stored.
func (x *Index) Refresh(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return fault("index.refresh", x.dir, pimento.KindUnavailable, err)
	}
	if !x.change.TryLock() {
		return nil
	}
	defer x.change.Unlock()
	if x.isClosed() {
		return fault("index.refresh", x.dir, pimento.KindInternal, os.ErrClosed)
	}
	err := x.attempt(func() error {
		changed, err := x.reload()
		if err == nil && changed {
			x.publish()
		}
		return err
	})
	if err != nil {
		return fault("index.refresh", x.dir, pimento.KindUnavailable, err)
	}
	return nil
}

func (x *Index) isClosed() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.snap == nil
}

// reload brings base up to date; it reports whether it has changed. What this
// process knew better is dropped where the stored page is newer.
func (x *Index) reload() (changed bool, err error) {
	b := x.base
	if x.unchanged(b) {
		if b.cur == nil {
			return false, nil
		}
		info, err := b.delta.Stat()
		if err != nil {
			return false, err
		}
		if info.Size() == b.size && b.size == b.end {
			return false, nil
		}
		next := *b
		err = next.readDelta()
		if err != nil {
			return false, err
		}
		x.base = &next
		x.outdate()
		return next.end != b.end, nil
	}
	next, err := x.load(b)
	if err != nil {
		return false, err
	}
	if next.cur == nil && b.cur != nil {
		x.note(damage("the index was deleted"))
	}
	if b.delta != nil {
		b.delta.Close()
	}
	x.base = next
	x.outdate()
	return true, nil
}

// outdate drops what is only known here from pages that were stored later.
func (x *Index) outdate() {
	var stale []string
	for path, p := range x.local.put {
		if s, ok := x.base.synced(path); ok && s >= p.Synced {
			stale = append(stale, path)
		}
	}
	x.local.forget(stale)
}

// synced is the Synced of a stored page.
func (b *base) synced(path string) (int64, bool) {
	if p, ok := b.recent[path]; ok {
		return p.Synced, true
	}
	for i := len(b.layers) - 1; i >= 0; i-- {
		if page, ok := b.layers[i].find(path); ok {
			return int64(le.Uint64(b.layers[i].file.row(secPages, pageRow, page)[40:])), true
		}
	}
	return 0, false
}

// note remembers why the index is being rebuilt.
func (x *Index) note(err error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.rebuilt = fmt.Sprint(err)
}
