package model

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/courier"
	"github.com/pimento-memory/pimento/internal/embed/bert"
)

// A Pull is what to install.
type Pull struct {
	Name string
	From string // as [Locate] returns it

	// SHA256 is the digest that the weights must have, in hex; "" for any, which
	// is written down and holds for later pulls of the same name.
	SHA256 string

	// Update takes whatever the source has now, also if an earlier pull wrote
	// down other digests.
	Update bool

	Net      *courier.Courier              // for an http address
	Progress func(file string, d, n int64) // how much of a file is there, of how much (0 for unknown)
}

// Pull installs a model, or mends it: files that are there with the right
// digests are not fetched again, and an interrupted download is gone on with.
// KindRefused when a digest is another one, KindConflict when the name stands
// for a model from elsewhere, KindNotFound when the source lacks a file.
func (s *Store) Pull(ctx context.Context, p Pull) (Model, error) {
	const op = "model.pull"
	if !goodName(p.Name) {
		return Model{}, misnamed(op, p.Name)
	}
	if sum := strings.ToLower(p.SHA256); sum != "" {
		if b, err := hex.DecodeString(sum); err != nil || len(b) != sha256.Size {
			return Model{}, &pimento.Error{Op: op, Path: p.Name, Kind: pimento.KindUsage, Hint: "64 hex digits", Err: errors.New("not a sha256 digest")}
		}
		p.SHA256 = sum
	}
	src, err := parseSource(p.From)
	if err != nil {
		return Model{}, err
	}
	unlock, err := s.lock(ctx)
	if err != nil {
		return Model{}, fail(op, s.dir, err)
	}
	defer unlock()
	if p.Progress == nil {
		p.Progress = func(string, int64, int64) {}
	}
	w := &puller{Store: s, p: p, src: src, part: s.path(partPrefix + p.Name), m: Model{V: 1, Name: p.Name, Source: p.From, Files: map[string]File{}}}
	if w.known, err = s.manifest(p.Name); err != nil || p.Update {
		w.known = Model{}
	}
	if w.known.Source != "" && w.known.Source != p.From {
		return Model{}, &pimento.Error{Op: op, Path: p.Name, Kind: pimento.KindConflict, Err: errors.New("installed already, from " + w.known.Source),
			Hint: "take the other one with --update, or give it another name"}
	}
	m, err := w.pull(ctx)
	if err != nil {
		_ = emptied(w.part)
	}
	if err != nil && ctx.Err() != nil {
		err = &pimento.Error{Op: op, Path: p.Name, Kind: pimento.KindUnavailable, Hint: "run it again: it goes on where it stopped", Err: errors.New("interrupted")}
	}
	return m, fail(op, p.Name, err)
}

// A puller is one pull under way.
type puller struct {
	*Store
	p     Pull
	src   source
	part  string // where the model is put together
	known Model  // what an earlier pull wrote down
	m     Model
}

func (w *puller) pull(ctx context.Context) (Model, error) {
	if err := os.MkdirAll(w.part, 0o700); err != nil {
		return w.m, err
	}
	for _, part := range parts() {
		if err := w.need(ctx, part); err != nil {
			return w.m, err
		}
	}
	if err := tidy(w.part, w.m.Files); err != nil {
		return w.m, err
	}
	if err := w.try(ctx); err != nil {
		return w.m, err
	}
	b, _ := json.MarshalIndent(w.m, "", "  ") // strings and numbers
	if err := os.WriteFile(filepath.Join(w.part, manifestName), append(b, '\n'), 0o600); err != nil {
		return w.m, err
	}
	return w.m, w.swap()
}

// need gets the first file of a part that the source has. Of a model that was
// pulled before, it is the one of that time, or none.
func (w *puller) need(ctx context.Context, part part) error {
	var missing error
	for _, name := range part.names {
		if _, ok := w.known.Files[name]; !ok && len(w.known.Files) > 0 {
			continue
		}
		err := w.get(ctx, name, part)
		if err == nil {
			return nil
		}
		if pimento.KindOf(err) != pimento.KindNotFound && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if missing == nil {
			missing = err
		}
	}
	if part.optional {
		return nil
	}
	if missing == nil {
		missing = errors.New("the earlier pull had none")
	}
	return &pimento.Error{Op: "model.pull", Path: w.src.of(part.names[0]), Kind: pimento.KindNotFound,
		Hint: "a model needs " + strings.Join(part.names, " or "), Err: missing}
}

// get brings one file into the part directory: from the installed model when
// that has the right one, else from the source.
func (w *puller) get(ctx context.Context, name string, part part) error {
	to := filepath.Join(w.part, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return err
	}
	want := w.known.Files[name].SHA256
	if w.p.SHA256 != "" && slices.Contains(weightNames(), name) {
		want = w.p.SHA256
	}
	if want != "" && w.reuse(ctx, name, to, want) {
		return nil
	}
	var err error
	if w.src.dir != "" {
		err = w.copy(ctx, name, to, part.max)
	} else {
		err = w.download(ctx, name, to, part.max)
	}
	if err != nil {
		return err
	}
	return w.verify(ctx, name, to, want)
}

