// Package corpus writes simulated memories of any size, for benchmarks and tests. A
// [Layout] says how many entries on how many pages; [Layout.Write] writes them, and
// [Layout.Prompts] makes prompts that bear on them. The same layout always gives the same
// bytes. The package is no part of the program.
package corpus

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A Layout says how a simulated memory is spread over files.
type Layout struct {
	Name    string
	Entries int
	Pages   int
	Triples int // in the front matter of each page; with any, every page is knowledge about one thing
}

// glue are words that texts are full of and that say nothing.
var glue = strings.Fields(`the a an of in on to for from by with and or but is are was were be been it this that we
	our they their not no when while before after because so if then than as at into over only every all has have`)

// vocabulary is how many different content words the simulated authors know.
const vocabulary = 20_000

// A writer makes texts whose words are as unevenly used as people's: the
// frequency of a content word falls with its rank (Zipf, exponent 1.05), and
// not quite half of all words are glue.
type writer struct {
	r    *rand.Rand
	zipf *rand.Zipf
}

func newWriter(seed uint64) *writer {
	r := rand.New(rand.NewPCG(seed, 7))
	return &writer{r, rand.NewZipf(r, 1.05, 5, vocabulary-1)}
}

// content is a content word, common ones more often.
func (w *writer) content() string { return word(int(w.zipf.Uint64())) }

// word is the n-th word of the vocabulary: pronounceable, and different words
// have different stems.
func word(n int) string {
	const onsets, nuclei = "bdfghjklmnprstvz", "aeiou"
	var b strings.Builder
	for n += 16 * 5; n > 0; n /= 16 * 5 {
		b.WriteByte(onsets[n%16])
		b.WriteByte(nuclei[n/16%5])
	}
	b.WriteString("k")
	return b.String()
}

// text makes one entry of about 60 words; id makes it findable.
func (w *writer) text(id int) string {
	var b strings.Builder
	for n := 50 + w.r.IntN(20); n > 0; n-- {
		if w.r.IntN(100) < 45 {
			b.WriteString(glue[w.r.IntN(len(glue))])
		} else {
			b.WriteString(w.content())
		}
		b.WriteByte(' ')
	}
	fmt.Fprintf(&b, "(ticket PIM-%d, `%s_%s`)", id, w.content(), w.content())
	return b.String()
}

// Write lays the memory out below dir as daily logs and topic lists, or as
// one-entry articles. Every page is an hour old and Write waits a little at the
// end, so that no stamp is so young that an index must doubt it.
func (l Layout) Write(dir string) error {
	w := newWriter(uint64(l.Entries))
	day := time.Date(2020, 1, 1, 9, 0, 0, 0, time.UTC)
	per, id := l.Entries/l.Pages, 0
	for p := range l.Pages {
		var b strings.Builder
		name := ""
		switch {
		case l.Triples > 0:
			name = fmt.Sprintf("knowledge/%s-%05d.md", day.AddDate(0, 0, p%2000).Format(time.DateOnly), p)
			b.WriteString(l.front(p, day.AddDate(0, 0, p%2000)) + w.text(id) + "\n")
			id++
		case per == 1:
			name = fmt.Sprintf("notes/note-%05d.md", p)
			fmt.Fprintf(&b, "# Note %d\n\n%s\n", p, w.text(id))
			id++
		case p%4 == 0:
			name = fmt.Sprintf("topics/topic-%05d.md", p)
			fmt.Fprintf(&b, "# Topic %d\n\n", p)
			for range per {
				fmt.Fprintf(&b, "- [pattern] %s\n", w.text(id))
				id++
			}
		default:
			name = "daily/" + day.AddDate(0, 0, p).Format(time.DateOnly) + ".md"
			for range per {
				fmt.Fprintf(&b, "<!-- %s [bench000] -->\n%s\n\n", day.AddDate(0, 0, p).Format(time.DateTime), w.text(id))
				id++
			}
		}
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
			return err
		}
		old := time.Now().Add(-time.Hour)
		if err := os.Chtimes(path, old, old); err != nil {
			return err
		}
	}
	time.Sleep(50 * time.Millisecond)
	return nil
}

// front is the front matter of a page of knowledge. Everything depends on as many
// things as any other, so that paths between them are long for the size.
func (l Layout) front(p int, day time.Time) string {
	var b strings.Builder
	kinds := []string{"project", "agent-feedback", "reference", "user"}
	tier := "L2"
	if p%200 == 0 {
		tier = "L1"
	}
	fmt.Fprintf(&b, "---\ndate: %s\ntype: %s\ntier: %s\ntags: [bench, t%02d]\ntriples: [", day.Format(time.DateOnly), kinds[p%len(kinds)], tier, p%40)
	things := max(1, l.Pages*l.Triples/5)
	for j := range l.Triples {
		k := p*l.Triples + j
		fmt.Fprintf(&b, `["%s", "depends_on", "%s"], `, Thing(k%things), Thing((k*7919+k/things*31)%things))
	}
	return strings.TrimSuffix(b.String(), ", ") + "]\n---\n"
}

// Thing is the name of the n-th thing that the triples of a layout are about.
func Thing(n int) string { return fmt.Sprintf("service-%d", n) }

// Prompts are n questions of 14 words about entries of the memory: four content
// words that one entry holds, three that people use anyway, and glue between.
func (l Layout) Prompts(n int) []string {
	texts, ask := newWriter(uint64(l.Entries)), newWriter(2)
	out := make([]string, 0, n)
	for id := range l.Entries {
		words := content(texts.text(id))
		if id%max(1, l.Entries/n) != 0 || len(out) == n {
			continue
		}
		words = append(words[:4:4], ask.content(), ask.content(), ask.content())
		var b strings.Builder
		for _, w := range words {
			b.WriteString(glue[ask.r.IntN(len(glue))] + " " + w + " ")
		}
		out = append(out, strings.TrimSpace(b.String())+"?")
	}
	return out
}

// content lists the content words of a text.
func content(s string) []string {
	var out []string
	for _, w := range strings.Fields(s) {
		if !slices.Contains(glue, w) {
			out = append(out, w)
		}
	}
	return out
}
