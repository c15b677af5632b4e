package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
	"github.com/pimento-memory/pimento/internal/page"
	"github.com/pimento-memory/pimento/internal/tool"
)

// withEngine runs f on the engine of the working directory.
func (a *app) withEngine(f func(*engine.Engine) error) error {
	e, err := a.engine()
	if err != nil {
		return err
	}
	if a.flags.profile != "" { // configured, an unknown one is a fault; asked for, an error
		_, err = e.LoadProfile(a.flags.profile)
	}
	if err == nil {
		err = f(e)
	}
	if cerr := e.Close(); err == nil {
		err = cerr
	}
	if a.life.Err() != nil && !a.wrote { // what was not looked at is missing from the answer, or is why it failed
		return a.life.Err()
	}
	return err
}

// reading is withEngine for what shows memory to a person: an answer without
// the project's memory must not look like one that has it.
func (a *app) reading(ctx context.Context, f func(*engine.Engine) error) error {
	return a.withEngine(func(e *engine.Engine) error {
		err := f(e)
		if _, findings := errors.AsType[exit](err); !a.flags.json && (err == nil || findings) && ctx.Err() == nil {
			if waits := e.Waits(ctx); waits != "" {
				a.note("%s", tool.Printable(waits))
			}
		}
		return err
	})
}

// user is who acts on the command line.
func user() engine.Actor { return engine.Actor{Name: "user"} }

func rememberCmd(a *app) *command {
	var n engine.Note
	var scope, kind string
	cmd := &command{
		use:  "remember [TEXT...]",
		long: "Write a fact, preference or decision to memory. Without TEXT it is read from standard input. The same text again is counted as said again, not written twice.",
		example: `  pimento remember "deploys go through the staging cluster first"
  pimento remember --scope global --kind preference --pin "answer in short sentences"`,
		args: anyArgs,
		run: func(ctx context.Context, args []string) (err error) {
			if n.Text, err = a.text(args, "text to remember"); err == nil {
				n.Scope, err = parseScope(scope)
			}
			if err == nil {
				n.Kind, err = noteKind(kind)
			}
			if err != nil {
				return a.notRemembered(n, err)
			}
			if n.Implicit && (n.Daily || n.Pinned || n.Heading != "") {
				return a.notRemembered(n, usageError("leave out --daily, --pin and --heading; --page and --kind are kept",
					"what waits in the inbox is an entry and a page, and no more"))
			}
			if n.Daily && (n.Page != "" || n.Kind != "") {
				return a.notRemembered(n, usageError("leave out --page and --kind, or --daily", "an entry of the log stands on the day's page and is a note"))
			}
			if len(args) > 0 && !n.Daily {
				n.Text = tool.WithoutBullet(n.Text)
			}
			n.Actor = "user"
			return a.remember(ctx, n)
		},
	}
	f := cmd.flagSet()
	f.StringVar(&scope, "scope", "", "to `SCOPE`: global, project or local; the profile's default without it")
	f.StringVar(&kind, "kind", "", "what it is: `KIND` is fact, preference, lesson, pattern, decision, done or mistake")
	f.BoolVar(&n.Pinned, "pin", false, "always show it")
	f.BoolVar(&n.Daily, "daily", false, "write to today's log")
	f.StringVar(&n.Page, "page", "", "write to `PAGE`, for example topics/deploy.md")
	f.StringVar(&n.Heading, "heading", "", "below the heading `TEXT` of the page")
	f.BoolVar(&n.Implicit, "propose", false, "put it into the inbox, where it waits for your yes")
	f.BoolVar(&n.AllowSecret, "allow-secret", false, "write it although it looks like a secret")
	return cmd
}

func (a *app) remember(ctx context.Context, n engine.Note) error {
	err := a.withEngine(func(e *engine.Engine) error {
		if a.flags.dryRun {
			return a.wouldRemember(ctx, e, n)
		}
		write := e.Remember
		if n.Implicit {
			write = proposes(e)
		}
		res, err := write(ctx, n)
		if err != nil {
			return err
		}
		if res.Text == "" { // it stands on another page
			res.Text = n.Text
		}
		if n.Heading != "" && res.Action == pimento.Put {
			res.Reason = strings.TrimPrefix(res.Reason+"; "+elsewhere(ctx, e, n.Heading, res), "; ")
		}
		return a.written(res, "Remembered")
	})
	if _, said := errors.AsType[exit](err); err == nil || said {
		return err
	}
	return a.notRemembered(n, err)
}

// notRemembered is err; in JSON a program learns its code, too.
func (a *app) notRemembered(n engine.Note, err error) error {
	if !a.flags.json {
		return err
	}
	return errors.Join(err, a.printJSON(engine.Result{Scope: n.Scope, Page: n.Page, Action: pimento.Refuse, Code: pimento.CodeOf(err), Reason: tool.Message(err)}))
}

// proposes puts a note into the inbox, whatever the configuration says.
func proposes(e *engine.Engine) func(context.Context, engine.Note) (engine.Result, error) {
	return func(ctx context.Context, n engine.Note) (engine.Result, error) {
		return e.Propose(ctx, pimento.Proposal{Text: n.Text, Kind: n.Kind, Scope: n.Scope, Page: n.Page, Source: "user"}, user())
	}
}

