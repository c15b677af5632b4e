package eval

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/index"
	"github.com/pimento-memory/pimento/internal/recall"
	"github.com/pimento-memory/pimento/internal/text"
	"github.com/pimento-memory/pimento/internal/when"
)

// A Line is one entry of a corpus.
type Line struct {
	ID         string   `json:"id"`
	Text       string   `json:"text"`
	Date       string   `json:"date,omitempty"` // free text, see when.Parse; its words are indexed as they are
	Author     string   `json:"author,omitempty"`
	Type       string   `json:"type,omitempty"`
	Section    string   `json:"section,omitempty"` // entries of one section are neighbours in line order
	Path       string   `json:"path,omitempty"`
	Tags       []string `json:"tags,omitempty"`
	Links      []string `json:"links,omitempty"` // ids
	Supersedes string   `json:"supersedes,omitempty"`
}

// A Question is one line of the queries.
type Question struct {
	ID    string `json:"id"`
	Text  string `json:"text"`
	Now   string `json:"now,omitempty"`
	Scope string `json:"scope,omitempty"`
}

// maxLine bounds one line of input.
const maxLine = 64 << 20

// ReadLines decodes JSON lines; blank ones are passed over. The error names
// the line.
func ReadLines[T any](r io.Reader, name string) ([]T, error) {
	var out []T
	s := bufio.NewScanner(r)
	s.Buffer(nil, maxLine)
	for n := 1; s.Scan(); n++ {
		if len(bytes.TrimSpace(s.Bytes())) == 0 {
			continue
		}
		var v T
		if err := json.Unmarshal(s.Bytes(), &v); err != nil {
			return nil, malformed(name, n, err)
		}
		out = append(out, v)
	}
	return out, s.Err()
}

func malformed(name string, line int, err error) error {
	return &pimento.Error{Op: "eval", Path: fmt.Sprintf("%s:%d", name, line), Kind: pimento.KindUsage, Err: err,
		Hint: "each line is one JSON object; docs/FORMATS.md has the keys"}
}

// A Corpus is foreign data as recall sees a memory root.
type Corpus struct {
	lines   []Line
	entries []pimento.Entry
	pages   []index.Page
	at      map[pimento.Statement]int // to lines
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
			return nil, &pimento.Error{Op: "eval", Path: l.ID, Kind: pimento.KindUsage, Err: errors.New("an id that is empty or not unique")}
		}
		c.at[en.Statement] = i
		en.Page = pageOf(l)
		p := pages[en.Page]
		if p == nil {
			p = &index.Page{Path: en.Page}
			pages[en.Page] = p
			order = append(order, en.Page)
		}
		en.Span = pimento.Span{Start: i, End: i + 1}
		c.entries = append(c.entries, en)
		p.Docs = append(p.Docs, recall.Docs(an, l.Path, time.Time{}, en)...)
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
	sum := sha256.Sum256([]byte(l.ID))
	en := pimento.Entry{Text: l.Text, Kind: pimento.KindFact, Tags: l.Tags, Links: l.Links, Names: []string{l.ID}, Author: l.Author}
	en.Scope, en.Statement = pimento.Global, pimento.Statement(hex.EncodeToString(sum[:8]))
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
	if l.Supersedes != "" {
		en.Replaces = []string{l.Supersedes}
	}
	return en
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
