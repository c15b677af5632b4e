package model

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/courier"
	"github.com/pimento-memory/pimento/internal/embed/bert/berttest"
	"github.com/pimento-memory/pimento/internal/network"
)

// TestMain lets the test binary stand in for pimento-net.
func TestMain(m *testing.M) {
	if os.Getenv("MODEL_TEST_HELPER") != "" {
		_ = network.New().Serve(context.Background(), os.Stdin, os.Stdout)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func tiny(t *testing.T, seed uint64) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "published")
	if err := berttest.Write(dir, seed); err != nil {
		t.Fatal(err)
	}
	return dir
}

func sumOf(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

func mustPull(t *testing.T, s *Store, p Pull) Model {
	t.Helper()
	m, err := s.Pull(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestPullFromDirectory(t *testing.T) {
	from, s := tiny(t, 1), OpenStore(filepath.Join(t.TempDir(), "models"))
	if models, err := s.List(t.Context()); err != nil || len(models) != 0 {
		t.Errorf("empty: %v %v", models, err)
	}
	for _, source := range []string{from, "file://" + from, from + "/model.safetensors"} {
		m := mustPull(t, s, Pull{Name: "tiny", From: source, Update: true})
		if m.Dim != berttest.Hidden || len(m.Files) != 3 || m.Files["model.safetensors"].SHA256 != sumOf(t, filepath.Join(from, "model.safetensors")) {
			t.Errorf("%s: %+v", source, m)
		}
	}
	models, err := s.List(t.Context())
	if err != nil || len(models) != 1 || models[0].Name != "tiny" || models[0].Bytes() < 1000 {
		t.Errorf("%+v %v", models, err)
	}
	left, _ := filepath.Glob(filepath.Join(s.Dir(), ".[^l]*"))
	info, err := os.Stat(filepath.Join(s.Dir(), "tiny", "model.safetensors"))
	if len(left) != 0 || err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("left %v; %v %v", left, info, err)
	}
	if err := s.Remove(t.Context(), "tiny"); err != nil {
		t.Fatal(err)
	}
	if err := s.Remove(t.Context(), "tiny"); pimento.KindOf(err) != pimento.KindNotFound {
		t.Errorf("removed twice: %v", err)
	}
}

// TestDigests: a given one must be met; the first pull's hold until --update.
func TestDigests(t *testing.T) {
	from, s := tiny(t, 1), OpenStore(t.TempDir())
	sum := sumOf(t, filepath.Join(from, "model.safetensors"))
	if _, err := s.Pull(t.Context(), Pull{Name: "tiny", From: from, SHA256: strings.Repeat("0", 64)}); pimento.KindOf(err) != pimento.KindRefused {
		t.Errorf("another digest: %v", err)
	}
	if err := s.Installed(t.Context(), "tiny"); pimento.KindOf(err) != pimento.KindNotFound {
		t.Errorf("and it is installed: %v", err)
	}
	if _, err := s.Pull(t.Context(), Pull{Name: "tiny", From: from, SHA256: "abc"}); pimento.KindOf(err) != pimento.KindUsage {
		t.Errorf("no digest: %v", err)
	}
	first := mustPull(t, s, Pull{Name: "tiny", From: from, SHA256: strings.ToUpper(sum)})
	installed := filepath.Join(s.Dir(), "tiny", "model.safetensors")
	if err := os.WriteFile(installed, []byte("damaged"), 0o600); err != nil {
		t.Fatal(err)
	}
	if again := mustPull(t, s, Pull{Name: "tiny", From: from}); again.Fingerprint != first.Fingerprint || sumOf(t, installed) != sum {
		t.Error("a damaged file was not mended")
	}
	if _, err := s.Pull(t.Context(), Pull{Name: "tiny", From: tiny(t, 2)}); pimento.KindOf(err) != pimento.KindConflict {
		t.Errorf("from elsewhere: %v", err)
	}
	if err := berttest.Write(from, 2); err != nil { // the author publishes other weights
		t.Fatal(err)
	}
	if m := mustPull(t, s, Pull{Name: "tiny", From: from}); m.Fingerprint != first.Fingerprint {
		t.Error("updated, though all was there")
	}
	if err := os.WriteFile(installed, []byte("damaged"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Pull(t.Context(), Pull{Name: "tiny", From: from}); pimento.KindOf(err) != pimento.KindRefused || !strings.Contains(pimento.HintOf(err), "--update") {
		t.Errorf("not what was written down: %v", err)
	}
	if m := mustPull(t, s, Pull{Name: "tiny", From: from, Update: true}); m.Fingerprint == first.Fingerprint {
		t.Error("not updated")
	}
}

func TestPullRefusesWhatItCannotUse(t *testing.T) {
	s := OpenStore(t.TempDir())
	for name, spoil := range map[string]func(dir string) error{
		"no config":  func(dir string) error { return os.Remove(filepath.Join(dir, "config.json")) },
		"no vocab":   func(dir string) error { return os.Remove(filepath.Join(dir, "vocab.txt")) },
		"no weights": func(dir string) error { return os.Remove(filepath.Join(dir, "model.safetensors")) },
		"cut short":  func(dir string) error { return os.Truncate(filepath.Join(dir, "model.safetensors"), 1000) },
		"no model":   func(dir string) error { return os.WriteFile(filepath.Join(dir, "config.json"), []byte("{}"), 0o600) },
		"a directory": func(dir string) error {
			return os.Rename(filepath.Join(dir, "vocab.txt"), filepath.Join(dir, "x")) // and one in its place
		},
	} {
		dir := tiny(t, 1)
		if err := spoil(dir); err != nil {
			t.Fatal(err)
		}
		if name == "a directory" {
			_ = os.Mkdir(filepath.Join(dir, "vocab.txt"), 0o700)
		}
		if _, err := s.Pull(t.Context(), Pull{Name: "tiny", From: dir}); err == nil || pimento.HintOf(err) == "" || pimento.KindOf(err) == pimento.KindInternal {
			t.Errorf("%s: %v", name, err)
		}
		if models, _ := s.List(t.Context()); len(models) != 0 {
			t.Errorf("%s: installed", name)
		}
		if err := s.Remove(t.Context(), "tiny"); err != nil && name != "no config" {
			t.Errorf("%s: what is left: %v", name, err)
		}
	}
	for _, name := range []string{"", "..", "a/b", "none", "static", ".part-x", "-x", strings.Repeat("a", 101)} {
		if _, err := s.Pull(t.Context(), Pull{Name: name, From: tiny(t, 1)}); pimento.KindOf(err) != pimento.KindUsage {
			t.Errorf("name %q: %v", name, err)
		}
		if err := s.Remove(t.Context(), name); pimento.KindOf(err) != pimento.KindUsage {
			t.Errorf("removing %q: %v", name, err)
		}
	}
	for _, from := range []string{"ftp://x/y", "http://", "https://ada:secret@x/y", "file://elsewhere/x"} {
		if _, err := s.Pull(t.Context(), Pull{Name: "tiny", From: from}); pimento.KindOf(err) != pimento.KindUsage || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", from, err)
		}
	}
}

// TestPullFromServer downloads, breaks off in the middle of the weights, and
// goes on in another call.
func TestPullFromServer(t *testing.T) {
	t.Setenv("MODEL_TEST_HELPER", "1")
	from := tiny(t, 1)
	var breaks, ranges, weights atomic.Int32
	files := http.FileServer(http.Dir(from))
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.RawQuery != "download=true" {
			t.Errorf("asked for %s", r.URL)
		}
		r.URL.Path = strings.TrimPrefix(r.URL.Path, "/org/tiny/resolve/main")
		if strings.HasSuffix(r.URL.Path, ".safetensors") {
			weights.Add(1)
			if r.Header.Get("Range") != "" {
				ranges.Add(1)
			}
			if breaks.Load() > 0 {
				w = &breaking{w, 1500}
			}
		}
		files.ServeHTTP(w, r)
	}))
	defer srv.Close()
	s, net := OpenStore(filepath.Join(t.TempDir(), "models")), courier.New(os.Args[0])
	defer net.Close()
	p := Pull{Name: "tiny", From: srv.URL + "/org/tiny/resolve/main/?download=true", Net: net}
	breaks.Store(1)
	ctx, cancel := context.WithCancel(t.Context())
	p.Progress = func(file string, done, total int64) {
		if file == "model.safetensors" {
			cancel()
		}
	}
	if _, err := s.Pull(ctx, p); err == nil || !strings.Contains(err.Error(), "interrupted") {
		t.Fatalf("not interrupted: %v", err)
	}
	breaks.Store(0)
	seen := map[string]int64{}
	p.Progress = func(file string, done, _ int64) { seen[file] = done }
	m := mustPull(t, s, p)
	if ranges.Load() == 0 || m.Files["model.safetensors"].SHA256 != sumOf(t, filepath.Join(from, "model.safetensors")) || seen["vocab.txt"] == 0 {
		t.Errorf("%d ranges; %+v; %v", ranges.Load(), m, seen)
	}
	if _, err := os.Stat(filepath.Join(s.Dir(), "tiny", "1_Pooling")); err == nil {
		t.Error("a directory for nothing")
	}
	before := weights.Load()
	if mustPull(t, s, p); weights.Load() != before {
		t.Error("downloaded again")
	}
	srv.Close()
	mustPull(t, s, p) // all of it is there: the network is not needed
	if _, err := s.Pull(t.Context(), Pull{Name: "other", From: srv.URL, Net: net}); pimento.KindOf(err) != pimento.KindUnavailable || pimento.HintOf(err) == "" {
		t.Errorf("nobody there: %v", err)
	}
	if _, err := s.Pull(t.Context(), Pull{Name: "other", From: srv.URL}); pimento.KindOf(err) != pimento.KindUnavailable {
		t.Errorf("no helper: %v", err)
	}
}

