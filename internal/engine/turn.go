package engine

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/inject"
	"github.com/pimento-memory/pimento/internal/mirror"
	"github.com/pimento-memory/pimento/internal/news"
	"github.com/pimento-memory/pimento/internal/recall"
	"github.com/pimento-memory/pimento/internal/session"
	"github.com/pimento-memory/pimento/internal/text"
	"github.com/pimento-memory/pimento/internal/vault"
	"github.com/pimento-memory/pimento/internal/watch"
)

// A Reply is the answer to a turn. After does the bookkeeping (events, trace,
// session file, the rest of the index) and must be called once the answer has
// been handed out; it never fails the caller.
type Reply struct {
	Block   pimento.Block
	Notices []Notice // for the person, said once
	Consent *Consent // set when a project's memory waits for a yes
	After   func(context.Context)
	Grace   time.Duration // After may take so long, beyond a moment; a door that ends waits for it
}

// A Notice is one line for the person. Each door gives commands in its own way.
type Notice struct {
	Text string
	Hint string // what to do about it, with commands as in a shell; "" for nothing
}

// Consent describes a project's memory that this user has not agreed to yet.
type Consent struct {
	Needed  bool   `json:"needed"`
	Project string `json:"project"`
	Pages   int    `json:"pages"`
	Detail  string `json:"detail"`
}

// A turn is one harness event on its way through the engine.
type turn struct {
	pimento.Turn
	e        *Engine
	v        *view
	settling watch.Settling
	state    session.State
	fresh    map[*store][]pimento.Event // what this turn's syncs saw, not yet in a journal
	behind   bool                       // a sync ran out of time
	started  time.Time
	id       string // of a prompt: its trace's
	frozen   session.Frozen
	isNew    bool // the prefix was made by this turn
	gives    bool // the prefix goes into a conversation that does not hold it
	inCtx    map[string]bool
	inPart   map[string]bool // statements of which inCtx holds a part
	inPrefix map[string]bool
	block    pimento.Block
	plain    *pimento.Block             // the block without what is encrypted on disk, nil when nothing of it is
	shown    map[string]shownEntry      // what the tail may hold, by id
	seen     map[string]json.RawMessage // journals looked through without news, for the session's file

	found   []pimento.Occurrence // what recall found for the prompt
	pastIDs map[string]bool      // past sessions that the tail may hold
	class   string               // of the prompt, "" for none
	judges  *pimento.Trace       // of the prompt whose answer a turn's end brings
	cooled  []Move               // topics that this turn archived

	reminded  bool     // the files that were edited have been looked up
	taken     []string // what overhear found
	later     []Note   // of it, what is written once the answer is out: others were writing
	unflushed bool     // others were writing at a boundary, too
	told      []Notice // what became of what the user said in passing
	shownOnce []string // see shownTexts

	frozenTrace   []pimento.Decision                      // of the prefix, when this turn made it
	builtFrom     *inject.Facts                           // the prefix, when this turn made it
	tailFrom      *inject.Facts                           // the tail; nil when there is one block for each turn
	injectedTexts map[*store]map[pimento.Statement]string // see lastInjected
}

// Turn answers a harness event. It never fails: what is missing is a fault in
// the block.
func (e *Engine) Turn(ctx context.Context, in pimento.Turn) Reply {
	ctx, cancel := context.WithTimeout(ctx, e.opt.Deadline)
	defer cancel()
	t := e.begin(ctx, in)
	t.overhear(ctx)
	switch in.Event {
	case pimento.SessionStart, pimento.PromptTurn, "":
		t.emptied(ctx)
		t.answer(ctx)
	case pimento.ToolUsed:
		t.toolUsed(ctx)
	case pimento.BeforeCompact:
		t.compacting(ctx)
		t.v.faultErr("handoff", t.e.handoffLate(ctx, in))
	case pimento.AfterCompact:
		t.compacted(ctx)
	case pimento.TurnEnd:
		t.ended(ctx)
	}
	if reason := t.boundary(); reason != "" && in.Event != pimento.SessionStart {
		err := t.e.flush(ctx, t.v) // before what was known of it is gone
		if t.unflushed = errors.Is(err, context.DeadlineExceeded); !t.unflushed {
			t.v.faultErr("flush", err)
		}
	}
	t.block.TraceID = t.id
	t.block.Profile, t.block.Session = t.v.profile.Name, in.Session
	if t.block.Status == "" {
		t.block.Status = pimento.OK
	}
	t.block.Faults = append(t.block.Faults, t.v.faults...)
	return Reply{Block: t.handedOut(), Notices: t.notices(), Consent: t.consent(ctx), After: t.after, Grace: t.grace()}
}

// begin looks at what an event finds.
func (e *Engine) begin(ctx context.Context, in pimento.Turn) *turn {
	started := e.opt.Clock()
	if in.Untrusted {
		e = e.WithoutProject()
	}
	var s watch.Settling
	switch in.Event {
	case pimento.SessionStart, pimento.PromptTurn, "":
		s = e.watch.Settle() // whatever was edited before the prompt came
	}
	t := &turn{Turn: in.Bounded(), e: e, settling: s, v: e.look(ctx), fresh: map[*store][]pimento.Event{}, started: started}
	t.suit(&t.v.profile)
	t.load(ctx)
	if t.Event == pimento.PromptTurn && !t.silent() {
		t.id = e.newID()
		e.prompts.begin(t.Session, t.id)
	}
	return t
}

