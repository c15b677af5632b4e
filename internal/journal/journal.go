// Package journal keeps what happened: an append-only list of events, one JSON
// object on one line, in a private directory of its own (one per scope root).
// It does I/O in that directory only and never looks at the clock: times come
// in with the events.
//
// The directory holds
//
//	events.jsonl   the events, oldest first; the only file that matters
//	lock           held exclusively by whoever writes
//	damaged        lines that Repair took out of the events
//	spool/         notes that found the lock taken, folded in by the next writer
//	snapshot       the fold of the events so far; deletable, rebuilt by itself
//	snapshot.lock  held by whoever rebuilds it
//
// # Lines
//
// An event exists once the newline at the end of its line is written. Readers
// take no lock: they stop at the last newline. A last line without one is a
// crash (or a write under way) and invisible; the next writer heals it, adding
// the newline if the line is a whole object and cutting it off if it is not. A
// line in the middle that is no JSON object is skipped and counted.
//
// An event whose ID stands in the last [Window] bytes (or twice the size of
// what is being written, if that is more) is not written again. So a retried
// Append, a spool folded in twice because its folder was killed, and the same
// sync seen by two processes all leave one line, and readers need not compare
// IDs. Farther apart than that, equal IDs are two lines; the fold is built so
// that what a sync saw (appeared, aliased) changes nothing the second time.
//
// # Positions
//
// The first line names the journal's lineage (random, fixed when the file is
// created) and how often it has been rewritten. A rewrite keeps every line at
// its offset, filling what it removes with blanks, so an offset holds for the
// whole life of a lineage. That is what makes a [Mark] survive a purge with
// nothing shown twice and nothing lost.
//
// # The fold
//
// [Record] is what the events say about one statement. Folding 100,000 events
// on every turn would cost too much, so a writer that leaves more than
// [SnapshotBytes] unfolded writes the fold as a sorted table of fixed-width
// rows; a reader looks its statements up there and folds the rest of the file
// on top. Every block of the table has its own checksum and is read when
// first needed; whatever is wrong with the table, it is deleted and the file
// folded from its start.
package journal

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/pimento-memory/pimento"
)

const (
	// Window is how many bytes a writer looks back for an event's ID.
	Window = 64 << 10
	// SnapshotBytes is the size of unfolded events that makes a writer renew
	// the snapshot. It bounds what a turn must read.
	SnapshotBytes = 128 << 10
)

// A Journal is one directory of events. All methods may be called from several
// goroutines and several processes.
type Journal struct {
	dir string

	mu         sync.Mutex // guards what follows
	view       *view      // the fold as far as this process has read; nil at first
	emptySpool time.Time  // the spool's stamp when it was found empty

	opening sync.Mutex // guards kept
	kept    *opened    // the events as they were last opened for reading; nil at first
}

// Open returns the journal in dir, which need not exist yet and may be
// read-only. It reads nothing.
func Open(dir string) (*Journal, error) {
	if dir == "" {
		return nil, &pimento.Error{Op: "journal", Kind: pimento.KindUsage, Err: errors.New("no directory")}
	}
	return &Journal{dir: dir}, nil
}

// Dir is where the journal lies.
func (j *Journal) Dir() string { return j.dir }

// Close releases what reads have kept open. The journal stays usable.
func (j *Journal) Close() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.forgetView()
	j.opening.Lock()
	defer j.opening.Unlock()
	j.kept.retire()
	j.kept = nil
	return nil
}

// Append writes the events and returns when they are on the disk. It waits for
// the lock as long as ctx allows. Either all events are written or none.
// Events without a version or an ID get one. Errors are of
// pimento.KindUnavailable (full or read-only disk, ctx done) and, for an event
// that is no JSON, pimento.KindUsage.
func (j *Journal) Append(ctx context.Context, evs []pimento.Event) error {
	b, err := encode(evs)
	if err != nil || len(evs) == 0 {
		return err
	}
	if err := j.makeDir(); err != nil {
		return j.fail("append", err)
	}
	unlock, err := j.lock(ctx)
	if err != nil {
		return j.fail("append", err)
	}
	size, err := j.write(b, true)
	unlock()
	if err != nil {
		return j.fail("append", err)
	}
	j.renewSnapshot(ctx, size)
	return nil
}

// Note writes events that nobody waits for. It tries the lock for 5 ms at most
// and does not sync the disk; when the lock is taken the events go to the
// spool, and the next writer or reader that gets the lock folds them in. A
// done ctx only shortens the wait. Errors are those of Append.
func (j *Journal) Note(ctx context.Context, evs []pimento.Event) error {
	b, err := encode(evs)
	if err != nil || len(evs) == 0 {
		return err
	}
	if err := j.makeDir(); err != nil {
		return j.fail("note", err)
	}
	unlock, err := j.tryLock(ctx)
	if err != nil {
		return j.fail("note", j.spool(b))
	}
	size, err := j.write(b, false)
	unlock()
	if err != nil {
		return j.fail("note", err)
	}
	j.renewSnapshot(ctx, size)
	return nil
}

// A batch is encoded events: one line each, newline included.
type batch struct {
	ids   []string
	lines [][]byte
}

// encode makes lines of the events, completing version and ID.
func encode(evs []pimento.Event) (batch, error) {
	var b batch
	for _, ev := range evs {
		if ev.V == 0 {
			ev.V = pimento.EventVersion
		}
		if ev.ID == "" {
			ev.ID = nonce()
		}
		line, err := json.Marshal(ev)
		if err != nil {
			return batch{}, &pimento.Error{Op: "journal.encode", Path: ev.ID, Kind: pimento.KindUsage, Err: err}
		}
		b.ids = append(b.ids, ev.ID)
		b.lines = append(b.lines, append(line, '\n'))
	}
	return b, nil
}

// nonce is 16 random hex digits.
func nonce() string {
	var b [8]byte
	rand.Read(b[:]) // never fails, see crypto/rand
	return hex.EncodeToString(b[:])
}

func (j *Journal) path(name string) string { return filepath.Join(j.dir, name) }
func (j *Journal) eventsPath() string      { return j.path("events.jsonl") }

// makeDir creates the directory, private to this user.
func (j *Journal) makeDir() error {
	if _, err := os.Stat(j.dir); err == nil {
		return nil
	}
	if err := os.MkdirAll(j.dir, 0o700); err != nil {
		return err
	}
	return syncDir(filepath.Dir(j.dir))
}

// fail turns a failure of the machine into the error of this package's border.
func (j *Journal) fail(op string, err error) error {
	if err == nil {
		return nil
	}
	if _, ok := errors.AsType[*pimento.Error](err); ok {
		return err
	}
	hint := "check that the disk is not full and the directory belongs to you"
	if errors.Is(err, context.DeadlineExceeded) {
		hint = "others were using it: try again"
	}
	return &pimento.Error{Op: "journal." + op, Path: j.dir, Kind: pimento.KindUnavailable, Err: err, Hint: hint}
}

// syncDir makes the names in a directory durable.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}
