package embed

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/courier"
	"github.com/pimento-memory/pimento/internal/embed/bert"
)

// Places is what an embedder needs of the world, given by the door.
type Places struct {
	Models string   // the directory of installed models
	Helper []string // the program pimento-net, with arguments
	Key    string   // the endpoint's key, from the variable that Choice.KeyEnv names
}

// Open opens the embedder that somebody chose. It is nil, without an error, for
// none. The errors of a model that is missing or damaged, and of an endpoint
// that does not answer, have a kind and a hint; recall goes on without it.
func Open(ctx context.Context, c Choice, p Places) (Embedder, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	switch {
	case c.URL != "":
		return openHTTP(ctx, c, p)
	case c.Name == "" || c.Name == None:
		return nil, nil
	case c.Name == BuiltIn:
		return NewStatic(), nil
	default:
		return openBert(ctx, c, filepath.Join(p.Models, c.Name))
	}
}

// neural is a [bert.Model] with what there is to know of it.
type neural struct {
	model *bert.Model
	info  Info
}

func openBert(ctx context.Context, c Choice, dir string) (Embedder, error) {
	if _, err := os.Lstat(dir); errors.Is(err, fs.ErrNotExist) {
		return nil, &pimento.Error{Op: "embed", Path: filepath.Base(dir), Kind: pimento.KindNotFound,
			Err: errors.New("no model of this name is installed (pimento model list)"), Hint: "install it: pimento model pull " + filepath.Base(dir)}
	}
	m, err := bert.Open(ctx, dir)
	if err != nil {
		return nil, err
	}
	name := filepath.Base(dir)
	t := traitsOf(name + " " + m.Name())
	info := Info{ID: "bert:" + name + ":" + m.Fingerprint(), Dim: m.Dim(), QueryPrefix: t.query, Related: t.related}
	if q := m.QueryPrefix(); q != "" {
		info.QueryPrefix = q
	}
	if c.QueryPrefix != "" {
		info.QueryPrefix = c.QueryPrefix
	}
	return &neural{m, info}, nil
}

func (n *neural) Info() Info { return n.info }

func (n *neural) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	vecs, err := n.model.Embed(ctx, texts)
	if err != nil {
		return nil, unavailable("embed.bert", n.info.ID, "try again", err)
	}
	return vecs, nil
}

func (n *neural) Close() error { return n.model.Close() }

// endpoint is a model behind an address, reached through the helper.
type endpoint struct {
	net  *courier.Courier
	req  courier.EmbedRequest
	info Info
}

// openHTTP starts nothing when the dimension is known. Otherwise it asks for
// one vector.
func openHTTP(ctx context.Context, c Choice, p Places) (Embedder, error) {
	t := traitsOf(c.Model)
	if c.QueryPrefix != "" {
		t.query = c.QueryPrefix
	}
	e := &endpoint{
		net:  courier.New(p.Helper...),
		req:  courier.EmbedRequest{URL: c.URL, Model: c.Model, Key: p.Key, Dim: c.Dim},
		info: Info{ID: "http:" + c.URL + "#" + c.Model, Dim: c.Dim, QueryPrefix: t.query, Related: t.related},
	}
	if c.Dim == 0 {
		vecs, err := Hurried(e).Embed(ctx, []string{"memory"})
		if err == nil && vecs[0] == nil {
			err = unavailable("embed.http", c.URL, "does it serve an embedding model?", errors.New("a vector of zeros"))
		}
		if err != nil {
			_ = e.Close()
			return nil, err
		}
		e.info.Dim, e.req.Dim = len(vecs[0]), len(vecs[0])
	}
	return e, nil
}

func (e *endpoint) Info() Info { return e.info }

func (e *endpoint) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	req := e.req
	req.Texts = texts
	if end, ok := ctx.Deadline(); ok { // so that the helper can say what it waited for
		req.Wait = max(int(time.Until(end)/time.Millisecond), 1)
	}
	return e.net.Embed(ctx, req)
}

func (e *endpoint) Close() error { return e.net.Close() }

// Hurried is an embedder as it is asked where somebody waits: an endpoint that fails is
// not tried for long.
func Hurried(e Embedder) Embedder {
	if x, ok := e.(*endpoint); ok {
		hurried := *x
		hurried.req.Hurry = true
		return &hurried
	}
	return e
}

// traits are what a family of models was trained for, and from which cosine on
// it finds texts related. The cosines are rules of thumb from the models' own
// cards, to be tuned by measurement.
type traits struct {
	query   string
	related float32
}

func traitsOf(name string) traits {
	name = strings.ToLower(name)
	for _, f := range []struct {
		part string
		traits
	}{
		{"bge-m3", traits{"", 0.60}},
		{"bge-small", traits{"Represent this sentence for searching relevant passages: ", 0.65}},
		{"bge", traits{"Represent this sentence for searching relevant passages: ", 0.70}},
		{"mxbai", traits{"Represent this sentence for searching relevant passages: ", 0.65}},
		{"nomic-embed", traits{"search_query: ", 0.65}},
		{"minilm", traits{"", 0.40}},
		{"text-embedding-3", traits{"", 0.40}},
	} {
		if strings.Contains(name, f.part) {
			return f.traits
		}
	}
	return traits{"", 0.55}
}

func unavailable(op, path, hint string, err error) error {
	return &pimento.Error{Op: op, Path: path, Kind: pimento.KindUnavailable, Hint: hint, Err: err}
}
