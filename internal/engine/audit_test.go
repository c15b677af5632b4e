package engine_test

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
	"github.com/pimento-memory/pimento/internal/page"
)

// mindful is a world with one page of knowledge, under the mind's profile.
func mindful(t *testing.T) *world {
	w := newWorld(t)
	w.profile = "mind"
	w.page("knowledge/deploys.md", "---\ndate: 2026-03-01\ntype: project\ntier: L2\n---\n\nDeploys go out on Tuesdays.\n")
	return w
}

func (w *world) audited(summary string) (last engine.LastAudit) {
	w.Helper()
	w.run(func(e *engine.Engine) {
		var err error
		last, err = e.MarkAudit(w.Context(), summary, engine.Actor{Name: "agent", Session: "s"})
		w.must(err)
	})
	return last
}

// The notice that an audit is overdue stands beside a prompt once in a session,
// when there was none for more than a day, and not before: neither on the first
// day of a memory.
func TestAuditNotice(t *testing.T) {
	w := mindful(t)
	wantOut(t, "the first day's tail", w.chat("r").say("paint the fence green").Tail, "Memory audit")
	w.now = w.now.Add(25 * time.Hour)
	c := w.chat("s")
	wantIn(t, "the first tail", c.say("paint the fence green").Tail, "## Memory audit", "overdue. It has never been done.", "daily-audit skill")
	wantOut(t, "the second tail", c.say("and the shed").Tail, "Memory audit")
	wantOut(t, "the prefix", c.say("and the door").Prefix, "audit of this memory")

	w.configure(`{"profile": "mind", "overrides": {"snapshot": "per-turn"}}`)
	w.profile = ""
	wantIn(t, "the whole block", w.chat("whole").say("paint the fence green").Prefix, "## Memory audit", "overdue. It has never been done.")
	w.configure(`{"profile": "mind"}`)

	w.audited("nothing odd; one date put right")
	w.now = w.now.Add(24 * time.Hour)
	wantOut(t, "the tail a day later", w.chat("t").say("paint the fence green").Tail, "Memory audit")
	w.now = w.now.Add(2 * time.Hour)
	wantIn(t, "the tail after that", w.chat("u").say("paint the fence green").Tail, "Last: 26 hours ago (nothing odd; one date put right).")
	w.now = w.now.Add(14 * 24 * time.Hour)
	wantIn(t, "the tail two weeks later", w.chat("w").say("paint the fence green").Tail, "Last: 15 days ago (nothing odd; one date put right).")

	files, _ := filepath.Glob(filepath.Join(w.dirs.State, "audits", "*.json"))
	if len(files) != 1 {
		t.Fatal(files)
	}
	put(t, files[0], "{ damaged")
	wantIn(t, "the tail behind a damaged record", w.chat("v").say("paint the fence green").Tail, "It has never been done.")
	w.profile = "default"
	wantOut(t, "another profile's tail", w.chat("x").say("paint the fence green").Tail, "audit")
}

// An empty memory has nothing to audit.
func TestNoAuditOfNothing(t *testing.T) {
	w := newWorld(t)
	w.profile = "mind"
	w.chat("r").say("hello there")
	w.now = w.now.Add(48 * time.Hour)
	wantOut(t, "the tail", w.chat("s").say("hello there").Tail, "audit")
}

// A result is kept to 500 characters, without secrets; the journal knows that
// there was an audit.
func TestAuditIsRecorded(t *testing.T) {
	w := mindful(t)
	last := w.audited(strings.Repeat("größer ", 200) + "AKIAIOSFODNN7EXAMPLQ")
	if n := utf8.RuneCountInString(last.Summary); n > 500 || n < 490 {
		t.Errorf("%d characters", n)
	}
	if last = w.audited("the key AKIAIOSFODNN7EXAMPLQ was found"); strings.Contains(last.Summary, "AKIA") {
		t.Error(last.Summary)
	}
	journals, _ := filepath.Glob(filepath.Join(w.dirs.State, "journals", "*", "events.jsonl"))
	var all string
	for _, f := range journals {
		all += get(t, f)
	}
	wantIn(t, "the journal", all, `"type":"audited"`)
}

