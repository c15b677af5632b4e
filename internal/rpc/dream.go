package rpc

import (
	"context"
	"fmt"

	"github.com/pimento-memory/pimento/internal/engine"
	"github.com/pimento-memory/pimento/internal/tool"
)

// dream answers "/memory dream [--apply|undo|last]".
func (c commands) dream(ctx context.Context, rest string) (string, error) {
	var r engine.DreamReport
	var err error
	switch rest {
	case "", "--apply":
		r, err = c.engine.Dream(ctx, engine.Dreaming{Apply: rest != ""}, c.by.Actor)
	case "undo":
		r, err = c.engine.DreamUndo(ctx, c.by.Actor)
	case "last":
		var ok bool
		if r, ok, err = c.engine.LastDream(ctx); err == nil && !ok {
			return "No dream has gone through this memory yet.", nil
		}
	default:
		return "", usage(fmt.Sprintf("unknown: dream %q", tool.OneLine(rest, 40)), "use: /memory dream, dream --apply, dream undo, dream last")
	}
	if err != nil {
		return "", err
	}
	return tool.RenderDream(r, "/memory", c.paint()), nil
}

// dreamAuto answers "/memory dream-auto [on|off]".
func (c commands) dreamAuto(ctx context.Context, rest string) (string, error) {
	switch rest {
	case "":
	case "on", "off":
		if _, err := c.engine.SetAutoDream(ctx, rest == "on"); err != nil {
			return "", err
		}
	default:
		return "", usage(fmt.Sprintf("unknown: dream-auto %q", tool.OneLine(rest, 40)), "use: /memory dream-auto on, dream-auto off")
	}
	return tool.RenderDreamAuto(c.engine.DreamHours(ctx), "/memory dream-auto"), nil
}

// dreamHours is how many hours of this session lie between two dreams.
func (c commands) dreamHours(ctx context.Context) float64 {
	if c.by.off || c.engine.SessionOff(ctx, c.harness, c.by.Session) {
		return 0
	}
	return c.engine.DreamHours(ctx)
}
