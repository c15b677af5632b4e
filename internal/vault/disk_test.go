//go:build unix

package vault

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/pimento-memory/pimento"
)

// A failingDisk fails one call, or every call from one on, and can do so
// half way, as a full disk does.
type failingDisk struct {
	OSDisk
	calls  int
	fail   int  // number of the call that fails, from 1
	always bool // and all later ones
	torn   bool // a failing write leaves half of its bytes behind
	noSwap bool // there is no exchange
	before func(how How, from, to string)
}

func (d *failingDisk) fails() bool {
	d.calls++
	return d.calls == d.fail || d.always && d.fail > 0 && d.calls > d.fail
}

func (d *failingDisk) Mkdir(dir *os.Root, name string, mode fs.FileMode) error {
	if d.fails() {
		return syscall.ENOSPC
	}
	return d.OSDisk.Mkdir(dir, name, mode)
}

func (d *failingDisk) Create(dir *os.Root, name string, b []byte, mode fs.FileMode) error {
	if d.fails() {
		if d.torn {
			_ = dir.WriteFile(name, b[:len(b)/2], mode)
		}
		return syscall.ENOSPC
	}
	return d.OSDisk.Create(dir, name, b, mode)
}

func (d *failingDisk) Append(f *os.File, b []byte) error {
	if d.fails() {
		if d.torn {
			_, _ = f.Write(b[:len(b)/2])
		}
		return syscall.ENOSPC
	}
	return d.OSDisk.Append(f, b)
}

func (d *failingDisk) Rename(dir *os.Root, how How, from, to string) error {
	if d.fails() {
		return syscall.EIO
	}
	if d.before != nil {
		d.before(how, from, to)
	}
	if d.noSwap && how == Exchange {
		return errors.ErrUnsupported
	}
	return d.OSDisk.Rename(dir, how, from, to)
}

func (d *failingDisk) Sync(dir *os.Root) error {
	if d.fails() {
		return syscall.EIO
	}
	return d.OSDisk.Sync(dir)
}

// After a failure of any call, the old or the new page stands, an error is
// reported unless it was only a matter of clearing up, and a replay on a
// healthy disk ends with the new page.
func TestEveryCallFails(t *testing.T) {
	old, more := "old text\n", strings.Repeat("new text\n", 50)
	for name, c := range map[string]pimento.Change{
		"create": creation("topics/a.md", more), "replace": change("topics/a.md", old, more),
		"append": addition("topics/a.md", old, more), "remove": removal("topics/a.md", old),
	} {
		for _, noSwap := range []bool{false, true} {
			for mode := range 4 {
				if noSwap && mode > 1 {
					break // tearing does not depend on the exchange
				}
				for n := 1; ; n++ {
					disk := &failingDisk{fail: n, always: mode&1 > 0, torn: mode&2 > 0, noSwap: noSwap}
					if !failOnce(t, name, c, old, disk) {
						if n < 2 {
							t.Fatalf("%s makes only %d calls", name, n-1)
						}
						break
					}
				}
			}
		}
	}
}

func failOnce(t *testing.T, name string, c pimento.Change, old string, disk *failingDisk) bool {
	t.Helper()
	r, top := project(t, disk)
	path := filepath.Join(top, "repo/.pi/memory/topics/a.md")
	before := ""
	if c.Before != "" {
		write(t, path, old)
		before = old
	}
	_, err := r.Apply(t.Context(), c)
	hit := disk.calls >= disk.fail
	b, _, readErr := r.Read(t.Context(), c.Page)
	digest := pimento.DigestOf(b)
	if readErr != nil {
		digest = ""
	}
	_, torn := torn(c, b)
	switch {
	case err == nil && digest != c.After:
		t.Errorf("%s, call %d: acknowledged, but the page is %.20q", name, disk.fail, b)
	case digest != c.After && digest != c.Before && !(torn && disk.torn):
		t.Errorf("%s, call %d: neither old nor new: %.20q", name, disk.fail, b)
	case err != nil && pimento.KindOf(err) != pimento.KindUnavailable:
		t.Errorf("%s, call %d: %v is %v", name, disk.fail, err, pimento.KindOf(err))
	case err != nil && pimento.HintOf(err) == "":
		t.Errorf("%s, call %d: %v has no hint", name, disk.fail, err)
	}
	r.disk = OSDisk{}
	if _, err := r.Replay(t.Context(), c); err != nil {
		t.Errorf("%s, call %d: replay: %v", name, disk.fail, err)
	}
	if b, _, err := r.Read(t.Context(), c.Page); (c.After == "") != (err != nil) || err == nil && pimento.DigestOf(b) != c.After {
		t.Errorf("%s, call %d: after replay of %q: %.20q", name, disk.fail, before, b)
	}
	if got := sweep(t, r); strings.Contains(got, ".pimento") {
		t.Errorf("swept %s", got)
	}
	return hit
}

