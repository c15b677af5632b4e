package segment

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pimento-memory/pimento/internal/index"
	"github.com/pimento-memory/pimento/internal/index/indextest"
	"github.com/pimento-memory/pimento/internal/index/memindex"
)

// probe asks an index everything and compares what it answers with the
// reference. An index may give an error once and is empty then; it may hold
// older pages than the reference, which their stamps show; it may not panic and
// it may not answer anything else. It returns whether the index was intact.
func probe(t *testing.T, x *Index, ref *memindex.Index) (intact bool) {
	t.Helper()
	ctx := context.Background()
	rounds := 0
	for ; rounds < 10; rounds++ {
		if err := probeOnce(t, x, ref); err == nil {
			break
		}
		if x.Rebuilt() == "" {
			t.Fatal("an error, but Rebuilt says nothing")
		}
		if st, err := x.Stats(ctx, nil); err != nil || st.Docs != 0 {
			t.Fatalf("after damage: %d docs, %v", st.Docs, err)
		}
	}
	if rounds > 1 {
		t.Fatal("damaged twice")
	}
	return x.Rebuilt() == ""
}

func probeOnce(t *testing.T, x *Index, ref *memindex.Index) error {
	t.Helper()
	ctx := context.Background()
	var paths []string
	if err := x.Pages(ctx, func(p index.Page) bool { paths = append(paths, p.Path); return true }); err != nil {
		return err
	}
	older := false
	for _, path := range paths {
		got, ok, err := x.Page(ctx, path)
		if err != nil {
			return err
		}
		want, _, _ := ref.Page(ctx, path)
		if !ok {
			t.Fatalf("%s is listed and not there", path)
		}
		if got.Stamp != want.Stamp {
			older = true // a record of the delta was lost
			continue
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("%s: wrong docs", path)
		}
	}
	c := indextest.NewCorpus(11, 400)
	c.Words = 10
	for range 8 {
		q := c.Query(6, 100)
		got, err := x.Search(ctx, q)
		if err != nil {
			return err
		}
		want, _ := ref.Search(ctx, q)
		if !older && len(paths) > 0 && fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("wrong answer to %v", q)
		}
	}
	_, err := x.Stats(ctx, []string{"m2026"})
	return err
}

// heal puts everything again, as a sync does, and compares.
func heal(t *testing.T, x *Index, ref *memindex.Index, pages []index.Page) {
	t.Helper()
	var gone []string
	x.Pages(context.Background(), func(p index.Page) bool {
		if _, ok, _ := ref.Page(context.Background(), p.Path); !ok {
			gone = append(gone, p.Path)
		}
		return true
	})
	if err := x.Apply(context.Background(), pages, gone); err != nil {
		t.Fatalf("healing: %v", err)
	}
	indextest.Compare(t, ref, x)
	y := open(t, x.dir, Options{})
	if r := y.Rebuilt(); r != "" {
		t.Errorf("after healing: %s", r)
	}
	indextest.Compare(t, ref, y)
}

// healthy is one filled directory, copied for each kind of damage.
type healthy struct {
	dir   string
	ref   *memindex.Index
	pages []index.Page
}

func newHealthy(t *testing.T) *healthy {
	h := &healthy{dir: t.TempDir()}
	h.ref = fill(t, h.dir)
	// The reference has no terms to give back; the corpus makes the same pages
	// again, so a second index is filled with what fill put last.
	last := map[string]index.Page{}
	c := indextest.NewCorpus(11, 400)
	c.Words = 10
	for _, p := range c.Pages(1000, 9) {
		last[p.Path] = p
	}
	for i := range 30 {
		p := c.Page(fmt.Sprintf("topics/%02d/page-%05d.md", i%17, i), 8)
		last[p.Path] = p
		delete(last, fmt.Sprintf("topics/%02d/page-%05d.md", (i+40)%17, i+40))
	}
	for _, p := range last {
		h.pages = append(h.pages, p)
	}
	return h
}

func (h *healthy) copy(t *testing.T) string {
	dir := filepath.Join(t.TempDir(), "copy")
	if err := os.CopyFS(dir, os.DirFS(h.dir)); err != nil {
		t.Fatal(err)
	}
	return dir
}

