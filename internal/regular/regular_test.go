package regular_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/pimento-memory/pimento/internal/regular"
)

func TestAsPackageOs(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "file")
	if _, err := regular.Open(name, os.O_RDONLY, 0); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
	if _, err := regular.Read(name); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
	var want []byte
	for _, more := range []int{0, 1, 511, 70_000} {
		f, err := regular.Open(name, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		line := bytes.Repeat([]byte{'x'}, more)
		if _, err := f.Write(line); err != nil {
			t.Error(err)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
		want = append(want, line...)
		if got, err := regular.Read(name); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%d bytes, %v, want %d", len(got), err, len(want))
		}
	}
	if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info, err)
	}
	d, err := regular.Open(dir, os.O_RDONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if names, err := d.Readdirnames(-1); err != nil || len(names) != 1 {
		t.Errorf("%v, %v", names, err)
	}
	if _, err := regular.Read(dir); err == nil {
		t.Error("a directory was read")
	}
}
