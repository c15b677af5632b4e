package session_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pimento-memory/pimento/internal/session"
)

func pasts(t *testing.T) (*session.Pasts, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "pasts", "p.jsonl")
	return session.NewPasts(path), path
}

func add(t *testing.T, p *session.Pasts, sess, kind, text string, minute int) {
	t.Helper()
	at := time.Date(2026, 3, 14, 10, minute, 0, 0, time.UTC)
	if err := p.Add(t.Context(), session.Past{Session: sess, Kind: kind, Text: text, Time: at}); err != nil {
		t.Fatal(err)
	}
}

func all(t *testing.T, p *session.Pasts) []session.Past {
	t.Helper()
	list, err := p.All()
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// What a user said is one text for each session, and too little of it is none.
func TestPastsJoinASessionsMessages(t *testing.T) {
	p, path := pasts(t)
	if len(all(t, p)) != 0 {
		t.Error("there is a past before there was a session")
	}
	add(t, p, "a", session.Said, "first\n  question", 1)
	add(t, p, "b", session.Said, "only one", 2)
	add(t, p, "a", session.Said, "second question", 3)
	if len(all(t, p)) != 0 {
		t.Error("two messages are a past")
	}
	add(t, p, "a", session.Said, "second question", 4) // repeated: no news
	add(t, p, "a", session.Said, strings.Repeat("long ", 100), 5)
	got := all(t, p)
	if len(got) != 1 || !strings.HasPrefix(got[0].Text, "first question | second question | long long") || got[0].N != 3 || len(got[0].Text) > 240 {
		t.Fatalf("%+v", got)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info, err)
	}
}

func TestPastsKeepSummariesOnce(t *testing.T) {
	p, _ := pasts(t)
	add(t, p, "a", session.Summary, "We moved the queue to redis.", 1)
	add(t, p, "a", session.Summary, "We moved the queue to redis.", 2)
	add(t, p, "a", session.Summary, "Then the cache, too.", 3)
	add(t, p, "b", session.Summary, "We moved the queue to redis.", 4)
	got := all(t, p)
	if len(got) != 3 || got[0].Session != "a" || got[2].Session != "b" || got[0].ID == got[2].ID {
		t.Errorf("%+v", got)
	}
}

// The store is bounded, whatever is put in, and the oldest go first.
func TestPastsAreBounded(t *testing.T) {
	p, path := pasts(t)
	for i := range 3000 {
		add(t, p, fmt.Sprint("s", i), session.Summary, fmt.Sprint(i, strings.Repeat(" word", 600)), i)
	}
	got := all(t, p)
	if len(got) != session.MaxPasts || got[0].Session != "s2500" {
		t.Errorf("%d pasts from %s", len(got), got[0].Session)
	}
	info, err := os.Stat(path)
	if err != nil || info.Size() > 5<<20 {
		t.Errorf("%v %v", info, err)
	}
}

// Damage costs the damaged lines, and a rewrite takes out what is named and
// keeps what is not a past yet.
func TestPastsRewrite(t *testing.T) {
	p, path := pasts(t)
	for i, s := range []string{"one thing", "another thing", "the tulip code", "more words"} {
		add(t, p, "a", session.Said, s, i)
	}
	add(t, p, "b", session.Said, "only one so far", 9)
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = f.WriteString("{\"session\":\nnull\n[]\n")
	_ = f.Close()
	add(t, p, "c", session.Summary, "after the damage", 10)
	if len(all(t, p)) != 2 {
		t.Errorf("%+v", all(t, p))
	}
	if err := p.Rewrite(t.Context(), func(x session.Past) bool { return !strings.Contains(x.Text, "tulip") }); err != nil {
		t.Fatal(err)
	}
	b, _ := os.ReadFile(path)
	if strings.Contains(string(b), "tulip") || len(all(t, p)) != 1 {
		t.Errorf("%s", b)
	}
	add(t, p, "b", session.Said, "a second message", 11)
	add(t, p, "b", session.Said, "a third message", 12)
	if got := all(t, p); len(got) != 2 || got[1].N != 3 {
		t.Errorf("%+v", got)
	}
}

// What a search must read is bounded by what is kept, in lines as well: the messages
// of a session are one line after a while, and sessions that have only begun do not
// take the place of whole ones.
func TestPastsAreFewLines(t *testing.T) {
	p, path := pasts(t)
	for i := range 6000 {
		if sess := i / 4; sess%2 == 0 || i%4 == 0 { // every other session ends after one message
			add(t, p, fmt.Sprint("s", sess), session.Said, fmt.Sprintf("message %d of many", i), i)
		}
		if i%100 == 0 {
			all(t, p) // as a prompt does
		}
	}
	got := all(t, p)
	if len(got) != session.MaxPasts || got[0].Session != "s500" || got[0].N != 4 {
		t.Errorf("%d pasts, the first %+v", len(got), got[0])
	}
	b, err := os.ReadFile(path)
	if n := strings.Count(string(b), "\n"); err != nil || n > 3*session.MaxPasts+100 {
		t.Errorf("%d lines, %v", n, err)
	}
}

// One reader sees at each moment what another one that has just come sees, whatever
// is done to the file.
func TestPastsReadTwice(t *testing.T) {
	p, path := pasts(t)
	steps := []func(){
		func() { add(t, p, "a", session.Summary, "The first summary.", 1) },
		func() { add(t, p, "a", session.Summary, "The second summary.", 2) },
		func() { // somebody else writes
			other := session.NewPasts(path)
			for i := range 3 {
				add(t, other, "b", session.Said, fmt.Sprint("message ", i), 3+i)
			}
		},
		func() {
			_ = session.NewPasts(path).Rewrite(t.Context(), func(x session.Past) bool { return x.Session == "a" })
		},
		func() { add(t, session.NewPasts(path), "c", session.Summary, "A summary of another session.", 9) },
		func() { // the same file, longer, with other lines
			b, _ := os.ReadFile(path)
			s := strings.ReplaceAll(string(b), "first", "third") + "{\"session\":\"d\",\"kind\":\"summary\",\"text\":\"By hand.\"}\n"
			f, err := os.OpenFile(path, os.O_WRONLY|os.O_TRUNC, 0)
			if err != nil {
				t.Fatal(err)
			}
			_, _ = f.WriteString(s)
			_ = f.Close()
		},
		func() { _ = os.Truncate(path, 40) },
		func() { _ = os.Remove(path) },
		func() { add(t, p, "a", session.Summary, "Begun anew.", 9) },
	}
	for i, step := range steps {
		step()
		got, want := all(t, p), all(t, session.NewPasts(path))
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("after step %d: %s", i, d)
		}
	}
}
