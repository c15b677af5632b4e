package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
	"github.com/pimento-memory/pimento/internal/inject"
	"github.com/pimento-memory/pimento/internal/tool"
	"github.com/pimento-memory/pimento/internal/vault"
)

func statusCmd(a *app) *command {
	var session string
	var scores bool
	n := 40
	cmd := &command{
		use:     "status",
		long:    "Say what is remembered, and where. With --scores: where each entry stands, and how hot each topic is.",
		example: "  pimento status\n  pimento status --scores",
		run: func(ctx context.Context, _ []string) error {
			if scores {
				return a.reading(ctx, func(e *engine.Engine) error { return a.scores(ctx, e, n) })
			}
			return a.withEngine(func(e *engine.Engine) error {
				rep := e.Status(ctx, session)
				rep.Version = Version()
				if rep.Last != nil {
					*rep.Last = tool.Told(*rep.Last)
				}
				return a.print(rep, func(p tool.Paint) string {
					return tool.RenderStatus(rep, p) + a.consentHint(ctx, rep.Consent, p)
				})
			})
		},
	}
	f := cmd.flagSet()
	f.StringVar(&session, "session", "", "of the session `ID`")
	f.BoolVar(&scores, "scores", false, "each entry's score, evidence and standing")
	cmd.number(&n, "n", 0, many, "with --scores: at most `N` entries, 0 for all")
	return cmd
}

// consentHint is what to do about a consent that does not hold, "" for one that
// does or was never given.
func (a *app) consentHint(ctx context.Context, consent string, p tool.Paint) string {
	dir, err := a.workDir()
	if err != nil || !strings.HasPrefix(consent, "mismatch") {
		return ""
	}
	dirs, hint := a.dirs(), "look at the project's memory, then run: pimento trust"
	if project, ok, err := dirs.Project(ctx, dir); err == nil && ok {
		hint = tool.Printable(vault.OpenConsents(dirs.State).Check(project).Next("the project's memory"))
	}
	return "\n" + tool.Hang(p.Faint("hint:")+"      ", hint, p.Width)
}

func whyCmd(a *app) *command {
	var session string
	var all bool
	cmd := &command{
		use:     "why [ENTRY]",
		long:    "Show what the last prompt was given: what each section took, which entries are in it and why, and what was left out. With an ENTRY's id: everything known of that entry.",
		example: "  pimento why\n  pimento why 3f9c2a71",
		args:    count{0, 1},
		run: func(ctx context.Context, args []string) error {
			return a.withEngine(func(e *engine.Engine) error {
				if len(args) == 1 {
					return a.whyEntry(ctx, e, args[0])
				}
				return a.why(ctx, e, session, all)
			})
		},
	}
	cmd.flagSet().StringVar(&session, "session", "", "the last prompt of the session `ID`")
	cmd.flagSet().BoolVar(&all, "all", false, "name every entry")
	return cmd
}

func (a *app) why(ctx context.Context, e *engine.Engine, session string, all bool) error {
	tr, ok, err := e.Why(ctx, session)
	if err != nil {
		return err
	}
	a.noteRecords(ctx, e)
	if !ok {
		return a.print(nil, func(tool.Paint) string {
			if session != "" {
				return "No prompt of the session " + tool.OneLine(session, 60) + " is on record. Those that are: pimento traces"
			}
			return "No prompt has been answered here yet. Try: pimento inject --session try \"...\""
		})
	}
	return a.printTrace(ctx, e, tr, all)
}

// printTrace shows a record with its first entries, or with all of them.
func (a *app) printTrace(ctx context.Context, e *engine.Engine, tr pimento.Trace, all bool) error {
	list := 12
	if all {
		list = 0
	}
	tr = tool.Told(tr)
	return a.print(tr, func(p tool.Paint) string {
		return tool.RenderWhy(tool.NewWhyView(ctx, e, tr, list), p)
	})
}

// noteRecords says that what is shown is not of the last prompt, where none is recorded.
func (a *app) noteRecords(ctx context.Context, e *engine.Engine) {
	if !a.flags.json && !e.Records(ctx) {
		a.note(`prompts are not recorded now ("traceEnabled": false in a config.json)`)
	}
}

func (a *app) whyEntry(ctx context.Context, e *engine.Engine, id string) error {
	story, err := e.WhyEntry(ctx, id)
	if err != nil {
		return err
	}
	en := story.Entry
	out := struct {
		entryPlace
		engine.EntryStory
	}{placeOf(en), story}
	return a.print(out, func(p tool.Paint) string { return tool.RenderStory(story, p) })
}

// entryPlace is where an entry stands, in JSON.
type entryPlace struct {
	Scope  pimento.Scope `json:"scope"`
	Page   string        `json:"page"`
	Line   int           `json:"line"`
	Kind   pimento.Kind  `json:"kind"`
	Pinned bool          `json:"pinned"`
}

