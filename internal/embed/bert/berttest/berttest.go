// Package berttest writes small BERT models with random weights, for tests of
// what opens, copies and downloads models.
package berttest

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// The shape of the model.
const (
	Hidden    = 8
	inner     = 16
	positions = 32
)

func vocabulary() []string {
	return []string{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "tea", "green", "is", "deploy", "##s", "staging", "##ing", "the", "."}
}

// Write makes the files of a model in dir, which is made: config.json,
// vocab.txt and model.safetensors. Another seed gives other weights.
func Write(dir string, seed uint64) error {
	vocab := vocabulary()
	config := fmt.Sprintf(`{"model_type":"bert","hidden_size":%d,"num_hidden_layers":1,"num_attention_heads":2,"intermediate_size":%d,`+
		`"vocab_size":%d,"max_position_embeddings":%d,"type_vocab_size":2,"hidden_act":"gelu"}`, Hidden, inner, len(vocab), positions)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for name, b := range map[string][]byte{
		"config.json":       []byte(config),
		"vocab.txt":         []byte(strings.Join(vocab, "\n") + "\n"),
		"model.safetensors": weights(seed, len(vocab)),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o644); err != nil {
			return err
		}
	}
	return nil
}

func weights(seed uint64, words int) []byte {
	rng := rand.New(rand.NewPCG(seed, 1))
	header := map[string]any{}
	var data []byte
	put := func(name string, around float64, shape ...int) {
		from, n := len(data), 1
		for _, d := range shape {
			n *= d
		}
		for range n {
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(float32(around+rng.NormFloat64()/2)))
		}
		header[name] = map[string]any{"dtype": "F32", "shape": shape, "data_offsets": []int{from, len(data)}}
	}
	linear := func(name string, out, in int) {
		put(name+".weight", 0, out, in)
		put(name+".bias", 0, out)
	}
	scaling := func(name string) {
		put(name+".weight", 1, Hidden)
		put(name+".bias", 0, Hidden)
	}
	put("embeddings.word_embeddings.weight", 0, words, Hidden)
	put("embeddings.position_embeddings.weight", 0, positions, Hidden)
	put("embeddings.token_type_embeddings.weight", 0, 2, Hidden)
	scaling("embeddings.LayerNorm")
	for _, part := range []string{"self.query", "self.key", "self.value", "output.dense"} {
		linear("encoder.layer.0.attention."+part, Hidden, Hidden)
	}
	scaling("encoder.layer.0.attention.output.LayerNorm")
	linear("encoder.layer.0.intermediate.dense", inner, Hidden)
	linear("encoder.layer.0.output.dense", Hidden, inner)
	scaling("encoder.layer.0.output.LayerNorm")
	head, _ := json.Marshal(header) // strings and numbers
	for len(head)%8 != 0 {
		head = append(head, ' ')
	}
	return append(append(binary.LittleEndian.AppendUint64(nil, uint64(len(head))), head...), data...)
}
