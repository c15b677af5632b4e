package cli

import (
	"context"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
	"github.com/pimento-memory/pimento/internal/tool"
)

func inboxCmd(a *app) *command {
	cmd := &command{
		use: "inbox [COMMAND]",
		long: "What was found and nobody asked to have written: it waits here for your yes. Alone it lists what waits. " +
			"What you reject does not come back.",
		example: "  pimento inbox\n  pimento inbox accept 3f9c2a71\n  pimento inbox edit 3f9c2a71 \"prefer tabs, but spaces in yaml\"\n  pimento inbox reject 3f9c2a71",
		args:    noArgs,
		run:     func(ctx context.Context, _ []string) error { return a.inboxList(ctx) },
	}
	cmd.add(&command{use: "list", short: "show what waits", args: noArgs, run: cmd.run, example: "  pimento inbox list"})
	cmd.add(&command{use: "accept ID", short: "write it; what it replaces is taken out, restorable", args: count{1, 1}, example: "  pimento inbox accept 3f9c2a71",
		run: func(ctx context.Context, args []string) error { return a.inboxAccept(ctx, args[0]) }})
	cmd.add(&command{use: "edit ID [TEXT...]", short: "give it another text; it goes on waiting", args: count{1, many},
		example: "  pimento inbox edit 3f9c2a71 \"prefer tabs, but spaces in yaml\"",
		run: func(ctx context.Context, args []string) error {
			text, err := a.text(args[1:], "new text")
			if err != nil {
				return err
			}
			return a.inboxAnswer(ctx, args[0], "edit", "Edited", func(e *engine.Engine) (pimento.Proposal, error) {
				return e.InboxEdit(ctx, args[0], text, user())
			})
		}})
	cmd.add(&command{use: "reject ID", short: "say no, for good", args: count{1, 1}, example: "  pimento inbox reject 3f9c2a71",
		run: func(ctx context.Context, args []string) error {
			return a.inboxAnswer(ctx, args[0], "reject", "Rejected", func(e *engine.Engine) (pimento.Proposal, error) {
				return e.InboxReject(ctx, args[0], user())
			})
		}})
	return cmd
}

func (a *app) inboxList(ctx context.Context) error {
	return a.withEngine(func(e *engine.Engine) error {
		list, err := e.Inbox(ctx)
		if err != nil {
			return err
		}
		if list == nil {
			list = []pimento.Proposal{}
		}
		return a.print(list, func(p tool.Paint) string { return tool.RenderInbox(list, "pimento inbox", p) })
	})
}

func (a *app) inboxAccept(ctx context.Context, id string) error {
	return a.withEngine(func(e *engine.Engine) error {
		if a.flags.dryRun {
			return a.wouldAnswer(ctx, e, "accept", id)
		}
		res, err := e.InboxAccept(ctx, id, user())
		if err != nil {
			return err
		}
		return a.written(res, "Accepted")
	})
}

func (a *app) inboxAnswer(ctx context.Context, id, verb, did string, answer func(*engine.Engine) (pimento.Proposal, error)) error {
	return a.withEngine(func(e *engine.Engine) error {
		if a.flags.dryRun {
			return a.wouldAnswer(ctx, e, verb, id)
		}
		p, err := answer(e)
		if err != nil {
			return err
		}
		return a.print(p, func(tool.Paint) string {
			text := tool.RenderProposal(p, did)
			if verb == "edit" {
				text += "\n  it goes on waiting; to write it: pimento inbox accept " + tool.ShortID(p.ID)
			}
			return text
		})
	})
}

// wouldAnswer is the answer of --dry-run.
func (a *app) wouldAnswer(ctx context.Context, e *engine.Engine, verb, id string) error {
	p, err := e.Proposal(ctx, verb, id)
	if err != nil {
		return err
	}
	return a.wouldDo(verb+" "+tool.ShortID(p.ID), tool.Proposed(p))
}
