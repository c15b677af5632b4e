package courier_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/courier"
	"github.com/pimento-memory/pimento/internal/network"
)

// TestMain lets the test binary stand in for the helper.
func TestMain(m *testing.M) {
	switch os.Getenv("COURIER_TEST_HELPER") {
	case "":
		os.Exit(m.Run())
	case "dies":
		_, _ = os.Stdin.Read(make([]byte, 10))
		os.Exit(3)
	case "babbles":
		fmt.Println("this is no JSON")
		_, _ = io.Copy(io.Discard, os.Stdin)
	default:
		if err := network.New().Serve(context.Background(), os.Stdin, os.Stdout); err != nil {
			os.Exit(1)
		}
	}
}

func open(t *testing.T, how string) *courier.Courier {
	t.Setenv("COURIER_TEST_HELPER", how)
	c := courier.New(os.Args[0])
	t.Cleanup(func() { c.Close() })
	return c
}

func serve(t *testing.T, h http.HandlerFunc) string {
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL
}

func TestEmbedThroughTheHelper(t *testing.T) {
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		n := strings.Count(string(b), `"t`) // texts begin with t
		fmt.Fprintf(w, `{"embeddings":[%s]}`, strings.TrimSuffix(strings.Repeat("[3,4],", n), ","))
	}) + "/api/embed"
	c := open(t, "serves")
	var wg sync.WaitGroup
	for range 10 {
		wg.Go(func() {
			vecs, err := c.Embed(context.Background(), courier.EmbedRequest{URL: url, Texts: []string{"t1", "", "t2"}})
			if err != nil || len(vecs) != 3 || vecs[1] != nil || vecs[2][0] != 0.6 {
				t.Errorf("%v %v", vecs, err)
			}
		})
	}
	wg.Wait()
	if vecs, err := c.Embed(t.Context(), courier.EmbedRequest{URL: url}); err != nil || len(vecs) != 0 {
		t.Errorf("no texts: %v %v", vecs, err)
	}
}

func TestErrorsKeepTheirKind(t *testing.T) {
	c := open(t, "serves")
	_, err := c.Embed(t.Context(), courier.EmbedRequest{URL: "nonsense", Texts: []string{"x"}})
	if e, ok := errors.AsType[*pimento.Error](err); !ok || e.Kind != pimento.KindUsage || e.Hint == "" || e.Path != "nonsense" || e.Op != "embed.http" {
		t.Errorf("%#v", err)
	}
}

func TestFetchThroughTheHelper(t *testing.T) {
	url := serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(make([]byte, 3<<20)) })
	c, to := open(t, "serves"), filepath.Join(t.TempDir(), "f")
	seen := int64(0)
	if err := c.Fetch(t.Context(), courier.FetchRequest{URL: url, To: to}, func(done, _ int64) { seen = done }); err != nil || seen == 0 {
		t.Errorf("%d, %v", seen, err)
	}
	if info, err := os.Stat(to); err != nil || info.Size() != 3<<20 {
		t.Errorf("%v %v", info, err)
	}
}

// TestCancelled gives one request up and leaves the helper to the next.
func TestCancelled(t *testing.T) {
	arrived, gone := make(chan struct{}), make(chan struct{})
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/fast/api/embed" {
			fmt.Fprint(w, `{"embeddings":[[1]]}`)
			return
		}
		_, _ = io.Copy(io.Discard, r.Body)
		close(arrived) // before, there is nothing that the helper could give up
		<-r.Context().Done()
		close(gone)
	})
	c := open(t, "serves")
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-arrived; cancel() }()
	_, err := c.Embed(ctx, courier.EmbedRequest{URL: url + "/slow/api/embed", Texts: []string{"x"}})
	if pimento.KindOf(err) != pimento.KindUnavailable || !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	<-gone // the helper gave up, too
	if _, err := c.Embed(t.Context(), courier.EmbedRequest{URL: url + "/fast/api/embed", Texts: []string{"x"}}); err != nil {
		t.Error(err)
	}
}

// TestHelperTrouble: missing, dying, or talking nonsense, it is an error, and
// the next request starts another one.
func TestHelperTrouble(t *testing.T) {
	req := courier.EmbedRequest{URL: "http://127.0.0.1:1/api/embed", Texts: []string{"x"}}
	for _, how := range []string{"dies", "babbles"} {
		c := open(t, how)
		for range 2 {
			if _, err := c.Embed(t.Context(), req); pimento.KindOf(err) != pimento.KindUnavailable {
				t.Errorf("%s: %v", how, err)
			}
		}
		if _, err := c.Embed(t.Context(), req); !strings.Contains(fmt.Sprint(err), "ended") && !strings.Contains(fmt.Sprint(err), "pipe") {
			t.Errorf("%s: %v", how, err)
		}
	}
	for _, c := range []*courier.Courier{courier.New(), courier.New(filepath.Join(t.TempDir(), "pimento-net")), courier.New("pimento-net-that-is-not-there")} {
		_, err := c.Embed(t.Context(), req)
		if pimento.KindOf(err) != pimento.KindUnavailable || !strings.Contains(pimento.HintOf(err), "go install") {
			t.Errorf("missing: %v, hint %q", err, pimento.HintOf(err))
		}
	}
	c := courier.New(os.Args[0])
	c.Close()
	if _, err := c.Embed(t.Context(), req); pimento.KindOf(err) != pimento.KindUnavailable {
		t.Errorf("closed: %v", err)
	}
}
