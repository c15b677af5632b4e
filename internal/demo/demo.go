// Package demo shows the whole of Pimento without a harness: it builds a month
// of a simulated project's memory in a temporary directory, one note at a time
// with a moved clock, then asks three prompts in one session the way a harness
// does, and prints what the model would be given, why, and what was left out.
//
// Everything goes through the same engine calls that pi's extension causes;
// nothing of the user's own is read or written.
package demo

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
	sets "github.com/pimento-memory/pimento/internal/stage"
	"github.com/pimento-memory/pimento/internal/tool"
)

// Options say how a demo runs. Now and Watch are required.
type Options struct {
	Now     func() time.Time // which day it is in the demo
	Watch   func() time.Time // the real clock, to measure with
	Paint   tool.Paint
	Keep    bool      // keep the directory
	Profile string    // "" means default
	Waiting io.Writer // a terminal to say on that it takes a moment; nil for none
}

// Run builds, asks and shows.
func Run(ctx context.Context, out io.Writer, opt Options) (err error) {
	dir, err := os.MkdirTemp("", "pimento-demo-")
	if err != nil {
		return &pimento.Error{Op: "demo", Kind: pimento.KindUnavailable, Err: err}
	}
	if !opt.Keep {
		defer func() {
			if rerr := os.RemoveAll(dir); err == nil && rerr != nil {
				err = &pimento.Error{Op: "demo", Path: dir, Kind: pimento.KindUnavailable, Err: rerr}
			}
		}()
	}
	s, err := newStage(dir, opt)
	if err != nil {
		return err
	}
	defer func() { _ = s.engine.Close() }()
	notes, err := parseMonth(month)
	if err != nil {
		return err
	}
	if opt.Waiting != nil {
		fmt.Fprint(opt.Waiting, "writing a month of notes ...\r")
	}
	built, err := s.build(ctx, notes)
	if opt.Waiting != nil {
		fmt.Fprint(opt.Waiting, "\x1b[K")
	}
	if err != nil {
		return err
	}
	v := view{out: out, p: opt.Paint, texts: s.texts}
	v.opening(built)
	s.play(ctx, &v)
	v.closing(dir, opt.Keep)
	return v.err
}

// A stage is the machine of the demo with an engine that works on it.
type stage struct {
	*sets.Stage
	engine *engine.Engine
	today  time.Time
	watch  func() time.Time
	texts  map[string]string // by statement: what was written
}

func newStage(dir string, opt Options) (*stage, error) {
	now := opt.Now()
	set, err := sets.New(dir, "harbor", now)
	if err != nil {
		return nil, err
	}
	s := &stage{Stage: set, today: now, watch: opt.Watch, texts: map[string]string{}}
	s.engine, err = set.Open(engine.Options{Profile: opt.Profile, Deadline: 2 * time.Second, Serve: true})
	return s, err
}

// built is what building a month took.
type built struct {
	notes   int
	pages   []engine.PageInfo
	chars   int // of all pages
	elapsed time.Duration
}

// build writes the notes one after the other, each at its own time.
func (s *stage) build(ctx context.Context, notes []note) (built, error) {
	start := s.watch()
	for _, n := range notes {
		s.Now = n.at(s.today)
		if s.Now.After(s.today) {
			s.Now = s.today
		}
		if err := s.write(ctx, n); err != nil {
			return built{}, fmt.Errorf("note %q: %w", n.text, err)
		}
	}
	s.Now = s.today
	b := built{notes: len(notes), elapsed: s.watch().Sub(start)}
	pages, _, err := s.engine.Pages(ctx)
	b.pages = pages
	for _, pg := range pages {
		b.chars += int(pg.Bytes)
	}
	return b, err
}

func (s *stage) write(ctx context.Context, n note) error {
	by := engine.Actor{Name: "agent", Session: fmt.Sprintf("demo%04d", 1000+n.day)}
	s.texts[string(pimento.StatementOf(n.text))] = n.text
	switch n.where {
	case "scratch":
		_, err := s.engine.Scratch(ctx, "add", n.text, by)
		return err
	case "done":
		_, err := s.engine.Scratch(ctx, "done", n.text, by)
		return err
	case "pin":
		_, err := s.engine.Pin(ctx, string(pimento.StatementOf(n.text)), true, engine.Actor{})
		return err
	case "handoff":
		_, err := s.engine.Handoff(ctx, pimento.Turn{Event: pimento.BeforeCompact, Harness: "pi", Session: by.Session,
			Dir: s.Repo, Compaction: fmt.Sprintf("demo-%d", n.day)})
		return err
	}
	_, err := s.engine.Remember(ctx, engine.Note{Text: n.text, Scope: n.scope, Kind: n.kind, Page: n.page,
		Daily: n.where == "daily", Stamped: n.where == "daily", Actor: by.Name, Session: by.Session})
	return err
}

// prompts are a question in other words than the note's, an error text as it
// was pasted, and a closer.
func prompts() []string {
	return []string{
		"how do we roll back a bad release?",
		"panic: testing: test using t.Setenv can not use t.Parallel",
		"great, thanks!",
	}
}

// play asks the prompts in one session.
func (s *stage) play(ctx context.Context, v *view) {
	turn := pimento.Turn{Event: pimento.SessionStart, Harness: "pi", Session: "demo-today", Dir: s.Repo}
	rep, took := s.ask(ctx, turn)
	v.prefix(rep.Block, took)
	for i, prompt := range prompts() {
		turn.Event, turn.Prompt = pimento.PromptTurn, prompt
		rep, took := s.ask(ctx, turn)
		v.prompt(i+1, prompt, rep.Block, took)
	}
}

// ask times one turn from request to answer; the bookkeeping comes after.
func (s *stage) ask(ctx context.Context, t pimento.Turn) (tool.TurnReply, time.Duration) {
	start := s.watch()
	rep, after := tool.Turn(ctx, s.engine, t)
	took := s.watch().Sub(start)
	after(ctx)
	return rep, took
}
