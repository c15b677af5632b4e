package network

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/courier"
)

func quick() *Network {
	n := New()
	n.Pause = time.Millisecond
	return n
}

func serve(t *testing.T, h http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL
}

// asked is the body of a request, whichever dialect it has.
type asked struct {
	Model  string   `json:"model"`
	Input  []string `json:"input"`
	Prompt string   `json:"prompt"`
}

func decode(t *testing.T, r *http.Request) (a asked) {
	if err := json.NewDecoder(r.Body).Decode(&a); err != nil || r.Method != http.MethodPost {
		t.Errorf("%s %v", r.Method, err)
	}
	return a
}

// vectorOf is [len, 1, 0], not of length 1.
func vectorOf(text string) string { return fmt.Sprintf("[%d,1,0]", len(text)) }

func mustBe(t *testing.T, vecs [][]float32, texts ...string) {
	t.Helper()
	if len(vecs) != len(texts) {
		t.Fatalf("%d vectors", len(vecs))
	}
	for i, text := range texts {
		length := math.Hypot(float64(len(text)), 1)
		if v := vecs[i]; len(v) != 3 || math.Abs(float64(v[0])-float64(len(text))/length) > 1e-6 || v[2] != 0 {
			t.Errorf("%q: %v", text, v)
		}
	}
}

func TestOpenAI(t *testing.T) {
	var requests atomic.Int32
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		if got := r.Header.Get("Authorization"); got != "Bearer sesame" {
			t.Errorf("key %q", got)
		}
		a := decode(t, r)
		var data []string
		for i := len(a.Input) - 1; i >= 0; i-- { // an endpoint may mix the order
			data = append(data, fmt.Sprintf(`{"object":"embedding","index":%d,"embedding":%s}`, i, vectorOf(a.Input[i])))
		}
		fmt.Fprintf(w, `{"model":%q,"data":[%s],"usage":{"total_tokens":1}}`, a.Model, strings.Join(data, ","))
	}) + "/v1/embeddings"
	var texts []string
	for i := range 70 {
		texts = append(texts, strings.Repeat("x", i+1))
	}
	vecs, err := quick().Embed(t.Context(), courier.EmbedRequest{URL: url, Model: "m", Key: "sesame", Texts: texts})
	if err != nil {
		t.Fatal(err)
	}
	mustBe(t, vecs, texts...)
	if n := requests.Load(); n != 3 {
		t.Errorf("%d requests for 70 texts", n)
	}
}

func TestOllama(t *testing.T) {
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch a := decode(t, r); r.URL.Path {
		case "/api/embed":
			var all []string
			for _, text := range a.Input {
				all = append(all, vectorOf(text))
			}
			fmt.Fprintf(w, `{"embeddings":[%s]}`, strings.Join(all, ","))
		case "/api/embeddings":
			fmt.Fprintf(w, `{"embedding":%s}`, vectorOf(a.Prompt))
		}
	})
	for _, path := range []string{"/api/embed", "/api/embeddings"} {
		vecs, err := quick().Embed(t.Context(), courier.EmbedRequest{URL: url + path, Model: "m", Texts: []string{"a", "", "bbb", " \n"}})
		if err != nil {
			t.Fatal(err)
		}
		if vecs[1] != nil || vecs[3] != nil {
			t.Errorf("%s: a blank text has a vector", path)
		}
		mustBe(t, [][]float32{vecs[0], vecs[2]}, "a", "bbb")
	}
}

// TestQuestionIsNotAskedLong: where somebody waits, it is tried once more, if that ends in
// time; where nobody does, a single text is tried as often as many.
func TestQuestionIsNotAskedLong(t *testing.T) {
	for _, tt := range []struct {
		wait, requests int
		hurry          bool
	}{{0, 2, true}, {10_000, 2, true}, {100, 1, true}, {0, 4, false}} {
		var requests atomic.Int32
		url := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			requests.Add(1)
			w.WriteHeader(http.StatusServiceUnavailable)
		}) + "/api/embed"
		n := quick()
		if tt.wait == 100 {
			n.Pause = time.Minute
		}
		_, err := n.Embed(t.Context(), courier.EmbedRequest{URL: url, Wait: tt.wait, Hurry: tt.hurry, Texts: []string{"a"}})
		if err == nil || !strings.Contains(err.Error(), "503") || int(requests.Load()) != tt.requests {
			t.Errorf("%d ms: %d requests, %v", tt.wait, requests.Load(), err)
		}
	}
}

