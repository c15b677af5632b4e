package engine

import (
	"encoding/json"
	"sync"

	"github.com/pimento-memory/pimento/internal/journal"
	"github.com/pimento-memory/pimento/internal/session"
)

// seenEvery is how far a journal grows, in bytes, before a session notes that it
// has looked so far.
const seenEvery = 32 << 10

// A look is how far a root's journal was looked through for what a session must be
// told.
type look struct {
	seen  journal.Mark
	noted int64 // the offset that the session's file knows of
}

// looksKept is how many prefixes' looks a process remembers.
const looksKept = 64

// looks are those of this process, by prefix and root.
type looks struct {
	mu   sync.Mutex
	last map[session.Key]map[string]look
}

func (ls *looks) of(k session.Key, root string) (l look, ok bool) {
	ls.mu.Lock()
	defer ls.mu.Unlock()
	l, ok = ls.last[k][root]
	return l, ok
}

func (ls *looks) keep(k session.Key, root string, l look) {
	ls.mu.Lock()
	defer ls.mu.Unlock()
	if ls.last == nil || len(ls.last) >= looksKept && ls.last[k] == nil {
		ls.last = map[session.Key]map[string]look{} // the others look through a little once more
	}
	if ls.last[k] == nil {
		ls.last[k] = map[string]look{}
	}
	ls.last[k][root] = l
}

// lookOf is the latest look into a root's journal that is known of: that of this
// process, or of the session's file, or where the journal stood at the prefix.
func (t *turn) lookOf(root string) (l look, ok bool) {
	if l, ok := t.e.looks.of(t.frozen.Key, root); ok {
		return l, true
	}
	raw, ok := t.frozen.Marks[root]
	if t.state.SeenFor == t.frozen.Key {
		if seen, later := t.state.Seen[root]; later {
			raw = seen
		}
	}
	ok = ok && json.Unmarshal(raw, &l.seen) == nil
	l.noted = l.seen.Off
	return l, ok
}

// advance notes that a journal was read up to a position, which carries the news
// along.
func (t *turn) advance(root string, from look, to journal.Mark) {
	if t.Session == "" {
		return
	}
	if to.Off-from.noted >= seenEvery {
		if t.seen == nil {
			t.seen = map[string]json.RawMessage{}
		}
		t.seen[root], _ = json.Marshal(to)
		from.noted = to.Off
	}
	t.e.looks.keep(t.frozen.Key, root, look{to, from.noted})
}
