package recall

import (
	"math"

	"github.com/pimento-memory/pimento/internal/text"
)

// Params are the constants of the ranking, one set for all memories. All bonuses
// are on the scale of BM25: they are multiplied by the idf mass of the question
// ("the mass" below: the summed rarity of its words), so that they mean the same
// for a rare word and for a common one. A factor that is 0 is switched off, which
// is how its worth is measured.
type Params struct {
	// K1 and B are BM25's: how fast repetition of a term saturates, and how much
	// long entries are penalised. Memories are short and rarely repeat a word, so
	// both are lower than the textbook's 1.2 and 0.75.
	K1, B float32

	// Field weights, on top of the weights that package text gives to each term
	// of a question (stem 1, exact form a third, part of an identifier less, tag
	// more, weak words half).
	Word, Exact, Ident, CJK, Tag, Meta float32

	// Whole weighs a long entry as a whole beside its best passage.
	Whole float32
	// Page weighs the page (section, conversation, day) on which an entry stands:
	// an entry on a page about the matter is more likely meant.
	Page float32
	// Prev and Next are the shares of their scores that the entry before and the
	// entry after add: an answer often shares no word with the question that stands
	// before it. They order all hits but the first Leaders, because a neighbour of
	// the answer is a good companion and a bad answer. After an entry that asks,
	// Asked takes the place of Prev. To an entry that somebody said, the entry two
	// before adds Far of what the one before adds: two people who talk take turns,
	// so it is often the same person's last word.
	Prev, Asked, Far, Next float32
	Leaders                int
	// An entry that somebody said gains Context times the mass, multiplied by the
	// share of the question that it does not hold but the Back entries before it
	// do. People do not repeat what they are talking about: "The aquarium. Big
	// Terry bought it" answers which picture of the exhibition was sold first, and
	// the exhibition was named two turns before. For notes, which stand by
	// themselves, this does no good.
	Context float64
	Back    int
	// Wonders is the share of its score that an entry loses if most of it is
	// questions: who asks does not know. What stands after it may answer.
	Wonders float64
	// Inquires is what it loses instead if less of it is questions, and a person said it
	// to another: whoever asks goes on from what the other one told, and seldom tells
	// anything. What is asked of an assistant begins with what it has to know.
	Inquires float64
	// Number is the share of its score that an entry loses if it lacks a number that the
	// question asks for and another entry holds: "what's on port 9099" wants no other
	// port. Of several numbers each counts its part.
	Number float64
	// Author times the mass is added to an entry by the person whom the question
	// names, or means by "I" or "you" (see spokenBy), if that person has written
	// any. The name as a word then counts only AuthorWord: others who say it talk
	// to that person, or about them.
	Author     float64
	AuthorWord float32

	// Coverage weighs the share of the question's idf mass that the entry holds: an
	// entry that holds several rare words beats one that repeats a single one.
	Coverage float64
	// Bigram times the mean idf of two neighbouring words of the question is added
	// for each such pair that is adjacent in the entry, too (stop words left out).
	// The measured gain is largest on long texts.
	Bigram float64
	// Date times the mass is added to an entry of the time that the question names. A note
	// of another time loses Untimely of its score; not what somebody said in a
	// conversation, for people tell later what happened then.
	Date, Untimely float64
	// Link times the score of a hit is added to what it links to and what links to
	// it.
	Link float64
	// Typo is the weight of a word of the memory that is one letter off a word of
	// the question that nobody wrote; its square is the weight of one that is two
	// letters off. 0 finds only what is spelt right.
	Typo float32
	// Compound is the weight of a word that has a part in common with a word of the
	// question that nobody wrote, and how sure such a match is; for languages other
	// than English (see divide).
	Compound float32
	// Semantic times the mass is added to an entry that says the same in other
	// words, multiplied by its similarity to the question. That similarity is what
	// lies above that of the last of the Nearest (and above Related), on a scale to
	// 1, to the power of Steep, because a little likeness is found with anything.
	//
	// Meaning counts in full where no entry holds a word of the question. It falls
	// to nothing where an entry covers the share Covered of it, or holds as much of
	// it as Told words that stand in one entry alone: a weak signal must not
	// outvote words that are there. (One word of a short question is held by
	// chance; three of a long one are not, however small their share.) As far as
	// meaning counts, Coverage and Link do not: what a chance word covers and leads
	// to is chance, too.
	Semantic, Steep, Related, Covered, Told float64
	// With another model than the built-in table, Trusted takes the place of
	// Semantic, a little likeness counts, too (the power is 1), and the part Ajar
	// of it counts whatever words have found.
	Trusted, Ajar float64
	// Nearest is how many entries are asked for by similarity.
	Nearest int
	// Synonym times their likeness is the weight of a word that means nearly the
	// same as a word of the question. The likeness must be at least Alike. Synonyms
	// is how many are asked for per word.
	Synonym, Alike float64
	Synonyms       int
	// Expected is the weight of the words that mark an answer of the sort that the
	// question asks for ("how long": minutes, days). All of them together count
	// once.
	Expected float32
	// Ruled times the mass is added to an entry that lays down a rule, if the
	// prompt is a task: half of it for one word of a rule, nearly all for several.
	Ruled float64
	// Of two entries that give different values of one sort (two durations, two
	// dates), the later one comes first if it has at least LaterScore of the
	// other's score and covers LaterShare of what the other covers of the question.
	// It does not if LaterShape of the shorter one's words stand in both in the
	// same order and the later one lacks a word of the question: then they are
	// about different things. A tag that both were given says that they are about
	// one thing: LaterTagged of the score and the share is enough, and no word
	// need be in both.
	LaterScore, LaterShare, LaterShape, LaterTagged float64
	// Recent times the mass is added, halved with each half year before the newest
	// entry found.
	Recent float64
	// Prior weighs Options.Prior: a tie-break, a tenth of the question's mass.
	Prior float64

	// Least is the share of the best hit's score below which a hit is noise.
	Least float64

	// Typed is the confidence at which the typed part of a prompt counts as
	// answered, so that the pasted part is not asked; 0 asks the whole at once. If
	// the pasted part is asked, its confidence is multiplied by Pasted, because
	// among many words some are found by chance.
	Typed, Pasted float64

	Analysed int // terms taken from a question
	// Entries asked of each root at first, so many and so many more for each hit
	// that is wanted, and at most, when filters drop many.
	Fetch, FetchEach, FetchMax int
}

