// Package recall answers a question from the indexes of one or several memory
// roots. It ranks and explains; it holds no state, writes nothing, and touches
// the world only through the [index.Reader]s and the text getters it is given.
//
// The idea is a ladder of cheap steps, each of which was measured to help:
//
//  1. The question becomes terms (package text): stems, exact forms, parts of
//     identifiers, CJK characters and pairs, tags. Stop words are gone, weak
//     words count half. The terms are OR'ed, never AND'ed: a prompt has many
//     words that no memory holds.
//  2. Each root is searched with BM25. The rarity of a term (idf) is computed
//     from the statistics summed over all roots, so that scores of a small and a
//     large root can be compared. More is fetched than asked for, because the
//     next steps reorder and drop.
//  3. One hit per statement: what several pages say is answered once, in its
//     most specific scope.
//  4. The best are read again from their pages, and get what an index of single
//     terms cannot see: adjacent words of the question that are adjacent in the
//     text, and the coverage of the question, which is the share of its
//     idf mass that the entry holds.
//  5. Small priors (standing, pins) break what is nearly a tie. They are never
//     large enough to lift an entry over one that answers clearly better.
//
// Coverage also decides abstention: an entry that holds only a common word of
// the prompt is no answer, and an irrelevant memory makes an agent worse. So a
// caller that injects sets a floor, and nothing at all may be the right answer.
//
// The later rungs (passages, neighbours, whole-page score, links, superseded
// entries, vectors) go between steps 4 and 5; each adds a named factor in the
// same units.
package recall

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/index"
	"github.com/pimento-memory/pimento/internal/text"
)

// A Source is one memory root that can be asked.
type Source struct {
	Scope  pimento.Scope
	Reader index.Reader // nil means that the root could not be opened
	// Text reads the entry again from its page. An error drops the hit with a
	// fault, which is how an entry that was edited a moment ago is treated when
	// it is no longer there. Nil makes hits without text.
	Text func(ctx context.Context, page string, d index.Doc) (pimento.Entry, error)
}

// Options of an answer. The zero value is what a person's question wants.
type Options struct {
	Limit int // hits when the query names no limit; 0 means 10
	// MinCoverage is the share of the question's idf mass that a hit must hold
	// to be returned, 0 for no floor. Set it where hits are injected unasked.
	MinCoverage float64
	// QueryChars cuts a longer question to its beginning and end, half each, in
	// runes: people paste a log and ask before or after it. 0 means 4,000.
	QueryChars int
	// DeniedScopes are inert for lack of consent. Asking for nothing else is
	// answered with status denied; without being asked for they are not named.
	DeniedScopes []pimento.Scope
	// Prior says how much each entry is worth apart from the question, from 0 to
	// 1, for all that are read again at once; nil means that all are worth the
	// same. See [Params.Prior].
	Prior func([]pimento.Entry) []float64
	// Known, when set, says what the asker has already. It is not read again and
	// takes no hit's place; the best of it are named in the answer.
	Known func(pimento.Statement) bool
	// Skip, when set, leaves out what the caller does not want to see, such as
	// the logs of other projects. It is not asked when the query says All.
	// Of the matches of one root it returns those to keep.
	Skip func(scope pimento.Scope, ms []index.Match) []index.Match
	// Params are the constants of the ranking; the zero value means [DefaultParams].
	Params Params
	// Analyzer, when set, remembers the stems of earlier questions. It is for one
	// answer at a time.
	Analyzer *text.Analyzer
}

const (
	defaultLimit = 10
	defaultChars = 4000
	archiveDir   = "archive/"
)

// Answer finds the entries that answer the query, best first. It returns no
// error: what is missing is a fault in the answer, and Status says how to read
// the whole.
//
//   - ok: there are hits (perhaps with faults about roots that did not answer);
//   - no_match: everything that could be asked was asked, and nothing fits;
//   - denied: only scopes without consent were asked for;
//   - malformed: the question is empty or holds nothing but control characters;
//   - unavailable: there are roots, and none of them could be opened;
//   - backend_error: nothing was found and at least one index failed.
//
// When ctx ends, what was found until then is returned with a "deadline" fault.
// Equal scores are ordered by specificity of scope, page, and position.
func Answer(ctx context.Context, q pimento.Query, roots []Source, opts Options) pimento.Answer {
	question := cut(clean(q.Text), opts.QueryChars)
	if question == "" {
		return pimento.Answer{Status: pimento.Malformed}
	}
	a := asking{q: q, opts: opts, params: opts.Params.orDefault(), limit: limitOf(q, opts)}
	if st := a.choose(roots); st != "" {
		return pimento.Answer{Status: st, Faults: a.faults}
	}
	a.words = analyse(question, a.params, opts.Analyzer)
	if len(a.words.terms) == 0 {
		return a.answer(nil)
	}
	if !a.weigh(ctx) {
		return a.answer(nil)
	}
	return a.answer(a.rank(ctx, a.search(ctx)))
}

