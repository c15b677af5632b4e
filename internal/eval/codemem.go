package eval

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"unicode"
)

// An Asked is a question of codemem with what is known of its answer.
type Asked struct {
	Question
	Type  string   `json:"type"`
	Gold  []string `json:"gold"`            // entries that answer it
	Stale []string `json:"stale,omitempty"` // entries that did once
	Split string   `json:"split"`           // dev or test
}

// UnmarshalJSON reads the question and what is said of it.
func (a *Asked) UnmarshalJSON(b []byte) error {
	var of struct {
		Type, Split string
		Gold, Stale []string
	}
	err := errors.Join(json.Unmarshal(b, &a.Question), json.Unmarshal(b, &of))
	a.Type, a.Split, a.Gold, a.Stale = of.Type, of.Split, of.Gold, of.Stale
	return err
}

// A Project is one of codemem's memories with its questions.
type Project struct {
	Name  string
	Lines []Line
	Asked []Asked
}

// Projects reads codemem from its files.
func Projects(files fs.FS) ([]Project, error) {
	dirs, err := fs.ReadDir(files, ".")
	if err != nil {
		return nil, err
	}
	var out []Project
	for _, d := range dirs {
		if !d.IsDir() {
			continue
		}
		p := Project{Name: d.Name()}
		for _, name := range []string{"facts.jsonl", "daily.jsonl"} {
			lines, err := readFile[Line](files, path.Join(d.Name(), name))
			if err != nil {
				return nil, err
			}
			p.Lines = append(p.Lines, lines...)
		}
		if p.Asked, err = readFile[Asked](files, path.Join(d.Name(), "questions.jsonl")); err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

func readFile[T any](files fs.FS, name string) ([]T, error) {
	b, err := fs.ReadFile(files, name)
	if err != nil {
		return nil, err
	}
	return ReadLines[T](bytes.NewReader(b), name)
}

// Distract adds n made-up notes that reuse the nouns of the project: they look
// like answers and say nothing. The same seed makes the same notes.
func (p Project) Distract(n int, seed uint64) []Line {
	rng := rand.New(rand.NewPCG(seed, uint64(len(p.Name))))
	nouns := p.nouns()
	pick := func(from []string) string { return from[rng.IntN(len(from))] }
	var out []Line
	for i := range n {
		text := pick(openings)
		for strings.Contains(text, "*") {
			text = strings.Replace(text, "*", pick(nouns), 1)
		}
		out = append(out, Line{ID: fmt.Sprintf("%s-x%05d", p.Name, i), Text: text, Section: fmt.Sprintf("notes/week-%02d.md", i*39/n),
			Date: fmt.Sprintf("2026-%02d-%02d", 2+rng.IntN(9), 1+rng.IntN(28))})
	}
	return out
}

// openings are the shapes of made-up notes; a star is a noun.
var openings = []string{
	"Looked at * again after the meeting, nothing to change.", "* and * were discussed; no conclusion yet.",
	"Reread the notes on *, they are fine.", "Asked about * in the channel, waiting for an answer.",
	"Small cleanup around * while working on *.", "The * ticket was moved to next week together with *.",
	"Wrote down an idea for * in the backlog.", "Reviewed a change that touches * and *; only naming remarks.",
	"Paired on * for an hour.", "* came up in the retro, people are content with it.",
	"Renamed a helper near * for readability.", "Closed three old tickets about *.",
	"Showed * to the new colleague.", "Typo in the * section corrected.", "* looked slow for a moment, could not reproduce it.",
}

// nouns are words of the project's facts that are no function words: those in
// capitals or code, and long ones.
func (p Project) nouns() []string {
	seen := map[string]bool{}
	for _, l := range p.Lines {
		for _, w := range strings.FieldsFunc(l.Text, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(",;:()\"'.", r) }) {
			if len(w) > 6 && len(w) < 24 && w[0] < 0x80 && !unicode.IsDigit(rune(w[0])) {
				seen[w] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(seen))
}

// corpusOf is a project's memory with distractors.
func corpusOf(p Project, distractors int) (*Corpus, error) {
	return NewCorpus(append(slices.Clone(p.Lines), p.Distract(distractors, 1)...))
}

// ask ranks the questions of a split.
func ask(ctx context.Context, r *Ranker, p Project, split string, each func(Asked, Ranking)) {
	for _, q := range p.Asked {
		if q.Split == split && ctx.Err() == nil {
			each(q, r.Rank(ctx, q.Question))
		}
	}
}