func placeOf(en pimento.Entry) entryPlace {
	return entryPlace{en.Scope, en.Page, en.Line, en.Kind, en.Pinned}
}

func tracesCmd(a *app) *command {
	n := 20
	cmd := &command{
		use:     "traces",
		long:    "List the records of the last prompts, and of what commands and tools searched for, newest first.",
		example: "  pimento traces -n 5",
		run: func(ctx context.Context, _ []string) error {
			return a.withEngine(func(e *engine.Engine) error { return a.traces(ctx, e, n) })
		},
	}
	cmd.number(&n, "n", 1, many, "at most `N`, 20 without it")
	return cmd
}

// traceLine is a trace in a list, in JSON.
type traceLine struct {
	ID      string `json:"id"`
	Time    string `json:"time"`
	Session string `json:"session"`
	Kind    string `json:"kind"` // assemble, a prompt's block, or recall
	Tokens  int    `json:"tokens"`
	Hits    *int   `json:"hits,omitempty"` // of a recall
	Prompt  string `json:"prompt"`
}

func (a *app) traces(ctx context.Context, e *engine.Engine, n int) error {
	traces, err := e.Traces(ctx, n)
	if err != nil {
		return err
	}
	a.noteRecords(ctx, e)
	list := []traceLine{}
	for _, t := range traces {
		line := traceLine{t.ID, t.Time.Format("2006-01-02T15:04:05Z07:00"), t.Session, "assemble", t.Block.Tokens, nil, t.Prompt}
		if t.Recall != nil {
			line.Kind, line.Hits = "recall", &t.Recall.Found
		}
		list = append(list, line)
	}
	return a.print(list, func(p tool.Paint) string {
		return tool.RenderTraces(traces, p)
	})
}

func pagesCmd(a *app) *command {
	return &command{
		use: "pages",
		long: "List the pages of every scope; under a profile that pages, also what each entry of the curated ones is to the agent: its class and pin, " +
			"the least that may stand of it, and what its four shapes take. Where a page table was asked for, whether its files are right.",
		example: "  pimento pages",
		run: func(ctx context.Context, _ []string) error {
			return a.reading(ctx, func(e *engine.Engine) error {
				pages, faults, err := e.Pages(ctx)
				if err != nil {
					return err
				}
				if pages == nil {
					pages = []engine.PageInfo{}
				}
				if faults == nil {
					faults = []pimento.Fault{}
				}
				typed, err := e.TypedPages(ctx)
				if err != nil {
					return err
				}
				files, err := e.Sidecars(ctx, false)
				if err != nil { // of a page that cannot be read; the others are listed all the same
					files, faults = []engine.Sidecar{}, append(faults, pimento.Fault{Kind: "tables", Detail: err.Error()})
				}
				out := struct {
					Pages    []engine.PageInfo `json:"pages"`
					Typed    []inject.Row      `json:"typed,omitempty"`
					Sidecars []engine.Sidecar  `json:"sidecars"`
					Faults   []pimento.Fault   `json:"faults"`
				}{pages, typed, files, faults}
				err = a.print(out, func(p tool.Paint) string {
					return tool.RenderPages(pages, p) + tool.RenderTyped(typed, p) + tool.BesidePages(files, p)
				})
				if !a.flags.json {
					a.noteFaults(faults)
				}
				return err
			})
		},
	}
}

func readCmd(a *app) *command {
	return &command{
		use:     "read PAGE",
		long:    "Show a page from every scope that has it, or the entry of an id.",
		example: "  pimento read MEMORY.md\n  pimento read project:topics/deploy.md\n  pimento read 3f9c2a71",
		args:    count{1, 1},
		run: func(ctx context.Context, args []string) error {
			return a.reading(ctx, func(e *engine.Engine) error {
				pages, err := e.Read(ctx, args[0])
				if err != nil {
					return err
				}
				return a.printPages(pages)
			})
		},
	}
}

// printPages shows pages byte for byte into a pipe, and without control
// characters on a terminal.
func (a *app) printPages(pages []engine.PageText) error {
	if pages == nil {
		pages = []engine.PageText{}
	}
	return a.verbatim(pages, func(p tool.Paint) string {
		if isTerminal(a.env.Stdout) {
			for i := range pages {
				pages[i].Text = tool.Printable(pages[i].Text)
			}
		}
		return tool.RenderPageTexts(pages, p)
	})
}

