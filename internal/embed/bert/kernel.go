package bert

import (
	"math"
	"runtime"
	"runtime/debug"
	"sync"

	"github.com/viterin/vek/vek32"
	"golang.org/x/sys/cpu"
)

// dotKernel is the fastest dot product of this machine. The library has AVX2
// code; its portable code waits for every addition, so ours stands in there.
func dotKernel() func(x, y []float32) float32 {
	if cpu.X86.HasAVX2 && cpu.X86.HasFMA && runtime.GOOS != "darwin" { // the library's own condition
		return vek32.Dot
	}
	return dotGo
}

// dotGo adds into eight sums, so that one addition need not wait for another.
func dotGo(x, y []float32) float32 {
	var a, b, c, d, e, f, g, h float32
	y = y[:len(x)]
	for len(x) >= 8 {
		p, q := x[:8:8], y[:8:8]
		a += p[0] * q[0]
		b += p[1] * q[1]
		c += p[2] * q[2]
		d += p[3] * q[3]
		e += p[4] * q[4]
		f += p[5] * q[5]
		g += p[6] * q[6]
		h += p[7] * q[7]
		x, y = x[8:], y[8:]
	}
	for i := range x {
		a += x[i] * y[i]
	}
	return ((a + b) + (c + d)) + ((e + f) + (g + h))
}

// gelu is x times the chance that a normal variable is below x (Hendrycks and
// Gimpel, 2016), exact as BERT has it, not the tanh formula. The chance comes
// from a table: the error function would take a third of a query's time. Read
// between its points it is off by less than 5e-7.
func gelu(table []float32, x float32) float32 {
	switch {
	case x >= phiEnd:
		return x
	case x > -phiEnd:
		at := (x + phiEnd) * phiSteps
		i := int(at)
		below := table[i]
		return x * (below + (table[i+1]-below)*(at-float32(i)))
	case x <= -phiEnd:
		return 0
	default:
		return x // not a number, and stays so
	}
}

const (
	phiEnd   = 6   // where the chance is 1 to within 1e-9
	phiSteps = 256 // points to a unit
)

// phi is the table, from -phiEnd on.
var phi = sync.OnceValue(func() []float32 {
	table := make([]float32, 2*phiEnd*phiSteps+2)
	for i := range table {
		x := float64(i)/phiSteps - phiEnd
		table[i] = float32(0.5 * math.Erfc(-x/math.Sqrt2))
	}
	return table
})

// softmax turns scores into shares that sum to 1, in place.
func softmax(s []float32) {
	top := s[0]
	for _, x := range s {
		top = max(top, x)
	}
	sum := float32(0)
	for i, x := range s {
		s[i] = float32(math.Exp(float64(x - top)))
		sum += s[i]
	}
	for i := range s {
		s[i] /= sum
	}
}

// spread runs work over 0..n in parts, on as many processors as there are, and
// waits. A panic in a part becomes one of the caller, a fault included.
func spread(n int, heavy bool, work func(low, high int)) {
	parts := min(runtime.GOMAXPROCS(0), 8, n)
	if !heavy || parts < 2 {
		work(0, n)
		return
	}
	var wg sync.WaitGroup
	panics := make([]any, parts)
	for p := range parts {
		wg.Go(func() {
			defer debug.SetPanicOnFault(debug.SetPanicOnFault(true)) // it is each goroutine's own
			defer func() { panics[p] = recover() }()
			work(n*p/parts, n*(p+1)/parts)
		})
	}
	wg.Wait()
	for _, r := range panics {
		if r != nil {
			panic(r)
		}
	}
}
