package journal

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/pimento-memory/pimento"
)

// The test binary is its own second process: with JOURNAL_CHILD set it runs one
// of the children below on the directory in JOURNAL_DIR.
func TestMain(m *testing.M) {
	if child := os.Getenv("JOURNAL_CHILD"); child != "" {
		n, _ := strconv.Atoi(os.Getenv("JOURNAL_N"))
		if err := children()[child](os.Getenv("JOURNAL_DIR"), n); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func child(name, dir string, n int) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "JOURNAL_CHILD="+name, "JOURNAL_DIR="+dir, "JOURNAL_N="+strconv.Itoa(n))
	cmd.Stderr = os.Stderr
	return cmd
}

func start(t testing.TB) time.Time {
	t.Helper()
	return time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
}

func open(t testing.TB, dir string) *Journal {
	t.Helper()
	j, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { j.Close() })
	return j
}

func fresh(t testing.TB) (*Journal, string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "state", "journal")
	return open(t, dir), dir
}

// ev makes the n-th event of a test; its statement is that of "s<n>".
func ev(t testing.TB, typ pimento.EventType, n int) pimento.Event {
	return pimento.Event{V: 1, ID: fmt.Sprintf("%s-%06d", typ, n), Time: start(t).Add(time.Duration(n) * time.Second),
		Type: typ, Statement: st(n), Actor: "agent", Cue: "explicit"}
}

func st(n int) pimento.Statement { return pimento.StatementOf(fmt.Sprintf("s%d", n)) }

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// ids reads the ids of all events after m, and does not carry them along.
func ids(t testing.TB, j *Journal, m Mark) (out []string, after Mark) {
	t.Helper()
	after, err := j.Select(context.Background(), m, nil, func(e pimento.Event) { out = append(out, e.ID) })
	must(t, err)
	after.News = nil
	return out, after
}

func allRecords(t testing.TB, j *Journal) map[pimento.Statement]Record {
	t.Helper()
	out, err := everyRecord(j)
	must(t, err)
	return out
}

// everyRecord reads the whole fold, which comes in the order of the statements.
func everyRecord(j *Journal) (out map[pimento.Statement]Record, err error) {
	ctx := context.Background()
	j.absorb(ctx)
	err = j.withView(ctx, func(v *view, _ io.ReaderAt) error {
		last := pimento.Statement("")
		if out = map[pimento.Statement]Record{}; v == nil {
			return nil
		}
		return v.each(ctx, func(k key, r row) error {
			s := pimento.Statement(bytes.TrimRight(k[:], "\x00"))
			if s <= last {
				return fmt.Errorf("%s after %s", s, last)
			}
			last, out[s] = s, r.record()
			return nil
		})
	})
	return out, err
}

func events(t testing.TB, dir string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, "events.jsonl"))
	must(t, err)
	return b
}

func planEvent(t testing.TB, n int) pimento.Event {
	t.Helper()
	id := fmt.Sprintf("plan-%d", n)
	data, err := json.Marshal(pimento.Plan{ID: id, Verb: "remember", Action: pimento.Put,
		Events: []pimento.Event{ev(t, pimento.Remembered, n)}})
	must(t, err)
	e := ev(t, pimento.Staged, n)
	e.Statement, e.Txn, e.Data = "", id, data
	return e
}
