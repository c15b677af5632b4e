package journal

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"

	"github.com/pimento-memory/pimento/internal/regular"
)

// write heals the end of the file, folds the spool in, and appends the batch
// with one write. The caller holds the lock. It returns the file's new size.
func (j *Journal) write(b batch, durable bool) (int64, error) {
	f, created, err := j.openForWriting()
	if err != nil {
		return 0, err
	}
	defer f.Close()
	size, err := heal(f)
	if err != nil {
		return 0, err
	}
	if size, err = j.foldSpool(f, size); err != nil {
		return 0, err
	}
	if size, err = appendBatch(f, size, b); err != nil {
		return 0, err
	}
	if !durable {
		return size, nil
	}
	if err := f.Sync(); err != nil {
		return 0, err
	}
	if created {
		err = syncDir(j.dir)
	}
	return size, err
}

// openForWriting opens the events, creating them if need be.
func (j *Journal) openForWriting() (f *os.File, created bool, err error) {
	f, err = regular.Open(j.eventsPath(), os.O_RDWR, 0)
	if errors.Is(err, os.ErrNotExist) {
		f, err = regular.Open(j.eventsPath(), os.O_RDWR|os.O_CREATE, 0o600)
		created = true
	}
	return f, created, err
}

// heal ends the file at the end of a line and begins it with a generation: a
// last line without a newline gets one if it is a whole object, and is cut off
// if not. It returns the size afterwards.
func heal(f *os.File) (int64, error) {
	st, err := f.Stat()
	if err != nil {
		return 0, err
	}
	size := st.Size()
	end, err := lastNewline(f, size)
	if err != nil {
		return 0, err
	}
	if end < size {
		torn := make([]byte, size-end)
		if _, err := f.ReadAt(torn, end); err != nil && err != io.EOF {
			return 0, err
		}
		if wholeObject(torn) {
			if err := writeAt(f, size, []byte{'\n'}); err != nil {
				return 0, err
			}
			end = size + 1
		} else if err := f.Truncate(end); err != nil {
			return 0, err
		}
	}
	if end > 0 {
		return end, nil
	}
	head := generation{lineage: nonce()}.line()
	return int64(len(head)), writeAt(f, 0, head)
}

func wholeObject(b []byte) bool {
	return len(bytes.TrimSpace(b)) > 0 && bytes.TrimSpace(b)[0] == '{' && json.Valid(b)
}

// writeAt writes b at the end of a file of the given size, all of it or
// nothing: what a full disk cut short is taken back.
func writeAt(f *os.File, size int64, b []byte) error {
	if len(b) == 0 {
		return nil
	}
	if _, err := f.WriteAt(b, size); err != nil {
		return errors.Join(err, f.Truncate(size))
	}
	return nil
}

// appendBatch writes what of the batch does not stand near the end of the file
// yet, and returns the new size.
func appendBatch(f *os.File, size int64, b batch) (int64, error) {
	total := 0
	for _, line := range b.lines {
		total += len(line)
	}
	if total == 0 {
		return size, nil
	}
	fresh := make(map[string]bool, len(b.ids))
	for _, id := range b.ids {
		fresh[id] = true
	}
	if err := forgetRecent(f, size, max(Window, 2*int64(total)), fresh); err != nil {
		return size, err
	}
	out := make([]byte, 0, total)
	for i, line := range b.lines {
		if id := b.ids[i]; fresh[id] {
			fresh[id] = false
			out = append(out, line...)
		}
	}
	if err := writeAt(f, size, out); err != nil {
		return size, err
	}
	return size + int64(len(out)), nil
}

// forgetRecent takes the IDs of the events in the last window bytes before size out
// of fresh.
func forgetRecent(f *os.File, size, window int64, fresh map[string]bool) error {
	from := max(0, size-window)
	whole := from == 0 // else the first line read is a piece of one
	_, err := eachLine(context.Background(), f, from, size, func(_ int64, line []byte) bool {
		if whole && fresh[string(lineID(line))] {
			delete(fresh, string(lineID(line)))
		}
		whole = true
		return true
	})
	return err
}
