package think

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/courier"
	"github.com/pimento-memory/pimento/internal/text"
)

// Places is what a thinker needs of the world, given by the door.
type Places struct {
	Helper []string         // the program pimento-net, with arguments
	Key    string           // the endpoint's key, from the variable that Choice.KeyEnv names
	Spend  string           // the directory where it is written down what was spent
	Now    func() time.Time // the door's clock, for the calendar day
}

// Open opens the model that the user chose. It is nil, without an error, for
// none. Nothing is started or asked before the first Think.
func Open(c Choice, p Places) (Thinker, error) {
	if err := c.Check(); err != nil || !c.On() {
		return nil, err
	}
	m := &metered{choice: c, book: OpenBook(p.Spend), now: p.Now}
	if len(c.Command) > 0 {
		m.ask = program{c.Command}.ask
	} else {
		net := courier.New(p.Helper...)
		m.ask, m.close = endpoint{c, p.Key, net}.ask, net.Close
	}
	return m, nil
}

// metered holds a model to the user's caps and keeps the account.
type metered struct {
	choice Choice
	book   *Book
	now    func() time.Time
	ask    func(ctx context.Context, ask Ask, prompt string) (Thought, error)
	close  func() error
}

func (m *metered) Room(ask Ask) int { return ask.room(m.choice.PerCall()) }

func (m *metered) Close() error {
	if m.close == nil {
		return nil
	}
	return m.close()
}

func (m *metered) Think(ctx context.Context, ask Ask) (Thought, error) {
	prompt := ask.prompt()
	in := text.Tokens(prompt)
	if need := in + ask.max(); need > m.choice.PerCall() {
		return Thought{}, m.fail(pimento.KindRefused, fmt.Errorf("about %d tokens, where one call may have %d", need, m.choice.PerCall()),
			"raise maxTokens of the key thinker in your own config.json")
	}
	day := m.now().Format(time.DateOnly)
	held := Cost{In: in, Out: ask.max()}
	if err := m.book.reserve(ctx, day, ask.For, held, m.choice.PerDay()); err != nil {
		return Thought{}, err
	}
	asked, cancel := context.WithTimeout(ctx, m.choice.timeout())
	defer cancel()
	t, err := m.ask(asked, ask, prompt)
	t.By = m.choice.Name()
	t.Text = plain(t.Text)
	if t.Counted = t.In+t.Out > 0; !t.Counted {
		t.In, t.Out = in, text.Tokens(t.Text)
	}
	// It is spent, whoever has stopped waiting for it.
	settled := m.book.settle(context.WithoutCancel(ctx), day, ask.For, held, Cost{t.In, t.Out}, err != nil)
	switch {
	case err != nil:
		return t, m.named(asked, err)
	case settled != nil:
		return t, settled
	case t.Text == "" && t.Cut:
		return t, m.fail(pimento.KindUnavailable, errors.New("it reached its limit before it said anything"), "choose a model that does not think aloud")
	case t.Text == "":
		return t, m.fail(pimento.KindUnavailable, errors.New("the answer is empty"), tryHint)
	}
	return t, nil
}

func (m *metered) named(ctx context.Context, err error) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return m.fail(pimento.KindUnavailable, fmt.Errorf("no answer within %s", m.choice.timeout()),
			"raise timeoutSeconds of the key thinker in your own config.json")
	}
	if _, ok := errors.AsType[*pimento.Error](err); ok {
		return err
	}
	return m.fail(pimento.KindUnavailable, err, tryHint)
}

// tryHint stands behind what went wrong in the model's own house.
const tryHint = "does it answer without Pimento? then: pimento think try; another one: pimento think use --help"

func (m *metered) fail(kind pimento.ErrorKind, err error, hint string) error {
	return &pimento.Error{Op: "think", Path: m.choice.Name(), Kind: kind, Err: err, Hint: hint}
}

// endpoint is a model behind an address, reached through the helper.
type endpoint struct {
	choice Choice
	key    string
	net    *courier.Courier
}

func (e endpoint) ask(ctx context.Context, ask Ask, prompt string) (Thought, error) {
	a, err := e.net.Chat(ctx, courier.ChatRequest{URL: e.choice.URL, Model: e.choice.model(), Key: e.key, Prompt: prompt,
		Schema: ask.Schema, In: text.Tokens(prompt), Max: ask.max(), Wait: int(e.choice.timeout() / time.Millisecond)})
	return Thought{Text: a.Text, In: a.In, Out: a.Out, Cut: a.Cut}, err
}
