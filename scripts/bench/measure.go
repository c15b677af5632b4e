package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/pimento-memory/pimento/internal/corpus"
)

func stringReader(s string) io.Reader { return strings.NewReader(s) }

// layout measures everything on one corpus, which is the global memory of a
// simulated user.
func (b *bench) layout(l corpus.Layout) error {
	home := filepath.Join(b.work, fmt.Sprintf("%d-%d-%d", l.Entries, l.Pages, l.Triples))
	memory := filepath.Join(home, ".pi", "agent", "memory")
	if err := l.Write(memory); err != nil {
		return err
	}
	b.dir = filepath.Join(home, "somewhere")
	if err := os.MkdirAll(b.dir, 0o755); err != nil {
		return err
	}
	b.env = []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "PIMENTO_DEADLINE_MS=600000"}
	ps := l.Prompts(max(b.runs+1, pauses*perPause))
	if l.Triples > 0 {
		if err := use(home, "mind"); err != nil {
			return err
		}
		for i := range ps { // so that relations are looked for, too
			ps[i] = fmt.Sprintf("what does %s depend on, %s", corpus.Thing(i*997), ps[i])
		}
	}
	if err := b.fullBuild(l); err != nil {
		return err
	}
	turn := func(session string) func(int) string {
		return func(i int) string {
			t, _ := json.Marshal(map[string]any{"event": "prompt", "harness": "pi", "session": session, "cwd": b.dir, "prompt": ps[i]})
			return string(t)
		}
	}
	if _, err := b.oneShot("hook pi, one session", turn("bench"), "hook", "pi"); err != nil {
		return err
	}
	if _, err := b.oneShot("inject, stateless (prefix built each time)", func(i int) string { return ps[i] }, "inject"); err != nil {
		return err
	}
	if l.Triples > 0 {
		if err := b.graph(l); err != nil {
			return err
		}
	}
	return b.child(memory, ps)
}

// use makes a profile the user's own choice.
func use(home, profile string) error {
	dir := filepath.Join(home, ".config", "pimento")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "config.json"), []byte(`{"profile":"`+profile+`"}`), 0o600)
}

// graph asks for a neighbourhood and a path, each in a process of its own; go test
// -bench Graph ./internal/graph measures them within one.
func (b *bench) graph(l corpus.Layout) error {
	things := l.Pages * l.Triples / 5
	if _, err := b.oneShot("graph THING, a process of its own", nil, "graph", corpus.Thing(things/3)); err != nil {
		return err
	}
	_, err := b.oneShot("graph path A B, a process of its own", nil, "graph", "path", corpus.Thing(things/3), corpus.Thing(things/7))
	return err
}

// fullBuild times the first command ever, which indexes everything.
func (b *bench) fullBuild(l corpus.Layout) error {
	cmd := exec.Command(b.bin, "status")
	cmd.Dir, cmd.Env = b.dir, b.env
	start := time.Now()
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("status: %w\n%s", err, out)
	}
	wall := time.Since(start)
	cpu := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	fmt.Printf("%-44s %9.0f %9.0f   %.0f entries a second; index %.1f MB for %.1f MB of text\n", "full build (status, empty cache)", ms(cpu), ms(wall),
		float64(l.Entries)/wall.Seconds(), du(filepath.Join(b.home(), ".cache")), du(filepath.Join(b.home(), ".pi")))
	return nil
}

func (b *bench) home() string { return strings.TrimPrefix(b.env[0], "HOME=") }

// du is what is below a directory, in megabytes.
func du(dir string) float64 {
	var n int64
	_ = filepath.WalkDir(dir, func(_ string, d os.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			if info, err := d.Info(); err == nil {
				n += info.Size()
			}
		}
		return nil
	})
	return float64(n) / 1e6
}

// A peer is a running `pimento rpc`.
type peer struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
	n   int
}

