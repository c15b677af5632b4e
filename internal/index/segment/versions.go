package segment

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// otherAge is how much longer ago than ours the index of another version must have
// been written to be in the way only: whoever uses one writes when a page changes.
const otherAge = 30 * 24 * time.Hour

// Dir is where the index of this version lies in a directory that other versions of
// the program use, too. Each has its own: two that run in turn, a hook and a child
// that has not been started anew, would else throw away what the other has made,
// every time.
func Dir(all string) string { return filepath.Join(all, "v"+strconv.Itoa(version)) }

// lag is how long after ours the index of another version was written where it has been
// at work without us, and not beside us.
const lag = time.Hour

// Outrun says whether another version has been at work since ours was: what our index
// lacks, that one has seen, and it is no news. A time that is still to come, by a
// clock that was wrong, says nothing.
func Outrun(all string, now time.Time) bool {
	theirs := others(all)
	if len(theirs) == 0 {
		return false
	}
	ours := written(Dir(all))
	for _, path := range theirs {
		if t := written(path); t.After(ours.Add(lag)) && !t.After(now) {
			return true
		}
	}
	return false
}

// Prune removes the indexes of other versions that nobody has written for long. The
// age is measured against our own index, not by the clock, which may be wrong;
// without one nothing is old.
func Prune(all string) error {
	var errs []error
	ours := written(Dir(all))
	for _, path := range others(all) {
		if written(path).Add(otherAge).Before(ours) {
			errs = append(errs, os.RemoveAll(path))
		}
	}
	return errors.Join(errs...)
}

// others are the indexes of other versions: directories, and the files of those that
// lay here without one.
func others(all string) (paths []string) {
	entries, err := os.ReadDir(all)
	if err != nil {
		return nil
	}
	for _, e := range entries {
		if path := filepath.Join(all, e.Name()); path != Dir(all) {
			paths = append(paths, path)
		}
	}
	return paths
}

// written is when a file, or the last one of a directory, was written; the zero time
// if there is none.
func written(path string) (last time.Time) {
	entries, err := os.ReadDir(path)
	if err != nil {
		if info, err := os.Lstat(path); err == nil && !info.IsDir() {
			return info.ModTime()
		}
	}
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.ModTime().After(last) {
			last = info.ModTime()
		}
	}
	return last
}
