package embed

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"
	"unsafe"

	"github.com/gofrs/flock"
)

// A rowFile holds the rows of one model. It is a header and records of one
// size, little-endian:
//
//	header  "PMVEC1\n\x00", dim uint32, length of the id uint32, the id, CRC-32 of all that
//	record  key (16 bytes), dim bytes (int8), CRC-32 of both
//
// A row of zeros stands for a text without a vector. Records are only ever
// appended, under a lock; whoever appends first cuts off what a crash left
// unfinished. A record whose checksum is wrong is passed over.
type rowFile struct {
	dir, path string
	head      []byte
	dim       int

	mu   sync.Mutex
	at   int64 // up to where the file was read; 0 for not at all
	once bool  // whether it was looked for
}

type record struct {
	key Key
	row []int8 // empty for a text without a vector
}

const (
	rowSuffix = ".vec1"
	rowLock   = "lock"
	lockWait  = 2 * time.Second
	maxDim    = 1 << 16
)

func newRowFile(dir, id string, dim int) *rowFile {
	head := []byte("PMVEC1\n\x00")
	head = binary.LittleEndian.AppendUint32(head, uint32(dim))
	head = binary.LittleEndian.AppendUint32(head, uint32(len(id)))
	head = append(head, id...)
	name := sha256.Sum256(head) // of id and dimension: another model, another file
	head = binary.LittleEndian.AppendUint32(head, crc32.ChecksumIEEE(head))
	return &rowFile{dir: dir, path: filepath.Join(dir, hex.EncodeToString(name[:8])+rowSuffix), head: head, dim: dim}
}

func (f *rowFile) stride() int { return len(Key{}) + f.dim + 4 }

func (f *rowFile) seen() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.once
}

// read returns the records that were added since the last call. A file that is
// missing, or of something else, has none.
func (f *rowFile) read() ([]record, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.once = true
	file, err := os.Open(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		f.at = 0
		return nil, nil
	}
	if err != nil {
		return nil, f.trouble(err)
	}
	defer file.Close()
	end, err := f.end(file)
	if err != nil || end == 0 {
		return nil, f.trouble(err)
	}
	if f.at > end || f.at == 0 { // new, or another file by now
		f.at = int64(len(f.head))
	}
	b := make([]byte, end-f.at)
	if _, err := io.ReadFull(io.NewSectionReader(file, f.at, end-f.at), b); err != nil {
		return nil, f.trouble(err)
	}
	f.at = end
	return f.records(b), nil
}

// end is where the last whole record ends, 0 when the header is not ours.
func (f *rowFile) end(file *os.File) (int64, error) {
	info, err := file.Stat()
	if err != nil {
		return 0, err
	}
	head := make([]byte, len(f.head))
	if _, err := file.ReadAt(head, 0); err != nil && err != io.EOF {
		return 0, err
	}
	body := info.Size() - int64(len(head))
	if body < 0 || !bytes.Equal(head, f.head) {
		return 0, nil
	}
	return info.Size() - body%int64(f.stride()), nil
}

// records decodes whole records; their rows are views of b.
func (f *rowFile) records(b []byte) []record {
	step := f.stride()
	out := make([]record, 0, len(b)/step)
	for ; len(b) >= step; b = b[step:] {
		body := b[:step-4]
		if crc32.ChecksumIEEE(body) != binary.LittleEndian.Uint32(b[step-4:]) {
			continue
		}
		r := record{key: Key(body[:16])}
		if raw := body[16:]; bytes.Count(raw, []byte{0}) < len(raw) {
			r.row = unsafe.Slice((*int8)(unsafe.Pointer(&raw[0])), f.dim) // the same bytes, with a sign
		}
		out = append(out, r)
	}
	return out
}

// append adds records in one write. Whoever reads meanwhile sees whole ones.
func (f *rowFile) append(ctx context.Context, records []record) error {
	if f.dim < 1 || f.dim > maxDim {
		return f.trouble(errors.New("a model of an impossible dimension"))
	}
	if err := os.MkdirAll(f.dir, 0o700); err != nil {
		return f.trouble(err)
	}
	unlock, err := lockRows(ctx, f.dir)
	if err != nil {
		return f.trouble(err)
	}
	defer unlock()
	file, err := os.OpenFile(f.path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return f.trouble(err)
	}
	defer file.Close()
	end, err := f.end(file)
	if err != nil {
		return f.trouble(err)
	}
	var b []byte
	if end == 0 {
		b = append(b, f.head...)
	}
	for _, r := range records {
		b = f.encode(b, r)
	}
	if err := file.Truncate(end); err != nil {
		return f.trouble(err)
	}
	if _, err := file.WriteAt(b, end); err != nil {
		_ = file.Truncate(end)
		return f.trouble(err)
	}
	return nil
}

func (f *rowFile) encode(b []byte, r record) []byte {
	from := len(b)
	b = append(b, r.key[:]...)
	for i := range f.dim {
		x := byte(0)
		if len(r.row) > 0 {
			x = byte(r.row[i])
		}
		b = append(b, x)
	}
	return binary.LittleEndian.AppendUint32(b, crc32.ChecksumIEEE(b[from:]))
}

func (f *rowFile) trouble(err error) error {
	if err == nil {
		return nil
	}
	return unavailable("embed.cache", f.path, "vectors are made anew until this works; the file can be deleted", err)
}

// lockRows takes the lock of all files in dir.
func lockRows(ctx context.Context, dir string) (func(), error) {
	ctx, cancel := context.WithTimeout(ctx, lockWait)
	defer cancel()
	l := flock.New(filepath.Join(dir, rowLock), flock.SetFlag(os.O_CREATE|os.O_RDWR), flock.SetPermissions(0o600))
	if _, err := l.TryLockContext(ctx, time.Millisecond); err != nil {
		_ = l.Close()
		return nil, err
	}
	return func() { _ = l.Close() }, nil
}

// RemoveCached removes the cached vectors of all models below dir, for a text
// that has to be gone everywhere. A running [Cache] begins a new file.
func RemoveCached(ctx context.Context, dir string) error {
	names, err := filepath.Glob(filepath.Join(dir, "*"+rowSuffix))
	if err != nil || len(names) == 0 {
		return nil
	}
	unlock, err := lockRows(ctx, dir)
	if err != nil {
		return unavailable("embed.cache", dir, "another process is writing: try again", err)
	}
	defer unlock()
	for _, name := range names {
		if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return unavailable("embed.cache", name, "delete it yourself", err)
		}
	}
	return nil
}
