package engine

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/page"
)

// eachArchived calls f for each page of a root's archive, which no index holds, and fail
// for one that cannot be read, or where they cannot be listed.
func (st *store) eachArchived(ctx context.Context, fail func(error), f func(rel string, b []byte, stamp pimento.Stamp)) {
	var rels []string
	if err := st.root.SweepArchive(ctx, func(rel string, _ pimento.Stamp) { rels = append(rels, rel) }); err != nil {
		fail(err)
	}
	for _, rel := range rels {
		if b, stamp, err := st.root.Read(ctx, rel); err != nil {
			fail(err)
		} else {
			f(rel, b, stamp)
		}
	}
}

// inArchive are the entries in the archives that an id names. The error is of what could
// not be read there.
func (e *Engine) inArchive(ctx context.Context, v *view, id string) (found []pimento.Entry, err error) {
	q, err := parseID("purge", id)
	if err != nil {
		return nil, err
	}
	fail := func(one error) { err = errors.Join(err, one) }
	for _, st := range v.stores {
		st.eachArchived(ctx, fail, func(rel string, b []byte, _ pimento.Stamp) {
			for _, en := range st.Entries(page.Parse(rel, b)) {
				if strings.HasPrefix(string(en.Statement), q.statement) && (q.scope == "" || q.scope == st.scope) && (q.page == "" || q.page == rel) {
					found = append(found, en)
				}
			}
		})
	}
	return found, err
}

// onlyInArchive is inArchive of an id that was not found on a page, if it names one
// statement there.
func (e *Engine) onlyInArchive(ctx context.Context, id string, err error) []pimento.Entry {
	if pimento.KindOf(err) != pimento.KindNotFound {
		return nil
	}
	found, _ := e.inArchive(ctx, e.look(ctx), id) // what cannot be read says the purge of what was found
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
	found, unread := e.inArchive(ctx, e.look(ctx), string(gone.statement))
	for _, en := range found {
		there := func(_ context.Context, v *view, _, _ string) (pimento.Entry, *store, error) {
			return en, v.store(en.Scope), nil
		}
		if _, err := e.takeForGood(ctx, en.String(), e.newID(), there, by, rep); err != nil {
			return errors.Join(err, unread)
		}
	}
	return unread
}
