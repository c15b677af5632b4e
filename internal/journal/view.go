package journal

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"os"
	"slices"

	"github.com/pimento-memory/pimento"
)

// A view is the fold of one generation up to an offset: a table, and what
// happened after it. What came after is not applied but kept in a chain for
// each statement, newest first, so that a turn pays for the rows it asks for
// and not for every statement the tail mentions.
type view struct {
	gen     generation
	base    *table      // nil: none
	off     int64       // end of the last line folded
	tie     string      // see tieOf, for off
	seen    os.FileInfo // of the file when it was last read to its end
	ops     []op
	heads   map[key]int32 // the newest op of a statement
	pending []staged      // in order of their first staging
	damaged int
}

// An op is what one event does to one statement.
type op struct {
	key, from key
	at        int64
	prev      int32 // the op before this one on the same key, -1 if none
	kind      opKind
	cue       uint8
	project   uint64
}

type opKind uint8

const (
	opNone opKind = iota
	opRemembered
	opReinforced
	opImported
	opAppeared
	opAppearedBulk
	opInjected
	opUsed
	opConfirmed
	opForgotten
	opRestored
	opHandedOff
	opEdited   // we wrote the text that it has become
	opMovedIn  // from's record, as it was just before, joins
	opMovedOut // the record is gone
)

// staged is a plan under way: its transaction and where its line begins.
type staged struct {
	Txn string `json:"txn"`
	Off int64  `json:"off"`
}

// tieBytes is how many bytes before an offset must be the same for a fold up
// to it to hold.
const tieBytes = 256

// tieOf is a digest of the last bytes before off.
func tieOf(r io.ReaderAt, off int64) (string, error) {
	var buf [tieBytes]byte
	n := min(off, tieBytes)
	if _, err := r.ReadAt(buf[:n], off-n); err != nil {
		return "", err
	}
	sum := sha256.Sum256(buf[:n])
	return hex.EncodeToString(sum[:16]), nil
}

// withView calls use with the fold of everything written so far, nil if there
// is no journal. A table that turns out to be damaged is deleted, and use is
// called again with a fold of the whole file.
func (j *Journal) withView(ctx context.Context, use func(*view, io.ReaderAt) error) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	err := j.loadAnd(ctx, true, use)
	if errors.Is(err, errTable) {
		j.forgetView()
		os.Remove(j.snapshotPath()) // if it stays, a later call comes here again
		err = j.loadAnd(ctx, false, use)
	}
	return err
}

// Fold brings the fold up to the end of the events, so that the next call of
// Records need not. It fails in silence: that call will return the error.
func (j *Journal) Fold(ctx context.Context) {
	_ = j.withView(ctx, func(*view, io.ReaderAt) error { return nil })
}

// Finish completes a first fold that its caller had no time for, and stores it for
// later processes. Without a table, each of them would begin it anew, and none
// would finish in time. Otherwise it does nothing.
func (j *Journal) Finish(ctx context.Context) {
	j.mu.Lock()
	cut := j.view != nil && j.view.seen == nil
	j.mu.Unlock()
	if st, err := os.Stat(j.eventsPath()); cut && err == nil {
		j.renewSnapshot(ctx, st.Size())
	}
}

func (j *Journal) loadAnd(ctx context.Context, tableToo bool, use func(*view, io.ReaderAt) error) error {
	f, err := j.openEvents()
	if err != nil {
		return err
	}
	if f == nil {
		j.forgetView()
		return use(nil, nil)
	}
	defer f.Close()
	if err := j.load(ctx, f, tableToo); err != nil {
		return err
	}
	return use(j.view, f)
}

// load brings the view up to the end of f.
func (j *Journal) load(ctx context.Context, f *reading, tableToo bool) error {
	st := f.stamp
	if j.view != nil && j.view.read(st) {
		return nil
	}
	gen, err := readGeneration(f)
	if err != nil {
		return err
	}
	size := st.Size()
	if j.view != nil && !j.view.holds(f, gen, size, j.snapshotPath()) {
		j.forgetView()
	}
	if j.view == nil {
		j.view = &view{gen: gen, heads: map[key]int32{}}
		if tableToo {
			j.view.start(openTable(j.snapshotPath(), f, gen, size))
		}
	}
	v := j.view
	if v.off >= size {
		return nil
	}
	if len(v.ops) == 0 { // room for what is to come, at a guess of 256 bytes a line
		n := int(size-v.off)/256 + 1
		v.ops, v.heads = make([]op, 0, n), make(map[key]int32, n)
	}
	var cut error
	v.off, cut = eachLine(ctx, f, v.off, size, v.fold)
	if v.tie, err = tieOf(f, v.off); err != nil || cut != nil {
		return errors.Join(cut, err) // what was folded holds: a later call goes on from there
	}
	v.seen = st
	return nil
}

// read says whether the file with that stamp has been read to its end already.
// Whoever writes adds to it, or replaces it as a whole.
func (v *view) read(st os.FileInfo) bool {
	return v.seen != nil && v.seen.Size() == st.Size() && v.seen.ModTime().Equal(st.ModTime()) && os.SameFile(v.seen, st) && len(v.ops) <= maxOps
}

// maxOps is how many unfolded events a long-lived process keeps before it
// looks for a newer table.
const maxOps = 4096

// holds says whether the view is a fold of f's beginning.
func (v *view) holds(f io.ReaderAt, gen generation, size int64, snapshot string) bool {
	if v.gen != gen || v.off > size {
		return false
	}
	if tie, err := tieOf(f, v.off); err != nil || v.off > 0 && tie != v.tie {
		return false
	}
	return len(v.ops) <= maxOps || v.base.is(snapshot)
}

