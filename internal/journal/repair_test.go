package journal

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pimento-memory/pimento"
)

// Whatever stands between the events is set aside, byte for byte, and nothing
// else changes: no event, no position, no plan that waits for its end.
func TestRepair(t *testing.T) {
	const whole = `{"v":9,"id":"later","type":"?"}` + "\n\n   \n" + `{"hello":"world"}` + "\n" // none of ours, and no damage
	for name, damage := range map[string]string{
		"a foreign line": "what is this\xff?\n",
		"a NUL block":    strings.Repeat("\x00", 5000) + "\n",
		"half an event":  `{"v":1,"id":"half","t":"2026-03-01T09:00` + "\n",
		"several":        "[1]\n" + whole + "null\n\"text\"\n\x00\n",
		"a long line":    strings.Repeat("x", chunk+9) + "\n",
	} {
		t.Run(name, func(t *testing.T) {
			ctx := context.Background()
			j, dir := fresh(t)
			must(t, j.Append(ctx, []pimento.Event{ev(t, pimento.Remembered, 1), planEvent(t, 2)}))
			m, err := j.Mark(ctx)
			must(t, err)
			f, err := os.OpenFile(filepath.Join(dir, "events.jsonl"), os.O_APPEND|os.O_WRONLY, 0)
			must(t, err)
			_, err = f.WriteString(damage)
			must(t, errors.Join(err, f.Close()))
			must(t, j.Append(ctx, []pimento.Event{ev(t, pimento.Reinforced, 1)}))
			snapshot(t, j)
			other := open(t, dir)
			recs := allRecords(t, other)
			size, want := len(events(t, dir)), strings.Replace(damage, whole, "", 1)
			if j.Damaged() != strings.Count(want, "\n") {
				t.Fatalf("%d damaged", j.Damaged())
			}

			n, err := j.Repair(ctx)
			if err != nil || n != strings.Count(want, "\n") {
				t.Fatal(n, err)
			}
			if kept, err := os.ReadFile(j.DamagedPath()); err != nil || string(kept) != want {
				t.Errorf("set aside: %q, %v", kept, err)
			}
			if info, err := os.Stat(j.DamagedPath()); err != nil || info.Mode().Perm() != 0o600 {
				t.Error(info, err)
			}
			for _, j := range []*Journal{j, other, open(t, dir)} {
				if now := allRecords(t, j); !equalRecords(now, recs) || j.Damaged() != 0 {
					t.Errorf("%+v, %d damaged", now, j.Damaged())
				}
				if plans, err := j.Pending(ctx); err != nil || len(plans) != 1 {
					t.Error(plans, err)
				}
			}
			if got, _ := ids(t, j, m); !slices.Equal(got, expected(damage, "reinforced-000001")) || len(events(t, dir)) != size {
				t.Errorf("after the mark: %v", got)
			}
			if n, err := j.Repair(ctx); n != 0 || err != nil {
				t.Error("a second repair:", n, err)
			}
			must(t, j.Rewrite(ctx, func(*pimento.Event) bool { return true })) // as a purge does
			if _, err := os.Stat(j.DamagedPath()); !errors.Is(err, fs.ErrNotExist) {
				t.Error("a purge leaves what was set aside:", err)
			}
		})
	}
}

// expected is what is read after the mark: an object of another program has no id.
func expected(damage, id string) []string {
	if strings.Contains(damage, `"hello"`) {
		return []string{"", id}
	}
	return []string{id}
}

func equalRecords(a, b map[pimento.Statement]Record) bool {
	if len(a) != len(b) {
		return false
	}
	for st, r := range a {
		if b[st] != r {
			return false
		}
	}
	return true
}

// A journal whose first line is damaged, one with a torn tail, and none at all.
func TestRepairAtTheEnds(t *testing.T) {
	ctx := context.Background()
	j, dir := fresh(t)
	if n, err := j.Repair(ctx); n != 0 || err != nil {
		t.Error(n, err)
	}
	if _, err := os.Stat(dir); err == nil && len(events(t, dir)) > 0 {
		t.Error("a repair made a journal")
	}
	must(t, j.Append(ctx, []pimento.Event{ev(t, pimento.Remembered, 1)}))
	b := events(t, dir)
	end := bytes.IndexByte(b, '\n')
	must(t, os.WriteFile(filepath.Join(dir, "events.jsonl"), slices.Concat(bytes.Repeat([]byte{0}, end), b[end:], []byte(`{"v":1,"id":"torn`)), 0o600))
	if n, err := j.Repair(ctx); n != 1 || err != nil {
		t.Error(n, err)
	}
	must(t, j.Append(ctx, []pimento.Event{ev(t, pimento.Reinforced, 1)}))
	if got, _ := ids(t, j, Mark{}); !slices.Equal(got, []string{"remembered-000001", "reinforced-000001"}) {
		t.Error(got)
	}
	if allRecords(t, j)[st(1)].Evidence != 2 || j.Damaged() != 0 {
		t.Errorf("%+v, %d damaged", allRecords(t, j), j.Damaged())
	}
}
