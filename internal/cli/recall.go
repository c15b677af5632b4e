package cli

import (
	"context"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
	"github.com/pimento-memory/pimento/internal/tool"
)

func recallCmd(a *app) *command {
	q := pimento.Query{}
	var scope, kind, mode string
	cmd := &command{
		use:     "recall [WORDS...]",
		long:    "Search memory: words and their other forms, other words for the same, identifiers, error texts, dates, #tags, [[links]]. Without WORDS they are read from standard input.",
		example: "  pimento recall how do we deploy\n  pimento recall --json ECONNREFUSED",
		args:    anyArgs,
		run: func(ctx context.Context, args []string) (err error) {
			if q.Text, err = a.text(args, "words to look for"); err != nil {
				return err
			}
			s, err := parseScope(scope)
			if err != nil {
				return err
			}
			if s != "" {
				q.Scopes = []pimento.Scope{s}
			}
			k, err := parseKind(kind)
			if err != nil {
				return err
			}
			if k != "" {
				q.Kinds = []pimento.Kind{k}
			}
			switch q.Mode = pimento.Mode(mode); q.Mode {
			case pimento.Hybrid, pimento.Keyword, pimento.Semantic, pimento.Deep:
			default:
				return usageError("use hybrid, keyword, semantic or deep", "unknown mode: %s", tool.OneLine(mode, 60))
			}
			return a.recall(ctx, q)
		},
	}
	f := cmd.flagSet()
	cmd.number(&q.Limit, "limit", 1, 1000, "at most `N` hits; the profile's number without it")
	cmd.number(&q.Limit, "n", 1, 1000, "the same as --limit `N`")
	f.StringVar(&scope, "scope", "", "only in `SCOPE`: global, project or local")
	f.StringVar(&kind, "kind", "", "only entries of this `KIND`")
	f.StringVar(&mode, "mode", "hybrid", "by `MODE`: hybrid, keyword (the words alone), semantic (meaning alone) or deep (hybrid, and the best way of another engine)")
	f.BoolVar(&q.All, "all", false, "also logs and tasks of other projects")
	f.BoolVar(&q.Archived, "archived", false, "also what was moved to the archive")
	return cmd
}

// answerJSON is the contract of `recall --json`.
type answerJSON struct {
	Status pimento.Status  `json:"status"`
	Hits   []hitJSON       `json:"hits"`
	Faults []pimento.Fault `json:"faults"`

	Relations []pimento.Relation `json:"relations,omitempty"`
}

type hitJSON struct {
	ID    pimento.Statement `json:"id"`
	Scope pimento.Scope     `json:"scope"`
	Page  string            `json:"page"`
	Line  int               `json:"line"`
	Text  string            `json:"text"`
	Score float64           `json:"score"`
	Why   []pimento.Factor  `json:"why"`

	Date     string `json:"date,omitempty"` // of the day that the page says
	Excerpt  string `json:"excerpt,omitempty"`
	Replaced bool   `json:"replaced,omitempty"`
}

func toJSON(ans pimento.Answer) answerJSON {
	out := answerJSON{Status: ans.Status, Hits: []hitJSON{}, Faults: ans.Faults, Relations: ans.Relations}
	if out.Faults == nil {
		out.Faults = []pimento.Fault{}
	}
	for _, h := range ans.Hits {
		why := h.Why
		if why == nil {
			why = []pimento.Factor{}
		}
		en := h.Entry
		out.Hits = append(out.Hits, hitJSON{en.Statement, en.Scope, en.Page, en.Line, en.Text, h.Score, why, tool.Date(en), h.Excerpt, h.Replaced})
	}
	return out
}

func (a *app) recall(ctx context.Context, q pimento.Query) error {
	brief()
	return a.reading(ctx, func(e *engine.Engine) error {
		q.Now = e.Now()
		ask := e.Ask
		if a.flags.dryRun {
			ask = func(ctx context.Context, q pimento.Query, _ engine.Actor) pimento.Answer { return e.Recall(ctx, q) }
		}
		ans := ask(ctx, q, user())
		failed := tool.AnswerError(ans)
		if failed == nil || a.flags.json {
			err := a.print(toJSON(ans), func(p tool.Paint) string { return tool.RenderHits(ans, q.Text, p) + wider(ans, q) })
			if err != nil {
				return err
			}
		}
		if failed == nil && !a.flags.json {
			a.noteFaults(ans.Faults)
		}
		return failed
	})
}

// wider is where to look on when nothing was found.
func wider(ans pimento.Answer, q pimento.Query) string {
	switch {
	case len(ans.Hits)+len(ans.Relations) > 0:
		return ""
	case q.All && q.Archived:
		return "\nWhat there is: pimento pages"
	}
	return "\nWhat there is: pimento pages. Wider: pimento recall --all --archived"
}
