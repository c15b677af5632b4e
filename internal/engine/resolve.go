package engine

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/index"
	"github.com/pimento-memory/pimento/internal/recall"
)

// An idQuery is an id as a person types it: a statement or the beginning of
// one, or a full occurrence "scope:page#statement~n".
type idQuery struct {
	statement string // 8 to 16 hex digits
	scope     pimento.Scope
	page      string
	n         int // -1: any
}

// parseID reads an id.
func parseID(op, id string) (idQuery, error) {
	bad := func(why string) error {
		return &pimento.Error{Op: op, Path: id, Kind: pimento.KindUsage, Err: errors.New(why),
			Hint: "give an id as recall prints it: at least 8 hex digits, or scope:page#id"}
	}
	q := idQuery{n: -1}
	rest := strings.TrimSpace(id)
	if where, st, ok := strings.Cut(rest, "#"); ok {
		scope, page, ok := strings.Cut(where, ":")
		if !ok {
			return q, bad("this is not an id")
		}
		s, err := pimento.ParseScope(scope)
		if err != nil {
			return q, bad("unknown scope " + strconv.Quote(scope))
		}
		q.scope, q.page, rest, q.n = s, page, st, 0
		if st, n, ok := strings.Cut(rest, "~"); ok {
			k, err := strconv.Atoi(n)
			if err != nil || k < 1 {
				return q, bad("the part after ~ is not a number from 1")
			}
			rest, q.n = st, k-1
		}
	}
	rest = strings.ToLower(rest)
	if len(rest) < recall.IDDigits || len(rest) > 16 || strings.Trim(rest, "0123456789abcdef") != "" {
		return q, bad("this is not an id")
	}
	q.statement = rest
	return q, nil
}

// matches lists the entries that an id names, widest scope first.
func (e *Engine) matches(ctx context.Context, v *view, q idQuery) []pimento.Entry {
	var out []pimento.Entry
	for _, st := range v.stores {
		if q.scope != "" && q.scope != st.scope {
			continue
		}
		out = append(out, e.find(ctx, v, st, recall.IDKey(q.statement), func(rel string, d index.Doc) bool {
			return strings.HasPrefix(string(d.Statement), q.statement) &&
				(q.page == "" || q.page == rel) && (q.n < 0 || q.n == d.N)
		})...)
	}
	return out
}

// saying are the entries of a root that say a statement.
func (e *Engine) saying(ctx context.Context, v *view, st *store, id pimento.Statement) []pimento.Entry {
	return e.find(ctx, v, st, recall.IDKey(string(id)), func(_ string, d index.Doc) bool { return d.Statement == id })
}

// standingAs are the entries that say a statement, widest scope first.
func (e *Engine) standingAs(ctx context.Context, v *view, id pimento.Statement) (out []pimento.Entry) {
	for _, st := range v.stores {
		out = append(out, e.saying(ctx, v, st, id)...)
	}
	return out
}

// resolve finds the one entry that an id names. Several are a conflict that
// lists them.
func (e *Engine) resolve(ctx context.Context, v *view, op, id string) (pimento.Entry, *store, error) {
	q, err := parseID(op, id)
	if err != nil {
		return pimento.Entry{}, nil, err
	}
	found := e.matches(ctx, v, q)
	switch len(found) {
	case 1:
		return found[0], v.store(found[0].Scope), nil
	case 0:
		return pimento.Entry{}, nil, e.missing(ctx, v, op, id, q)
	}
	var ids []string
	for _, en := range found {
		ids = append(ids, en.Occurrence.String())
	}
	return pimento.Entry{}, nil, &pimento.Error{Op: op, Path: id, Kind: pimento.KindConflict,
		Err:  fmt.Errorf("%d entries have this id", len(found)),
		Hint: "name one of:\n  " + strings.Join(ids, "\n  ")}
}

// resolveStatement is resolve for what concerns a statement wherever it
// stands in its scope, such as evidence.
func (e *Engine) resolveStatement(ctx context.Context, v *view, op, id string) (pimento.Entry, *store, error) {
	en, st, err := e.resolve(ctx, v, op, id)
	if err == nil || pimento.KindOf(err) != pimento.KindConflict {
		return en, st, err
	}
	q, _ := parseID(op, id)
	found := e.matches(ctx, v, q)
	for _, x := range found {
		if x.Scope != found[0].Scope || x.Statement != found[0].Statement {
			return en, st, err
		}
	}
	return found[0], v.store(found[0].Scope), nil
}
