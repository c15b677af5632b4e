// Package network is what the helper program pimento-net does: it asks embedding endpoints
// and language models, and it downloads models. [Network] has a method for each; package
// courier carries the questions and the answers.
//
// It is the only package but mcpserver that links net/http, and the program pimento must
// not link it; package courier says why.
package network

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/courier"
)

// A Network makes requests. Its methods may be called from several goroutines.
type Network struct {
	// Pause is how long to wait before the second try; it doubles with each
	// further one, and a server may ask for more. 0 means 250 ms.
	Pause time.Duration

	// Stall is how long a download may stand still. 0 means a minute.
	Stall time.Duration

	ask, fetch http.Client
}

const (
	opEmbed = "embed.http"
	opChat  = "think.http"
	opFetch = "network.fetch"

	tries    = 4                // how often a request is made at most
	maxPause = 20 * time.Second // what a server may ask us to wait
)

// New returns a network with defaults.
func New() *Network {
	return &Network{
		ask: http.Client{CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse // texts and keys go where the user said, and nowhere else
		}},
		fetch: http.Client{CheckRedirect: func(req *http.Request, via []*http.Request) error {
			if len(via) >= 10 {
				return errors.New("ten redirects")
			}
			if via[0].URL.Scheme == "https" && req.URL.Scheme != "https" {
				return errors.New("redirected from https to " + req.URL.Scheme)
			}
			return nil
		}},
	}
}

// Serve answers a courier's requests until the input ends.
func (n *Network) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	return courier.Serve(ctx, in, out, courier.Handlers{Embed: n.Embed, Chat: n.Chat, Fetch: n.Fetch})
}

// A refusal is an answer that is not the wanted one.
type refusal struct {
	status int
	text   string
	after  time.Duration // how long the server asks us to wait
}

func (r *refusal) Error() string {
	s := fmt.Sprintf("the server answered %d %s", r.status, http.StatusText(r.status))
	if r.text != "" {
		s += ": " + r.text
	}
	return s
}

// transient tells whether another try may help.
func (r *refusal) transient() bool {
	return r.status == http.StatusTooManyRequests || r.status == http.StatusRequestTimeout || r.status >= 500 && r.status != http.StatusNotImplemented
}

// refused reads what a server says about a refusal.
func refused(resp *http.Response) error {
	b, _ := io.ReadAll(io.LimitReader(resp.Body, 4096))
	text := strings.Join(strings.Fields(strings.ToValidUTF8(string(b), "")), " ")
	if r := []rune(text); len(r) > 200 {
		text = string(r[:200]) + "..."
	}
	seconds, _ := strconv.Atoi(resp.Header.Get("Retry-After"))
	return &refusal{resp.StatusCode, text, min(time.Duration(max(seconds, 0))*time.Second, maxPause)}
}

// permanent is an error that another try would not mend.
type permanent struct{ error }

func (p permanent) Unwrap() error { return p.error }

// again calls try until it succeeds, fails for good, has failed often enough, or has no
// time for another.
func (n *Network) again(ctx context.Context, tries int, try func() error) error {
	pause := n.Pause
	if pause <= 0 {
		pause = 250 * time.Millisecond
	}
	for left := tries - 1; ; left-- {
		err := try()
		if err == nil || left == 0 || ctx.Err() != nil || errors.Is(err, syscall.ECONNREFUSED) {
			return err // of the last, nobody listens there, and a prompt may be waiting
		}
		wait := pause + rand.N(pause/2+1) // so that many clients do not come back at once
		pause *= 2
		if r, ok := errors.AsType[*refusal](err); ok {
			if !r.transient() {
				return err
			}
			wait = max(wait, r.after)
		}
		if _, ok := errors.AsType[permanent](err); ok {
			return err
		}
		if end, ok := ctx.Deadline(); ok && time.Until(end) <= wait {
			return err // which says more than that time is over
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return err
		}
	}
}

// fail is the error of a request to an address. The address is shown without a
// password in it.
func fail(op, address string, err error) error {
	if err == nil {
		return nil
	}
	if _, ok := errors.AsType[*pimento.Error](err); ok {
		return err
	}
	if u, e := url.Parse(address); e == nil {
		address = u.Redacted()
	}
	if e, ok := errors.AsType[*url.Error](err); ok {
		err = e.Err // it repeats the address
	}
	kind := pimento.KindUnavailable
	if r, ok := errors.AsType[*refusal](err); ok && op == opFetch && (r.status == http.StatusNotFound || r.status == http.StatusGone) {
		kind = pimento.KindNotFound
	}
	return &pimento.Error{Op: op, Path: address, Kind: kind, Hint: hintFor(err), Err: err}
}

// failAsking is the error of a request to a model. What an Ollama lacks is told in
// its own commands.
func failAsking(op, address, model string, err error) error {
	failed := fail(op, address, err)
	e, ok := errors.AsType[*pimento.Error](failed)
	if !ok || e.Kind != pimento.KindUnavailable {
		return failed
	}
	ollama := ofOllama(address)
	r, refused := errors.AsType[*refusal](err)
	switch {
	case refused && r.status == http.StatusNotFound && strings.Contains(r.text, "model") && strings.Contains(r.text, "not found") && (ollama || strings.Contains(r.text, "pull")):
		e.Hint = "get the model: ollama pull " + model
	case ollama && errors.Is(err, syscall.ECONNREFUSED):
		e.Hint = "start it: ollama serve; or give the right address"
	}
	return failed
}

// ofOllama says whether an address is one of Ollama's own; others have an /api/ in
// them, too.
func ofOllama(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	path := strings.TrimRight(u.Path, "/")
	return strings.HasSuffix(path, "/api/chat") || strings.HasSuffix(path, "/api/embed") || strings.HasSuffix(path, "/api/embeddings")
}

func hintFor(err error) string {
	r, ok := errors.AsType[*refusal](err)
	if _, disk := errors.AsType[*fs.PathError](err); disk {
		return "look at the disk: is there room, and may you write there?"
	}
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return "the server is too slow, or does not answer: try again"
	case !ok:
		return "is the server running, and the address right?"
	case r.status == http.StatusUnauthorized || r.status == http.StatusForbidden:
		return "the server wants another key; name the variable that holds it (--key-env, or keyEnv in your config.json)"
	case r.status == http.StatusNotFound || r.status == http.StatusBadRequest:
		return "are the address and the model's name right?"
	case r.status >= 300 && r.status < 400:
		return "the address has moved; give the new one"
	case r.transient():
		return "the server is overloaded: try again later"
	default:
		return ""
	}
}
