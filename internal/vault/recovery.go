package vault

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pimento-memory/pimento"
)

// A Recovery keeps what was taken out of pages (forgotten entries, displaced
// texts) as one JSON file for each id in private state, 0600 in directories
// 0700, until it is restored or purged.
type Recovery struct{ dir string }

// newRecovery keeps payloads below dir, which is made on the first Put.
// The house's own directory is [Dirs.Recovery].
func newRecovery(dir string) *Recovery { return &Recovery{dir} }

// Recovery is this user's store of what can be brought back.
func (d Dirs) Recovery() *Recovery { return newRecovery(filepath.Join(d.State, "recovery")) }

// A Displaced is the payload of a text that a write had to save: somebody else
// changed the page while it was written, and both texts are kept.
type Displaced struct {
	Scope  pimento.Scope  `json:"scope"`
	Root   string         `json:"root"` // real path of the root
	Page   string         `json:"page"`
	Digest pimento.Digest `json:"digest"`
	Bytes  []byte         `json:"bytes"`
}

// Put stores a payload, replacing an earlier one of that id; it is durable when
// Put returns. An id is 1 to 100 letters, digits, '-' and '_'.
func (v *Recovery) Put(ctx context.Context, id string, payload any) error {
	const op = "recovery.put"
	path, err := v.path(ctx, op, id)
	if err != nil {
		return err
	}
	b, err := json.Marshal(payload)
	if err != nil {
		return fail(op, id, err)
	}
	return fail(op, path, writePrivate(path, append(b, '\n')))
}

// Get reads a payload into what into points to; an unknown id is KindNotFound.
func (v *Recovery) Get(ctx context.Context, id string, into any) error {
	const op = "recovery.get"
	path, err := v.path(ctx, op, id)
	if err != nil {
		return err
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return fail(op, id, err)
	}
	if err := json.Unmarshal(b, into); err != nil {
		return &pimento.Error{Op: op, Path: path, Kind: pimento.KindUnavailable, Err: err, Hint: "the file is damaged; what can be read of it has to be put back by hand"}
	}
	return nil
}

// Delete removes a payload for good; an id that is not there is fine.
func (v *Recovery) Delete(ctx context.Context, id string) error {
	const op = "recovery.delete"
	path, err := v.path(ctx, op, id)
	if err != nil {
		return err
	}
	return fail(op, id, removePrivate(path))
}

// List returns all ids, sorted.
func (v *Recovery) List(ctx context.Context) ([]string, error) {
	if err := ctx.Err(); err != nil {
		return nil, fail("recovery.list", v.dir, err)
	}
	entries, err := os.ReadDir(v.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fail("recovery.list", v.dir, err)
	}
	var ids []string
	for _, e := range entries {
		if id, ok := strings.CutSuffix(e.Name(), ".json"); ok && isID(id) {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids, nil
}

func (v *Recovery) path(ctx context.Context, op, id string) (string, error) {
	if err := ctx.Err(); err != nil {
		return "", fail(op, id, err)
	}
	if !isID(id) {
		return "", refuse(op, id, pimento.KindUsage, "not a recovery id", "forget prints the id; pimento restore lists them")
	}
	return filepath.Join(v.dir, id+".json"), nil
}

// isID tells whether s is safe as the stem of a file name.
func isID(s string) bool {
	if s == "" || len(s) > 100 {
		return false
	}
	for _, c := range []byte(s) {
		if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '-' || c == '_') {
			return false
		}
	}
	return true
}