// What was purged does not stay in the record of an audit.
func TestPurgeReachesAudits(t *testing.T) {
	w := mindful(t)
	w.audited("looked at: Deploys go out on Tuesdays. Fine.")
	w.run(func(e *engine.Engine) {
		a := e.Recall(t.Context(), pimento.Query{Text: "deploys"})
		_, err := e.Purge(t.Context(), string(a.Hits[0].Entry.Statement), user)
		w.must(err)
		left, err := e.Audit(t.Context())
		w.must(err)
		if strings.Contains(left.Last.Summary, "Tuesdays") || left.Last.Time.IsZero() {
			t.Errorf("%+v", left.Last)
		}
	})
	for _, f := range []string{"journals/*/*", "audits/*"} {
		files, _ := filepath.Glob(filepath.Join(w.dirs.State, f))
		for _, f := range files {
			wantOut(t, f, get(t, f), "Tuesdays")
		}
	}
}

// snapshot is all that lies below a directory, as text.
func snapshot(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			b.WriteString(path + "\n" + get(t, path) + "\n")
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// An audit is prepared from all that agents decided since the last one, evenly
// over time, and from all of raw/, whoever wrote it; it changes no file.
func TestAuditSample(t *testing.T) {
	w := mindful(t)
	w.page("raw/browser/visit.md", "Looked at the dashboard.\n")
	w.page("raw/browser/deep/down/log.jsonl", "{}\n")
	w.page("raw/notes.txt", "not ours to count\n")
	remember := func(i int, actor string) {
		w.run(func(e *engine.Engine) {
			_, err := e.Remember(t.Context(), engine.Note{Text: fmt.Sprintf("Service number %d listens on port %d.", i, 20000+i), Page: "knowledge",
				Front: &page.Meta{Type: "reference", Tier: page.TierRelevant}, Actor: actor, Session: "s", Scope: pimento.Global})
			w.must(err)
		})
		w.now = w.now.Add(time.Minute)
	}
	for i := range 50 {
		remember(i, "agent")
	}
	remember(50, "user")
	audit := func() (a engine.Audit) {
		w.run(func(e *engine.Engine) {
			var err error
			a, err = e.Audit(t.Context())
			w.must(err)
		})
		return a
	}
	before := snapshot(t, w.dirs.Global)
	a := audit()
	if a.Overdue || a.Done[pimento.Remembered] != 51 || len(a.Sample) != 20 {
		t.Fatalf("overdue %v, done %v, %d in the sample", a.Overdue, a.Done, len(a.Sample))
	}
	first, last := a.Sample[0], a.Sample[19]
	if first.Text != "Service number 1 listens on port 20001." || last.Text != "Service number 48 listens on port 20048." || first.Line == 0 {
		t.Errorf("%+v\n%+v", first, last)
	}
	if len(a.Raw) != 1 || a.Raw[0].Folder != "raw/browser" || a.Raw[0].Files != 2 || len(a.Raw[0].New) != 2 {
		t.Errorf("raw: %+v", a.Raw)
	}
	if after := snapshot(t, w.dirs.Global); after != before {
		t.Error("an audit changed files")
	}
	w.audited("done")
	w.now = w.now.Add(time.Minute)
	remember(51, "agent")
	w.propose(pimento.Proposal{Text: "Tests run with make test.", Source: "structural"}) // stands nowhere
	if a = audit(); a.Overdue || a.Done[pimento.Proposed] != 1 || a.Waiting != 1 || len(a.Sample) != 1 || a.Sample[0].Text != "Service number 51 listens on port 20051." || a.Last.Summary != "done" {
		t.Errorf("%+v", a)
	}
}
