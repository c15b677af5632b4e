// Package recall answers a question from the indexes of one or several memory
// roots. It ranks and explains; it holds no state, writes nothing, and touches
// the world only through the [index.Reader]s, the getters and the embedder it is
// given.
//
// The idea is a ladder of cheap steps, each of which was measured to help, and
// each of which can be switched off by its constant in [Params]. Of a prompt with pasted
// lines several readings are asked ([text.Readings]), unless what was typed is answered.
//
//  1. The question becomes terms (package text): stems, exact forms, parts of
//     identifiers, CJK characters and pairs, tags, words of the metadata. Stop
//     words are gone, weak words count half. The terms are OR'ed, never AND'ed: a
//     prompt has many words that no memory holds. Each is asked for in other
//     words for the same, too, of which a hit counts the best; "how long" and its
//     like as the words that answers to it have; a word that nobody wrote and the
//     table of words does not know in the spelling that comes nearest; in other
//     languages than English, where that table has no part, a word that nobody wrote
//     by what it begins with (factor "compound"); a time that
//     the question names ("last spring") as dates; somebody whom it names, or means
//     by "I" and "you" where users talk to assistants, as the author.
//  2. Each root is searched with BM25 (package index): an entry counts by its
//     best passage and as a whole, and gains from a page about the matter and from
//     its neighbours; what is known beside its text (who, when, where) counts as much
//     for a long one. The rarity of a term (idf) is computed from the statistics
//     summed over all roots, so that scores of a small and a large root can be
//     compared. More is fetched than asked for, because the next steps reorder
//     and drop.
//  3. One hit per statement: what several pages say is answered once, in its
//     most specific scope.
//  4. What says the same without sharing a word comes from vectors, as far as words
//     have not found an answer, the time that was asked for included, and as far as
//     the built-in table knows the question's words; a model counts a little in any
//     case. As far as that, coverage and links count less. Then
//     the coverage of the question counts, which is the share of its idf mass that
//     an entry holds, and less what only the turns before it in a talk hold, the time
//     it names, and, read again from the pages as long as
//     it can change the order, adjacent words of the question that are adjacent in
//     the text.
//  5. What the best link to, and what links to them, comes along.
//  6. Where the prompt gives a task, entries that lay down a rule gain (a part of the
//     factor "answer"). Small priors (standing, pins, age) break what is nearly a tie. They are
//     never large enough to lift an entry over one that answers clearly better.
//  7. At last, what another hit replaces, or seems to be a later state of, steps
//     behind it, and is left out where the asker has that one already. Who replaces
//     a hit is as good an answer, and a chain of those is followed to its end.
//
// Coverage also decides abstention: an entry that holds only a common word of
// the prompt is no answer, and an irrelevant memory makes an agent worse. So a
// caller that injects sets a floor, and nothing at all may be the right answer.
// There, a time that was asked for and met counts as covered, too, and a name
// that an entry lacks counts against it more than a word. A prompt that says hardly
// anything ("try again") is about nothing.
package recall

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/embed"
	"github.com/pimento-memory/pimento/internal/index"
	"github.com/pimento-memory/pimento/internal/index/vectors"
	"github.com/pimento-memory/pimento/internal/text"
	"github.com/pimento-memory/pimento/internal/when"
)

// A Source is one memory root that can be asked.
type Source struct {
	Scope  pimento.Scope
	Reader index.Reader // nil means that the root could not be opened
	// Text reads the entry again from its page. An error drops the hit with a
	// fault, which is how an entry that was edited a moment ago is treated when
	// it is no longer there. Nil makes hits without text.
	Text func(ctx context.Context, page string, d index.Doc) (pimento.Entry, error)
	// Near finds the n statements whose vectors by an embedder are nearest to one,
	// nearest first; nil where there are no vectors.
	Near func(ctx context.Context, by embed.Embedder, vector []float32, n int) ([]vectors.Near, error)
}

