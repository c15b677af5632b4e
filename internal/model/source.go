package model

import (
	"errors"
	"maps"
	"net/url"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pimento-memory/pimento"
)

// known are the models that a name alone can pull, with where their authors
// publish them.
func known() map[string]string {
	return map[string]string{
		"bge-small-en-v1.5": "https://huggingface.co/BAAI/bge-small-en-v1.5",
		"all-MiniLM-L6-v2":  "https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2",
	}
}

// Known are the names of the models that a name alone can pull.
func Known() []string { return slices.Sorted(maps.Keys(known())) }

// A source is where a model's files come from: an address or a directory.
type source struct {
	base  string // an address without a slash at its end, or ""
	query string // goes behind each file's address
	dir   string // or a directory
}

// Locate finds out what a person named: a known model, NAME SOURCE, or a
// source alone, whose last part is the name. A source is an http or https
// address, a file:// address, or a path, of a directory or of the weights in
// it. abs makes a path absolute.
func Locate(args []string, abs func(string) string) (name, from string, err error) {
	const op = "model.pull"
	from = args[len(args)-1]
	isAddress := strings.Contains(from, "://")
	if len(args) == 1 && !isAddress && !strings.ContainsAny(from, `/\`) && from != "." {
		address, ok := known()[from]
		if !ok {
			return "", "", &pimento.Error{Op: op, Path: from, Kind: pimento.KindUsage, Err: errors.New("not a known model"),
				Hint: "known are " + strings.Join(Known(), " and ") + "; for others: pimento model pull NAME ADDRESS-OR-DIRECTORY"}
		}
		return from, address, nil
	}
	if !isAddress {
		from = abs(from)
	}
	if len(args) == 2 {
		name = args[0]
	} else {
		name = lastPart(from)
	}
	if !goodName(name) {
		return "", "", misnamed(op, name)
	}
	return name, from, nil
}

// lastPart is what a source calls the model.
func lastPart(from string) string {
	if u, err := url.Parse(from); err == nil && u.Scheme != "" && u.Path != "" {
		from = u.Path
	}
	from = strings.TrimSuffix(filepath.ToSlash(from), "/")
	if slices.Contains(weightNames(), path.Base(from)) {
		from = strings.TrimSuffix(path.Dir(from), "/onnx")
	}
	return path.Base(strings.TrimSuffix(from, "/resolve/main"))
}

// parseSource reads what [Locate] returned.
func parseSource(from string) (source, error) {
	wrong := func(what string) (source, error) {
		return source{}, &pimento.Error{Op: "model.pull", Path: from, Kind: pimento.KindUsage, Err: errors.New(what),
			Hint: "give an http or https address, or a directory with config.json, vocab.txt and model.safetensors"}
	}
	if !strings.Contains(from, "://") {
		return source{dir: trimWeights(filepath.ToSlash(from))}, nil
	}
	u, err := url.Parse(from)
	if err != nil {
		return wrong("not an address")
	}
	switch {
	case u.Scheme == "file":
		if u.Host != "" && u.Host != "localhost" || u.Path == "" {
			return wrong("a file address has three slashes")
		}
		return source{dir: trimWeights(u.Path)}, nil
	case u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return wrong("not an http or https address")
	case u.User != nil:
		return source{}, &pimento.Error{Op: "model.pull", Path: u.Redacted(), Kind: pimento.KindUsage,
			Err: errors.New("an address with a password would be written down"), Hint: "give one without"}
	}
	s := source{query: u.RawQuery}
	u.RawQuery, u.Fragment = "", ""
	u.Path, u.RawPath = trimWeights(strings.TrimRight(u.Path, "/")), ""
	if u.Host == "huggingface.co" && strings.Count(u.Path, "/") == 2 { // the page of a model
		u.Path += "/resolve/main"
	}
	s.base = u.String()
	return s, nil
}

// trimWeights takes the weights' name off, when somebody named them instead of
// the directory that they lie in.
func trimWeights(p string) string {
	for _, w := range weightNames() {
		if rest, ok := strings.CutSuffix(p, "/"+w); ok {
			return rest
		}
	}
	return p
}

// of is where a file of the model lies.
func (s source) of(name string) string {
	if s.dir != "" {
		return filepath.Join(filepath.FromSlash(s.dir), filepath.FromSlash(name))
	}
	address := s.base + "/" + name
	if s.query != "" {
		address += "?" + s.query
	}
	return address
}

// weightNames are the files of which a model needs one, best first. The order
// is the same as in package bert.
func weightNames() []string {
	return []string{"model.safetensors", "onnx/model.onnx", "model.onnx"}
}

// A part is what a model needs one of; the first that the source has is taken.
type part struct {
	names    []string
	optional bool
	max      int64 // bytes
}

const (
	maxSmall   = 32 << 20
	maxWeights = 4 << 30
)

// parts are the files of a model, the small ones first.
func parts() []part {
	return []part{
		{names: []string{"config.json"}, max: maxSmall},
		{names: []string{"vocab.txt", "tokenizer.json"}, max: maxSmall},
		{names: []string{"tokenizer_config.json"}, optional: true, max: maxSmall},
		{names: []string{"1_Pooling/config.json"}, optional: true, max: maxSmall},
		{names: []string{"config_sentence_transformers.json"}, optional: true, max: maxSmall},
		{names: weightNames(), max: maxWeights},
	}
}
