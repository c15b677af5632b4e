// Package qmd asks qmd, a program that indexes folders of markdown and searches
// them by words, by vectors and with a language model of its own, all on this
// machine. A Client speaks of one folder, which qmd knows as a collection.
//
// Every call starts the program once and ends it when its context does. All
// errors are of KindUnavailable, so that whoever asks can go on without qmd, and
// hint at what a person can do about it.
package qmd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/pimento-memory/pimento"
)

// Collection is the name under which qmd knows the folder, the one that users
// of pi-memory have already.
const Collection = "pi-memory"

// InstallHint says how to get the program.
const InstallHint = `install it: npm install -g @tobilu/qmd (https://github.com/tobi/qmd), or set "engine": "own"`

// What of a program's output is read, in bytes: its answer, and its complaint.
const (
	maxOutput = 4 << 20
	maxStderr = 4 << 10
)

// abandon is how long a program that was told to end, or whose children hold on
// to its output, is waited for.
const abandon = 200 * time.Millisecond

// A Client asks one qmd program about one folder.
type Client struct {
	Program string // absolute path, "" when there is none
	Dir     string // the folder
}

// Find is the absolute path of qmd in a list of directories like that of $PATH,
// "" when it is in none. A relative directory is passed over: it would be one in
// the working directory, which may be anybody's repository.
func Find(list string) string {
	for _, dir := range filepath.SplitList(list) {
		file := filepath.Join(dir, "qmd")
		if !filepath.IsAbs(dir) {
			continue
		}
		if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			return file
		}
	}
	return ""
}

// A Command is one of qmd's ways to search.
type Command string

const (
	Words   Command = "search"  // BM25 over words
	Vectors Command = "vsearch" // vectors; wants `qmd embed` to have run
	Deep    Command = "query"   // both, the question widened and the hits judged by a model
)

// Search asks for at most n hits, best first. Nothing found is no error.
func (c Client) Search(ctx context.Context, by Command, question string, n int) ([]Hit, error) {
	question = strings.TrimLeft(strings.TrimSpace(question), "-") // never an option
	if question == "" {
		return nil, nil
	}
	out, aside, err := c.run(ctx, string(by), question, "-n", strconv.Itoa(n), "-c", Collection, "--json")
	if err != nil {
		return nil, err
	}
	hits, err := parseHits(out, c.Dir)
	if err == nil && len(hits) == 0 && by != Words && strings.Contains(aside, "need embeddings") {
		return nil, c.fail(errors.New("qmd found nothing"), lastLine(aside)) // it could not look at all of it
	}
	return hits, err
}

// Has says whether qmd knows the collection.
func (c Client) Has(ctx context.Context) (bool, error) {
	out, _, err := c.run(ctx, "collection", "list", "--json")
	if err != nil {
		return false, err
	}
	return lists(out, Collection), nil
}

// Add makes the collection. qmd knows it before it has read the files, so that it
// may have it where Add fails. It writes its configuration in place: ctx should not
// end halfway, and nobody else do the same. Describe writes it, too.
func (c Client) Add(ctx context.Context) error {
	_, _, err := c.run(ctx, "collection", "add", c.Dir, "--name", Collection)
	return err
}

// Describe tells qmd what lies where in the collection, as often as one likes.
// Without it qmd finds a little less.
func (c Client) Describe(ctx context.Context) error {
	for _, place := range [][2]string{
		{"/", "Curated long-term memory: decisions, preferences, facts, lessons"},
		{"/daily", "Daily work logs, one file a day"},
	} {
		if _, _, err := c.run(ctx, "context", "add", "qmd://"+Collection+place[0], place[1]); err != nil {
			return err
		}
	}
	return nil
}

// StartUpdate makes qmd look at the files again and does not wait for it; it
// goes on when this process ends.
func (c Client) StartUpdate() error {
	if c.Program == "" {
		return c.fail(exec.ErrNotFound, "")
	}
	cmd := exec.Command(c.Program, "update")
	cmd.Dir = c.Dir
	ownGroup(cmd)
	if err := cmd.Start(); err != nil {
		return c.fail(err, "")
	}
	go func() { _ = cmd.Wait() }() // so that it does not stay in the table of processes
	return nil
}

// run runs the program and returns what it printed, and what it said aside.
func (c Client) run(ctx context.Context, args ...string) (_ []byte, aside string, _ error) {
	if c.Program == "" {
		return nil, "", c.fail(exec.ErrNotFound, "")
	}
	var out, complaint capped
	out.max, complaint.max = maxOutput, maxStderr
	cmd := exec.CommandContext(ctx, c.Program, args...)
	cmd.Dir = c.Dir // not the working directory, which may have a qmd configuration of its own
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = &out, &complaint, abandon
	ownGroup(cmd)
	err := cmd.Run()
	switch {
	case ctx.Err() != nil:
		return nil, "", c.fail(ctx.Err(), "")
	case errors.Is(err, exec.ErrWaitDelay): // it ended well and left a child behind
	case err != nil:
		if args[0] == "collection" || args[0] == "context" {
			args[0] += " " + args[1]
		}
		return nil, "", c.fail(fmt.Errorf("qmd %s: %w", args[0], err), lastLine(complaint.String()+"\n"+out.String()))
	}
	return out.Bytes(), complaint.String(), nil
}

func (c Client) fail(err error, complaint string) error {
	hint := "look at it with: qmd status"
	switch {
	case errors.Is(err, exec.ErrNotFound):
		err, hint = errors.New("qmd is not on PATH"), InstallHint
	case errors.Is(err, context.DeadlineExceeded):
		err, hint = errors.New("qmd did not answer in time"), "run it once by hand, so that it has loaded what it needs: qmd query hello"
	case strings.Contains(strings.ToLower(complaint), "embed"):
		hint = "run: qmd embed"
	}
	if complaint != "" {
		err = fmt.Errorf("%w: %s", err, complaint)
	}
	return &pimento.Error{Op: "qmd", Path: c.Program, Kind: pimento.KindUnavailable, Hint: hint, Err: err}
}

// lastLine is the last line that says something, without colours.
func lastLine(s string) string {
	lines := strings.Split(strings.TrimSpace(plain(s)), "\n")
	return strings.TrimSpace(lines[len(lines)-1])
}

// A capped buffer takes what fits and drops the rest.
type capped struct {
	bytes.Buffer
	max int
}

func (b *capped) Write(p []byte) (int, error) {
	b.Buffer.Write(p[:min(len(p), max(b.max-b.Len(), 0))])
	return len(p), nil
}
