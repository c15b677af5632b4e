package upkeep

import (
	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/text"
)

// read makes of entries what can be compared.
func read(entries []Known) *finder {
	f := &finder{entries: entries, gists: make([]gist, len(entries))}
	book := wordBook{read: map[spelt]token{}, known: map[string]counts{}, only: map[string]bool{}}
	var tokens []token
	spoken := map[sheet]*census{}
	for i, e := range entries {
		in := book.languageOf(e.Text)
		tokens = book.tokensIn(in, tokens[:0], e.Text)
		f.gists[i] = gistBy(e.Entry, tokens)
		if spoken[sheetOf(e)] == nil {
			spoken[sheetOf(e)] = &census{}
		}
		spoken[sheetOf(e)].add(in, i)
	}
	for _, c := range spoken {
		in := c.language(entries)
		for _, i := range c.english {
			if in != text.English && readsAs(in, entries[i].Text) {
				tokens = book.tokensIn(in, tokens[:0], entries[i].Text)
				f.gists[i] = gistBy(entries[i].Entry, tokens)
			}
		}
	}
	f.tables()
	return f
}

// A sheet is one page of a scope.
type sheet struct {
	scope pimento.Scope
	page  string
}

func sheetOf(e Known) sheet { return sheet{e.Scope, e.Page} }

// A census counts the statements of a page by language.
type census struct {
	in      [text.Russian + 1]int
	english []int // those that are read in English
}

func (c *census) add(l text.Language, entry int) {
	if l <= text.Russian {
		c.in[l]++
	}
	if l == text.English {
		c.english = append(c.english, entry)
	}
}

// language is the one in which a page is written, apart from statements that are in English
// as well as in that: "Use mocks" stands beside "Não use mocks".
func (c *census) language(entries []Known) text.Language {
	best := text.German
	for l, n := range c.in {
		if l != int(text.English) && n > c.in[best] {
			best = text.Language(l)
		}
	}
	if c.in[best] == 0 {
		return text.English
	}
	sure := 0
	for _, i := range c.english {
		if !readsAs(best, entries[i].Text) {
			sure++
		}
	}
	if sure > c.in[best] {
		return text.English
	}
	return best
}

// readsAs says whether all that is English of a statement is of another language as well.
func readsAs(l text.Language, s string) (some bool) {
	for _, word := range wordsOf(s) {
		switch {
		case !commonInEnglish(word):
		case foreignWord(l, word) == "":
			return false
		default:
			some = true
		}
	}
	return some
}
