package vectors

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"hash/crc32"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/pimento-memory/pimento"
)

// A Batch is what is added at once.
type Batch struct {
	Statements []pimento.Statement
	Vectors    [][]float32 // of length 1, one for each statement; nil where none is to be had

	// Mark, when not 0, says that with this batch every statement has been embedded
	// that was there when the caller took the mark. [Store.Seen] repeats it.
	Mark uint64

	// Live says whether a statement still stands somewhere. When files are merged the
	// rows of others are left out. Nil means that nobody knows.
	Live func(pimento.Statement) bool
}

const (
	// lockWait is how long a writer waits for another one: less than a turn can spare.
	lockWait  = 5 * time.Millisecond
	lockRetry = time.Millisecond

	// tailRows is how long a log grows, at least, that every process reads.
	tailRows = 512
)

// Add stores vectors. Those that cannot be stored now (the disk does not let us,
// another process is writing) hold for this process and are stored with the next
// batch; the error is of pimento.KindUnavailable.
func (s *Store) Add(ctx context.Context, b Batch) error {
	var rows []row
	seen := map[key]bool{}
	for i, st := range b.Statements {
		k, ok := keyOf(st)
		if v := b.Vectors[i]; ok && !seen[k] && (len(v) == 0 || len(v) == s.dim) {
			seen[k] = true
			rows = append(rows, quantize(k, v, s.dim))
		}
	}
	err := s.claim(ctx)
	if err == nil {
		defer s.release()
		err = s.write(rows, b)
	}
	if err != nil {
		err = s.remember(rows, b.Mark, err)
	}
	return s.fail(err)
}

// claim makes this goroutine the only writer there is.
func (s *Store) claim(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, lockWait)
	defer cancel()
	select {
	case s.writing <- struct{}{}: // however late it is: of two that are ready, select takes either
	default:
		select {
		case s.writing <- struct{}{}:
		case <-ctx.Done():
			return errBusy
		}
	}
	err := os.MkdirAll(s.dir, 0o700)
	if err == nil {
		var ok bool
		if ok, err = s.lock.TryLock(); !ok && err == nil { // at least once, however slow the disk is
			ok, _ = s.lock.TryLockContext(ctx, lockRetry)
			err = errBusy
		}
		if ok {
			return nil
		}
	}
	<-s.writing
	return err
}

func (s *Store) release() {
	_ = s.lock.Unlock()
	<-s.writing
}

var errBusy = errors.New("the vectors are being written by somebody else")

// write appends to the log, or merges when it is long. The caller is the only
// writer.
func (s *Store) write(rows []row, b Batch) error {
	s.mu.Lock()
	s.load()
	if s.closed {
		s.mu.Unlock()
		return errClosed
	}
	rows = append(slices.Clone(s.own), slices.DeleteFunc(rows, func(r row) bool { return s.has(r.key) })...)
	mark := cmp.Or(b.Mark, s.ownSeen)
	if len(rows) == 0 && (mark == 0 || mark == s.seen) && !s.hurt {
		s.mu.Unlock()
		return nil
	}
	if !s.hurt && len(s.tail)+len(rows) <= max(tailRows, s.base.rows()/8) {
		defer s.mu.Unlock()
		return s.appendLog(rows, mark)
	}
	if !s.hurt {
		mark = cmp.Or(mark, s.seen)
	}
	base, all := s.base, slices.Concat(s.tail, rows)
	s.mu.Unlock() // a merge takes a while, and those who search go on meanwhile
	if err := s.merge(base, all, mark, b.Live); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.load()
	return nil
}

// appendLog writes rows behind those of the log. The caller holds mu.
func (s *Store) appendLog(rows []row, mark uint64) error {
	var b []byte
	if mark != 0 {
		rows = append(rows, markRow(mark, s.dim))
	}
	for _, r := range rows {
		b = r.value(append(b, r.key[:]...))
	}
	f, err := os.OpenFile(s.logPath(s.gen), os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteAt(b, s.end) // over what a crash tore
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	for _, r := range s.own {
		delete(s.at, r.key)
	}
	s.own, s.ownSeen = nil, 0
	s.readLog()
	return nil
}

// merge writes the live ones of base and rows as a new file. The caller is the
// only writer.
func (s *Store) merge(base *columns, all []row, mark uint64, live func(pimento.Statement) bool) error {
	if live == nil {
		live = func(pimento.Statement) bool { return true }
	}
	all = slices.DeleteFunc(all, func(r row) bool { return !live(r.key.statement()) })
	hurt, err := base.each(func(r row) {
		if live(r.key.statement()) {
			all = append(all, r)
		}
	})
	if err != nil {
		return err
	}
	if hurt {
		mark = 0 // to be made again
	}
	slices.SortFunc(all, func(a, b row) int { return bytes.Compare(a.key[:], b.key[:]) })
	all = slices.CompactFunc(all, func(a, b row) bool { return a.key == b.key })
	old, gen := s.logPath(base.generation()), base.generation()+1
	os.Remove(s.logPath(gen)) // of a writer that was killed
	if err := writeColumns(s.basePath(), s.dim, gen, mark, all); err != nil {
		return err
	}
	os.Remove(old)
	return nil
}

func writeColumns(path string, dim int, gen, mark uint64, rows []row) error {
	var body []byte
	for _, r := range rows {
		body = append(body, r.key[:]...)
	}
	for _, r := range rows {
		body = append(body, r.code...)
	}
	b := append(make([]byte, 0, headBytes+len(body)+len(rows)*valueBytes(dim)), fileMagic[:]...)
	b = le.AppendUint32(b, uint32(dim))
	b = le.AppendUint32(b, uint32(len(rows)))
	b = le.AppendUint64(b, gen)
	b = le.AppendUint64(b, mark)
	b = le.AppendUint32(b, crc32.ChecksumIEEE(body))
	b = le.AppendUint32(b, crc32.ChecksumIEEE(b))
	b = append(b, body...)
	for _, r := range rows {
		b = r.value(b)
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*.tmp")
	if err != nil {
		return err
	}
	_, err = tmp.Write(b)
	if err = errors.Join(err, tmp.Close()); err == nil {
		err = os.Rename(tmp.Name(), path)
	}
	if err != nil {
		os.Remove(tmp.Name())
	}
	return err
}
