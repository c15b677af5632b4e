package engine

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/mirror"
	"github.com/pimento-memory/pimento/internal/vault"
)

// What is known of a directory that cannot be listed, or whose files cannot be
// looked at, is kept, and not told as withdrawn.
func TestAnUnreadableFolderIsNotGone(t *testing.T) {
	for name, mode := range map[string]os.FileMode{"no listing": 0, "names, no looking": 0o444} {
		t.Run(name, func(t *testing.T) {
			e, _, st := gate(t)
			for _, page := range []string{"topics/deploy.md", "topics/old/x.md", "notes.md"} {
				if _, err := e.Remember(t.Context(), Note{Text: "The fact of " + page, Scope: pimento.Global, Page: page}); err != nil {
					t.Fatal(err)
				}
			}
			time.Sleep(50 * time.Millisecond) // until the files' stamps are believed
			if _, s, _ := st.Sync(t.Context(), mirror.Occasion{}); s.Err != nil || s.Behind {
				t.Fatalf("%+v", s)
			}
			idx, fault := st.Index(t.Context())
			if fault != nil {
				t.Fatal(fault)
			}
			known := func() (rels []string) {
				rels, err := mirror.PagePaths(t.Context(), idx, nil)
				if err != nil {
					t.Fatal(err)
				}
				return rels
			}
			before := known()
			dir := st.path("topics")
			if err := os.Chmod(dir, mode); err != nil {
				t.Fatal(err)
			}
			back := unprivileged(t, dir)
			_, s, _ := st.Sync(t.Context(), mirror.Occasion{})
			back()
			if err := os.Chmod(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			if len(s.Events) > 0 || len(s.Faults) != 1 || !strings.HasPrefix(s.Faults[0].Detail, "topics cannot be read: ") {
				t.Errorf("%+v", s)
			}
			if after := known(); len(before) != 4 || !slices.Equal(before, after) {
				t.Errorf("the index knew %q, and then %q", before, after)
			}
			if err := os.WriteFile(st.path("topics/new.md"), []byte("- Seen once it can be read again.\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			if _, s, _ = st.Sync(t.Context(), mirror.Occasion{}); len(s.Faults) > 0 || len(s.Events) != 1 || s.Events[0].Page != "topics/new.md" {
				t.Errorf("afterwards: %+v", s)
			}
		})
	}
}

// Doctor says of a memory, and of a folder in it, that nothing can be written there.
func TestDoctorTriesToWrite(t *testing.T) {
	e, _, st := gate(t)
	if _, err := e.Remember(t.Context(), Note{Text: "Deploys are on Tuesdays.", Scope: pimento.Global, Page: "topics/deploy.md"}); err != nil {
		t.Fatal(err)
	}
	complaints := func() (out []string) {
		for _, c := range e.Doctor(t.Context()) {
			if !c.OK && strings.Contains(c.Detail, "cannot be written to") {
				out = append(out, c.Name+" "+c.Detail)
			}
		}
		return out
	}
	if got := complaints(); len(got) > 0 {
		t.Errorf("all is well: %q", got)
	}
	topics := st.path("topics")
	for _, dir := range []string{topics, st.root.Dir()} {
		if err := os.Chmod(dir, 0o555); err != nil {
			t.Fatal(err)
		}
		defer os.Chmod(dir, 0o755)
	}
	defer unprivileged(t, topics)()
	got := complaints()
	for i, dir := range []string{st.root.Dir(), topics} {
		if want := "global " + dir + " cannot be written to: permission denied"; len(got) != 2 || got[i] != want {
			t.Errorf("%q", got)
		}
	}
}

// Doctor says that the first write of a memory would fail.
func TestDoctorTriesToMakeAMemory(t *testing.T) {
	home := t.TempDir()
	repo := filepath.Join(home, "shop")
	if err := os.MkdirAll(filepath.Join(repo, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	e, err := Open(Options{Dirs: vault.DirsFrom(home, func(string) string { return "" }), Dir: repo, Now: time.Now, Clock: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	complaints := func() (out []string) {
		for _, c := range e.Doctor(t.Context()) {
			if what, why, ok := strings.Cut(c.Detail, " cannot be written to: "); ok && !c.OK {
				out = append(out, c.Name+" "+strings.TrimPrefix(what, home)+" "+why)
			}
		}
		return out
	}
	if got := complaints(); len(got) > 0 {
		t.Errorf("all is well: %q", got)
	}
	for _, dir := range []string{repo, home} {
		if err := os.Chmod(dir, 0o555); err != nil {
			t.Fatal(err)
		}
		defer os.Chmod(dir, 0o755)
	}
	defer unprivileged(t, home)()
	want := []string{"project /shop/.pi/memory permission denied", "global /.pi/agent/memory permission denied"}
	if got := complaints(); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// unprivileged goes on as somebody whom file modes bind, who may come as far as dir.
func unprivileged(t *testing.T, dir string) (back func()) {
	t.Helper()
	if os.Getuid() != 0 {
		return func() {}
	}
	for up := filepath.Dir(dir); up != os.TempDir() && len(up) > 1; up = filepath.Dir(up) {
		_ = os.Chmod(up, 0o755)
	}
	runtime.LockOSThread()
	if err := syscall.Setfsuid(65534); err != nil {
		t.Fatal(err)
	}
	return func() {
		_ = syscall.Setfsuid(0)
		runtime.UnlockOSThread()
	}
}
