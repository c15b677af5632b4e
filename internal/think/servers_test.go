package think

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/pimento-memory/pimento"
)

const (
	ollamaPath = "/api/chat"
	openAIPath = "/v1/chat/completions"
)

// answering is a server that says one thing.
func answering(status int, kind, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", kind)
		w.WriteHeader(status)
		fmt.Fprint(w, body)
	}
}

// TestWhatServersSay has the answers of real servers, in both dialects, which are
// all the same answer.
func TestWhatServersSay(t *testing.T) {
	content := func(s string) string { b, _ := json.Marshal(s); return string(b) }
	ollama := func(s string) string {
		return `{"model":"m","message":{"role":"assistant","content":` + content(s) + `},"done":true,"done_reason":"stop","prompt_eval_count":7,"eval_count":3}`
	}
	openAI := func(raw string) string {
		return `{"choices":[{"index":0,"message":{"role":"assistant","content":` + raw + `},"finish_reason":"stop"}],"usage":{"prompt_tokens":7,"completion_tokens":3}}`
	}
	for _, tt := range []struct{ name, path, kind, body string }{
		{"one JSON", ollamaPath, "application/json", ollama(`{"ok":true}`)},
		{"a stream that nobody asked for", ollamaPath, "application/x-ndjson",
			`{"model":"m","message":{"role":"assistant","content":"{\"ok\""},"done":false}` + "\n" +
				`{"model":"m","message":{"role":"assistant","content":":true}"},"done":false}` + "\n" +
				`{"model":"m","message":{"role":"assistant","content":""},"done":true,"done_reason":"stop","prompt_eval_count":7,"eval_count":3}` + "\n"},
		{"a fence", ollamaPath, "application/json", ollama("```json\n{\"ok\": true}\n```")},
		{"thoughts before it", ollamaPath, "application/json", ollama("<think>\nIs {\"ok\": false} right? No.\n</think>\n\n{\"ok\":true}")},
		{"thoughts that the template began", ollamaPath, "application/json", ollama("Is {\"ok\": false} right? No.\n</think>\n\n{\"ok\":true}")},
		{"thoughts beside it", ollamaPath, "application/json",
			`{"message":{"content":"{\"ok\":true}","thinking":"Is {\"ok\":false} right?"},"done":true,"prompt_eval_count":7,"eval_count":3}`},
		{"another kind of content", ollamaPath, "text/plain", ollama(`{"ok":true}`)},
		{"one JSON", openAIPath, "application/json", openAI(content(`{"ok":true}`))},
		{"a stream that nobody asked for", openAIPath, "text/event-stream",
			`data: {"choices":[{"delta":{"role":"assistant","content":"{\"ok\""}}]}` + "\n\n: keep alive\n\n" +
				`data: {"choices":[{"delta":{"content":":true}"}}]}` + "\r\n\r\n" +
				`data: {"choices":[{"delta":{},"finish_reason":"stop"}]}` + "\n\n" +
				`data: {"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":3}}` + "\n\ndata: [DONE]\n\n"},
		{"a stream that says it is over, and no [DONE]", openAIPath, "text/event-stream",
			`data: {"choices":[{"delta":{"content":"{\"ok\":true}"}}]}` + "\n\n" +
				`data: {"choices":[{"delta":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":7,"completion_tokens":3}}` + "\n\n"},
		{"a stream that says [DONE], and not why", openAIPath, "text/event-stream",
			`data: {"choices":[{"delta":{"content":"{\"ok\":true}"},"finish_reason":null}],"usage":{"prompt_tokens":7,"completion_tokens":3}}` + "\n\ndata: [DONE]\n\n"},
		{"one event that holds all of it", openAIPath, "text/event-stream",
			`data: {"choices":[{"message":{"content":"{\"ok\":true}"}}],"usage":{"prompt_tokens":7,"completion_tokens":3}}` + "\n\n"},
		{"an answer that does not say why it ends", openAIPath, "application/json",
			`{"choices":[{"message":{"content":"{\"ok\":true}"}}],"usage":{"prompt_tokens":7,"completion_tokens":3}}`},
		{"a fence and prose, and a list before it", openAIPath, "application/json", openAI(content("See [1]. Sure:\n```\n{\"ok\":true}\n```\nAnything else?"))},
		{"parts", openAIPath, "application/json", openAI(`[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]},{"type":"text","text":"{\"ok\":"},{"type":"text","text":"true}"}]`)},
	} {
		th, _ := open(t, Choice{URL: serve(t, answering(200, tt.kind, tt.body)) + tt.path, Model: "m"}, "net")
		got, err := th.Think(t.Context(), Ask{Task: "x", Schema: schema})
		var said struct{ OK bool }
		if err != nil || got.JSON(&said) != nil || !said.OK || got.In != 7 || got.Out != 3 {
			t.Errorf("%s, %s: %+v, %v", tt.path, tt.name, got, err)
		}
	}
}

