package hook_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
	"github.com/pimento-memory/pimento/internal/hook"
	"github.com/pimento-memory/pimento/internal/tool"
	"github.com/pimento-memory/pimento/internal/vault"
)

// ask runs a hook in a fresh home and returns its reply.
func ask(t testing.TB, in string, open func(string) (*engine.Engine, error)) tool.TurnReply {
	t.Helper()
	home := t.TempDir()
	repo := filepath.Join(home, "repo")
	if err := os.MkdirAll(repo, 0o755); err != nil {
		t.Fatal(err)
	}
	if open == nil {
		open = func(dir string) (*engine.Engine, error) {
			return engine.Open(engine.Options{Dirs: vault.DirsFrom(home, func(string) string { return "" }), Dir: dir,
				Now: func() time.Time { return time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC) }, Deadline: 5 * time.Second})
		}
	}
	var out bytes.Buffer
	hook.Serve(context.Background(), hook.Dialects()[0], strings.NewReader(in), &out, hook.Options{Dir: repo, Open: open, Wait: 5 * time.Second})
	var rep tool.TurnReply
	if err := json.Unmarshal(out.Bytes(), &rep); err != nil {
		t.Fatalf("the reply is not JSON: %v\n%s", err, out.Bytes())
	}
	return rep
}

func TestGarbageIsAnEmptyBlockWithAFault(t *testing.T) {
	for _, in := range []string{"", "\n", "nonsense", "[]", `"x"`, `{"event":`, `{"event":7}`, "\x00\xff"} {
		rep := ask(t, in, nil)
		if rep.Block.Prefix != "" || rep.Block.Tail != "" {
			t.Errorf("%q: block is not empty: %+v", in, rep.Block)
		}
		if len(rep.Block.Faults) != 1 || rep.Block.Faults[0].Kind != "input" {
			t.Errorf("%q: faults = %+v", in, rep.Block.Faults)
		}
	}
}

// TestOneWrongFieldIsOneFault: what can be read of an event is answered, unless what
// cannot be read says how far memory may go.
func TestOneWrongFieldIsOneFault(t *testing.T) {
	for in, key := range map[string]string{`"cwd":5`: "cwd", `"prompt":[]`: "prompt", `"in_context":{}`: "in_context", `"tools":[{"name":1}]`: "tools.name", `"system_tokens":"x","parent":{}`: "system_tokens"} {
		rep := ask(t, `{"event":"prompt","session":"s",`+in+`}`, nil)
		if f := rep.Block.Faults; rep.Block.Status == pimento.Unavailable || rep.Block.Session != "s" || len(f) != 1 || f[0].Kind != "input" || !strings.Contains(f[0].Detail, "key "+key+": ") {
			t.Errorf("%s: %q %+v", in, rep.Block.Status, f)
		}
	}
	for _, in := range []string{`"off":"yes"`, `"untrusted":1`, `"by_agent":"no"`, `"session":5`, `"event":["prompt"]`} {
		rep := ask(t, `{"cwd":5,"event":"prompt",`+in+`}`, nil)
		if f := rep.Block.Faults; rep.Block.Status != pimento.Unavailable || len(f) != 1 || f[0].Kind != "input" {
			t.Errorf("%s: %q %+v", in, rep.Block.Status, f)
		}
	}
}

func TestFailuresBelowAreFaults(t *testing.T) {
	turn := `{"event":"prompt","session":"s","prompt":"hello"}`
	for kind, open := range map[string]func(string) (*engine.Engine, error){
		"open":  func(string) (*engine.Engine, error) { return nil, errors.New("no") },
		"panic": func(string) (*engine.Engine, error) { panic("boom") },
	} {
		rep := ask(t, turn, open)
		if len(rep.Block.Faults) != 1 || rep.Block.Faults[0].Kind != kind || rep.Block.Session != "s" {
			t.Errorf("%s: %+v", kind, rep.Block)
		}
	}
}

func TestATurnThatHangsIsAbandoned(t *testing.T) {
	release := make(chan struct{})
	defer close(release)
	var out bytes.Buffer
	hook.Serve(context.Background(), hook.Dialects()[0], strings.NewReader(`{"event":"prompt"}`), &out, hook.Options{
		Dir: t.TempDir(), Wait: time.Millisecond,
		Open: func(string) (*engine.Engine, error) { <-release; return nil, errors.New("late") },
	})
	if !strings.Contains(out.String(), `"kind":"deadline"`) {
		t.Errorf("reply: %s", out.String())
	}
}

// told closes itself at the first answer.
type told chan struct{}

func (c told) Write(b []byte) (int, error) {
	close(c)
	return len(b), nil
}

// What a late turn is about to have done is not thrown away: else every process
// after it would begin with the same and be as late.
func TestALateTurnEndsWhatItDoes(t *testing.T) {
	var ended atomic.Bool
	answer := make(told)
	hook.Serve(context.Background(), hook.Dialects()[0], strings.NewReader(`{"event":"prompt"}`), answer, hook.Options{
		Dir: t.TempDir(), Wait: 400 * time.Millisecond,
		Open: func(string) (*engine.Engine, error) {
			<-answer
			ended.Store(true)
			return nil, errors.New("late")
		},
	})
	if !ended.Load() {
		t.Error("it was cut off")
	}
}

// A harness that keeps its end of the pipe open must not be waited for.
func TestOneObjectIsEnough(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = w.Close(); _ = r.Close() }()
	if _, err := w.WriteString(`{"event":"prompt","session":"s"}` + "\n"); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	hook.Serve(context.Background(), hook.Dialects()[0], r, &out, hook.Options{Dir: t.TempDir(),
		Open: func(string) (*engine.Engine, error) { return nil, errors.New("reached") }})
	if !strings.Contains(out.String(), "reached") {
		t.Errorf("reply: %s", out.String())
	}
}

func FuzzPi(f *testing.F) {
	f.Add(`{"event":"prompt","session":"s","prompt":"x","in_context":["~a"]}`)
	f.Add(`{"event":"nonsense","system_tokens":-1}`)
	f.Fuzz(func(t *testing.T, in string) { ask(t, in, nil) })
}
