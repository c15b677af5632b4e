package vectors

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/gofrs/flock"

	"github.com/pimento-memory/pimento"
)

var le = binary.LittleEndian

const (
	headBytes = 36
	keyBytes  = 8
)

var fileMagic = [8]byte{'P', 'M', 'V', 'E', 'C', 0, 0, 3}

// A key is a statement in binary.
type key [keyBytes]byte

func keyOf(st pimento.Statement) (k key, ok bool) {
	b, err := hex.DecodeString(string(st))
	if err != nil || len(b) != keyBytes {
		return k, false
	}
	return key(b), true
}

func (k key) statement() pimento.Statement { return pimento.Statement(hex.EncodeToString(k[:])) }

// A Store holds the vectors of one embedder. Its methods may be called from
// several goroutines, and the directory used by several processes.
type Store struct {
	dir, name string
	dim       int
	lock      *flock.Flock

	mu   sync.Mutex // guards what follows
	base *columns   // nil: there is no file yet
	gen  uint64
	done bool // every page of the root has been embedded once
	hurt bool // rows were found damaged; the next writer makes new files
	tail []row
	at   map[key]bool // of the tail
	end  int64        // of the log, as far as it was read
}

// A row is one vector as it is stored: a number is half a byte, from -7 to 7,
// times the scale.
type row struct {
	key    key
	scale  float32
	halves []byte
	code   []byte
}

// halfBytes is the size of dim numbers, valueBytes that of a row's value: the
// upper half of its scale, its numbers, a checksum of these and the key.
func halfBytes(dim int) int  { return (dim + 1) / 2 }
func valueBytes(dim int) int { return 2 + halfBytes(dim) + 4 }

// rowBytes is the size of a row in the log.
func (s *Store) rowBytes() int { return keyBytes + valueBytes(s.dim) }

// codeBits is how many numbers of a vector have their sign in its code: more of
// them select no better.
const codeBits = 192

func codeBytes(dim int) int { return (min(dim, codeBits) + 7) / 8 }

// Open opens the vectors that the embedder of that id made, dim floats each, in
// a directory that need not exist. Files that make no sense or cannot be read
// count as absent. The only error is that of ctx.
func Open(ctx context.Context, dir, id string, dim int) (*Store, error) {
	sum := sha256.Sum256([]byte(id))
	s := &Store{dir: dir, name: hex.EncodeToString(sum[:6]), dim: dim}
	s.lock = flock.New(filepath.Join(dir, "VECLOCK"), flock.SetPermissions(0o600))
	return s, s.Refresh(ctx)
}

func (s *Store) basePath() string { return filepath.Join(s.dir, s.name+".vec") }

func (s *Store) logPath(gen uint64) string {
	return filepath.Join(s.dir, fmt.Sprintf("%s-%d.log", s.name, gen))
}

// Close releases what is open.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.base.close()
	s.base, s.tail, s.at = nil, nil, nil
	return nil
}

