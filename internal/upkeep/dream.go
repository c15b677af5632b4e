package upkeep

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/score"
	"github.com/pimento-memory/pimento/internal/think"
)

// DreamSource is the source of proposals that a dream made.
const DreamSource = "dream"

// DreamFacts are what a dream looks at.
type DreamFacts struct {
	Now      time.Time
	Entries  []Known
	Sessions []Session     // of which none has been read yet, oldest first
	Most     int           // how many of them are read at most
	Scope    pimento.Scope // of what is new
	Policy   score.Policy
}

// A Session is what is known of a past session.
type Session struct {
	ID        string
	Time      time.Time // of the last thing known of it
	Said      string    // what its user said, message after message
	Messages  int       // how many that were
	Summaries []string  // of its compactions
	Edited    []string  // files that its agent wrote
}

// What an act does.
const (
	ActWrite = "write" // something new; with replaced entries, in their place
	ActMerge = "merge" // several entries become one
	ActDrop  = "drop"  // an entry goes to the archive
)

// An Act is one change that a dream proposes.
type Act struct {
	What      string
	Relation  Relation // of a dropped entry to the one that stays, where words alone told
	Proposal  pimento.Proposal
	Replaced  []Known // the entries that Proposal.Replaces names
	Stays     Known   // the entry in whose favour one is dropped, where there is one
	ByAnother bool    // a language model proposed it
}

// A Skill is a workflow that sessions repeated, to be written down as one.
type Skill struct {
	Name        string   `json:"name"`
	Description string   `json:"description"`
	Steps       []string `json:"steps"`
}

// Dreamt is what came of a dream.
type Dreamt struct {
	Acts    []Act
	Decide  []Pair // what contradicts: a person must say which one holds
	Skills  []Skill
	Read    []string // sessions that the model was given
	Passed  int      // sessions with nothing to learn from
	Left    int      // sessions for the next dream
	Through time.Time
	AtOnce  []string // the sessions whose time is Through
	Thrown  []string // what of the model's answer was not taken, and why
	Thought think.Thought
}

// Dream looks through memory and through sessions that were not read yet, and
// proposes what to write, merge and drop. Nothing is changed, and nothing that is
// pinned is ever proposed to be.
//
// By words alone it finds duplicates, near duplicates, what is superseded and
// what has faded. A Thinker, nil for none, reads the sessions that pass a gate
// (see [Session.Worth]) beside the entries. What it says is a stranger's: a text
// is only taken when the words, and every number and name, of it are found in
// what it was given, and what it merges must hold all that the merged ones name.
//
// With an error, which is the Thinker's, the dream holds what words alone found,
// and no session counts as read.
func Dream(ctx context.Context, f DreamFacts, th think.Thinker) (Dreamt, error) {
	w := waking{f: f, touched: map[pimento.Occurrence]bool{}}
	var said ideas
	var read []Session
	var err error
	if th != nil {
		read, said, err = w.listen(ctx, th)
	}
	w.settle(w.fresh(said.Remember, read))
	for _, m := range said.Merge {
		w.merge(m)
	}
	for _, x := range said.Drop {
		w.dropNamed(x)
	}
	for _, k := range Stale(f.Entries, f.Policy, f.Now) {
		w.drop(k, "", "it has faded: nobody has said it since "+k.Said().Format(time.DateOnly), false)
	}
	w.skills(said.Skills, read)
	return w.d, err
}

// A waking turns what was dreamt into acts.
type waking struct {
	f       DreamFacts
	d       Dreamt
	touched map[pimento.Occurrence]bool // entries that an act is about already
}

// listen asks the Thinker about the sessions that are worth it, as many as it
// has room for.
func (w *waking) listen(ctx context.Context, th think.Thinker) ([]Session, ideas, error) {
	worth, _ := choose(w.f.Sessions, w.f.Most)
	ask := dreamAsk()
	material, fit := w.material(worth, th.Room(ask))
	read, upTo := choose(w.f.Sessions, fit)
	var said ideas
	if len(read) > 0 {
		ask.Material = material
		t, err := th.Think(ctx, ask)
		w.d.Thought = t
		if err == nil {
			err = t.JSON(&said)
		}
		if err != nil {
			w.d.Left = len(w.f.Sessions)
			return nil, ideas{}, err
		}
	}
	for _, s := range read {
		w.d.Read = append(w.d.Read, s.ID)
	}
	w.d.Passed, w.d.Left = upTo-len(read), len(w.f.Sessions)-upTo
	if upTo > 0 {
		w.d.Through = w.f.Sessions[upTo-1].Time
		for _, s := range w.f.Sessions[:upTo] {
			if s.Time.Equal(w.d.Through) {
				w.d.AtOnce = append(w.d.AtOnce, s.ID)
			}
		}
	}
	return read, said, nil
}

// choose picks the first n sessions that are worth reading; all before upTo have
// been dealt with then.
func choose(all []Session, n int) (worth []Session, upTo int) {
	for i, s := range all {
		if !s.Worth() {
			continue
		}
		if len(worth) == n {
			return worth, i
		}
		worth = append(worth, s)
	}
	return worth, len(all)
}

