// Package recall answers a question from the indexes of one or several memory
// roots. It ranks and explains. It holds no state and writes nothing, and it
// touches the world only through the [index.Reader]s, the getters and the
// embedder that it is given.
//
// The ranking is a ladder of cheap steps. Each was measured to help, and each can
// be switched off by its constant in [Params].
//
//  1. Terms. The question becomes terms (package text): stems, exact forms, parts
//     of identifiers, CJK characters and pairs, tags, words of the metadata. Stop
//     words are dropped, weak words count half. Terms are OR'ed, never AND'ed,
//     because a prompt has many words that no memory holds. The question is
//     widened: by synonyms, of which the best match counts; by the words that
//     answers to it have ("how long": minutes, days); for a word that neither the
//     memory nor the built-in table knows, by the nearest spelling; in languages
//     other than English, which that table does not cover, by words with the same
//     beginning (factor "compound"). A time that it names ("last spring") is asked
//     for as dates, and its words say nothing else. A person whom it names, or means
//     by "I" and "you" where users talk to assistants, is asked for as the author.
//  2. Search. Each root is searched with BM25 (package index). An entry counts by
//     its best passage and as a whole, and gains from a page about the matter and
//     from its neighbours. What is known beside its text (who, when, where) counts
//     as much for a long entry as for a short one. The rarity of a term (idf) is
//     computed from statistics summed over all roots, so that scores of a small
//     and a large root can be compared. More is fetched than asked for, because
//     the next steps reorder and drop.
//  3. Statements. There is one hit per statement: what several pages say is
//     answered once, in its most specific scope.
//  4. Meaning, coverage, adjacency. Vectors find what says the same without
//     sharing a word. They count as far as words (and the time asked for) have not
//     found an answer, and as far as the built-in table knows the question's
//     words; a model counts a little in any case. Where meaning counts, coverage
//     and links count less. Coverage is the share of the question's idf mass that
//     an entry holds; in a conversation, what only the turns before it hold counts
//     less. The time it names counts as well, and so do adjacent words
//     of the question that are adjacent in the text; for that, entries are read
//     again from their pages as long as it can change the order. What lacks a
//     number that the question names (a port, a status code) loses.
//  5. Links. What the best hits link to, and what links to them, comes along.
//  6. Rules and priors. If the prompt gives a task, entries that lay down a rule
//     gain (a part of the factor "answer"). Small priors (standing, pins, age)
//     break what is nearly a tie. They are never large enough to lift an entry
//     over one that answers clearly better.
//  7. Later states. What another hit replaces, or seems to be a later state of,
//     steps behind that hit, and is left out if the asker has the later one
//     already. The entry that replaces a hit is as good an answer; a chain of
//     those is followed to its end.
//
// Of a prompt with pasted lines several readings are asked ([text.Readings]),
// unless what was typed is answered.
//
// Coverage also decides abstention. An entry that holds only a common word of the
// prompt is no answer, and an irrelevant memory makes an agent worse. So a caller
// that injects sets a floor, and nothing at all may be the right answer. For the
// floor, a time that was asked for and met counts as covered, an entry of that time
// answers a question that asks for hardly anything else, and a name that an entry lacks
// counts against it more than a word does. A prompt that says hardly
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
	// Text reads the entry again from its page. On an error the hit is dropped with
	// a fault; so it goes with an entry that was edited away a moment ago. Nil
	// makes hits without text.
	Text func(ctx context.Context, page string, d index.Doc) (pimento.Entry, error)
	// Near finds the n statements whose vectors (made by an embedder) are nearest
	// to the given one, nearest first. Nil where there are no vectors.
	Near func(ctx context.Context, by embed.Embedder, vector []float32, n int) ([]vectors.Near, error)
}

