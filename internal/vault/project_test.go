package vault

import (
	"bufio"
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pimento-memory/pimento"
)

func TestProjectOfAWorkTree(t *testing.T) {
	home := realTemp(t)
	top := filepath.Join(home, "src", "app")
	repo(t, top)
	sub := filepath.Join(top, "pkg", "deep")
	write(t, filepath.Join(sub, ".pi/memory/a.md"), "not the project's")
	t.Setenv("GIT_DIR", "/nowhere")
	p := find(t, sub, home)
	if p.Dir != top || p.Common != filepath.Join(top, ".git") || p.Memory != filepath.Join(top, ".pi/memory") || !p.Git || len(p.ID) != 16 || p.Ino == 0 {
		t.Errorf("%+v", p)
	}
	if err := os.Symlink(sub, filepath.Join(home, "link")); err != nil {
		t.Fatal(err)
	}
	if got := find(t, filepath.Join(home, "link"), home); got != p {
		t.Errorf("through a link: %+v", got)
	}
	for _, in := range []string{".git", ".git/objects", ".git/refs/heads"} {
		if p, ok, err := FindProject(t.Context(), filepath.Join(top, in), home); ok || err != nil {
			t.Errorf("%s is a project: %+v %v", in, p, err)
		}
	}
}

func TestWorktreesShareOneIdentity(t *testing.T) {
	home := realTemp(t)
	top := filepath.Join(home, "app")
	repo(t, top)
	git1(t, top, "worktree", "add", "-q", filepath.Join(home, "wt"))
	git1(t, top, "worktree", "add", "-q", filepath.Join(top, "nested", "wt2"))
	main, wt := find(t, top, home), find(t, filepath.Join(home, "wt"), home)
	nested := find(t, filepath.Join(top, "nested/wt2"), home)
	if wt.Common != main.Common || wt.ID != main.ID || wt.Dir != filepath.Join(home, "wt") || nested.ID != main.ID || nested.Dir == top {
		t.Errorf("main %+v\nwt %+v\nnested %+v", main, wt, nested)
	}
	if wt.GitDir != filepath.Join(top, ".git/worktrees/wt") {
		t.Errorf("git dir %s", wt.GitDir)
	}
	// The repository is deleted: what is left is a plain directory.
	if err := os.RemoveAll(filepath.Join(top, ".git")); err != nil {
		t.Fatal(err)
	}
	if p := find(t, filepath.Join(home, "wt"), home); p.Git || p.Common != p.Dir {
		t.Errorf("orphan %+v", p)
	}
}

func TestWorktreesOfABareRepository(t *testing.T) {
	home := realTemp(t)
	repo(t, filepath.Join(home, "origin"))
	git1(t, home, "clone", "-q", "--bare", "origin", "app/.bare")
	write(t, filepath.Join(home, "app/.git"), "gitdir: ./.bare\n")
	git1(t, filepath.Join(home, "app"), "worktree", "add", "-q", "main")
	git1(t, filepath.Join(home, "app"), "worktree", "add", "-q", "other")
	a, b := find(t, filepath.Join(home, "app/main"), home), find(t, filepath.Join(home, "app/other"), home)
	if a.ID != b.ID || a.Common != filepath.Join(home, "app/.bare") || a.Dir == b.Dir {
		t.Errorf("%+v\n%+v", a, b)
	}
	if p, ok, _ := FindProject(t.Context(), filepath.Join(home, "app/.bare"), home); ok {
		t.Errorf("a bare repository is a project: %+v", p)
	}
}

func TestSubmoduleIsAProjectOfItsOwn(t *testing.T) {
	home := realTemp(t)
	repo(t, filepath.Join(home, "lib"))
	repo(t, filepath.Join(home, "app"))
	git1(t, filepath.Join(home, "app"), "submodule", "--quiet", "add", "../lib", "vendor/lib")
	app, sub := find(t, filepath.Join(home, "app"), home), find(t, filepath.Join(home, "app/vendor/lib"), home)
	if sub.Dir != filepath.Join(home, "app/vendor/lib") || sub.Common != filepath.Join(home, "app/.git/modules/vendor/lib") || sub.ID == app.ID {
		t.Errorf("%+v", sub)
	}
}

