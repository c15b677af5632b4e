package page

import (
	"path"
	"strings"

	"github.com/pimento-memory/pimento"
)

// A Dialect says how a page is cut into entries.
type Dialect uint8

const (
	List      Dialect = iota // an entry for each top-level bullet or paragraph
	Log                      // an entry for each stamped block
	Checklist                // a list whose bullets are boxes
	Article                  // one entry, or one for each level-2 section
)

// String is the dialect's name in messages.
func (d Dialect) String() string {
	names := [...]string{"list", "log", "checklist", "article"}
	if int(d) < len(names) {
		return names[d]
	}
	return "unknown"
}

// DialectOf is the dialect of a page by its path, which is relative to the
// root of its scope and has slashes.
// What is archived is cut as where it came from.
func DialectOf(rel string) Dialect {
	rel = Origin(rel)
	switch {
	case rel == Scratchpad:
		return Checklist
	case strings.HasPrefix(rel, DailyDir), strings.HasPrefix(rel, RawDir):
		return Log
	case rel == Memory, rel == LocalMemory, rel == Memories, isTopic(rel):
		return List
	default:
		return Article
	}
}

// isTopic reports whether rel is a page of scored bullets, topics/<topic>.md.
func isTopic(rel string) bool {
	return path.Dir(Origin(rel))+"/" == TopicsDir && strings.HasSuffix(rel, ".md")
}

// A Page is one markdown file: its bytes, and where its entries lie in them.
// It is immutable and may be read from several goroutines.
type Page struct {
	rel     string
	dialect Dialect
	raw     []byte
	src     string // raw, but for blanks in the place of what an open conflict does not say; entry texts share it
	eol     string // the line ending of new lines

	front   pimento.Span // the lines between the rules of the front matter
	body    int          // where the body starts: after byte order mark and front matter
	meta    Meta
	hasMeta bool
	title   string // of the first level-1 heading

	entries []pimento.Entry
	cuts    []cut // parallel to entries
	heads   []head

	region    pimento.Span // the generated index with its marker lines
	fault     string
	conflicts []int          // starts of git conflict marker lines, ascending
	unsaid    []pimento.Span // those lines, and all sides of a conflict but the first
	openFence bool           // a fence is opened and never closed
}

// A cut is how one entry lies on the page: what an edit must know and a reader
// need not.
type cut struct {
	own    int  // start of the entry's own first line, after its stamp line
	text   int  // start of its text, after bullet, box and category
	box    int  // offset of the character in its checkbox, -1 without one
	stamp  int  // start of the stamp line that dates it, -1 without one
	indent int  // columns by which continuation lines are indented
	form   form // how its text is written
}

// A head is a heading that a list can be extended under.
type head struct {
	path  string // headings outermost first, joined by " > "
	end   int    // start of the next line
	first int    // number of entries above it
}

// Parse cuts a page in the dialect of its path. It takes any bytes and never
// fails. The page keeps b, which must not change afterwards.
func Parse(rel string, b []byte) *Page { return ParseAs(DialectOf(rel), rel, b) }

// ParseAs is Parse in a given dialect.
func ParseAs(d Dialect, rel string, b []byte) *Page {
	p := cutPage(d, rel, b)
	for i := range p.entries {
		e := &p.entries[i]
		e.Tags, e.Links = markup(e.Text)
		e.Replaces = replaced(e.Text, e.Links)
		if i == 0 {
			e.Replaces = append(e.Replaces, p.meta.Supersedes...)
			e.Until = p.meta.Until
			if isKnowledge(rel) { // what happened is no source of what is true
				e.Triples, e.Always = p.meta.Triples, isAlways(p.meta.Tier)
			}
		}
		p.name(e)
	}
	p.addPageTags()
	return p
}

// Blank is a page that is not there yet; its lines will end as those of a
// neighbour do.
func Blank(rel string, like []byte) *Page {
	p := Parse(rel, nil)
	p.eol = lineEnding(string(like))
	return p
}

