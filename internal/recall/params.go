package recall

import "github.com/pimento-memory/pimento/internal/text"

// Params are the constants of the ranking. All bonuses are on the scale of BM25
// itself: they are multiplied by the idf mass of the question, so that they mean
// the same for a rare word and for a common one.
type Params struct {
	// K1 and B are BM25's: how fast repetition of a term saturates, and how
	// much long entries are held back. Memories are short and rarely repeat a
	// word, so both are lower than the textbook's 1.2 and 0.75.
	K1, B float32

	// Field weights, on top of the weights that package text gives to each term
	// of a question (stem 1, exact form a third, part of an identifier less, tag
	// more, weak words half). All 1: no set has shown a gain from another choice
	// yet.
	Word, Exact, Ident, CJK, Tag, Meta float32

	// Coverage times the share of the question's idf mass that the entry holds:
	// an entry that answers several rare words beats one that repeats a single
	// one.
	Coverage float64
	// Bigram times the mean idf of two neighbouring words of the question, for
	// each such pair that is adjacent in the entry, too (stop words left out):
	// the measured gain is largest on long texts.
	Bigram float64
	// Prior times Options.Prior: a tie-break, a tenth of the question's mass.
	Prior float64

	Terms    int // terms taken from a question
	Fetch    int // docs asked of each root at first
	FetchMax int // and at most, when filters drop many
	Reread   int // entries of the second pass
}

// DefaultParams are the constants in use.
func DefaultParams() Params {
	return Params{
		K1: 0.9, B: 0.4,
		Word: 1, Exact: 1, Ident: 1, CJK: 1, Tag: 1, Meta: 1,
		Coverage: 0.5, Bigram: 0.45, Prior: 0.1,
		Terms: 64, Fetch: 32, FetchMax: 4096, Reread: 10,
	}
}

func (p Params) orDefault() Params {
	if p == (Params{}) {
		return DefaultParams()
	}
	return p
}

// field is the weight of a term's field and the name of the factor that it
// counts for.
func (p Params) field(f byte) (weight float32, factor string) {
	switch f {
	case text.Word:
		return p.Word, "words"
	case text.Exact:
		return p.Exact, "exact"
	case text.Ident:
		return p.Ident, "identifier"
	case text.CJK:
		return p.CJK, "cjk"
	case text.Tag:
		return p.Tag, "tag"
	case text.Meta:
		return p.Meta, "meta"
	}
	return 0, ""
}
