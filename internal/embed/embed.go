// Package embed turns texts into vectors, so that a question finds a memory that says the
// same in other words. An [Embedder] does that; [Open] opens the one that a [Choice]
// names:
//
//   - none;
//   - [Static], the built-in table of word vectors, which is pure and needs no files;
//   - a BERT model that runs in this process (package bert);
//   - an HTTP endpoint, which the helper of package courier asks.
//
// Recall by words never depends on an embedder: without one, or with one that fails,
// memory is searched all the same.
package embed

import "context"

// An Embedder turns texts into vectors. Its methods may be called from several
// goroutines.
type Embedder interface {
	// Info describes the model; it does not change and costs nothing.
	Info() Info

	// Embed returns one vector for each text, Info().Dim floats with a Euclidean
	// length of 1, in the order of texts. A text that the model can make nothing
	// of (no known word) has a nil vector. An error is about the whole call;
	// nothing of it can be used.
	Embed(ctx context.Context, texts []string) ([][]float32, error)

	Close() error
}

// Info describes a model.
type Info struct {
	// ID names what the vectors hang on: kind, model and version. Vectors of
	// different IDs cannot be compared.
	ID  string
	Dim int

	// QueryPrefix is put before a question (not before a memory) by the caller,
	// for models that were trained so.
	QueryPrefix string

	// Weak says that similarities are too noisy to be ranked by: where words have
	// found an answer they count nothing.
	Weak bool

	// Related is the cosine similarity from which two texts are about the same
	// matter.
	Related float32
}
