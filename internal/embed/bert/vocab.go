package bert

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"
)

// readTokenizer reads vocab.txt, which is quicker, or else tokenizer.json.
// Ids must lie below size, the rows of the table of words. The digest is of
// the file that was read.
func readTokenizer(dir string, size int) (*tokenizer, [32]byte, error) {
	lower := readLower(dir)
	name := "vocab.txt"
	b, err := readSmall(dir, name)
	var t *tokenizer
	switch {
	case err == nil:
		t, err = parseVocab(b, size)
	case errors.Is(err, fs.ErrNotExist):
		name = "tokenizer.json"
		if b, err = readSmall(dir, name); err != nil {
			return nil, [32]byte{}, err
		}
		t, err = parseTokenizerJSON(b, size, &lower)
	default:
		return nil, [32]byte{}, err
	}
	if err != nil {
		return nil, [32]byte{}, damaged(dir, name, err)
	}
	t.lower = lower
	if !lower {
		b = append(b, "cased"...)
	}
	return t, sha256.Sum256(b), nil
}

// readLower is do_lower_case, true where nothing says otherwise.
func readLower(dir string) bool {
	var c struct {
		Lower *bool `json:"do_lower_case"`
	}
	if readJSON(dir, "tokenizer_config.json", &c) != nil || c.Lower == nil {
		return true
	}
	return *c.Lower
}

// parseVocab reads a vocabulary with one piece a line; the line is the id.
func parseVocab(b []byte, size int) (*tokenizer, error) {
	lines := strings.Split(string(bytes.TrimRight(b, "\n")), "\n")
	if len(lines) > size {
		return nil, fmt.Errorf("%d lines, but the model has %d words", len(lines), size)
	}
	t := newTokenizer(len(lines))
	for id, line := range lines {
		t.put(strings.TrimSuffix(line, "\r"), int32(id))
	}
	return t, t.special()
}

// parseTokenizerJSON reads the vocabulary of the tokenizers library.
func parseTokenizerJSON(b []byte, size int, lower *bool) (*tokenizer, error) {
	var f struct {
		Model struct {
			Type   string           `json:"type"`
			Vocab  map[string]int64 `json:"vocab"`
			Prefix *string          `json:"continuing_subword_prefix"`
		} `json:"model"`
		Normalizer *struct {
			Lower *bool `json:"lowercase"`
		} `json:"normalizer"`
	}
	if err := json.Unmarshal(b, &f); err != nil {
		return nil, err
	}
	switch {
	case f.Model.Type != "WordPiece" && f.Model.Type != "":
		return nil, fmt.Errorf("a tokenizer of the type %q, not WordPiece", f.Model.Type)
	case f.Model.Prefix != nil && *f.Model.Prefix != "##":
		return nil, fmt.Errorf("pieces within a word begin with %q, not with ##", *f.Model.Prefix)
	case f.Normalizer != nil && f.Normalizer.Lower != nil:
		*lower = *f.Normalizer.Lower
	}
	t := newTokenizer(len(f.Model.Vocab))
	for piece, id := range f.Model.Vocab {
		if id < 0 || id >= int64(size) {
			return nil, fmt.Errorf("the id %d of %.40q is not below %d", id, piece, size)
		}
		t.put(piece, int32(id))
	}
	return t, t.special()
}

func newTokenizer(n int) *tokenizer {
	return &tokenizer{words: make(map[string]int32, n), tails: make(map[string]int32, n/4)}
}

func (t *tokenizer) put(piece string, id int32) {
	t.long = max(t.long, len(piece))
	if tail, ok := strings.CutPrefix(piece, "##"); ok && tail != "" {
		t.tails[tail] = id
		return
	}
	t.words[piece] = id
}

// special finds the tokens with a meaning of their own. No text can spell them,
// because a bracket is a word of its own.
func (t *tokenizer) special() error {
	for _, s := range []struct {
		name string
		into *int32
	}{{"[UNK]", &t.unknown}, {"[CLS]", &t.first}, {"[SEP]", &t.last}} {
		id, ok := t.words[s.name]
		if !ok {
			return fmt.Errorf("the vocabulary has no %s", s.name)
		}
		*s.into = id
	}
	return nil
}
