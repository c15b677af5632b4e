package courier

import (
	"context"
	"encoding/json"
	"io"
	"sync"
)

// Handlers do the work in the helper.
type Handlers struct {
	Embed func(context.Context, EmbedRequest) ([][]float32, error)
	Chat  func(context.Context, ChatRequest) (ChatAnswer, error)
	Fetch func(ctx context.Context, req FetchRequest, progress func(done, total int64)) error
}

// Serve answers requests, all at the same time, until the input ends; then it
// cancels what is under way and returns.
func Serve(ctx context.Context, in io.Reader, out io.Writer, h Handlers) error {
	ctx, cancelAll := context.WithCancel(ctx)
	s := &server{h: h, out: out, cancels: map[int]context.CancelFunc{}}
	defer s.running.Wait()
	defer cancelAll()
	dec := json.NewDecoder(in)
	for {
		var m message
		if err := dec.Decode(&m); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		s.take(ctx, m)
	}
}

type server struct {
	h       Handlers
	running sync.WaitGroup

	mu      sync.Mutex
	cancels map[int]context.CancelFunc
	sending sync.Mutex
	out     io.Writer
}

func (s *server) take(ctx context.Context, m message) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if m.Cancel {
		if cancel := s.cancels[m.ID]; cancel != nil {
			cancel()
		}
		return
	}
	ctx, cancel := context.WithCancel(ctx)
	s.cancels[m.ID] = cancel
	s.running.Go(func() {
		s.send(s.answer(ctx, m))
		cancel()
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.cancels, m.ID)
	})
}

func (s *server) answer(ctx context.Context, m message) message {
	reply := message{ID: m.ID, End: true}
	var err error
	switch {
	case m.Embed != nil:
		var vecs [][]float32
		vecs, err = s.h.Embed(ctx, *m.Embed)
		reply.Vectors = pack(vecs)
	case m.Chat != nil:
		var said ChatAnswer
		said, err = s.h.Chat(ctx, *m.Chat)
		reply.Answer = &said
	case m.Fetch != nil:
		err = s.h.Fetch(ctx, *m.Fetch, func(done, total int64) {
			if done > 0 {
				s.send(message{ID: m.ID, Done: done, Total: total})
			}
		})
	}
	if err != nil {
		return message{ID: m.ID, Error: failureOf(err)}
	}
	return reply
}

func (s *server) send(m message) {
	b, _ := json.Marshal(m) // only strings, numbers and bytes
	s.sending.Lock()
	defer s.sending.Unlock()
	_, _ = s.out.Write(append(b, '\n')) // nobody listens any more: the input will end too
}
