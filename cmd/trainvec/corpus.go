package main

import (
	"bufio"
	"bytes"
	"fmt"
	"hash/fnv"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pimento-memory/pimento/internal/text"
)

// sourceShare bounds how much text one source may bring, in bytes, so that the
// largest SDK does not teach the table that every word is about it.
const sourceShare = 10 << 20

// proseDir is where in the cache the prose of each source is, a part of it a
// line, with its kind before it.
const proseDir = "prose"

// sentenceMark separates the sentences of a paragraph in the cache.
const sentenceMark = "\t"

// extract writes the prose of a source to the cache, unless it is there, and
// returns the file's name.
func extract(s source, cache string) (string, error) {
	out := filepath.Join(cache, proseDir, s.file()+".txt")
	if _, err := os.Stat(out); err == nil {
		return out, nil
	}
	if err := s.fetch(cache); err != nil {
		return "", err
	}
	w := writer{seen: map[uint64]bool{}}
	err := s.walk(cache, func(path string, body []byte) {
		if utf8.Valid(body) {
			w.part(nameKind, "")
			reader(path)(body, w.part)
		}
	})
	if err != nil {
		return "", fmt.Errorf("%s: %w", s.name, err)
	}
	log.Printf("%-50s %6.1f MB of prose", s.name, float64(w.buf.Len())/1e6)
	return out, os.WriteFile(out, w.buf.Bytes(), 0o644)
}

// A writer writes the parts of a source that are prose and that it has not
// written before, with the last name and title above them.
type writer struct {
	buf         bytes.Buffer
	seen        map[uint64]bool
	name, title *string // not written yet
	line        []string
}

func (w *writer) part(kind byte, said string) {
	switch kind {
	case nameKind:
		w.name, w.title = &said, nil
	case titleKind:
		w.title = &said
	default:
		w.paragraph(said)
	}
}

func (w *writer) paragraph(p string) {
	w.line = w.line[:0]
	sentences(p, func(one string) {
		if h := fingerprint(one); !w.seen[h] && prose(one, text.Stop) {
			w.seen[h] = true
			w.line = append(w.line, one)
		}
	})
	if len(w.line) == 0 {
		return
	}
	w.above(nameKind, w.name)
	w.above(titleKind, w.title)
	w.name, w.title = nil, nil
	w.buf.WriteByte(paragraphKind)
	w.buf.WriteString(strings.Join(w.line, sentenceMark))
	w.buf.WriteByte('\n')
}

// longestTitle is how long a name or title may be, in bytes.
const longestTitle = 120

func (w *writer) above(kind byte, said *string) {
	if said == nil {
		return
	}
	s := strings.Join(strings.Fields(*said), " ")
	if len(s) > longestTitle {
		s = ""
	}
	w.buf.WriteByte(kind)
	w.buf.WriteString(s)
	w.buf.WriteByte('\n')
}

// sentences cuts a paragraph after full stops, question and exclamation marks
// that white space follows, and after their Chinese forms.
func sentences(p string, emit func(string)) {
	start := 0
	put := func(end int) {
		if s := strings.Join(strings.Fields(p[start:end]), " "); len(s) > 1 && len(s) < 4000 {
			emit(s)
		}
		start = end
	}
	for i, r := range p {
		switch r {
		case '.', '!', '?':
			if i+1 < len(p) && (p[i+1] == ' ' || p[i+1] == '\n') {
				put(i + 1)
			}
		case '。', '！', '？', '；':
			put(i + utf8.RuneLen(r))
		}
	}
	put(len(p))
}

// fingerprint is a hash of the letters of a sentence: copies that differ in
// case, digits or punctuation have the same.
func fingerprint(s string) uint64 {
	h := fnv.New64a()
	var b [4]byte
	for _, r := range s {
		if unicode.IsLetter(r) {
			n := utf8.EncodeRune(b[:], unicode.ToLower(r))
			h.Write(b[:n])
		}
	}
	return h.Sum64()
}

// A corpus is all text as numbers.
type corpus struct {
	words  []string  // by number
	count  []int     // how often each occurs
	spread []int     // in how many sources
	share  []float64 // of a source's words, on average over the sources
	tokens []int32   // the text; a paragraph ends with pause
	bytes  int       // of text
}

// pause stands between paragraphs; no window reaches over it.
const pause = -1

// gather reads all sources, drops what was said before, and numbers the words.
func gather(sources []source, cache string, chinese *lexicon) (*corpus, error) {
	c := &corpus{}
	number := map[string]int32{}
	var last []int // the last source that each word was seen in
	seen := map[uint64]bool{}
	for at, s := range sources {
		file, err := extract(s, cache)
		if err != nil {
			return nil, err
		}
		lines, err := share(file)
		if err != nil {
			return nil, err
		}
		z := newTokenizer(chinese)
		earlier, start := slices.Clone(c.count), len(c.tokens)
		for _, line := range lines {
			before := len(c.tokens)
			for one := range strings.SplitSeq(line, sentenceMark) {
				h := fingerprint(one)
				if seen[h] {
					continue
				}
				seen[h] = true
				c.bytes += len(one)
				z.tokens(one, func(w string) {
					n, ok := number[w]
					if !ok {
						n = int32(len(c.words))
						w = strings.Clone(w)
						number[w] = n
						c.words, c.count, c.spread, last = append(c.words, w), append(c.count, 0), append(c.spread, 0), append(last, -1)
					}
					c.count[n]++
					if last[n] != at {
						last[n] = at
						c.spread[n]++
					}
					c.tokens = append(c.tokens, n)
				})
			}
			if len(c.tokens) > before {
				c.tokens = append(c.tokens, pause)
			}
		}
		earlier = append(earlier, make([]int, len(c.words)-len(earlier))...)
		c.share = append(c.share, make([]float64, len(c.words)-len(c.share))...)
		for w, n := range c.count {
			c.share[w] += float64(n-earlier[w]) / float64(len(c.tokens)-start+1) / float64(len(sources))
		}
	}
	return c, nil
}

// share reads the paragraphs of one source, as many as it may bring: those
// with the smallest fingerprints, which is a fair sample and always the same.
func share(file string) ([]string, error) {
	body, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	type par struct {
		line string
		hash uint64
	}
	var all []par
	sc := bufio.NewScanner(bytes.NewReader(body))
	sc.Buffer(nil, maxFile)
	for sc.Scan() {
		if line, ok := strings.CutPrefix(sc.Text(), string(paragraphKind)); ok {
			all = append(all, par{line, 0})
		}
	}
	if len(body) > sourceShare {
		for i := range all {
			all[i].hash = fingerprint(all[i].line)
		}
		slices.SortStableFunc(all, func(a, b par) int {
			switch {
			case a.hash < b.hash:
				return -1
			case a.hash > b.hash:
				return 1
			}
			return 0
		})
	}
	var out []string
	size := 0
	for _, p := range all {
		if size += len(p.line); size > sourceShare {
			break
		}
		out = append(out, p.line)
	}
	return out, sc.Err()
}
