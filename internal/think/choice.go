package think

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/text"
)

// A Choice is the value of the key "thinker" in the user's own config.json. The
// zero Choice is none.
//
//	"none"
//	{"command": ["pi", "-p", "--no-tools", "--no-extensions", "--no-session"]}
//	{"url": "http://localhost:11434/api/chat", "model": "qwen3:4b"}
//	{"url": "https://api.example.com/v1/chat/completions", "model": "m", "keyEnv": "EXAMPLE_KEY", "maxTokensPerDay": 50000}
type Choice struct {
	Command []string `json:"command,omitempty"` // a program and its arguments; it reads the question from standard input and prints the answer

	URL    string `json:"url,omitempty"`    // or an endpoint,
	Model  string `json:"model,omitempty"`  // and which of its models
	KeyEnv string `json:"keyEnv,omitempty"` // the environment variable that holds the key; a key itself is never written down

	TimeoutSeconds  int `json:"timeoutSeconds,omitempty"`  // for one answer; 0 means 120
	MaxTokens       int `json:"maxTokens,omitempty"`       // of one call, request and answer; 0 means 16,000
	MaxTokensPerDay int `json:"maxTokensPerDay,omitempty"` // of all calls of a local calendar day; 0 means 200,000
}

const (
	// None is the choice of no model, written out.
	None = "none"
	// DefaultModel is asked for at an Ollama endpoint that no model was named for.
	DefaultModel = "qwen3:4b"

	defaultTimeout = 120
	defaultPerCall = 16_000
	defaultPerDay  = 200_000
	leastPerCall   = 500
)

// On says whether there is a model at all.
func (c Choice) On() bool { return len(c.Command) > 0 || c.URL != "" }

// Name is what the choice is called where people read it.
func (c Choice) Name() string {
	switch {
	case len(c.Command) > 0:
		return filepath.Base(c.Command[0])
	case c.URL != "":
		return c.model()
	}
	return None
}

func (c Choice) model() string {
	if c.Model == "" {
		return DefaultModel
	}
	return c.Model
}

func (c Choice) timeout() time.Duration {
	return time.Duration(or(c.TimeoutSeconds, defaultTimeout)) * time.Second
}

// PerCall and PerDay are the caps in tokens.
func (c Choice) PerCall() int { return or(c.MaxTokens, defaultPerCall) }
func (c Choice) PerDay() int  { return or(c.MaxTokensPerDay, defaultPerDay) }

func or(n, usual int) int {
	if n == 0 {
		return usual
	}
	return n
}

// ParseChoice reads the value of the key "thinker"; nothing is none. Its errors
// are of KindUsage.
func ParseChoice(raw json.RawMessage) (Choice, error) {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || string(raw) == `"`+None+`"` || string(raw) == "null" {
		return Choice{}, nil
	}
	var c Choice
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&c); err != nil {
		return Choice{}, misuse("thinker", text.Misfit(err))
	}
	if !c.On() {
		return Choice{}, misuse("thinker", errors.New(`it names neither a "command" nor a "url"`))
	}
	if err := c.Check(); err != nil {
		return Choice{}, err
	}
	return c, nil
}

// Check tells what is wrong with a choice in itself.
func (c Choice) Check() error {
	switch {
	case c.TimeoutSeconds < 0 || c.TimeoutSeconds > 3600:
		return misuse("timeoutSeconds", errors.New("from 1 to 3600"))
	case c.MaxTokens < 0 || c.MaxTokens > 0 && c.MaxTokens < leastPerCall:
		return misuse("maxTokens", errors.New("a call of less than 500 tokens holds no question"))
	case c.MaxTokensPerDay < 0:
		return misuse("maxTokensPerDay", errors.New("0 or more"))
	case len(c.Command) > 0 && c.URL != "":
		return misuse("thinker", errors.New("either a command or a url, not both"))
	case len(c.Command) > 0 && strings.TrimSpace(c.Command[0]) == "":
		return misuse("command", errors.New("the first word names the program"))
	case len(c.Command) > 0 && (c.Model != "" || c.KeyEnv != ""):
		return misuse("command", errors.New("model and keyEnv are for an endpoint; a command takes its own arguments"))
	case c.URL != "":
		return checkURL(c)
	}
	return nil
}

func checkURL(c Choice) error {
	u, err := url.Parse(c.URL)
	path := ""
	if err == nil {
		path = strings.TrimRight(u.Path, "/")
	}
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return misuse("url", errors.New("not an http or https address"))
	case u.User != nil:
		return misuse(u.Redacted(), errors.New("a password in an address would be written down; use keyEnv"))
	case strings.HasSuffix(path, "/chat/completions") && c.Model == "":
		return misuse(c.URL, errors.New("which model of this endpoint?"))
	case !strings.HasSuffix(path, "/chat/completions") && !strings.HasSuffix(path, "/api/chat"):
		return misuse(c.URL, errors.New("the address ends neither in /v1/chat/completions nor in /api/chat"))
	}
	return nil
}

func misuse(path string, err error) error {
	return &pimento.Error{Op: "think.choice", Path: path, Kind: pimento.KindUsage, Err: err,
		Hint: `a thinker is "none", {"command": ["pi", "-p", "--no-tools"]} or {"url": "http://localhost:11434/api/chat", "model": "qwen3:4b"}`}
}