// Refresh takes up what other processes have added.
func (s *Store) Refresh(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return s.fail(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.load()
	return nil
}

func (s *Store) fail(err error) error {
	if err == nil {
		return nil
	}
	return &pimento.Error{Op: "vectors", Path: s.dir, Kind: pimento.KindUnavailable, Err: err}
}

// load reads what has changed. The caller holds mu.
func (s *Store) load() {
	if !s.base.is(s.basePath()) {
		b := openColumns(s.basePath(), s.dim)
		if b == nil && s.base == nil {
			s.readLog() // nothing there, still
			return
		}
		s.base.close()
		s.base, s.gen, s.done = b, b.generation(), b.complete()
		s.tail, s.at, s.end, s.hurt = nil, map[key]bool{}, 0, false
	}
	s.readLog()
}

// readLog takes up rows that were appended since. A log that cannot be read is
// one to be made anew.
func (s *Store) readLog() {
	f, err := os.Open(s.logPath(s.gen))
	if errors.Is(err, os.ErrNotExist) {
		return
	}
	if err != nil {
		s.hurt = true
		return
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		s.hurt = true
		return
	}
	if info.Size() <= s.end {
		return
	}
	b := make([]byte, info.Size()-s.end)
	n, err := f.ReadAt(b, s.end)
	if err != nil && err != io.EOF {
		s.hurt = true
		return
	}
	for b = b[:n]; len(b) >= s.rowBytes(); b = b[s.rowBytes():] {
		s.end += int64(s.rowBytes())
		if r, ok := decodeRow(key(b), b[keyBytes:s.rowBytes()], s.dim); ok {
			s.keep(r)
		} else {
			s.hurt = true
		}
	}
}

// keep takes a row into the tail. A key of zeros marks that all is done.
func (s *Store) keep(r row) {
	if s.at == nil {
		s.at = map[key]bool{}
	}
	switch {
	case r.key == key{}:
		s.done = true
	case !s.at[r.key]:
		s.at[r.key] = true
		s.tail = append(s.tail, r)
	}
}

// decodeRow reads a row's value; ok is false for one that is damaged.
func decodeRow(k key, value []byte, dim int) (r row, ok bool) {
	if !sound(k[:], value) {
		return r, false
	}
	r = row{key: k, scale: scaleOf(value), halves: bytes.Clone(value[2 : len(value)-4])}
	r.code = signs(r.halves, dim)
	return r, true
}

// sound says whether a row's value has the right checksum.
func sound(key, value []byte) bool {
	n := len(value) - 4
	return crc32.Update(crc32.ChecksumIEEE(key), crc32.IEEETable, value[:n]) == le.Uint32(value[n:])
}

func scaleOf(value []byte) float32 { return math.Float32frombits(uint32(le.Uint16(value)) << 16) }

// value appends a row without its key.
func (r row) value(b []byte) []byte {
	start := len(b)
	b = le.AppendUint16(b, uint16(math.Float32bits(r.scale)>>16))
	b = append(b, r.halves...)
	return le.AppendUint32(b, crc32.Update(crc32.ChecksumIEEE(r.key[:]), crc32.IEEETable, b[start:]))
}

// Complete says whether every page of the root has been embedded once.
func (s *Store) Complete() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.done && !s.hurt
}

// Missing are those of the statements that have no vector.
func (s *Store) Missing(sts []pimento.Statement) []pimento.Statement {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(sts), func(st pimento.Statement) bool {
		k, ok := keyOf(st)
		return !ok || s.at[k] || s.base.find(k) >= 0
	})
}

// Add stores vectors of length 1, one for each statement; a nil one says that
// there is none to be had and is left out. complete notes that every page of the
// root has been embedded now. Without a disk that lets us they hold for this
// process, and the error is of pimento.KindUnavailable.
func (s *Store) Add(ctx context.Context, sts []pimento.Statement, vs [][]float32, complete bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	err := s.write(ctx, func() []row {
		var rows []row
		seen := map[key]bool{}
		for i, st := range sts {
			k, ok := keyOf(st)
			if ok && len(vs[i]) == s.dim && !seen[k] && !s.at[k] && s.base.find(k) < 0 {
				seen[k] = true
				rows = append(rows, quantize(k, vs[i]))
			}
		}
		if complete && (!s.done || s.hurt) {
			rows = append(rows, row{halves: make([]byte, halfBytes(s.dim))})
		}
		return rows
	})
	return s.fail(err)
}

// write appends rows to the log, or merges when it is long. The caller holds mu.
func (s *Store) write(ctx context.Context, rows func() []row) error {
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return s.remember(rows(), err)
	}
	ok, err := s.lock.TryLockContext(ctx, lockRetry)
	if !ok {
		return s.remember(rows(), errors.Join(errors.New("another process is writing the vectors"), err))
	}
	defer s.lock.Unlock()
	s.load()
	news := rows()
	if len(news) == 0 && !s.hurt {
		return nil
	}
	if s.hurt || len(s.tail)+len(news) > max(tailRows, s.base.rows()/8) {
		return s.merge(news)
	}
	return s.appendLog(news)
}

// remember keeps rows that cannot be stored for this process.
func (s *Store) remember(rows []row, err error) error {
	for _, r := range rows {
		s.keep(r)
	}
	return err
}

// tailRows is how long a log grows that every process reads.
const tailRows = 512

func (s *Store) appendLog(rows []row) error {
	f, err := os.OpenFile(s.logPath(s.gen), os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		return s.remember(rows, err)
	}
	var b []byte
	for _, r := range rows {
		b = r.value(append(b, r.key[:]...))
	}
	_, err = f.WriteAt(b, s.end) // over what a crash tore
	if err = errors.Join(err, f.Close()); err == nil {
		s.end += int64(len(b))
	}
	return s.remember(rows, err)
}
