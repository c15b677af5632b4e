package rpc

import (
	"context"

	"github.com/pimento-memory/pimento/internal/engine"
	"github.com/pimento-memory/pimento/internal/tool"
)

// What /memory does to one entry.

type changer func(ctx context.Context, id string, by engine.Actor) (engine.Result, error)

// done is a verb of the engine that is carried out.
func done(f func(ctx context.Context, id string, by engine.Actor, how ...engine.Planned) (engine.Result, error)) changer {
	return func(ctx context.Context, id string, by engine.Actor) (engine.Result, error) { return f(ctx, id, by) }
}

func (c commands) change(f changer, did string) func(context.Context, string) (string, error) {
	return func(ctx context.Context, id string) (string, error) {
		res, err := f(ctx, id, c.by.Actor)
		if err != nil {
			return "", err
		}
		return c.wrote(res, did)
	}
}

// edit answers "/memory edit ID TEXT".
func (c commands) edit(ctx context.Context, line string) (string, error) {
	id, text := cutWord(line)
	if text == "" {
		return "", usage("no new text", "use: /memory edit ID TEXT")
	}
	return c.change(func(ctx context.Context, id string, by engine.Actor) (engine.Result, error) {
		return c.engine.Edit(ctx, id, text, by)
	}, "Edited")(ctx, id)
}

// restore answers "/memory restore [ID]"; alone it lists.
func (c commands) restore(ctx context.Context, id string) (string, error) {
	if id != "" {
		return c.change(func(ctx context.Context, id string, by engine.Actor) (engine.Result, error) {
			res, err := c.engine.Restore(ctx, id, by)
			return res, tool.RestoreError(id, tool.RestoreHint, err)
		}, "Restored")(ctx, id)
	}
	list, _, err := c.engine.Recoverable(ctx)
	if err != nil {
		return "", err
	}
	return tool.RenderKept(list, c.paint()), nil
}

// purge answers "/memory purge ID --yes". There is no way back, so the yes is typed.
func (c commands) purge(ctx context.Context, line string) (string, error) {
	id, yes := cutWord(line)
	if yes != "--yes" {
		return "", usage("purge takes it out for good", "if you mean it: /memory purge "+tool.OneLine(id, 100)+" --yes; to keep a way back: /memory forget ID")
	}
	rep, err := c.engine.Purge(ctx, id, c.by.Actor)
	if err != nil {
		return "", err
	}
	return tool.RenderPurge(rep, c.paint()), nil
}

func (c commands) pin(on bool) changer {
	return func(ctx context.Context, id string, by engine.Actor) (engine.Result, error) {
		return c.engine.Pin(ctx, id, on, by)
	}
}