func dailyCmd(a *app) *command {
	var list bool
	cmd := &command{
		use:     "daily [DATE]",
		long:    "Show the log of a day, today's without DATE (YYYY-MM-DD, yesterday, \"last friday\"). --list names the days that have one.",
		example: "  pimento daily\n  pimento daily yesterday\n  pimento remember --daily \"tried the new parser, 3x faster\"",
		args:    count{0, 1},
		run: func(ctx context.Context, args []string) error {
			if list && len(args) > 0 {
				return usageError("leave out one of them", "--list names all days, DATE is one")
			}
			return a.reading(ctx, func(e *engine.Engine) error {
				if list {
					return a.dailyList(ctx, e)
				}
				return a.daily(ctx, e, args)
			})
		},
	}
	cmd.flagSet().BoolVar(&list, "list", false, "name the days that have a log")
	return cmd
}

func (a *app) daily(ctx context.Context, e *engine.Engine, args []string) error {
	date := ""
	if len(args) == 1 {
		day, err := dayOf(args[0], e.Now())
		if err != nil {
			return err
		}
		date = day.Format(time.DateOnly)
	}
	pages, err := e.Daily(ctx, date)
	if err != nil && pimento.KindOf(err) != pimento.KindNotFound {
		return err
	}
	if len(pages) == 0 && !a.flags.json {
		none := "No log for " + e.Today() + ". Write to today's: pimento remember --daily \"...\""
		if date != "" && date != e.Today() {
			none = "No log for " + date + ". The days that have one: pimento daily --list"
		}
		return a.print(nil, func(tool.Paint) string { return none })
	}
	return a.printPages(pages)
}

func (a *app) dailyList(ctx context.Context, e *engine.Engine) error {
	days := e.DailyList(ctx)
	return a.print(days, func(tool.Paint) string {
		if len(days) == 0 {
			return "No daily logs yet. Write to today's: pimento remember --daily \"...\""
		}
		return strings.Join(days, "\n")
	})
}

func doctorCmd(a *app) *command {
	repair := false
	cmd := &command{
		use: "doctor",
		long: "Check files, consent, configuration, journal and index, and what setup wrote into harnesses. Exit status 1 when something needs attention. " +
			"--repair first sets aside the damaged lines of journals: what they said is lost already, and every event stays.",
		example: "  pimento doctor\n  pimento doctor --repair",
		run: func(ctx context.Context, _ []string) error {
			return a.withEngine(func(e *engine.Engine) error {
				var checks []engine.Check
				if repair && !a.flags.dryRun {
					done, err := e.Repair(ctx)
					if err != nil {
						return err
					}
					checks = done
				}
				checks = slices.Concat(checks, e.Doctor(ctx), a.installed())
				err := a.print(checks, func(p tool.Paint) string { return tool.RenderChecks(checks, p) })
				if err == nil && slices.ContainsFunc(checks, func(c engine.Check) bool { return !c.OK }) {
					return exit(1)
				}
				return err
			})
		},
	}
	cmd.flagSet().BoolVar(&repair, "repair", false, "set aside the damaged lines of journals")
	return cmd
}

func toolCmd(a *app) *command {
	return &command{
		use:     "tool NAME [JSON]",
		long:    "Call a tool as a model would. Without JSON the arguments are read from standard input.\nThe tools: " + strings.Join(tool.Names(), ", ") + ".",
		example: `  pimento tool memory_search '{"query": "deploy"}'`,
		args:    count{1, 2},
		run: func(ctx context.Context, args []string) error {
			raw := ""
			if len(args) == 2 {
				raw = args[1]
			} else {
				var err error
				if raw, err = a.stdin("arguments"); err != nil {
					return err
				}
			}
			return a.withEngine(func(e *engine.Engine) error { return a.tool(ctx, e, args[0], raw) })
		},
	}
}

func (a *app) tool(ctx context.Context, e *engine.Engine, name, raw string) error {
	if a.flags.dryRun && slices.Contains(tool.Names(), name) { // an unknown one does nothing anyway
		return a.wouldDo("call "+name, raw)
	}
	out := tool.Call(ctx, e, name, json.RawMessage(raw), engine.Actor{Name: "agent"})
	kind := ""
	if out.IsError {
		kind = out.Kind.String()
	}
	shown := struct {
		Text    string         `json:"text"`
		Details map[string]any `json:"details"`
		IsError bool           `json:"is_error"`
		Kind    string         `json:"kind,omitempty"`
	}{out.Text, out.Details, out.IsError, kind}
	if out.IsError && !a.flags.json {
		fmt.Fprintln(a.env.Stderr, "pimento:", tool.Printable(strings.TrimPrefix(out.Text, "Error: ")))
		return exit(out.Kind.ExitCode())
	}
	err := a.verbatim(shown, func(tool.Paint) string { return out.Text })
	if err == nil && out.IsError {
		return exit(out.Kind.ExitCode())
	}
	return err
}
