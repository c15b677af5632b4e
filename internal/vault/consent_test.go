package vault

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pimento-memory/pimento"
)

func state(t *testing.T, c *Consents, p Project, want ConsentStatus) ConsentState {
	t.Helper()
	got := c.Check(p)
	if got.Status != want {
		t.Fatalf("consent is %+v, want %d", got, want)
	}
	return got
}

func TestConsent(t *testing.T) {
	home := realTemp(t)
	top := filepath.Join(home, "app")
	repo(t, top)
	git1(t, top, "worktree", "add", "-q", filepath.Join(home, "wt"))
	c := OpenConsents(filepath.Join(home, "state"))
	p, wt := find(t, top, home), find(t, filepath.Join(home, "wt"), home)
	if err := state(t, c, p, Absent).Err(p); err != nil {
		t.Error(err)
	}
	write(t, filepath.Join(p.Memory, "MEMORY.md"), "x")
	write(t, filepath.Join(wt.Memory, "MEMORY.md"), "x")
	wantKind(t, state(t, c, p, Missing).Err(p), pimento.KindDenied)
	root, err := RootCommit(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Grant(t.Context(), p, root, now()); err != nil {
		t.Fatal(err)
	}
	state(t, c, p, Granted)
	state(t, c, wt, Granted)
	if got := c.Verify(t.Context(), wt); got.Status != Granted {
		t.Errorf("%+v", got)
	}
	file := filepath.Join(home, "state/consent", p.ID+".json")
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info, err)
	}
	for range 2 {
		if err := c.Revoke(t.Context(), p); err != nil {
			t.Fatal(err)
		}
	}
	if got := state(t, c, p, Missing); !got.Taken {
		t.Error("that it was taken back is forgotten")
	}
	if err := c.Grant(t.Context(), p, "", now()); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if got := state(t, c, p, Missing); got.Taken {
		t.Error("a yes that was given again is still taken back")
	}
	write(t, file, "{ torn")
	if got := state(t, c, p, Mismatch); got.Reason == "" {
		t.Error("no reason")
	}
}

// TestConsentToOddPath: JSON cannot hold a path that is not UTF-8 as it is.
func TestConsentToOddPath(t *testing.T) {
	home := realTemp(t)
	top := filepath.Join(home, "app\xff\xfe")
	if err := os.Mkdir(top, 0o777); err != nil {
		t.Skip("this file system has no such names: ", err)
	}
	c := OpenConsents(filepath.Join(home, "state"))
	p := find(t, top, home)
	write(t, filepath.Join(p.Memory, "MEMORY.md"), "x")
	if err := c.Grant(t.Context(), p, "", now()); err != nil {
		t.Fatal(err)
	}
	state(t, c, p, Granted)
}

func TestAnotherRepositoryAtThePath(t *testing.T) {
	home := realTemp(t)
	top := filepath.Join(home, "app")
	repo(t, top)
	c := OpenConsents(filepath.Join(home, "state"))
	p := find(t, top, home)
	write(t, filepath.Join(p.Memory, "MEMORY.md"), "x")
	root, _ := RootCommit(t.Context(), p)
	if err := c.Grant(t.Context(), p, root, now()); err != nil {
		t.Fatal(err)
	}
	// The inode number is reused at once, as file systems do.
	again := p
	again.Btime++
	if got := state(t, c, again, Mismatch); !strings.Contains(got.Reason, "made anew") {
		t.Errorf("%+v", got)
	}
	again = p
	again.Dev++
	state(t, c, again, Mismatch)
	// The history was exchanged inside the same directory.
	git1(t, top, "checkout", "-q", "--orphan", "other")
	git1(t, top, "commit", "-q", "--allow-empty", "-m", "other")
	git1(t, top, "branch", "-D", "main", "-q")
	git1(t, top, "reflog", "expire", "--expire=now", "--all")
	git1(t, top, "gc", "-q", "--prune=now")
	if got := c.Verify(t.Context(), p); got.Status != Mismatch {
		t.Errorf("%+v", got)
	}
	for range 3 {
		if err := os.RemoveAll(top); err != nil {
			t.Fatal(err)
		}
		repo(t, top)
		write(t, filepath.Join(p.Memory, "MEMORY.md"), "hostile")
		wantKind(t, state(t, c, find(t, top, home), Mismatch).Err(p), pimento.KindDenied)
	}
}

func TestAdopt(t *testing.T) {
	home := realTemp(t)
	old, moved := filepath.Join(home, "ada's shop"), filepath.Join(home, "new")
	repo(t, old)
	c := OpenConsents(filepath.Join(home, "state"))
	before := find(t, old, home)
	write(t, filepath.Join(before.Memory, "MEMORY.md"), "x")
	if err := c.Grant(t.Context(), before, "", now()); err != nil {
		t.Fatal(err)
	}
	repo(t, filepath.Join(home, "copy"))
	_, err := c.Adopt(t.Context(), old, find(t, filepath.Join(home, "copy"), home), now())
	wantKind(t, err, pimento.KindConflict)
	state(t, c, before, Granted)
	if err := os.Rename(old, moved); err != nil {
		t.Fatal(err)
	}
	p := find(t, moved, home)
	got := state(t, c, p, Mismatch)
	if got.Old != old || !strings.Contains(pimento.HintOf(got.Err(p)), "pimento trust --adopt '"+home+`/ada'\''s shop'`) {
		t.Errorf("%+v %v", got, pimento.HintOf(got.Err(p)))
	}
	id, err := c.Adopt(t.Context(), old+"/", p, now())
	if err != nil || id != before.ID {
		t.Fatalf("%s %v, want %s", id, err, before.ID)
	}
	state(t, c, p, Granted)
	_, err = c.Adopt(t.Context(), old, p, now())
	wantKind(t, err, pimento.KindNotFound)
	_, err = c.Adopt(t.Context(), "../../etc", p, now())
	wantKind(t, err, pimento.KindNotFound)
}

