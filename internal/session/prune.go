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

// witnesses is how many other sessions of the time before a session make its date
// believed.
const witnesses = 2

// Prune is called when a session has begun. It removes those that were last in
// use more than maxAge before that one's state was stored, and where there are more
// than max, all but nine tenths of max that were used last: so it seldom has to
// compare them all. Zero means no such limit. It goes by the times of the files, as
// what is in them would have to be taken apart for every session there is, and by
// that session's file for the present: a directory that a wrong clock once dated in
// the future would otherwise make all others old. That file alone proves nothing
// either, as the clock may be wrong now: nothing is too old before some other
// sessions bear the date out. Errors are of pimento.KindUnavailable; what could be
// removed is.
func (s *Store) Prune(ctx context.Context, harness, id string, maxAge time.Duration, max int) error {
	type session struct {
		name string // of its directory
		used time.Time
	}
	entries, err := os.ReadDir(s.dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return unavailable("session.prune", s.dir, err)
	}
	begun := s.sessionDir(harness, id)
	now := lastUse(begun) // zero if nothing of it could be stored: then nothing is too old
	borneOut := 0
	var all []session
	for _, e := range entries {
		if !e.IsDir() || !strings.Contains(e.Name(), "-") {
			continue
		}
		info, err := e.Info()
		if err != nil {
			continue // it was just removed
		}
		all = append(all, session{e.Name(), info.ModTime()})
		if age := now.Sub(info.ModTime()); 0 <= age && age <= maxAge && e.Name() != filepath.Base(begun) {
			borneOut++
		}
	}
	if borneOut < witnesses {
		maxAge = 0
	}
	// A directory changes when its session begins, and seldom after; that tells
	// nearly always that it need not be looked into.
	crowded := max > 0 && len(all) > max
	for i, x := range all {
		if crowded || maxAge > 0 && now.Sub(x.used) > maxAge {
			all[i].used = lastUse(filepath.Join(s.dir, x.name))
		}
	}
	if crowded {
		slices.SortFunc(all, func(a, b session) int {
			return cmp.Or(b.used.Compare(a.used), strings.Compare(a.name, b.name))
		})
	}
	var errs []error
	for i, x := range all {
		if x.name == filepath.Base(begun) {
			continue
		}
		if maxAge > 0 && now.Sub(x.used) > maxAge || crowded && i >= max-max/10 {
			errs = append(errs, s.remove(ctx, x.name, x.used))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return unavailable("session.prune", s.dir, err)
	}
	return nil
}

// remove removes a session under its lock, unless it was in use meanwhile.
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
	if lastUse(dir).After(seen) {
		return nil
	}
	return os.RemoveAll(dir)
}

// lastUse is when a session's state, or which files it has, last changed.
func lastUse(dir string) (last time.Time) {
	for _, name := range []string{dir, slotPath(dir, 0), slotPath(dir, 1)} {
		if info, err := os.Lstat(name); err == nil {
			last = later(last, info.ModTime())
		}
	}
	return last
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
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
