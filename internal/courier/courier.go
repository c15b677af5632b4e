// Package courier reaches the network through a second program, pimento-net.
//
// pimento itself does not link the net package: that would cost every start
// 0.6 ms, and in a default build, which then loads the C library, 1.5 ms, on
// the way of each prompt. So [Courier] starts the helper when something is to be
// fetched, and keeps it, with its open connections, until it is closed.
//
// The two speak one JSON object a line over standard input and output; see
// [message]. The helper ends when its input does, so it never outlives us.
package courier

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"github.com/pimento-memory/pimento"
)

// EmbedRequest asks an endpoint for the vectors of texts.
type EmbedRequest struct {
	URL   string   `json:"url"`   // ends in /v1/embeddings, /api/embed or /api/embeddings
	Model string   `json:"model"` // in the endpoint's words
	Key   string   `json:"key,omitempty"`
	Dim   int      `json:"dim,omitempty"` // what the vectors must have; 0 for any, but all the same
	Batch int      `json:"batch,omitempty"`
	Wait  int      `json:"wait_ms,omitempty"` // for all of it
	Hurry bool     `json:"hurry,omitempty"`   // somebody waits: it is tried once more at most
	Texts []string `json:"texts"`
}

// FetchRequest asks for a file.
type FetchRequest struct {
	URL string `json:"url"`
	To  string `json:"to"` // what is there already is gone on with, if it is the same file
	Max int64  `json:"max,omitempty"`
}

// ChatRequest asks a language model behind an endpoint.
type ChatRequest struct {
	URL    string          `json:"url"` // ends in /api/chat or /chat/completions
	Model  string          `json:"model"`
	Key    string          `json:"key,omitempty"`
	System string          `json:"system,omitempty"`
	Prompt string          `json:"prompt"`
	Schema json.RawMessage `json:"schema,omitempty"` // the JSON schema of the answer, as far as the endpoint can hold one
	In     int             `json:"in,omitempty"`     // about how many tokens the request has, to make room for them
	Max    int             `json:"max,omitempty"`    // of the answer, in tokens
	Wait   int             `json:"wait_ms,omitempty"`
}

// ChatAnswer is what a model said. In and Out are what the endpoint counted, 0
// where it counts nothing.
type ChatAnswer struct {
	Text string `json:"text"`
	In   int    `json:"in,omitempty"`
	Out  int    `json:"out,omitempty"`
	Cut  bool   `json:"cut,omitempty"` // it ends because it reached Max
}

// A message is one line, in either direction.
//
//	> {"id":1,"embed":{"url":"http://localhost:11434/api/embed","model":"m","texts":["tea"]}}
//	< {"id":1,"vectors":["...base64 of little-endian floats...",null]}
//	> {"id":2,"fetch":{"url":"https://...","to":"/home/ada/.../model.safetensors.part"}}
//	< {"id":2,"done":1048576,"total":133466304}
//	< {"id":2,"end":true}
//	> {"id":2,"cancel":true}
//	< {"id":2,"error":{"kind":"unavailable","message":"...","hint":"..."}}
type message struct {
	ID      int           `json:"id"`
	Embed   *EmbedRequest `json:"embed,omitempty"`
	Fetch   *FetchRequest `json:"fetch,omitempty"`
	Chat    *ChatRequest  `json:"chat,omitempty"`
	Cancel  bool          `json:"cancel,omitempty"`
	Vectors [][]byte      `json:"vectors,omitempty"`
	Answer  *ChatAnswer   `json:"answer,omitempty"`
	Done    int64         `json:"done,omitempty"`
	Total   int64         `json:"total,omitempty"`
	End     bool          `json:"end,omitempty"`
	Error   *failure      `json:"error,omitempty"`
}

// failure is a [pimento.Error] on the wire.
type failure struct {
	Op      string `json:"op"`
	Path    string `json:"path,omitempty"`
	Kind    string `json:"kind"`
	Hint    string `json:"hint,omitempty"`
	Message string `json:"message"`
}

func failureOf(err error) *failure {
	f := &failure{Op: "network", Kind: pimento.KindOf(err).String(), Hint: pimento.HintOf(err), Message: err.Error()}
	if e, ok := errors.AsType[*pimento.Error](err); ok {
		f.Op, f.Path = e.Op, e.Path
		if e.Err != nil {
			f.Message = e.Err.Error()
		}
	}
	return f
}

func (f *failure) err() error {
	kind := pimento.KindUnavailable
	for k := range pimento.KindNotFound + 1 {
		if k.String() == f.Kind && k != pimento.KindInternal {
			kind = k
		}
	}
	return &pimento.Error{Op: f.Op, Path: f.Path, Kind: kind, Hint: f.Hint, Err: errors.New(f.Message)}
}

func pack(vecs [][]float32) [][]byte {
	out := make([][]byte, len(vecs))
	for i, v := range vecs {
		for _, x := range v {
			out[i] = binary.LittleEndian.AppendUint32(out[i], math.Float32bits(x))
		}
	}
	return out
}

func unpack(packed [][]byte, n int) ([][]float32, error) {
	if len(packed) != n {
		return nil, fmt.Errorf("%d vectors for %d texts", len(packed), n)
	}
	out := make([][]float32, n)
	for i, b := range packed {
		for ; len(b) >= 4; b = b[4:] {
			out[i] = append(out[i], math.Float32frombits(binary.LittleEndian.Uint32(b)))
		}
	}
	return out, nil
}
