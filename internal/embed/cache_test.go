package embed

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/pimento-memory/pimento"
)

// A counter is an embedder that says how often it was asked for each text. The
// vector of a text follows from its key; a text "none..." has none.
type counter struct {
	info  Info
	mu    sync.Mutex
	asked map[string]int
	err   error
}

func newCounter(id string, dim int) *counter {
	return &counter{info: Info{ID: id, Dim: dim}, asked: map[string]int{}}
}

func (c *counter) Info() Info   { return c.info }
func (c *counter) Close() error { return nil }

func (c *counter) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return nil, c.err
	}
	out := make([][]float32, len(texts))
	for i, text := range texts {
		c.asked[text]++
		if !strings.HasPrefix(text, "none") {
			out[i] = c.vector(text)
		}
	}
	return out, ctx.Err()
}

func (c *counter) vector(text string) []float32 {
	k := KeyOf(c.info.ID + text)
	rng := rand.New(rand.NewPCG(uint64(k[0])<<8|uint64(k[1]), uint64(k[2])<<8|uint64(k[3])))
	v, sum := make([]float32, c.info.Dim), 0.0
	for i := range v {
		v[i] = float32(rng.NormFloat64())
		sum += float64(v[i]) * float64(v[i])
	}
	for i := range v {
		v[i] /= float32(math.Sqrt(sum))
	}
	return v
}

func (c *counter) total() (n int) {
	for _, k := range c.asked {
		n += k
	}
	return n
}

func similar(x, y []float32) float64 {
	sum := 0.0
	for i := range x {
		sum += float64(x[i]) * float64(y[i])
	}
	return sum
}

func mustEmbed(t testing.TB, e Embedder, texts ...string) [][]float32 {
	t.Helper()
	vecs, err := e.Embed(t.Context(), texts)
	if err != nil {
		t.Fatal(err)
	}
	return vecs
}

func TestCacheRemembers(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "deep", "vectors")
	e := newCounter("m", 384)
	texts := []string{"one", "two", "none at all", "one", ""}
	first := mustEmbed(t, Cached(e, dir), texts...)
	c := Cached(e, dir) // a new process
	if got := mustEmbed(t, c, append(texts, "three")...); fmt.Sprint(got[:5]) != fmt.Sprint(first) {
		t.Error("a cached vector is another one")
	}
	for text, n := range e.asked {
		if n != 1 {
			t.Errorf("%q was embedded %d times", text, n)
		}
	}
	if first[2] != nil || c.Len() != 5 || c.Fault() != nil {
		t.Errorf("%v, %d rows, %v", first[2] == nil, c.Len(), c.Fault())
	}
	for i, text := range texts {
		if v := first[i]; v != nil && (similar(v, e.vector(text)) < 0.9998 || math.Abs(similar(v, v)-1) > 1e-5) {
			t.Errorf("%q: %g, length %g", text, similar(v, e.vector(text)), similar(v, v))
		}
	}
	if info, err := os.Stat(c.file.path); err != nil || info.Mode().Perm() != 0o600 && runtime.GOOS != "windows" {
		t.Errorf("%v %v", info, err)
	}
	if vecs, missing := c.Lookup([]Key{KeyOf("two"), KeyOf("unheard of")}); vecs[0] == nil || len(missing) != 1 || missing[0] != 1 {
		t.Errorf("%v", missing)
	}
}

// TestCachePrecision says what a byte a number costs.
func TestCachePrecision(t *testing.T) {
	e := newCounter("m", 384)
	c := Cached(e, t.TempDir())
	worst := 0.0
	for i := range 200 {
		x, y := strconv.Itoa(i), strconv.Itoa(i+1)
		vecs := mustEmbed(t, c, x, y)
		worst = max(worst, math.Abs(similar(vecs[0], vecs[1])-similar(e.vector(x), e.vector(y))))
	}
	if worst > 0.002 {
		t.Errorf("a cosine moved by %g", worst)
	}
}