// DefaultParams are the constants in use.
func DefaultParams() Params {
	return Params{
		K1: 0.9, B: 0.4,
		Word: 1, Exact: 1, Ident: 1, CJK: 1, Tag: 1, Meta: 1,
		Whole: 0.6, Page: 0.4, Prev: 0.4, Asked: 0.6, Far: 0.6, Next: 0.2, Leaders: 3, Context: 0.3, Back: 3, Wonders: 0.5, Inquires: 0.2, Number: 0.3, Author: 0.6, AuthorWord: 0.1,
		Coverage: 0.5, Bigram: 0.45, Date: 0.45, Untimely: 0.2, Link: 0.3, Typo: 0.7, Compound: 0.5, Semantic: 8, Steep: 1.4, Related: 0.15, Covered: 0.8, Told: 2.25, Trusted: 5, Ajar: 0.3, Nearest: 30, Synonym: 0.8, Alike: 0.5, Synonyms: 12, Expected: 1.5, Ruled: 0.25, LaterScore: 0.45, LaterShare: 0.4, LaterShape: 0.6, LaterTagged: 0.7, Recent: 0.02, Prior: 0.1, Least: 0.2,
		Typed: 0.6, Pasted: 0.95,
		Analysed: 160, Fetch: 16, FetchEach: 2, FetchMax: 4096,
	}
}

// Factors names the steps of the ladder that can be switched off.
func Factors() []string {
	return []string{"exact", "identifier", "cjk", "tag", "meta", "whole", "page", "neighbour", "context", "wonders", "number", "author", "coverage", "bigram", "date", "link", "typo", "compound",
		"meaning", "synonym", "answer", "later", "recent"}
}

// Without is the same with one factor switched off; an unknown name changes
// nothing.
func (p Params) Without(factor string) Params {
	switch factor {
	case "exact":
		p.Exact = 0
	case "identifier":
		p.Ident = 0
	case "cjk":
		p.CJK = 0
	case "tag":
		p.Tag = 0
	case "meta":
		p.Meta = 0
	case "whole":
		p.Whole = 0
	case "page":
		p.Page = 0
	case "neighbour":
		p.Prev, p.Asked, p.Far, p.Next = 0, 0, 0, 0
	case "context":
		p.Context = 0
	case "wonders":
		p.Wonders, p.Inquires = 0, 0
	case "number":
		p.Number = 0
	case "author":
		p.Author = 0
	case "coverage":
		p.Coverage = 0
	case "bigram":
		p.Bigram = 0
	case "date":
		p.Date = 0
	case "link":
		p.Link = 0
	case "typo":
		p.Typo = 0
	case "compound":
		p.Compound = 0
	case "meaning":
		p.Semantic = 0
	case "synonym":
		p.Synonym = 0
	case "answer":
		p.Expected, p.Ruled = 0, 0
	case "later":
		p.LaterScore = math.Inf(1)
	case "recent":
		p.Recent = 0
	}
	return p
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
	case text.Author:
		if p.Author > 0 {
			return 1, "author"
		}
	}
	return 0, ""
}
