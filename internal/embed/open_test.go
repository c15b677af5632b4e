package embed

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/embed/bert/berttest"
	"github.com/pimento-memory/pimento/internal/network"
)

// TestMain lets the test binary stand in for pimento-net.
func TestMain(m *testing.M) {
	if os.Getenv("EMBED_TEST_HELPER") != "" {
		_ = network.New().Serve(context.Background(), os.Stdin, os.Stdout)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func TestParseChoice(t *testing.T) {
	for raw, want := range map[string]Choice{
		``:                                   {},
		`"none"`:                             {Name: "none"},
		`"static"`:                           {Name: "static"},
		`"bge-small-en-v1.5"`:                {Name: "bge-small-en-v1.5"},
		`"http://localhost:11434/api/embed"`: {URL: "http://localhost:11434/api/embed"},
		`{"url":"https://x/v1/embeddings"}`:  {URL: "https://x/v1/embeddings"},
		`{"url":"http://x/api/embed","model":"m"}`:                                               {URL: "http://x/api/embed", Model: "m"},
		`{"url":"https://x/v1/embeddings","model":"m","dim":3,"keyEnv":"K","queryPrefix":"q: "}`: {URL: "https://x/v1/embeddings", Model: "m", Dim: 3, KeyEnv: "K", QueryPrefix: "q: "},
	} {
		got, err := ParseChoice(json.RawMessage(raw))
		if err != nil || got != want {
			t.Errorf("%s: %+v, %v", raw, got, err)
		}
		written, _ := json.Marshal(got.Value())
		again, err := ParseChoice(written)
		if err != nil || again != got && got != (Choice{}) {
			t.Errorf("%s was written as %s", raw, written)
		}
	}
	for _, raw := range []string{`3`, `null x`, `[]`, `{}`, `{"model":"m"}`, `{"url":"x","nonsense":1}`, `"../../etc"`, `"a/b"`, `".hidden"`, `"ftp://x/embeddings"`,
		`"http://x/"`, `"https://ada:secret@x/v1/embeddings"`, `{"url":"http://x/api/embed","dim":-1}`, `"` + strings.Repeat("a", 200) + `"`} {
		if c, err := ParseChoice(json.RawMessage(raw)); pimento.KindOf(err) != pimento.KindUsage || pimento.HintOf(err) == "" || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %+v, %v", raw, c, err)
		}
	}
}

func TestOpen(t *testing.T) {
	models := t.TempDir()
	for name, seed := range map[string]uint64{"bge-tiny": 1, "tiny-MiniLM": 1, "other": 2} {
		if err := berttest.Write(filepath.Join(models, name), seed); err != nil {
			t.Fatal(err)
		}
	}
	p := Places{Models: models}
	ids := map[string]bool{}
	for _, name := range []string{"bge-tiny", "tiny-MiniLM", "other", "static"} {
		e, err := Open(t.Context(), Choice{Name: name}, p)
		if err != nil {
			t.Fatal(err)
		}
		defer e.Close()
		info := e.Info()
		if ids[info.ID] || (info.QueryPrefix != "") != (name == "bge-tiny") || name != "static" && (info.Dim != berttest.Hidden || info.Related <= 0) {
			t.Errorf("%s: %+v", name, info)
		}
		ids[info.ID] = true
		vecs := mustEmbed(t, e, "tea is green", "staging", "tea is green")
		if !reflect.DeepEqual(vecs[0], vecs[2]) || len(vecs[1]) != info.Dim {
			t.Errorf("%s: %v", name, vecs)
		}
	}
	for _, name := range []string{"", "none"} {
		if e, err := Open(t.Context(), Choice{Name: name}, p); e != nil || err != nil {
			t.Errorf("%q: %v %v", name, e, err)
		}
	}
	for name, kind := range map[string]pimento.ErrorKind{"missing": pimento.KindNotFound, "../bge-tiny": pimento.KindUsage} {
		if _, err := Open(t.Context(), Choice{Name: name}, p); pimento.KindOf(err) != kind || pimento.HintOf(err) == "" {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// TestOpenHTTP goes through the helper process, with and without a known
// dimension.
func TestOpenHTTP(t *testing.T) {
	t.Setenv("EMBED_TEST_HELPER", "1")
	var requests atomic.Int32
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		if b, _ := io.ReadAll(r.Body); !strings.Contains(string(b), `"model":"minilm"`) || r.Header.Get("Authorization") != "Bearer k" {
			t.Errorf("asked %s", b)
		}
		fmt.Fprint(w, `{"data":[{"index":0,"embedding":[3,4]}]}`)
	}))
	defer s.Close()
	c := Choice{URL: s.URL + "/v1/embeddings", Model: "minilm"}
	p := Places{Helper: []string{os.Args[0]}, Key: "k"}
	for _, dim := range []int{0, 2} {
		c.Dim = dim
		requests.Store(0)
		e, err := Open(t.Context(), c, p)
		if err != nil {
			t.Fatal(err)
		}
		vecs := mustEmbed(t, e, "tea")
		want := int32(1)
		if dim == 0 {
			want = 2
		}
		if e.Info().Dim != 2 || 0.6*vecs[0][0]+0.8*vecs[0][1] < 0.999 || requests.Load() != want {
			t.Errorf("%+v %v, %d requests", e.Info(), vecs, requests.Load())
		}
		e.Close()
	}
	c.Dim = 3
	e, err := Open(t.Context(), c, p)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	if _, err := e.Embed(t.Context(), []string{"tea"}); pimento.KindOf(err) != pimento.KindUnavailable || !strings.Contains(err.Error(), "another model") {
		t.Errorf("another dimension: %v", err)
	}
	if _, err := Open(t.Context(), Choice{URL: "http://127.0.0.1:1/api/embed", Dim: 0}, p); pimento.KindOf(err) != pimento.KindUnavailable || pimento.HintOf(err) == "" {
		t.Errorf("nobody there: %v", err)
	}
}
func mustEmbed(t testing.TB, e Embedder, texts ...string) [][]float32 {
	t.Helper()
	vecs, err := e.Embed(t.Context(), texts)
	if err != nil {
		t.Fatal(err)
	}
	return vecs
}
