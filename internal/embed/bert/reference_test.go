package bert

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"
)

// reference is the encoder written down from the papers' equations, in float64
// and without any thought of speed. It shares no code with the package.
//
//	x0   = LN(word + position + type)
//	A    = concat_h softmax(Q_h K_h' / sqrt(d)) V_h,  Q = x Wq' + bq, ...
//	x'   = LN(x + A Wo' + bo)
//	x''  = LN(x' + gelu(x' W1' + b1) W2' + b2)
func (c *checkpoint) reference(ids []int32, cls bool) []float64 {
	n, H := len(ids), c.cfg.Hidden
	w := func(name string, i int) float64 { return float64(c.weights[name].data[i]) }
	x := make([][]float64, n)
	for t := range x {
		x[t] = make([]float64, H)
		for j := range H {
			x[t][j] = w("embeddings.word_embeddings.weight", int(ids[t])*H+j) +
				w("embeddings.position_embeddings.weight", t*H+j) + w("embeddings.token_type_embeddings.weight", j)
		}
	}
	x = c.refNorm(x, "embeddings.LayerNorm")
	for l := range c.cfg.Layers {
		at := fmt.Sprintf("encoder.layer.%d.", l)
		q, k, v := c.refLinear(x, at+"attention.self.query"), c.refLinear(x, at+"attention.self.key"), c.refLinear(x, at+"attention.self.value")
		mixed := make([][]float64, n)
		d := H / c.cfg.Heads
		for i := range n {
			mixed[i] = make([]float64, H)
			for h := range c.cfg.Heads {
				weight, total := make([]float64, n), 0.0
				for j := range n {
					s := 0.0
					for e := range d {
						s += q[i][h*d+e] * k[j][h*d+e]
					}
					weight[j] = math.Exp(s / math.Sqrt(float64(d)))
					total += weight[j]
				}
				for j := range n {
					for e := range d {
						mixed[i][h*d+e] += weight[j] / total * v[j][h*d+e]
					}
				}
			}
		}
		x = c.refNorm(sum(x, c.refLinear(mixed, at+"attention.output.dense")), at+"attention.output.LayerNorm")
		inner := c.refLinear(x, at+"intermediate.dense")
		for _, row := range inner {
			for j, y := range row {
				row[j] = y * 0.5 * math.Erfc(-y/math.Sqrt2)
			}
		}
		x = c.refNorm(sum(x, c.refLinear(inner, at+"output.dense")), at+"output.LayerNorm")
	}
	out := make([]float64, H)
	for t := range x {
		for j := range H {
			if !cls || t == 0 {
				out[j] += x[t][j]
			}
		}
	}
	length := 0.0
	for _, y := range out {
		length += y * y
	}
	for j := range out {
		out[j] /= math.Sqrt(length)
	}
	return out
}

func (c *checkpoint) refLinear(x [][]float64, name string) [][]float64 {
	w, b := c.weights[name+".weight"], c.weights[name+".bias"]
	out := make([][]float64, len(x))
	for t := range x {
		out[t] = make([]float64, w.shape[0])
		for o := range out[t] {
			out[t][o] = float64(b.data[o])
			for i, y := range x[t] {
				out[t][o] += y * float64(w.data[o*len(x[t])+i])
			}
		}
	}
	return out
}

func (c *checkpoint) refNorm(x [][]float64, name string) [][]float64 {
	gain, bias := c.weights[name+".weight"].data, c.weights[name+".bias"].data
	out := make([][]float64, len(x))
	for t, row := range x {
		mean, variance := 0.0, 0.0
		for _, y := range row {
			mean += y / float64(len(row))
		}
		for _, y := range row {
			variance += (y - mean) * (y - mean) / float64(len(row))
		}
		out[t] = make([]float64, len(row))
		for j, y := range row {
			out[t][j] = (y-mean)/math.Sqrt(variance+c.cfg.Eps)*float64(gain[j]) + float64(bias[j])
		}
	}
	return out
}

func sum(x, y [][]float64) [][]float64 {
	for t := range x {
		for j := range x[t] {
			y[t][j] += x[t][j]
		}
	}
	return y
}

// difference is the largest distance of two vectors in any coordinate.
func difference(got []float32, want []float64) float64 {
	most := 0.0
	for i := range want {
		most = max(most, math.Abs(float64(got[i])-want[i]))
	}
	if len(got) != len(want) {
		return math.Inf(1)
	}
	return most
}