// reuse takes over a file that is there with the right digest: of an earlier
// try, or of the installed model.
func (w *puller) reuse(ctx context.Context, name, to, want string) bool {
	if sum, n, err := digest(ctx, to); err == nil && sum == want {
		w.m.Files[name] = File{sum, n}
		return true
	}
	have := filepath.Join(w.path(w.p.Name), filepath.FromSlash(name))
	sum, n, err := digest(ctx, have)
	if err != nil || sum != want {
		return false
	}
	_ = os.Remove(to)
	if os.Link(have, to) != nil && copyFile(ctx, have, to, n, func(int64, int64) {}) != nil {
		return false
	}
	w.m.Files[name] = File{sum, n}
	return true
}

func (w *puller) copy(ctx context.Context, name, to string, most int64) error {
	return copyFile(ctx, w.src.of(name), to, most, func(done, total int64) { w.p.Progress(name, done, total) })
}

// download fetches into a file of its own beside, which is gone on with when it
// was interrupted.
func (w *puller) download(ctx context.Context, name, to string, most int64) error {
	if w.p.Net == nil {
		return &pimento.Error{Op: "model.pull", Path: w.src.of(name), Kind: pimento.KindUnavailable,
			Hint: "copy the files into a directory and pull that", Err: errors.New("no way to the network")}
	}
	err := w.p.Net.Fetch(ctx, courier.FetchRequest{URL: w.src.of(name), To: to + ".part", Max: most},
		func(done, total int64) { w.p.Progress(name, done, total) })
	if err != nil {
		return err
	}
	return os.Rename(to+".part", to)
}

// verify holds a new file to its digest and writes the digest down.
func (w *puller) verify(ctx context.Context, name, to, want string) error {
	sum, n, err := digest(ctx, to)
	if err != nil {
		return err
	}
	w.p.Progress(name, n, n)
	if want == "" || sum == want {
		w.m.Files[name] = File{sum, n}
		return nil
	}
	_ = os.Remove(to) // or the next pull would go on with it
	hint := "the file is not the one that you named, or was damaged on the way"
	if w.p.SHA256 == "" {
		hint = "the file is not the one of the first pull; if that is meant: pimento model pull --update " + w.p.Name
	}
	return &pimento.Error{Op: "model.pull", Path: w.src.of(name), Kind: pimento.KindRefused, Hint: hint,
		Err: fmt.Errorf("its sha256 is %s, not %s", sum, want)}
}

// try opens the model, so that nothing is installed that cannot be used.
func (w *puller) try(ctx context.Context) error {
	m, err := bert.Open(ctx, w.part)
	if err != nil {
		return err
	}
	defer m.Close()
	w.m.Dim, w.m.Fingerprint = m.Dim(), m.Fingerprint()
	return nil
}

// swap puts the new model in the old one's place. Whoever opens it in the
// moment between two renames finds none, as if it had just been removed.
func (w *puller) swap() error {
	final, old := w.path(w.p.Name), w.path(oldPrefix+w.p.Name)
	if err := os.RemoveAll(old); err != nil {
		return err
	}
	if err := os.Rename(final, old); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.Rename(w.part, final); err != nil {
		_ = os.Rename(old, final)
		return err
	}
	return os.RemoveAll(old)
}

// tidy removes what no longer belongs to the model, such as files of an
// earlier, interrupted pull from elsewhere.
func tidy(dir string, files map[string]File) error {
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		if _, ok := files[filepath.ToSlash(rel)]; ok {
			return nil
		}
		return os.Remove(path)
	})
	return errors.Join(err, emptied(dir))
}

// emptied removes directories without files, dir included.
func emptied(dir string) error {
	var dirs []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			dirs = append(dirs, path)
		}
		return err
	})
	for _, d := range slices.Backward(dirs) {
		_ = os.Remove(d) // one that holds something stays
	}
	return err
}

// digest is the sha256 of a file, and its size.
func digest(ctx context.Context, path string) (string, int64, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", 0, err
	}
	defer f.Close()
	sum := sha256.New()
	n, err := io.Copy(sum, patient{ctx, f})
	return hex.EncodeToString(sum.Sum(nil)), n, err
}

// copyFile copies a regular file of at most most bytes (0600).
func copyFile(ctx context.Context, from, to string, most int64, progress func(done, total int64)) error {
	info, err := os.Stat(from) // before opening: a pipe would wait for a writer
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() || info.Size() > most {
		return &pimento.Error{Op: "model.pull", Path: from, Kind: pimento.KindUsage, Err: errors.New("not a file, or too large a one"),
			Hint: "name the directory that config.json, vocab.txt and the weights lie in"}
	}
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	_ = os.Remove(to) // it may be a hard link to the installed file
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(io.MultiWriter(out, &meter{progress: progress, total: info.Size()}), patient{ctx, io.LimitReader(in, most)})
	if err == nil {
		err = out.Sync()
	}
	if closing := out.Close(); err == nil {
		err = closing
	}
	return err
}

// patient reads until the context is done.
type patient struct {
	ctx context.Context
	r   io.Reader
}

func (p patient) Read(b []byte) (int, error) {
	if err := p.ctx.Err(); err != nil {
		return 0, err
	}
	return p.r.Read(b)
}

// meter counts what is written and says so every megabyte.
type meter struct {
	done, told, total int64
	progress          func(done, total int64)
}

func (m *meter) Write(b []byte) (int, error) {
	m.done += int64(len(b))
	if m.done-m.told >= 1<<20 {
		m.told = m.done
		m.progress(m.done, m.total)
	}
	return len(b), nil
}
