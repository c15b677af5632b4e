package vault

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/pimento-memory/pimento"
)

// now is the clock of all tests.
func now() time.Time { return time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC) }

// realTemp is a temporary directory without links in its path.
func realTemp(t testing.TB) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func write(t testing.TB, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func read(t testing.TB, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// project opens the root of a project's memory that may not exist yet.
func project(t testing.TB, disk Disk) (*Root, string) {
	t.Helper()
	top := realTemp(t)
	r, err := (Dirs{State: filepath.Join(top, "state")}).OpenRoot(pimento.Project, filepath.Join(top, "repo", ".pi", "memory"), disk)
	if err != nil {
		t.Fatal(err)
	}
	return r, top
}

// change is the change from one text to another, as one splice of everything.
func change(page, from, to string) pimento.Change {
	return pimento.Change{Page: page, Before: pimento.DigestOf([]byte(from)), After: pimento.DigestOf([]byte(to)),
		Splices: []pimento.Splice{{Del: len(from), Ins: []byte(to)}}}
}

func creation(page, text string) pimento.Change {
	c := change(page, "", text)
	c.Before = ""
	return c
}

func addition(page, from, more string) pimento.Change {
	return pimento.Change{Page: page, Before: pimento.DigestOf([]byte(from)), After: pimento.DigestOf([]byte(from + more)),
		Append: true, Splices: []pimento.Splice{{Off: len(from), Ins: []byte(more)}}}
}

func removal(page, from string) pimento.Change {
	return pimento.Change{Page: page, Before: pimento.DigestOf([]byte(from))}
}

func wantKind(t testing.TB, err error, kind pimento.ErrorKind) {
	t.Helper()
	if err == nil || pimento.KindOf(err) != kind {
		t.Fatalf("error = %v (%v), want kind %v", err, pimento.KindOf(err), kind)
	}
	if _, ok := errors.AsType[*pimento.Error](err); !ok {
		t.Fatalf("error %v is not one of the house's", err)
	}
}

func sweep(t testing.TB, r *Root) string {
	t.Helper()
	got, _ := swept(t, r)
	return strings.Join(got, " ")
}

// swept is what a sweep finds and what it passes over.
func swept(t testing.TB, r *Root) (pages []string, skipped []Skip) {
	t.Helper()
	skipped, err := r.Sweep(t.Context(), func(rel string, _ pimento.Stamp) { pages = append(pages, rel) }, nil)
	if err != nil {
		t.Fatal(err)
	}
	sort.Strings(pages)
	return pages, skipped
}

// leftovers lists temporary files below a directory.
func leftovers(t testing.TB, dir string) []string {
	t.Helper()
	var got []string
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasPrefix(d.Name(), tempPrefix) {
			got = append(got, path)
		}
		return nil
	})
	return got
}

func git1(t testing.TB, dir string, args ...string) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.org",
		"-c", "protocol.file.allow=always", "-c", "init.defaultBranch=main", "-c", "commit.gpgsign=false"}, args...)...)
	cmd.Dir = dir
	for _, e := range os.Environ() {
		if !strings.HasPrefix(e, "GIT_") {
			cmd.Env = append(cmd.Env, e)
		}
	}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func repo(t testing.TB, dir string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	git1(t, dir, "init", "-q")
	git1(t, dir, "commit", "-q", "--allow-empty", "-m", "first "+dir)
}

func find(t testing.TB, dir, home string) Project {
	t.Helper()
	p, ok, err := FindProject(t.Context(), dir, home)
	if err != nil || !ok {
		t.Fatalf("FindProject(%s) = %v, %v", dir, ok, err)
	}
	return p
}

