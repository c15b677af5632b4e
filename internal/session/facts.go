package session

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/regular"
)

// MaxFactsBytes bounds what is kept beside the traces of what prefixes were
// built from; the oldest go first.
const MaxFactsBytes = 2 << 20

// Keep stores what a prefix was built from under a name of small letters and
// digits, once. What alone would take half of the room is not kept.
func (t *Traces) Keep(ctx context.Context, name string, facts []byte) error {
	file := t.factsFile(name)
	if _, err := os.Stat(file); err == nil || len(facts) > MaxFactsBytes/2 {
		return nil
	}
	unlock, err := t.lock(ctx)
	if err != nil {
		return unavailable("trace.keep", t.dir, err)
	}
	defer unlock()
	if err := t.roomFor(len(facts)); err != nil {
		return unavailable("trace.keep", t.dir, err)
	}
	tmp, err := regular.WriteTemp(t.dir, facts)
	if err == nil {
		err = os.Rename(tmp, file)
	}
	if err != nil {
		return unavailable("trace.keep", file, err)
	}
	return nil
}

// Facts is what a prefix was built from; an error of pimento.KindNotFound when
// it is not kept, or no more.
func (t *Traces) Facts(name string) ([]byte, error) {
	b, err := os.ReadFile(t.factsFile(name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &pimento.Error{Op: "trace.facts", Path: name, Kind: pimento.KindNotFound,
			Err: errors.New("what its prefix was built from is not kept any more"), Hint: "newer ones are listed by: pimento traces"}
	}
	if err != nil {
		return nil, unavailable("trace.facts", t.dir, err)
	}
	return b, nil
}

const factsPrefix, factsSuffix = "facts-", ".json"

func (t *Traces) factsFile(name string) string {
	return filepath.Join(t.dir, factsPrefix+name+factsSuffix)
}

// roomFor removes the oldest facts until n bytes more are within the bound.
func (t *Traces) roomFor(n int) error {
	entries, err := os.ReadDir(t.dir)
	if err != nil {
		return err
	}
	var kept []fs.FileInfo
	total := int64(n)
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || !strings.HasPrefix(e.Name(), factsPrefix) || !strings.HasSuffix(e.Name(), factsSuffix) {
			continue // gone meanwhile, or none of ours
		}
		kept = append(kept, info)
		total += info.Size()
	}
	slices.SortFunc(kept, func(a, b fs.FileInfo) int {
		if c := a.ModTime().Compare(b.ModTime()); c != 0 {
			return c
		}
		return strings.Compare(a.Name(), b.Name())
	})
	for _, info := range kept {
		if total <= MaxFactsBytes {
			break
		}
		if err := os.Remove(filepath.Join(t.dir, info.Name())); err != nil {
			return err
		}
		total -= info.Size()
	}
	return nil
}
