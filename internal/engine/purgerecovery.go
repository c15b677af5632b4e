package engine

import (
	"context"
	"slices"
	"strings"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/page"
	"github.com/pimento-memory/pimento/internal/recall"
	"github.com/pimento-memory/pimento/internal/remember"
)

// A kept payload is any of those that recovery holds.
type kept struct {
	remember.Payload
	Bytes []byte `json:"bytes"` // of a [vault.Displaced] page
}

// recovered is what recovery holds under an id, its own or an entry's; nothing of it
// is known where the payload is damaged.
func (e *Engine) recovered(ctx context.Context, id string) (purged, bool) {
	ids, _ := e.recovery.List(ctx)
	for _, rid := range ids {
		var rec kept
		if err := e.recovery.Get(ctx, rid, &rec); err != nil {
			if rid == id {
				return purged{}, true
			}
			continue
		}
		st := pimento.StatementOf(rec.Text)
		if rid == id || len(id) >= recall.IDDigits && rec.Text != "" && strings.HasPrefix(string(st), id) {
			return purged{st, rec.Text}, true
		}
	}
	return purged{}, false
}

// purgeRecovery deletes what recovery keeps under an id and every payload that
// holds the purged text, whole pages included. One of them goes last and is not
// counted.
func (e *Engine) purgeRecovery(ctx context.Context, id, last string, gone purged) (n int, err error) {
	ids, err := e.recovery.List(ctx)
	if err != nil {
		return 0, err
	}
	for _, rid := range ids {
		var rec kept
		if rid == last || rid != id && (e.recovery.Get(ctx, rid, &rec) != nil || !rec.holds(gone)) {
			continue // one that is damaged goes when it is named
		}
		if err := e.recovery.Delete(ctx, rid); err != nil {
			return n, err
		}
		n++
	}
	if slices.Contains(ids, last) {
		err = e.recovery.Delete(ctx, last)
	}
	return n, err
}

// holds says whether a payload holds a purged text, as an entry or quoted on a
// page.
func (k kept) holds(gone purged) bool {
	if gone.statement == "" {
		return false
	}
	parts := [][]byte{k.Raw, k.Bytes, []byte(k.Text)}
	for _, s := range k.Undo {
		parts = append(parts, s.Ins)
	}
	for _, b := range parts {
		if gone.text != "" && quotes(string(b), gone.text) {
			return true
		}
		for _, en := range page.Parse(k.Page, b).Entries() {
			if en.Statement == gone.statement {
				return true
			}
		}
	}
	return false
}
