package mcpserver

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A wire is the connection with the client, one message a line. The library's own
// would give up at the first line that is no message, lose the answers that are
// pending when the input ends, and start tool calls in any order: a model that
// notes three things in one message means that order.
type wire struct {
	life  context.Context
	lines chan []byte // closed when the input ends
	next  chan struct{}

	mu      sync.Mutex // guards what follows
	out     io.Writer
	readErr error
	pending map[jsonrpc.ID]bool // calls without an answer
	calling jsonrpc.ID          // the tool call that is being done
	waiting []*jsonrpc.Request  // tool calls behind it

	closing sync.Once
	closed  chan struct{}
}

func newWire(life context.Context, in io.Reader, out io.Writer) *wire {
	w := &wire{life: life, lines: make(chan []byte), next: make(chan struct{}, 1), out: out,
		pending: map[jsonrpc.ID]bool{}, closed: make(chan struct{})}
	go w.read(bufio.NewReaderSize(in, 64<<10))
	return w
}

// maxLine is more than a model says at once. What is decoded takes ten times that.
const maxLine = 4 << 20

// edge is what is kept of the beginning and of the end of a longer line.
const edge = 256

// read hands on what comes in, line by line.
func (w *wire) read(in *bufio.Reader) {
	defer close(w.lines)
	for {
		line, long, err := readLine(in)
		switch {
		case long:
			w.answer(idAtEdge(line), &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest,
				Message: fmt.Sprintf("a message of more than %d bytes was skipped", maxLine)})
		case len(bytes.TrimSpace(line)) > 0:
			select {
			case w.lines <- line:
			case <-w.closed:
				return
			}
		}
		if err != nil {
			w.mu.Lock()
			w.readErr = err
			w.mu.Unlock()
			return
		}
	}
}

// readLine reads one line. Of one over maxLine it returns the edges, one behind the
// other, and true.
func readLine(in *bufio.Reader) (line []byte, long bool, err error) {
	for {
		part, err := in.ReadSlice('\n')
		line = append(line, part...)
		if long = long || len(line) > maxLine+1; long {
			line = slices.Delete(line, edge, max(edge, len(line)-edge))
		}
		if err != bufio.ErrBufferFull {
			return line, long, err
		}
	}
}

// idAtEdge is the id of a message of which only the edges are known: clients write it
// first, or last. nil where it is not there.
func idAtEdge(edges []byte) (id any) {
	last := regexp.MustCompile(`"id"\s*:\s*("[^"\\]*"|\d+)\s*}\s*$`)
	if m := last.FindSubmatch(edges); m != nil && json.Unmarshal(m[1], &id) == nil {
		return id
	}
	first := regexp.MustCompile(`^\s*{\s*("jsonrpc"\s*:\s*"2.0"\s*,\s*)?"id"\s*:\s*("[^"\\]*"|\d+)\s*,`)
	if m := first.FindSubmatch(edges); m != nil && json.Unmarshal(m[2], &id) == nil {
		return id
	}
	return nil
}

// err is what ended the input, nil for its end.
func (w *wire) err() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if errors.Is(w.readErr, io.EOF) {
		return nil
	}
	return w.readErr
}

func (w *wire) Connect(context.Context) (mcp.Connection, error) { return w, nil }
func (w *wire) SessionID() string                               { return "" }

func (w *wire) Close() error {
	w.closing.Do(func() { close(w.closed) })
	return nil
}

// Read is the next message to be handled. After the input's end it waits for the
// answers that are pending.
func (w *wire) Read(context.Context) (jsonrpc.Message, error) {
	lines := w.lines
	var late <-chan time.Time
	for {
		if r := w.turn(); r != nil {
			return r, nil
		}
		if lines == nil && w.answered() {
			return nil, io.EOF
		}
		select {
		case line, ok := <-lines:
			if !ok {
				lines, late = nil, time.After(drainTimeout)
			} else if m := w.accept(line); m != nil {
				return m, nil
			}
		case <-w.next:
		case <-late:
			return nil, io.EOF
		case <-w.closed:
			return nil, io.EOF
		case <-w.life.Done():
			return nil, io.EOF
		}
	}
}

// turn is the tool call that may be done now, nil for none.
func (w *wire) turn() *jsonrpc.Request {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.waiting) == 0 || w.calling.IsValid() {
		return nil
	}
	r := w.waiting[0]
	w.waiting = w.waiting[1:]
	w.calling = r.ID
	return r
}

func (w *wire) answered() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.pending) == 0
}

// accept is the message of a line, nil for one that is not to be handled now.
func (w *wire) accept(line []byte) jsonrpc.Message {
	m, err := jsonrpc.DecodeMessage(line)
	if err != nil {
		w.refuse(line)
		return nil
	}
	r, ok := m.(*jsonrpc.Request)
	if !ok {
		return m
	}
	if r.Method == "notifications/cancelled" {
		w.withdraw(r)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if r.IsCall() && r.Method != "subscriptions/listen" { // that has no answer before the end
		w.pending[r.ID] = true
	}
	if !r.IsCall() || r.Method != "tools/call" {
		return r
	}
	w.waiting = append(w.waiting, r)
	return nil
}

// refuse answers what is no message.
func (w *wire) refuse(line []byte) {
	var m struct {
		ID any `json:"id"`
	}
	bad := &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: "this line is no JSON-RPC 2.0 message"}
	if !json.Valid(line) {
		bad = &jsonrpc.Error{Code: jsonrpc.CodeParseError, Message: "this line is no JSON"}
	}
	_ = json.Unmarshal(line, &m)
	w.answer(m.ID, bad)
}

// answer is an error in the place of what was asked for.
func (w *wire) answer(id any, bad *jsonrpc.Error) {
	to, _ := jsonrpc.MakeID(id)
	_ = w.Write(w.life, &jsonrpc.Response{ID: to, Error: bad})
}

// withdraw takes back a tool call that has not begun.
func (w *wire) withdraw(r *jsonrpc.Request) {
	var p struct {
		ID any `json:"requestId"`
	}
	_ = json.Unmarshal(r.Params, &p)
	id, err := jsonrpc.MakeID(p.ID)
	if err != nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	is := func(q *jsonrpc.Request) bool { return q.ID == id }
	if slices.ContainsFunc(w.waiting, is) {
		w.waiting = slices.DeleteFunc(w.waiting, is)
		delete(w.pending, id)
	}
}

// coded gives an error the code that the library leaves out, as it does of what comes
// before an initialize, or of a second one.
func coded(m jsonrpc.Message) jsonrpc.Message {
	r, ok := m.(*jsonrpc.Response)
	if !ok || r.Error == nil {
		return m
	}
	if e, ok := errors.AsType[*jsonrpc.Error](r.Error); ok && e.Code != 0 {
		return m
	}
	return &jsonrpc.Response{ID: r.ID, Error: &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: r.Error.Error()}}
}

// Write puts a whole line out at once.
func (w *wire) Write(_ context.Context, m jsonrpc.Message) error {
	line, err := jsonrpc.EncodeMessage(coded(m))
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	_, err = w.out.Write(append(line, '\n'))
	if r, ok := m.(*jsonrpc.Response); ok {
		delete(w.pending, r.ID)
		if w.calling == r.ID {
			w.calling = jsonrpc.ID{}
		}
		select {
		case w.next <- struct{}{}:
		default:
		}
	}
	return err
}
