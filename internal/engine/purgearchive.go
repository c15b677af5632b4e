package engine

import (
	"context"
	"slices"
	"strings"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/page"
)

// inArchive are the entries in the archives that an id names; no index holds them.
func (e *Engine) inArchive(ctx context.Context, v *view, id string) (found []pimento.Entry) {
	q, err := parseID("purge", id)
	if err != nil {
		return nil
	}
	for _, st := range v.stores {
		var rels []string
		v.faultErr("vault", st.root.SweepArchive(ctx, func(rel string, _ pimento.Stamp) { rels = append(rels, rel) }))
		for _, rel := range rels {
			b, _, err := st.root.Read(ctx, rel)
			v.faultErr("vault", err)
			for _, en := range st.Entries(page.Parse(rel, b)) {
				if strings.HasPrefix(string(en.Statement), q.statement) && (q.scope == "" || q.scope == st.scope) && (q.page == "" || q.page == rel) {
					found = append(found, en)
				}
			}
		}
	}
	return found
}

// onlyInArchive is inArchive of an id that was not found on a page, if it names one
// statement there.
func (e *Engine) onlyInArchive(ctx context.Context, id string, err error) []pimento.Entry {
	if pimento.KindOf(err) != pimento.KindNotFound {
		return nil
	}
	found := e.inArchive(ctx, e.look(ctx), id)
	if slices.ContainsFunc(found, func(en pimento.Entry) bool { return en.Statement != found[0].Statement }) {
		return nil
	}
	return found
}

// purgeArchived takes every copy of a purged entry out of the archives.
func (e *Engine) purgeArchived(ctx context.Context, gone purged, by Actor, rep *PurgeReport) error {
	if gone.statement == "" {
		return nil
	}
	for _, en := range e.inArchive(ctx, e.look(ctx), string(gone.statement)) {
		there := func(_ context.Context, v *view, _, _ string) (pimento.Entry, *store, error) {
			return en, v.store(en.Scope), nil
		}
		if _, err := e.takeForGood(ctx, en.String(), e.newID(), there, by, rep); err != nil {
			return err
		}
	}
	return nil
}
