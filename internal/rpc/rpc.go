// Package rpc is the long-lived door: pi's extension starts `pimento rpc` once a
// session and speaks with it in lines of JSON.
//
// A request is {"id":N,"op":"...","v":1,...}, a reply {"id":N,"ok":true,...} or
// {"id":N,"ok":false,"error":{"kind","message","hint"}}; one object a line, at
// most 1 MB. The operations are hello, turn, compact, tool, command and
// shutdown.
//
// Requests run side by side, so that a slow search never delays a prompt. Three
// things keep their order: tool calls; turns and compactions of one session; and
// the bookkeeping of these, which a command waits for as well. A turn waits for the
// bookkeeping before it only where the harness does not tell what is in context.
// A bad line costs an error reply, never the stream.
package rpc

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
)

// Protocol is the one version that this program speaks.
const Protocol = 1

// MaxLine is the longest request in bytes, its line break left out.
const MaxLine = 1 << 20

const (
	opTimeout    = 30 * time.Second // of a tool or command
	dreamTimeout = 30 * time.Minute // of a dream that somebody asked for
	drainTimeout = 5 * time.Second  // for what is pending when the input ends
	deafTimeout  = 2 * time.Second  // for the input's end, once nobody reads the replies
)

// A request has the fields of all operations.
type request struct {
	ID       int64           `json:"id"`
	Op       string          `json:"op"`
	V        int             `json:"v"`
	Protocol *protocolRange  `json:"protocol"` // hello
	Harness  string          `json:"harness"`  // hello
	Dir      string          `json:"cwd"`
	Session  string          `json:"session"`
	Turn     *pimento.Turn   `json:"turn"` // turn, compact
	Name     string          `json:"name"` // tool
	Args     json.RawMessage `json:"args"` // tool: an object; command: a string
}

type protocolRange struct {
	Min int `json:"min"`
	Max int `json:"max"`
}

