package vectors

import (
	"errors"
	"io"
	"os"
	"slices"

	"github.com/pimento-memory/pimento/internal/regular"
)

// readLog takes up rows that were appended since. A log that is gone, or is not
// the one that was read, or has shrunk, is read anew; one that cannot be read is
// to be made anew. The file stays open, so that no other one can be taken for it.
// The caller holds mu.
func (s *Store) readLog() {
	info, err := os.Stat(s.logPath(s.gen))
	if errors.Is(err, os.ErrNotExist) {
		if s.log != nil {
			s.forgetLog()
		}
		return
	}
	if err != nil || !info.Mode().IsRegular() {
		s.hurt = true
		return
	}
	if s.log != nil {
		if was, err := s.log.Stat(); err != nil || !os.SameFile(was, info) || info.Size() < s.end {
			s.forgetLog()
		}
	}
	if s.log == nil {
		if s.log, err = regular.Open(s.logPath(s.gen), os.O_RDONLY, 0); err != nil {
			s.log, s.hurt = nil, true
			return
		}
	}
	if info.Size() > s.end {
		s.readRows(info.Size())
	}
}

// readRows reads the log's rows up to a size.
func (s *Store) readRows(size int64) {
	b := make([]byte, size-s.end)
	n, err := s.log.ReadAt(b, s.end)
	if err != nil && err != io.EOF {
		s.hurt = true
		return
	}
	rows := n / s.rowBytes()
	if len(s.at) == 0 {
		s.at = make(map[key]bool, rows)
	}
	s.tail = slices.Grow(s.tail, rows)
	codes := make([]byte, rows*codeBytes(s.dim))
	for b = b[:n]; len(b) >= s.rowBytes(); b, codes = b[s.rowBytes():], codes[codeBytes(s.dim):] {
		s.end += int64(s.rowBytes())
		if r, ok := decodeRow(key(b), b[keyBytes:s.rowBytes()], s.dim, codes[:codeBytes(s.dim)]); ok {
			s.keep(r)
		} else {
			s.hurt = true
		}
	}
}