// An editor that saves between our check and our rename, by rename or in
// place, loses nothing, with and without an exchange.
func TestForeignEditInBetween(t *testing.T) {
	byRename := func(path, text string) {
		write(t, path+"~", text)
		if err := os.Rename(path+"~", path); err != nil {
			t.Fatal(err)
		}
	}
	inPlace := func(path, text string) { write(t, path, text) }
	for name, c := range map[string]pimento.Change{"replace": change("a.md", "old", "ours"), "remove": removal("a.md", "old")} {
		for how, save := range map[string]func(path, text string){"rename": byRename, "in place": inPlace} {
			for _, noSwap := range []bool{false, true} {
				for _, twice := range []bool{false, true} {
					if noSwap && how == "rename" && name == "replace" {
						continue // the one case that cannot be seen there
					}
					disk := &failingDisk{noSwap: noSwap}
					r, top := project(t, disk)
					path := filepath.Join(top, "repo/.pi/memory/a.md")
					write(t, path, "old")
					saved := 0
					disk.before = func(kind How, from, to string) {
						ready := kind == Exchange && !noSwap || kind == Replace && from[0] == '.' && to[0] != '.' || kind == NoReplace
						if ready && (saved == 0 || saved == 1 && twice) {
							saved++
							save(path, "theirs"+string(rune('0'+saved)))
						}
					}
					_, err := r.Apply(t.Context(), c)
					wantKind(t, err, pimento.KindConflict)
					kept := map[string]bool{}
					if b, err := os.ReadFile(path); err == nil {
						kept[string(b)] = true
					}
					ids, _ := r.recovery().List(t.Context())
					for _, id := range ids {
						var d Displaced
						if err := r.recovery().Get(t.Context(), id, &d); err != nil || d.Page != "a.md" {
							t.Error(err)
						}
						kept[string(d.Bytes)] = true
					}
					for i := 1; i <= saved; i++ {
						if text := "theirs" + string(rune('0'+i)); !kept[text] {
							t.Errorf("%s, %s, noSwap %v, twice %v: %s is lost: %v", name, how, noSwap, twice, text, kept)
						}
					}
					if b, _ := os.ReadFile(path); string(b) == "ours" {
						t.Errorf("%s, %s: a conflict, but our text stands", name, how)
					}
					if left := leftovers(t, top); len(left) > 0 {
						t.Errorf("left behind %v", left)
					}
				}
			}
		}
	}
}

// A program that holds the page open keeps what it writes later.
func TestPageOpenElsewhere(t *testing.T) {
	r, top := project(t, nil)
	path := filepath.Join(top, "repo/.pi/memory/a.md")
	write(t, path, "old")
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if !openElsewhere(mustOpen(t, path)) {
		t.Skip("leases are not to be had here")
	}
	for _, c := range []pimento.Change{change("a.md", "old", "ours"), removal("a.md", "old")} {
		_, err = r.Apply(t.Context(), c)
		wantKind(t, err, pimento.KindConflict)
	}
	if _, err := f.WriteString(" and more"); err != nil {
		t.Fatal(err)
	}
	if got := read(t, path); got != "old and more" {
		t.Errorf("%q", got)
	}
	if _, err := r.Apply(t.Context(), addition("a.md", "old and more", "!")); err != nil {
		t.Errorf("an append needs nobody's leave: %v", err)
	}
}

