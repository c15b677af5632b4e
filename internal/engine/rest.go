package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/embed"
	"github.com/pimento-memory/pimento/internal/regular"
)

// A rest is an endpoint that failed when a question waited for it. After two failures in a
// row (one may be a moment's), prompts, and all
// questions to a long-lived process, do without it for a while; every process of the
// user reads it. Who types a command sees at once whether the endpoint is back.
type rest struct {
	Endpoint string    `json:"endpoint"`
	Failed   time.Time `json:"failed"`
	Seconds  int       `json:"seconds"` // 0 after the first failure
}

// How long a rest is: after the second failure, and at most, after a row of them.
const firstRest, longestRest = 30, 300

func (r rest) until() time.Time { return r.Failed.Add(time.Duration(r.Seconds) * time.Second) }

func (e *Engine) restFile() string { return filepath.Join(e.opt.Dirs.Cache, "vectors", "rest.json") }

// rest is that of an endpoint; the zero value for none.
func (e *Engine) rest(c embed.Choice) (r rest) {
	if c.URL == "" {
		return rest{}
	}
	b, err := regular.Read(e.restFile())
	if err != nil || json.Unmarshal(b, &r) != nil || r.Endpoint != c.URL+"#"+c.Model {
		return rest{}
	}
	return r
}

// lasts says whether a rest is still on.
func (r rest) lasts(now time.Time) bool {
	return !now.Before(r.Failed) && now.Before(r.until()) // the clock may have been set back
}

// resting is the error of an endpoint that rests.
func (e *Engine) resting(c embed.Choice) error {
	r := e.rest(c)
	if !r.lasts(e.opt.Clock()) {
		return nil
	}
	return &pimento.Error{Op: "embedder", Path: c.URL, Kind: pimento.KindUnavailable,
		Err: fmt.Errorf("it failed, and is not asked again before %s", r.until().Format(time.TimeOnly)), Hint: "see whether it answers: pimento recall --mode semantic WORDS"}
}

// endpointDid notes how an endpoint did when a question waited for it.
func (e *Engine) endpointDid(c embed.Choice, err error) {
	r, now := e.rest(c), e.opt.Clock()
	switch {
	case c.URL == "" || errors.Is(err, context.Canceled):
	case err == nil && r != (rest{}):
		_ = os.Remove(e.restFile())
	case err != nil && !r.lasts(now):
		seconds := 0
		if r != (rest{}) {
			seconds = min(max(firstRest, 2*r.Seconds), longestRest)
		}
		r = rest{c.URL + "#" + c.Model, now, seconds}
		if b, err := json.Marshal(r); err == nil {
			_ = regular.Write(e.restFile(), b) // where it cannot be kept, each prompt asks
		}
	}
}