// TestRetries has servers that fail a few times, and some that always do.
func TestRetries(t *testing.T) {
	for _, tt := range []struct {
		status, failures, requests int
		ok                         bool
	}{
		{429, 2, 3, true}, {503, 3, 4, true}, {500, 9, 4, false}, {400, 9, 1, false}, {401, 9, 1, false}, {404, 9, 1, false}, {307, 9, 1, false}, {501, 9, 1, false},
	} {
		var requests atomic.Int32
		url := serve(t, func(w http.ResponseWriter, r *http.Request) {
			if int(requests.Add(1)) <= tt.failures {
				w.Header().Set("Location", "http://127.0.0.1:1/elsewhere")
				w.WriteHeader(tt.status)
				fmt.Fprint(w, "because\nof <this>")
				return
			}
			fmt.Fprint(w, `{"embeddings":[[1,1,0],[1,2,0]]}`)
		}) + "/api/embed"
		_, err := quick().Embed(t.Context(), courier.EmbedRequest{URL: url, Model: "m", Key: "sesame", Texts: []string{"a", "b"}})
		if (err == nil) != tt.ok || int(requests.Load()) != tt.requests {
			t.Errorf("%d, %d times: %d requests, %v", tt.status, tt.failures, requests.Load(), err)
		}
		if err != nil && (pimento.KindOf(err) != pimento.KindUnavailable || pimento.HintOf(err) == "" && tt.status != 501 ||
			!strings.Contains(err.Error(), "because of <this>") || strings.Contains(err.Error(), "sesame")) {
			t.Errorf("%d: %v, hint %q", tt.status, err, pimento.HintOf(err))
		}
	}
}

// TestMalformedAnswers has servers that answer 200 and something else. They
// are not asked twice.
func TestMalformedAnswers(t *testing.T) {
	for _, tt := range []struct{ path, answer, want string }{
		{"/api/embed", `{"embeddings":[[1,2]]}`, "1 vectors for 2"},
		{"/api/embed", `{"embeddings":[[1,2],[3]]}`, "of 1 numbers"},
		{"/api/embed", `{"embeddings":[[],[]]}`, "of 0 numbers"},
		{"/api/embed", `{"embeddings":[[1e40,2],[3,4]]}`, "1e40"},
		{"/api/embed", `{"embeddings":[["1","2"],[3,4]]}`, "string"},
		{"/api/embed", `{}`, "0 vectors"},
		{"/api/embed", `<html>`, "invalid character"},
		{"/api/embed", ``, "unexpected end"},
		{"/v1/embeddings", `{"data":[{"index":0,"embedding":[1]},{"index":0,"embedding":[1]}]}`, "repeated"},
		{"/v1/embeddings", `{"data":[{"index":-1,"embedding":[1]},{"index":2,"embedding":[1]}]}`, "out of range"},
		{"/v1/embeddings", `{"data":[{"index":0},{"index":1,"embedding":[1]}]}`, "without"},
		{"/v1/embeddings", `{"data":[{"index":0,"embedding":"AAAA"},{"index":1,"embedding":[1]}]}`, "string"},
	} {
		var requests atomic.Int32
		url := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			requests.Add(1)
			fmt.Fprint(w, tt.answer)
		}) + tt.path
		_, err := quick().Embed(t.Context(), courier.EmbedRequest{URL: url, Texts: []string{"a", "b"}})
		if pimento.KindOf(err) != pimento.KindUnavailable || !strings.Contains(fmt.Sprint(err), tt.want) || requests.Load() != 1 {
			t.Errorf("%s: %d requests, %v", tt.answer, requests.Load(), err)
		}
	}
}