// fresh are the new statements that hold against what was read.
func (w *waking) fresh(said []newIdea, read []Session) []Known {
	grounds := groundsOf(read)
	var out []Known
	for _, n := range said[:min(len(said), maxIdeas)] {
		k, why := n.check(grounds, w.f)
		if why != "" {
			w.throw(n.Text, why)
			continue
		}
		out = append(out, k)
	}
	return out
}

// settle acts on what entries are to each other, the new ones among them.
func (w *waking) settle(fresh []Known) {
	isNew := map[pimento.Occurrence]bool{}
	for _, k := range fresh {
		isNew[k.Occurrence] = true
	}
	replaced := map[pimento.Occurrence][]Pair{} // by the new entry
	known := map[pimento.Occurrence]bool{}      // new entries that stand there already
	for _, p := range Pairs(slices.Concat(w.f.Entries, fresh)) {
		keep, drop := isNew[p.Keep.Occurrence], isNew[p.Drop.Occurrence]
		switch {
		case drop && (p.Relation == Duplicate || p.Relation == Near):
			known[p.Drop.Occurrence] = true
			w.throw(p.Drop.Text, "it stands there already: "+p.Keep.Text)
		case keep && !drop && p.Relation != Contradiction && !p.Drop.Pinned:
			replaced[p.Keep.Occurrence] = append(replaced[p.Keep.Occurrence], p)
		case keep || drop: // a contradiction is told with the act
			p = newFirst(p, drop)
			replaced[p.Keep.Occurrence] = append(replaced[p.Keep.Occurrence], p)
		case p.Relation == Contradiction || p.Drop.Pinned:
			w.d.Decide = append(w.d.Decide, p)
		default:
			if a := w.drop(p.Drop, p.Relation, p.Reason+": "+p.Keep.Text, false); a != nil {
				a.Stays = p.Keep
			}
		}
	}
	for _, k := range fresh {
		if !known[k.Occurrence] {
			w.write(k, replaced[k.Occurrence])
		}
	}
}

// newFirst is a pair with the new entry as the one that is kept, as something
// for a person to decide.
func newFirst(p Pair, swap bool) Pair {
	if swap {
		p.Keep, p.Drop = p.Drop, p.Keep
	}
	p.Relation = Contradiction
	return p
}

// write proposes a new entry, in the place of what it supersedes.
func (w *waking) write(k Known, about []Pair) {
	a := Act{What: ActWrite, ByAnother: true, Proposal: pimento.Proposal{Text: k.Text, Kind: k.Kind, Scope: k.Scope, Cue: score.CueBehavioral,
		Source: DreamSource, Reason: k.Heading}}
	for _, p := range about {
		if p.Relation == Contradiction {
			a.Proposal.Reason = join(a.Proposal.Reason, "it contradicts: "+p.Drop.Text)
			continue
		}
		if w.touched[p.Drop.Occurrence] {
			continue
		}
		w.replace(&a, p.Drop)
		a.Proposal.Reason = join(a.Proposal.Reason, p.Reason+": "+p.Drop.Text)
	}
	w.d.Acts = append(w.d.Acts, a)
}

// merge proposes one entry in the place of several.
func (w *waking) merge(m mergeIdea) {
	var all []Known
	for _, n := range m.Numbers {
		if k, ok := w.numbered(n); ok && !slices.ContainsFunc(all, func(o Known) bool { return o.Occurrence == k.Occurrence }) {
			all = append(all, k)
		}
	}
	if why := w.speaksAgainst(m.Text, all); why != "" {
		w.throw(m.Text, why)
		return
	}
	a := Act{What: ActMerge, ByAnother: true, Proposal: pimento.Proposal{Text: oneLine(m.Text), Kind: all[0].Kind, Scope: all[0].Scope,
		Page: all[0].Page, Cue: score.CueBehavioral, Source: DreamSource, Reason: oneLine(m.Why)}}
	for _, k := range all {
		w.replace(&a, k)
	}
	w.d.Acts = append(w.d.Acts, a)
}

func (w *waking) dropNamed(x dropIdea) {
	k, ok := w.numbered(x.Number)
	why := oneLine(x.Why)
	switch {
	case !ok:
		w.throw(fmt.Sprintf("entry %d", x.Number), "there is no such entry")
	case why == "":
		w.throw(k.Text, "no reason to drop it")
	default:
		w.drop(k, "", why, true)
	}
}

// drop proposes to archive an entry, unless it is pinned or spoken for: then it
// returns nil.
func (w *waking) drop(k Known, r Relation, why string, byAnother bool) *Act {
	if k.Pinned || w.touched[k.Occurrence] {
		return nil
	}
	a := Act{What: ActDrop, Relation: r, ByAnother: byAnother, Proposal: pimento.Proposal{Scope: k.Scope, Page: k.Page, Source: DreamSource, Reason: why}}
	w.replace(&a, k)
	w.d.Acts = append(w.d.Acts, a)
	return &w.d.Acts[len(w.d.Acts)-1]
}

func (w *waking) replace(a *Act, k Known) {
	w.touched[k.Occurrence] = true
	a.Proposal.Replaces, a.Proposal.Archive = append(a.Proposal.Replaces, k.Occurrence.String()), true
	a.Replaced = append(a.Replaced, k)
}

func (w *waking) throw(text, why string) {
	w.d.Thrown = append(w.d.Thrown, oneLine(text)+": "+why)
}
