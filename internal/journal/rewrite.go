package journal

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/pimento-memory/pimento"
)

// Rewrite calls keep for every event, those of a later version included, and
// drops it if keep returns false. Keep may also change the event, e.g. clear
// its Text, so long as its line does not get longer; if it does, Rewrite fails
// with pimento.KindUsage and nothing is changed. The result replaces the
// journal at once and is on the disk when Rewrite returns.
//
// What is taken out is overwritten with blanks and every line keeps its
// offset, so the file does not shrink and marks keep their meaning. Lines that
// are no events are taken out, too, and those that a Repair has set aside: a purge
// must not leave text behind because nobody can tell what it belongs to.
func (j *Journal) Rewrite(ctx context.Context, keep func(*pimento.Event) bool) error {
	if f, err := j.openEvents(); err != nil {
		return j.fail("rewrite", err)
	} else if f == nil {
		if names, err := j.spooled(); err != nil || len(names) == 0 {
			return j.fail("rewrite", err)
		}
	} else {
		f.Close()
	}
	unlock, err := j.lock(ctx)
	if err != nil {
		return j.fail("rewrite", err)
	}
	defer unlock()
	if _, err := j.write(batch{}, false); err != nil {
		return j.fail("rewrite", err)
	}
	if err := os.Remove(j.DamagedPath()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return j.fail("rewrite", err)
	}
	return j.fail("rewrite", j.replace(ctx, func(line []byte) ([]byte, error) { return rewritten(line, keep) }))
}

// replace writes a new file, with what becomes of each line, and renames it over
// the old one. The caller holds the lock.
func (j *Journal) replace(ctx context.Context, become func(line []byte) ([]byte, error)) (err error) {
	old, err := j.openEvents()
	if err != nil {
		return err
	}
	defer old.Close()
	name := j.path("events.tmp")
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(name)
		}
	}()
	w := bufio.NewWriterSize(f, chunk)
	if err := copyKept(ctx, w, old, become); err != nil {
		return err
	}
	if err := errors.Join(w.Flush(), f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := os.Rename(name, j.eventsPath()); err != nil {
		return err
	}
	os.Remove(j.snapshotPath()) // of another generation now
	return syncDir(j.dir)
}

// copyKept copies the lines of old under a new generation.
func copyKept(ctx context.Context, w *bufio.Writer, old *reading, become func(line []byte) ([]byte, error)) error {
	gen, end, err := extent(old, old.stamp.Size())
	if err != nil {
		return err
	}
	from := int64(0)
	if gen.rewrite < 0 { // its first line was lost; there is no room to put it back
		gen = generation{lineage: nonce()}
	} else {
		gen.rewrite++
		from = int64(len(gen.line()))
	}
	if _, err := w.Write(gen.line()); err != nil {
		return err
	}
	var failed error
	_, err = eachLine(ctx, old, from, end, func(_ int64, line []byte) bool {
		var out []byte
		if out, failed = become(line); failed != nil {
			return false
		}
		w.Write(out) // a bufio.Writer keeps its first error for Flush
		for range len(line) - len(out) {
			w.WriteByte(' ')
		}
		w.WriteByte('\n')
		return true
	})
	return errors.Join(failed, err)
}

// rewritten is what remains of a line.
func rewritten(line []byte, keep func(*pimento.Event) bool) ([]byte, error) {
	var ev pimento.Event
	if json.Unmarshal(line, &ev) != nil {
		return nil, nil
	}
	before, err := json.Marshal(ev)
	if err != nil {
		return nil, nil
	}
	if !keep(&ev) {
		return nil, nil
	}
	after, err := json.Marshal(ev)
	if err == nil && bytes.Equal(before, after) {
		return line, nil
	}
	if err == nil && len(after) > len(line) {
		err = fmt.Errorf("event %s would grow from %d to %d bytes", ev.ID, len(line), len(after))
	}
	if err != nil {
		return nil, &pimento.Error{Op: "journal.rewrite", Path: ev.ID, Kind: pimento.KindUsage, Err: err}
	}
	return after, nil
}
