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

	"github.com/gofrs/flock"

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
	if err := s.Add(context.Background(), Batch{Statements: sts, Vectors: vs}); err != nil {
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

// TestAddInNoTime: where nobody else writes, vectors are stored however slow the
// machine is: the time for waiting may be over before it begins.
func TestAddInNoTime(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s := open(t, t.TempDir())
	for n := range 20 {
		if err := s.Add(ctx, Batch{Statements: []pimento.Statement{st(n)}, Vectors: [][]float32{vector(n)}}); err != nil {
			t.Fatal(n, err)
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

// TestOrderOfAddingIsNothing: which of equally near codes are looked at does not depend on
// when they were added, or on how many are in the base.
func TestOrderOfAddingIsNothing(t *testing.T) {
	const n = 3000
	sts, vs := make([]pimento.Statement, n), make([][]float32, n)
	for i := range n {
		sts[i], vs[i] = st(i), vector(i)
	}
	var want [][]Near
	for turn := range 3 {
		s := open(t, t.TempDir())
		for batch := range slices.Chunk(rand.New(rand.NewPCG(uint64(turn), 1)).Perm(n), 700) {
			var b Batch
			for _, i := range batch {
				b.Statements, b.Vectors = append(b.Statements, sts[i]), append(b.Vectors, vs[i])
			}
			must(t, s.Add(context.Background(), b))
		}
		for q := range 40 {
			near, err := s.Nearest(context.Background(), vector(n+q), 10)
			must(t, err)
			if turn == 0 {
				want = append(want, near)
			} else if !slices.Equal(near, want[q]) {
				t.Fatalf("question %d: %v, in another order %v", q, near, want[q])
			}
		}
	}
}

func TestMarks(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	add(t, s, 0, 10)
	if s.Seen() != 0 {
		t.Error("a mark that nobody made")
	}
	for _, mark := range []uint64{1 << 63, 12} {
		must(t, s.Add(context.Background(), Batch{Mark: mark}))
		if got := open(t, dir).Seen(); s.Seen() != mark || got != mark {
			t.Fatalf("%d, %d, want %d", s.Seen(), got, mark)
		}
	}
	again := open(t, dir)
	add(t, again, 10, 1000) // merges
	if got := open(t, dir).Seen(); got != 12 {
		t.Error("forgotten by a merge", got)
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
				for s.Add(context.Background(), Batch{Statements: []pimento.Statement{st(n)}, Vectors: [][]float32{vector(n)}}) != nil {
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
	must(t, open(t, dir).Add(t.Context(), Batch{Mark: 5}))
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
	if n != 999 || s.Seen() != 0 {
		t.Errorf("%d of 1000 are found, mark %d", n, s.Seen())
	}
	add(t, s, 0, 1000)
	finds(t, s, 0, 500, 999)
}

// TestPurgedStaysGone: what another process took away is not written again by
// one that had read it, nor found by it.
func TestPurgedStaysGone(t *testing.T) {
	for _, rows := range []int{3, 1000} { // in the log, and in the base as well
		dir := t.TempDir()
		s := open(t, dir)
		add(t, s, 0, rows)
		add(t, s, rows, rows+2)
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
		must(t, s.Refresh(t.Context()))
		if near, err := s.Nearest(t.Context(), vector(1), 3); len(near) > 0 || err != nil {
			t.Error(near, err)
		}
		other := open(t, dir)
		add(t, other, 2000, 2003) // a log as long as, or longer than, the one that was read
		add(t, s, 3000, 3600)     // merges
		for _, x := range []*Store{s, other, open(t, dir)} {
			must(t, x.Refresh(t.Context()))
			if m := x.Missing([]pimento.Statement{st(0), st(2000), st(3599)}); len(m) != 1 || m[0] != st(0) {
				t.Errorf("after %d rows missing %v", rows, m)
			}
		}
		finds(t, s, 2001, 3000)
	}
}

// TestShrunkenLog is read anew.
func TestShrunkenLog(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	add(t, s, 0, 5)
	logs, _ := filepath.Glob(filepath.Join(dir, "*.log"))
	must(t, os.Truncate(logs[0], int64(2*s.rowBytes())))
	add(t, s, 10, 12)
	again := open(t, dir)
	if m := again.Missing([]pimento.Statement{st(0), st(1), st(2), st(10), st(11)}); len(m) != 1 || m[0] != st(2) {
		t.Errorf("missing %v", m)
	}
	finds(t, again, 0, 1, 10, 11)
}

// TestClosedTakesNothing: a store that was dropped does not write.
func TestClosedTakesNothing(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	add(t, s, 0, 3)
	must(t, s.Close())
	must(t, os.RemoveAll(dir))
	if err := s.Add(t.Context(), Batch{Statements: []pimento.Statement{st(1)}, Vectors: [][]float32{vector(1)}, Mark: 1}); err == nil {
		t.Error("a closed store takes vectors")
	}
	if near, _ := s.Nearest(t.Context(), vector(1), 1); len(near) > 0 || len(open(t, dir).Missing([]pimento.Statement{st(1)})) == 0 {
		t.Error("and finds them", near)
	}
}

// TestDeadRowsLeave with a merge.
func TestDeadRowsLeave(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	add(t, s, 0, 600)
	b := Batch{Live: func(x pimento.Statement) bool { return x != st(1) && x != st(601) }}
	for n := 600; n < 1300; n++ {
		b.Statements, b.Vectors = append(b.Statements, st(n)), append(b.Vectors, vector(n))
	}
	must(t, s.Add(t.Context(), b))
	for _, x := range []*Store{s, open(t, dir)} {
		if m := x.Missing([]pimento.Statement{st(0), st(1), st(601), st(1299)}); !slices.Equal(m, []pimento.Statement{st(1), st(601)}) {
			t.Errorf("missing %v", m)
		}
	}
	finds(t, s, 0, 700)
}

// TestLockedOut: while another process writes, nobody waits for it; what could
// not be stored is found, and stored later.
func TestLockedOut(t *testing.T) {
	dir := t.TempDir()
	add(t, open(t, dir), 0, 3)
	s := open(t, dir)
	held := flock.New(filepath.Join(dir, "VECLOCK"))
	must(t, held.Lock())
	err := s.Add(context.WithoutCancel(t.Context()), Batch{Statements: []pimento.Statement{st(5)}, Vectors: [][]float32{vector(5)}, Mark: 7})
	if pimento.KindOf(err) != pimento.KindUnavailable || s.Seen() != 7 {
		t.Error(err, s.Seen())
	}
	finds(t, s, 1, 5)
	must(t, held.Unlock())
	add(t, s, 6, 7)
	finds(t, open(t, dir), 5, 6)
	if got := open(t, dir).Seen(); got != 7 {
		t.Error("the mark is lost", got)
	}
}

// TestNoNumbers: what a broken embedder makes is near nothing.
func TestNoNumbers(t *testing.T) {
	s := open(t, t.TempDir())
	add(t, s, 0, 3)
	nan, inf := vector(7), vector(8)
	nan[3], inf[0] = float32(math.NaN()), float32(math.Inf(1))
	must(t, s.Add(t.Context(), Batch{Statements: []pimento.Statement{st(7), st(8), st(9)}, Vectors: [][]float32{nan, inf, nil}}))
	if m := s.Missing([]pimento.Statement{st(7), st(8), st(9)}); len(m) > 0 {
		t.Errorf("%v are asked for again", m)
	}
	finds(t, s, 0, 1, 2)
	for _, q := range [][]float32{nan, inf} {
		if near, err := s.Nearest(t.Context(), q, 3); len(near) > 0 || err != nil {
			t.Error(near, err)
		}
	}
	near, _ := s.Nearest(t.Context(), vector(1), 10)
	for _, n := range near {
		if slices.Contains([]pimento.Statement{st(7), st(8), st(9)}, n.Statement) && n.Sim != 0 {
			t.Error(n)
		}
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
