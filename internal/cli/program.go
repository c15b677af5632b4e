package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/pimento-memory/pimento"
)

// executable is the path under which this program can be started again. What
// `go run` built is gone afterwards, so it is no good for an installation.
func executable() (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", &pimento.Error{Op: "setup", Kind: pimento.KindUnavailable, Err: fmt.Errorf("finding this program: %w", err)}
	}
	if ranOnly(path) {
		return "", usageError("run: go install ./cmd/pimento, then call pimento itself",
			"this program was started by go run and is gone afterwards")
	}
	return path, nil
}

// ranOnly says whether a program lies where `go run` puts what it builds: in a
// temporary directory, or in Go's cache, in a folder called by the hash of what it
// is made of.
func ranOnly(path string) bool {
	dir := filepath.Base(filepath.Dir(path))
	if dir == "exe" && strings.Contains(path, "go-build") {
		return true
	}
	hash, cached := strings.CutSuffix(dir, "-d")
	return cached && len(hash) == 64 && strings.Trim(hash, "0123456789abcdef") == ""
}

// besideUs is the path of another program in this one's directory, with the
// ending that this one has.
func besideUs(name string) (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", err
	}
	path = filepath.Join(filepath.Dir(path), name+filepath.Ext(filepath.Base(path)))
	_, err = os.Stat(path)
	return path, err
}

// ours is another program of ours: beside this one, or to be found on PATH.
func ours(name string) string {
	if beside, err := besideUs(name); err == nil {
		return beside
	}
	return name
}
