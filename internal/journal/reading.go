package journal

import (
	"errors"
	"io/fs"
	"os"

	"github.com/pimento-memory/pimento/internal/regular"
)

// An opened file of events stays open from one reading to the next, because to
// look whether it is still the one in its place costs a tenth of opening it.
type opened struct {
	f       *os.File
	is      os.FileInfo
	users   int  // readings that are not closed
	retired bool // another one is in its place
}

// retire closes the file as soon as nobody reads it any more.
func (o *opened) retire() {
	if o != nil {
		o.retired = true
		o.release(0)
	}
}

func (o *opened) release(users int) {
	if o.users -= users; o.retired && o.users == 0 {
		o.f.Close()
	}
}

// A reading is a use of the events file. Its stamp is that of before it began: a
// line written since may be among what is read, and none from before is missing.
type reading struct {
	*os.File
	stamp os.FileInfo
	j     *Journal
	of    *opened
}

// Close ends the reading.
func (r *reading) Close() {
	r.j.opening.Lock()
	defer r.j.opening.Unlock()
	r.of.release(1)
}

// openEvents opens the events for reading; a journal that does not exist yet
// is nil without an error.
func (j *Journal) openEvents() (*reading, error) {
	j.opening.Lock()
	defer j.opening.Unlock()
	if j.kept != nil {
		// What is open keeps its number on the disk, so that no other file has it.
		if now, err := os.Stat(j.eventsPath()); err == nil && os.SameFile(now, j.kept.is) {
			return j.reading(now), nil
		}
		j.kept.retire()
		j.kept = nil
	}
	f, err := regular.Open(j.eventsPath(), os.O_RDONLY, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	now, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, err
	}
	j.kept = &opened{f: f, is: now}
	return j.reading(now), nil
}

func (j *Journal) reading(now os.FileInfo) *reading {
	j.kept.users++
	return &reading{j.kept.f, now, j, j.kept}
}