// A directory that is unpacked from an archive may hold any .git: none of them
// may borrow the identity, and so the consent, of a trusted repository.
func TestIdentityCannotBeBorrowed(t *testing.T) {
	home := realTemp(t)
	trusted := filepath.Join(home, "trusted")
	repo(t, trusted)
	git1(t, trusted, "worktree", "add", "-q", filepath.Join(home, "wt"))
	id := find(t, trusted, home).ID
	for name, make := range map[string]func(dir string){
		"file":     func(dir string) { write(t, dir+"/.git", "gitdir: "+trusted+"/.git\n") },
		"worktree": func(dir string) { write(t, dir+"/.git", "gitdir: ../trusted/.git/worktrees/wt\n") },
		"link":     func(dir string) { os.Symlink(trusted+"/.git", dir+"/.git") },
		"common": func(dir string) {
			write(t, dir+"/.git/HEAD", "ref: refs/heads/main\n")
			write(t, dir+"/.git/commondir", trusted+"/.git\n")
			write(t, dir+"/.git/gitdir", dir+"/.git\n")
		},
		"shipped": func(dir string) {
			write(t, dir+"/.git", "gitdir: x/worktrees/y\n")
			write(t, dir+"/x/worktrees/y/HEAD", "ref: refs/heads/main\n")
			write(t, dir+"/x/worktrees/y/commondir", trusted+"/.git\n")
			write(t, dir+"/x/worktrees/y/gitdir", dir+"/.git\n")
		},
	} {
		dir := filepath.Join(home, "hostile-"+name)
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		make(dir)
		if p := find(t, dir, home); p.ID == id || p.Dir != dir {
			t.Errorf("%s: %+v", name, p)
		}
	}
}

func TestBrokenGitIsNoGit(t *testing.T) {
	home := realTemp(t)
	for name, text := range map[string]string{"empty": "", "junk": "\x00\xff", "nowhere": "gitdir: /nowhere\n", "self": "gitdir: .git\n",
		"none": "gitdir:\n", "huge": strings.Repeat("gitdir: x", 1<<17)} {
		dir := filepath.Join(home, name)
		write(t, filepath.Join(dir, ".git"), text)
		if p := find(t, dir, home); p.Git || p.Dir != dir || p.Common != dir {
			t.Errorf("%s: %+v", name, p)
		}
	}
	if err := os.MkdirAll(filepath.Join(home, "hollow/.git"), 0o755); err != nil {
		t.Fatal(err)
	}
	if p := find(t, filepath.Join(home, "hollow"), home); p.Git {
		t.Errorf("%+v", p)
	}
}

func TestNoGit(t *testing.T) {
	home := realTemp(t)
	write(t, filepath.Join(home, "notes/.pi/memory/MEMORY.md"), "x")
	write(t, filepath.Join(home, "notes/a/b/c.txt"), "x")
	write(t, filepath.Join(home, ".pi/memory/MEMORY.md"), "a home is no project")
	write(t, filepath.Join(home, "plain/x.txt"), "x")
	if p := find(t, filepath.Join(home, "notes/a/b"), home); p.Dir != filepath.Join(home, "notes") || p.Git || p.Common != p.Dir {
		t.Errorf("%+v", p)
	}
	if p := find(t, filepath.Join(home, "plain"), home); p.Dir != filepath.Join(home, "plain") {
		t.Errorf("%+v", p)
	}
	// Outside of home, an ancestor that somebody else may own is not looked at.
	out := realTemp(t)
	write(t, filepath.Join(out, ".pi/memory/MEMORY.md"), "x")
	write(t, filepath.Join(out, "a/x.txt"), "x")
	if p := find(t, filepath.Join(out, "a"), home); p.Dir != filepath.Join(out, "a") {
		t.Errorf("%+v", p)
	}
}

