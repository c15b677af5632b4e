package think

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/text"
)

// Thinking is the environment variable that a command is started with. A harness
// that it runs may have Pimento installed, which stays out of such a
// conversation: what it asks of itself is nothing to remember, and must not ask
// again.
const Thinking = "PIMENTO_THINKING"

const (
	tokenBytes = 8       // more than a token has in any language
	slackBytes = 4 << 10 // for an agent that says more than it was asked
	lastWords  = 300     // of what a failing program complained about
	reapWait   = 2 * time.Second
)

// program is a command that reads the question from standard input and prints
// the answer. It runs in an empty directory, so that an agent finds no project
// to work on, and dies with all its children when it takes too long or says too
// much.
type program struct{ argv []string }

func (p program) ask(ctx context.Context, ask Ask, prompt string) (Thought, error) {
	dir, err := os.MkdirTemp("", "pimento-think-")
	if err != nil {
		return Thought{}, err
	}
	defer os.RemoveAll(dir)
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	out := &limited{left: ask.max()*tokenBytes + slackBytes, full: func() { stop(errTooLong) }}
	complaint := &limited{left: 64 << 10, full: func() {}}
	cmd := exec.CommandContext(ctx, p.argv[0], p.argv[1:]...)
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = dir, strings.NewReader(prompt), out, complaint
	cmd.Env = append(cmd.Environ(), Thinking+"=1")
	cmd.WaitDelay = reapWait // children may hold the output open
	alone(cmd)
	err = cmd.Run()
	t := Thought{Text: out.kept.String()}
	switch {
	case errors.Is(context.Cause(ctx), errTooLong):
		return t, errTooLong
	case errors.Is(err, exec.ErrNotFound) || errors.Is(err, fs.ErrNotExist):
		return t, &pimento.Error{Op: "think", Path: p.argv[0], Kind: pimento.KindUnavailable, Err: err,
			Hint: "is the command of the key thinker in your own config.json right, and on PATH?"}
	case err != nil:
		return t, fmt.Errorf("%w%s", err, complaint.said())
	}
	return t, nil
}

var errTooLong = errors.New("it printed more than it was asked for, and was stopped")

// limited keeps what is written until it is full. The buffer is not embedded: its
// ReadFrom would take everything past Write.
type limited struct {
	kept bytes.Buffer
	left int
	full func()
}

func (l *limited) Write(b []byte) (int, error) {
	keep := b[:min(len(b), l.left)]
	l.kept.Write(keep)
	if l.left -= len(keep); len(keep) < len(b) {
		l.full()
	}
	return len(b), nil
}

func (l *limited) said() string {
	if s := text.OneLine(l.kept.String(), lastWords); s != "" {
		return ": " + s
	}
	return ""
}
