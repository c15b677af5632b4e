package engine

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/inject"
	"github.com/pimento-memory/pimento/internal/page"
	"github.com/pimento-memory/pimento/internal/regular"
	"github.com/pimento-memory/pimento/internal/remember"
)

// The page table and the writeback journal are views of what pages and journal
// say, written for whoever wants to look at them: nothing reads them back. What
// the residency decision reads stands beside them, see shapes.go.
const (
	tableFile     = "page-table.jsonl"
	writebackFile = "writeback-journal.jsonl"
)

// A Sidecar is one of the page table's files, and whether it is up to date.
type Sidecar struct {
	Scope   pimento.Scope `json:"scope"`
	Path    string        `json:"path"`
	Present bool          `json:"present"`
	Valid   bool          `json:"valid"`
	Lines   int           `json:"lines"`   // of the shapes, entries
	Written bool          `json:"written"` // this verify wrote it
}

// Sidecars compares the page table's files of every readable root with what they
// should be; with write it brings them up to date.
func (e *Engine) Sidecars(ctx context.Context, write bool) ([]Sidecar, error) {
	v := e.lookSynced(ctx)
	return e.sidecars(ctx, v, write)
}

func (e *Engine) sidecars(ctx context.Context, v *view, write bool) ([]Sidecar, error) {
	var out []Sidecar
	for _, st := range v.stores {
		table, err := e.table(ctx, v, st)
		if err != nil {
			return nil, err
		}
		back, err := e.writeback(ctx, st)
		if err != nil {
			return nil, err
		}
		files := []wantedFile{{tableFile, table, bytes.Count(table, []byte("\n"))}, {writebackFile, back, bytes.Count(back, []byte("\n"))}}
		if v.profile.Paged {
			shapes, n, err := st.shapes(ctx)
			if err != nil {
				return nil, err
			}
			files = append(files, wantedFile{shapesFile, shapes, n})
		}
		for _, f := range files {
			s, err := e.sidecar(st, f, write)
			if err != nil {
				return nil, err
			}
			out = append(out, s)
		}
	}
	return out, nil
}

// A wantedFile is a sidecar as it should be.
type wantedFile struct {
	name  string
	bytes []byte
	lines int
}

func (e *Engine) sidecar(st *store, want wantedFile, write bool) (Sidecar, error) {
	file := filepath.Join(e.tableDir(st), want.name)
	s := Sidecar{Scope: st.scope, Path: file, Lines: want.lines}
	have, err := regular.Read(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return s, sidecarError(file, err)
	}
	s.Present, s.Valid = err == nil, err == nil && bytes.Equal(have, want.bytes)
	if s.Valid || !write {
		return s, nil
	}
	if err := regular.Write(file, want.bytes); err != nil {
		return s, sidecarError(file, err)
	}
	s.Present, s.Valid, s.Written = true, true, true
	return s, nil
}

func sidecarError(file string, err error) error {
	return &pimento.Error{Op: "verify", Path: file, Kind: pimento.KindUnavailable, Err: err, Hint: "look at the folder's permissions and space"}
}

// Table is the page table of every readable root, one JSON object a line.
func (e *Engine) Table(ctx context.Context) ([]byte, error) {
	v := e.lookSynced(ctx)
	var all []byte
	for _, st := range v.stores {
		b, err := e.table(ctx, v, st)
		if err != nil {
			return nil, err
		}
		all = append(all, b...)
	}
	return all, nil
}

// writeback is what the journal says of writes, oldest first.
func (e *Engine) writeback(ctx context.Context, st *store) ([]byte, error) {
	var w remember.Writeback
	if err := st.journal.Each(ctx, remember.WritebackTypes(), w.Take); err != nil {
		return nil, err
	}
	return lines(w.Steps)
}

// TypedPages are the rows of the page table in the order of the pages, under a
// profile that shows pages entry by entry; none under any other.
func (e *Engine) TypedPages(ctx context.Context) ([]inject.Row, error) {
	v := e.lookSynced(ctx)
	var all []inject.Row
	for _, st := range v.stores {
		if !v.profile.Paged {
			break
		}
		rows, err := e.rows(ctx, v, st)
		if err != nil {
			return nil, err
		}
		slices.SortStableFunc(rows, func(a, b inject.Row) int {
			if here, there := a.Source.File == st.memoryPage(), b.Source.File == st.memoryPage(); here != there {
				return map[bool]int{true: -1, false: 1}[here]
			}
			return cmp.Or(cmp.Compare(a.Source.File, b.Source.File), cmp.Compare(a.Source.LineFrom, b.Source.LineFrom))
		})
		all = append(all, rows...)
	}
	return all, nil
}

// table is the page table of one root, by id.
func (e *Engine) table(ctx context.Context, v *view, st *store) ([]byte, error) {
	rows, err := e.rows(ctx, v, st)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(rows, func(a, b inject.Row) int {
		return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(a.Source.LineFrom, b.Source.LineFrom))
	})
	return lines(rows)
}

// rows are the entries of a root's curated page, and the topic files that these
// link to.
func (e *Engine) rows(ctx context.Context, v *view, st *store) ([]inject.Row, error) {
	d, err := st.draft(ctx, st.memoryPage())
	if err != nil {
		return nil, err
	}
	pending, err := st.journal.Pending(ctx)
	if err != nil {
		return nil, err
	}
	dirty := slices.ContainsFunc(pending, func(p pimento.Plan) bool {
		return p.Root == st.root.Key() && slices.ContainsFunc(p.Changes, func(c pimento.Change) bool { return c.Page == st.memoryPage() })
	})
	entries := st.Entries(d.page)
	standings := e.standings(ctx, v, st, entries)
	var rows []inject.Row
	linked := map[string]bool{}
	for i, en := range entries {
		rows = append(rows, inject.RowOf(en, d.digest, standings[i].Confirmed, dirty))
		for _, l := range en.Links {
			linked[path.Clean(l)] = true
		}
	}
	for rel := range linked {
		if row, ok := st.topicRow(ctx, rel); ok {
			rows = append(rows, row)
		}
	}
	return rows, nil
}

// topicRow is the row of a linked page that exists.
func (st *store) topicRow(ctx context.Context, rel string) (inject.Row, bool) {
	if !strings.HasSuffix(rel, ".md") {
		rel += ".md"
	}
	if rel == st.memoryPage() || !st.root.Holds(rel) {
		return inject.Row{}, false
	}
	b, _, err := st.root.Read(ctx, rel)
	if err != nil {
		return inject.Row{}, false
	}
	return inject.TopicRow(st.scope, rel, pimento.DigestOf(b), page.Parse(rel, b).Entries()), true
}

func lines[T any](rows []T) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	for _, r := range rows {
		if err := enc.Encode(r); err != nil {
			return nil, err
		}
	}
	return b.Bytes(), nil
}

// Flush finishes what is staged, and brings the page table's files up to date. It
// returns how many unfinished writes there were.
func (e *Engine) Flush(ctx context.Context) (int, []Sidecar, error) {
	n, err := e.flushed(ctx, e.look(ctx))
	if err != nil {
		return n, nil, err
	}
	side, err := e.Sidecars(ctx, true)
	return n, side, err
}
