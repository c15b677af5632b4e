package segment

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pimento-memory/pimento/internal/index"
)

// The indexes of other versions go when ours has been written long after them, be
// they directories or the files of versions that had none. What is in use stays.
func TestPruneOtherVersions(t *testing.T) {
	all := t.TempDir()
	now := time.Now()
	make := func(rel string, age time.Duration) {
		t.Helper()
		path := filepath.Join(all, rel)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, now.Add(-age), now.Add(-age)); err != nil {
			t.Fatal(err)
		}
	}
	day := 24 * time.Hour
	make("v1/CURRENT", 31*day)
	make("v1/0123456789abcdef.seg", 40*day)
	make("v2/CURRENT", 29*day)
	make("v2/0123456789abcdef.seg", 90*day) // merged long ago, and still part of it
	make("v99/CURRENT", 31*day)
	make("CURRENT", 31*day)
	make("0123456789abcdef.log", 29*day)
	names := func() (out []string) {
		entries, err := os.ReadDir(all)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			out = append(out, e.Name())
		}
		return out
	}
	before := names()
	if err := Prune(all); err != nil || !slices.Equal(names(), before) {
		t.Errorf("without an index of ours: %v, %v", names(), err)
	}
	x := open(t, Dir(all), Options{})
	if err := x.Apply(t.Context(), []index.Page{{Path: "a.md"}}, nil); err != nil {
		t.Fatal(err)
	}
	for rel, age := range map[string]time.Duration{"v2/CURRENT": -30 * time.Minute, "v99/LOCK": -time.Hour} {
		make(rel, age)
		if Outrun(all, now) || Outrun(all, now.Add(day)) {
			t.Errorf("outrun by %s", rel)
		}
	}
	make("v99/LOCK", -2*time.Hour)
	if Outrun(all, now) || !Outrun(all, now.Add(day)) {
		t.Error("another version has been at work two hours after this one, which is so only once they are over")
	}
	make("v99/LOCK", 31*day)
	make("v2/CURRENT", 29*day)
	want := []string{"0123456789abcdef.log", filepath.Base(Dir(all)), "v2"}
	slices.Sort(want)
	if err := Prune(all); err != nil || !slices.Equal(names(), want) {
		t.Errorf("left: %v, want %v (%v)", names(), want, err)
	}
	if files, _ := filepath.Glob(filepath.Join(all, "v2", "*")); len(files) != 2 {
		t.Errorf("left of the one in use: %v", files)
	}
}

// The document that says where the index lies is no version behind.
func TestFormatsNameTheVersion(t *testing.T) {
	b, err := os.ReadFile("../../../docs/FORMATS.md")
	if err != nil {
		t.Fatal(err)
	}
	if want := fmt.Sprintf("/index/ROOTKEY/v%d`", version); !strings.Contains(string(b), want) {
		t.Errorf("docs/FORMATS.md lacks %s", want)
	}
}
