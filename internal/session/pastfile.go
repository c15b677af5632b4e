package session

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
)

// A reading is what a file of pasts held when it was last read.
type reading struct {
	file  os.FileInfo
	size  int64  // as far as it was read: to the end of a line
	end   []byte // what stood before that
	lines int
	at    map[string]int // by id, in all
	all   []Past
}

// endBytes is how much of a file's end is compared: a file that others have written
// anew may have the number of the one before.
const endBytes = 256

// read is what the file holds, a text for each session and summary, in the order in
// which they began. Of a file that has only grown, what is new is read. The caller
// may change the list. The error is of pimento.KindUnavailable.
func (p *Pasts) read() ([]Past, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	err := p.last.update(p.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		p.last = reading{}
		return nil, nil
	case err != nil:
		p.last = reading{}
		return nil, unavailable("session.pasts", p.path, err)
	}
	return slices.Clone(p.last.all), nil
}

// lines is how many lines the file had when it was last read, 0 if it was not.
func (p *Pasts) lines() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.last.lines
}

func (r *reading) update(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	now, err := f.Stat()
	if err != nil {
		return err
	}
	if !r.continues(f, now) {
		*r = reading{at: map[string]int{}}
	}
	b, err := io.ReadAll(io.NewSectionReader(f, r.size, 1<<62))
	if err != nil {
		return err
	}
	r.file = now
	if b = b[:bytes.LastIndexByte(b, '\n')+1]; len(b) == 0 { // who is writing a line writes its end, too
		return nil
	}
	r.fold(b)
	r.size += int64(len(b))
	r.end = append(r.end, b[max(0, len(b)-endBytes):]...)
	r.end = slices.Clone(r.end[max(0, len(r.end)-endBytes):])
	return nil
}

// continues says whether a file is the one that was read, and has at most grown.
func (r *reading) continues(f *os.File, now os.FileInfo) bool {
	if r.file == nil || !os.SameFile(r.file, now) || now.Size() < r.size {
		return false
	}
	end := make([]byte, len(r.end))
	_, err := f.ReadAt(end, r.size-int64(len(end)))
	return err == nil && bytes.Equal(end, r.end)
}

// fold joins the lines with what was read before. One that is no past is passed over.
func (r *reading) fold(b []byte) {
	for line := range bytes.Lines(b) {
		r.lines++
		var one Past
		if json.Unmarshal(line, &one) != nil || one.Session == "" || one.Kind != Said && one.Kind != Summary {
			continue
		}
		one.ID = idOf(one)
		i, known := r.at[one.ID]
		if !known {
			if one.Kind == Said {
				one.N = max(1, one.N)
			}
			r.at[one.ID] = len(r.all)
			r.all = append(r.all, one)
			continue
		}
		r.all[i].take(one)
	}
}

// latest are the latest pasts, oldest first.
func latest(all []Past) []Past {
	slices.SortStableFunc(all, byTime)
	return all[max(0, len(all)-MaxPasts):]
}

func byTime(a, b Past) int { return a.Time.Compare(b.Time) }
