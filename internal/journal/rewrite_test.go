package journal

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pimento-memory/pimento"
)

func TestRewrite(t *testing.T) {
	ctx := context.Background()
	j, dir := fresh(t)
	secret := ev(t, pimento.Remembered, 2)
	secret.Text = "the SECRET thing"
	must(t, j.Append(ctx, []pimento.Event{ev(t, pimento.Remembered, 1), secret, planEvent(t, 3), ev(t, pimento.Used, 2)}))
	m, err := j.Mark(ctx)
	must(t, err)
	f, err := os.OpenFile(filepath.Join(dir, "events.jsonl"), os.O_APPEND|os.O_WRONLY, 0)
	must(t, err)
	f.WriteString("garbage with a SECRET\n" + `{"v":9,"id":"v9","type":"?","text":"SECRET","new":"SECRET"}` + "\n{\"torn SECRET")
	f.Close()
	b, err := encode([]pimento.Event{secretOf(t, 5)})
	must(t, err)
	must(t, j.spool(b))
	snapshot(t, j)
	reader := open(t, dir)
	allRecords(t, reader)
	size := len(events(t, dir))

	err = j.Rewrite(ctx, func(e *pimento.Event) bool { e.Text += "longer"; return true })
	if pimento.KindOf(err) != pimento.KindUsage {
		t.Fatal(err)
	}
	must(t, j.Rewrite(ctx, func(e *pimento.Event) bool {
		if e.Text != "" {
			e.Text = ""
		}
		return e.ID != "used-000002"
	}))
	if got := events(t, dir); bytes.Contains(got, []byte("SECRET")) {
		t.Fatalf("%s", got)
	} else if len(got) < size {
		t.Fatal("lines moved")
	}
	left, _ := filepath.Glob(filepath.Join(dir, "*tmp"))
	if info, err := os.Stat(filepath.Join(dir, "events.jsonl")); err != nil || info.Mode().Perm() != 0o600 || len(left) > 0 {
		t.Fatal(info, err, left)
	}
	got, _ := ids(t, j, Mark{})
	if !slices.Equal(got, []string{"remembered-000001", "remembered-000002", "staged-000003", "remembered-000005"}) {
		t.Fatal(got)
	}
	// A mark from before shows what came after it, once.
	got, after := ids(t, j, m)
	if !slices.Equal(got, []string{"remembered-000005"}) || after.Gen == m.Gen {
		t.Fatal(got, after, m)
	}
	for _, j := range []*Journal{j, reader, open(t, dir)} {
		recs := allRecords(t, j)
		if recs[st(2)].Used != 0 || recs[st(2)].Evidence != 1 || len(recs) != 3 || j.Damaged() != 0 {
			t.Fatalf("%+v, %d damaged", recs, j.Damaged())
		}
		if plans, err := j.Pending(ctx); err != nil || len(plans) != 1 {
			t.Fatal(plans, err)
		}
	}
	must(t, reader.Append(ctx, []pimento.Event{ev(t, pimento.Used, 9)}))
	if got, _ := ids(t, j, after); len(got) != 1 {
		t.Fatal(got)
	}
	must(t, j.Rewrite(ctx, func(*pimento.Event) bool { return false }))
	if got, _ := ids(t, j, after); got != nil || len(allRecords(t, reader)) != 0 {
		t.Fatal(got)
	}
}

func secretOf(t *testing.T, n int) pimento.Event {
	e := ev(t, pimento.Remembered, n)
	e.Text = "SECRET"
	return e
}

func TestRewriteWithoutAFirstLine(t *testing.T) {
	ctx := context.Background()
	j, dir := fresh(t)
	must(t, j.Append(ctx, []pimento.Event{ev(t, pimento.Remembered, 1), secretOf(t, 2)}))
	_, rest, _ := strings.Cut(string(events(t, dir)), "\n")
	must(t, os.WriteFile(filepath.Join(dir, "events.jsonl"), []byte(rest), 0o600))
	if got, _ := ids(t, j, Mark{}); len(got) != 2 {
		t.Fatal(got)
	}
	must(t, j.Rewrite(ctx, func(e *pimento.Event) bool { e.Text = ""; return true }))
	if recs := allRecords(t, j); len(recs) != 2 || strings.Contains(string(events(t, dir)), "SECRET") {
		t.Fatal(recs)
	}
	if m, err := j.Mark(ctx); err != nil || !strings.HasSuffix(m.Gen, ".0") {
		t.Fatal(m, err)
	}
}

func TestRewriteFailsWhole(t *testing.T) {
	j, dir := fresh(t)
	must(t, j.Append(context.Background(), []pimento.Event{ev(t, pimento.Remembered, 1)}))
	before := events(t, dir)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := j.Rewrite(ctx, func(*pimento.Event) bool { return false }); pimento.KindOf(err) != pimento.KindUnavailable {
		t.Fatal(err)
	}
	if !bytes.Equal(before, events(t, dir)) {
		t.Fatal("changed")
	}
}
