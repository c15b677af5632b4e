package rpc

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
	"github.com/pimento-memory/pimento/internal/tool"
)

// A slot is one working directory's engine, opened by whoever needs it first.
type slot struct {
	once   sync.Once
	engine *engine.Engine
	err    error
}

// engine returns the engine of a directory. One that could not be opened is
// tried again by the next request.
func (s *server) engine(dir string) (*engine.Engine, error) {
	s.mu.Lock()
	if dir == "" {
		dir = s.dir
	}
	if dir != "" {
		dir = filepath.Clean(dir)
	}
	sl := s.engines[dir]
	if sl == nil {
		sl = &slot{}
		s.engines[dir] = sl
	}
	s.mu.Unlock()
	sl.once.Do(func() {
		sl.err = errors.New("opening memory failed") // stays if open panics
		sl.engine, sl.err = s.open(dir)
	})
	if sl.err != nil {
		s.mu.Lock()
		if s.engines[dir] == sl {
			delete(s.engines, dir)
		}
		s.mu.Unlock()
	}
	return sl.engine, sl.err
}

func (s *server) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, sl := range s.engines {
		if sl.engine != nil {
			_ = sl.engine.Close() // everything acknowledged is on disk already
		}
	}
}

// greetings keeps what hello said about the caller, for requests that do not
// say it again. It runs before any later request is read.
func (s *server) greetings(r request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dir, s.session, s.harness = r.Dir, r.Session, r.Harness
}

func (s *server) fillIn(t *pimento.Turn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if t.Dir == "" {
		t.Dir = s.dir
	}
	if t.Harness == "" {
		t.Harness = s.harness
	}
}

// limits are what a harness said about a session with its newest turn. Tools
// and commands carry no such word, but it binds them as well.
type limits struct {
	untrusted bool // the harness's own no to the project
	off       bool // memory is silenced
}

// note keeps a turn's limits. It runs as turns are read, so that a request
// which comes after one knows what it said.
func (s *server) note(t *pimento.Turn) {
	if t.Session == "" {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.limits[t.Session] = limits{untrusted: t.Untrusted, off: t.Off}
}

// An asker is who asks when a tool or command runs, and within which limits.
type asker struct {
	engine.Actor
	limits
}

func (s *server) asker(r request, name string) asker {
	s.mu.Lock()
	defer s.mu.Unlock()
	session := r.Session
	if session == "" {
		session = s.session
	}
	return asker{Actor: engine.Actor{Name: name, Session: session}, limits: s.limits[session]}
}

// bind is the engine within the asker's limits.
func (a asker) bind(e *engine.Engine) *engine.Engine {
	if a.untrusted {
		return e.WithoutProject()
	}
	return e
}

func (s *server) harnessName() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.harness
}

type helloReply struct {
	Protocol int         `json:"protocol"`
	Version  string      `json:"version"`
	Profile  string      `json:"profile"`
	Tools    []tool.Tool `json:"tools"`
	Commands []string    `json:"commands"` // verbs of /memory that have a command of their own

	// Skills are the workflows that the extension offers.
	Skills []string `json:"skills,omitempty"`

	// Transcript says that the end of a session should bring along what was said.
	Transcript bool `json:"transcript"`

	// Deadline is how long a prompt may take here, in ms.
	Deadline int64 `json:"deadline_ms"`

	// DreamHours is how many hours of a session lie between two dreams that come
	// by themselves, 0 for none.
	DreamHours float64 `json:"dream_hours"`
}

func (s *server) hello(ctx context.Context, r request) {
	if p := r.Protocol; p != nil && (p.Min > Protocol || p.Max < Protocol) {
		s.fail(r.ID, unspoken(fmt.Sprintf("%d to %d", p.Min, p.Max)))
		return
	}
	e, err := s.engine(r.Dir)
	if err != nil {
		s.fail(r.ID, err)
		return
	}
	p, _ := e.Profile(ctx)
	s.reply(r.ID, helloReply{Protocol: Protocol, Version: s.version, Profile: p.Name, Tools: tool.Set(p), Commands: known(p.Commands), Skills: p.Skills,
		Transcript: e.Transcript(ctx), Deadline: e.Patience(ctx).Milliseconds(), DreamHours: e.DreamHours(ctx)})
}

// turn answers, calls answered, and keeps the books. It always answers ok: what
// is missing is a fault in the block.
func (s *server) turn(ctx context.Context, r request, answered func()) {
	e, err := s.engine(r.Turn.Dir)
	if err != nil {
		s.reply(r.ID, tool.EmptyTurn(*r.Turn, pimento.Fault{Kind: "open", Detail: err.Error()}))
		return
	}
	rep, after := tool.Turn(ctx, e, *r.Turn)
	s.allow(rep.Grace)
	if rep.Notice != "" {
		rep = rep.In(inChat())
	}
	s.reply(r.ID, rep)
	answered()
	after(context.WithoutCancel(ctx))
}

func (s *server) compact(ctx context.Context, r request) {
	e, err := s.engine(r.Turn.Dir)
	if err != nil {
		s.fail(r.ID, err)
		return
	}
	ctx, cancel := context.WithTimeout(ctx, opTimeout)
	defer cancel()
	res, keep, err := e.Compact(ctx, *r.Turn)
	if err != nil {
		s.fail(r.ID, err)
	} else {
		s.reply(r.ID, map[string]any{"text": res.Text})
	}
	tool.Harmless(keep)(ctx)
}

type toolReply struct {
	Text    string         `json:"text"`
	Details map[string]any `json:"details"`
	IsError bool           `json:"is_error"`
}

func (s *server) tool(ctx context.Context, r request) {
	e, err := s.engine(r.Dir)
	if err != nil {
		s.fail(r.ID, err)
		return
	}
	ctx, cancel := context.WithTimeout(ctx, opTimeout)
	defer cancel()
	by := s.asker(r, "agent")
	if by.off || e.SessionOff(ctx, s.harnessName(), by.Session) {
		s.reply(r.ID, toolReply{Text: "Memory is switched off in this session. The user can switch it on with /memory on.",
			Details: map[string]any{"ids": []string{}}, IsError: true})
		return
	}
	out := tool.Call(ctx, by.bind(e), r.Name, r.Args, by.Actor)
	s.reply(r.ID, toolReply{Text: out.Text, Details: out.Details, IsError: out.IsError})
}

type commandReply struct {
	Text    string `json:"text"`
	Level   string `json:"level"`   // info, warning, error
	Refresh bool   `json:"refresh"` // the prefix that the harness holds is void

	// DreamHours is how many hours of the session lie between two dreams from now
	// on, 0 for none; nil changes nothing.
	DreamHours *float64 `json:"dream_hours,omitempty"`
}

func (s *server) command(ctx context.Context, r request) {
	var args string
	if len(r.Args) > 0 && json.Unmarshal(r.Args, &args) != nil {
		s.fail(r.ID, usage("args of a command must be a string", ""))
		return
	}
	e, err := s.engine(r.Dir)
	if err != nil {
		s.fail(r.ID, err)
		return
	}
	limit := opTimeout
	if verb, _, _ := strings.Cut(strings.TrimSpace(args), " "); verb == "dream" {
		limit = dreamTimeout
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	by := s.asker(r, "user")
	c := commands{engine: by.bind(e), by: by, harness: s.harnessName()}
	s.reply(r.ID, c.run(ctx, args))
}
