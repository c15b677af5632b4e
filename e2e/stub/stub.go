// Package stub is a language model for tests: a server on loopback that answers
// from a script and keeps every request it got.
//
// It speaks just what an agent needs of three protocols, streamed: OpenAI's chat
// completions and responses, and Anthropic's messages; text, tool calls, and the
// token usage that makes an agent compact.
package stub

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path"
	"strings"
	"sync"
	"time"
)

// A Reply is what the model answers to one request.
type Reply struct {
	Text   string
	Calls  []Call
	Tokens int           // prompt tokens to report, 0 for an honest estimate
	Status int           // an HTTP error instead of an answer, with Text as its message
	Delay  time.Duration // before answering
	Hang   bool          // of chat completions: all but the end is sent, until the agent hangs up

	hang func()
}

// A Call is one tool call of a reply.
type Call struct {
	Name      string
	Namespace string // of the tool, where the protocol of responses groups them
	Args      any
}

// A Request is one request as the model got it.
type Request struct {
	System   string    // all system messages, joined by a newline
	Messages []Message // all others, in order
	Tools    []string
	Body     json.RawMessage
}

// A Message is one message of a request.
type Message struct {
	Role  string
	Text  string   // of all its parts, what a tool answered included
	Calls []string // names of the tools an assistant message calls
}

// Last is the last message of the role, with Role "" when there is none.
func (r Request) Last(role string) Message {
	for i := len(r.Messages) - 1; i >= 0; i-- {
		if r.Messages[i].Role == role {
			return r.Messages[i]
		}
	}
	return Message{}
}

// Text is everything the request tells the model, for tests that something
// is nowhere in it.
func (r Request) Text() string {
	var b strings.Builder
	b.WriteString(r.System)
	for _, m := range r.Messages {
		b.WriteString("\n" + m.Text)
	}
	return b.String()
}

// User is the text of all user messages after the last assistant message: the
// prompt and what came with it.
func (r Request) User() string {
	var texts []string
	for _, m := range r.Messages {
		switch m.Role {
		case "assistant":
			texts = nil
		case "user":
			texts = append(texts, m.Text)
		}
	}
	return strings.Join(texts, "\n")
}

// A Model is a running server. Answer decides every reply; it is called for one
// request at a time.
type Model struct {
	URL  string // base URL, ends in /v1
	Root string // the same without that

	server *httptest.Server
	answer func(n int, r Request) Reply
	mu     sync.Mutex
	got    []Request
}

// Start serves answer, which gets the request's number from 0.
func Start(answer func(n int, r Request) Reply) *Model {
	m := &Model{answer: answer}
	m.server = httptest.NewServer(http.HandlerFunc(m.serve))
	m.Root = m.server.URL
	m.URL = m.Root + "/v1"
	return m
}

// Script answers with the replies in order, then with "ok".
func Script(replies ...Reply) func(int, Request) Reply {
	return func(n int, _ Request) Reply {
		if n < len(replies) {
			return replies[n]
		}
		return Reply{Text: "ok"}
	}
}

// Close stops the server, breaking off what is still being answered.
func (m *Model) Close() {
	m.server.CloseClientConnections()
	m.server.Close()
}

// Requests are all requests so far.
func (m *Model) Requests() []Request {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]Request(nil), m.got...)
}

