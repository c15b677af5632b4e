package bert

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/pimento-memory/pimento"
)

// TestEmbed goes from text to vectors, with texts that have none.
func TestEmbed(t *testing.T) {
	c := newCheckpoint(smallConfig(), 5)
	m := open1(t, c.write(t, "F32", "mean"))
	texts := []string{"deploys go through staging", "", "漢字", "Deploys GO through staging", strings.Repeat("want ", 1000), "zzz low"}
	vecs, err := m.Embed(t.Context(), texts)
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range vecs {
		if none := i == 1 || i == 2; none != (v == nil) || !none && len(v) != m.Dim() {
			t.Errorf("%.20q: %d numbers", texts[i], len(v))
		}
		if v != nil {
			if s := dotGo(v, v); s < 0.9999 || s > 1.0001 {
				t.Errorf("%.20q: length %g", texts[i], s)
			}
		}
	}
	if d := dotGo(vecs[0], vecs[3]); d < 0.9999 {
		t.Errorf("letter case makes a difference: %g", d)
	}
	if vecs, err := m.Embed(t.Context(), nil); err != nil || len(vecs) != 0 {
		t.Errorf("nothing: %v %v", vecs, err)
	}
	done, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := m.Embed(done, texts); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			again, err := m.Embed(context.Background(), texts)
			if err != nil || again[0][0] != vecs[0][0] {
				t.Errorf("concurrently: %v", err)
			}
		})
	}
	wg.Wait()
	m.Close()
	m.Close()
	if _, err := m.Embed(t.Context(), texts); !errors.Is(err, errClosed) {
		t.Errorf("closed: %v", err)
	}
}

func TestFingerprint(t *testing.T) {
	c := newCheckpoint(smallConfig(), 5)
	first := open1(t, c.write(t, "F32", "mean")).Fingerprint()
	if again := open1(t, c.write(t, "F32", "mean")).Fingerprint(); again != first || len(first) != 16 {
		t.Errorf("%s, then %s", first, again)
	}
	if cls := open1(t, c.write(t, "F32", "cls")).Fingerprint(); cls == first {
		t.Error("pooling makes no difference")
	}
	if other := open1(t, newCheckpoint(smallConfig(), 6).write(t, "F32", "mean")).Fingerprint(); other == first {
		t.Error("weights make no difference")
	}
}

