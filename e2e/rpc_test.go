package e2e

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// A piRPC is a pi in RPC mode: what a person does at the terminal, by program.
type piRPC struct {
	t       testing.TB
	cmd     *exec.Cmd
	in      io.WriteCloser
	events  chan event
	err     *bytes.Buffer
	seen    []event
	next    int
	confirm func(title, message string) bool
}

// An event is one line from pi.
type event struct {
	Type    string          `json:"type"`
	ID      json.RawMessage `json:"id"`
	Success bool            `json:"success"`
	Error   string          `json:"error"`
	Method  string          `json:"method"`
	Title   string          `json:"title"`
	Options []string        `json:"options"`
	Message json.RawMessage `json:"message"`
	Data    json.RawMessage `json:"data"`
}

func (e event) message() string {
	var s string
	_ = json.Unmarshal(e.Message, &s)
	return s
}

// rpc starts pi in RPC mode. Dialogs are answered by confirm, nil for no.
func (s *sandbox) rpc(confirm func(title, message string) bool, args ...string) *piRPC {
	s.t.Helper()
	cmd, _, errs := s.command(s.piArgs(append([]string{"--mode", "rpc"}, args...)...)...)
	p := &piRPC{t: s.t, cmd: cmd, events: make(chan event, 1024), err: errs, confirm: confirm}
	cmd.Stdout = nil
	out, err := cmd.StdoutPipe()
	if err != nil {
		s.t.Fatal(err)
	}
	if p.in, err = cmd.StdinPipe(); err != nil {
		s.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	go p.read(out)
	s.t.Cleanup(func() { _ = p.in.Close(); _ = cmd.Cancel() })
	return p
}

func (p *piRPC) read(out io.Reader) {
	defer close(p.events)
	lines := bufio.NewReader(out)
	for {
		line, err := lines.ReadBytes('\n')
		var e event
		if json.Unmarshal(line, &e) == nil && e.Type != "" {
			p.events <- e
		}
		if err != nil {
			return
		}
	}
}

// wait reads events until one satisfies want.
func (p *piRPC) wait(what string, want func(event) bool) event {
	p.t.Helper()
	limit := time.After(patience)
	for {
		select {
		case e, ok := <-p.events:
			if !ok {
				p.t.Fatalf("pi ended while the test waited for %s\n%s", what, p.err)
			}
			p.seen = append(p.seen, e)
			if e.Type == "extension_ui_request" && e.Method == "select" {
				title, message, _ := strings.Cut(e.Title, "\n")
				answer := e.Options[0] // what Enter alone says
				if p.confirm != nil && p.confirm(title, message) {
					answer = e.Options[len(e.Options)-1]
				}
				p.send(map[string]any{"type": "extension_ui_response", "id": e.ID, "value": answer})
			}
			if want(e) {
				return e
			}
		case <-limit:
			p.t.Fatalf("pi did not send %s", what)
		}
	}
}

func (p *piRPC) send(v any) {
	p.t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		p.t.Fatal(err)
	}
	if _, err := p.in.Write(append(b, '\n')); err != nil {
		p.t.Fatalf("write to pi: %v\n%s", err, p.err)
	}
}

// do sends a command and returns the data of its response.
func (p *piRPC) do(command map[string]any) json.RawMessage {
	p.t.Helper()
	p.next++
	id := "c" + strings.Repeat("i", p.next)
	command["id"] = id
	p.send(command)
	e := p.wait("the response to "+mustJSON(command), func(e event) bool {
		return e.Type == "response" && string(e.ID) == `"`+id+`"`
	})
	if !e.Success {
		p.t.Fatalf("pi refused %s: %s\n%s", mustJSON(command), e.Error, p.err)
	}
	return e.Data
}

// prompt sends one prompt and waits until pi is idle again.
func (p *piRPC) prompt(text string) {
	p.t.Helper()
	var d struct{ Disposition string }
	_ = json.Unmarshal(p.do(map[string]any{"type": "prompt", "message": text}), &d)
	if d.Disposition == "handled" {
		return
	}
	p.wait("the end of the run", func(e event) bool { return e.Type == "agent_settled" })
}

// notified says whether the person was shown a line with the text.
func (p *piRPC) notified(text string) bool {
	for _, e := range p.seen {
		if e.Method == "notify" && strings.Contains(e.message(), text) {
			return true
		}
	}
	return false
}

// waitNotify waits until the person is shown a line with the text.
func (p *piRPC) waitNotify(text string) {
	p.t.Helper()
	if p.notified(text) {
		return
	}
	p.wait("the notice "+text, func(e event) bool {
		return e.Method == "notify" && strings.Contains(e.message(), text)
	})
}

// sessionFile is the file of the current session.
func (p *piRPC) sessionFile() string {
	p.t.Helper()
	var s struct{ SessionFile string }
	_ = json.Unmarshal(p.do(map[string]any{"type": "get_state"}), &s)
	return s.SessionFile
}

// close ends pi as closing its terminal does.
func (p *piRPC) close() {
	p.t.Helper()
	_ = p.in.Close()
	for e := range p.events {
		p.seen = append(p.seen, e)
	}
	if err := p.cmd.Wait(); err != nil {
		p.t.Fatalf("pi: %v\n%s", err, p.err)
	}
}