func (m *Model) serve(w http.ResponseWriter, r *http.Request) {
	wire, ok := wires[path.Base(r.URL.Path)]
	if r.Method != http.MethodPost || !ok {
		http.NotFound(w, r)
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	req, err := wire.parse(body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	req.Body = body
	m.mu.Lock()
	n := len(m.got)
	m.got = append(m.got, req)
	reply := m.answer(n, req)
	m.mu.Unlock()
	select {
	case <-time.After(reply.Delay):
	case <-r.Context().Done():
		return
	}
	if reply.Status != 0 {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(reply.Status)
		_ = json.NewEncoder(w).Encode(object{"error": object{"message": reply.Text, "type": "invalid_request_error"}})
		return
	}
	if reply.Tokens == 0 {
		reply.Tokens = len(body)/4 + 1
	}
	reply.hang = func() {
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	}
	w.Header().Set("Content-Type", "text/event-stream")
	wire.send(w, n, reply)
}

// A wire is one protocol: what a request says, and a reply as a stream.
type wire struct {
	parse func(body []byte) (Request, error)
	send  func(w io.Writer, n int, reply Reply)
}

// wires are the protocols by the end of their address.
var wires = map[string]wire{
	"completions": {parseChat, sendChat},
	"messages":    {parseMessages, sendMessages},
	"responses":   {parseResponses, sendResponses},
}

type object = map[string]any

// event writes one event of a stream, with a name or without.
func event(w io.Writer, name string, v any) {
	if name != "" {
		fmt.Fprintf(w, "event: %s\n", name)
	}
	b, _ := json.Marshal(v)
	fmt.Fprintf(w, "data: %s\n\n", b)
}

// id is that of the i-th thing in the n-th reply.
func id(kind string, n, i int) string { return fmt.Sprintf("%s_%d_%d", kind, n, i) }

func (r Reply) out() int { return len(r.Text)/4 + 1 }

func (c Call) arguments() string {
	b, _ := json.Marshal(c.Args)
	return string(b)
}

// add takes a message into the request: what an agent says as system or developer is System.
func (r *Request) add(m Message) {
	if m.Role != "system" && m.Role != "developer" {
		r.Messages = append(r.Messages, m)
		return
	}
	if r.System != "" {
		r.System += "\n"
	}
	r.System += m.Text
}

func parseChat(body []byte) (req Request, err error) {
	var in struct {
		Messages []struct {
			Role    string
			Content json.RawMessage
			Calls   []struct{ Function struct{ Name string } } `json:"tool_calls"`
		}
		Tools []struct{ Function struct{ Name string } }
	}
	err = json.Unmarshal(body, &in)
	for _, m := range in.Messages {
		msg := Message{Role: m.Role, Text: text(m.Content)}
		for _, c := range m.Calls {
			msg.Calls = append(msg.Calls, c.Function.Name)
		}
		req.add(msg)
	}
	for _, t := range in.Tools {
		req.Tools = append(req.Tools, t.Function.Name)
	}
	return req, err
}

// text flattens content, which is a string or a list of parts that may have parts.
func text(content json.RawMessage) string {
	var s string
	if json.Unmarshal(content, &s) == nil {
		return s
	}
	var parts []struct {
		Text    string
		Content json.RawMessage
	}
	_ = json.Unmarshal(content, &parts)
	var texts []string
	for _, p := range parts {
		texts = append(texts, p.Text+text(p.Content))
	}
	return strings.Join(texts, "\n")
}

func sendChat(w io.Writer, n int, reply Reply) {
	chunk := func(delta object, finish any) {
		event(w, "", object{"id": fmt.Sprint("stub-", n), "object": "chat.completion.chunk", "model": "stub-model",
			"choices": []object{{"index": 0, "delta": delta, "finish_reason": finish}}})
	}
	finish := "stop"
	chunk(object{"role": "assistant", "content": reply.Text}, nil)
	for i, c := range reply.Calls {
		chunk(object{"tool_calls": []object{{"index": i, "id": id("call", n, i), "type": "function",
			"function": object{"name": c.Name, "arguments": c.arguments()}}}}, nil)
		finish = "tool_calls"
	}
	if reply.Hang {
		reply.hang()
		return
	}
	chunk(object{}, finish)
	event(w, "", object{"id": fmt.Sprint("stub-", n), "object": "chat.completion.chunk", "model": "stub-model", "choices": []object{},
		"usage": object{"prompt_tokens": reply.Tokens, "completion_tokens": reply.out(), "total_tokens": reply.Tokens + reply.out()}})
	fmt.Fprint(w, "data: [DONE]\n\n")
}
