package session

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Prune removes sessions that were last touched more than maxAge before now,
// and of the others all but the max touched last. Zero means no such limit. A
// session without a readable state counts as touched when its files were last
// changed, and its directory if it has none. Errors are of
// pimento.KindUnavailable; what could be removed is.
func (s *Store) Prune(ctx context.Context, now time.Time, maxAge time.Duration, max int) error {
	type session struct {
		name    string // of its directory
		touched time.Time
	}
	entries, err := os.ReadDir(s.dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return unavailable("session.prune", s.dir, err)
	}
	var all []session
	for _, e := range entries {
		if e.IsDir() && strings.Contains(e.Name(), "-") {
			all = append(all, session{e.Name(), touched(filepath.Join(s.dir, e.Name()))})
		}
	}
	slices.SortFunc(all, func(a, b session) int {
		return cmp.Or(b.touched.Compare(a.touched), strings.Compare(a.name, b.name))
	})
	var errs []error
	for i, x := range all {
		old := maxAge > 0 && now.Sub(x.touched) > maxAge
		if old || max > 0 && i >= max {
			errs = append(errs, s.remove(ctx, x.name, x.touched))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return unavailable("session.prune", s.dir, err)
	}
	return nil
}

// remove removes a session under its lock, unless it was touched meanwhile.
func (s *Store) remove(ctx context.Context, name string, seen time.Time) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	_, digest, _ := strings.Cut(name, "-")
	if digest == "" {
		return nil
	}
	unlock, err := s.lockDigit(ctx, digest[:1])
	if err != nil {
		return err
	}
	defer unlock()
	dir := filepath.Join(s.dir, name)
	if !touched(dir).Equal(seen) {
		return nil
	}
	return os.RemoveAll(dir)
}

// touched is when a session was last in use.
func touched(dir string) time.Time {
	if raw, err := slotsOf(dir); err == nil {
		if s, err := newer(raw); err == nil && !s.State.Touched.IsZero() {
			return s.State.Touched
		}
	}
	var last time.Time
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.ModTime().After(last) {
			last = info.ModTime()
		}
	}
	if last.IsZero() { // somebody is just making it
		if info, err := os.Stat(dir); err == nil {
			last = info.ModTime()
		}
	}
	return last
}

// RemoveFrozen deletes the frozen prefixes that which picks (for a purge) in
// all sessions, and those that are damaged, and says how many files it deleted.
func (s *Store) RemoveFrozen(ctx context.Context, which func(Frozen) bool) (n int, err error) {
	sessions, err := os.ReadDir(s.dir)
	if errors.Is(err, os.ErrNotExist) {
		return 0, nil
	}
	for _, e := range sessions {
		if err = cmp.Or(err, ctx.Err()); err != nil {
			break
		}
		if !e.IsDir() {
			continue
		}
		var removed int
		removed, err = removeFrozen(filepath.Join(s.dir, e.Name()), which)
		n += removed
	}
	if err != nil {
		return n, unavailable("session.remove", s.dir, err)
	}
	return n, nil
}

// removeFrozen is RemoveFrozen in one session's directory. What another process
// prunes meanwhile is gone as well.
func removeFrozen(dir string, which func(Frozen) bool) (n int, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return 0, err
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), "frozen-") {
			continue
		}
		name := filepath.Join(dir, e.Name())
		b, err := os.ReadFile(name)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			return n, err
		}
		if f, err := decodeFrozen(b); err == nil && !which(f) {
			continue
		}
		err = os.Remove(name)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}
