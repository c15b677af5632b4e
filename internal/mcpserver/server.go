// Package mcpserver is the door for agents that speak the Model Context
// Protocol: they start `pimento mcp` and exchange lines of JSON-RPC with it.
//
// Its tools are exactly the active profile's. Its instructions tell the model
// how to use them and, unless hooks do that, hold what the prefix of a session
// holds. Both eras of the protocol are spoken: the one that begins with
// initialize, and the stateless one that begins with server/discover.
//
// A server serves one client. Which project it works in, the client's first root
// says; see roots.go. Nobody but cmd/pimento-mcp imports this package, because
// the protocol's library links net/http.
package mcpserver

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"log/slog"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pimento-memory/pimento/internal/engine"
	"github.com/pimento-memory/pimento/internal/tool"
)

const (
	opTimeout    = 30 * time.Second // of a tool
	drainTimeout = 5 * time.Second  // for what is pending when the input ends
)

// Options say what is served.
type Options struct {
	Open      func(dir string) (*engine.Engine, error) // makes the engine of a directory; "" is where the server was started
	Version   string
	ToolsOnly bool // hooks put memory in front of the model: the instructions are a few lines
	Stays     bool // in the directory where it was started, whatever the client's roots are
}

// Serve answers requests from in on out until in ends or ctx is done; then it
// waits for what is pending. What a person should read goes to log. The error is
// that of reading or writing; requests fail with replies.
func Serve(ctx context.Context, in io.Reader, out, log io.Writer, opt Options) error {
	s := newServer(ctx, log, opt)
	defer s.close()
	if _, err := s.engine(); err != nil {
		return err // without a home directory there is nothing to serve
	}
	s.mcp = mcp.NewServer(&mcp.Implementation{Name: "pimento", Title: "Pimento", Version: opt.Version}, &mcp.ServerOptions{
		Logger:       s.log,
		Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{ListChanged: true}},
		SetCacheable: func(_ context.Context, _ mcp.Request, c *mcp.Cacheable) { c.CacheScope = "private" },
	})
	s.mcp.AddReceivingMiddleware(s.around)
	s.offer(ctx)
	wire := newWire(ctx, in, out)
	conn, err := s.mcp.Connect(context.WithoutCancel(ctx), wire, nil)
	if err != nil {
		return err
	}
	if err := conn.Wait(); err != nil && ctx.Err() == nil {
		return err
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return wire.err()
}

func newServer(ctx context.Context, log io.Writer, opt Options) *server {
	return &server{opt: opt, life: ctx, rooted: opt.Stays, session: strings.ToLower(rand.Text()), engines: map[string]*engine.Engine{},
		log: slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelWarn}))}
}

type server struct {
	opt     Options
	life    context.Context // done: stop what is being done
	log     *slog.Logger
	session string
	mcp     *mcp.Server
	books   sync.WaitGroup

	asking sync.Mutex // held while the client is asked for its roots

	mu      sync.Mutex // guards what follows
	engines map[string]*engine.Engine
	dir     string // of the client's root, "" for where we were started
	rooted  bool   // the client has said where, or will not
	offered []tool.Tool
}

// engine is that of the directory in which the client works.
func (s *server) engine() (*engine.Engine, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if e := s.engines[s.dir]; e != nil {
		return e, nil
	}
	e, err := s.opt.Open(s.dir)
	if err == nil {
		s.engines[s.dir] = e
	}
	return e, err
}

// close waits a while for bookkeeping, then lets go of everything.
func (s *server) close() {
	done := make(chan struct{})
	go func() { s.books.Wait(); close(done) }()
	select {
	case <-done:
	case <-time.After(drainTimeout):
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, e := range s.engines {
		_ = e.Close() // everything acknowledged is on disk already
	}
}

// around does what belongs to a request beside the library's own part.
func (s *server) around(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (res mcp.Result, err error) {
		defer func() {
			if p := recover(); p != nil {
				s.panicked(method, p)
				res, err = nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: fmt.Sprintf("panic: %v", p)}
			}
		}()
		switch method {
		case "tools/list", "tools/call":
			s.locate(ctx, req)
			s.offer(ctx)
		case "notifications/roots/list_changed":
			s.askAgain()
		}
		if res, err = next(ctx, method, req); err != nil {
			return res, err
		}
		switch r := res.(type) {
		case *mcp.InitializeResult:
			r.Instructions = s.instructions(ctx)
		case *mcp.DiscoverResult:
			r.Instructions = s.instructions(ctx)
		}
		return res, nil
	}
}

func (s *server) panicked(where string, p any) {
	s.log.Error("panic", "in", where, "panic", p, "stack", string(debug.Stack()))
}

// offer registers the profile's tools. Where they are others than before, clients
// that wish to know are told.
func (s *server) offer(ctx context.Context) {
	e, err := s.engine()
	if err != nil {
		return
	}
	p, _ := e.Profile(ctx)
	set := tool.Set(p)
	s.mu.Lock()
	defer s.mu.Unlock()
	same := func(a, b tool.Tool) bool { return a.Name == b.Name && a.Description == b.Description }
	if slices.EqualFunc(set, s.offered, same) {
		return
	}
	var gone []string
	for _, t := range s.offered {
		gone = append(gone, t.Name)
	}
	s.mcp.RemoveTools(gone...)
	for _, t := range set {
		s.mcp.AddTool(described(t), s.call)
	}
	s.offered = set
}

// described is a tool in the protocol's words.
func described(t tool.Tool) *mcp.Tool {
	return &mcp.Tool{Name: t.Name, Title: t.Label, Description: t.Description, InputSchema: t.Parameters,
		Annotations: &mcp.ToolAnnotations{
			ReadOnlyHint:    t.Effect == tool.Reads,
			DestructiveHint: new(t.Effect == tool.Changes),
			IdempotentHint:  t.Effect == tool.Reads,
			OpenWorldHint:   new(false),
		}}
}

// call runs a tool. It fails with a result, which the model can read.
func (s *server) call(ctx context.Context, req *mcp.CallToolRequest) (res *mcp.CallToolResult, err error) {
	defer func() {
		if p := recover(); p != nil {
			s.panicked(req.Params.Name, p)
			res, err = said(fmt.Sprintf("%s failed: panic: %v", req.Params.Name, p), true), nil
		}
	}()
	if ask := s.rootsFirst(req); ask != nil {
		return ask, nil
	}
	e, err := s.engine()
	if err != nil {
		return said(tool.Message(err), true), nil
	}
	ctx, cancel := context.WithTimeout(ctx, opTimeout)
	defer cancel()
	defer context.AfterFunc(s.life, cancel)()
	out := tool.Call(ctx, e, req.Params.Name, req.Params.Arguments, engine.Actor{Name: "agent", Session: s.session})
	res = said(out.Text, out.IsError)
	res.Content[0].(*mcp.TextContent).Meta = mcp.Meta{tool.IDs: out.Details["ids"]} // for hooks: it is in context now
	return res, nil
}

func said(text string, failed bool) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}, IsError: failed}
}
