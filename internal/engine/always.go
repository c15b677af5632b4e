package engine

import (
	"context"
	"slices"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/inject"
	"github.com/pimento-memory/pimento/internal/recall"
	"github.com/pimento-memory/pimento/internal/text"
)

// always lists what is of the tier that is always shown, or has a pin. What another
// entry replaces keeps its place only by a pin, which is the user's word.
func (e *Engine) always(ctx context.Context, v *view) []inject.Item {
	items := e.withTerm(ctx, v, text.FlagAlways)
	for i := range items {
		en := &items[i].Entry
		items[i].Replaced = !en.Pinned && e.isReplaced(ctx, v, en)
	}
	for _, it := range e.withTerm(ctx, v, text.FlagPinned) {
		if !it.Entry.Always {
			items = append(items, it)
		}
	}
	return items
}

// isReplaced says whether another entry of the root names an entry as obsolete, and
// not the other way round as well.
func (e *Engine) isReplaced(ctx context.Context, v *view, old *pimento.Entry) bool {
	st := v.store(old.Scope)
	if st == nil {
		return false
	}
	return slices.ContainsFunc(old.Names, func(name string) bool {
		key := text.LinkKey(name)
		return key != "" && slices.ContainsFunc(e.find(ctx, v, st, key, nil), func(en pimento.Entry) bool {
			return recall.Replaces(&en, old) && !recall.Replaces(old, &en)
		})
	})
}