// TestDamagedFiles opens models whose files are wrong: an error of a kind, with
// the path, and never a panic or a large allocation.
func TestDamagedFiles(t *testing.T) {
	c := newCheckpoint(smallConfig(), 1)
	weights := c.safetensors("F32")
	header := func(json string, data int) []byte {
		return append(append(binary.LittleEndian.AppendUint64(nil, uint64(len(json))), json...), make([]byte, data)...)
	}
	for name, tt := range map[string]struct {
		file string
		data []byte
		want string
	}{
		"cut in the data":     {"model.safetensors", weights[:len(weights)-5], "data_offsets"},
		"cut in the header":   {"model.safetensors", weights[:100], "header of"},
		"cut in the length":   {"model.safetensors", weights[:5], "too short"},
		"empty":               {"model.safetensors", nil, "size"},
		"a huge header":       {"model.safetensors", bytes.Repeat([]byte{0xff}, 64), "header of"},
		"no JSON":             {"model.safetensors", header("{nonsense", 8), "header"},
		"no tensors":          {"model.safetensors", header("{}", 8), "missing"},
		"offsets reversed":    {"model.safetensors", header(`{"x":{"dtype":"F32","shape":[1],"data_offsets":[8,4]}}`, 8), "data_offsets"},
		"offsets beyond":      {"model.safetensors", header(`{"x":{"dtype":"F32","shape":[4],"data_offsets":[0,16]}}`, 8), "data_offsets"},
		"offsets overflow":    {"model.safetensors", header(`{"x":{"dtype":"F32","shape":[4],"data_offsets":[18446744073709551615,18446744073709551615]}}`, 8), "data_offsets"},
		"shape overflows":     {"model.safetensors", header(`{"x":{"dtype":"F32","shape":[4611686018427387904,4,4],"data_offsets":[0,8]}}`, 8), "shape"},
		"shape below zero":    {"model.safetensors", header(`{"x":{"dtype":"F32","shape":[-1,-2],"data_offsets":[0,8]}}`, 8), "shape"},
		"a page of HTML":      {"model.safetensors", []byte("<!doctype html><html>a login page</html>"), "header of"},
		"another shape":       {"config.json", []byte(`{"hidden_size":48,"num_hidden_layers":3,"num_attention_heads":4,"intermediate_size":81,"vocab_size":40,"max_position_embeddings":64}`), "shape"},
		"more layers":         {"config.json", []byte(`{"hidden_size":48,"num_hidden_layers":4,"num_attention_heads":4,"intermediate_size":80,"vocab_size":40,"max_position_embeddings":64}`), "encoder.layer.3"},
		"a giant":             {"config.json", []byte(`{"hidden_size":1000000000,"num_hidden_layers":3,"num_attention_heads":4,"intermediate_size":80,"vocab_size":40,"max_position_embeddings":64}`), "hidden_size"},
		"no numbers":          {"config.json", []byte(`{}`), "hidden_size"},
		"config is no JSON":   {"config.json", []byte(`{"hidden_size":`), "unexpected end"},
		"another family":      {"config.json", []byte(`{"model_type":"t5","hidden_size":48,"num_hidden_layers":3,"num_attention_heads":4,"intermediate_size":80,"vocab_size":40}`), "only bert"},
		"another activation":  {"config.json", []byte(`{"hidden_act":"silu","hidden_size":48,"num_hidden_layers":3,"num_attention_heads":4,"intermediate_size":80,"vocab_size":40}`), "silu"},
		"max pooling":         {"1_Pooling/config.json", []byte(`{"pooling_mode_max_tokens":true}`), "pooling"},
		"no [CLS]":            {"vocab.txt", []byte("[UNK]\n[SEP]\na\n"), "[CLS]"},
		"too many words":      {"vocab.txt", []byte("[UNK]\n[SEP]\n[CLS]\n" + strings.Repeat("a\n", 100)), "40 words"},
		"vocabulary is empty": {"vocab.txt", nil, "[UNK]"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := c.write(t, "F32", "cls")
			if err := os.WriteFile(filepath.Join(dir, tt.file), tt.data, 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := Open(t.Context(), dir)
			e, ok := errors.AsType[*pimento.Error](err)
			if !ok || e.Kind != pimento.KindUnavailable || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q in it", err, tt.want)
			}
		})
	}
}

// TestTensorsInOnePlace has a small file whose tensors all lie on each other, so
// that copying them would take many times its size.
func TestTensorsInOnePlace(t *testing.T) {
	cfg := bigEnough()
	cfg.Layers = 12
	c := newCheckpoint(cfg, 1)
	dir := c.write(t, "F16", "cls")
	header := map[string]any{}
	size := 0
	for name, w := range c.weights {
		header[name] = map[string]any{"dtype": "F16", "shape": w.shape, "data_offsets": []int{0, 2 * len(w.data)}}
		size = max(size, 2*len(w.data))
	}
	head, _ := json.Marshal(header)
	b := append(binary.LittleEndian.AppendUint64(nil, uint64(len(head))), head...)
	if err := os.WriteFile(filepath.Join(dir, "model.safetensors"), append(b, make([]byte, size)...), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), dir); err == nil || !strings.Contains(err.Error(), "shares its place") {
		t.Errorf("got %v", err)
	}
}

func TestMissingFiles(t *testing.T) {
	c := newCheckpoint(smallConfig(), 1)
	for _, name := range []string{"config.json", "vocab.txt", "model.safetensors"} {
		dir := c.write(t, "F32", "cls")
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
		_, err := Open(t.Context(), dir)
		if pimento.KindOf(err) != pimento.KindNotFound || pimento.HintOf(err) == "" || !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("without %s: %v", name, err)
		}
	}
	if _, err := Open(t.Context(), filepath.Join(t.TempDir(), "nowhere")); pimento.KindOf(err) != pimento.KindNotFound {
		t.Errorf("nowhere: %v", err)
	}
}