// asking is one question on its way to an answer.
type asking struct {
	q      pimento.Query
	opts   Options
	params Params
	limit  int
	roots  []Source
	words  words
	avgLen float32
	faults []pimento.Fault
	known  []pimento.Occurrence
	broken bool // an index failed
}

func limitOf(q pimento.Query, opts Options) int {
	switch {
	case q.Limit > 0:
		return q.Limit
	case opts.Limit > 0:
		return opts.Limit
	}
	return defaultLimit
}

// clean turns control characters into spaces and trims.
func clean(s string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, s))
}

// cut keeps n runes of s, half from each end. It looks at no more bytes than it
// keeps, however long s is.
func cut(s string, n int) string {
	if n <= 0 {
		n = defaultChars
	}
	if len(s) <= n {
		return s
	}
	head := prefixRunes(s, (n+1)/2)
	tail := suffixRunes(s[len(head):], n/2)
	if len(head)+len(tail) == len(s) {
		return s
	}
	return head + " " + tail
}

func prefixRunes(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

func suffixRunes(s string, n int) string {
	at := len(s)
	for ; n > 0 && at > 0; n-- {
		at--
		for at > 0 && s[at]&0xc0 == 0x80 {
			at--
		}
	}
	return s[at:]
}

// choose keeps the roots that may and can be asked. A status other than ""
// ends the question.
func (a *asking) choose(roots []Source) pimento.Status {
	denied := 0
	for _, s := range a.q.Scopes {
		if slices.Contains(a.opts.DeniedScopes, s) {
			denied++
			a.fault("consent", "no consent to read the "+string(s)+" memory")
		}
	}
	if denied > 0 && denied == len(a.q.Scopes) {
		return pimento.Denied
	}
	closed := 0
	for _, r := range roots {
		switch {
		case slices.Contains(a.opts.DeniedScopes, r.Scope),
			len(a.q.Scopes) > 0 && !slices.Contains(a.q.Scopes, r.Scope):
		case r.Reader == nil:
			closed++
			a.fault("index", "the "+string(r.Scope)+" memory could not be opened")
		default:
			a.roots = append(a.roots, r)
		}
	}
	if closed > 0 && len(a.roots) == 0 {
		return pimento.Unavailable
	}
	return ""
}

func (a *asking) fault(kind, detail string) {
	for _, f := range a.faults {
		if f.Kind == kind && f.Detail == detail {
			return
		}
	}
	a.faults = append(a.faults, pimento.Fault{Kind: kind, Detail: detail})
}

// failed records an error of an index or page read, or the end of the time.
func (a *asking) failed(ctx context.Context, what string, err error) {
	if ctx.Err() != nil || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		a.fault("deadline", "the time was over before all was searched")
		return
	}
	a.broken = true
	a.fault("index", what+": "+err.Error())
}

// late reports, and records, that the time is over.
func (a *asking) late(ctx context.Context) bool {
	if ctx.Err() == nil {
		return false
	}
	a.failed(ctx, "", ctx.Err())
	return true
}

func (a *asking) answer(hits []pimento.Hit) pimento.Answer {
	st := pimento.OK
	switch {
	case len(hits) > 0:
	case a.broken:
		st = pimento.BackendError
	default:
		st = pimento.NoMatch
	}
	return pimento.Answer{Status: st, Hits: hits, Known: a.known, Faults: a.faults}
}

