package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/pimento-memory/pimento/internal/engine"
	"github.com/pimento-memory/pimento/internal/session"
	"github.com/pimento-memory/pimento/internal/tool"
)

// sessionLine is the JSON form of a past session, docs/FORMATS.md.
type sessionLine struct {
	Session string    `json:"session"`
	Kind    string    `json:"kind"`
	Time    time.Time `json:"time"`
	Text    string    `json:"text"`
}

func sessionsCmd(a *app) *command {
	var take bool
	cmd := &command{
		use: "sessions [QUERY]",
		long: "List what was said in past sessions of this project, or search it. It is kept in private state where the profile makes use of it; " +
			"--take reads it from the transcripts that pi keeps: those of this project, by its identity, and only what is new.",
		example: "  pimento sessions\n  pimento sessions billing export\n  pimento sessions --take",
		args:    count{0, many},
		run: func(ctx context.Context, args []string) error {
			if take && len(args) > 0 {
				return usageError("take them first, then search", "--take searches for nothing")
			}
			return a.withEngine(func(e *engine.Engine) error {
				if take {
					return a.takeSessions(ctx, e)
				}
				return a.sessions(ctx, e, strings.TrimSpace(strings.Join(args, " ")))
			})
		},
	}
	cmd.flagSet().BoolVar(&take, "take", false, "read them from pi's transcripts")
	return cmd
}

// piSessions is where pi keeps transcripts.
func (a *app) piSessions(home string) string {
	agent := a.env.Getenv("PI_CODING_AGENT_DIR")
	for _, dir := range []string{a.env.Getenv("PI_CODING_AGENT_SESSION_DIR"), filepath.Join(agent, "sessions"), filepath.Join(home, ".pi", "agent", "sessions")} {
		if filepath.IsAbs(dir) {
			return dir
		}
	}
	return ""
}

func (a *app) takeSessions(ctx context.Context, e *engine.Engine) error {
	if a.flags.dryRun {
		return a.print(engine.Taken{}, func(tool.Paint) string { return "would read pi's transcripts of this project\n" })
	}
	t, err := e.TakeSessions(ctx)
	if err != nil {
		return err
	}
	return a.print(t, func(tool.Paint) string {
		return fmt.Sprintf("%s of pi's, %d new or changed, %d of this project: %d messages taken over.\n",
			tool.Plural(t.Files, "transcript"), t.Read, t.Sessions, t.New)
	})
}

func (a *app) sessions(ctx context.Context, e *engine.Engine, query string) error {
	lines := []sessionLine{}
	none := "No past session is kept of this project; pimento sessions --take reads pi's transcripts.\n"
	if query != "" {
		none = "No past session matches.\n"
		hits, err := e.SearchSessions(ctx, query, 20)
		if err != nil {
			return err
		}
		for _, h := range hits {
			lines = append(lines, sessionLine{h.Session, h.Kind, h.Time, h.Snippet})
		}
	} else {
		all, err := e.Sessions(ctx)
		if err != nil {
			return err
		}
		for _, x := range all {
			lines = append(lines, sessionLine{x.Session, x.Kind, x.Time, x.Text})
		}
	}
	return a.print(lines, func(p tool.Paint) string {
		if len(lines) == 0 {
			return none
		}
		var b strings.Builder
		for _, l := range lines {
			mark := ""
			if l.Kind == session.Summary {
				mark = p.Faint("summary: ")
			}
			fmt.Fprintf(&b, "%s  %s  %s%s\n", p.Bold(l.Time.Format(time.DateOnly)), p.Faint(tool.OneLine(l.Session, 9)), mark, tool.Printable(tool.OneLine(l.Text, 200)))
		}
		return b.String()
	})
}