// load reads the session's state.
func (t *turn) load(ctx context.Context) {
	if t.Session == "" {
		return
	}
	st, err := t.e.sessions.Load(ctx, t.Harness, t.Session)
	t.v.faultErr("session", err)
	t.state = st
	if t.state.Epoch == 0 && t.state.Started.IsZero() && t.Parent != "" {
		t.v.faultErr("session", t.inherit(ctx))
	}
}

// inherit takes over what a fork's session knew of its parent: memory on or
// off. The prefix bytes follow in freeze.
func (t *turn) inherit(ctx context.Context) error {
	parent, err := t.e.sessions.Load(ctx, t.Harness, t.Parent)
	if err == nil {
		t.state.Off = parent.Off
	}
	return err
}

// silent says whether memory is switched off for this turn.
func (t *turn) silent() bool { return t.Off || t.state.Off || !t.v.enabled }

// answer builds the block of a session start or a prompt.
func (t *turn) answer(ctx context.Context) {
	if t.silent() {
		t.settling.Done(ctx)
		return
	}
	t.sync(ctx)
	t.cool(ctx)
	t.contextIDs()
	if t.v.profile.Snapshot == "per-turn" {
		t.buildWhole(ctx)
		return
	}
	t.freeze(ctx)
	t.inPrefix = make(map[string]bool, len(t.frozen.IDs))
	for _, id := range t.frozen.IDs {
		t.inPrefix[id] = true
	}
	f := inject.Facts{Profile: t.v.profile, Today: t.e.Today(), SystemTokens: t.SystemTokens, InContext: t.inCtx, Items: map[pimento.Pick][]inject.Item{},
		Prefix: &inject.FrozenPrefix{Text: t.frozen.Prefix, IDs: t.frozen.IDs, Sections: t.frozen.Sections}}
	t.lay(&f)
	if t.Event == pimento.SessionStart {
		t.inCtx[inject.CapacityID] = true // beside a message, which a start has not: pi shows nothing else of it
	} else {
		t.tail(ctx, &f)
	}
	t.tailFrom = t.assemble(f)
	t.block.Faults = append(t.block.Faults, t.frozen.Faults...) // as long as the prefix stands, so does what it lacks
	if t.isNew {
		t.block.Trace = append(t.frozenTrace, t.block.Trace...)
	}
}

// assemble makes the block, and returns the facts that may be written down with
// what they make.
func (t *turn) assemble(f inject.Facts) *inject.Facts {
	t.block = inject.Build(f)
	plain, sealed := withoutSealed(f)
	if sealed {
		t.plain = new(inject.Build(plain))
	}
	return &plain
}

// buildWhole renders one block per turn, as the older systems did.
func (t *turn) buildWhole(ctx context.Context) {
	f := t.prefixFacts(ctx)
	f.InContext, t.inCtx, t.inPart = nil, nil, nil // the whole block is sent anew: nothing is in context already
	t.hits(ctx, &f)
	t.running(&f)
	t.auditNotice(ctx, &f)
	t.builtFrom = t.assemble(f)
}

// sync brings the indexes up to the files, within what is left of the turn.
func (t *turn) sync(ctx context.Context) {
	settled := t.settling.Done(ctx)
	if len(t.taken) > 0 { // overhear may have written since
		settled = t.e.watch.Settle().Done(ctx)
	}
	for _, st := range t.v.stores {
		_, s, fault := st.Sync(ctx, mirror.Occasion{Settled: settled})
		t.v.synced(st, s, fault)
		if len(s.Events) > 0 {
			t.fresh[st] = append(t.fresh[st], s.Events...)
		}
		t.behind = t.behind || s.Behind
	}
}

// known says whether an id is in front of the model already: in the session's
// context or in its prefix. Of what is there in part another part may be wanted.
func (t *turn) known(id string) bool { return t.inCtx[id] && !t.inPart[id] || t.inPrefix[id] }

// contextIDs collects what is in the session's context already.
func (t *turn) contextIDs() {
	ids := t.InContext
	if ids == nil {
		ids = t.state.Shown
	}
	t.inCtx = make(map[string]bool, len(ids))
	for _, id := range ids {
		t.inCtx[id] = true
		if st, _, ok := strings.Cut(id, "@"); ok {
			if t.inPart == nil {
				t.inPart = map[string]bool{}
			}
			t.inPart[strings.TrimPrefix(st, "~")] = true
		}
	}
	if t.state.Warned { // once in a session, whatever a compaction took out of the context
		t.inCtx[inject.CapacityID] = true
	}
}

// tail adds the facts that go beside the user's message.
func (t *turn) tail(ctx context.Context, f *inject.Facts) {
	f.Changes = t.changes(ctx)
	for _, c := range f.Changes {
		if c.Op != news.Withdrawn && c.Statement != "" {
			t.offer(string(c.Statement), shownEntry{Scope: c.Scope, Page: c.Page, Text: c.Text})
		}
	}
	t.hits(ctx, f)
	t.running(f)
	t.auditNotice(ctx, f)
}

