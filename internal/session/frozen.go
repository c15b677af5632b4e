package session

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/regular"
)

// FrozenVersion is the version of Frozen that this program writes.
const FrozenVersion = 1

// maxFrozen is how many frozen prefixes a session keeps, the newest ones.
const maxFrozen = 8

// A Key says what a frozen prefix was taken for. A change of any part makes a
// new prefix.
type Key struct {
	Harness string `json:"harness"`
	Session string `json:"session"`
	Epoch   int    `json:"epoch"`
	Profile string `json:"profile"`         // digest of the profile in force
	Consent string `json:"consent"`         // digest of the consents in force
	Pages   string `json:"pages,omitempty"` // digest of the pages, where a prefix is good only as long as they are
}

// Frozen is the prefix as first shown in a session, and what it showed.
type Frozen struct {
	V          int                        `json:"v"`
	Key        Key                        `json:"key"`
	Taken      time.Time                  `json:"taken,omitzero"`
	Prefix     string                     `json:"-"`                    // byte for byte; stored after the JSON
	IDs        []string                   `json:"ids,omitempty"`        // Block.PrefixIDs
	Marks      map[string]json.RawMessage `json:"marks,omitempty"`      // where the journals stood, by the root's key
	Sections   []pimento.SectionUse       `json:"sections,omitempty"`   // what the sections took
	Faults     []pimento.Fault            `json:"faults,omitempty"`     // what must stand and had no room
	Statements map[string]string          `json:"statements,omitempty"` // statement -> text shown, for what is withdrawn
}

// Freeze returns the frozen prefix of k, building and storing it if there is
// none; mine says that it is the one built here. Build is called at most once,
// and its error is returned as it is. Of processes that freeze the same key at
// once one wins, and all return its bytes. A damaged file is replaced. When
// nothing can be stored, Freeze returns what was built and an error of
// pimento.KindUnavailable.
func (s *Store) Freeze(ctx context.Context, k Key, build func() (Frozen, error)) (f Frozen, mine bool, err error) {
	if f, ok, _ := s.Frozen(ctx, k); ok {
		return f, false, nil
	}
	f, err = build()
	if err != nil {
		return f, false, err
	}
	f.V, f.Key = FrozenVersion, k
	b, err := f.encode()
	if err != nil {
		return f, true, &pimento.Error{Op: "session.freeze", Kind: pimento.KindUsage, Err: err}
	}
	if read, err := decodeFrozen(b); err == nil {
		f = read // what any later process will see
		f.Key = k
	}
	name := s.frozenPath(k)
	theirs, won, err := s.publish(ctx, k, name, b)
	if err != nil {
		return f, true, unavailable("session.freeze", name, err)
	}
	if !won {
		return theirs, false, nil
	}
	s.thin(filepath.Dir(name))
	return f, true, nil
}

// publish makes b the frozen prefix of k unless there is a good one, which it
// returns then.
func (s *Store) publish(ctx context.Context, k Key, name string, b []byte) (theirs Frozen, won bool, err error) {
	tmp, err := regular.WriteTemp(filepath.Dir(name), b)
	if err != nil {
		return theirs, false, err
	}
	defer os.Remove(tmp)
	if os.Link(tmp, name) == nil { // exclusive, and whole from the first moment
		return theirs, true, nil
	}
	if f, ok, _ := s.Frozen(ctx, k); ok {
		return f, false, nil
	}
	// A damaged file stands there, or the file system has no links.
	unlock, err := s.lock(ctx, k.Harness, k.Session)
	if err != nil {
		return theirs, false, err
	}
	defer unlock()
	if f, ok, _ := s.Frozen(ctx, k); ok {
		return f, false, nil
	}
	return theirs, true, os.Rename(tmp, name)
}

