package vault

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/pimento-memory/pimento"
)

// SaveConfigKey sets one key of a config.json and leaves every other byte as
// it is, comments included. A file that does not exist is made (0600 in
// directories 0700). A malformed file, an unknown key, a file or directory that
// is a symbolic link are refused, and nothing is written. For a scope's file,
// [Root.SaveConfigKey] also looks at the way to it.
func SaveConfigKey(ctx context.Context, path, key string, value any) error {
	const op = "vault.config"
	if err := checkKey(op, path, key, true); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return fail(op, path, err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fail(op, path, err)
	}
	dir, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return fail(op, path, err)
	}
	defer dir.Close()
	own := &Root{scope: pimento.Global, dir: dir.Name(), disk: OSDisk{}}
	return fail(op, path, own.saveKey(ctx, dir, path, key, value))
}

// SaveConfigKey is the function of that name for the root's config.json. Only
// keys that a scope's file may set are taken. The caller holds [Root.Lock].
func (r *Root) SaveConfigKey(ctx context.Context, key string, value any) error {
	const op = "vault.config"
	path := filepath.Join(r.dir, configName)
	if err := checkKey(op, path, key, false); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return fail(op, path, err)
	}
	dir, err := r.makeBase()
	if err != nil {
		return fail(op, path, err)
	}
	defer dir.Close()
	return fail(op, path, r.saveKey(ctx, dir, path, key, value))
}

func checkKey(op, path, key string, own bool) error {
	if slices.Contains(scopeKeys(), key) || own && slices.Contains(ownKeys(), key) {
		return nil
	}
	if slices.Contains(ownKeys(), key) {
		return refuse(op, path, pimento.KindUsage, "key "+key+" belongs into your own config.json", "")
	}
	return refuse(op, path, pimento.KindUsage, fmt.Sprintf("unknown key %q", key), meant(key, own))
}

// saveKey replaces the file as a page is replaced: its mode stays, and what an
// editor writes meanwhile is kept.
func (r *Root) saveKey(ctx context.Context, dir *os.Root, path, key string, value any) error {
	name := filepath.Base(path)
	var b []byte
	var mode fs.FileMode
	f, err := openIn(dir, name, os.O_RDONLY)
	if err == nil {
		defer f.Close()
		info, statErr := f.Stat()
		if statErr != nil {
			return statErr
		}
		mode = info.Mode().Perm()
		b, err = io.ReadAll(io.LimitReader(f, maxConfig+1))
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if len(b) > maxConfig {
		return refuse("vault.config", path, pimento.KindRefused, "larger than 1 MB", "")
	}
	next, err := setKey(b, key, value)
	if err != nil {
		return &pimento.Error{Op: "vault.config", Path: path, Kind: pimento.KindUsage,
			Hint: "correct the file; it was not changed", Err: err}
	}
	w := &writer{r: r, ctx: ctx, dir: dir, name: name, next: next, c: pimento.Change{Page: name, After: pimento.DigestOf(next)}}
	if f == nil {
		_, err = w.create()
		return err
	}
	w.c.Before = pimento.DigestOf(b)
	if w.found, err = stampOf(f); err == nil {
		_, err = w.replace(f, mode)
	}
	return err
}

// setKey returns the file with one key set. An error begins with
// "line:column: ".
func setKey(b []byte, key string, value any) ([]byte, error) {
	raw, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	members, err := configMembers(b)
	if err != nil {
		return nil, err
	}
	for _, m := range members {
		if m.name == key {
			return splice(b, pimento.Splice{Off: m.start, Del: m.end - m.start, Ins: raw}), nil
		}
	}
	name, _ := json.Marshal(key)
	pair := fmt.Sprintf("%s: %s", name, raw)
	plain, _, _ := blankComments(b)
	brace := bytes.LastIndexByte(plain, '}')
	if brace < 0 { // nothing but comments
		if len(b) > 0 && b[len(b)-1] != '\n' {
			pair = "\n" + "{\n  " + pair + "\n}\n"
			return append(bytes.Clone(b), pair...), nil
		}
		return append(bytes.Clone(b), "{\n  "+pair+"\n}\n"...), nil
	}
	return insertMember(b, members, brace, pair), nil
}

// insertMember adds a pair behind the last member and the comments behind it.
func insertMember(b []byte, members []member, brace int, pair string) []byte {
	behind := len(bytes.TrimRight(b[:brace], " \t\r\n")) // the last thing inside, a comment perhaps
	if len(members) == 0 {
		ins := "\n  " + pair
		if behind == brace || !bytes.ContainsRune(b[behind:brace], '\n') {
			ins += "\n"
		}
		return splice(b, pimento.Splice{Off: behind, Ins: []byte(ins)})
	}
	last := members[len(members)-1]
	comma := pimento.Splice{Off: last.end, Ins: []byte(",")}
	gap := b[bytes.LastIndexByte(b[:last.key], '\n')+1 : last.key]
	if len(bytes.TrimLeft(gap, " \t")) > 0 || !bytes.ContainsRune(b[:last.key], '\n') {
		if bytes.ContainsRune(b[last.end:brace], '\n') && behind > last.end {
			return splice(b, comma, pimento.Splice{Off: behind, Ins: []byte("\n  " + pair)})
		}
		comma.Ins = []byte(", " + pair) // all on one line
		return splice(b, comma)
	}
	eol := "\n"
	if bytes.Contains(b, []byte("\r\n")) {
		eol = "\r\n"
	}
	return splice(b, comma, pimento.Splice{Off: behind, Ins: []byte(eol + string(gap) + pair)})
}

// splice is [pimento.ApplySplices] for splices that fit.
func splice(b []byte, splices ...pimento.Splice) []byte {
	out, _ := pimento.ApplySplices(b, splices)
	return out
}
