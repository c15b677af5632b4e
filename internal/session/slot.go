package session

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
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

// readSlots reads the newer state of a session; the zero slot if there is none.
func readSlots(dir string) (best slot, err error) {
	found := false
	for seq := range uint64(2) {
		b, err := os.ReadFile(slotPath(dir, seq))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return slot{}, err
		}
		found = true
		var s slot
		body, ok := unseal(b)
		if ok && json.Unmarshal(body, &s) == nil && s.State.V == StateVersion && s.Seq > best.Seq {
			best = s
		}
	}
	if found && best.Seq == 0 {
		return slot{}, errDamaged
	}
	return best, nil
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