// Every file is truncated at many places, flipped at many bytes, emptied,
// removed, replaced by another one: before the index is opened, and under the
// feet of one that is open.
func TestDamage(t *testing.T) {
	h := newHealthy(t)
	for _, name := range files(t, h.dir) {
		data, err := os.ReadFile(filepath.Join(h.dir, name))
		if err != nil {
			t.Fatal(err)
		}
		kinds := map[string]func(path string) error{
			"removed": os.Remove,
			"emptied": func(path string) error { return os.Truncate(path, 0) },
			"grown": func(path string) error {
				return os.WriteFile(path, append(data[:len(data):len(data)], "garbage"...), 0o600)
			},
			"zeroed": func(path string) error { return os.WriteFile(path, make([]byte, len(data)), 0o600) },
			"other": func(path string) error {
				return os.WriteFile(path, []byte(strings.Repeat("not an index\n", 1000)), 0o600)
			},
		}
		n := 7
		for i := range n {
			at := i * len(data) / n
			kinds[fmt.Sprintf("cut-%d", at)] = func(path string) error { return os.Truncate(path, int64(at)) }
			flip := min(at+i*37, len(data)-1)
			kinds[fmt.Sprintf("flip-%d", flip)] = func(path string) error {
				f, err := os.OpenFile(path, os.O_WRONLY, 0)
				if err != nil {
					return err
				}
				defer f.Close()
				_, err = f.WriteAt([]byte{data[flip] ^ 0x40}, int64(flip))
				return err
			}
		}
		for kind, harm := range kinds {
			t.Run(filepath.Ext(name)+"/"+kind, func(t *testing.T) {
				dir := h.copy(t)
				alive := open(t, dir, Options{}) // has mapped everything, read nothing
				if err := harm(filepath.Join(dir, name)); err != nil {
					t.Fatal(err)
				}
				x := open(t, dir, Options{})
				probe(t, x, h.ref)
				heal(t, x, h.ref, h.pages)

				if err := alive.Refresh(context.Background()); err != nil {
					t.Errorf("Refresh: %v", err)
				}
				probe(t, alive, h.ref)
			})
		}
	}
}

// A file cut under an open map is an error, not the death of the process.
func TestTruncatedUnderMap(t *testing.T) {
	h := newHealthy(t)
	dir := h.copy(t)
	x := open(t, dir, Options{})
	for _, name := range files(t, dir) {
		if filepath.Ext(name) == ".seg" {
			if err := os.Truncate(filepath.Join(dir, name), 0); err != nil {
				t.Fatal(err)
			}
		}
	}
	if probe(t, x, h.ref) {
		t.Error("nobody noticed")
	}
	heal(t, x, h.ref, h.pages)
}

// Damage that sits in a block nobody has touched yet is found when it is, and
// an index that was healthy when it was opened falls back to empty.
func TestDamageOutlivesNoApply(t *testing.T) {
	h := newHealthy(t)
	dir := h.copy(t)
	for _, name := range files(t, dir) {
		if filepath.Ext(name) != ".seg" {
			continue
		}
		path := filepath.Join(dir, name)
		info, _ := os.Stat(path)
		f, _ := os.OpenFile(path, os.O_WRONLY, 0)
		for at := int64(headerSize); at < info.Size()*9/10; at += sumBlock {
			f.WriteAt([]byte{0xAA, 0x55, 0xAA}, at)
		}
		f.Close()
	}
	x := open(t, dir, Options{})
	if err := x.Apply(context.Background(), h.pages[:1], nil); err != nil {
		t.Fatalf("Apply on a damaged index: %v", err)
	}
	if x.Rebuilt() == "" {
		t.Error("nobody noticed")
	}
	st, err := x.Stats(context.Background(), nil)
	if err != nil || st.Docs != len(h.pages[0].Docs) {
		t.Errorf("%d docs, %v", st.Docs, err)
	}
	heal(t, x, h.ref, h.pages)
}

// The index directory may vanish at any time.
func TestDeletedWhileOpen(t *testing.T) {
	h := newHealthy(t)
	dir := h.copy(t)
	x := open(t, dir, Options{})
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if err := x.Refresh(context.Background()); err != nil {
		t.Fatal(err)
	}
	if st, err := x.Stats(context.Background(), nil); err != nil || st.Docs != 0 || x.Rebuilt() == "" {
		t.Errorf("%+v, %v, %q", st, err, x.Rebuilt())
	}
	heal(t, x, h.ref, h.pages)
}

func FuzzCurrent(f *testing.F) {
	c := current{gen: 5, segments: []member{{gen: 1, size: 2, check: 3, dead: []grave{{1, 2, 3, 4}}}}}
	f.Add(c.encode())
	f.Fuzz(func(t *testing.T, b []byte) {
		if c, err := decodeCurrent(b); err == nil && string(c.encode()) != string(b) {
			t.Errorf("decoded and encoded again, it differs: %x", b)
		}
	})
}

// A delta with a good checksum and a senseless body must not panic, either.
func FuzzDelta(f *testing.F) {
	p := indextest.NewCorpus(1, 50).Page("a.md", 2)
	f.Add(appendRecord(nil, p.Path, &p, nil)[8:])
	f.Add([]byte{recRemove, 1, 0, 0, 0, 0, 0, 1, 'a'})
	f.Fuzz(func(t *testing.T, body []byte) {
		rec := seal(append(make([]byte, 8), body...), 0)
		b := &base{}
		var done []burial
		b.record(rec, map[string]*index.Page{}, &done)
	})
}