func TestHomeIsNeverAProject(t *testing.T) {
	home := filepath.Join(realTemp(t), "u", "me")
	repo(t, home) // a repository of dotfiles
	if err := os.Symlink(home, filepath.Dir(home)+"/link"); err != nil {
		t.Fatal(err)
	}
	for _, h := range []string{home, filepath.Dir(home) + "/link"} {
		for _, dir := range []string{home, filepath.Dir(home), "/", filepath.Dir(home) + "/link"} {
			if p, ok, err := FindProject(t.Context(), dir, h); ok || err != nil {
				t.Errorf("%s is a project: %+v, %v", dir, p, err)
			}
		}
	}
	write(t, filepath.Join(home, "x/y/z"), "x")
	link := filepath.Dir(home) + "/link"
	for _, h := range []string{home, link, home + "/../me/"} {
		for _, dir := range []string{home + "/x/y", link + "/x/y", home + "/x/../x/y"} {
			if p := find(t, dir, h); p.Dir != filepath.Join(home, "x/y") || p.Git {
				t.Errorf("%s, home being %s: %+v", dir, h, p)
			}
		}
	}
	_, _, err := FindProject(t.Context(), filepath.Join(home, "none"), home)
	wantKind(t, err, pimento.KindNotFound)
	_, _, err = FindProject(t.Context(), filepath.Join(home, "x/y/z"), home)
	wantKind(t, err, pimento.KindUsage)
}

func TestRootCommit(t *testing.T) {
	home := realTemp(t)
	top := filepath.Join(home, "app")
	repo(t, top)
	p := find(t, top, home)
	want := git1(t, top, "rev-parse", "HEAD")
	git1(t, top, "commit", "-q", "--allow-empty", "-m", "second")
	t.Setenv("GIT_DIR", "/nowhere")
	if got, err := RootCommit(t.Context(), p); err != nil || got != want {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
	git1(t, home, "clone", "-q", "--depth=1", "file://"+top, "shallow")
	if got, err := RootCommit(t.Context(), find(t, filepath.Join(home, "shallow"), home)); err != nil || got != "" {
		t.Errorf("shallow: %q, %v", got, err)
	}
	git1(t, home, "init", "-q", "empty")
	if got, err := RootCommit(t.Context(), find(t, filepath.Join(home, "empty"), home)); err != nil || got != "" {
		t.Errorf("empty: %q, %v", got, err)
	}
	if got, err := RootCommit(t.Context(), Project{Dir: home}); err != nil || got != "" {
		t.Errorf("no git: %q, %v", got, err)
	}
}

func TestExcludeLocal(t *testing.T) {
	home := realTemp(t)
	top := filepath.Join(home, "app")
	repo(t, top)
	git1(t, top, "worktree", "add", "-q", filepath.Join(home, "wt"))
	exclude := filepath.Join(top, ".git/info/exclude")
	write(t, exclude, "# mine\n*.o") // no line end
	for _, dir := range []string{top, filepath.Join(home, "wt"), top} {
		if err := ExcludeLocal(t.Context(), find(t, dir, home)); err != nil {
			t.Fatal(err)
		}
	}
	if got := read(t, exclude); got != "# mine\n*.o\n/.pi/memory/MEMORY.local.md\n" {
		t.Errorf("%q", got)
	}
	for _, dir := range []string{top, filepath.Join(home, "wt")} {
		write(t, filepath.Join(dir, ".pi/memory/MEMORY.local.md"), "x")
		if got := git1(t, dir, "status", "--porcelain"); got != "" {
			t.Errorf("git sees %s", got)
		}
	}
	if err := os.Remove(exclude); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(home, "victim"), "x")
	if err := os.Symlink(filepath.Join(home, "victim"), exclude); err != nil {
		t.Fatal(err)
	}
	wantKind(t, ExcludeLocal(t.Context(), find(t, top, home)), pimento.KindDenied)
	if read(t, filepath.Join(home, "victim")) != "x" {
		t.Error("wrote through a link")
	}
	plain := filepath.Join(home, "plain")
	local := filepath.Join(plain, ".pi/memory/MEMORY.local.md")
	write(t, local, "x")
	if err := ExcludeLocal(t.Context(), find(t, plain, home)); err != nil {
		t.Errorf("without git: %v", err)
	}
	repo(t, plain)
	if got := git1(t, plain, "status", "--porcelain", "-uall"); strings.Contains(got, "local") {
		t.Errorf("once git is begun it sees %s", got)
	}
}

