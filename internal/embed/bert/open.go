package bert

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"path/filepath"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/mapped"
)

const op = "embed.bert"

// weightFiles are where weights may lie, best first.
func weightFiles() []string { return []string{"model.safetensors", "model.onnx", "onnx/model.onnx"} }

// Open opens the model in a directory. Its errors are of KindNotFound when a
// file is missing, and KindUnavailable when one is damaged, hostile, or of a
// model that this package cannot run.
func Open(ctx context.Context, dir string) (*Model, error) {
	if err := ctx.Err(); err != nil {
		return nil, fail(dir, err)
	}
	m, err := open(dir)
	return m, fail(dir, err)
}

func open(dir string) (*Model, error) {
	cfg, err := readConfig(dir)
	if err != nil {
		return nil, err
	}
	tok, digest, err := readTokenizer(dir, cfg.Vocab)
	if err != nil {
		return nil, err
	}
	m := &Model{cfg: cfg, tok: tok, dot: dotKernel(), name: cfg.Name, query: readQuery(dir)}
	for _, name := range weightFiles() {
		data, free, err := mapped.Open(filepath.Join(dir, filepath.FromSlash(name)))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if err = m.take(name, data); err != nil {
			free()
			return nil, damaged(dir, name, err)
		}
		m.free, m.print = free, fingerprint(cfg, digest, data)
		return m, nil
	}
	return nil, &pimento.Error{Op: op, Path: filepath.Join(dir, "model.safetensors"), Kind: pimento.KindNotFound,
		Hint: "a model needs model.safetensors or model.onnx; pull it again: pimento model pull NAME", Err: fs.ErrNotExist}
}

// take reads the weights out of a mapped file.
func (m *Model) take(name string, data []byte) (err error) {
	defer onFault(&err)
	parse := parseSafetensors
	if filepath.Ext(name) == ".onnx" {
		parse = parseONNX
	}
	tensors, err := parse(data)
	if err != nil {
		return err
	}
	m.tables, m.layers, err = assemble(m.cfg, tensors, len(data))
	return err
}

// fingerprint hashes what decides the vectors. Of the weights only samples:
// reading 130 MB would cost a one-shot process more than its answer.
func fingerprint(cfg config, vocab [32]byte, data []byte) string {
	const samples, size = 64, 1024
	sum := sha256.New()
	shape, _ := json.Marshal(cfg) // plain numbers and strings
	sum.Write(shape)
	sum.Write(vocab[:])
	if cfg.cls {
		sum.Write([]byte("cls"))
	}
	sum.Write([]byte{byte(len(data)), byte(len(data) >> 8), byte(len(data) >> 16), byte(len(data) >> 24)})
	for i := range samples {
		at := len(data) / samples * i
		sum.Write(data[at:min(at+size, len(data))])
	}
	return hex.EncodeToString(sum.Sum(nil)[:8])
}

// damaged is the error of a file that is not what it should be.
func damaged(dir, name string, err error) error {
	return &pimento.Error{Op: op, Path: filepath.Join(dir, filepath.FromSlash(name)), Kind: pimento.KindUnavailable,
		Hint: "the file is damaged or not of a BERT sentence model; pull the model again: pimento model pull NAME", Err: err}
}

// fail gives an error of the system its kind; our own pass.
func fail(dir string, err error) error {
	if err == nil {
		return nil
	}
	if _, ok := errors.AsType[*pimento.Error](err); ok {
		return err
	}
	e := &pimento.Error{Op: op, Path: dir, Kind: pimento.KindUnavailable, Err: err}
	if errors.Is(err, fs.ErrNotExist) {
		e.Kind, e.Hint = pimento.KindNotFound, "pull the model: pimento model pull NAME"
	}
	return e
}