func TestDirsFrom(t *testing.T) {
	for _, c := range []struct {
		env  string
		want Dirs
	}{
		{"", Dirs{"/h", "/h/.pi/agent/memory", "/h/.local/state/pimento", "/h/.cache/pimento", "/h/.config/pimento", "/h/.local/share/pimento", ""}},
		{"XDG_STATE_HOME=/s XDG_CACHE_HOME=/c XDG_CONFIG_HOME=~/f XDG_DATA_HOME=/d PI_CODING_AGENT_DIR=~/a",
			Dirs{"/h", "/h/a/memory", "/s/pimento", "/c/pimento", "/h/f/pimento", "/d/pimento", ""}},
		{"PIMENTO_STATE_DIR=/s XDG_STATE_HOME=/x PIMENTO_CACHE_DIR=/c PIMENTO_CONFIG_DIR=/f PIMENTO_DATA_DIR=/d PI_CODING_AGENT_DIR=/a PI_MEMORY_DIR=/m/",
			Dirs{"/h", "/m", "/s", "/c", "/f", "/d", ""}},
		{"PI_MIND_DIR=~/mind PI_MEMORY_DIR=/m", Dirs{"/h", "/m", "/h/.local/state/pimento", "/h/.cache/pimento", "/h/.config/pimento", "/h/.local/share/pimento", "/h/mind"}},
		{"PIMENTO_GLOBAL_DIR=~ PI_MEMORY_DIR=/m PI_MIND_DIR=mind", Dirs{"/h", "/h", "/h/.local/state/pimento", "/h/.cache/pimento", "/h/.config/pimento", "/h/.local/share/pimento", ""}},
		{"PIMENTO_GLOBAL_DIR=rel/dir PIMENTO_STATE_DIR=. XDG_CACHE_HOME=../x PIMENTO_CONFIG_DIR=~other",
			Dirs{"/h", "/h/.pi/agent/memory", "/h/.local/state/pimento", "/h/.cache/pimento", "/h/.config/pimento", "/h/.local/share/pimento", ""}},
	} {
		env := map[string]string{}
		for pair := range strings.FieldsSeq(c.env) {
			k, v, _ := strings.Cut(pair, "=")
			env[k] = v
		}
		if got := DirsFrom("/h", func(k string) string { return env[k] }); got != c.want {
			t.Errorf("%s:\n got %+v\nwant %+v", c.env, got, c.want)
		}
	}
	if got := DirsFrom("", func(string) string { return "" }); got != (Dirs{}) {
		t.Errorf("without a home: %+v", got)
	}
	state := func(k string) string { return map[string]string{"PIMENTO_STATE_DIR": "/s"}[k] }
	if got := DirsFrom("", state); got != (Dirs{State: "/s", Cache: "/s/cache", Config: "/s/config", Data: "/s/data"}) {
		t.Errorf("without a home, but with a state: %+v", got)
	}
}