// Serve answers requests from in on out until in ends, shutdown is asked for or
// ctx is done; then it waits for what is pending. open makes the engine of a
// working directory and is called once for each. The error is that of reading
// or writing; requests fail with replies.
func Serve(ctx context.Context, in io.Reader, out io.Writer, open func(dir string) (*engine.Engine, error), version string) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	reading, hangUp := context.WithCancel(ctx)
	defer hangUp()
	s := &server{out: out, open: open, version: version, cancel: cancel, hangUp: hangUp,
		engines: map[string]*slot{}, turns: map[string]*place{}, limits: map[string]limits{}}
	if c, ok := in.(io.Closer); ok {
		stop := context.AfterFunc(reading, func() { _ = c.Close() }) // ends a read that waits
		defer stop()
	}
	err := s.read(ctx, reading, bufio.NewReaderSize(in, 64<<10))
	s.drain()
	s.close()
	if s.writeErr != nil {
		return s.writeErr
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

type server struct {
	open    func(dir string) (*engine.Engine, error)
	version string
	cancel  context.CancelFunc // of everything
	hangUp  context.CancelFunc // of reading: what was taken is still done
	pending sync.WaitGroup

	lastTool chan struct{} // closed when the newest tool call is done; the reader's alone

	writing  sync.Mutex
	out      io.Writer
	writeErr error

	mu      sync.Mutex // guards what follows
	dir     string     // of hello, for requests that name none
	session string
	harness string
	engines map[string]*slot
	turns   map[string]*place // by session: its newest turn
	limits  map[string]limits // by session: as its newest turn said
	grace   time.Duration     // the longest that bookkeeping may still take when the input ends
}

// A place is a turn's in the order of its session.
type place struct {
	answered chan struct{} // closed when its answer is out
	done     chan struct{} // closed when its bookkeeping is done, too
}

// after is what a later turn waits for: the answer is enough for a harness that
// tells what is in its context, because all that bookkeeping writes down for
// the next turn is that.
func (p *place) after(next *pimento.Turn) chan struct{} {
	switch {
	case p == nil:
		return nil
	case next.InContext != nil && next.Event == pimento.PromptTurn:
		return p.answered
	}
	return p.done
}

// books is closed when a turn's bookkeeping is done.
func (p *place) books() chan struct{} {
	if p == nil {
		return nil
	}
	return p.done
}

// read takes requests until the input ends or reading is done.
func (s *server) read(ctx, reading context.Context, in *bufio.Reader) error {
	for reading.Err() == nil {
		line, long, err := readLine(in)
		switch {
		case long:
			s.fail(peekID(line), usage(fmt.Sprintf("a request of more than %d bytes was skipped", MaxLine), ""))
		case len(bytes.TrimSpace(line)) > 0:
			if s.accept(ctx, line) {
				return nil
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("reading requests: %w", err)
		}
	}
	return nil
}

// readLine reads one line. Of a line over MaxLine it returns the start and
// true, and the rest has been skipped.
func readLine(in *bufio.Reader) (line []byte, long bool, err error) {
	for {
		part, err := in.ReadSlice('\n')
		if !long {
			line = append(line, part...)
		}
		if err == bufio.ErrBufferFull {
			if len(line) > MaxLine {
				line, long = line[:256], true
			}
			continue
		}
		if len(line) > MaxLine+1 {
			line, long = line[:256], true
		}
		return line, long, err
	}
}

// peekID finds the id at the start of a request that cannot be read, so that
// whoever waits for its reply gets one; 0 when it is not there.
func peekID(start []byte) int64 {
	dec := json.NewDecoder(bytes.NewReader(start))
	if tok, err := dec.Token(); err != nil || tok != json.Delim('{') {
		return 0
	}
	if key, err := dec.Token(); err != nil || key != "id" {
		return 0
	}
	var id int64
	if dec.Decode(&id) != nil {
		return 0
	}
	return id
}

// accept starts what a line asks for and says whether it was the last.
func (s *server) accept(ctx context.Context, line []byte) (last bool) {
	var r request
	if err := json.Unmarshal(line, &r); err != nil {
		s.fail(peekID(line), usage("malformed request: "+err.Error(), ""))
		return false
	}
	if r.V != Protocol {
		s.fail(r.ID, unspoken(fmt.Sprintf("version %d", r.V)))
		return false
	}
	switch r.Op {
	case "hello":
		s.greetings(r)
		s.spawn(r, func() { s.hello(ctx, r) })
	case "turn", "compact":
		s.inOrder(ctx, r)
	case "tool":
		before, mine := s.lastTool, make(chan struct{})
		s.lastTool = mine
		s.spawn(r, func() {
			defer close(mine)
			wait(ctx, before) // a model that notes three things in one message means that order
			s.tool(ctx, r)
		})
	case "command":
		before := s.lastTurn(r.Session)
		s.spawn(r, func() {
			wait(ctx, before) // what it shows includes that turn's bookkeeping
			s.command(ctx, r)
		})
	case "shutdown":
		s.reply(r.ID, map[string]any{})
		return true
	default:
		s.fail(r.ID, usage(fmt.Sprintf("unknown op %q", r.Op), "use hello, turn, compact, tool, command or shutdown"))
	}
	return false
}

// spawn runs f; a panic becomes an error reply.
func (s *server) spawn(r request, f func()) {
	s.pending.Go(func() {
		defer func() {
			if p := recover(); p != nil {
				s.fail(r.ID, &pimento.Error{Op: r.Op, Kind: pimento.KindInternal, Err: fmt.Errorf("panic: %v", p)})
			}
		}()
		f()
	})
}

// inOrder runs a turn after the session's turn before it. Turns without a
// session are strangers to each other.
func (s *server) inOrder(ctx context.Context, r request) {
	if r.Turn == nil {
		s.fail(r.ID, usage(r.Op+" needs a turn", ""))
		return
	}
	s.fillIn(r.Turn)
	s.note(r.Turn)
	before, mine := s.queue(r.Turn.Session)
	s.spawn(r, func() {
		answered := sync.OnceFunc(func() { close(mine.answered) })
		defer close(mine.done)
		defer answered()
		wait(ctx, before.after(r.Turn))
		if r.Op == "compact" {
			s.compact(ctx, r)
		} else {
			s.turn(ctx, r, func() {
				answered()
				wait(ctx, before.books()) // two at once would only wait for each other's locks
			})
		}
	})
}

// queue returns the place before the next turn of a session, nil if there is
// none, and that turn's own.
func (s *server) queue(session string) (before, mine *place) {
	mine = &place{answered: make(chan struct{}), done: make(chan struct{})}
	if session == "" {
		return nil, mine
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	before = s.turns[session]
	s.turns[session] = mine
	return before, mine
}

// lastTurn is closed when the session's newest turn so far is done; nil when
// there was none.
func (s *server) lastTurn(session string) chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	if session == "" {
		session = s.session
	}
	if p := s.turns[session]; p != nil {
		return p.done
	}
	return nil
}

func wait(ctx context.Context, done chan struct{}) {
	if done == nil {
		return
	}
	select {
	case <-done:
	case <-ctx.Done():
	}
}

// allow gives the bookkeeping of a turn so much time after the input's end.
func (s *server) allow(grace time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.grace = max(s.grace, grace)
}

// drain waits for what is pending, at most drainTimeout (more for a turn that
// was allowed more) and a moment for what heeds its cancelled context.
func (s *server) drain() {
	done := make(chan struct{})
	go func() { s.pending.Wait(); close(done) }()
	within := func(limit time.Duration) bool {
		select {
		case <-done:
			return true
		case <-time.After(limit):
			return false
		}
	}
	if within(drainTimeout) {
		return
	}
	s.mu.Lock() // by now the turns have been answered, and have said what they need
	more := s.grace - drainTimeout
	s.mu.Unlock()
	if more > 0 && within(more) {
		return
	}
	s.cancel()
	within(time.Second)
}

func usage(message, hint string) error {
	return &pimento.Error{Op: "rpc", Kind: pimento.KindUsage, Hint: hint, Err: errors.New(message)}
}

// unspoken is the error for a protocol that is not ours.
func unspoken(what string) error {
	return usage(fmt.Sprintf("protocol %s is not spoken here, only %d", what, Protocol),
		"bring the extension and the program to the same version: pimento setup HARNESS")
}