// lineEnding is that of a text's first line.
func lineEnding(s string) string {
	if i := strings.IndexByte(s, '\n'); i > 0 && s[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// cutPage is ParseAs without tags and links, which edits do not need.
func cutPage(d Dialect, rel string, b []byte) *Page {
	p := &Page{rel: rel, dialect: d, raw: b, src: string(b)}
	p.eol = lineEnding(p.src)
	p.findConflicts()
	p.readFront()
	switch d {
	case Log:
		p.cutLog()
	case Article:
		p.cutArticle()
	default:
		p.findRegion()
		p.cutList(len(p.src))
	}
	p.number()
	return p
}

// The two tiers as front matter spells them: shown whatever the prompt is about,
// and shown when it bears on the prompt.
const (
	TierAlways   = "L1"
	TierRelevant = "L2"
)

// isAlways reports the tier of what is shown whether it bears on the prompt or
// not: L1 is what older systems write.
func isAlways(tier string) bool { return tier == "always" || tier == TierAlways }

// Bytes are the page's bytes, exactly those it was parsed from.
func (p *Page) Bytes() []byte { return p.raw }

// LineEnding is how new lines of the page end.
func (p *Page) LineEnding() string { return p.eol }

// Dialect is how the page was cut.
func (p *Page) Dialect() Dialect { return p.dialect }

// Entries are the page's entries in page order, with disjoint spans. Scope is
// left empty: a page does not know where its root is. The slice is shared and
// must not be changed.
func (p *Page) Entries() []pimento.Entry { return p.entries }

// In fills in the scope of the entries, for who has just parsed the page and gives it to
// nobody, and returns them without a copy.
func (p *Page) In(scope pimento.Scope) []pimento.Entry {
	for i := range p.entries {
		p.entries[i].Scope = scope
	}
	return p.entries
}

// Find returns the n-th entry, from 0, with the given statement.
func (p *Page) Find(st pimento.Statement, n int) (pimento.Entry, bool) {
	if i := p.locate(st, n); i >= 0 {
		return p.entries[i], true
	}
	return pimento.Entry{}, false
}

// A Finder is Find for who asks for many: entries that are asked for in the order
// of the page are found without looking through it for each.
type Finder struct {
	page *Page
	from int // behind the last one found
}

// Finder begins at the top of the page.
func (p *Page) Finder() *Finder { return &Finder{page: p} }

// Find is [Page.Find].
func (f *Finder) Find(st pimento.Statement, n int) (pimento.Entry, bool) {
	i := f.page.locateFrom(st, n, f.from)
	if i < 0 {
		return pimento.Entry{}, false
	}
	f.from = i + 1
	return f.page.entries[i], true
}

// locate is the index of an occurrence, or -1.
func (p *Page) locate(st pimento.Statement, n int) int { return p.locateFrom(st, n, 0) }

// locateFrom looks from an entry on to the end of the page, then at those before it.
func (p *Page) locateFrom(st pimento.Statement, n, from int) int {
	for i := range p.entries {
		if i += from; i >= len(p.entries) {
			i -= len(p.entries)
		}
		if p.entries[i].Statement == st && p.entries[i].N == n {
			return i
		}
	}
	return -1
}

// Heading is the text of the page's first level-1 heading, "" without one.
func (p *Page) Heading() string { return p.title }

// Title names the page: its first level-1 heading, else the title in its front
// matter, else the topic in its file name.
func (p *Page) Title() string {
	switch {
	case p.title != "":
		return p.title
	case p.meta.Title != "":
		return p.meta.Title
	}
	topic, _ := Topic(p.rel)
	return topic
}

// addPageTags gives every entry the tags of the file name and, where an entry
// stands for the file, of the front matter.
func (p *Page) addPageTags() {
	if p.dialect != Article && p.dialect != Log {
		return
	}
	tags := p.meta.Tags
	if p.dialect == Article {
		_, keywords := Topic(p.rel)
		tags = append(keywords, tags...)
	}
	if len(tags) == 0 {
		return
	}
	for i := range p.entries {
		p.entries[i].Tags = distinct(append(tags[:len(tags):len(tags)], p.entries[i].Tags...))
	}
}