// Options of an answer. The zero value is what a person's question wants.
type Options struct {
	Limit int // hits when the query names no limit; 0 means 10
	// MinCoverage is the share of the question's idf mass that a hit must hold
	// to be returned, 0 for no floor. Set it where hits are injected unasked.
	MinCoverage float64
	// MinConfidence is how sure the answer as a whole must be to have hits, 0 for
	// no floor: the hits of an answer that is not are as likely noise. An answer
	// with a hit that holds much of the question is sure enough however low its
	// score: in a memory of a few entries no word is rare.
	MinConfidence float64
	// QueryChars, in runes, cuts a longer question to its beginning. 0 means 4,000, half
	// of them from its end: people paste a text and ask before or after it.
	QueryChars int
	// DeniedScopes are inert for lack of consent. Asking for nothing else is
	// answered with status denied; without being asked for they are not named.
	DeniedScopes []pimento.Scope
	// Embedder opens what makes the vector of the question for the sources that have Near.
	// Nil for none.
	Embedder func(context.Context) (embed.Embedder, error)
	// Lexicon is the built-in table: it knows words that mean nearly the same, and is
	// asked beside another Embedder; nil for none.
	Lexicon *embed.Static
	// Loose lets entries be hits that share no word with the question but stand
	// near some that do. It is for ranking everything there is; scores are left as they
	// add up then, though some hits come first for other reasons, see [Falling].
	Loose bool
	// Prior says how much each entry is worth apart from the question, from 0 to
	// 1, for all that are read again at once; nil means that all are worth the
	// same. See [Params.Prior].
	Prior func([]pimento.Entry) []float64
	// Weights multiply the scores of entries by their kind; a kind that is not
	// named counts 1. Fresh raises the scores of what is new, as of the query's Now.
	Weights map[pimento.Kind]float64
	Fresh   pimento.Fresh
	// Tags multiply the scores of entries that have a tag.
	Tags map[string]float64
	// Strict is the profile's, see [pimento.Recall].
	Strict float64
	// Known, when set, says what the asker has already. It takes no hit's place, and
	// what it is a later state of is no hit; the best of both are named in the answer.
	Known func(pimento.Statement) bool
	// Excerpts adds to each long hit the part that bears on the question.
	Excerpts bool
	// Skip, when set, leaves out what the caller does not want to see, such as
	// the logs of other projects. It is not asked when the query says All.
	// Of the matches of one root, however they were found, it returns those to keep.
	Skip func(scope pimento.Scope, ms []index.Match) []index.Match
	// Said, when set, tells when statements of a scope were said, of those whose page
	// does not.
	Said func(scope pimento.Scope, sts []pimento.Statement) map[pimento.Statement]Times
	// SaidWithin, when set, names statements of a scope that were said from one time to
	// another, zero for no end; of many the newest.
	SaidWithin func(ctx context.Context, scope pimento.Scope, from, to time.Time) []pimento.Statement
	// Params are the constants of the ranking; the zero value means [DefaultParams].
	Params Params
	// Analyzer, when set, remembers the stems of earlier questions. It is for one
	// answer at a time.
	Analyzer *text.Analyzer
}

const (
	defaultLimit = 10
	defaultChars = 4000
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
//
// Of a prompt with pasted lines what was typed is asked alone. If that finds nothing to
// be sure of, the surest of all readings counts: a log has words of everything.
func Answer(ctx context.Context, q pimento.Query, roots []Source, opts Options) (answer pimento.Answer) {
	p := opts.Params.orDefault()
	readings := []text.Reading{{Text: q.Text}}
	if p.Typed > 0 {
		readings = text.Readings(q.Text)
	}
	for i, r := range readings {
		q.Text = r.Text
		a := asking{q: q, opts: opts, params: p, limit: limitOf(q, opts), pasted: r.Pasted}
		got := a.ask(ctx, roots)
		if i == 0 || len(got.Hits) > 0 && (len(answer.Hits) == 0 || got.Confidence > answer.Confidence) {
			answer = got
		}
		if !r.Pasted && a.settled || ctx.Err() != nil {
			break
		}
	}
	return answer
}

// ask answers one reading of a prompt.
func (a *asking) ask(ctx context.Context, roots []Source) pimento.Answer {
	question := strings.TrimSpace(a.q.Text)
	if n := a.opts.QueryChars; n > 0 {
		question = prefixRunes(question, n)
	} else {
		question = cut(question, defaultChars)
	}
	question = clean(question)
	if question == "" {
		return pimento.Answer{Status: pimento.Malformed}
	}
	if st := a.choose(roots); st != "" {
		return pimento.Answer{Status: st, Faults: a.faults}
	}
	a.setMode()
	a.words = analyse(question, a.language(ctx, question), a.params, a.opts.Analyzer)
	a.words.widen(question, a.opts.Lexicon, a.params)
	a.words.expect(question, a.params)
	a.words.speakers(question, a.params)
	if a.params.Date > 0 && !a.q.Now.IsZero() {
		if w, ok := when.Window(question, a.words.lang.Code(), wallClock(a.q.Now)); ok {
			a.window = &w
			a.words.within(w, a.params)
		}
	}
	if len(a.words.units) == 0 || !a.weigh(ctx) {
		return a.answer(nil)
	}
	if a.q.Mode == pimento.Semantic {
		if found, ok := a.similar(ctx, question, nil); ok {
			return a.answer(a.rank(ctx, found))
		}
		a.fault("embedder", "the question could not be asked by its meaning; searched by words")
		return a.answer(a.rank(ctx, a.search(ctx)))
	}
	found, _ := a.similar(ctx, question, a.search(ctx))
	return a.answer(a.rank(ctx, found))
}

// setMode takes away what the question does not want. Meaning that cannot be
// asked for is a fault, and words answer.
func (a *asking) setMode() {
	switch {
	case a.q.Mode == pimento.Keyword:
		a.opts.Lexicon, a.opts.Embedder = nil, nil
	case a.q.Mode == pimento.Semantic && a.opts.Embedder == nil:
		a.q.Mode = pimento.Keyword
		a.fault("embedder", "no embedder is in use; searched by words")
	}
}

// asking is one question on its way to an answer.
type asking struct {
	q      pimento.Query
	opts   Options
	params Params
	limit  int
	roots  []Source
	words  words
	window *when.Span // the time that the question names, nil for none
	query  index.Query
	faults []pimento.Fault

	said map[pimento.Statement]stretch // see Options.Said

	outdated []pimento.Occurrence // see pimento.Answer
	known    []pimento.Occurrence
	had      []*candidate // the best of what the asker has already
	broken   bool         // an index failed
	open     float64      // how far words have not found an answer, where vectors were asked
	sure     float64      // confidence
	pasted   bool         // the question holds what nobody typed
	settled  bool         // no other reading of the prompt has to be asked
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
	return pimento.Answer{Status: st, Hits: hits, Confidence: a.sure, Known: a.known, Outdated: a.outdated, Faults: a.faults}
}
