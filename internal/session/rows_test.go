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
	// The 502nd row goes over the 512,000 bytes, which leaves 200; then the rest come.
	if n != 398 || !strings.Contains(last, `"n":"699"`) {
		t.Errorf("%d rows, the last %.40s", n, last)
	}
}

// Rows of which 200 are more than fits are cut to what leaves room, so that the file
// is not written anew for each row.
func TestLongRowsLeaveRoom(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.jsonl")
	r := session.NewRows(path)
	cuts, before := 0, int64(0)
	for i := range 300 {
		if err := r.Add(t.Context(), map[string]string{"n": fmt.Sprint(i), "text": strings.Repeat("x", 4000)}); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(path)
		if err != nil || info.Size() > session.MaxRowBytes {
			t.Fatalf("%v %v", info, err)
		}
		if info.Size() < before {
			cuts++
		}
		before = info.Size()
	}
	if cuts == 0 || cuts > 15 || before < session.MaxRowBytes*8/10 {
		t.Errorf("cut %d times, %d bytes in the end", cuts, before)
	}
}
