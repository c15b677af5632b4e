// Package index says what a derived index must do: hold the searchable terms of every
// entry of one memory root, and answer which entries match a [Query]. [Reader] is how it is
// asked, [Index] is a Reader that takes changes, and [Matches] is the formula of a score,
// which every implementation must agree with. Package indextest is the suite that they all
// pass.
//
// An index holds terms and places, but no text, and it may be deleted at any time, because
// it is made from the pages. Analysis is not its business: a [Doc] arrives with its terms,
// each a field letter followed by the term itself (see package text), and a query arrives
// with the weight of each term. So several roots can be searched with statistics that are
// summed over all of them.
//
// This package is pure. The implementations do the I/O: memindex in memory, segment on
// disk.
package index

import (
	"context"

	"github.com/pimento-memory/pimento"
)

// Flags of a Doc.
const (
	Pinned uint8 = 1 << iota
	Task
	Done

	// More marks a further passage of the entry whose first passage is the doc
	// before it. Only the first carries what is not in the words of the text.
	More

	// Asks marks an entry that ends with a question: the next one may answer it.
	Asks

	// Wonders marks an entry that is mostly questions: it hardly tells anything.
	Wonders

	// Said marks an entry of which is known who said it: a turn of a conversation.
	Said

	// Inquires marks what a person said to another one with a question in it.
	Inquires
)

// A Doc is one entry of a page as the index knows it, or one passage of a long
// one. The passages of an entry are neighbours, and alike but for Flags, Len and
// Terms.
type Doc struct {
	Statement pimento.Statement
	N         int // repetition of the statement on its page, from 0
	Span      pimento.Span
	Line      int
	Kind      pimento.Kind
	Flags     uint8
	Date      int64     // seconds since the epoch, 0 if the entry has no date
	Len       int       // number of words, for length normalisation
	Beside    [2]uint64 // which words stand side by side in the entry, as package text sketches it; zero when that is not known
	Terms     []Term    // sorted by Text, no duplicates; nil in what a Reader returns
}

// A Term is a field letter and a term, and how often it stands in the doc.
type Term struct {
	Text string
	TF   uint16
}

// A Page is everything the index knows of one page.
type Page struct {
	Path   string // relative to the root, with slashes
	Stamp  pimento.Stamp
	Digest pimento.Digest
	Synced int64 // when it was read, nanoseconds since the epoch (git's racy rule)
	Docs   []Doc // in page order
}

// Stats are a reader's share of the corpus statistics. Passages count as docs.
type Stats struct {
	Docs  int
	Pages int   // with at least one doc
	Len   int64 // sum of Doc.Len
	DF    []int // document frequency of each term asked for
}

// A WeightedTerm is a query term with its weight, idf included.
type WeightedTerm struct {
	Text   string
	Weight float32
}

// MaxTerms is how many terms of a query count; the rest is not asked for.
const MaxTerms = 64

// A Query is a weighted OR of terms, scored at three levels. A term adds
//
//	Weight * tf*(K1+1) / (tf + K1*(1-B+B*Len/AvgLen))
//
// to a passage that holds it tf times (Okapi BM25, Robertson & Zaragoza 2009,
// equation 3.15, with the idf left to the caller), see [Query.Part]. Of an entry
//
//	own   = (best + Whole * whole) / (1 + Whole)
//	score = own + Page * page + Prev * before + Next * own of the entry after
//	before = own of the entry before + Far * own of the one before that
//
// (Asked instead of Prev after an entry that asks; Far only for one that was said)
//
// where best is the score of its best passage, whole the sum over the terms of
// what each adds to the passage where it adds most, and page the score of the
// page: there tf is the number of passages that hold the term, Len the sum of
// their lengths, and AvgPage takes the place of AvgLen. Neighbours stand on the
// same page. An entry matches when its score is above 0; at most Limit entries
// are returned, none if it is 0 or less.
type Query struct {
	Terms   []WeightedTerm
	K1, B   float32
	AvgLen  float32
	AvgPage float32
	Whole   float32
	Page    float32
	Prev    float32
	Asked   float32 // instead of Prev, where the entry before asks
	Far     float32
	Next    float32
	Limit   int

	// Back is how many entries before one that was said belong to its context, see
	// [Match.Heard].
	Back int

	// Holding leaves out entries that hold no term and match by their page or
	// neighbours alone.
	Holding bool
}

// A Match is one entry that matches.
type Match struct {
	Page  string
	Doc   Doc // its first passage, without terms
	Score float32
	Own   float32 // of the score, see Query
	Near  float32 // what its neighbours add
	Held  uint64  // bit i: the entry holds term i of the query
	Heard uint64  // the same for the entry or, where it was said, one of the Back before it on the page
}

// A Reader answers from one consistent state of the index. All methods may be
// called from several goroutines. An error means that the index is unusable
// and must be rebuilt; it never means "nothing found".
type Reader interface {
	// Stats counts docs and, for each term, the docs that hold it.
	Stats(ctx context.Context, terms []string) (Stats, error)

	// Search returns the best q.Limit entries, best first; equal scores are ordered
	// by page path, then by position on the page.
	Search(ctx context.Context, q Query) ([]Match, error)

	// With calls yield for the docs that hold the term, by page path and
	// position, until yield returns false.
	With(ctx context.Context, term string, yield func(page string, d Doc) bool) error

	// Terms calls yield for the terms that begin with prefix, in order, until
	// yield returns false. A term that no entry holds any more may be among them.
	Terms(ctx context.Context, prefix string, yield func(term string) bool) error

	// Pages calls yield for every page in path order, without its digest and docs.
	Pages(ctx context.Context, yield func(Page) bool) error

	// Page returns one page with the first passages of its entries (without
	// terms); ok is false when the index does not know it.
	Page(ctx context.Context, path string) (p Page, ok bool, err error)
}

// An Index is a Reader that takes changes.
type Index interface {
	Reader

	// Apply forgets the removed paths, then replaces the given pages whole; the
	// last of two pages with one path counts. It keeps nothing of put. Later
	// calls of this process see it; other processes see it when they next open
	// or refresh. When the index cannot be written (read-only disk, another
	// writer) the change still holds for this process, and the error, of
	// pimento.KindUnavailable, says why it was not stored.
	Apply(ctx context.Context, put []Page, remove []string) error

	// Refresh takes up what other processes have applied since.
	Refresh(ctx context.Context) error

	Close() error
}