// weigh gives each term its idf over all roots. A root whose statistics cannot
// be read is not asked further. It reports whether any term exists anywhere.
func (a *asking) weigh(ctx context.Context) bool {
	names := a.words.names()
	sum := index.Stats{DF: make([]int, len(names))}
	alive := a.roots[:0:0]
	for _, r := range a.roots {
		st, err := r.Reader.Stats(ctx, names)
		if err != nil {
			a.failed(ctx, string(r.Scope), err)
			continue
		}
		alive = append(alive, r)
		sum.Docs += st.Docs
		sum.Len += st.Len
		for i, n := range st.DF {
			sum.DF[i] += n
		}
	}
	a.roots = alive
	if sum.Docs == 0 {
		return false
	}
	a.avgLen = max(float32(sum.Len)/float32(sum.Docs), 1)
	return a.words.weigh(sum)
}

// A candidate is a match on its way to a hit.
type candidate struct {
	root  *Source
	match index.Match
	entry pimento.Entry
	score float64 // BM25 as the index computed it, and what ranking adds
	share float64 // coverage
	why   []pimento.Factor
}

// search asks every root, and again for more where filters dropped too many.
func (a *asking) search(ctx context.Context) []candidate {
	var out []candidate
	for i := range a.roots {
		for fetch := max(a.params.Fetch, 2*a.limit); ; fetch *= 4 {
			if a.late(ctx) {
				return out
			}
			found, more, ok := a.ask(ctx, &a.roots[i], fetch)
			if !ok {
				break
			}
			if a.unknown(found) >= a.limit || !more || fetch >= a.params.FetchMax {
				out = append(out, found...)
				break
			}
		}
	}
	return oneEach(out)
}

// unknown counts the candidates that the asker does not have yet.
func (a *asking) unknown(cs []candidate) (n int) {
	for _, c := range cs {
		if a.opts.Known == nil || !a.opts.Known(c.match.Doc.Statement) {
			n++
		}
	}
	return n
}

// ask searches one root for fetch docs; more says that there may be others.
func (a *asking) ask(ctx context.Context, r *Source, fetch int) (found []candidate, more, ok bool) {
	ms, err := r.Reader.Search(ctx, index.Query{
		Terms: a.words.weighted(), K1: a.params.K1, B: a.params.B, AvgLen: a.avgLen, Limit: fetch,
	})
	if err != nil {
		a.failed(ctx, string(r.Scope), err)
		return nil, false, false
	}
	more = len(ms) == fetch
	ms = slices.DeleteFunc(ms, func(m index.Match) bool { return !a.wants(m.Page, m.Doc) })
	if a.opts.Skip != nil && !a.q.All {
		ms = a.opts.Skip(r.Scope, ms)
	}
	for _, m := range ms {
		found = append(found, candidate{root: r, match: m, score: float64(m.Score)})
	}
	return found, more, true
}

// wants applies the filters: kinds, finished tasks, archived pages.
func (a *asking) wants(page string, d index.Doc) bool {
	if len(a.q.Kinds) > 0 && !slices.Contains(a.q.Kinds, d.Kind) {
		return false
	}
	if a.q.All {
		return true
	}
	if d.Flags&index.Task != 0 && d.Flags&index.Done != 0 && !slices.Contains(a.q.Kinds, pimento.KindTask) {
		return false
	}
	return !strings.HasPrefix(page, archiveDir)
}

// oneEach sorts and keeps each statement once: where it stands in its most
// specific scope, with the best score that any of its places got.
func oneEach(cs []candidate) []candidate {
	slices.SortFunc(cs, better)
	at := map[pimento.Statement]int{}
	out := cs[:0:0]
	for _, c := range cs {
		i, seen := at[c.match.Doc.Statement]
		if !seen {
			at[c.match.Doc.Statement] = len(out)
			out = append(out, c)
			continue
		}
		if c.root.Scope.Specificity() > out[i].root.Scope.Specificity() {
			c.score = out[i].score
			out[i] = c
		}
	}
	return out
}

// better orders candidates: score, specificity, page, position.
func better(x, y candidate) int {
	switch {
	case x.score != y.score:
		if x.score > y.score {
			return -1
		}
		return 1
	case x.root.Scope != y.root.Scope:
		return y.root.Scope.Specificity() - x.root.Scope.Specificity()
	case x.match.Page != y.match.Page:
		return strings.Compare(x.match.Page, y.match.Page)
	}
	return x.match.Doc.Span.Start - y.match.Doc.Span.Start
}