// elsewhere says where an entry went that does not stand below the heading that
// was asked for; "" when it does.
func elsewhere(ctx context.Context, e *engine.Engine, heading string, res engine.Result) string {
	pages, err := e.Read(ctx, string(res.Scope)+":"+res.Page)
	if err != nil || len(pages) == 0 {
		return "" // it is written; only the remark is missing
	}
	en, ok := page.Parse(res.Page, []byte(pages[0].Text)).Find(res.ID, 0)
	if !ok || en.Heading == heading || strings.HasSuffix(en.Heading, " > "+heading) {
		return ""
	}
	where := "below " + strconv.Quote(en.Heading)
	if en.Heading == "" {
		where = "below no heading"
	}
	return fmt.Sprintf("%s has no heading %q, so it stands %s", tool.Path(res.Page), heading, where)
}

// wouldRemember is the answer of remember --dry-run.
func (a *app) wouldRemember(ctx context.Context, e *engine.Engine, n engine.Note) error {
	res, err := e.Preview(ctx, n)
	switch {
	case err != nil:
		return err
	case res.Action == pimento.Refuse:
		return a.written(res, "")
	}
	did := "remember in "
	if n.Implicit {
		did = "propose for "
	}
	return a.wouldDo(did+tool.PageName(res.Scope, res.Page), n.Text)
}

// wouldDo is the answer of --dry-run.
func (a *app) wouldDo(what, text string) error {
	return a.print(map[string]any{"dry_run": true, "would": what, "text": text}, func(tool.Paint) string {
		if text == "" {
			return "would " + tool.Printable(what)
		}
		return "would " + tool.Printable(what) + ": " + tool.OneLine(text, 160)
	})
}

// written shows what became of a write; one that was refused is an error.
func (a *app) written(res engine.Result, did string) error {
	if res.Action == pimento.Refuse {
		return a.refused(res, res, "not written: "+res.Reason)
	}
	a.wrote = true
	return a.print(res, func(p tool.Paint) string { return tool.RenderWrite(res, did, p) })
}

// refused is a refusal: JSON on standard output for a program, else a complaint.
func (a *app) refused(v any, res engine.Result, text string) error {
	if a.flags.json {
		if err := a.printJSON(v); err != nil {
			return err
		}
		return exit(pimento.KindRefused.ExitCode())
	}
	hint := ""
	if len(res.Near) > 0 {
		hint = "it is close to " + strings.Join(res.Near, ", ")
	}
	return &pimento.Error{Op: "write", Kind: pimento.KindRefused, Err: errors.New(text), Hint: hint}
}

// parseScope accepts "" for "not given".
func parseScope(s string) (pimento.Scope, error) {
	if s == "" {
		return "", nil
	}
	return pimento.ParseScope(s)
}

// noteKind is a kind that remember can write: one that a bullet can be. The
// others have doors of their own.
func noteKind(s string) (pimento.Kind, error) {
	switch pimento.Kind(s) {
	case pimento.KindTask:
		return "", usageError("tasks are items of the checklist: pimento scratch add \"...\"", "a task is not remembered")
	case pimento.KindNote:
		return "", usageError("notes go to the daily log: pimento remember --daily \"...\"", "a note has no kind")
	}
	return kindAmong(s, pimento.KindFact, pimento.KindPreference, pimento.KindLesson, pimento.KindPattern,
		pimento.KindDecision, pimento.KindDone, pimento.KindMistake)
}

// parseKind accepts "" for "not given".
func parseKind(s string) (pimento.Kind, error) { return kindAmong(s, pimento.EntryKinds()...) }

func kindAmong(s string, kinds ...pimento.Kind) (pimento.Kind, error) {
	if s == "" || slices.Contains(kinds, pimento.Kind(s)) {
		return pimento.Kind(s), nil
	}
	var names []string
	for _, k := range kinds {
		names = append(names, string(k))
	}
	return "", usageError("use one of: "+strings.Join(names, ", "), "unknown kind %q", tool.OneLine(s, 60))
}

func scratchCmd(a *app) *command {
	cmd := &command{
		use:     "scratch [COMMAND]",
		long:    "The checklist of things to keep in mind until they are done. Alone it lists them.",
		example: "  pimento scratch add \"try the new parser on the big file\"\n  pimento scratch done parser",
		args:    noArgs,
		run:     func(ctx context.Context, _ []string) error { return a.scratch(ctx, "list", "") },
	}
	sub := func(name, use, short, example string, needsText bool) {
		args := noArgs
		if needsText {
			args = anyArgs
		}
		cmd.add(&command{
			use: use, short: short, example: "  pimento scratch " + example, args: args,
			run: func(ctx context.Context, args []string) (err error) {
				text := ""
				if needsText {
					if text, err = a.text(args, "item"); err != nil {
						return err
					}
				}
				return a.scratch(ctx, name, text)
			},
		})
	}
	sub("add", "add TEXT...", "add an item", `add "try the new parser on the big file"`, true)
	sub("done", "done WORDS...", "tick the first open item with these words, or this id", "done parser", true)
	sub("undo", "undo WORDS...", "open the first ticked item with these words, or this id", "undo parser", true)
	sub("clear", "clear", "remove the ticked items", "clear", false)
	sub("list", "list", "show the list", "list", false)
	return cmd
}

