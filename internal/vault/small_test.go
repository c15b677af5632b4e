package vault

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pimento-memory/pimento"
)

func appends(b []byte) ([]byte, error) { return append(b, 'x'), nil }

func TestEditSmall(t *testing.T) {
	dir := realTemp(t)
	path := filepath.Join(dir, "own", "deep", "config.json")
	for _, want := range []string{"x", "xx"} {
		if err := EditSmall(t.Context(), path, appends); err != nil || read(t, path) != want {
			t.Fatalf("%v, %q", err, read(t, path))
		}
	}
	if err := os.Chmod(path, 0o640); err != nil {
		t.Fatal(err)
	}
	if err := EditSmall(t.Context(), path, appends); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("%v %v", info.Mode(), err)
	}
	wrong := errors.New("wrong")
	if err := EditSmall(t.Context(), path, func([]byte) ([]byte, error) { return nil, wrong }); !errors.Is(err, wrong) || read(t, path) != "xxx" {
		t.Errorf("%v, %q", err, read(t, path))
	}
	write(t, path, strings.Repeat(" ", maxSmall+1))
	wantKind(t, EditSmall(t.Context(), path, appends), pimento.KindRefused)
	if left := leftovers(t, dir); len(left) > 0 {
		t.Errorf("left behind %v", left)
	}

	r, _ := project(t, nil)
	if err := r.EditSmall(t.Context(), "config.json", appends); err != nil {
		t.Fatal(err)
	}
	if b, err := r.ReadSmall(t.Context(), "config.json"); err != nil || string(b) != "x" {
		t.Errorf("%q %v", b, err)
	}
}
