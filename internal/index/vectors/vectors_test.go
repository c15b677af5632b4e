package vectors

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/pimento-memory/pimento"
)

const dim = 192

func open(t testing.TB, dir string) *Store {
	t.Helper()
	s, err := Open(context.Background(), dir, "test", dim)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func st(n int) pimento.Statement { return pimento.StatementOf(fmt.Sprint("statement ", n)) }

// vector is the n-th vector of a fixed crowd, one of forty groups.
func vector(n int) []float32 {
	rng, group := rand.New(rand.NewPCG(uint64(n), 7)), rand.New(rand.NewPCG(uint64(n%40), 9))
	v, sum := make([]float32, dim), 0.0
	for i := range v {
		v[i] = float32(rng.NormFloat64() + group.NormFloat64())
		sum += float64(v[i]) * float64(v[i])
	}
	for i := range v {
		v[i] /= float32(math.Sqrt(sum))
	}
	return v
}

func add(t testing.TB, s *Store, from, to int) {
	t.Helper()
	var sts []pimento.Statement
	var vs [][]float32
	for n := from; n < to; n++ {
		sts, vs = append(sts, st(n)), append(vs, vector(n))
	}
	if err := s.Add(context.Background(), sts, vs, false); err != nil {
		t.Fatal(err)
	}
}

// finds checks that each vector finds its own statement first.
func finds(t testing.TB, s *Store, ns ...int) {
	t.Helper()
	for _, n := range ns {
		near, err := s.Nearest(context.Background(), vector(n), 5)
		if err != nil || len(near) == 0 || near[0].Statement != st(n) || near[0].Sim < 0.98 {
			t.Fatalf("vector %d finds %v, %v", n, near, err)
		}
	}
}

func TestAddAndFind(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	if near, err := s.Nearest(context.Background(), vector(1), 5); len(near) != 0 || err != nil {
		t.Fatal(near, err)
	}
	for _, to := range []int{1, 3, 100, 700, 720, 3000, 3001} { // through the log, merges, and the log again
		from := 0
		for from < to && len(s.Missing([]pimento.Statement{st(from)})) == 0 {
			from++
		}
		add(t, s, from, to)
		for _, x := range []*Store{s, open(t, dir)} {
			finds(t, x, 0, to/2, to-1)
			if m := x.Missing([]pimento.Statement{st(0), st(to), "no digest"}); len(m) != 1 {
				t.Fatalf("missing %v", m)
			}
		}
	}
}

// TestRecall: what the codes select holds what comparing everything finds.
func TestRecall(t *testing.T) {
	s := open(t, t.TempDir())
	add(t, s, 0, 4000)
	found := 0
	for n := 5000; n < 5050; n++ {
		q := vector(n)
		type scored struct {
			st  pimento.Statement
			sim float32
		}
		var all []scored
		for i := range 4000 {
			sim := float32(0)
			for j, x := range vector(i) {
				sim += x * q[j]
			}
			all = append(all, scored{st(i), sim})
		}
		slices.SortFunc(all, func(a, b scored) int { return int(math.Copysign(1, float64(b.sim-a.sim))) })
		near, _ := s.Nearest(context.Background(), q, 10)
		for _, a := range all[:10] {
			if slices.ContainsFunc(near, func(x Near) bool { return x.Statement == a.st }) {
				found++
			}
		}
	}
	if found < 350 { // within a group nothing is nearer than chance makes it
		t.Errorf("%d of 500", found)
	}
}

func TestComplete(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	add(t, s, 0, 10)
	if s.Complete() {
		t.Error("complete too early")
	}
	if err := s.Add(context.Background(), nil, nil, true); err != nil || !s.Complete() {
		t.Fatal(err)
	}
	again := open(t, dir)
	add(t, again, 10, 1000) // merges
	if !open(t, dir).Complete() {
		t.Error("forgotten by a merge")
	}
	finds(t, again, 5, 999)
}

func TestDamage(t *testing.T) {
	dir := t.TempDir()
	add(t, open(t, dir), 0, 1000)
	names, _ := filepath.Glob(filepath.Join(dir, "*.vec"))
	if len(names) != 1 {
		t.Fatal(names)
	}
	whole, _ := os.ReadFile(names[0])
	for _, b := range [][]byte{nil, whole[:10], whole[:len(whole)-1], slices.Concat([]byte("x"), whole[1:]), scribbled(whole, 100), append(slices.Clone(whole), 0)} {
		if logs, _ := filepath.Glob(filepath.Join(dir, "*.log")); len(logs) > 0 {
			os.Remove(logs[0])
		}
		if err := os.WriteFile(names[0], b, 0o600); err != nil {
			t.Fatal(err)
		}
		s := open(t, dir)
		if near, err := s.Nearest(context.Background(), vector(1), 3); err != nil || len(near) != 0 {
			t.Fatalf("%d bytes: %v, %v", len(b), near, err)
		}
		add(t, s, 0, 3)
		finds(t, s, 0, 2)
	}
	logs, _ := filepath.Glob(filepath.Join(dir, "*.log"))
	if len(logs) == 0 {
		t.Fatal("no log")
	}
	f, err := os.OpenFile(logs[0], os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	f.WriteString("torn")
	f.Close()
	s := open(t, dir)
	finds(t, s, 0, 2)
	add(t, s, 3, 5)
	finds(t, open(t, dir), 0, 3, 4)
}

func TestTwoEmbedders(t *testing.T) {
	dir := t.TempDir()
	add(t, open(t, dir), 0, 5)
	other, err := Open(context.Background(), dir, "another", dim)
	if err != nil || len(other.Missing([]pimento.Statement{st(1)})) != 1 {
		t.Error("vectors of another embedder are taken for its own", err)
	}
}

func TestManyWriters(t *testing.T) {
	dir := t.TempDir()
	var wg sync.WaitGroup
	for w := range 6 {
		s := open(t, dir)
		wg.Go(func() {
			for i := range 20 {
				n := 1000*w + i
				for s.Add(context.Background(), []pimento.Statement{st(n)}, [][]float32{vector(n)}, false) != nil {
				}
				s.Nearest(context.Background(), vector(n), 3)
			}
		})
	}
	wg.Wait()
	s := open(t, dir)
	for w := range 6 {
		finds(t, s, 1000*w, 1000*w+19)
	}
}

func BenchmarkNearest100k(b *testing.B) {
	s := open(b, b.TempDir())
	add(b, s, 0, 100_000)
	q := vector(1)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := s.Nearest(context.Background(), q, 50); err != nil {
			b.Fatal(err)
		}
	}
}

// scribbled is b with a few other bytes from a place on.
func scribbled(b []byte, at int) []byte {
	out := slices.Clone(b)
	for i := range 8 {
		out[at+i] ^= 0x55
	}
	return out
}

// TestDamagedRow: a row that was damaged is not found, and made again by a merge.
func TestDamagedRow(t *testing.T) {
	dir := t.TempDir()
	add(t, open(t, dir), 0, 1000)
	names, _ := filepath.Glob(filepath.Join(dir, "*.vec"))
	whole, _ := os.ReadFile(names[0])
	if err := os.WriteFile(names[0], scribbled(whole, len(whole)-20), 0o600); err != nil {
		t.Fatal(err)
	}
	s := open(t, dir)
	n := 0
	for i := range 1000 {
		near, err := s.Nearest(context.Background(), vector(i), 1)
		if err != nil {
			t.Fatal(err)
		}
		if near[0].Statement == st(i) {
			n++
		}
	}
	if n != 999 || s.Complete() {
		t.Errorf("%d of 1000 are found, complete %v", n, s.Complete())
	}
	add(t, s, 0, 1000)
	finds(t, s, 0, 500, 999)
}
