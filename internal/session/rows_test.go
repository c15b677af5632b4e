package session_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pimento-memory/pimento/internal/session"
)

// Over 500 KB only the last 200 rows stay.
func TestRowsAreBounded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "telemetry", "p.jsonl")
	r := session.NewRows(path)
	for i := range 700 {
		if err := r.Add(t.Context(), map[string]string{"n": fmt.Sprint(i), "text": strings.Repeat("x", 1000)}); err != nil {
			t.Fatal(err)
		}
	}
	info, err := os.Stat(path)
	if err != nil || info.Size() > session.MaxRowBytes {
		t.Fatalf("%v %v", info, err)
	}
	f, _ := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	_, _ = f.WriteString("{torn\n")
	_ = f.Close()
	n, last := 0, ""
	if err := r.Each(func(line []byte) { n++; last = string(line) }); err != nil {
		t.Fatal(err)
	}
	// 505 rows reach the bound, then 200 stay and the rest come.
	if n < session.KeptRows || n > 505 || !strings.Contains(last, `"n":"699"`) {
		t.Errorf("%d rows, the last %.40s", n, last)
	}
}
