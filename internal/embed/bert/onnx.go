package bert

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
)

// A graph is what of an ONNX graph matters here.
type graph struct {
	tensors map[string]tensor
	made    map[string]node // the node that an output comes from
	nodes   []node
}

type node struct {
	kind string
	in   []string
	out  string
}

// parseONNX reads the weights out of an ONNX export of a BERT.
//
// Exports name tables, biases and normalisations as the checkpoint does, but
// call the weight of a linear layer "onnx::MatMul_1234", and keep it as [in,
// out]. The graph says which is which: the layer is a MatMul with that weight,
// whose output is added to the named bias. A file in which a weight cannot be
// found so lacks a tensor, and assemble says which.
//
// The messages are those of https://github.com/onnx/onnx/blob/main/onnx/onnx.proto:
// ModelProto.graph = 7; GraphProto.node = 1, initializer = 5; NodeProto.input = 1,
// output = 2, op_type = 4; TensorProto.dims = 1, data_type = 2, float_data = 4,
// name = 8, raw_data = 9, data_location = 14.
func parseONNX(b []byte) (map[string]tensor, error) {
	g := &graph{tensors: map[string]tensor{}, made: map[string]node{}}
	err := fields(b, func(field int, _ uint64, data []byte) error {
		if field != 7 {
			return nil
		}
		return fields(data, g.field)
	})
	if err != nil {
		return nil, err
	}
	if len(g.tensors) == 0 {
		return nil, errors.New("no weights in this ONNX file")
	}
	g.nameWeights()
	return g.tensors, nil
}

func (g *graph) field(field int, _ uint64, data []byte) error {
	switch field {
	case 1:
		return g.node(data)
	case 5:
		return g.initializer(data)
	}
	return nil
}

func (g *graph) node(b []byte) error {
	var n node
	err := fields(b, func(field int, _ uint64, data []byte) error {
		switch field {
		case 1:
			n.in = append(n.in, string(data))
		case 2:
			n.out = string(data)
		case 4:
			n.kind = string(data)
		}
		return nil
	})
	switch n.kind {
	case "MatMulInteger", "QLinearMatMul", "DynamicQuantizeLinear", "DequantizeLinear":
		return errors.New("a quantized ONNX export; take the float32 one")
	case "MatMul", "Add", "Gemm":
		g.nodes = append(g.nodes, n)
		g.made[n.out] = n
	}
	return err
}

// initializer takes up a constant of floats; others are not weights of a BERT.
func (g *graph) initializer(b []byte) error {
	var name string
	var shape []int
	var raw, floats []byte
	var kind, location uint64
	err := fields(b, func(field int, n uint64, data []byte) error {
		switch field {
		case 1:
			return dims(&shape, n, data)
		case 2:
			kind = n
		case 4:
			if floats != nil {
				return errors.New("float_data in several parts is not supported")
			}
			floats = data
		case 8:
			name = string(data)
		case 9:
			raw = data
		case 14:
			location = n
		}
		return nil
	})
	types := map[uint64]dtype{1: f32, 10: f16, 16: bf16}
	d, ok := types[kind]
	if err != nil || !ok {
		return err
	}
	if location != 0 {
		return fmt.Errorf("%.100q lies in another file, which is not supported; take model.safetensors", name)
	}
	if raw == nil {
		raw = floats
	}
	t, err := newTensor(d, shape, raw)
	if err != nil {
		return fmt.Errorf("tensor %.100q: %w", name, err)
	}
	g.tensors[name] = t
	return nil
}

// dims takes one dimension, or several packed ones.
func dims(shape *[]int, n uint64, packed []byte) error {
	add := func(n uint64) error {
		if n > 1<<31 || len(*shape) >= 8 {
			return errors.New("impossible dimensions")
		}
		*shape = append(*shape, int(n))
		return nil
	}
	if packed == nil {
		return add(n)
	}
	for len(packed) > 0 {
		n, size := binary.Uvarint(packed)
		if size <= 0 {
			return errProto
		}
		if err := add(n); err != nil {
			return err
		}
		packed = packed[size:]
	}
	return nil
}

// nameWeights gives every linear layer's weight the name that goes with its bias.
func (g *graph) nameWeights() {
	for _, n := range g.nodes {
		if n.kind != "Add" || len(n.in) != 2 {
			continue
		}
		for i, bias := range n.in {
			name, ok := strings.CutSuffix(bias, ".bias")
			product, made := g.made[n.in[1-i]]
			if _, has := g.tensors[bias]; !ok || !made || !has || product.kind != "MatMul" || len(product.in) != 2 {
				continue
			}
			if w, ok := g.tensors[product.in[1]]; ok && len(w.shape) == 2 && !w.turned {
				w.turned = true
				g.tensors[name+".weight"] = w
			}
		}
	}
}