func TestCacheOfAnotherModel(t *testing.T) {
	dir := t.TempDir()
	for _, e := range []*counter{newCounter("m", 8), newCounter("n", 8), newCounter("m", 16)} {
		if mustEmbed(t, Cached(e, dir), "one"); e.asked["one"] != 1 {
			t.Errorf("%v took another model's vector", e.info)
		}
	}
	if files, _ := filepath.Glob(filepath.Join(dir, "*"+rowSuffix)); len(files) != 3 {
		t.Errorf("files: %v", files)
	}
}

// TestTornCache cuts and spoils the file in every place. What is whole stays,
// what is not is embedded again, and nothing wrong is ever returned.
func TestTornCache(t *testing.T) {
	dir := t.TempDir()
	texts := []string{"one", "two", "three", "four"}
	e := newCounter("m", 8)
	c := Cached(e, dir)
	want := mustEmbed(t, c, texts...)
	whole, err := os.ReadFile(c.file.path)
	if err != nil {
		t.Fatal(err)
	}
	try := func(name string, b []byte, most int) {
		t.Helper()
		if err := os.WriteFile(c.file.path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		for round := range 2 {
			e := newCounter("m", 8)
			if got := mustEmbed(t, Cached(e, dir), texts...); fmt.Sprint(got) != fmt.Sprint(want) {
				t.Fatalf("%s: wrong vectors", name)
			}
			if n := e.total(); n > most || round > 0 && n > 0 {
				t.Fatalf("%s, round %d: embedded %d", name, round, n)
			}
		}
	}
	head := len(c.file.head)
	for n := range whole {
		lost := 4
		if n >= head {
			lost = 4 - (n-head)/c.file.stride()
		}
		try(fmt.Sprintf("cut to %d", n), whole[:n], lost)
		b := bytes.Clone(whole)
		b[n] ^= 0x55
		lost = 4
		if n >= head {
			lost = 1
		}
		try(fmt.Sprintf("byte %d", n), b, lost)
	}
	try("zeros behind", append(bytes.Clone(whole), make([]byte, 1000)...), 0)
	try("something else", bytes.Repeat([]byte("x"), 5000), 4)
}

func TestCacheWithoutDisk(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	e := newCounter("m", 8)
	c := Cached(e, filepath.Join(file, "vectors")) // a directory that cannot be
	mustEmbed(t, c, "one")
	if mustEmbed(t, c, "one"); e.asked["one"] != 1 || c.Fault() == nil {
		t.Errorf("asked %d times, fault %v", e.asked["one"], c.Fault())
	}
}

func TestCachePassesErrors(t *testing.T) {
	e := newCounter("m", 8)
	e.err = errors.New("no")
	c := Cached(e, t.TempDir())
	if _, err := c.Embed(t.Context(), []string{"one"}); !errors.Is(err, e.err) {
		t.Errorf("got %v", err)
	}
	e.err = nil
	mustEmbed(t, c, "one")
}

// TestCacheRefusesNonsense keeps vectors out that are none.
func TestCacheRefusesNonsense(t *testing.T) {
	for _, v := range [][]float32{{1}, {1, 0, 0, 0, 0}, {0, 0, 0, 0}, {float32(math.NaN()), 1, 1, 1}, {float32(math.Inf(1)), 1, 1, 1}} {
		c := Cached(liar{v}, t.TempDir())
		if _, err := c.Embed(t.Context(), []string{"one"}); pimento.KindOf(err) != pimento.KindUnavailable || c.Len() != 0 {
			t.Errorf("%v: %v", v, err)
		}
	}
}

// A liar says that it has four dimensions.
type liar struct{ v []float32 }

func (l liar) Info() Info   { return Info{ID: "liar", Dim: 4} }
func (l liar) Close() error { return nil }
func (l liar) Embed(context.Context, []string) ([][]float32, error) {
	return [][]float32{l.v}, nil
}

func TestRemoveCached(t *testing.T) {
	dir := t.TempDir()
	e := newCounter("m", 8)
	c := Cached(e, dir)
	mustEmbed(t, c, "one", "two")
	if err := RemoveCached(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	if files, _ := filepath.Glob(filepath.Join(dir, "*"+rowSuffix)); len(files) != 0 {
		t.Errorf("left: %v", files)
	}
	mustEmbed(t, c, "three") // begins a new file
	fresh := Cached(e, dir)
	if fresh.Len() != 1 {
		t.Errorf("%d rows", fresh.Len())
	}
	if err := RemoveCached(t.Context(), filepath.Join(dir, "nowhere")); err != nil {
		t.Error(err)
	}
}

// TestCacheConcurrently has goroutines on two caches of one file.
func TestCacheConcurrently(t *testing.T) {
	dir := t.TempDir()
	e := newCounter("m", 8)
	caches := []*Cache{Cached(e, dir), Cached(e, dir)}
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range 40 {
				text := strconv.Itoa((i*7 + g) % 50)
				vecs, err := caches[g%2].Embed(context.Background(), []string{text})
				if err != nil || similar(vecs[0], e.vector(text)) < 0.99 {
					t.Errorf("%s: %v", text, err)
				}
			}
		})
	}
	wg.Wait()
	if c := Cached(e, dir); c.Len() != 50 || c.Fault() != nil {
		t.Errorf("%d rows, %v", c.Len(), c.Fault())
	}
	for text, n := range e.asked {
		if n > 2 { // once for each "process", when both begin at the same moment
			t.Errorf("%s was embedded %d times", text, n)
		}
	}
}