func mustOpen(t *testing.T, path string) *os.File {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func TestTornAppendIsCompleted(t *testing.T) {
	r, top := project(t, nil)
	path := filepath.Join(top, "repo/.pi/memory/a.md")
	c := addition("a.md", "old\n", "one two three\n")
	for _, text := range []string{"old\n", "old\no", "old\none two", "old\none two three\n"} {
		write(t, path, text)
		if _, err := r.Replay(t.Context(), c); err != nil || read(t, path) != "old\none two three\n" {
			t.Errorf("%q became %q, %v", text, read(t, path), err)
		}
	}
	for _, text := range []string{"old", "old\nx", "old\none two three\nfour", ""} {
		write(t, path, text)
		_, err := r.Replay(t.Context(), c)
		wantKind(t, err, pimento.KindConflict)
		if read(t, path) != text {
			t.Errorf("%q was changed", text)
		}
	}
}

func TestAppendBesideAForeignAppend(t *testing.T) {
	r, top := project(t, nil)
	path := filepath.Join(top, "repo/.pi/memory/a.md")
	write(t, path, "old\n")
	r.disk = &appendRace{path: path, t: t}
	st, err := r.Apply(t.Context(), addition("a.md", "old\n", "ours\n"))
	if err != nil || st != (pimento.Stamp{}) || read(t, path) != "old\ntheirs\nours\n" {
		t.Errorf("%+v, %v, %q", st, err, read(t, path))
	}
	r.disk = &appendRace{path: path, t: t, replace: true}
	_, err = r.Apply(t.Context(), addition("a.md", "old\ntheirs\nours\n", "more\n"))
	wantKind(t, err, pimento.KindConflict)
	if read(t, path) != "theirs\n" {
		t.Errorf("%q", read(t, path))
	}
}

type appendRace struct {
	OSDisk
	t       *testing.T
	path    string
	replace bool
}

func (d *appendRace) Append(f *os.File, b []byte) error {
	if d.replace {
		write(d.t, d.path+"~", "theirs\n")
		if err := os.Rename(d.path+"~", d.path); err != nil {
			d.t.Fatal(err)
		}
		return d.OSDisk.Append(f, b)
	}
	write(d.t, d.path, read(d.t, d.path)+"theirs\n")
	return d.OSDisk.Append(f, b)
}

func TestLeftoversAreCleared(t *testing.T) {
	r, top := project(t, nil)
	mem := filepath.Join(top, "repo/.pi/memory")
	w := &writer{c: change("a.md", "known", "planned")}
	mine, planned, foreign, young := w.tempName(), w.tempName(), w.tempName(), w.tempName()
	write(t, filepath.Join(mem, mine), "known")
	write(t, filepath.Join(mem, planned), "planned")
	write(t, filepath.Join(mem, foreign), "somebody's")
	write(t, filepath.Join(mem, young), "known")
	write(t, filepath.Join(mem, ".pimento-mine.md"), "not a temporary file")
	c := creation("b.md", "x")
	if _, err := r.Apply(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	if n := len(leftovers(t, mem)); n != 5 {
		t.Fatalf("young files were cleared: %d left", n)
	}
	// Some minutes pass: the change time cannot be set, so the clock is.
	later := &writer{r: r, ctx: t.Context(), c: c}
	dir, name, err := r.dirOf("b.md", false)
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	later.dir, later.name = dir, name
	if err := os.Remove(filepath.Join(mem, young)); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(mem, "b.md")
	soon := time.Now().Add(11 * time.Minute)
	if err := os.Chtimes(path, soon, soon); err != nil {
		t.Fatal(err)
	}
	later.ours = mustOpen(t, path)
	later.tidy()
	if left := leftovers(t, mem); len(left) != 1 {
		t.Errorf("left %v", left)
	}
	ids, _ := r.recovery().List(t.Context())
	var d Displaced
	if len(ids) != 1 || r.recovery().Get(t.Context(), ids[0], &d) != nil || string(d.Bytes) != "somebody's" {
		t.Errorf("recovered %v %+v", ids, d)
	}
}

func TestHugePages(t *testing.T) {
	r, top := project(t, nil)
	path := filepath.Join(top, "repo/.pi/memory/a.md")
	big := strings.Repeat("0123456789abcdef", 50<<20/16)
	if _, err := r.Apply(t.Context(), creation("a.md", big)); err != nil {
		t.Fatal(err)
	}
	c := pimento.Change{Page: "a.md", Before: pimento.DigestOf([]byte(big)), After: pimento.DigestOf([]byte("x" + big)),
		Splices: []pimento.Splice{{Ins: []byte("x")}}}
	if _, err := r.Apply(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	if b, _, err := r.Read(t.Context(), "a.md"); err != nil || len(b) != 50<<20+1 {
		t.Errorf("%d bytes, %v", len(b), err)
	}
	if err := os.Truncate(path, MaxPage+1); err != nil {
		t.Fatal(err)
	}
	_, _, err := r.Read(t.Context(), "a.md")
	wantKind(t, err, pimento.KindRefused)
	if pimento.HintOf(err) == "" {
		t.Error("no hint")
	}
	if err := syscall.Mkfifo(filepath.Join(top, "repo/.pi/memory/pipe.md"), 0o644); err != nil {
		t.Skip(err)
	}
	_, _, err = r.Read(t.Context(), "pipe.md")
	wantKind(t, err, pimento.KindRefused)
}