// TestShrinkingFile cuts the weights short while they are mapped. Reading them
// then is a fault, and has to be an error.
func TestShrinkingFile(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only where files are mapped and may shrink")
	}
	c := newCheckpoint(bigEnough(), 1)
	dir := c.write(t, "F32", "cls")
	m := open1(t, dir)
	if err := os.Truncate(filepath.Join(dir, "model.safetensors"), 4096); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Embed(t.Context(), []string{"deploys go through staging", "want"}); err == nil || !strings.Contains(err.Error(), "under our feet") {
		t.Errorf("got %v", err)
	}
}

func bigEnough() config {
	c := smallConfig()
	c.Hidden, c.Inner, c.Heads = 256, 1024, 8
	return c
}

// TestNotANumber: weights of NaN give an error, not vectors that poison a cache.
func TestNotANumber(t *testing.T) {
	c := newCheckpoint(smallConfig(), 1)
	c.weights["encoder.layer.2.output.dense.bias"].data[3] = float32(nan())
	m := open1(t, c.write(t, "F32", "cls"))
	if _, err := m.Embed(t.Context(), []string{"want"}); !errors.Is(err, errNumbers) {
		t.Errorf("got %v", err)
	}
}

func nan() float64 { zero := 0.0; return zero / zero }

func TestHalfFloats(t *testing.T) {
	for h, want := range map[uint16]float32{0: 0, 0x3c00: 1, 0xc000: -2, 0x7bff: 65504, 1: 1.0 / (1 << 24), 0x0400: 1.0 / (1 << 14), 0x3555: 0.333251953125} {
		if got := halfToFloat(h); got != want {
			t.Errorf("%#x: %g, want %g", h, got, want)
		}
	}
	if got := halfToFloat(0x7c00); got < 1e38 {
		t.Errorf("infinity is %g", got)
	}
}

func FuzzSafetensors(f *testing.F) {
	c := newCheckpoint(config{Hidden: 2, Layers: 1, Heads: 1, Inner: 2, Vocab: 25, Positions: 3, Types: 1, Eps: 1e-12}, 1)
	f.Add(c.safetensors("F32"))
	f.Add(c.safetensors("BF16")[:200])
	f.Fuzz(func(t *testing.T, b []byte) {
		tensors, err := parseSafetensors(b)
		if err == nil {
			checkTensors(t, c.cfg, tensors, len(b))
		}
	})
}

func FuzzONNX(f *testing.F) {
	c := newCheckpoint(config{Hidden: 2, Layers: 1, Heads: 1, Inner: 2, Vocab: 25, Positions: 3, Types: 1, Eps: 1e-12}, 1)
	f.Add(c.onnx())
	f.Fuzz(func(t *testing.T, b []byte) {
		tensors, err := parseONNX(b)
		if err == nil {
			checkTensors(t, c.cfg, tensors, len(b))
		}
	})
}

// checkTensors reads every number that a parser promised.
func checkTensors(t *testing.T, cfg config, tensors map[string]tensor, size int) {
	for name, x := range tensors {
		if n := len(x.floats()); n > size {
			t.Fatalf("%q has %d numbers in a file of %d bytes", name, n, size)
		}
	}
	_, _, _ = assemble(cfg, tensors, size)
}

func FuzzTokenizerJSON(f *testing.F) {
	f.Add([]byte(`{"normalizer":{"lowercase":true},"model":{"type":"WordPiece","vocab":{"[UNK]":0,"[CLS]":1,"[SEP]":2,"##a":3}}}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		lower := true
		if tok, err := parseTokenizerJSON(b, 40, &lower); err == nil {
			for _, id := range tok.words {
				if id < 0 || id >= 40 {
					t.Fatalf("id %d", id)
				}
			}
			tok.encode("aa [UNK] b", 8)
		}
	})
}