func TestLifeOfAPage(t *testing.T) {
	r, top := project(t, nil)
	ctx := t.Context()
	if r.Exists() {
		t.Fatal("the root exists before the first write")
	}
	if got := sweep(t, r); got != "" {
		t.Fatalf("pages of no root: %s", got)
	}
	_, _, err := r.Read(ctx, "MEMORY.md")
	wantKind(t, err, pimento.KindNotFound)
	key := r.Key()

	st, err := r.Apply(ctx, creation("daily/2026-11-21.md", "one\n"))
	if err != nil {
		t.Fatal(err)
	}
	b, same, err := r.Read(ctx, "daily/2026-11-21.md")
	if err != nil || string(b) != "one\n" || same != st {
		t.Fatalf("Read = %q, %+v, %v; Apply said %+v", b, same, err, st)
	}
	if info, _ := os.Stat(filepath.Join(top, "repo/.pi/memory/daily")); info.Mode().Perm() != 0o755 {
		t.Errorf("mode of a project's directory: %v", info.Mode())
	}
	st, err = r.Apply(ctx, addition("daily/2026-11-21.md", "one\n", "two\n"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Sweep(ctx, func(rel string, swept pimento.Stamp) {
		if rel != "daily/2026-11-21.md" || swept != st {
			t.Errorf("sweep saw %s %+v, Apply said %+v", rel, swept, st)
		}
	}, nil); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(top, "repo/.pi/memory/daily/2026-11-21.md")
	if err := os.Chmod(path, 0o664); err != nil {
		t.Fatal(err)
	}
	if _, err = r.Apply(ctx, change("daily/2026-11-21.md", "one\ntwo\n", "three\x00\xff")); err != nil {
		t.Fatal(err)
	}
	if info, _ := os.Stat(path); info.Mode().Perm() != 0o664 || read(t, path) != "three\x00\xff" {
		t.Errorf("after a replace: %v %q", info.Mode(), read(t, path))
	}
	if _, err = r.Apply(ctx, removal("daily/2026-11-21.md", "three\x00\xff")); err != nil {
		t.Fatal(err)
	}
	if got := sweep(t, r); got != "" || !r.Exists() || r.Key() != key {
		t.Errorf("after removal: %q, exists %v, key %s was %s", got, r.Exists(), r.Key(), key)
	}
	if left := leftovers(t, top); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestEmptyPageIsAPage(t *testing.T) {
	r, _ := project(t, nil)
	if _, err := r.Apply(t.Context(), creation("a.md", "")); err != nil {
		t.Fatal(err)
	}
	_, err := r.Apply(t.Context(), creation("a.md", "x"))
	wantKind(t, err, pimento.KindConflict)
	if _, err := r.Apply(t.Context(), addition("a.md", "", "x")); err != nil {
		t.Fatal(err)
	}
}

func TestConflicts(t *testing.T) {
	r, top := project(t, nil)
	path := filepath.Join(top, "repo/.pi/memory/a.md")
	write(t, path, "theirs")
	changes := map[string]pimento.Change{
		"replace": change("a.md", "old", "new"),
		"append":  addition("a.md", "old", "new"),
		"create":  creation("a.md", "new"),
		"remove":  removal("a.md", "old"),
		"misfit":  {Page: "a.md", Before: pimento.DigestOf([]byte("theirs")), After: "ff", Splices: []pimento.Splice{{Off: 99}}},
	}
	for name, c := range changes {
		_, err := r.Apply(t.Context(), c)
		wantKind(t, err, pimento.KindConflict)
		if read(t, path) != "theirs" {
			t.Fatalf("%s changed the page", name)
		}
		if name != "create" {
			c.Page = "none.md"
			_, err = r.Apply(t.Context(), c)
			wantKind(t, err, pimento.KindConflict)
		}
	}
	if left := leftovers(t, top); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestPathsAreRefused(t *testing.T) {
	r, top := project(t, nil)
	write(t, filepath.Join(top, "repo/.pi/memory/a.md"), "a")
	write(t, filepath.Join(top, "repo/out.md"), "out")
	for _, rel := range []string{"", ".", "..", "../out.md", "a/../../out.md", "a/../a.md", "/etc/x.md", "./a.md", "a//b.md", "a.md/",
		".hidden.md", ".git/x.md", "daily/.x.md", "a.txt", "a", "con\x00.md", "a\nb.md", "a\\b.md", "a\u0085.md", "\xff.md",
		strings.Repeat("x", 201) + ".md", strings.Repeat("d/", 600) + "a.md", "MEMORY.local.md", "memory.LOCAL.md",
		"../../../../../../etc/passwd.md", filepath.Join(top, "repo/out.md"), tempPrefix + "1" + tempSuffix} {
		if _, _, err := r.Read(t.Context(), rel); true {
			wantKind(t, err, pimento.KindUsage)
		}
		if _, err := r.Apply(t.Context(), creation(rel, "x")); true {
			wantKind(t, err, pimento.KindUsage)
		}
		if _, err := r.Replay(t.Context(), removal(rel, "x")); true {
			wantKind(t, err, pimento.KindUsage)
		}
	}
	for _, rel := range []string{"con.md", "NUL.x.md", "lpt1.md", "d:/a.md", "a?.md", "a./b.md", "a /b.md"} {
		_, err := r.Apply(t.Context(), creation(rel, "x"))
		wantKind(t, err, pimento.KindUsage)
	}
	for _, dir := range []string{"", "rel", "../x", "/x\x00"} {
		_, err := OpenRoot(pimento.Global, dir, nil)
		wantKind(t, err, pimento.KindUsage)
		_, _, err = FindProject(t.Context(), dir, "/h")
		wantKind(t, err, pimento.KindUsage)
	}
	_, err := OpenRoot("team", top, nil)
	wantKind(t, err, pimento.KindUsage)
	for _, id := range []string{"", "..", "../x", "a/b", "a.b", "a\x00", strings.Repeat("a", 101)} {
		wantKind(t, newRecovery(top).Put(t.Context(), id, 1), pimento.KindUsage)
		wantKind(t, newRecovery(top).Get(t.Context(), id, nil), pimento.KindUsage)
		wantKind(t, newRecovery(top).Delete(t.Context(), id), pimento.KindUsage)
	}
}

func TestReadOnlyRootSaysSo(t *testing.T) {
	r, err := OpenRoot(pimento.Global, realTemp(t), nil)
	if err != nil {
		t.Fatal(err)
	}
	_, err = r.Apply(t.Context(), creation("a.md", "x"))
	wantKind(t, err, pimento.KindUsage)
	_, err = r.Lock(t.Context())
	wantKind(t, err, pimento.KindUsage)
}

func TestForeignNamesAreReadable(t *testing.T) {
	r, top := project(t, nil)
	write(t, filepath.Join(top, "repo/.pi/memory/Was: warum? ü 日本.md"), "x")
	if _, err := r.Apply(t.Context(), change("Was: warum? ü 日本.md", "x", "y")); err != nil {
		t.Fatal(err)
	}
}

func TestSymlinksAreRefused(t *testing.T) {
	r, top := project(t, nil)
	mem := filepath.Join(top, "repo/.pi/memory")
	write(t, filepath.Join(top, "secret/s.md"), "secret")
	write(t, filepath.Join(mem, "real/a.md"), "a")
	for name, target := range map[string]string{
		"file.md": filepath.Join(top, "secret/s.md"), "dir": filepath.Join(top, "secret"), "inside.md": "real/a.md",
		"insidedir": "real", "dangling.md": "nowhere", "config.json": "../../../secret/s.md",
	} {
		if err := os.Symlink(target, filepath.Join(mem, name)); err != nil {
			t.Fatal(err)
		}
	}
	if got := sweep(t, r); got != "real/a.md" {
		t.Errorf("sweep followed a link: %s", got)
	}
	if _, skipped := swept(t, r); len(skipped) != 6 {
		t.Errorf("skipped %v", skipped)
	}
	for _, rel := range []string{"file.md", "dir/s.md", "inside.md", "insidedir/a.md", "dangling.md", "dir/new.md"} {
		_, _, err := r.Read(t.Context(), rel)
		wantKind(t, err, pimento.KindDenied)
		_, err = r.Apply(t.Context(), change(rel, "secret", "x"))
		wantKind(t, err, pimento.KindDenied)
		_, err = r.Apply(t.Context(), addition(rel, "secret", "x"))
		wantKind(t, err, pimento.KindDenied)
		_, err = r.Apply(t.Context(), removal(rel, "secret"))
		wantKind(t, err, pimento.KindDenied)
	}
	_, err := r.Apply(t.Context(), creation("dir/new.md", "x"))
	wantKind(t, err, pimento.KindDenied)
	if _, err = r.Apply(t.Context(), creation("file.md", "x")); err == nil {
		t.Error("created over a link")
	}
	if b, err := r.ReadSmall(t.Context(), "config.json"); err == nil || len(b) > 0 || strings.Contains(err.Error(), "secret") {
		t.Errorf("a linked config: %s, %v", b, err)
	}
	wantKind(t, r.EditSmall(t.Context(), "config.json", appends), pimento.KindDenied)
	if read(t, filepath.Join(top, "secret/s.md")) != "secret" {
		t.Error("wrote through a link")
	}
}

func TestLinkedProjectRootIsRefused(t *testing.T) {
	for _, link := range []string{".pi", ".pi/memory"} {
		r, top := project(t, nil) // opened before the link is made
		write(t, filepath.Join(top, "else/memory/a.md"), "a")
		at := filepath.Join(top, "repo", link)
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		target := filepath.Join(top, "else")
		if link != ".pi" {
			target = filepath.Join(target, "memory")
		}
		if err := os.Symlink(target, at); err != nil {
			t.Fatal(err)
		}
		_, err := OpenRoot(pimento.Project, filepath.Join(top, "repo/.pi/memory"), nil)
		wantKind(t, err, pimento.KindDenied)
		if !strings.Contains(err.Error(), at) {
			t.Errorf("the error does not name %s: %v", at, err)
		}
		_, _, err = r.Read(t.Context(), "a.md")
		wantKind(t, err, pimento.KindDenied)
		_, err = r.Sweep(t.Context(), func(string, pimento.Stamp) { t.Error("swept a link") }, nil)
		wantKind(t, err, pimento.KindDenied)
		_, err = r.Apply(t.Context(), creation("b.md", "x"))
		wantKind(t, err, pimento.KindDenied)
		if r.Exists() {
			t.Error("a linked root exists")
		}
		if err := os.RemoveAll(target); err != nil { // dangling now
			t.Fatal(err)
		}
		_, err = r.Apply(t.Context(), creation("b.md", "x"))
		wantKind(t, err, pimento.KindDenied)
	}
}

func TestGlobalRootMayBeALink(t *testing.T) {
	top := realTemp(t)
	write(t, filepath.Join(top, "dotfiles/memory/a.md"), "a")
	if err := os.Symlink("dotfiles/memory", filepath.Join(top, "link")); err != nil {
		t.Fatal(err)
	}
	byLink, err := OpenRoot(pimento.Global, filepath.Join(top, "link"), nil)
	if err != nil {
		t.Fatal(err)
	}
	direct, err := OpenRoot(pimento.Global, filepath.Join(top, "dotfiles/memory"), nil)
	if err != nil || byLink.Key() != direct.Key() || sweep(t, byLink) != "a.md" {
		t.Errorf("%v, %s %s, %s", err, byLink.Key(), direct.Key(), sweep(t, byLink))
	}
	if err := os.Symlink("nowhere", filepath.Join(top, "dangling")); err != nil {
		t.Fatal(err)
	}
	_, err = OpenRoot(pimento.Global, filepath.Join(top, "dangling"), nil)
	wantKind(t, err, pimento.KindUnavailable)
}

func TestGlobalIsPrivate(t *testing.T) {
	top := realTemp(t)
	r, err := (Dirs{State: filepath.Join(top, "s")}).OpenRoot(pimento.Global, filepath.Join(top, "a", "b"), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Apply(t.Context(), creation("x/y.md", "x")); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]fs.FileMode{"a/b": 0o700, "a/b/x": 0o700, "a/b/x/y.md": 0o600} {
		if info, err := os.Stat(filepath.Join(top, path)); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
	}
}

func TestLocalScopeIsOnePage(t *testing.T) {
	proj, top := project(t, nil)
	dir := filepath.Join(top, "repo/.pi/memory")
	local, err := (Dirs{State: filepath.Join(top, "state")}).OpenRoot(pimento.Local, dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "MEMORY.md"), "team")
	if local.Exists() || sweep(t, local) != "" {
		t.Error("the local scope has a page before it was written")
	}
	if _, err := local.Apply(t.Context(), creation("MEMORY.local.md", "mine")); err != nil {
		t.Fatal(err)
	}
	_, err = local.Apply(t.Context(), creation("other.md", "mine"))
	wantKind(t, err, pimento.KindUsage)
	if a, b := sweep(t, local), sweep(t, proj); a != "MEMORY.local.md" || b != "MEMORY.md" || !local.Exists() {
		t.Errorf("local %q, project %q", a, b)
	}
	if local.Key() == proj.Key() {
		t.Error("both scopes would share an index")
	}
}

func TestSweepLeavesOut(t *testing.T) {
	r, top := project(t, nil)
	mem := filepath.Join(top, "repo/.pi/memory")
	for _, rel := range []string{"MEMORY.md", "topics/a.md", "a/b/c/d.md", "topics/archive/x.md", "archive/old.md", "archive/2025/o.md",
		".obsidian/x.md", "a/.trash/x.md", ".hidden.md", "notes.txt", "MEMORY.local.md", ".pimento-1.tmp", "config.json", "bad\tname.md"} {
		write(t, filepath.Join(mem, rel), rel)
	}
	deep := filepath.Join(mem, strings.Repeat("d/", maxDepth+1))
	write(t, filepath.Join(deep, "x.md"), "x")
	if err := os.Mkdir(filepath.Join(mem, "dir.md"), 0o755); err != nil {
		t.Fatal(err)
	}
	if got := sweep(t, r); got != "MEMORY.md a/b/c/d.md topics/a.md topics/archive/x.md" {
		t.Errorf("swept %s", got)
	}
	why := map[string]bool{}
	_, skipped := swept(t, r)
	for _, s := range skipped {
		why[s.Why] = true
	}
	if len(why) != 2 || !why["too deep below the root"] {
		t.Errorf("skipped %v", skipped)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := r.Sweep(ctx, func(string, pimento.Stamp) {}, nil)
	wantKind(t, err, pimento.KindUnavailable)
}

func TestRootThatComesAndGoes(t *testing.T) {
	r, top := project(t, nil) // as when a branch without memory is checked out
	mem := filepath.Join(top, "repo/.pi")
	write(t, filepath.Join(mem, "memory/a.md"), "a")
	if sweep(t, r) != "a.md" {
		t.Fatal("not seen")
	}
	if err := os.RemoveAll(mem); err != nil {
		t.Fatal(err)
	}
	if sweep(t, r) != "" || r.Exists() {
		t.Fatal("still there")
	}
	write(t, filepath.Join(mem, "memory/b.md"), "b")
	if sweep(t, r) != "b.md" {
		t.Fatal("not seen again")
	}
}

func TestRecovery(t *testing.T) {
	dir := filepath.Join(realTemp(t), "recovery")
	v := newRecovery(dir)
	ctx := t.Context()
	if ids, err := v.List(ctx); err != nil || len(ids) != 0 {
		t.Fatalf("%v %v", ids, err)
	}
	var got Displaced
	wantKind(t, v.Get(ctx, "a", &got), pimento.KindNotFound)
	want := Displaced{Scope: pimento.Project, Page: "a.md", Bytes: []byte("\xff\x00 x")}
	for _, id := range []string{"b", "01HXYZ", "b"} {
		if err := v.Put(ctx, id, want); err != nil {
			t.Fatal(err)
		}
	}
	if err := v.Get(ctx, "b", &got); err != nil || string(got.Bytes) != string(want.Bytes) {
		t.Fatalf("%+v %v", got, err)
	}
	if ids, err := v.List(ctx); err != nil || fmt.Sprint(ids) != "[01HXYZ b]" {
		t.Fatalf("%v %v", ids, err)
	}
	info, _ := os.Stat(filepath.Join(dir, "b.json"))
	top, _ := os.Stat(dir)
	if info.Mode().Perm() != 0o600 || top.Mode().Perm() != 0o700 {
		t.Errorf("modes %v %v", info.Mode(), top.Mode())
	}
	for range 2 {
		if err := v.Delete(ctx, "b"); err != nil {
			t.Fatal(err)
		}
	}
	wantKind(t, v.Get(ctx, "b", &got), pimento.KindNotFound)
}

// TestWhatIsInTheWayOfRecovery: each says what to do.
func TestWhatIsInTheWayOfRecovery(t *testing.T) {
	dir := filepath.Join(realTemp(t), "recovery")
	v, hint := newRecovery(dir), func(err error) {
		t.Helper()
		if pimento.KindOf(err) != pimento.KindUnavailable || pimento.HintOf(err) == "" {
			t.Errorf("%v, hint %q", err, pimento.HintOf(err))
		}
	}
	var got Displaced
	if err := os.Symlink(filepath.Join(dir, "gone"), dir); err != nil {
		t.Skip(err)
	}
	hint(v.Put(t.Context(), "a", got))
	if err := errors.Join(os.Remove(dir), os.MkdirAll(filepath.Join(dir, "b.json"), 0o700), os.WriteFile(filepath.Join(dir, "c.json"), []byte("{\x00"), 0o600)); err != nil {
		t.Fatal(err)
	}
	hint(v.Put(t.Context(), "b", got))
	hint(v.Get(t.Context(), "b", &got))
	hint(v.Get(t.Context(), "c", &got))
}

func TestCheckWriteRefusesWhatIsNotSweptAgain(t *testing.T) {
	for rel, ok := range map[string]bool{"MEMORY.md": true, "topics/archive/x.md": true, "archives/x.md": true, "archive/x.md": false,
		strings.Repeat("d/", maxDepth) + "x.md": true, strings.Repeat("d/", maxDepth+1) + "x.md": false, "../x.md": false} {
		err := CheckWrite(rel)
		if (err == nil) != ok || err != nil && pimento.KindOf(err) != pimento.KindUsage {
			t.Errorf("%s: %v", rel, err)
		}
	}
}

// The global root may be named by the environment, and then be anything.
func TestGlobalRootIsAFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{file, filepath.Join(file, "below")} {
		_, err := OpenRoot(pimento.Global, dir, nil)
		if pimento.KindOf(err) != pimento.KindUnavailable || !strings.Contains(pimento.HintOf(err), "move") {
			t.Errorf("%s: %v, hint %q", dir, err, pimento.HintOf(err))
		}
	}
}
