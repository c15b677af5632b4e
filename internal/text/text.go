// Package text turns prose, code and file names into the terms by which a memory is found,
// and measures text in model tokens, runes and bytes. It is pure.
//
// [Analyze] makes the terms of a text, an [Analyzer] those of an entry with its passages,
// and [QueryTerms] those of a question. [Readings] finds what was asked in a prompt with
// pasted lines, [LanguageOf] tells a text's language, an [Edge] is a relation as a term, and
// [Tokens] estimates what a text costs a model.
//
// One term is not enough for one word. Prose wants stems ("tests" should find "testing"),
// but technical text is harmed by them; code wants its identifiers both whole and in parts;
// Chinese, Japanese and Korean have no spaces to cut at. So a text yields terms in several
// fields, each named by one letter. The index keeps them apart, and a query asks each field
// with a weight of its own:
//
//	"Chose PostgreSQL for read_model #storage"
//	w  chose, postgresql, postgr, sql, read, model, storag
//	x  chose, postgresql, read_model, storage
//	i  postgre, sql, read, model
//	t  storage
//
// A text whose function words or letters show another language than English has its words
// stemmed in that one (see [Language]). "$" before a number, "£" and "€" are read as words,
// so that a question about dollars finds $45. Stop words are neither indexed nor asked for.
// A query is an OR of what remains, and never an AND of all words of a prompt.
package text

import "github.com/pimento-memory/pimento"

// The fields a term can belong to. A term of the index is the field letter
// followed by the term, see [Key].
const (
	Word   byte = 'w' // snowball stem of a word or of a part of an identifier, in the language of the text
	Exact  byte = 'x' // lower-cased word, number or whole identifier, as it stands
	Ident  byte = 'i' // lower-cased part of camelCase, snake_case, kebab-case, dotted names and paths
	CJK    byte = 'c' // unigrams and bigrams of scripts that are written without spaces
	Tag    byte = 't' // lower-cased #tag or [[link]], hyphens kept: "code-review"
	Name   byte = 'n' // what a [[link]] to the entry says
	Author byte = 'a' // words of the name of who said it
	Meta   byte = 'm' // stems of path, heading, tags, kind, and the words of the date
	Flag   byte = 'f' // what the entry is: see FlagPinned and the others
)

// A further field, [Graph], is not asked by words.

// Keys (field letter included) of the flags an entry carries, to be asked for
// with the index's With.
const (
	FlagPinned = "fpinned" // it has a pin
	FlagAlways = "falways" // it is of the tier that is always shown
	FlagTask   = "ftask"   // it is a checkbox
	FlagOpen   = "fopen"   // a checkbox that is not ticked
	FlagDone   = "fdone"   // a checkbox that is ticked
)

// FlagLanguage is the key of every entry in a language other than English.
func FlagLanguage(l Language) string { return "fl:" + l.Code() }

// FlagKind is the key of every entry of the kind.
func FlagKind(k pimento.Kind) string { return "fk:" + string(k) }

// Key is the form in which the index keeps a term: the field letter, then the
// term.
func Key(field byte, term string) string {
	return string(append(append(make([]byte, 0, 1+len(term)), field), term...))
}

// Limits of a term in bytes; what is longer is no word that anybody asks for
// (base64, minified code). A long path still yields its parts.
const (
	maxPart     = 48
	maxWhole    = 96
	maxCompound = 4096 // where a chain of joined words is cut, whatever follows
)