func TestTracked(t *testing.T) {
	const local = ".pi/memory/MEMORY.local.md"
	for _, version := range []string{"2", "3", "4"} {
		for _, format := range []string{"sha1", "sha256"} {
			home := realTemp(t)
			git1(t, home, "init", "-q", "--object-format="+format, "app")
			top := filepath.Join(home, "app")
			p := find(t, top, home)
			if got, err := Tracked(t.Context(), p, local); got || err != nil {
				t.Errorf("no index: %v %v", got, err)
			}
			for _, name := range []string{".a", ".github/x", ".pi/memory/MEMORY.md", ".pi/memory/topics/a-rather-long-name.md", "A", "src/ü.go", "z"} {
				write(t, filepath.Join(top, name), name)
			}
			git1(t, top, "add", ".")
			write(t, filepath.Join(top, "later"), "x")
			if version == "3" {
				git1(t, top, "add", "-N", "later") // an extended entry
			}
			git1(t, top, "update-index", "--index-version="+version)
			for rel, want := range map[string]bool{local: false, ".pi/memory/MEMORY.md": true, ".PI/memory/memory.MD": true, "z": true, "src/ü.go": true, "src": false, "zz": false} {
				if got, err := Tracked(t.Context(), p, rel); got != want || err != nil {
					t.Errorf("v%s %s %s: %v %v", version, format, rel, got, err)
				}
			}
			write(t, filepath.Join(top, local), "x")
			git1(t, top, "add", local)
			if got, err := Tracked(t.Context(), p, local); !got || err != nil {
				t.Errorf("v%s %s: %v %v", version, format, got, err)
			}
			index := read(t, filepath.Join(top, ".git/index"))
			for _, cut := range []int{0, 5, 12, 40, 75, 100} {
				write(t, filepath.Join(top, ".git/index"), index[:cut])
				_, err := Tracked(t.Context(), p, local)
				wantKind(t, err, pimento.KindUnavailable)
			}
		}
	}
}

// TestLeftOut: a sparse checkout has pages of the team that are not there, whatever
// form its index has; one that was deleted is none of its business.
func TestLeftOut(t *testing.T) {
	for _, how := range [][]string{{"set", "--no-cone", "/src/"}, {"set", "--cone", "src"}, {"set", "--cone", "--sparse-index", "src"}} {
		home := realTemp(t)
		top := filepath.Join(home, "app")
		repo(t, top)
		for _, name := range []string{".pi/memory/MEMORY.md", ".pi/memory/topics/x.md", ".github/x", "src/a"} {
			write(t, filepath.Join(top, name), name)
		}
		git1(t, top, "add", ".")
		git1(t, top, "commit", "-q", "-m", "memory")
		for _, step := range []struct {
			do   func()
			want bool
		}{
			{func() {}, false},
			{func() { git1(t, top, append([]string{"sparse-checkout"}, how...)...) }, true},
			{func() { git1(t, top, "sparse-checkout", "disable") }, false},
			{func() { _ = os.RemoveAll(filepath.Join(top, ".pi")) }, false},
		} {
			step.do()
			if got := LeftOut(t.Context(), find(t, top, home)); got != step.want {
				t.Errorf("%v: %v, want %v", how, got, step.want)
			}
		}
	}
}

func TestTrackedInAWorktreeAndASplitIndex(t *testing.T) {
	home := realTemp(t)
	top := filepath.Join(home, "app")
	repo(t, top)
	git1(t, top, "worktree", "add", "-q", filepath.Join(home, "wt"))
	write(t, filepath.Join(home, "wt/a.md"), "x")
	git1(t, filepath.Join(home, "wt"), "add", "a.md")
	for dir, want := range map[string]bool{"app": false, "wt": true} {
		if got, err := Tracked(t.Context(), find(t, filepath.Join(home, dir), home), "a.md"); got != want || err != nil {
			t.Errorf("%s: %v %v", dir, got, err)
		}
	}
	git1(t, filepath.Join(home, "wt"), "update-index", "--split-index")
	_, err := Tracked(t.Context(), find(t, filepath.Join(home, "wt"), home), "a.md")
	wantKind(t, err, pimento.KindUnavailable)
}

func FuzzIndex(f *testing.F) {
	f.Add([]byte("DIRC\x00\x00\x00\x02\x00\x00\x00\x01"), "a")
	f.Add([]byte("DIRC\x00\x00\x00\x04\x00\x00\x00\x02"+strings.Repeat("\x00", 62)+"\x00a\x00"+strings.Repeat("\x00", 62)+"\x80\x00b\x00"), ".pi/x")
	f.Fuzz(func(t *testing.T, b []byte, rel string) {
		if rel != "" {
			_, _ = inIndex(t.Context(), bufio.NewReader(bytes.NewReader(b)), 20, rel)
		}
	})
}
