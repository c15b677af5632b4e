package bert

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A checkpoint is a model with random weights, as a test writes it.
type checkpoint struct {
	cfg     config
	weights map[string]array
	vocab   []string
}

type array struct {
	shape []int
	data  []float32
}

func smallConfig() config {
	return config{Hidden: 48, Layers: 3, Heads: 4, Inner: 80, Vocab: 40, Positions: 64, Types: 2, Eps: 1e-12, Act: "gelu", Model: "bert"}
}

func bgeConfig() config {
	return config{Hidden: 384, Layers: 12, Heads: 12, Inner: 1536, Vocab: 30522, Positions: 512, Types: 2, Eps: 1e-12, Act: "gelu", Model: "bert"}
}

// newCheckpoint draws weights. They are larger than a trained model's, so that
// attention is far from even and errors show.
func newCheckpoint(cfg config, seed uint64) *checkpoint {
	rng := rand.New(rand.NewPCG(seed, 1))
	c := &checkpoint{cfg: cfg, weights: map[string]array{}}
	put := func(name string, around, spread float64, shape ...int) {
		n := 1
		for _, d := range shape {
			n *= d
		}
		data := make([]float32, n)
		for i := range data {
			data[i] = float32(around + rng.NormFloat64()*spread)
		}
		c.weights[name] = array{shape, data}
	}
	linear := func(name string, out, in int) {
		put(name+".weight", 0, 2/math.Sqrt(float64(in)), out, in)
		put(name+".bias", 0, 0.3, out)
	}
	scaling := func(name string) {
		put(name+".weight", 1, 0.2, cfg.Hidden)
		put(name+".bias", 0, 0.2, cfg.Hidden)
	}
	put("embeddings.word_embeddings.weight", 0, 1, cfg.Vocab, cfg.Hidden)
	put("embeddings.position_embeddings.weight", 0, 0.5, cfg.Positions, cfg.Hidden)
	put("embeddings.token_type_embeddings.weight", 0, 0.5, cfg.Types, cfg.Hidden)
	scaling("embeddings.LayerNorm")
	for i := range cfg.Layers {
		at := fmt.Sprintf("encoder.layer.%d.", i)
		for _, part := range []string{"self.query", "self.key", "self.value", "output.dense"} {
			linear(at+"attention."+part, cfg.Hidden, cfg.Hidden)
		}
		scaling(at + "attention.output.LayerNorm")
		linear(at+"intermediate.dense", cfg.Inner, cfg.Hidden)
		linear(at+"output.dense", cfg.Hidden, cfg.Inner)
		scaling(at + "output.LayerNorm")
	}
	c.vocab = []string{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "want", "##want", "##ed", "wa", "un", "runn", "##ing", ",",
		"low", "lowest", "the", "deploy", "##s", "go", "through", "staging", "!", "a", "b", "c"}
	for i := len(c.vocab); i < cfg.Vocab; i++ {
		c.vocab = append(c.vocab, fmt.Sprintf("w%d", i))
	}
	return c
}

// write makes a model directory of it.
func (c *checkpoint) write(t testing.TB, kind string, pooling string) string {
	t.Helper()
	dir := t.TempDir()
	put := func(name string, b []byte) {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cfg, _ := json.Marshal(c.cfg)
	put("config.json", cfg)
	put("vocab.txt", []byte(strings.Join(c.vocab, "\n")+"\n"))
	if pooling != "" {
		put("1_Pooling/config.json", fmt.Appendf(nil, `{"pooling_mode_cls_token": %t, "pooling_mode_mean_tokens": %t}`, pooling == "cls", pooling == "mean"))
	}
	if kind == "onnx" {
		put("onnx/model.onnx", c.onnx())
	} else {
		put("model.safetensors", c.safetensors(kind))
	}
	return dir
}

// safetensors writes the weights as F32, F16 or BF16, in the order of names.
func (c *checkpoint) safetensors(kind string) []byte {
	header := map[string]any{"__metadata__": map[string]string{"format": "pt"}}
	size := 0
	for _, w := range c.weights {
		size += 4 * len(w.data)
	}
	data := make([]byte, 0, size) // grown step by step, it was half of the package's tests
	for _, name := range slices.Sorted(maps.Keys(c.weights)) {
		w, from := c.weights[name], len(data)
		for _, x := range w.data {
			switch kind {
			case "F16":
				data = binary.LittleEndian.AppendUint16(data, floatToHalf(x))
			case "BF16":
				data = binary.LittleEndian.AppendUint16(data, uint16(math.Float32bits(x)>>16))
			default:
				data = binary.LittleEndian.AppendUint32(data, math.Float32bits(x))
			}
		}
		header[name] = map[string]any{"dtype": kind, "shape": w.shape, "data_offsets": []int{from, len(data)}}
	}
	head, _ := json.Marshal(header)
	for len(head)%8 != 0 {
		head = append(head, ' ')
	}
	out := binary.LittleEndian.AppendUint64(nil, uint64(len(head)))
	return append(append(out, head...), data...)
}

// floatToHalf cuts off what a half cannot hold; good for normal numbers.
func floatToHalf(x float32) uint16 {
	b := math.Float32bits(x)
	exp := int(b>>23&255) - 127 + 15
	if exp <= 0 {
		return uint16(b >> 16 & 0x8000)
	}
	return uint16(b>>16&0x8000) | uint16(exp)<<10 | uint16(b>>13&1023)
}

// onnx writes the weights as PyTorch's exporter does: those of linear layers
// turned, with names that say nothing.
func (c *checkpoint) onnx() []byte {
	bytesField := func(b []byte, field int, data []byte) []byte {
		b = binary.AppendUvarint(b, uint64(field<<3|2))
		b = binary.AppendUvarint(b, uint64(len(data)))
		return append(b, data...)
	}
	node := func(kind, out string, in ...string) (b []byte) {
		for _, name := range in {
			b = bytesField(b, 1, []byte(name))
		}
		b = bytesField(b, 2, []byte(out))
		return bytesField(b, 4, []byte(kind))
	}
	var graph []byte
	for i, name := range slices.Sorted(maps.Keys(c.weights)) {
		w := c.weights[name]
		shape, data := w.shape, w.data
		stem, isWeight := strings.CutSuffix(name, ".weight")
		if _, has := c.weights[stem+".bias"]; isWeight && has && len(shape) == 2 {
			out, in := shape[0], shape[1]
			data = make([]float32, len(w.data))
			for r := range out {
				for k := range in {
					data[k*out+r] = w.data[r*in+k]
				}
			}
			shape = []int{in, out}
			name = fmt.Sprintf("onnx::MatMul_%d", 1000+i)
			graph = bytesField(graph, 1, node("MatMul", stem+"/product", stem+"/in", name))
			graph = bytesField(graph, 1, node("Add", stem+"/out", stem+".bias", stem+"/product"))
		}
		var init, raw []byte
		for _, d := range shape {
			init = binary.AppendUvarint(append(init, 1<<3), uint64(d))
		}
		for _, x := range data {
			raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(x))
		}
		init = append(init, 2<<3, 1)
		init = bytesField(init, 8, []byte(name))
		graph = bytesField(graph, 5, bytesField(init, 9, raw))
	}
	return bytesField([]byte{1 << 3, 8}, 7, graph)
}

func open1(t testing.TB, dir string) *Model {
	t.Helper()
	m, err := Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	return m
}