// TestOlderOllama has servers that know less: what one refuses costs nothing and is left out.
func TestOlderOllama(t *testing.T) {
	for _, tt := range []struct {
		name, refuses, says string
		requests            int
	}{
		{"no thinking", `"think"`, `{"error":"\"m\" does not support thinking"}`, 2},
		{"a word for the format", `"format":{`, `{"error":"json: cannot unmarshal object into Go struct field ChatRequest.format of type string"}`, 2},
		{"no format", `"format"`, `{"error":"invalid format"}`, 3},
		{"neither, and it does not say which", `"format":{`, `{"error":"bad request"}`, 3},
	} {
		requests := 0
		url := serve(t, func(w http.ResponseWriter, r *http.Request) {
			requests++
			b, _ := io.ReadAll(r.Body)
			if strings.Contains(string(b), tt.refuses) {
				w.WriteHeader(400)
				fmt.Fprint(w, tt.says)
				return
			}
			if !strings.Contains(string(b), `"keep_alive":"30m"`) {
				t.Errorf("%s: %s", tt.name, b)
			}
			fmt.Fprint(w, `{"message":{"content":"{\"ok\":true}"},"done":true}`)
		}) + ollamaPath
		th, book := open(t, Choice{URL: url, Model: "m"}, "net")
		got, err := th.Think(t.Context(), Ask{Task: "x", Schema: schema})
		var said struct{ OK bool }
		if err != nil || got.JSON(&said) != nil || !said.OK || requests != tt.requests {
			t.Errorf("%s: %d requests, %+v, %v", tt.name, requests, got, err)
		}
		if day := spent(t, book); day.Calls != 1 || day.Failed != 0 {
			t.Errorf("%s: %+v", tt.name, day)
		}
	}
}

// TestServerTrouble: what goes wrong with real servers is said with what to do.
func TestServerTrouble(t *testing.T) {
	for _, tt := range []struct {
		name, path, kind string
		status           int
		body, err, hint  string
	}{
		{"the model is not there", ollamaPath, "application/json", 404, `{"error":"model 'qwen3:4b' not found"}`, "not found", "ollama pull m"},
		{"the model is not there, as older ones say it", ollamaPath, "application/json", 404, `{"error":"model \"m\" not found, try pulling it first"}`, "not found", "ollama pull m"},
		{"the model is not there, in the other dialect", openAIPath, "application/json", 404,
			`{"error":{"message":"model \"m\" not found, try pulling it first","type":"api_error"}}`, "not found", "ollama pull m"},
		{"not Ollama's model", openAIPath, "application/json", 404, `{"error":{"message":"The model m does not exist"}}`, "does not exist", "the model's name right?"},
		{"not Ollama's model, at an address like its", "/api/v1/chat/completions", "application/json", 404, `{"error":{"message":"model m not found"}}`, "not found", "the model's name right?"},
		{"no such place", ollamaPath, "text/plain", 404, "404 page not found", "404", "address and the model's name"},
		{"an error in an answer that is none", ollamaPath, "application/x-ndjson", 200,
			`{"message":{"content":"{\"o"}}` + "\n" + `{"error":"model runner has unexpectedly stopped"}`, "unexpectedly stopped", ""},
		{"an error in a good answer", openAIPath, "application/json", 200, `{"error":{"message":"quota exceeded"}}`, "quota exceeded", ""},
		{"a page of a proxy", ollamaPath, "text/html", 200, "<html><body>Please log in</body></html>", "<html>", "address right?"},
		{"nothing said", ollamaPath, "application/json", 200, `{"message":{"content":""},"done":true}`, "empty", "think try"},
		{"nothing said, as null", openAIPath, "application/json", 200, `{"choices":[{"message":{"content":null}}]}`, "empty", "think try"},
		{"all of it thought", ollamaPath, "application/json", 200, `{"message":{"content":"<think>\nWell, the"},"done":true,"done_reason":"length"}`, "before it said anything", "does not think aloud"},
		{"a stream that breaks off", ollamaPath, "application/x-ndjson", 200, `{"message":{"content":"{\"ok\":true}"},"done":false}` + "\n", "breaks off", ""},
		{"a stream that breaks off, as events", openAIPath, "text/event-stream", 200, `data: {"choices":[{"delta":{"content":"{\"ok\":true}"},"finish_reason":null}]}` + "\n\n", "breaks off", ""},
		{"a stream that breaks off within an event", openAIPath, "text/event-stream", 200, `data: {"choices":[{"delta":{"content":"{\"ok\":true}"}}]}` + "\n\n" + `data: {"choices":[{"de`, "not one", ""},
		{"a stream that breaks off, a line each", openAIPath, "application/x-ndjson", 200, `{"choices":[{"delta":{"content":"{\"ok\":"}}]}` + "\n" + `{"choices":[{"delta":{"content":"true}"}}]}` + "\n", "breaks off", ""},
		{"a stream that an error ends", openAIPath, "text/event-stream", 200, `data: {"choices":[{"delta":{"content":"{\"ok\":true}"}}]}` + "\n\n" + `data: {"error":{"message":"out of memory"}}` + "\n\n", "out of memory", ""},
		{"nothing at all", openAIPath, "application/json", 200, "", "not one", ""},
	} {
		th, _ := open(t, Choice{URL: serve(t, answering(tt.status, tt.kind, tt.body)) + tt.path, Model: "m"}, "net")
		_, err := th.Think(t.Context(), Ask{Task: "x"})
		if pimento.KindOf(err) != pimento.KindUnavailable || !strings.Contains(fmt.Sprint(err), tt.err) || !strings.Contains(pimento.HintOf(err), tt.hint) {
			t.Errorf("%s: %v, hint %q", tt.name, err, pimento.HintOf(err))
		}
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	url := "http://" + l.Addr().String()
	l.Close() // nobody listens there now
	for _, tt := range []struct{ path, hint string }{{ollamaPath, "ollama serve"}, {openAIPath, "server running"}} {
		th, _ := open(t, Choice{URL: url + tt.path, Model: "m"}, "net")
		if _, err := th.Think(t.Context(), Ask{Task: "x"}); !strings.Contains(fmt.Sprint(err), "refused") || !strings.Contains(pimento.HintOf(err), tt.hint) {
			t.Errorf("nobody listens: %v, hint %q", err, pimento.HintOf(err))
		}
	}
}
