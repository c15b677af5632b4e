package rpc_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/pimento-memory/pimento/internal/engine"
	"github.com/pimento-memory/pimento/internal/rpc"
	"github.com/pimento-memory/pimento/internal/vault"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A machine is a home with one repository, and a clock that stands still.
type machine struct{ home, repo string }

func newMachine(t testing.TB) machine {
	t.Helper()
	home := t.TempDir()
	m := machine{home: home, repo: filepath.Join(home, "repo")}
	for _, d := range []string{".git/objects", ".git/refs", ".git/info"} {
		if err := os.MkdirAll(filepath.Join(m.repo, d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(m.repo, ".git", "HEAD"), []byte("ref: refs/heads/main\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	return m
}

func (m machine) open(dir string) (*engine.Engine, error) {
	if dir == "" {
		dir = m.repo
	}
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	return engine.Open(engine.Options{Dirs: vault.DirsFrom(m.home, func(string) string { return "" }), Dir: dir,
		Now: func() time.Time { return now }, Deadline: 5 * time.Second, Serve: true})
}

// A client speaks with a running server.
type client struct {
	t    testing.TB
	in   *io.PipeWriter
	out  *bufio.Reader
	done chan error
}

func start(t testing.TB, open func(string) (*engine.Engine, error)) *client {
	t.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	c := &client{t: t, in: inW, out: bufio.NewReader(outR), done: make(chan error, 1)}
	go func() {
		err := rpc.Serve(context.Background(), inR, outW, open, "v-test")
		_ = outW.Close()
		c.done <- err
	}()
	t.Cleanup(func() {
		_ = inW.Close()
		go func() { _, _ = io.Copy(io.Discard, c.out) }()
		if err := <-c.done; err != nil {
			t.Errorf("Serve: %v", err)
		}
	})
	return c
}

func (c *client) send(line string) {
	c.t.Helper()
	if _, err := io.WriteString(c.in, line+"\n"); err != nil {
		c.t.Fatal(err)
	}
}

func (c *client) receive() string {
	c.t.Helper()
	line, err := c.out.ReadString('\n')
	if err != nil {
		c.t.Fatalf("reading a reply: %v", err)
	}
	return strings.TrimSuffix(line, "\n")
}

// TestTranscripts plays testdata/*.txt: a line "> request" is sent, the lines
// "< text" below it must be in the reply and the lines "! text" must not. $REPO
// is the repository, $1 the first id ("statement") seen in an earlier reply.
func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcripts: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) { play(t, file) })
	}
}

func play(t *testing.T, file string) {
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	m := newMachine(t)
	c := start(t, m.open)
	reply, id := "", ""
	for n, line := range strings.Split(string(raw), "\n") {
		line = strings.ReplaceAll(strings.ReplaceAll(line, "$REPO", m.repo), "$1", id)
		sign, text, _ := strings.Cut(line, " ")
		switch sign {
		case ">":
			c.send(text)
			reply = c.receive()
			if !json.Valid([]byte(reply)) {
				t.Fatalf("%s:%d: not JSON: %s", file, n+1, reply)
			}
			if _, rest, ok := strings.Cut(reply, `"id":"`); ok && len(rest) > 16 {
				id = rest[:16]
			}
		case "<":
			if !strings.Contains(reply, text) {
				t.Errorf("%s:%d: reply lacks %s:\n%s", file, n+1, text, reply)
			}
		case "!":
			if strings.Contains(reply, text) {
				t.Errorf("%s:%d: reply holds %s:\n%s", file, n+1, text, reply)
			}
		case "", "#":
		default:
			t.Fatalf("%s:%d: unknown line %q", file, n+1, line)
		}
	}
}

func TestLongLinesAreSkippedAndTheStreamGoesOn(t *testing.T) {
	c := start(t, newMachine(t).open)
	c.send(`{"id":7,"op":"turn","v":1,"turn":{"prompt":"` + strings.Repeat("x", rpc.MaxLine) + `"}}`)
	if got := c.receive(); !strings.Contains(got, `"id":7,"ok":false`) || !strings.Contains(got, "1048576 bytes") {
		t.Errorf("reply to a long line: %s", got)
	}
	c.send(strings.Repeat("\x00", 3*rpc.MaxLine))
	if got := c.receive(); !strings.Contains(got, `"id":0,"ok":false`) {
		t.Errorf("reply to a long line of zeros: %s", got)
	}
	c.send(`{"id":8,"op":"hello","v":1}`)
	if got := c.receive(); !strings.Contains(got, `"id":8,"ok":true`) {
		t.Errorf("after the long lines: %s", got)
	}
}

func TestASlowToolDoesNotDelayATurn(t *testing.T) {
	m := newMachine(t)
	slow := filepath.Join(m.home, "slow")
	release := make(chan struct{})
	c := start(t, func(dir string) (*engine.Engine, error) {
		if dir == slow {
			<-release
		}
		return m.open(dir)
	})
	c.send(`{"id":1,"op":"tool","v":1,"name":"memory_status","cwd":"` + slow + `"}`)
	c.send(`{"id":2,"op":"turn","v":1,"turn":{"event":"prompt","session":"s","prompt":"hi there","cwd":"` + m.repo + `"}}`)
	if got := c.receive(); !strings.HasPrefix(got, `{"id":2,"ok":true`) {
		t.Errorf("first reply: %s", got)
	}
	close(release)
	if got := c.receive(); !strings.HasPrefix(got, `{"id":1,`) {
		t.Errorf("second reply: %s", got)
	}
}