// Frozen returns the frozen prefix of k. A damaged one is as good as none; the
// error, of pimento.KindUnavailable, is for a file that cannot be read.
func (s *Store) Frozen(_ context.Context, k Key) (f Frozen, ok bool, err error) {
	name := s.frozenPath(k)
	b, err := regular.Read(name)
	if errors.Is(err, os.ErrNotExist) {
		return Frozen{}, false, nil
	}
	if err != nil {
		return Frozen{}, false, unavailable("session.frozen", name, err)
	}
	f, err = decodeFrozen(b)
	if err != nil {
		return Frozen{}, false, nil
	}
	f.Key = k
	return f, true, nil
}

// LatestFrozen returns a session's prefix of the highest epoch, among those
// the one taken last. A fork inherits its parent's bytes from it.
func (s *Store) LatestFrozen(_ context.Context, harness, session string) (Frozen, bool, error) {
	dir := s.sessionDir(harness, session)
	all, err := frozenIn(dir)
	if err != nil {
		return Frozen{}, false, unavailable("session.frozen", dir, err)
	}
	if len(all) == 0 {
		return Frozen{}, false, nil
	}
	f := all[0].Frozen
	f.Key.Harness, f.Key.Session = harness, session
	return f, true, nil
}

// LatestMarks returns where the journals stood at a session's prefixes of the highest
// epoch, each at the latest that showed its root; nil where there are none.
func (s *Store) LatestMarks(_ context.Context, harness, session string) map[string]json.RawMessage {
	all, _ := frozenIn(s.sessionDir(harness, session))
	var marks map[string]json.RawMessage
	for _, f := range slices.Backward(all) {
		if f.Key.Epoch != all[0].Key.Epoch {
			continue
		}
		if marks == nil {
			marks = map[string]json.RawMessage{}
		}
		maps.Copy(marks, f.Marks)
	}
	return marks
}

// A frozenFile is a frozen prefix and where it lies.
type frozenFile struct {
	Frozen
	name string
}

// frozenIn reads all good prefixes in a session's directory, the latest first.
func frozenIn(dir string) ([]frozenFile, error) {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	var all []frozenFile
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), "frozen-") {
			continue
		}
		name := filepath.Join(dir, e.Name())
		b, err := os.ReadFile(name)
		if err != nil {
			continue
		}
		if f, err := decodeFrozen(b); err == nil {
			all = append(all, frozenFile{f, name})
		}
	}
	slices.SortFunc(all, func(a, b frozenFile) int {
		return cmp.Or(cmp.Compare(b.Key.Epoch, a.Key.Epoch), b.Taken.Compare(a.Taken), strings.Compare(a.name, b.name))
	})
	return all, nil
}

// thin removes all but the latest prefixes of a session.
func (s *Store) thin(dir string) {
	all, err := frozenIn(dir)
	if err != nil || len(all) <= maxFrozen {
		return
	}
	for _, f := range all[maxFrozen:] {
		os.Remove(f.name)
	}
}

// frozenPath is where the prefix of k lies.
func (s *Store) frozenPath(k Key) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d\x00%q\x00%q\x00%q", k.Epoch, k.Profile, k.Consent, k.Pages))
	return filepath.Join(s.sessionDir(k.Harness, k.Session), "frozen-"+hex.EncodeToString(sum[:12]))
}

// encode makes the file: a line with the sha256 of what follows, a line of
// JSON, and the prefix as it is. So the prefix keeps every byte, valid UTF-8 or
// not, and a person can read it.
func (f Frozen) encode() ([]byte, error) {
	meta, err := json.Marshal(f)
	if err != nil {
		return nil, err
	}
	body := append(meta, '\n')
	body = append(body, f.Prefix...)
	return seal(body), nil
}

func decodeFrozen(b []byte) (f Frozen, err error) {
	body, ok := unseal(b)
	if !ok {
		return f, errors.New("damaged")
	}
	meta, prefix, _ := bytes.Cut(body, []byte{'\n'})
	if err := json.Unmarshal(meta, &f); err != nil {
		return f, err
	}
	if f.V != FrozenVersion {
		return f, fmt.Errorf("version %d", f.V)
	}
	f.Prefix = string(prefix)
	return f, nil
}
