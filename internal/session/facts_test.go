package session

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/pimento-memory/pimento"
)

func TestFactsAreKeptOnceAndBounded(t *testing.T) {
	tr, ctx := NewTraces(t.TempDir()), context.Background()
	if _, err := tr.Facts("none"); pimento.KindOf(err) != pimento.KindNotFound {
		t.Error(err)
	}
	big := bytes.Repeat([]byte("x"), MaxFactsBytes/4)
	for i := range 6 {
		name := fmt.Sprint("a", i)
		if err := tr.Keep(ctx, name, append(big, byte(i))); err != nil {
			t.Fatal(err)
		}
		old := time.Unix(int64(1000+i), 0)
		if err := os.Chtimes(tr.factsFile(name), old, old); err != nil {
			t.Fatal(err)
		}
	}
	files, _ := filepath.Glob(filepath.Join(tr.dir, "facts-*"))
	if len(files) != 3 {
		t.Errorf("%d are kept: %v", len(files), files)
	}
	if b, err := tr.Facts("a5"); err != nil || b[len(b)-1] != 5 {
		t.Errorf("the newest: %v", err)
	}
	if err := tr.Keep(ctx, "a5", []byte("other")); err != nil {
		t.Error(err)
	}
	if b, _ := tr.Facts("a5"); len(b) != len(big)+1 {
		t.Error("what was kept is written again")
	}
	if err := tr.Keep(ctx, "huge", make([]byte, MaxFactsBytes)); err != nil {
		t.Error(err)
	}
	if _, err := tr.Facts("huge"); err == nil {
		t.Error("a record over the limit is kept")
	}
}
