// Package session keeps what is known of one conversation of one harness across the
// processes that serve it. A [Store] holds the [State] of a session (what it has been
// shown) and its [Frozen] prefix, byte for byte; [Traces] holds the records of its blocks.
// Beside these stands what outlives a session: what users said in past ones ([Pasts]), rows
// of figures about turns ([Rows]), and the last dream ([Dreams]). The package does I/O in
// the private directories it is given, and never looks at the clock.
//
// A store has one directory for each session, named by the harness and a digest of the
// session's id (ids come from outside and are never used as part of a path), and a few lock
// files that all sessions share:
//
//	<harness>-<digest>/state-0, state-1     what is known of the session, written in turns
//	<harness>-<digest>/frozen-<digest>      one frozen prefix for each key
//	lock-<hex digit>                        held while a session is changed
//
// Nothing here is synced to the disk. After a crash of the machine a session may be
// forgotten, which costs one fresh prefix. States and prefixes begin with a checksum, and a
// damaged one counts as absent.
package session

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/filelock"
)

// StateVersion is the version of State that this program writes. Programs of
// several versions may serve one session, and to one that cannot read a state the
// user's "off" and what was shown of encrypted pages are lost. So the form of a
// field never changes: another form has another name, and readers pass over names
// that they do not know.
const StateVersion = 1

// maxCompactions is how many compaction ids a state remembers.
const maxCompactions = 32

// A State is what is known of a session.
type State struct {
	V           int       `json:"v"`
	Harness     string    `json:"harness"`
	ID          string    `json:"id"`
	Parent      string    `json:"parent,omitempty"`      // the session it was forked from
	Epoch       int       `json:"epoch,omitempty"`       // grows at every checkpoint: a new epoch, a new prefix
	Off         bool      `json:"off,omitempty"`         // the user silenced memory
	Warned      bool      `json:"warned,omitempty"`      // it was told that memory fills its room
	Sealed      bool      `json:"sealed,omitempty"`      // it was shown what is encrypted on disk
	Shown       idList    `json:"shown_ids,omitempty"`   // ids in context, where the harness cannot tell
	Edited      []string  `json:"edited,omitempty"`      // files that the agent wrote since the last prompt
	Compactions []string  `json:"compactions,omitempty"` // ids already handled, oldest first; Update keeps the last 32
	Compacting  bool      `json:"compacting,omitempty"`  // a compaction has begun, and nothing said yet that it is over
	Given       string    `json:"given,omitempty"`       // digest of the prefix that stands in the conversation
	Started     time.Time `json:"started,omitzero"`
	Taken       time.Time `json:"taken,omitzero"` // when the prefix was taken that it had last

	// Seen are later positions than a frozen prefix's marks up to which the
	// journals were read; SeenFor says for which prefix.
	Seen    map[string]json.RawMessage `json:"seen,omitempty"`
	SeenFor Key                        `json:"seen_for,omitzero"`
}

// An idList is stored as one string, ids separated by spaces: a long session has
// thousands, and each of them would be a value to take apart at every prompt. An
// array is read as well: older programs wrote one, under the name "shown".
type idList []string

// MarshalJSON implements [json.Marshaler].
func (l idList) MarshalJSON() ([]byte, error) {
	joined := strings.Join(l, " ")
	if !slices.Equal(strings.Fields(joined), l) {
		return json.Marshal([]string(l)) // one that is empty or holds a space
	}
	return json.Marshal(joined)
}

// UnmarshalJSON implements [json.Unmarshaler].
func (l *idList) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '[' {
		return json.Unmarshal(b, (*[]string)(l))
	}
	var s string
	if err := json.Unmarshal(b, &s); err != nil {
		return err
	}
	*l = strings.Fields(s)
	return nil
}

// Compacted says whether a compaction was handled already.
func (s State) Compacted(id string) bool { return id != "" && slices.Contains(s.Compactions, id) }

// A Store is a directory of sessions. Its methods may be called from several
// goroutines and processes.
type Store struct {
	dir string

	mu   sync.Mutex // guards last
	last memo
}

// NewStore returns the store in dir, which need not exist yet.
func NewStore(dir string) *Store { return &Store{dir: dir} }

// Load returns a session's state. One that is not known has the zero state
// with V, Harness and ID set; so has one whose files are damaged or of another
// version, together with an error of pimento.KindInternal. An unreadable file
// is of pimento.KindUnavailable.
func (s *Store) Load(ctx context.Context, harness, id string) (State, error) {
	dir := s.sessionDir(harness, id)
	slot, err := s.read(dir)
	if errors.Is(err, errDamaged) {
		// Perhaps two updates overtook us; under the lock it is sure.
		if unlock, lockErr := s.lock(ctx, harness, id); lockErr == nil {
			slot, err = s.read(dir)
			unlock()
		}
	}
	return slot.of(harness, id), loadError(dir, err)
}

func loadError(dir string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, errDamaged):
		return &pimento.Error{Op: "session.load", Path: dir, Kind: pimento.KindInternal, Err: err,
			Hint: "the next change of this session replaces the files"}
	}
	return unavailable("session.load", dir, err)
}

// Update changes a session's state by f. It waits for other updates of the
// session as long as ctx allows; f must not call the store. It is run even when
// the state cannot be locked or stored, which is an error of
// pimento.KindUnavailable.
func (s *Store) Update(ctx context.Context, harness, id string, f func(*State)) error {
	unlock, lockErr := s.lock(ctx, harness, id)
	if lockErr == nil {
		defer unlock()
	}
	dir := s.sessionDir(harness, id)
	slot, err := s.read(dir)
	st := slot.of(harness, id)
	f(&st)
	st.V, st.Harness, st.ID = StateVersion, harness, id
	if n := len(st.Compactions); n > maxCompactions {
		st.Compactions = st.Compactions[n-maxCompactions:]
	}
	if lockErr != nil {
		return unavailable("session.update", s.dir, lockErr)
	}
	if err == nil || errors.Is(err, errDamaged) {
		err = slot.next(st).write(dir)
	}
	if err != nil {
		return unavailable("session.update", dir, err)
	}
	return nil
}

// hash names a session without using a byte of its id.
func hash(harness, id string) string {
	sum := sha256.Sum256([]byte(harness + "\x00" + id))
	return hex.EncodeToString(sum[:12])
}

// sessionDir is the directory of a session. The harness's name is there for
// people; what it tells apart is in the digest.
func (s *Store) sessionDir(harness, id string) string {
	plain := func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}
	name := strings.Map(plain, strings.ToLower(harness))
	return filepath.Join(s.dir, name[:min(len(name), 16)]+"-"+hash(harness, id))
}

// lock takes the lock of a session, which it shares with a sixteenth of all
// others. Lock files are never removed, so that Prune cannot pull one from
// under somebody who waits for it.
func (s *Store) lock(ctx context.Context, harness, id string) (unlock func(), err error) {
	return s.lockDigit(ctx, hash(harness, id)[:1])
}

func (s *Store) lockDigit(ctx context.Context, digit string) (unlock func(), err error) {
	return filelock.Take(ctx, filepath.Join(s.dir, "lock-"+digit), time.Millisecond)
}

// unavailable is the error of a disk that does not let us.
func unavailable(op, path string, err error) error {
	return &pimento.Error{Op: op, Path: path, Kind: pimento.KindUnavailable, Err: err,
		Hint: "check that the disk is not full and the directory belongs to you"}
}
