package eval

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/index"
	"github.com/pimento-memory/pimento/internal/recall"
	"github.com/pimento-memory/pimento/internal/text"
	"github.com/pimento-memory/pimento/internal/when"
)

// A Corpus is foreign data as recall sees a memory root.
type Corpus struct {
	lines   []Line
	entries []pimento.Entry
	pages   []index.Page
	at      map[pimento.Statement]int // to lines
	last    time.Time                 // the newest date of a line; whoever asks without saying when asks then
}

// NewCorpus prepares lines for an index. Ids must be unique.
func NewCorpus(lines []Line) (*Corpus, error) {
	c := &Corpus{lines: lines, at: make(map[pimento.Statement]int, len(lines))}
	an := text.NewAnalyzer()
	pages := map[string]*index.Page{}
	var order []string
	for i, l := range lines {
		en := c.entry(l)
		if _, twice := c.at[en.Statement]; twice || l.ID == "" {
			return nil, malformed("", 0, errors.New("an id that is empty or not unique: "+text.OneLine(l.ID, 60)))
		}
		c.at[en.Statement] = i
		if en.Stamp.After(c.last) {
			c.last = en.Stamp
		}
		en.Page = pageOf(l)
		p := pages[en.Page]
		if p == nil {
			p = &index.Page{Path: en.Page}
			pages[en.Page] = p
			order = append(order, en.Page)
		}
		en.Span = pimento.Span{Start: i, End: i + 1}
		c.entries = append(c.entries, en)
		p.Docs = recall.Docs(p.Docs, an, l.Path, time.Time{}, en)
	}
	slices.Sort(order)
	for _, path := range order {
		c.pages = append(c.pages, *pages[path])
	}
	return c, nil
}

// pageOf is the page of an entry: its section, or one of its own.
func pageOf(l Line) string {
	if l.Section == "" {
		return "\x01" + l.ID // alone: no neighbours, and a page like any other
	}
	return l.Section
}

// entry makes an entry of a line. Its statement is made of its id, because
// foreign data may say one thing twice and want both found.
func (c *Corpus) entry(l Line) pimento.Entry {
	en := pimento.Entry{Text: l.Text, Kind: pimento.KindFact, Tags: l.Tags, Author: l.Author}
	en.Scope, en.Statement = pimento.Global, pimento.Statement(sumOf(l.ID))
	en.Links, en.Replaces, en.Names = linked(l.Links), linked(l.Supersedes), linked([]string{l.ID})
	if en.Names[0] != l.ID {
		en.Names = append(en.Names, l.ID) // what a text links to
	}
	words := []string{l.Author, l.Date, l.Section}
	if slices.Contains(pimento.EntryKinds(), pimento.Kind(l.Type)) {
		en.Kind = pimento.Kind(l.Type)
	} else {
		words = append(words, l.Type)
	}
	en.Heading = strings.Join(slices.DeleteFunc(words, func(s string) bool { return s == "" }), " > ")
	if t, ok := when.Parse(l.Date); ok {
		en.Stamp = t
	}
	return en
}

func sumOf(id string) string {
	sum := sha256.Sum256([]byte(id))
	return hex.EncodeToString(sum[:8])
}

// linked is how ids are named in links: as they are, but for those that links would take
// for others, because they know no letter case and end at "#", "|" and ".md".
func linked(ids []string) (names []string) {
	for _, id := range ids {
		if text.NameKey(id) != text.Key(text.Name, id) {
			id = sumOf(id)
		}
		names = append(names, id)
	}
	return names
}

// Fill puts the corpus into an index.
func (c *Corpus) Fill(ctx context.Context, idx index.Index) error {
	for batch := range slices.Chunk(c.pages, 2000) {
		if err := idx.Apply(ctx, batch, nil); err != nil {
			return err
		}
	}
	return nil
}

// Source is the corpus as recall asks it.
func (c *Corpus) Source(r index.Reader) recall.Source {
	return recall.Source{Scope: pimento.Global, Reader: r, Text: func(_ context.Context, _ string, d index.Doc) (pimento.Entry, error) {
		return c.entries[c.at[d.Statement]], nil
	}}
}

// Section is the section of the line that an entry was made of, or its id.
func (c *Corpus) Section(st pimento.Statement) string {
	l := c.lines[c.at[st]]
	return cmp.Or(l.Section, l.ID)
}

// ID is the id of the line that an entry was made of.
func (c *Corpus) ID(st pimento.Statement) string { return c.lines[c.at[st]].ID }