// start begins at a table; nil means at the beginning of the file.
func (v *view) start(t *table) {
	if t == nil {
		return
	}
	v.base, v.off, v.tie = t, t.Off, t.Tie
	v.damaged, v.pending = t.Damaged, slices.Clone(t.Pending)
}

func (j *Journal) forgetView() {
	if j.view != nil {
		j.view.base.close()
	}
	j.view = nil
}

// fold takes up one line. It always returns true.
func (v *view) fold(off int64, line []byte) bool {
	f, ok := scanLine(line)
	if !ok {
		if !blank(line) {
			v.damaged++
		}
		return true
	}
	if f.v > pimento.EventVersion {
		return true
	}
	switch typ := pimento.EventType(f.typ); typ {
	case pimento.Staged, pimento.Committed, pimento.Rejected:
		v.plan(typ, f, off, line)
	case pimento.Aliased:
		v.move(f)
	default:
		if kind := kindOf(typ, f.reason); kind != opNone {
			if k, ok := keyOf(f.statement); ok {
				v.push(op{key: k, kind: kind, at: f.when(), cue: cueOf(f.cue), project: projectOf(f.project)})
			}
		}
	}
	return true
}

func kindOf(t pimento.EventType, reason []byte) opKind {
	switch t {
	case pimento.Remembered:
		return opRemembered
	case pimento.Reinforced:
		return opReinforced
	case pimento.Imported:
		return opImported
	case pimento.HandedOff:
		return opHandedOff
	case pimento.Appeared:
		if string(reason) == pimento.ReasonBulk {
			return opAppearedBulk
		}
		return opAppeared
	case pimento.Injected:
		return opInjected
	case pimento.Used:
		return opUsed
	case pimento.Confirmed:
		return opConfirmed
	case pimento.Forgotten, pimento.Purged:
		return opForgotten
	case pimento.Restored:
		return opRestored
	}
	return opNone
}

func (v *view) push(o op) {
	o.prev = -1
	if p, ok := v.heads[o.key]; ok {
		o.prev = p
	}
	v.heads[o.key] = int32(len(v.ops))
	v.ops = append(v.ops, o)
}

func (v *view) move(f fields) {
	to, ok := keyOf(f.statement)
	from, ok2 := keyOf(f.from)
	if !ok || !ok2 || to == from {
		return
	}
	v.push(op{key: to, from: from, kind: opMovedIn, at: f.when()})
	v.push(op{key: from, kind: opMovedOut})
	if cue := cueOf(f.cue); cue != 0 { // what a sync saw has none
		v.push(op{key: to, kind: opEdited, at: f.when(), cue: cue, project: projectOf(f.project)})
	}
}

// plan notes that a plan was staged or is done with.
func (v *view) plan(t pimento.EventType, f fields, off int64, line []byte) {
	txn := string(f.txn)
	if txn == "" && t == pimento.Staged {
		p, _ := planOf(line)
		txn = p.ID
	}
	if txn == "" {
		return
	}
	at := slices.IndexFunc(v.pending, func(s staged) bool { return s.Txn == txn })
	switch {
	case t != pimento.Staged && at >= 0:
		v.pending = slices.Delete(v.pending, at, at+1)
	case t == pimento.Staged && at >= 0:
		v.pending[at].Off = off // staged again: the newer text counts
	case t == pimento.Staged:
		v.pending = append(v.pending, staged{txn, off})
	}
}

// planOf decodes the plan in a staged event.
func planOf(line []byte) (p pimento.Plan, err error) {
	var ev pimento.Event
	if err = json.Unmarshal(line, &ev); err == nil {
		err = json.Unmarshal(ev.Data, &p)
	}
	return p, err
}

// resolve is the row of a statement before the op with the given index;
// len(v.ops) for now. It recurses into what was moved in; every stretch of a
// statement's life between two moves ends up in one place only, so the work is
// linear in the ops.
func (v *view) resolve(k key, before int32) (r row, ok bool, err error) {
	var chain []int32
	i, found := v.heads[k]
	if !found {
		i = -1
	}
	for ; i >= 0 && (i >= before || v.ops[i].kind != opMovedOut); i = v.ops[i].prev {
		if i < before {
			chain = append(chain, i)
		}
	}
	r = newRow()
	if i < 0 { // not moved out since the table was made
		base, known, err := v.base.lookup(k)
		if err != nil {
			return r, false, err
		}
		if known {
			r, ok = base, true
		}
	}
	for _, n := range slices.Backward(chain) {
		o := v.ops[n]
		if o.kind != opMovedIn {
			r.apply(o)
			ok = true
			continue
		}
		from, known, err := v.resolve(o.from, n)
		if err != nil {
			return r, false, err
		}
		if known {
			r.join(from, ok, o.at)
			ok = true
		}
	}
	return r, ok, nil
}

// row is the row of a statement now.
func (v *view) row(k key) (row, bool, error) { return v.resolve(k, int32(len(v.ops))) }

// each calls emit for all rows in the order of their keys.
func (v *view) each(ctx context.Context, emit func(key, row) error) error {
	changed := slices.SortedFunc(maps.Keys(v.heads), key.compare)
	fresh := func(upTo *key) error {
		for len(changed) > 0 && (upTo == nil || changed[0].compare(*upTo) <= 0) {
			k := changed[0]
			changed = changed[1:]
			r, ok, err := v.row(k)
			if err != nil {
				return err
			}
			if ok {
				if err := emit(k, r); err != nil {
					return err
				}
			}
		}
		return nil
	}
	err := v.base.each(ctx, func(k key, r row) error {
		if err := fresh(&k); err != nil {
			return err
		}
		if _, ok := v.heads[k]; ok {
			return nil // emitted as changed, or moved away
		}
		return emit(k, r)
	})
	if err != nil {
		return err
	}
	return fresh(nil)
}
