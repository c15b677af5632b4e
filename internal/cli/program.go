package cli

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/pimento-memory/pimento"
)

// executable is the path under which this program can be started again. What
// `go run` built is gone afterwards, so it is no good for an installation.
func executable() (string, error) {
	path, err := os.Executable()
	if err == nil {
		path, err = filepath.EvalSymlinks(path)
	}
	if err != nil {
		return "", &pimento.Error{Op: "setup", Kind: pimento.KindUnavailable, Err: fmt.Errorf("finding this program: %w", err)}
	}
	return path, nil
}
