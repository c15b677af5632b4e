package bert

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
)

// maxHeader bounds the header of a safetensors file, which names the tensors:
// 100 bytes each, and a model has a few hundred.
const maxHeader = 8 << 20

// parseSafetensors reads a safetensors file: the length of a header as 8 bytes,
// the header in JSON, then the numbers.
//
//	{"encoder.layer.0.output.dense.bias": {"dtype": "F32", "shape": [384], "data_offsets": [0, 1536]}, ...}
//
// Tensors of other types than floats (position ids) are left out.
// https://huggingface.co/docs/safetensors
func parseSafetensors(b []byte) (map[string]tensor, error) {
	if len(b) < 8 {
		return nil, errors.New("too short for a safetensors file")
	}
	n := binary.LittleEndian.Uint64(b)
	if n > maxHeader || n > uint64(len(b)-8) {
		return nil, fmt.Errorf("a header of %d bytes in a file of %d", n, len(b))
	}
	var header map[string]json.RawMessage
	if err := json.Unmarshal(b[8:8+n], &header); err != nil {
		return nil, fmt.Errorf("header: %w", err)
	}
	data := b[8+n:]
	out := make(map[string]tensor, len(header))
	for name, raw := range header {
		if name == "__metadata__" {
			continue
		}
		t, ok, err := safetensor(raw, data)
		if err != nil {
			return nil, fmt.Errorf("tensor %.100q: %w", name, err)
		}
		if ok {
			out[name] = t
		}
	}
	return out, nil
}

func safetensor(raw json.RawMessage, data []byte) (t tensor, ok bool, err error) {
	var h struct {
		Type    string   `json:"dtype"`
		Shape   []int    `json:"shape"`
		Offsets []uint64 `json:"data_offsets"`
	}
	if err := json.Unmarshal(raw, &h); err != nil {
		return t, false, err
	}
	types := map[string]dtype{"F32": f32, "F16": f16, "BF16": bf16}
	d, known := types[h.Type]
	if !known {
		return t, false, nil
	}
	if len(h.Offsets) != 2 || h.Offsets[0] > h.Offsets[1] || h.Offsets[1] > uint64(len(data)) {
		return t, false, fmt.Errorf("data_offsets %v in %d bytes of data", h.Offsets, len(data))
	}
	t, err = newTensor(d, h.Shape, data[h.Offsets[0]:h.Offsets[1]])
	return t, err == nil, err
}
