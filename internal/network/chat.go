package network

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/courier"
)

const (
	chatWait   = 2 * time.Minute
	maxChat    = 8 << 20
	windowStep = 1024 // what Ollama's context window is rounded up to
)

// Chat asks a language model once, without streaming. Tokens cost money, so
// only what certainly was not answered is asked again: a refusal for being
// busy, or for a field that this endpoint does not know.
func (n *Network) Chat(ctx context.Context, req courier.ChatRequest) (courier.ChatAnswer, error) {
	d, err := chatDialectOf(req.URL)
	if err != nil {
		return courier.ChatAnswer{}, &pimento.Error{Op: opChat, Path: req.URL, Kind: pimento.KindUsage, Err: err,
			Hint: "give it whole, such as http://localhost:11434/api/chat or https://api.example.com/v1/chat/completions"}
	}
	var said courier.ChatAnswer
	body := d.body(req)
	for {
		var b []byte
		if b, err = n.chatOnce(ctx, req, body); err == nil {
			said, err = d.answer(b)
			break
		}
		if !d.simpler(body, err) {
			break
		}
	}
	return said, failAsking(opChat, req.URL, req.Model, err)
}

// chatOnce posts a body; a busy endpoint is asked again.
func (n *Network) chatOnce(ctx context.Context, req courier.ChatRequest, body map[string]any) (b []byte, err error) {
	sent, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	err = n.again(ctx, tries, func() error {
		b, err = n.post(ctx, call{req.URL, req.Key, req.Wait, chatWait, maxChat}, sent)
		if r, ok := errors.AsType[*refusal](err); ok && (r.status == http.StatusTooManyRequests || r.status == http.StatusServiceUnavailable) {
			return err
		}
		if err != nil {
			return permanent{err}
		}
		return nil
	})
	return b, err
}

// A chatDialect is how a kind of endpoint wants to be asked for words.
type chatDialect struct {
	body    func(courier.ChatRequest) map[string]any
	answer  func([]byte) (courier.ChatAnswer, error)
	simpler func(body map[string]any, err error) bool // takes out what was refused; false when there is nothing to take
}

func chatDialectOf(address string) (chatDialect, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return chatDialect{}, errors.New("not an http or https address")
	}
	switch path := strings.TrimRight(u.Path, "/"); {
	case strings.HasSuffix(path, "/api/chat"):
		return chatDialect{ollamaBody, ollamaAnswer, ollamaSimpler}, nil
	case strings.HasSuffix(path, "/chat/completions"):
		return chatDialect{openAIBody, openAIAnswer, openAISimpler}, nil
	}
	return chatDialect{}, errors.New("the address ends neither in /api/chat nor in /v1/chat/completions")
}

func messages(req courier.ChatRequest) []map[string]string {
	var out []map[string]string
	if req.System != "" {
		out = append(out, map[string]string{"role": "system", "content": req.System})
	}
	return append(out, map[string]string{"role": "user", "content": req.Prompt})
}

// ollamaBody asks without thinking, and for a context window that holds the
// whole request: Ollama's own is small, and what does not fit into it is cut
// off without a word. A model stays loaded for half an hour.
// https://github.com/ollama/ollama/blob/main/docs/api.md
func ollamaBody(req courier.ChatRequest) map[string]any {
	options := map[string]any{"temperature": 0}
	if req.Max > 0 {
		options["num_predict"] = req.Max
	}
	if req.In > 0 {
		options["num_ctx"] = (req.In+req.Max+windowStep-1)/windowStep*windowStep + windowStep
	}
	body := map[string]any{"model": req.Model, "messages": messages(req), "stream": false, "think": false,
		"keep_alive": "30m", "options": options}
	if len(req.Schema) > 0 {
		body["format"] = req.Schema
	}
	return body
}

// ollamaSimpler gives way to older servers: one that takes a bare word for the
// format, or knows nothing of thinking. Most say what they refuse; when one does
// not, what is newest goes first.
func ollamaSimpler(body map[string]any, err error) bool {
	r, ok := errors.AsType[*refusal](err)
	if !ok || r.status != http.StatusBadRequest {
		return false
	}
	_, thinks := body["think"]
	format, formatted := body["format"]
	switch {
	case thinks && !(formatted && strings.Contains(r.text, "format")):
		delete(body, "think")
	case formatted && format != "json":
		body["format"] = "json"
	case formatted:
		delete(body, "format")
	default:
		return false
	}
	return true
}

// openAIBody speaks the API that most endpoints imitate.
// https://platform.openai.com/docs/api-reference/chat
func openAIBody(req courier.ChatRequest) map[string]any {
	body := map[string]any{"model": req.Model, "messages": messages(req)}
	if req.Max > 0 {
		body["max_tokens"] = req.Max
	}
	if len(req.Schema) > 0 {
		body["response_format"] = map[string]any{"type": "json_schema",
			"json_schema": map[string]any{"name": "answer", "schema": req.Schema, "strict": true}}
	}
	return body
}

// openAISimpler gives way to endpoints that call the limit otherwise, or hold
// no schema: what is refused costs nothing, and the answer is checked anyway.
func openAISimpler(body map[string]any, err error) bool {
	r, ok := errors.AsType[*refusal](err)
	if !ok || r.status != http.StatusBadRequest && r.status != http.StatusUnprocessableEntity {
		return false
	}
	if limit, ok := body["max_tokens"]; ok && strings.Contains(r.text, "max_completion_tokens") {
		delete(body, "max_tokens")
		body["max_completion_tokens"] = limit
		return true
	}
	format, ok := body["response_format"].(map[string]any)
	switch {
	case !ok:
		return false
	case format["type"] == "json_schema":
		body["response_format"] = map[string]any{"type": "json_object"}
	default:
		delete(body, "response_format")
	}
	return true
}
