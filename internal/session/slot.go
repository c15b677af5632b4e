package session

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/pimento-memory/pimento/internal/regular"
)

// A slot is a state as it is stored. There are two files, and a change
// overwrites the one that holds the older state: whatever happens to that
// write, the other one is whole. It is as atomic as a rename, and on some file
// systems a hundred times as cheap (see overwrite).
type slot struct {
	Seq   uint64 `json:"seq"` // grows with every change; its parity names the file
	State State  `json:"state"`
}

// errDamaged says that there are files, and none of them is good.
var errDamaged = errors.New("damaged, or written by another version")

func slotPath(dir string, seq uint64) string {
	return filepath.Join(dir, "state-"+strconv.FormatUint(seq%2, 10))
}

// A memo is what a session's files last held, so that a process that reads
// them again, under the lock or at the next prompt, need not decode them again.
type memo struct {
	dir  string
	raw  [2][]byte
	best slot
}

// slotsOf reads both files of a session; nil for one that is not there.
func slotsOf(dir string) (raw [2][]byte, err error) {
	for seq := range uint64(2) {
		b, err := regular.Read(slotPath(dir, seq))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return raw, err
		}
		raw[seq] = b
	}
	return raw, nil
}

// newer is the newer of two states; the zero slot if there is none. The older one
// is taken apart only if the newer one is damaged.
func newer(raw [2][]byte) (slot, error) {
	if claimed(raw[0]) < claimed(raw[1]) {
		raw[0], raw[1] = raw[1], raw[0]
	}
	for _, b := range raw {
		if s, ok := decodeSlot(b); ok && s.Seq > 0 {
			return s, nil
		}
	}
	if raw[0] != nil || raw[1] != nil {
		return slot{}, errDamaged
	}
	return slot{}, nil
}

// claimed is the number that a slot begins with; only its checksum tells whether
// that is true.
func claimed(b []byte) (seq uint64) {
	_, b, _ = bytes.Cut(b, []byte("\n{\"seq\":"))
	for _, c := range b {
		if c < '0' || c > '9' {
			break
		}
		seq = 10*seq + uint64(c-'0')
	}
	return seq
}

// read is the state of a session as its files have it.
func (s *Store) read(dir string) (slot, error) {
	raw, err := slotsOf(dir)
	if err != nil {
		return slot{}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.last.dir != dir || !bytes.Equal(s.last.raw[0], raw[0]) || !bytes.Equal(s.last.raw[1], raw[1]) {
		best, err := newer(raw)
		if err != nil {
			return slot{}, err
		}
		s.last = memo{dir, raw, best}
	}
	return s.last.best.clone(), nil
}

func decodeSlot(b []byte) (s slot, ok bool) {
	body, ok := unseal(b)
	if !ok || json.Unmarshal(body, &s) != nil || s.State.V != StateVersion {
		return s, false
	}
	if s.State.Shown == nil && bytes.Contains(body, []byte(`"shown":`)) {
		var before struct {
			State struct{ Shown idList } `json:"state"`
		}
		ok = json.Unmarshal(body, &before) == nil
		s.State.Shown = before.State.Shown
	}
	return s, ok
}

// clone is a copy that shares nothing that its owner may change.
func (s slot) clone() slot {
	s.State.Shown = slices.Clone(s.State.Shown)
	s.State.Compactions = slices.Clone(s.State.Compactions)
	s.State.Seen = maps.Clone(s.State.Seen)
	return s
}

// of is the state in the slot; JSON may not hold every byte of an id.
func (s slot) of(harness, id string) State {
	s.State.V, s.State.Harness, s.State.ID = StateVersion, harness, id
	return s.State
}

func (s slot) next(st State) slot { return slot{s.Seq + 1, st} }

func (s slot) write(dir string) error {
	b, err := json.Marshal(s)
	if err != nil {
		return err
	}
	name := slotPath(dir, s.Seq)
	err = overwrite(name, seal(b))
	if errors.Is(err, fs.ErrNotExist) {
		if err = os.MkdirAll(dir, 0o700); err == nil {
			err = overwrite(name, seal(b))
		}
	}
	return err
}
