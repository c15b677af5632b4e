package engine

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"
)

// settleWait is how long a turn waits for the watcher to have seen every
// earlier edit before it looks for itself.
const settleWait = 5 * time.Millisecond

// sweepEvery is how old a full look at the files may get, however quiet the
// watcher is: it costs nothing to be told of a lost event late, and much to
// believe in it for ever.
const sweepEvery = 30 * time.Second

// A watch tells a long-lived process which roots have changed. One watcher
// serves all roots, because only one queue keeps events in order: a cookie
// file written in a private folder comes out of it after every earlier edit.
type watch struct {
	w      *fsnotify.Watcher
	cookie string // the private folder

	mu      sync.Mutex
	made    int                      // cookies made so far
	idle    []*os.File               // cookies that nobody waits on
	waiting map[string]chan struct{} // by the cookie's path
	roots   map[*store]*watched
	dirs    map[string]bool // watched directories
	done    chan struct{}
}

type watched struct {
	dir   string // the project's and the local root share one
	info  fs.FileInfo
	dirty bool
	swept time.Time
}

// abandoned is the age of a private folder that a killed process left. Should
// its process live after all, it has no cookies any more and looks at the files
// on every turn.
const abandoned = 30 * 24 * time.Hour

func newWatch(cookieDir string, now time.Time) (*watch, error) {
	if err := os.MkdirAll(cookieDir, 0o700); err != nil {
		return nil, err
	}
	old, _ := filepath.Glob(filepath.Join(cookieDir, "watch-*"))
	for _, dir := range old {
		if info, err := os.Stat(dir); err == nil && now.Sub(info.ModTime()) > abandoned {
			_ = os.RemoveAll(dir)
		}
	}
	dir, err := os.MkdirTemp(cookieDir, "watch-*")
	if err != nil {
		return nil, err
	}
	fw, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, errors.Join(err, os.Remove(dir))
	}
	w := &watch{w: fw, cookie: dir, waiting: map[string]chan struct{}{}, roots: map[*store]*watched{},
		dirs: map[string]bool{}, done: make(chan struct{})}
	if err := fw.Add(dir); err != nil {
		return nil, errors.Join(err, fw.Close(), os.RemoveAll(dir))
	}
	go w.run()
	return w, nil
}

func (w *watch) close() error {
	err := w.w.Close()
	<-w.done
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, f := range w.idle {
		_ = f.Close()
	}
	return errors.Join(err, os.RemoveAll(w.cookie))
}

// run drains the watcher's queue until it is closed.
func (w *watch) run() {
	defer close(w.done)
	for {
		select {
		case ev, ok := <-w.w.Events:
			if !ok {
				return
			}
			w.event(ev)
		case _, ok := <-w.w.Errors:
			if !ok {
				return
			}
			w.allDirty() // overflow, or worse
		}
	}
}

func (w *watch) event(ev fsnotify.Event) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if filepath.Dir(ev.Name) == w.cookie {
		if ch := w.waiting[ev.Name]; ch != nil && ev.Op.Has(fsnotify.Write) {
			close(ch)
			delete(w.waiting, ev.Name)
		}
		return
	}
	if ev.Op&(fsnotify.Remove|fsnotify.Rename) != 0 {
		w.forget(ev.Name) // a directory that comes back is watched anew, and so is what lies in it
	}
	for _, r := range w.roots {
		if ev.Name == r.dir || strings.HasPrefix(ev.Name, r.dir+string(filepath.Separator)) {
			r.dirty = true
		}
	}
}

func (w *watch) allDirty() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, r := range w.roots {
		r.dirty = true
	}
}

// A settling is a cookie that was written; the zero one is none.
type settling struct {
	w  *watch
	f  *os.File
	ch chan struct{}
}