// TestCacheProcesses has processes append to one file at the same time.
func TestCacheProcesses(t *testing.T) {
	if dir := os.Getenv("EMBED_TEST_CACHE"); dir != "" {
		c := Cached(newCounter("m", 64), dir)
		for i := range 300 {
			mustEmbed(t, c, os.Getenv("EMBED_TEST_NAME")+strconv.Itoa(i))
		}
		return
	}
	dir := t.TempDir()
	var wg sync.WaitGroup
	for _, name := range []string{"a", "b", "c"} {
		wg.Go(func() {
			cmd := exec.Command(os.Args[0], "-test.run=^TestCacheProcesses$")
			cmd.Env = append(os.Environ(), "EMBED_TEST_CACHE="+dir, "EMBED_TEST_NAME="+name)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
	wg.Wait()
	e := newCounter("m", 64)
	c := Cached(e, dir)
	for _, name := range []string{"a", "b", "c"} {
		for i := range 300 {
			mustEmbed(t, c, name+strconv.Itoa(i))
		}
	}
	if e.total() != 0 || c.Len() != 900 {
		t.Errorf("%d rows, %d lost", c.Len(), e.total())
	}
}

func FuzzRowFile(f *testing.F) {
	rows := newRowFile(f.TempDir(), "m", 4)
	b := rows.encode(bytes.Clone(rows.head), record{KeyOf("x"), []int8{1, 2, 3, 127}})
	f.Add(b)
	f.Add(b[:len(b)-3])
	f.Fuzz(func(t *testing.T, b []byte) {
		rows := newRowFile(t.TempDir(), "m", 4)
		if err := os.WriteFile(rows.path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := rows.read()
		if err != nil || len(got) > len(b)/rows.stride() {
			t.Fatalf("%d records, %v", len(got), err)
		}
	})
}

func BenchmarkCacheOpen(b *testing.B) {
	dir := b.TempDir()
	e := newCounter("m", 384)
	c := Cached(e, dir)
	texts := make([]string, 10_000)
	for i := range texts {
		texts[i] = strconv.Itoa(i)
	}
	mustEmbed(b, c, texts...)
	for b.Loop() {
		if n := Cached(e, dir).Len(); n != len(texts) {
			b.Fatal(n)
		}
	}
}