// Options of an answer. The zero value is what a person's question wants.
type Options struct {
	Limit int // hits when the query names no limit; 0 means 10
	// MinCoverage is the share of the question's idf mass that a hit must hold
	// to be returned, 0 for no floor. Set it where hits are injected unasked.
	MinCoverage float64
	// MinConfidence is how sure the answer as a whole must be to have hits, 0 for
	// no floor. The hits of a less sure answer are as likely noise. An answer with
	// a hit that holds much of the question is sure enough however low its score,
	// because in a memory of a few entries no word is rare.
	MinConfidence float64
	// Unsure are the hits of a less sure answer to what was typed: among the many words
	// of a paste some are found by chance.
	Unsure pimento.Unsure
	// Least is the share of the best hit's score below which a hit is left out, where
	// that is more than [Params.Least]. It does not count where a question asks for
	// hardly anything but a time.
	Least float64
	// QueryChars, in runes, cuts a longer question to its beginning. 0 means 4,000, half
	// of them from its end: people paste a text and ask before or after it.
	QueryChars int
	// DeniedScopes are inert for lack of consent. A question that asks only for
	// them has the status denied; one that does not ask for them says nothing about
	// them.
	DeniedScopes []pimento.Scope
	// Embedder opens the embedder that makes the question's vector, for sources
	// that have Near. Nil for none.
	Embedder func(context.Context) (embed.Embedder, error)
	// Lexicon is the built-in table of word vectors. It knows synonyms, and is
	// asked beside another Embedder; nil for none.
	Lexicon *embed.Static
	// Loose also returns entries that share no word with the question but stand
	// near some that do. It is for ranking everything there is. Scores are then
	// left as they add up, even where the order has other reasons, see [Falling].
	Loose bool
	// Prior says how much each of some entries is worth apart from the question,
	// from 0 to 1. It is asked once, for all entries that are read again. Nil means
	// that all are worth the same. See [Params.Prior].
	Prior func([]pimento.Entry) []float64
	// Weights multiply the scores of entries by their kind; a kind that is not
	// named counts 1. Fresh raises the scores of what is new, as of the query's Now.
	Weights map[pimento.Kind]float64
	Fresh   pimento.Fresh
	// Tags multiply the scores of entries that have a tag.
	Tags map[string]float64
	// Strict is the profile's, see [pimento.Recall].
	Strict float64
	// Known, when set, says what the asker has already. Such an entry takes no
	// hit's place, and neither does one of which it is a later state. The answer
	// names the best of both.
	Known func(pimento.Statement) bool
	// Stands, when set, says what stands beside the prompt in any case, such as what the
	// prompt itself told: other hits are not measured by it.
	Stands func(pimento.Statement) bool
	// Quotes, when set, says of an entry that it only repeats what others say, or said
	// when it was written. Where no time is asked for it is no hit; the answer names it.
	Quotes func(context.Context, pimento.Entry) bool
	// Excerpts adds to each long hit the part that bears on the question.
	Excerpts bool
	// Skip, when set, leaves out what the caller does not want to see, such as the
	// logs of other projects: of the matches of one root, however they were found,
	// it returns those to keep. It is not called when the query says All.
	Skip func(scope pimento.Scope, ms []index.Match) []index.Match
	// Said, when set, tells when statements of a scope were said. It is asked about
	// those whose page does not tell.
	Said func(scope pimento.Scope, sts []pimento.Statement) map[pimento.Statement]Times
	// SaidWithin, when set, names the statements of a scope that were said between
	// two times (zero: no end); if there are many, the newest.
	SaidWithin func(ctx context.Context, scope pimento.Scope, from, to time.Time) []pimento.Statement
	// Against, when set, says why two texts cannot both hold, "" if they can: then the
	// later one comes first. Other later states are guessed at.
	Against func(x, y string) string
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
// If the prompt has pasted lines, what was typed is asked alone first. Only if that
// finds nothing certain are the other readings asked, and the surest counts: a log
// has words of everything.
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
	l, rest := a.timeOf(question, a.language(ctx, question))
	a.read(question, l)
	if a.window != nil {
		a.words.within(*a.window, rest, a.params)
	}
	if rest, ok := a.heed(rest); ok {
		question = rest
		a.read(question, l)
	}
	if len(a.words.units) == 0 && !a.latest || !a.weigh(ctx) {
		return a.answer(nil)
	}
	if a.latest {
		return a.answer(a.rank(ctx, a.newest(ctx)))
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
	window *when.Span   // the time that the question names, nil for none
	asked  bool         // what is of a time answers, whatever its words
	lately bool         // what is newer answers rather
	latest bool         // what is newest answers, whatever its words
	doing  bool         // beside a time it asks for no more than what was done, or ..
	kind   pimento.Kind // .. what of this kind was, "" for any
	query  index.Query
	faults []pimento.Fault

	said map[pimento.Statement]stretch // see Options.Said

	outdated []pimento.Occurrence // see pimento.Answer
	quotes   []pimento.Occurrence
	known    []pimento.Occurrence
	had      []*candidate // the best of what the asker has already
	broken   bool         // an index failed
	open     float64      // how far words have not found an answer, where vectors were asked
	sure     float64      // confidence
	pasted   bool         // the question holds what nobody typed
	settled  bool         // no other reading of the prompt has to be asked
}

// read takes the words of a question in.
func (a *asking) read(question string, l text.Language) {
	a.words = analyse(question, l, a.params, a.opts.Analyzer)
	a.words.widen(question, a.opts.Lexicon, a.params)
	a.words.expect(question, a.params)
	a.words.speakers(question, a.params)
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
	return pimento.Answer{Status: st, Hits: hits, Confidence: a.sure, Known: a.known, Outdated: a.outdated, Quotes: a.quotes, Faults: a.faults}
}
