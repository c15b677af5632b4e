package vectors

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/gofrs/flock"

	"github.com/pimento-memory/pimento"
)

var le = binary.LittleEndian

// A Store holds the vectors of one embedder. Its methods may be called from
// several goroutines, and the directory used by several processes.
type Store struct {
	dir, name string
	dim       int
	lock      *flock.Flock
	writing   chan struct{} // holds one while a goroutine of this process writes

	mu     sync.Mutex // guards what follows; nobody waits for a lock with it
	closed bool
	base   *columns // nil: there is no file yet
	gen    uint64
	hurt   bool   // rows were found damaged; the next writer makes new files
	seen   uint64 // see Batch
	log    *os.File
	end    int64 // of the log, as far as it was read
	tail   []row // of the log
	at     map[key]bool

	own     []row  // rows that could not be stored
	ownSeen uint64 // and a mark that could not, 0 for none
}

// Open opens the vectors that the embedder of that id made, dim floats each, in
// a directory that need not exist. Files that make no sense or cannot be read
// count as absent. The only error is that of ctx.
func Open(ctx context.Context, dir, id string, dim int) (*Store, error) {
	sum := sha256.Sum256([]byte(id))
	s := &Store{dir: dir, name: hex.EncodeToString(sum[:6]), dim: dim, writing: make(chan struct{}, 1), at: map[key]bool{}}
	s.lock = flock.New(filepath.Join(dir, "VECLOCK"), flock.SetPermissions(0o600))
	return s, s.Refresh(ctx)
}

func (s *Store) basePath() string { return filepath.Join(s.dir, s.name+".vec") }

func (s *Store) logPath(gen uint64) string {
	return filepath.Join(s.dir, fmt.Sprintf("%s-%d.log", s.name, gen))
}

// Close releases what is open. What is added afterwards is refused.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	s.base.close()
	s.base = nil
	s.forgetLog()
	return nil
}

// Refresh takes up what other processes have added or taken away.
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
	if s.closed {
		return
	}
	if !s.base.is(s.basePath()) {
		b := openColumns(s.basePath(), s.dim)
		if b != nil || s.base != nil {
			s.base.close()
			s.base, s.gen, s.hurt = b, b.generation(), false
			s.forgetLog()
		}
	}
	s.readLog()
}

// forgetLog drops what came from the log, and what was to go into it.
func (s *Store) forgetLog() {
	if s.log != nil {
		s.log.Close()
	}
	s.log, s.end, s.tail, s.at, s.seen = nil, 0, nil, map[key]bool{}, s.base.seenMark()
	s.own, s.ownSeen = nil, 0
}

// keep takes a row of the log into the tail.
func (s *Store) keep(r row) {
	switch mark, ok := r.mark(); {
	case ok:
		s.seen, s.ownSeen = mark, 0
	case !s.at[r.key]:
		s.at[r.key] = true
		s.tail = append(s.tail, r)
	}
}

// remember keeps rows that cannot be stored for this process, until they can.
func (s *Store) remember(rows []row, mark uint64, err error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return errClosed
	}
	for _, r := range rows {
		if !s.has(r.key) {
			s.at[r.key] = true
			s.own = append(s.own, r)
		}
	}
	if mark != 0 {
		s.ownSeen = mark
	}
	return err
}

// Seen is the mark of the last batch that had one, 0 for none: of what was there
// when it was taken, every statement has been embedded.
func (s *Store) Seen() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.hurt:
		return 0
	case s.ownSeen != 0:
		return s.ownSeen
	}
	return s.seen
}

// Missing are those of the statements that have no vector.
func (s *Store) Missing(sts []pimento.Statement) []pimento.Statement {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(sts), func(st pimento.Statement) bool {
		k, ok := keyOf(st)
		return !ok || s.has(k)
	})
}

func (s *Store) has(k key) bool { return s.at[k] || s.base.find(k) >= 0 }

var errClosed = errors.New("closed")