// hits adds what answers the prompt.
func (t *turn) hits(ctx context.Context, f *inject.Facts) {
	query := promptQuery(t.Prompt, t.v.profile.Recall.QueryChars)
	if query == "" || closer(query, t.v.profile.Recall.Closers) {
		return
	}
	t.reminders(ctx, f)
	t.classify(query, f)
	p := t.v.profile.Recall
	if p.Hits == 0 {
		return
	}
	a := t.e.search(ctx, t.v, pimento.Query{Text: t.Prompt, Limit: p.Hits, Now: t.e.Now()}, // with its lines, which tell what was pasted
		recall.Options{MinCoverage: p.MinCoverage, MinConfidence: p.MinConfidence, Unsure: p.Unsure, Least: p.Least, QueryChars: p.QueryChars, Quotes: t.quotes,
			Known: func(id pimento.Statement) bool { return t.known(string(id)) }, Stands: t.stands}, true)
	f.Known, f.Outdated, f.Quotes = a.Known, a.Outdated, a.Quotes
	t.found = append(t.found, a.Known...)
	t.v.faults = append(t.v.faults, a.Faults...)
	if a.Status == pimento.Unavailable || a.Status == pimento.BackendError {
		t.v.fault("recall", string(a.Status)) // an empty tail would look like "nothing known"
	}
	f.Items[pimento.PickHits] = slices.Grow(f.Items[pimento.PickHits], len(a.Hits))
	for _, h := range a.Hits {
		f.Items[pimento.PickHits] = append(f.Items[pimento.PickHits], inject.Item{Entry: h.Entry, Why: h.Why, Excerpt: h.Excerpt, Replaced: h.Replaced, Standing: t.e.since(ctx, t.v, h.Entry)})
		if vault.Sealed(h.Entry.Page) {
			continue // of those, nothing is noted
		}
		t.found = append(t.found, h.Entry.Occurrence)
		t.offer(string(h.Entry.Statement), shownEntry{h.Entry.Scope, h.Entry.Page, h.Entry.Text, h.Entry.Kind, h.Score})
	}
	t.sessionHits(ctx, f, query)
	t.relations(ctx, query, f)
}

// stands says whether a statement is among the changes that the tail tells.
func (t *turn) stands(id pimento.Statement) bool { _, ok := t.shown[string(id)]; return ok }

// relations adds how the things that the prompt names are related, when a
// section of the profile shows that.
func (t *turn) relations(ctx context.Context, query string, f *inject.Facts) {
	sec := t.v.profile.SectionOf(pimento.PickRelation)
	if sec == nil {
		return
	}
	for _, r := range t.e.relations(ctx, t.v, query, cmp.Or(sec.Max, relationsShown)) {
		line := r.String()
		f.Items[sec.Pick] = append(f.Items[sec.Pick], inject.Item{Entry: pimento.Entry{Kind: pimento.KindReference, Text: line,
			Occurrence: pimento.Occurrence{Scope: r.Scope, Page: r.Page, Statement: pimento.StatementOf(line)}}})
	}
}

// A shownEntry is what a session must be able to tell later of an entry that
// stood in its context.
type shownEntry struct {
	Scope pimento.Scope
	Page  string
	Text  string
	Kind  pimento.Kind // of what recall found for the prompt; "" for a change
	Score float64
}

func (t *turn) offer(id string, s shownEntry) {
	if t.shown == nil {
		t.shown = map[string]shownEntry{}
	}
	t.shown[id] = s
}

// promptChars is how much of a prompt is looked at where the profile does not say.
const promptChars = 4000

// promptQuery is what was typed of a prompt as one line: without control characters, cut
// to limit characters, 0 for promptChars.
func promptQuery(prompt string, limit int) string {
	limit = cmp.Or(limit, promptChars)
	if typed := text.Typed(prompt); strings.TrimSpace(typed) != "" {
		prompt = typed
	}
	n := 0
	s := strings.Map(func(r rune) rune {
		if n++; n > limit {
			return -1
		}
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, text.ClipBytes(prompt, utf8.UTFMax*limit)) // of a megabyte no more is gone through
	return strings.TrimSpace(s)
}

// closer says whether a prompt only closes the exchange ("ok", "thanks", a
// thumbs-up) or several times so ("Great, thanks!"), for which nothing is worth
// recalling.
func closer(query string, closers []string) bool {
	if len(closers) == 0 {
		return false
	}
	wordless := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	n := 0
	for said := range strings.FieldsFuncSeq(strings.ToLower(query), func(r rune) bool { return strings.ContainsRune(".,;!…。，、！；\n", r) }) {
		if said = strings.TrimFunc(said, func(r rune) bool { return wordless(r) && r != '?' }); said == "" {
			continue
		}
		if n++; !slices.Contains(closers, said) {
			n = 0
			break
		}
	}
	return n > 0 || len([]rune(query)) <= 8 && strings.TrimFunc(query, wordless) == ""
}
