package watch

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// settled waits for a watcher that is slow on a busy machine.
func settled(t *testing.T, w *Watcher) {
	t.Helper()
	for range 1000 {
		if w.Settle().Done(t.Context()) {
			return
		}
	}
	t.Fatal("the cookie never came out")
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func open(t *testing.T) *Watcher {
	t.Helper()
	w, err := New(t.TempDir(), func(rel string) bool { return rel == "archive" }, time.Now())
	must(t, err)
	t.Cleanup(func() { must(t, w.Close()) })
	return w
}

func TestQuietUntilSomethingChanges(t *testing.T) {
	dir := t.TempDir()
	for _, sub := range []string{"topics/deep", "archive"} {
		must(t, os.MkdirAll(filepath.Join(dir, filepath.FromSlash(sub)), 0o700))
	}
	w := open(t)
	if w.Quiet("a") {
		t.Error("a root that nobody looked at is quiet")
	}
	write := func(rel string) func() error {
		return func() error { return os.WriteFile(filepath.Join(dir, filepath.FromSlash(rel)), []byte("x"), 0o600) }
	}
	for _, c := range []struct {
		name string
		do   func() error
		news bool
	}{
		{"nothing", func() error { return nil }, false},
		{"a file of the root", write("a.md"), true},
		{"a file of a folder", write("topics/deep/b.md"), true},
		{"a file that is gone", func() error { return os.Remove(filepath.Join(dir, "a.md")) }, true},
		{"a file of a folder that is skipped", write("archive/c.md"), false},
		{"a new folder", func() error { return os.Mkdir(filepath.Join(dir, "new"), 0o700) }, true},
		{"a file of a folder that is new since the look before", write("new/d.md"), true},
		{"another directory in its place", func() error {
			must(t, os.Rename(dir, dir+".old"))
			return os.Mkdir(dir, 0o700)
		}, true},
		{"a file of the directory in its place", write("e.md"), true},
	} {
		w.Begin(t.Context(), "a", dir, time.Now())
		w.Begin(t.Context(), "b", dir, time.Now())
		must(t, c.do())
		settled(t, w)
		if w.Quiet("a") == c.news || w.Quiet("b") == c.news {
			t.Errorf("%s: quiet %v and %v", c.name, w.Quiet("a"), w.Quiet("b"))
		}
	}
}

// A root for which there was no time is looked at again, whatever the watcher has heard.
func TestARootThatThereWasNoTimeForIsNotQuiet(t *testing.T) {
	w, dir := open(t), t.TempDir()
	over, cancel := context.WithCancel(t.Context())
	cancel()
	w.Begin(over, "a", dir, time.Now())
	settled(t, w)
	if w.Quiet("a") {
		t.Error("it is believed to be watched")
	}
	w.Begin(t.Context(), "a", dir, time.Now())
	settled(t, w)
	if !w.Quiet("a") {
		t.Error("with time enough it is not believed")
	}
}

func TestStaleAfterAWhile(t *testing.T) {
	w, now := open(t), time.Now()
	w.Begin(t.Context(), "a", t.TempDir(), now)
	if !w.Stale("never begun", now) || w.Stale("a", now.Add(sweepEvery)) || !w.Stale("a", now.Add(sweepEvery+1)) {
		t.Error("a root is stale when its last look is older than sweepEvery")
	}
}

func TestNoWatcherHasSeenNothing(t *testing.T) {
	var w *Watcher
	w.Begin(t.Context(), "a", t.TempDir(), time.Now())
	if w.Settle().Done(t.Context()) || w.Quiet("a") || !w.Stale("a", time.Now()) || w.Close() != nil {
		t.Error("a nil Watcher vouches for something")
	}
}
