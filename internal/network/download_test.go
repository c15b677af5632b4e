package network

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/courier"
)

// A fileServer serves one file, with ranges, and breaks the connection after
// some bytes as often as it is told to.
type fileServer struct {
	data    []byte
	etag    string
	breaks  atomic.Int32
	ranged  atomic.Int32 // answers that were a part
	refuses bool         // ranges
}

func (s *fileServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if s.refuses {
		r.Header.Del("Range")
	}
	if s.etag != "" {
		w.Header().Set("ETag", s.etag)
	}
	if r.Header.Get("Range") != "" {
		s.ranged.Add(1)
	}
	if s.breaks.Add(-1) >= 0 {
		w = &breaking{w, 300_000}
	}
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(s.data))
}

type breaking struct {
	http.ResponseWriter
	left int
}

func (b *breaking) Write(p []byte) (int, error) {
	if b.left -= len(p); b.left < 0 {
		panic(http.ErrAbortHandler)
	}
	return b.ResponseWriter.Write(p)
}

func randomFile(seed uint64) []byte {
	b := make([]byte, 1_000_000)
	rng := rand.New(rand.NewPCG(seed, 2))
	for i := range b {
		b[i] = byte(rng.Uint32())
	}
	return b
}

func mustHold(t *testing.T, path string, want []byte) {
	t.Helper()
	got, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%d bytes of %d, or wrong ones: %v", len(got), len(want), err)
	}
	if _, err := os.Stat(path + originSuffix); err == nil {
		t.Error("the origin is left behind")
	}
}

func TestFetch(t *testing.T) {
	for name, s := range map[string]*fileServer{
		"at once":             {etag: `"1"`},
		"without a validator": {},
		"weak validator":      {etag: `W/"1"`},
	} {
		s.data = randomFile(1)
		to := filepath.Join(t.TempDir(), "f")
		var last int64
		err := quick().Fetch(t.Context(), courier.FetchRequest{URL: serve(t, s.ServeHTTP), To: to}, func(done, total int64) {
			if done <= last || total != int64(len(s.data)) {
				t.Errorf("%d of %d after %d", done, total, last)
			}
			last = done
		})
		if err != nil || last != int64(len(s.data)) {
			t.Errorf("%s: %v", name, err)
		}
		mustHold(t, to, s.data)
	}
}

// TestFetchResumes has a server that breaks off again and again.
func TestFetchResumes(t *testing.T) {
	s := &fileServer{data: randomFile(1), etag: `"1"`}
	s.breaks.Store(3)
	to := filepath.Join(t.TempDir(), "f")
	if err := quick().Fetch(t.Context(), courier.FetchRequest{URL: serve(t, s.ServeHTTP), To: to}, nil); err != nil {
		t.Fatal(err)
	}
	mustHold(t, to, s.data)
	if s.ranged.Load() == 0 {
		t.Error("it began anew each time")
	}
}

// TestFetchLater is interrupted, and goes on in another call; or begins anew
// when the file has changed meanwhile, or the server cannot go on.
func TestFetchLater(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(s *fileServer)
		ranged bool
	}{
		{"the same", func(*fileServer) {}, true},
		{"changed", func(s *fileServer) { s.data, s.etag = randomFile(2), `"2"` }, true}, // asked with If-Range, and refused
		{"no ranges", func(s *fileServer) { s.refuses = true }, false},
		{"shorter", func(s *fileServer) { s.data, s.etag = s.data[:1000], `"3"` }, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := &fileServer{data: randomFile(1), etag: `"1"`}
			s.breaks.Store(1)
			url, to := serve(t, s.ServeHTTP), filepath.Join(t.TempDir(), "f")
			ctx, cancel := context.WithCancel(t.Context())
			err := quick().Fetch(ctx, courier.FetchRequest{URL: url, To: to}, func(done, _ int64) { cancel() })
			if info, statErr := os.Stat(to); err == nil || statErr != nil || info.Size() == 0 {
				t.Fatalf("not interrupted: %v %v", err, statErr)
			}
			s.breaks.Store(0)
			tt.change(s)
			if err := quick().Fetch(t.Context(), courier.FetchRequest{URL: url, To: to}, nil); err != nil {
				t.Fatal(err)
			}
			mustHold(t, to, s.data)
			if (s.ranged.Load() > 0) != tt.ranged {
				t.Errorf("%d parts", s.ranged.Load())
			}
		})
	}
}

// TestFetchOverSomethingElse does not go on with bytes of another file, nor
// with a part that is longer than the file.
func TestFetchOverSomethingElse(t *testing.T) {
	s := &fileServer{data: randomFile(1), etag: `"1"`}
	url, to := serve(t, s.ServeHTTP), filepath.Join(t.TempDir(), "f")
	for _, o := range []string{"", `{"url":"http://elsewhere","validator":"\"1\""}`, fmt.Sprintf(`{"url":%q,"validator":"\"1\""}`, url), "{torn"} {
		if err := os.WriteFile(to, make([]byte, 2_000_000), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to+originSuffix, []byte(o), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := quick().Fetch(t.Context(), courier.FetchRequest{URL: url, To: to}, nil); err != nil {
			t.Fatal(err)
		}
		mustHold(t, to, s.data)
	}
}

func TestFetchFails(t *testing.T) {
	to := filepath.Join(t.TempDir(), "f")
	missing := serve(t, func(w http.ResponseWriter, _ *http.Request) { http.NotFound(w, nil) })
	if err := quick().Fetch(t.Context(), courier.FetchRequest{URL: missing, To: to}, nil); pimento.KindOf(err) != pimento.KindNotFound {
		t.Errorf("missing: %v", err)
	}
	s := &fileServer{data: randomFile(1), etag: `"1"`}
	url := serve(t, s.ServeHTTP)
	if err := quick().Fetch(t.Context(), courier.FetchRequest{URL: url, To: to, Max: 1000}, nil); err == nil || !strings.Contains(err.Error(), "allowed") {
		t.Errorf("too large: %v", err)
	}
	endless := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		for range 1000 {
			if _, err := w.Write(make([]byte, 10_000)); err != nil {
				return
			}
		}
	})
	if err := quick().Fetch(t.Context(), courier.FetchRequest{URL: endless, To: to, Max: 100_000}, nil); err == nil || !strings.Contains(err.Error(), "allowed") {
		t.Errorf("endless: %v", err)
	}
	s.breaks.Store(1000)
	s.etag = ""
	if err := quick().Fetch(t.Context(), courier.FetchRequest{URL: url, To: to}, nil); pimento.KindOf(err) != pimento.KindUnavailable {
		t.Errorf("always breaks: %v", err)
	}
	if err := quick().Fetch(t.Context(), courier.FetchRequest{URL: url, To: filepath.Join(to, "below")}, nil); pimento.HintOf(err) == "" {
		t.Errorf("no place: %v", err)
	}
	n := quick()
	n.Stall = 20 * time.Millisecond
	stalled := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", "1000000")
		_, _ = w.Write(make([]byte, 10_000))
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	})
	if err := n.Fetch(t.Context(), courier.FetchRequest{URL: stalled, To: to}, nil); err == nil || !strings.Contains(err.Error(), "stands still") {
		t.Errorf("stalled: %v", err)
	}
}