// scratchItem is one line of the checklist in JSON.
type scratchItem struct {
	ID    pimento.Statement `json:"id"`
	Scope pimento.Scope     `json:"scope"`
	Page  string            `json:"page"`
	Line  int               `json:"line"`
	Text  string            `json:"text"`
	Done  bool              `json:"done"`
}

func (a *app) scratch(ctx context.Context, action, text string) error {
	return a.reading(ctx, func(e *engine.Engine) error {
		if a.flags.dryRun && action != "list" {
			return a.wouldScratch(ctx, e, action, text)
		}
		if action == "add" {
			text = tool.WithoutBox(text)
		}
		pad, err := e.Scratch(ctx, action, text, user())
		if err != nil && len(pad.Recoveries) == 0 {
			return err
		}
		items := []scratchItem{}
		for _, it := range pad.Items {
			items = append(items, scratchItem{it.Statement, it.Scope, it.Page, it.Line, it.Text, it.Done})
		}
		if action == "list" {
			return a.print(items, func(p tool.Paint) string { return scratchText(items, p) })
		}
		out := struct {
			engine.Result
			Message string        `json:"message"`
			Items   []scratchItem `json:"items"`
			Undo    []string      `json:"recoveries,omitempty"`
		}{pad.Result, pad.Message, items, pad.Recoveries}
		if pad.Action == pimento.Refuse {
			if action == "add" {
				return a.refused(out, pad.Result, pad.Message)
			}
			return a.refusedScratch(out, pad.Result, pad.Message)
		}
		a.wrote = err == nil
		printed := a.print(out, func(tool.Paint) string {
			return tool.Printable(pad.Message) + ticked(action, pad) + unseen(ctx, e, action) + undoScratch(pad)
		})
		return cmp.Or(err, printed) // what was cleared before another scratchpad failed has its way back
	})
}

// refusedScratch is refused, where the list helps.
func (a *app) refusedScratch(v any, res engine.Result, text string) error {
	err := a.refused(v, res, text)
	if refusal, ok := errors.AsType[*pimento.Error](err); ok {
		refusal.Hint = "see the list: pimento scratch"
	}
	return err
}

// wouldScratch is the answer of --dry-run: an item that would be refused is.
func (a *app) wouldScratch(ctx context.Context, e *engine.Engine, action, text string) error {
	if action == "add" {
		n := engine.Note{Text: text, Page: "SCRATCHPAD.md"}
		if p, _ := e.Profile(ctx); p.DefaultScope == pimento.Local { // which has no room for it
			n.Scope = pimento.Global
		}
		res, err := e.Preview(ctx, n)
		if err != nil {
			return err
		}
		if res.Action == pimento.Refuse {
			return a.written(res, "")
		}
	}
	if action == "done" || action == "undo" {
		res, err := e.ScratchPreview(ctx, action, text, user())
		if err != nil {
			return err
		}
		if res.Action == pimento.Refuse {
			return a.refusedScratch(res, res, res.Reason)
		}
		text = res.Text
	}
	return a.wouldDo("scratch "+action, text)
}

// ticked is the item that done or undo found by its words: several may hold them.
func ticked(action string, pad engine.Scratchpad) string {
	if action != "done" && action != "undo" {
		return ""
	}
	for _, it := range pad.Items {
		if it.Statement == pad.ID {
			return "\n  " + map[bool]string{true: "- [x] ", false: "- [ ] "}[it.Done] + tool.OneLine(it.Text, 160)
		}
	}
	return ""
}

// unseen says so where nothing of the profile puts an item in front of an agent.
func unseen(ctx context.Context, e *engine.Engine, action string) string {
	p, _ := e.Profile(ctx)
	if action != "add" || p.SectionOf(pimento.PickTasks) != nil || p.Recall.Hits > 0 {
		return ""
	}
	return "\n  it is for you: the profile " + p.Name + " shows an agent no tasks"
}

// undoScratch names the way back where something was taken out.
func undoScratch(pad engine.Scratchpad) string {
	if len(pad.Recoveries) == 0 {
		return ""
	}
	return "\n  to undo: pimento restore " + strings.Join(pad.Recoveries, "\n           pimento restore ")
}

func scratchText(items []scratchItem, p tool.Paint) string {
	if len(items) == 0 {
		return "The scratchpad is empty. Add to it: pimento scratch add \"...\""
	}
	var b strings.Builder
	for _, it := range items {
		line := tool.Wrap(tool.Printable(it.Text), p.Columns(), "    ")
		if it.Done {
			fmt.Fprintln(&b, p.Faint("[x] "+line))
		} else {
			fmt.Fprintln(&b, "[ ] "+line)
		}
	}
	return b.String()
}