func randomIDs(rng *rand.Rand, n, vocab int) []int32 {
	ids := make([]int32, n)
	for i := range ids {
		ids[i] = int32(rng.IntN(vocab))
	}
	return ids
}

// TestForwardIsBERT compares the forward pass with the reference, alone and
// packed with others, for both ways to pool and all formats of weights.
func TestForwardIsBERT(t *testing.T) {
	for _, tt := range []struct {
		kind, pooling string
		within        float64
	}{
		{"F32", "cls", 1e-5}, {"F32", "mean", 1e-5}, {"onnx", "cls", 1e-5}, {"onnx", "mean", 1e-5},
		{"F16", "mean", 2e-2}, {"BF16", "mean", 1e-1}, // what rounding the weights costs
	} {
		t.Run(tt.kind+"/"+tt.pooling, func(t *testing.T) {
			c := newCheckpoint(smallConfig(), 7)
			m := open1(t, c.write(t, tt.kind, tt.pooling))
			rng := rand.New(rand.NewPCG(3, 4))
			var batch [][]int32
			rows := 0
			for _, n := range []int{1, 2, 3, 5, 16, 17, 33, 64} {
				batch = append(batch, randomIDs(rng, n, c.cfg.Vocab))
				rows += n
			}
			vecs, err := m.encode(t.Context(), batch, rows)
			if err != nil {
				t.Fatal(err)
			}
			for i, ids := range batch {
				want := c.reference(ids, tt.pooling == "cls")
				if d := difference(vecs[i], want); d > tt.within {
					t.Errorf("%d tokens: off by %g", len(ids), d)
				}
				alone, err := m.encode(t.Context(), [][]int32{ids}, len(ids))
				if err != nil {
					t.Fatal(err)
				}
				for j := range alone[0] {
					if alone[0][j] != vecs[i][j] {
						t.Fatalf("%d tokens: another vector in company", len(ids))
					}
				}
			}
		})
	}
}

// TestForwardAtFullSize does the same in the shape of bge-small, in all of its
// twelve layers.
func TestForwardAtFullSize(t *testing.T) {
	if testing.Short() {
		t.Skip("half a second of plain loops")
	}
	cfg := bgeConfig()
	cfg.Vocab = 500
	c := newCheckpoint(cfg, 11)
	m := open1(t, c.write(t, "F32", "cls"))
	ids := randomIDs(rand.New(rand.NewPCG(5, 6)), 16, cfg.Vocab)
	got, err := m.encode(t.Context(), [][]int32{ids}, len(ids))
	if err != nil {
		t.Fatal(err)
	}
	if d := difference(got[0], c.reference(ids, true)); d > 1e-4 {
		t.Errorf("off by %g", d)
	}
}

// TestPortableKernel holds the kernel of machines without AVX2 to the same.
func TestPortableKernel(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for n := 1; n < 70; n++ {
		x, y, want := make([]float32, n), make([]float32, n), 0.0
		for i := range x {
			x[i], y[i] = float32(rng.NormFloat64()), float32(rng.NormFloat64())
			want += float64(x[i]) * float64(y[i])
		}
		for name, dot := range map[string]func(x, y []float32) float32{"portable": dotGo, runtime.GOARCH: dotKernel()} {
			if got := dot(x, y); math.Abs(float64(got)-want) > 1e-4 {
				t.Errorf("%s: %d numbers: %g, want %g", name, n, got, want)
			}
		}
	}
}

func TestGelu(t *testing.T) {
	table := phi()
	for x := -8.0; x <= 8; x += 0.001 {
		want := x * 0.5 * math.Erfc(-x/math.Sqrt2)
		if got := float64(gelu(table, float32(x))); math.Abs(got-want) > 1e-6 {
			t.Fatalf("gelu(%g) = %g, want %g", x, got, want)
		}
	}
	inf := float32(math.Inf(1))
	if got := gelu(table, inf); got != inf {
		t.Errorf("gelu(inf) = %g", got)
	}
	if got := gelu(table, -inf); got != 0 {
		t.Errorf("gelu(-inf) = %g", got)
	}
	if got := gelu(table, float32(math.NaN())); got == got {
		t.Errorf("gelu(nan) = %g", got)
	}
}