type breaking struct {
	http.ResponseWriter
	left int
}

func (b *breaking) Write(p []byte) (int, error) {
	if len(p) <= b.left {
		b.left -= len(p)
		return b.ResponseWriter.Write(p)
	}
	_, _ = b.ResponseWriter.Write(p[:b.left])
	b.ResponseWriter.(http.Flusher).Flush()
	panic(http.ErrAbortHandler)
}

func TestBusy(t *testing.T) {
	s := OpenStore(t.TempDir())
	unlock, err := s.lock(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	if err := s.Remove(t.Context(), "tiny"); pimento.KindOf(err) != pimento.KindConflict {
		t.Errorf("got %v", err)
	}
}

func TestLocate(t *testing.T) {
	abs := func(p string) string { return "/work/" + p }
	for _, tt := range []struct{ args, name, from string }{
		{"bge-small-en-v1.5", "bge-small-en-v1.5", "https://huggingface.co/BAAI/bge-small-en-v1.5"},
		{"https://huggingface.co/a/b", "b", "https://huggingface.co/a/b"},
		{"https://huggingface.co/a/b/resolve/main/onnx/model.onnx?download=true", "b", "https://huggingface.co/a/b/resolve/main/onnx/model.onnx?download=true"},
		{"mine https://x/y", "mine", "https://x/y"},
		{"./dir/tiny/", "tiny", "/work/./dir/tiny/"},
		{"mine dir", "mine", "/work/dir"},
		{"file:///a/tiny", "tiny", "file:///a/tiny"},
	} {
		name, from, err := Locate(strings.Fields(tt.args), abs)
		if err != nil || name != tt.name || from != tt.from {
			t.Errorf("%s: %q %q %v", tt.args, name, from, err)
		}
	}
	for _, args := range [][]string{{"unheard-of"}, {"static", "dir"}, {"..", "dir"}, {"../.."}} {
		if _, _, err := Locate(args, abs); pimento.KindOf(err) != pimento.KindUsage || pimento.HintOf(err) == "" {
			t.Errorf("%v: %v", args, err)
		}
	}
	for from, want := range map[string]string{
		"https://huggingface.co/a/b":                                "https://huggingface.co/a/b/resolve/main/config.json",
		"https://huggingface.co/a/b/resolve/main/model.safetensors": "https://huggingface.co/a/b/resolve/main/config.json",
		"http://x:1/m/?t=1":                                         "http://x:1/m/config.json?t=1",
		"/a/b/onnx/model.onnx":                                      filepath.FromSlash("/a/b/config.json"),
	} {
		src, err := parseSource(from)
		if err != nil || src.of("config.json") != want {
			t.Errorf("%s: %s %v", from, src.of("config.json"), err)
		}
	}
	if names := Known(); !slices.Contains(names, "all-MiniLM-L6-v2") {
		t.Error(fmt.Sprint(names))
	}
}