func TestTurnsOfASessionKeepTheirOrder(t *testing.T) {
	m := newMachine(t)
	c := start(t, m.open)
	go func() {
		for i := 1; i <= 40; i++ {
			_, _ = fmt.Fprintf(c.in, `{"id":%d,"op":"turn","v":1,"turn":{"event":"prompt","session":"s","prompt":"question %d"}}`+"\n", i, i)
		}
	}()
	for i := 1; i <= 40; i++ {
		if got := c.receive(); !strings.HasPrefix(got, fmt.Sprintf(`{"id":%d,"ok":true`, i)) {
			t.Fatalf("reply %d: %s", i, got)
		}
	}
}

// A model writes several notes in one message, and pi calls the tools all at once.
func TestToolsKeepTheirOrder(t *testing.T) {
	m := newMachine(t)
	c := start(t, m.open)
	var want string
	for i := range 20 {
		want += fmt.Sprintf("- [ ] step %02d\n", i)
		c.send(fmt.Sprintf(`{"id":%d,"op":"tool","v":1,"name":"scratchpad","session":"s","args":{"action":"add","text":"step %02d"}}`, i, i))
	}
	for range 20 {
		c.receive()
	}
	c.send(`{"id":99,"op":"tool","v":1,"name":"scratchpad","session":"s","args":{"action":"list"}}`)
	reply := c.receive()
	var got string
	for _, step := range regexp.MustCompile(`- \[ \] step \d\d`).FindAllString(reply, -1) {
		got += step + "\n"
	}
	if got != want {
		t.Errorf("the scratchpad reads\n%swant\n%s", got, want)
	}
}

func TestWhatIsPendingIsAnsweredWhenTheInputEnds(t *testing.T) {
	m := newMachine(t)
	var in, out bytes.Buffer
	for i := 1; i <= 20; i++ {
		fmt.Fprintf(&in, `{"id":%d,"op":"tool","v":1,"name":"memory_search","args":{"query":"x"}}`+"\n", i)
	}
	if err := rpc.Serve(context.Background(), &in, &out, m.open, "v"); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(out.String(), `"ok":true`); n != 20 {
		t.Errorf("%d replies, want 20:\n%s", n, out.String())
	}
}

func TestPanicsAndFailedOpensAreReplies(t *testing.T) {
	boom := true
	c := start(t, func(string) (*engine.Engine, error) {
		if boom {
			panic("boom")
		}
		return nil, errors.New("no memory here")
	})
	c.send(`{"id":1,"op":"tool","v":1,"name":"memory_status","cwd":"/a"}`)
	if got := c.receive(); !strings.Contains(got, `"id":1,"ok":false`) || !strings.Contains(got, "boom") {
		t.Errorf("a panic: %s", got)
	}
	boom = false
	c.send(`{"id":2,"op":"turn","v":1,"turn":{"event":"prompt","session":"s","prompt":"x","cwd":"/b"}}`)
	if got := c.receive(); !strings.Contains(got, `"ok":true`) || !strings.Contains(got, "no memory here") ||
		!strings.Contains(got, `"prefix":""`) {
		t.Errorf("a failed open: %s", got)
	}
}

// brokenPipe is an output whose reader has gone; failed is closed when somebody
// has noticed.
type brokenPipe struct{ failed chan struct{} }

func (p *brokenPipe) Write([]byte) (int, error) {
	close(p.failed) // a second write would panic: nobody is to try again
	return 0, io.ErrClosedPipe
}

func TestServeEndsWhenNobodyReads(t *testing.T) {
	inR, inW := io.Pipe()
	done := make(chan error, 1)
	go func() {
		done <- rpc.Serve(context.Background(), inR, &brokenPipe{make(chan struct{})}, newMachine(t).open, "v")
	}()
	_, _ = io.WriteString(inW, `{"id":1,"op":"hello","v":1}`+"\n")
	if err := <-done; !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("err = %v", err)
	}
}

// What a harness says before it leaves is done, whether or not it has stayed for
// the answers.
func TestLastWordsAreHeardWhenNobodyReads(t *testing.T) {
	m := newMachine(t)
	inR, inW := io.Pipe()
	out := &brokenPipe{make(chan struct{})}
	done := make(chan error, 1)
	go func() { done <- rpc.Serve(context.Background(), inR, out, m.open, "v") }()
	_, _ = io.WriteString(inW, `{"id":1,"op":"hello","v":1}`+"\n")
	<-out.failed
	_, _ = io.WriteString(inW, `{"id":2,"op":"tool","v":1,"name":"memory_write","args":{"target":"long_term","content":"Deploys go out on Tuesdays."}}`+"\n")
	_ = inW.Close()
	if err := <-done; !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("err = %v", err)
	}
	found := false
	_ = filepath.WalkDir(m.home, func(path string, _ fs.DirEntry, _ error) error {
		if filepath.Ext(path) == ".md" {
			b, _ := os.ReadFile(path)
			found = found || bytes.Contains(b, []byte("Deploys go out on Tuesdays."))
		}
		return nil
	})
	if !found {
		t.Error("the last request was not carried out")
	}
}

func FuzzServe(f *testing.F) {
	f.Add([]byte(`{"id":1,"op":"hello","v":1}` + "\n" + `{"id":2,"op":"turn","v":1,"turn":{}}`))
	f.Add([]byte("\x00\xff\n{}\n[]\nnull\n\"x\"\n{\"id\":1e99}\n"))
	f.Add([]byte(`{"id":3,"op":"command","v":1,"args":"recall x"}` + "\n" + `{"id":3,"op":"tool","v":1,"name":"memory_search","args":[1]}`))
	m := newMachine(f)
	f.Fuzz(func(t *testing.T, in []byte) {
		var out bytes.Buffer
		if err := rpc.Serve(context.Background(), bytes.NewReader(in), &out, m.open, "v"); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(out.String()) {
			if !json.Valid([]byte(line)) {
				t.Fatalf("not JSON: %q", line)
			}
		}
	})
}