func (p *peer) call(op string, body map[string]any) (map[string]any, time.Duration, error) {
	p.n++
	body["id"], body["op"], body["v"] = p.n, op, 1
	line, err := json.Marshal(body)
	if err != nil {
		return nil, 0, err
	}
	start := time.Now()
	if _, err := p.in.Write(append(line, '\n')); err != nil {
		return nil, 0, err
	}
	answer, err := p.out.ReadBytes('\n')
	took := time.Since(start)
	if err != nil {
		return nil, took, err
	}
	var m map[string]any
	if err := json.Unmarshal(answer, &m); err != nil {
		return nil, took, err
	}
	if ok, _ := m["ok"].(bool); !ok {
		return nil, took, errors.New(string(answer))
	}
	return m, took, nil
}

// serve starts a long-lived child. The caller closes it.
func (b *bench) serve() (*peer, error) {
	cmd := exec.Command(b.bin, "rpc")
	cmd.Dir, cmd.Env, cmd.Stderr = b.dir, b.env, os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	p := &peer{cmd: cmd, in: in, out: bufio.NewReaderSize(out, 1<<20)}
	_, _, err = p.call("hello", map[string]any{"protocol": map[string]int{"min": 1, "max": 1}, "harness": "pi", "cwd": b.dir, "session": "child"})
	if err != nil {
		p.close()
		return nil, err
	}
	return p, nil
}

func (p *peer) close() {
	p.in.Close()
	_ = p.cmd.Wait()
}

// A child is asked so many prompts after one another, and again with a pause
// between them, the first warm of each left out.
const (
	pauses   = 2
	perPause = 320
	warm     = 20
)

// child measures the long-lived child: round trips, an edit in an editor, memory.
func (b *bench) child(memory string, ps []string) error {
	p, err := b.serve()
	if err != nil {
		return err
	}
	defer p.close()
	turn := func(prompt string) (map[string]any, time.Duration, error) {
		return p.call("turn", map[string]any{"turn": map[string]any{"event": "prompt", "harness": "pi", "session": "child",
			"cwd": b.dir, "prompt": prompt, "in_context": []string{}}})
	}
	// Back to back shows what a turn costs; one every 20 ms adds what a machine
	// takes to wake up, as it must when a person has typed.
	for k, pause := range [pauses]time.Duration{0, 20 * time.Millisecond} {
		var took []float64
		for i := range perPause { // no prompt twice: what it needs would be at hand
			_, d, err := turn(ps[k*perPause+i])
			if err != nil {
				return err
			}
			if i >= warm {
				took = append(took, ms(d))
			}
			time.Sleep(pause)
		}
		name := "turn through rpc, back to back"
		if pause > 0 {
			name = "turn through rpc, one every " + pause.String()
		}
		fmt.Printf("%-44s p50 %.2f ms, p99 %.2f ms, least %.2f ms (%d prompts)\n", name, percentile(took, 50), percentile(took, 99), percentile(took, 0), len(took))
	}
	var edits []float64
	for i := range 10 {
		marker := fmt.Sprintf("zanzibar%d", i)
		if err := appendBullet(filepath.Join(memory, "topics", "edit.md"), marker); err != nil {
			return err
		}
		m, took, err := turn("what about " + marker + "?")
		if err != nil {
			return err
		}
		if !strings.Contains(fmt.Sprint(m["block"]), marker) {
			return fmt.Errorf("the edit %q was not seen by the next prompt", marker)
		}
		edits = append(edits, ms(took))
	}
	fmt.Printf("%-44s p50 %.2f ms, max %.2f ms (10 edits)\n", "edit by hand, seen by the next prompt", percentile(edits, 50), percentile(edits, 99))
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err == nil {
		fmt.Printf("%-44s RSS %s, of it anonymous %s\n", "memory of the child", field(status, "VmRSS"), field(status, "RssAnon"))
	}
	return nil
}

func appendBullet(path, marker string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(f, "- [lesson] The %s gateway needs two passes.\n", marker)
	return errors.Join(err, f.Close())
}

func field(status []byte, name string) string {
	for line := range strings.Lines(string(status)) {
		if v, ok := strings.CutPrefix(line, name+":"); ok {
			return strings.TrimSpace(v)
		}
	}
	return "?"
}
