package filelock_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/pimento-memory/pimento/internal/filelock"
)

// One holds it at a time, in one process too; who waits gets it when it is given
// back, or the error of its context.
func TestOneHolder(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "lock")
	unlock, err := filelock.Take(t.Context(), path, time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := filelock.Try(path); !errors.Is(err, filelock.ErrHeld) {
		t.Errorf("a second holder: %v", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := filelock.Take(ctx, path, time.Millisecond); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("waited in vain: %v", err)
	}
	got := make(chan error, 1)
	go func() {
		_, err := filelock.Take(context.Background(), path, time.Millisecond)
		got <- err
	}()
	unlock()
	if err := <-got; err != nil {
		t.Error(err)
	}
}

// A directory that may not be written to is said at once.
func TestNoPlace(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := filelock.Try(filepath.Join(file, "lock")); err == nil || errors.Is(err, filelock.ErrHeld) {
		t.Errorf("a lock below a file: %v", err)
	}
}
