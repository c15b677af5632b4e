package network

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/courier"
)

const (
	defaultBatch = 32
	defaultWait  = 30 * time.Second
	maxText      = 16 << 10 // bytes of a text that are sent; endpoints refuse more than some 8,000 tokens
	maxAnswer    = 64 << 20
	maxDim       = 1 << 16
)

// A dialect is how an endpoint wants to be asked.
type dialect struct {
	batch  int
	ask    func(model string, texts []string) any
	answer func(b []byte) ([][]float32, error)
}

// dialectOf follows from how the address ends.
func dialectOf(address string) (dialect, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return dialect{}, errors.New("not an http or https address")
	}
	switch path := strings.TrimRight(u.Path, "/"); {
	case strings.HasSuffix(path, "/api/embed"):
		return dialect{defaultBatch, askInput, answerOllama}, nil
	case strings.HasSuffix(path, "/api/embeddings"):
		return dialect{1, askPrompt, answerPrompt}, nil
	case strings.HasSuffix(path, "/embeddings"):
		return dialect{defaultBatch, askInput, answerOpenAI}, nil
	}
	return dialect{}, errors.New("the address ends neither in /v1/embeddings nor in /api/embed")
}

// askInput is the body of the OpenAI API and of Ollama.
// https://platform.openai.com/docs/api-reference/embeddings
// https://github.com/ollama/ollama/blob/main/docs/api.md
func askInput(model string, texts []string) any {
	return struct {
		Model string   `json:"model"`
		Input []string `json:"input"`
	}{model, texts}
}

// askPrompt is Ollama's older body, with one text.
func askPrompt(model string, texts []string) any {
	return struct {
		Model  string `json:"model"`
		Prompt string `json:"prompt"`
	}{model, texts[0]}
}

// answerOpenAI puts vectors in the order of their indexes, which an endpoint
// may mix.
func answerOpenAI(b []byte) ([][]float32, error) {
	var a struct {
		Data []struct {
			Index     *int      `json:"index"`
			Embedding []float32 `json:"embedding"`
		} `json:"data"`
	}
	if err := json.Unmarshal(b, &a); err != nil {
		return nil, err
	}
	out := make([][]float32, len(a.Data))
	for i, d := range a.Data {
		at := i
		if d.Index != nil {
			at = *d.Index
		}
		if at < 0 || at >= len(out) || out[at] != nil {
			return nil, fmt.Errorf("index %d among %d vectors is repeated or out of range", at, len(out))
		}
		if out[at] = d.Embedding; out[at] == nil {
			return nil, errors.New("an entry without an embedding")
		}
	}
	return out, nil
}

func answerOllama(b []byte) ([][]float32, error) {
	var a struct {
		Embeddings [][]float32 `json:"embeddings"`
	}
	err := json.Unmarshal(b, &a)
	return a.Embeddings, err
}

func answerPrompt(b []byte) ([][]float32, error) {
	var a struct {
		Embedding []float32 `json:"embedding"`
	}
	err := json.Unmarshal(b, &a)
	return [][]float32{a.Embedding}, err
}

// Embed returns a vector of length 1 for each text, all of one dimension, and
// nil for a blank one. It asks in batches and tries again what may succeed
// later: answers of 429 and 5xx, and connections that broke, not those that were
// refused; only once where somebody waits.
func (n *Network) Embed(ctx context.Context, req courier.EmbedRequest) ([][]float32, error) {
	d, err := dialectOf(req.URL)
	if err != nil {
		return nil, &pimento.Error{Op: opEmbed, Path: req.URL, Kind: pimento.KindUsage, Err: err,
			Hint: "give it whole, such as http://localhost:11434/api/embed or https://api.example.com/v1/embeddings"}
	}
	if req.Batch > 0 {
		d.batch = min(d.batch, req.Batch)
	}
	if req.Wait > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Duration(req.Wait)*time.Millisecond)
		defer cancel()
	}
	out := make([][]float32, len(req.Texts))
	var todo []int
	for i, t := range req.Texts {
		if strings.TrimSpace(t) != "" {
			todo = append(todo, i)
		}
	}
	for len(todo) > 0 {
		part := todo[:min(d.batch, len(todo))]
		todo = todo[len(part):]
		texts := make([]string, len(part))
		for i, at := range part {
			texts[i] = cut(req.Texts[at])
		}
		vecs, err := n.embedBatch(ctx, req, d, texts)
		if err != nil {
			return nil, failAsking(opEmbed, req.URL, req.Model, err)
		}
		for i, at := range part {
			out[at] = vecs[i]
			req.Dim = max(req.Dim, len(vecs[i])) // what one batch had, the next must have
		}
	}
	return out, nil
}

func cut(text string) string {
	if len(text) <= maxText {
		return text
	}
	end := maxText
	for !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end]
}

func (n *Network) embedBatch(ctx context.Context, req courier.EmbedRequest, d dialect, texts []string) (vecs [][]float32, err error) {
	body, err := json.Marshal(d.ask(req.Model, texts))
	if err != nil {
		return nil, err
	}
	tries := tries
	if req.Hurry {
		tries = 2
	}
	err = n.again(ctx, tries, func() error {
		b, err := n.post(ctx, call{req.URL, req.Key, 0, defaultWait, maxAnswer}, body)
		if err != nil {
			return err
		}
		if vecs, err = d.answer(b); err == nil {
			err = check(vecs, len(texts), req.Dim)
		}
		if err != nil {
			return permanent{fmt.Errorf("the answer is not one: %w", err)}
		}
		return nil
	})
	return vecs, err
}

// A call is where a request goes, and what its answer may take.
type call struct {
	url, key string
	waitMS   int           // 0 means usual
	usual    time.Duration // to wait
	max      int           // bytes of the answer
}

// post sends one request and returns the answer's bytes.
func (n *Network) post(ctx context.Context, to call, body []byte) ([]byte, error) {
	wait := to.usual
	if to.waitMS > 0 {
		wait = time.Duration(to.waitMS) * time.Millisecond
	}
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, to.url, bytes.NewReader(body))
	if err != nil {
		return nil, permanent{err}
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("User-Agent", "pimento")
	if to.key != "" {
		r.Header.Set("Authorization", "Bearer "+to.key)
	}
	resp, err := n.ask.Do(r)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, refused(resp)
	}
	b, err := io.ReadAll(io.LimitReader(resp.Body, int64(to.max)+1))
	if err == nil && len(b) > to.max {
		err = permanent{fmt.Errorf("an answer of more than %d MB", to.max>>20)}
	}
	return b, err
}

// check holds an answer to its promises and scales its vectors to length 1.
func check(vecs [][]float32, n, dim int) error {
	if len(vecs) != n {
		return fmt.Errorf("%d vectors for %d texts", len(vecs), n)
	}
	for i, v := range vecs {
		if len(v) == 0 || len(v) > maxDim {
			return fmt.Errorf("a vector of %d numbers", len(v))
		}
		if dim == 0 {
			dim = len(v)
		}
		if len(v) != dim {
			return fmt.Errorf("a vector of %d numbers, where %d were expected: the endpoint serves another model now; `pimento model use` takes it over", len(v), dim)
		}
		sum := 0.0
		for _, x := range v {
			sum += float64(x) * float64(x)
		}
		if sum == 0 {
			vecs[i] = nil // it has no direction, so it says nothing
			continue
		}
		if math.IsNaN(sum) || math.IsInf(sum, 0) {
			return errors.New("a vector that is not finite")
		}
		for j := range v {
			v[j] = float32(float64(v[j]) / math.Sqrt(sum))
		}
	}
	return nil
}
