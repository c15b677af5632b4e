package journal

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pimento-memory/pimento/internal/regular"
)

// The spool holds one file for each note that found the lock taken. A file is
// written under a temporary name and renamed, so that it is either whole or not
// there, and nobody ever adds to it. Folding writes the lines of all of them
// into the journal before anything else, and removes them then. Killed in
// between, the next writer finds them again, and their IDs right at the end of
// the file, so they are not written twice.
const (
	spoolExt = ".jsonl"
	// tempAge is how far a temporary file must lie behind the journal's last
	// change to be taken for the rest of a killed process.
	tempAge = time.Hour
)

// spool stores a batch for the next writer.
func (j *Journal) spool(b batch) error {
	dir := j.path("spool")
	tmp, err := regular.WriteTemp(dir, bytes.Join(b.lines, nil))
	if err != nil {
		return err
	}
	// The first ID keeps files in the order of their events, as far as IDs do.
	name := spoolName(b.ids[0]) + "-" + strings.TrimSuffix(filepath.Base(tmp), regular.TempExt) + spoolExt
	if err = os.Rename(tmp, filepath.Join(dir, name)); err != nil {
		os.Remove(tmp)
	}
	return err
}

// spoolName makes a file name's part of an ID.
func spoolName(id string) string {
	keep := func(r rune) rune {
		if r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return -1
	}
	id = strings.Map(keep, id)
	return id[:min(len(id), 32)]
}

// foldSpool appends what lies in the spool and removes it. The caller holds
// the lock; f ends at size. It returns the new size.
func (j *Journal) foldSpool(f *os.File, size int64) (int64, error) {
	names, err := j.spooled()
	if err != nil || len(names) == 0 {
		return size, err
	}
	var b batch
	var folded []string
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			continue // one bad file must not stop all writing
		}
		b.add(data)
		folded = append(folded, name)
	}
	size, err = appendBatch(f, size, b)
	if err != nil {
		return size, err
	}
	for _, name := range folded {
		if err := os.Remove(name); err != nil {
			return size, err
		}
	}
	j.sweepTemps(f)
	return size, nil
}

// add takes up the whole lines of a spool file; a machine that lost power may
// have left others.
func (b *batch) add(data []byte) {
	for line := range bytes.Lines(data) {
		if fl, ok := scanLine(line); ok && json.Valid(line) {
			b.ids = append(b.ids, string(fl.id))
			b.lines = append(b.lines, append(bytes.TrimRight(line, "\n"), '\n'))
		}
	}
}

// spooled lists the spool files, sorted.
func (j *Journal) spooled() ([]string, error) {
	d, err := os.Open(j.path("spool"))
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer d.Close()
	all, err := d.Readdirnames(-1)
	if err != nil && err != io.EOF {
		return nil, err
	}
	var names []string
	for _, name := range all {
		if strings.HasSuffix(name, spoolExt) {
			names = append(names, filepath.Join(d.Name(), name))
		}
	}
	slices.Sort(names)
	return names, nil
}

// spoolRests says whether the spool is as it was when it was last found empty. A
// stamp younger than the clock's grain proves nothing, so it is believed only
// once the directory has rested for a while before it was looked at.
func (j *Journal) spoolRests() bool {
	st, err := os.Stat(j.path("spool"))
	if err != nil {
		return errors.Is(err, os.ErrNotExist)
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.emptySpool.Equal(st.ModTime()) {
		return true
	}
	if names, err := j.spooled(); err == nil && len(names) == 0 {
		if now, err := os.Stat(j.path("spool")); err == nil && now.ModTime().Equal(st.ModTime()) && rested(j.eventsPath(), st) {
			j.emptySpool = st.ModTime()
		}
		return true
	}
	return false
}

// rested says whether the spool has not changed for a second as the journal's
// own stamp tells: what time it is, nobody here asks.
func rested(events string, spool os.FileInfo) bool {
	st, err := os.Stat(events)
	return err == nil && st.ModTime().Sub(spool.ModTime()) > time.Second
}

// sweepTemps removes temporary spool files that are long abandoned. What time
// it is, it takes from the journal, which was just written.
func (j *Journal) sweepTemps(f *os.File) {
	st, err := f.Stat()
	if err != nil {
		return
	}
	entries, _ := os.ReadDir(j.path("spool"))
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), regular.TempExt) {
			continue
		}
		if t, err := e.Info(); err == nil && st.ModTime().Sub(t.ModTime()) > tempAge {
			os.Remove(filepath.Join(j.path("spool"), e.Name()))
		}
	}
}

// absorb folds the spool in before a read, if there is one and the lock is
// free. What stays behind is shown by a later read.
func (j *Journal) absorb(ctx context.Context) {
	if j.spoolRests() {
		return
	}
	if names, err := j.spooled(); err != nil || len(names) == 0 {
		return
	}
	unlock, err := j.tryLock(ctx)
	if err != nil {
		return
	}
	defer unlock()
	j.write(batch{}, false) // on failure the spool is still there
}
