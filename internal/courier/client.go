package courier

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os/exec"
	"sync"
	"time"

	"github.com/pimento-memory/pimento"
)

// A Courier runs the helper. Its methods may be called from several
// goroutines; their requests share one process.
type Courier struct {
	program []string

	mu     sync.Mutex
	proc   *process
	closed bool
}

// New takes the helper's path and arguments. It is started by the first request.
func New(program ...string) *Courier { return &Courier{program: program} }

// Embed returns a vector of length 1 for each text, nil for a blank one.
func (c *Courier) Embed(ctx context.Context, req EmbedRequest) ([][]float32, error) {
	m, err := c.ask(ctx, message{Embed: &req}, nil)
	if err != nil {
		return nil, err
	}
	vecs, err := unpack(m.Vectors, len(req.Texts))
	if err != nil {
		return nil, c.fail(err)
	}
	return vecs, nil
}

// Chat asks a language model once.
func (c *Courier) Chat(ctx context.Context, req ChatRequest) (ChatAnswer, error) {
	m, err := c.ask(ctx, message{Chat: &req}, nil)
	if err != nil {
		return ChatAnswer{}, err
	}
	if m.Answer == nil {
		return ChatAnswer{}, c.fail(errors.New("the helper is older than this program"))
	}
	return *m.Answer, nil
}

// Fetch downloads a file, and calls progress with how many bytes there are of
// how many (0 for unknown).
func (c *Courier) Fetch(ctx context.Context, req FetchRequest, progress func(done, total int64)) error {
	_, err := c.ask(ctx, message{Fetch: &req}, progress)
	return err
}

// Close ends the helper.
func (c *Courier) Close() error {
	c.mu.Lock()
	proc := c.proc
	c.proc, c.closed = nil, true
	c.mu.Unlock()
	if proc != nil {
		proc.stop()
	}
	return nil
}

// ask sends a request and waits for its end. A context that is done cancels it
// and leaves the helper to the other requests.
func (c *Courier) ask(ctx context.Context, m message, progress func(done, total int64)) (message, error) {
	if err := ctx.Err(); err != nil {
		return m, c.fail(err)
	}
	proc, err := c.running()
	if err != nil {
		return m, c.fail(err)
	}
	id, replies := proc.enlist()
	defer proc.discharge(id)
	m.ID = id
	if err := proc.send(m); err != nil {
		return m, c.fail(err)
	}
	for {
		select {
		case reply, ok := <-replies:
			switch {
			case !ok:
				return m, c.fail(errors.New("the helper ended"))
			case reply.Error != nil:
				return m, reply.Error.err()
			case reply.End:
				return reply, nil
			case progress != nil:
				progress(reply.Done, reply.Total)
			}
		case <-ctx.Done():
			_ = proc.send(message{ID: id, Cancel: true})
			return m, c.fail(ctx.Err())
		}
	}
}

// running is the helper, started anew if it has ended.
func (c *Courier) running() (*process, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return nil, errors.New("closed")
	}
	if c.proc != nil && c.proc.alive() {
		return c.proc, nil
	}
	if len(c.program) == 0 {
		return nil, exec.ErrNotFound
	}
	var err error
	c.proc, err = start(c.program)
	return c.proc, err
}

func (c *Courier) fail(err error) error {
	hint := "try again"
	if errors.Is(err, exec.ErrNotFound) || errors.Is(err, fs.ErrNotExist) {
		hint = "the network is reached through a second program, beside pimento or on PATH: go install ./cmd/pimento-net"
	}
	return &pimento.Error{Op: "pimento-net", Kind: pimento.KindUnavailable, Hint: hint, Err: err}
}

// A process is one running helper.
type process struct {
	cmd *exec.Cmd
	in  io.WriteCloser

	sending sync.Mutex
	mu      sync.Mutex
	last    int
	pending map[int]chan message
	ended   chan struct{} // closed when its output has ended
}

func start(program []string) (*process, error) {
	cmd := exec.Command(program[0], program[1:]...)
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
	p := &process{cmd: cmd, in: in, pending: map[int]chan message{}, ended: make(chan struct{})}
	go p.listen(out)
	return p, nil
}

// listen hands replies to those who wait for them, until the output ends.
func (p *process) listen(out io.Reader) {
	dec := json.NewDecoder(out)
	for {
		var m message
		if dec.Decode(&m) != nil {
			break
		}
		p.mu.Lock()
		replies := p.pending[m.ID]
		p.mu.Unlock()
		if replies == nil {
			continue // cancelled meanwhile
		}
		if m.End || m.Error != nil || len(replies) < cap(replies)-1 {
			replies <- m // progress may be dropped, the end may not
		}
	}
	close(p.ended)
	p.mu.Lock()
	for id, replies := range p.pending {
		close(replies)
		delete(p.pending, id)
	}
	p.mu.Unlock()
	_ = p.in.Close()
	_ = p.cmd.Wait()
}

func (p *process) alive() bool {
	select {
	case <-p.ended:
		return false
	default:
		return true
	}
}

// enlist makes a place for replies. Progress may fill all of it but the last
// place, which is the end's, so that listen never waits for anybody.
func (p *process) enlist() (int, chan message) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.last++
	replies := make(chan message, 64)
	if !p.alive() {
		close(replies)
		return p.last, replies
	}
	p.pending[p.last] = replies
	return p.last, replies
}

func (p *process) discharge(id int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.pending, id)
}

func (p *process) send(m message) error {
	b, err := json.Marshal(m)
	if err != nil {
		return err
	}
	p.sending.Lock()
	defer p.sending.Unlock()
	_, err = p.in.Write(append(b, '\n'))
	return err
}

// stopWait is how long a helper has to end by itself.
const stopWait = time.Second

func (p *process) stop() {
	_ = p.in.Close()
	select {
	case <-p.ended:
	case <-time.After(stopWait):
		_ = p.cmd.Process.Kill()
		<-p.ended
	}
}
