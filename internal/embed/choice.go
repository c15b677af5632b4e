package embed

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/url"
	"strings"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/text"
)

// A Choice is which embedder to use: the value of the key "embedder" in the
// user's own config.json. The zero Choice is none.
//
//	"none"
//	"static"
//	"bge-small-en-v1.5"
//	"http://localhost:11434/api/embed"
//	{"url": "https://api.example.com/v1/embeddings", "model": "m", "dim": 1536, "keyEnv": "EXAMPLE_KEY"}
type Choice struct {
	Name string `json:"-"` // "none", "static" or the name of an installed model

	URL    string `json:"url,omitempty"`    // or an endpoint,
	Model  string `json:"model,omitempty"`  // and which of its models
	Dim    int    `json:"dim,omitempty"`    // what its vectors have; 0 asks it once at every start
	KeyEnv string `json:"keyEnv,omitempty"` // the environment variable that holds the key; a key itself is never written down

	// QueryPrefix stands before a question. Without one, what the model's name suggests.
	QueryPrefix string `json:"queryPrefix,omitempty"`
}

// maxDim is the largest dimension that a choice may name.
const maxDim = 1 << 16

// None and BuiltIn are the names that no model can have.
const (
	None    = "none"
	BuiltIn = "static"
)

// ParseChoice reads the value of the key "embedder"; nothing is none. Its errors
// are of KindUsage.
func ParseChoice(raw json.RawMessage) (Choice, error) {
	if len(bytes.TrimSpace(raw)) == 0 {
		return Choice{}, nil
	}
	var c Choice
	var name string
	if json.Unmarshal(raw, &name) == nil {
		c = NamedChoice(name)
	} else {
		dec := json.NewDecoder(bytes.NewReader(raw))
		dec.DisallowUnknownFields()
		if err := dec.Decode(&c); err != nil {
			return Choice{}, misuse("embedder", text.Misfit(err))
		}
		if c.URL == "" {
			return Choice{}, misuse("embedder", errors.New("an object needs a url"))
		}
	}
	return c, c.Check()
}

// NamedChoice is the choice that a plain string names: an address, or a model.
func NamedChoice(name string) Choice {
	if strings.Contains(name, "://") {
		return Choice{URL: name}
	}
	return Choice{Name: name}
}

// Check tells what is wrong with a choice in itself; whether its model is there
// is seen by [Open].
func (c Choice) Check() error {
	if c.URL == "" {
		if c.Name != "" && !goodName(c.Name) {
			return misuse(c.Name, errors.New("not the name of a model"))
		}
		return nil
	}
	u, err := url.Parse(c.URL)
	path := ""
	if err == nil {
		path = strings.TrimRight(u.Path, "/")
	}
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return misuse(c.URL, errors.New("not an http or https address"))
	case u.User != nil:
		return misuse(u.Redacted(), errors.New("a password in an address would be written down; use keyEnv"))
	case !strings.HasSuffix(path, "/embeddings") && !strings.HasSuffix(path, "/api/embed"):
		return misuse(c.URL, errors.New("the address ends neither in /v1/embeddings nor in /api/embed"))
	case c.Dim < 0 || c.Dim > maxDim:
		return misuse(c.URL, errors.New("dim is out of range"))
	}
	return nil
}

// Value is how the choice is written into config.json.
func (c Choice) Value() any {
	switch {
	case c.URL == "" && c.Name == "":
		return None
	case c.URL == "":
		return c.Name
	case c == (Choice{URL: c.URL}):
		return c.URL
	default:
		return c
	}
}

// goodName tells whether a model may be called so: letters, digits, dots,
// dashes and underscores, not a dot first, because it names a directory.
func goodName(name string) bool {
	for i, r := range name {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
		if !letter && (i == 0 || r != '.' && r != '-' && r != '_') {
			return false
		}
	}
	return name != "" && len(name) <= 100
}

func misuse(path string, err error) error {
	return &pimento.Error{Op: "embed.choice", Path: path, Kind: pimento.KindUsage, Err: err,
		Hint: "an embedder is none, static, the name of an installed model (pimento model list), or an address such as http://localhost:11434/api/embed"}
}
