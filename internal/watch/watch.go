// Package watch tells a long-lived process which directories may have changed since it last
// looked at them. A [Watcher] watches the directories of several roots; it knows nothing of
// what lies in them.
//
// Silence alone proves nothing, because an event may still be on its way. Whoever wants to
// believe in it asks for a [Settling] first: once that is done, every edit that was made
// before is known. A nil Watcher has seen nothing, so whoever has one must look for
// themselves.
package watch

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"
)

// settleWait is how long a Settling waits for the watcher to have seen every
// earlier edit.
const settleWait = 5 * time.Millisecond

// sweepEvery is how old a full look at the files may get, however quiet the
// watcher is: it costs nothing to be told of a lost event late, and much to
// believe in it for ever.
const sweepEvery = 30 * time.Second

// A Watcher watches the directories below some roots. One serves all of them,
// because only one queue keeps events in order: a cookie file written in a private
// folder comes out of it after every earlier edit.
type Watcher struct {
	w      *fsnotify.Watcher
	cookie string                // the private folder
	skip   func(rel string) bool // directories that are not watched, below a root

	mu      sync.Mutex
	made    int                      // cookies made so far
	idle    []*os.File               // cookies that nobody waits on
	waiting map[string]chan struct{} // by the cookie's path
	roots   map[string]*watched      // by the caller's key
	dirs    map[string]bool          // watched directories
	done    chan struct{}
}

type watched struct {
	dir   string // several roots may share one
	info  fs.FileInfo
	dirty bool
	swept time.Time
}

// abandoned is the age of a private folder that a killed process left. Should
// its process live after all, it has no cookies any more and looks at the files
// on every turn.
const abandoned = 30 * 24 * time.Hour

// New makes a watcher with a private folder below cookies, where those that killed
// processes left long ago are taken away. skip picks the directories below a root,
// by their path from there, that need not be watched.
func New(cookies string, skip func(rel string) bool, now time.Time) (*Watcher, error) {
	if err := os.MkdirAll(cookies, 0o700); err != nil {
		return nil, err
	}
	old, _ := filepath.Glob(filepath.Join(cookies, "watch-*"))
	for _, dir := range old {
		if info, err := os.Stat(dir); err == nil && now.Sub(info.ModTime()) > abandoned {
			_ = os.RemoveAll(dir)
		}
	}
	dir, err := os.MkdirTemp(cookies, "watch-*")
	if err != nil {
		return nil, err
	}
	fw, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, errors.Join(err, os.Remove(dir))
	}
	w := &Watcher{w: fw, cookie: dir, skip: skip, waiting: map[string]chan struct{}{}, roots: map[string]*watched{},
		dirs: map[string]bool{}, done: make(chan struct{})}
	if err := fw.Add(dir); err != nil {
		return nil, errors.Join(err, fw.Close(), os.RemoveAll(dir))
	}
	go w.run()
	return w, nil
}

// Close ends the watch and takes its private folder away.
func (w *Watcher) Close() error {
	if w == nil {
		return nil
	}
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
func (w *Watcher) run() {
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

func (w *Watcher) event(ev fsnotify.Event) {
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

func (w *Watcher) allDirty() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, r := range w.roots {
		r.dirty = true
	}
}

// A Settling is a cookie that was written; the zero one is none.
type Settling struct {
	w  *Watcher
	f  *os.File
	ch chan struct{}
}

// Settle asks whether the watcher has certainly seen every edit made before the
// call; the answer takes a moment in which other things can be done. It writes a
// byte to a cookie file that nobody else is waiting on. Cookies are used again,
// because making a file costs many times what writing to one does.
func (w *Watcher) Settle() Settling {
	if w == nil {
		return Settling{}
	}
	f, ch, err := w.take()
	if err != nil {
		return Settling{}
	}
	if _, err := f.WriteAt([]byte{'.'}, 0); err != nil {
		w.discard(f)
		return Settling{}
	}
	return Settling{w, f, ch}
}

// Done is the answer: it waits until the cookie comes out of the watcher's queue, 5 ms
// at most. It is to be called once.
func (s Settling) Done(ctx context.Context) bool {
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
func (w *Watcher) take() (*os.File, chan struct{}, error) {
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

func (w *Watcher) discard(f *os.File) {
	w.mu.Lock()
	delete(w.waiting, f.Name())
	w.mu.Unlock()
	_ = f.Close()
	_ = os.Remove(f.Name())
}

// Quiet says whether a root has not changed since its last [Watcher.Begin]; only after
// a Settling that succeeded.
func (w *Watcher) Quiet(key string) bool {
	if w == nil {
		return false
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	r := w.roots[key]
	if r == nil || r.dirty || !w.dirs[r.dir] {
		return false
	}
	// Nobody tells of an ancestor that was renamed, and another put there.
	info, err := os.Stat(r.dir)
	return err == nil && os.SameFile(info, r.info)
}

// Stale says whether it is time to look at a root's files whatever the watcher says:
// 30 s after the last look.
func (w *Watcher) Stale(key string, now time.Time) bool {
	if w == nil {
		return true
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	r := w.roots[key]
	return r == nil || now.Sub(r.swept) > sweepEvery
}

// Begin is called before a look at a root's files: it watches every directory of
// the root and takes what comes from now on as news. key names the root. One for
// which the time of ctx does not do is not believed to be quiet.
func (w *Watcher) Begin(ctx context.Context, key, dir string, now time.Time) {
	if w == nil {
		return
	}
	w.mu.Lock()
	r := w.roots[key]
	if r == nil {
		r = &watched{dir: dir}
		w.roots[key] = r
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
	if !isDir(info) {
		return
	}
	if w.watchBelow(ctx, dir, "", r); ctx.Err() != nil {
		w.doubt(r)
	}
}

func isDir(info fs.FileInfo) bool { return info != nil && info.IsDir() }

// doubt notes that a root is not watched as a whole.
func (w *Watcher) doubt(r *watched) {
	w.mu.Lock()
	defer w.mu.Unlock()
	r.dirty = true
}

// watchBelow watches a directory and those below it; rel is its path from the root. Of
// a large one no more is listed at once than the time certainly does for.
func (w *Watcher) watchBelow(ctx context.Context, dir, rel string, r *watched) {
	f, err := os.Open(dir)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			w.doubt(r)
		}
		return
	}
	defer f.Close()
	w.add(dir, r)
	for ctx.Err() == nil {
		entries, err := f.ReadDir(256)
		for _, e := range entries {
			if below := path.Join(rel, e.Name()); e.IsDir() && !w.skip(below) {
				w.watchBelow(ctx, filepath.Join(dir, e.Name()), below, r)
			}
		}
		if err != nil {
			return
		}
	}
}

// forget lists the watches of what stood at a path before, which are to end.
func (w *Watcher) forget(dir string) (old []string) {
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
func (w *Watcher) add(path string, root *watched) {
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
