package cli

import (
	"context"
	"strings"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
	"github.com/pimento-memory/pimento/internal/graph"
	"github.com/pimento-memory/pimento/internal/tool"
)

// graphFlags are what all questions to the graph share.
type graphFlags struct {
	asOf  string
	ever  bool
	jsonl bool
	dot   bool
	svg   string
}

func (g *graphFlags) define(cmd *command) {
	f := cmd.flagSet()
	f.StringVar(&g.asOf, "as-of", "", "what held on `DAY` (2026-11-21, yesterday); today without it")
	f.BoolVar(&g.ever, "ever", false, "also what no longer holds")
	g.defineForms(cmd)
}

// defineForms adds the flags of how relations are printed.
func (g *graphFlags) defineForms(cmd *command) {
	f := cmd.flagSet()
	f.BoolVar(&g.jsonl, "jsonl", false, "print each relation as a line of JSON")
	f.BoolVar(&g.dot, "dot", false, "print a graph for Graphviz")
	f.StringVar(&g.svg, "svg", "", "write a picture to `FILE`, - for standard output")
}

// day is the time that was asked for, zero for all times.
func (g *graphFlags) day(e *engine.Engine) (time.Time, error) {
	switch {
	case g.ever && g.asOf != "":
		return time.Time{}, usageError("take one of them", "--ever and --as-of contradict each other")
	case g.ever:
		return time.Time{}, nil
	case g.asOf == "":
		return e.Now(), nil
	}
	return dayOf(g.asOf, e.Now())
}

func graphCmd(a *app) *command {
	g, dir, limit := graphFlags{}, "both", 0
	cmd := &command{
		use:     "graph ENTITY",
		long:    "Show how things are related: from the triples in the front matter of knowledge/*.md and from [[links]].",
		example: "  pimento graph auth-service\n  pimento graph path alice postgres\n  pimento graph --as-of 2026-03-01 --dot deploys",
		args:    count{1, many},
		run: func(ctx context.Context, args []string) error {
			d := graph.Direction(dir)
			if d != graph.Both && d != graph.Out && d != graph.In {
				return usageError("use out, in or both", "unknown direction: %s", tool.OneLine(dir, 40))
			}
			name := strings.Join(args, " ")
			return a.graph(ctx, &g, func(v engine.GraphView) ([]pimento.Relation, error) {
				id, err := v.Entity(ctx, name)
				if err != nil {
					return nil, err
				}
				return v.Around(ctx, id, d, limit)
			})
		},
	}
	g.define(cmd)
	cmd.flagSet().StringVar(&dir, "direction", dir, "only relations that go `out` or in")
	cmd.number(&limit, "limit", 1, many, "at most `N` relations; all without it")
	cmd.add(graphPathCmd(a))
	cmd.add(graphTimelineCmd(a))
	cmd.add(graphHealthCmd(a))
	return cmd
}

func graphPathCmd(a *app) *command {
	g, visits := graphFlags{}, 0
	cmd := &command{
		use:     "path A B",
		short:   "the shortest chain of relations between two things",
		example: "  pimento graph path alice postgres",
		args:    count{2, 2},
		run: func(ctx context.Context, args []string) error {
			var cut int
			err := a.graph(ctx, &g, func(v engine.GraphView) ([]pimento.Relation, error) {
				from, err := v.Entity(ctx, args[0])
				if err != nil {
					return nil, err
				}
				to, err := v.Entity(ctx, args[1])
				if err != nil {
					return nil, err
				}
				p, err := v.Path(ctx, from, to, visits)
				if p.Cut {
					cut = p.Seen
				}
				return p.Steps, err
			})
			if cut > 0 {
				a.note("no path among the first %d things; look at more with --visits", cut)
			}
			return err
		},
	}
	g.define(cmd)
	cmd.number(&visits, "visits", 1, many, "look at `N` things at most; 2000 without it")
	return cmd
}

func graphTimelineCmd(a *app) *command {
	g, limit := graphFlags{ever: true}, 100
	cmd := &command{
		use:     "timeline [ENTITY]",
		short:   "what was related since when, the latest last",
		example: "  pimento graph timeline deploys",
		args:    anyArgs,
		run: func(ctx context.Context, args []string) error {
			return a.graph(ctx, &g, func(v engine.GraphView) ([]pimento.Relation, error) {
				id := ""
				if name := strings.Join(args, " "); name != "" {
					var err error
					if id, err = v.Entity(ctx, name); err != nil {
						return nil, err
					}
				}
				return v.Timeline(ctx, id, limit)
			})
		},
	}
	cmd.number(&limit, "limit", 0, many, "the latest `N`, 0 for all")
	g.defineForms(cmd)
	return cmd
}

func graphHealthCmd(a *app) *command {
	return &command{
		use:     "health",
		short:   "how many relations there are, and which say little",
		example: "  pimento graph health",
		run: func(ctx context.Context, _ []string) error {
			return a.reading(ctx, func(e *engine.Engine) error {
				v := e.Graph(ctx, time.Time{})
				h, err := v.Health(ctx, e.Today())
				if err != nil {
					return err
				}
				a.noteFaults(v.Faults)
				return a.print(h, func(p tool.Paint) string { return tool.RenderHealth(h, p) })
			})
		},
	}
}

// graph asks for relations and prints them in the form that was wanted.
func (a *app) graph(ctx context.Context, g *graphFlags, ask func(engine.GraphView) ([]pimento.Relation, error)) error {
	return a.reading(ctx, func(e *engine.Engine) error {
		day, err := g.day(e)
		if err != nil {
			return err
		}
		v := e.Graph(ctx, day)
		rs, err := ask(v)
		if pimento.KindOf(err) == pimento.KindNotFound {
			a.complain(err) // what nothing is called has no relations
		} else if err != nil {
			return err
		}
		a.noteFaults(v.Faults)
		switch {
		case g.svg != "":
			return a.writeOut("write", g.svg, []byte(graph.SVG(rs)), 0o644)
		case g.dot:
			return a.say(graph.Dot(rs))
		case g.jsonl:
			return jsonLines(a, rs)
		}
		if rs == nil {
			rs = []pimento.Relation{}
		}
		return a.print(rs, func(p tool.Paint) string { return tool.RenderRelations(rs, p) })
	})
}