// After a home was copied nothing but the name tells what a project was.
func TestPredecessor(t *testing.T) {
	home := realTemp(t)
	c := OpenConsents(filepath.Join(home, "state"))
	for _, dir := range []string{"one/shop", "two/shop", "one/other"} {
		dir = filepath.Join(home, dir)
		repo(t, dir)
		if err := c.Grant(t.Context(), find(t, dir, home), "", now()); err != nil {
			t.Fatal(err)
		}
	}
	here := filepath.Join(home, "new", "shop")
	repo(t, here)
	for _, step := range []struct{ remove, want string }{
		{"one/other", ""}, {"one", filepath.Join(home, "one", "shop")}, {"two", ""}, // of several none
	} {
		if err := os.RemoveAll(filepath.Join(home, step.remove)); err != nil {
			t.Fatal(err)
		}
		if got := c.Predecessor(find(t, here, home)); got != step.want {
			t.Errorf("without %s: %q, want %q", step.remove, got, step.want)
		}
	}
}

func TestGrantIfCreating(t *testing.T) {
	home := realTemp(t)
	top := filepath.Join(home, "app")
	repo(t, top)
	c := OpenConsents(filepath.Join(home, "state"))
	p := find(t, top, home)
	broken := errors.New("broken")
	if err := c.GrantIfCreating(t.Context(), p, now(), func() error { return broken }); !errors.Is(err, broken) {
		t.Fatal(err)
	}
	write(t, filepath.Join(p.Memory, "MEMORY.md"), "somebody else's")
	state(t, c, p, Missing)
	err := c.GrantIfCreating(t.Context(), p, now(), func() error { t.Error("created over it"); return nil })
	wantKind(t, err, pimento.KindDenied)
	if err := os.RemoveAll(filepath.Dir(p.Memory)); err != nil {
		t.Fatal(err)
	}
	r, err := OpenRoot(pimento.Project, p.Memory, nil)
	if err != nil {
		t.Fatal(err)
	}
	create := func() error {
		if c.look(p).Status != Granted {
			t.Error("the folder comes before the consent")
		}
		return r.Create(t.Context())
	}
	for range 2 {
		if err := c.GrantIfCreating(t.Context(), p, now(), create); err != nil {
			t.Fatal(err)
		}
	}
	state(t, c, p, Granted)
}

// TestANoBeforeThereIsMemory: what the user said no to is not made by a first write.
func TestANoBeforeThereIsMemory(t *testing.T) {
	home := realTemp(t)
	top := filepath.Join(home, "app")
	repo(t, top)
	c := OpenConsents(filepath.Join(home, "state"))
	p := find(t, top, home)
	if err := c.Revoke(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	if got := state(t, c, p, Absent); !got.Taken {
		t.Error("the no is forgotten")
	}
	create := func() error { t.Error("created against the user's word"); return nil }
	wantKind(t, c.GrantIfCreating(t.Context(), p, now(), create), pimento.KindDenied)
	if err := c.Grant(t.Context(), p, "", now()); err != nil {
		t.Fatal(err)
	}
	if got := state(t, c, p, Absent); got.Taken {
		t.Error("the no stands beside the yes")
	}
	made := false
	if err := c.GrantIfCreating(t.Context(), p, now(), func() error { made = true; return nil }); err != nil || !made {
		t.Errorf("%v %v", made, err)
	}
}

// A yes to a memory that the environment names is none to what came with the repository.
func TestAYesElsewhereIsNoneToTheRepository(t *testing.T) {
	home := realTemp(t)
	top := filepath.Join(home, "app")
	repo(t, top)
	write(t, filepath.Join(top, ".pi/memory/MEMORY.md"), "somebody else's")
	c := OpenConsents(filepath.Join(home, "state"))
	project := func(mind string) Project {
		t.Helper()
		p, ok, err := Dirs{Home: home, Mind: mind}.Project(t.Context(), top)
		if err != nil || !ok {
			t.Fatal(ok, err)
		}
		return p
	}
	mind := project(filepath.Join(home, "mind"))
	r, err := OpenRoot(pimento.Project, mind.Memory, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.GrantIfCreating(t.Context(), mind, now(), func() error { return r.Create(t.Context()) }); err != nil {
		t.Fatal(err)
	}
	state(t, c, mind, Granted)
	state(t, c, project(""), Mismatch)
	if err := c.Grant(t.Context(), project(""), "", now()); err != nil {
		t.Fatal(err)
	}
	state(t, c, project(""), Granted)
	state(t, c, mind, Granted)
	if err := c.Grant(t.Context(), mind, "", now()); err != nil { // said once more
		t.Fatal(err)
	}
	state(t, c, project(""), Granted)
}