// TestAnotherDimension has a server whose model changes between two batches,
// and one that does not serve the model of the configuration.
func TestAnotherDimension(t *testing.T) {
	var requests atomic.Int32
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if requests.Add(1) == 1 {
			fmt.Fprint(w, `{"embeddings":[[1,2,3]]}`)
			return
		}
		fmt.Fprint(w, `{"embeddings":[[1,2,3,4]]}`)
	}) + "/api/embed"
	for _, dim := range []int{0, 3} {
		_, err := quick().Embed(t.Context(), courier.EmbedRequest{URL: url, Batch: 1, Dim: dim, Texts: []string{"a", "b"}})
		if err == nil || !strings.Contains(err.Error(), "another model") {
			t.Errorf("dimension %d: %v", dim, err)
		}
	}
}

func TestZeroVectorIsNone(t *testing.T) {
	url := serve(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"embeddings":[[0,0],[3,4]]}`) }) + "/api/embed"
	vecs, err := quick().Embed(t.Context(), courier.EmbedRequest{URL: url, Texts: []string{"a", "b"}})
	if err != nil || vecs[0] != nil || vecs[1][0] != 0.6 {
		t.Errorf("%v %v", vecs, err)
	}
}

// TestSlowServer is given up on: by our own clock for one answer, or by the
// caller's for all.
func TestSlowServer(t *testing.T) {
	release := make(chan struct{})
	url := serve(t, func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-release:
		case <-r.Context().Done():
		}
	}) + "/api/embed"
	defer close(release)
	_, err := quick().Embed(t.Context(), courier.EmbedRequest{URL: url, Wait: 5, Texts: []string{"a"}})
	if pimento.KindOf(err) != pimento.KindUnavailable || !strings.Contains(pimento.HintOf(err), "slow") {
		t.Errorf("our clock: %v", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Millisecond)
	defer cancel()
	if _, err = quick().Embed(ctx, courier.EmbedRequest{URL: url, Texts: []string{"a"}}); pimento.KindOf(err) != pimento.KindUnavailable {
		t.Errorf("the caller's clock: %v", err)
	}
}

// TestGivenUpWhileWaiting stops between two tries.
func TestGivenUpWhileWaiting(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	url := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "3600")
		w.WriteHeader(http.StatusTooManyRequests)
		cancel()
	}) + "/api/embed"
	if _, err := quick().Embed(ctx, courier.EmbedRequest{URL: url, Texts: []string{"a"}}); pimento.KindOf(err) != pimento.KindUnavailable {
		t.Errorf("got %v", err)
	}
}

// TestNobodyListens: that is known at once, and a prompt waits for the answer.
func TestNobodyListens(t *testing.T) {
	n := quick()
	n.Pause = time.Hour
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	_, err := n.Embed(ctx, courier.EmbedRequest{URL: "http://127.0.0.1:1/api/embed", Texts: []string{"a"}})
	if pimento.KindOf(err) != pimento.KindUnavailable || ctx.Err() != nil {
		t.Errorf("%v; the time: %v", err, ctx.Err())
	}
}

func TestAddresses(t *testing.T) {
	for _, address := range []string{"", "localhost:11434", "ftp://x/api/embed", "http://x/", "http:///v1/embeddings", "http://x/v1/chat", "http://x\x7f/v1/embeddings"} {
		if _, err := quick().Embed(t.Context(), courier.EmbedRequest{URL: address, Texts: []string{"a"}}); pimento.KindOf(err) != pimento.KindUsage {
			t.Errorf("%q: %v", address, err)
		}
	}
	_, err := quick().Embed(t.Context(), courier.EmbedRequest{URL: "http://ada:secret@127.0.0.1:1/v1/embeddings", Texts: []string{"a"}})
	if pimento.KindOf(err) != pimento.KindUnavailable || strings.Contains(err.Error(), "secret") {
		t.Errorf("nobody there: %v", err)
	}
}

func TestLongTextIsCut(t *testing.T) {
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if a := decode(t, r); len(a.Input[0]) > maxText || len(a.Input[0]) < maxText-4 || strings.ContainsRune(a.Input[0], 0xfffd) {
			t.Errorf("%d bytes were sent", len(a.Input[0]))
		}
		fmt.Fprint(w, `{"embeddings":[[1]]}`)
	}) + "/api/embed"
	if _, err := quick().Embed(t.Context(), courier.EmbedRequest{URL: url, Texts: []string{"a" + strings.Repeat("漢", maxText)}}); err != nil {
		t.Error(err)
	}
}