// settle asks whether the watcher has certainly seen every edit made before the
// call. It writes a byte to a cookie file that nobody else is waiting on. Cookies
// are used again, because making a file costs many times what writing to one does.
func (w *watch) settle() settling {
	f, ch, err := w.take()
	if err != nil {
		return settling{}
	}
	if _, err := f.WriteAt([]byte{'.'}, 0); err != nil {
		w.discard(f)
		return settling{}
	}
	return settling{w, f, ch}
}

// done is the answer: it waits until the cookie comes out of the watcher's queue. It
// is to be called once.
func (s settling) done(ctx context.Context) bool {
	w, f, ch := s.w, s.f, s.ch
	if w == nil {
		return false
	}
	timer := time.NewTimer(settleWait)
	defer timer.Stop()
	select {
	case <-ch:
		w.mu.Lock()
		defer w.mu.Unlock()
		w.idle = append(w.idle, f)
		return true
	case <-timer.C:
	case <-ctx.Done():
	}
	w.discard(f) // its event may still come, and must not be taken for a later one
	return false
}

// take gets a cookie to wait on.
func (w *watch) take() (*os.File, chan struct{}, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	var f *os.File
	if n := len(w.idle); n > 0 {
		f, w.idle = w.idle[n-1], w.idle[:n-1]
	} else {
		w.made++
		var err error
		f, err = os.OpenFile(filepath.Join(w.cookie, strconv.Itoa(w.made)), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if err != nil {
			return nil, nil, err
		}
	}
	ch := make(chan struct{})
	w.waiting[f.Name()] = ch
	return f, ch, nil
}

func (w *watch) discard(f *os.File) {
	w.mu.Lock()
	delete(w.waiting, f.Name())
	w.mu.Unlock()
	_ = f.Close()
	_ = os.Remove(f.Name())
}

// quiet says whether a root has not changed since its last sweep; only after
// a settle that succeeded.
func (w *watch) quiet(st *store) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	r := w.roots[st]
	if r == nil || r.dirty || !w.dirs[r.dir] {
		return false
	}
	// Nobody tells of an ancestor that was renamed, and another put there.
	info, err := os.Stat(r.dir)
	return err == nil && os.SameFile(info, r.info)
}

// stale says whether a root's last sweep is older than sweepEvery.
func (w *watch) stale(st *store, now time.Time) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	r := w.roots[st]
	return r == nil || now.Sub(r.swept) > sweepEvery
}

// begin is called before a sweep: it watches every directory of the root and
// takes what comes from now on as news.
func (w *watch) begin(st *store, now time.Time) {
	dir := st.root.Dir()
	w.mu.Lock()
	r := w.roots[st]
	if r == nil {
		r = &watched{dir: dir}
		w.roots[st] = r
	}
	info, err := os.Stat(dir)
	var old []string
	if r.info != nil && (err != nil || !os.SameFile(info, r.info)) {
		old = w.forget(dir)
	}
	r.dirty, r.swept, r.info = false, now, info
	w.mu.Unlock()
	for _, path := range old {
		_ = w.w.Remove(path) // it may have ended by itself
	}
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return nil
		}
		if path != dir && (strings.HasPrefix(d.Name(), ".") || path == filepath.Join(dir, "archive")) {
			return filepath.SkipDir
		}
		w.add(path, r)
		return nil
	})
}

// forget lists the watches of what stood at a path before, which are to end.
func (w *watch) forget(dir string) (old []string) {
	for path := range w.dirs {
		if path == dir || strings.HasPrefix(path, dir+string(filepath.Separator)) {
			delete(w.dirs, path)
			old = append(old, path)
		}
	}
	return old
}

// add watches one directory. A root that cannot be watched stays dirty and is
// swept on every turn.
func (w *watch) add(path string, root *watched) {
	w.mu.Lock()
	have := w.dirs[path]
	w.mu.Unlock()
	if have {
		return
	}
	err := w.w.Add(path)
	w.mu.Lock()
	defer w.mu.Unlock()
	if err != nil {
		root.dirty = true
		return
	}
	w.dirs[path] = true
}
