package bert

import (
	"fmt"
	"slices"
)

// A linear layer is y = W x + b with W [out, in], row by row.
type linear struct {
	w, b    []float32
	in, out int
}

// A scaling is the gain and bias of a layer normalisation.
type scaling struct{ gain, bias []float32 }

// A layer is one block of the encoder: attention, then a network of two linear
// layers, each followed by a residual connection and a normalisation.
type layer struct {
	query, key, value, out linear
	up, down               linear
	attended, done         scaling
}

// tables are what a token's vector is looked up in before the first layer.
type tables struct {
	word, position tensor // [Vocab, Hidden], [Positions, Hidden]
	kind           tensor // token types; we only use the first row
	norm           scaling
}

// assemble finds the tensors of a BERT by their names and checks every shape.
// size is that of the file.
func assemble(c config, tensors map[string]tensor, size int) (tables, []layer, error) {
	a := &assembler{tensors: tensors, room: 2 * size}
	if _, ok := tensors["embeddings.word_embeddings.weight"]; !ok {
		a.prefix = "bert."
	}
	t := tables{
		word:     a.find("embeddings.word_embeddings.weight", c.Vocab, c.Hidden),
		position: a.find("embeddings.position_embeddings.weight", c.Positions, c.Hidden),
		kind:     a.find("embeddings.token_type_embeddings.weight", c.Types, c.Hidden),
		norm:     a.norm("embeddings.LayerNorm", c.Hidden),
	}
	layers := make([]layer, c.Layers)
	for i := range layers {
		at := fmt.Sprintf("encoder.layer.%d.", i)
		layers[i] = layer{
			query:    a.linear(at+"attention.self.query", c.Hidden, c.Hidden),
			key:      a.linear(at+"attention.self.key", c.Hidden, c.Hidden),
			value:    a.linear(at+"attention.self.value", c.Hidden, c.Hidden),
			out:      a.linear(at+"attention.output.dense", c.Hidden, c.Hidden),
			attended: a.norm(at+"attention.output.LayerNorm", c.Hidden),
			up:       a.linear(at+"intermediate.dense", c.Inner, c.Hidden),
			down:     a.linear(at+"output.dense", c.Hidden, c.Inner),
			done:     a.norm(at+"output.LayerNorm", c.Hidden),
		}
	}
	return t, layers, a.err
}

// An assembler takes tensors by name; its first error stays.
type assembler struct {
	tensors map[string]tensor
	prefix  string
	err     error

	// room is how many bytes of copies may still be made. A float of two bytes
	// takes four, so an honest file needs at most twice its size; one whose tensors
	// all lie in the same place would ask for a hundred times that.
	room int
}

// find returns the tensor of a name if it has the shape.
func (a *assembler) find(name string, shape ...int) tensor {
	t, ok := a.tensors[a.prefix+name]
	have := slices.Clone(t.shape)
	if t.turned {
		slices.Reverse(have)
	}
	switch {
	case a.err != nil:
	case !ok:
		a.err = fmt.Errorf("the tensor %s is missing", name)
	case !slices.Equal(have, shape):
		a.err = fmt.Errorf("the tensor %s has the shape %v, not %v", name, have, shape)
	default:
		return t
	}
	return tensor{}
}

func (a *assembler) floats(name string, shape ...int) []float32 {
	t := a.find(name, shape...)
	if a.err != nil {
		return nil
	}
	if _, ok := t.view(); !ok {
		if a.room -= 4 * len(t.data) / t.dtype.size(); a.room < 0 {
			a.err = fmt.Errorf("the tensor %s shares its place with others", name)
			return nil
		}
	}
	return t.floats()
}

func (a *assembler) linear(name string, out, in int) linear {
	return linear{w: a.floats(name+".weight", out, in), b: a.floats(name+".bias", out), in: in, out: out}
}

// norm takes the names of today, or those of the first checkpoints.
func (a *assembler) norm(name string, n int) scaling {
	gain, bias := name+".weight", name+".bias"
	if _, old := a.tensors[a.prefix+name+".gamma"]; old {
		gain, bias = name+".gamma", name+".beta"
	}
	return scaling{gain: a.floats(gain, n), bias: a.floats(bias, n)}
}
