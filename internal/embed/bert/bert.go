// Package bert runs a BERT encoder in the process: small sentence models such
// as bge-small-en-v1.5 and all-MiniLM-L6-v2, from the files that their authors
// publish. It knows nothing of memory; [Open] maps the weights, [Model.Embed]
// turns texts into vectors of unit length.
//
// A model is a directory:
//
//	config.json            the shape (hidden size, layers, heads, ...)
//	model.safetensors      weights: float32, float16 or bfloat16; else
//	model.onnx             an ONNX export in float32 or float16 (onnx/model.onnx too)
//	vocab.txt              the WordPiece vocabulary; else tokenizer.json
//	tokenizer_config.json  optional: do_lower_case
//	1_Pooling/config.json  optional: how token vectors become one vector
//
// The mathematics is that of Devlin et al., "BERT: Pre-training of Deep
// Bidirectional Transformers" (2018), and Vaswani et al., "Attention Is All You
// Need" (2017). Files are never trusted: sizes are checked before anything is
// allocated, and a map that shrinks under our feet is an error.
package bert

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime/debug"
	"sync"
)

// A Model is an open encoder. Its methods may be called from several goroutines.
type Model struct {
	cfg    config
	tok    *tokenizer
	tables tables
	layers []layer
	dot    func(x, y []float32) float32

	mu    sync.RWMutex // held for reading while the map is in use
	free  func()       // nil once closed
	print string
	name  string
	query string
}

// Dim is the length of a vector.
func (m *Model) Dim() int { return m.cfg.Hidden }

// Fingerprint tells models apart: 16 hex digits of a digest of vocabulary,
// configuration and samples of the weights. It is not a checksum of all bytes.
func (m *Model) Fingerprint() string { return m.print }

// Name is what the model's own configuration calls it, "" if it does not.
func (m *Model) Name() string { return m.name }

// QueryPrefix is what the model's own configuration puts before a question,
// "" if it does not say.
func (m *Model) QueryPrefix() string { return m.query }

// batchTokens is how many tokens go through the layers together. More would
// not make a token cheaper, and this many rows still fit the second-level cache.
const batchTokens = 256

// Embed returns a vector of length 1 for each text, nil for a text of which no
// word is in the vocabulary. What a text's vector is does not depend on the
// texts beside it.
func (m *Model) Embed(ctx context.Context, texts []string) (vecs [][]float32, err error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	if m.free == nil {
		return nil, errClosed
	}
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer onFault(&err)
	vecs = make([][]float32, len(texts))
	var batch [][]int32
	var of []int
	rows := 0
	flush := func() error {
		out, err := m.encode(ctx, batch, rows)
		for i, v := range out {
			vecs[of[i]] = v
		}
		batch, of, rows = nil, nil, 0
		return err
	}
	for i, text := range texts {
		ids, known := m.tok.encode(text, m.cfg.maxTokens())
		if !known {
			continue
		}
		if rows > 0 && rows+len(ids) > batchTokens {
			if err := flush(); err != nil {
				return nil, err
			}
		}
		batch, of, rows = append(batch, ids), append(of, i), rows+len(ids)
	}
	if err := flush(); err != nil {
		return nil, err
	}
	return vecs, nil
}

// encode runs sequences of ids, rows in all, through the model.
func (m *Model) encode(ctx context.Context, batch [][]int32, rows int) ([][]float32, error) {
	if rows == 0 {
		return nil, ctx.Err()
	}
	h, err := m.forward(ctx, batch, rows)
	if err != nil {
		return nil, err
	}
	out := make([][]float32, len(batch))
	at := 0
	for i, ids := range batch {
		v := m.pool(h[at*m.cfg.Hidden : (at+len(ids))*m.cfg.Hidden])
		if !toUnit(v) {
			return nil, errNumbers
		}
		out[i], at = v, at+len(ids)
	}
	return out, nil
}

// pool makes one vector of a sequence's token vectors: the first one (of the
// token [CLS]), or the mean of all, [CLS] and [SEP] included, as the models
// were trained.
func (m *Model) pool(h []float32) []float32 {
	dim := m.cfg.Hidden
	v := make([]float32, dim)
	if m.cfg.cls {
		copy(v, h)
		return v
	}
	for at := 0; at < len(h); at += dim {
		for i, x := range h[at : at+dim] {
			v[i] += x
		}
	}
	return v // not divided: only the direction counts
}

// toUnit scales v to length 1 and tells whether that is possible.
func toUnit(v []float32) bool {
	sum := 0.0
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if !(sum > 0) || math.IsInf(sum, 0) {
		return false
	}
	scale := float32(1 / math.Sqrt(sum))
	for i := range v {
		v[i] *= scale
	}
	return true
}

// Close unmaps the weights, after calls that are under way. Later calls of
// Embed fail. Closing twice is fine.
func (m *Model) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.free != nil {
		m.free()
		m.free = nil
	}
	return nil
}

var (
	errClosed  = errors.New("the model is closed")
	errNumbers = errors.New("the weights yield no finite numbers")
)

// onFault turns a fault of mapped memory into an error: somebody cut the file
// short while we read it. Any other panic goes on.
func onFault(err *error) {
	r := recover()
	if r == nil {
		return
	}
	fault, ok := r.(interface {
		error
		Addr() uintptr
	})
	if !ok {
		panic(r)
	}
	*err = fmt.Errorf("the weights changed under our feet: %w", fault)
}
