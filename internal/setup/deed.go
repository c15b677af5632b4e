package setup

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/pimento-memory/pimento"
)

// A Deed is something that only the harness can do: it writes it into its settings.
type Deed struct {
	Do, Undo []string // arguments
	Mark     string   // stands in the settings once it is done
}

// deeds plans what the harness is to do at a place among the steps: all of it where an
// installation changes anything, else what its settings do not hold; of a removal what they do.
func (p *Plan) deeds(at int) error {
	settings, err := p.job.settings()
	if err != nil {
		return err
	}
	changes := len(p.Steps) > 0
	var steps []Step
	for _, d := range p.job.Deeds {
		done := d.done(settings)
		switch {
		case p.Remove && done:
			steps = slices.Insert(steps, 0, p.run(d.Undo))
		case !p.Remove && (changes || !done):
			steps = append(steps, p.run(d.Do))
		}
	}
	p.Steps = slices.Insert(p.Steps, at, steps...)
	return nil
}

func (d Deed) done(settings []byte) bool { return bytes.Contains(settings, []byte(d.Mark)) }

// settings are the harness's, where it has deeds to do.
func (j Job) settings() ([]byte, error) {
	if len(j.Deeds) == 0 {
		return nil, nil
	}
	raw, err := os.ReadFile(j.Settings)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, unavailable(j.Settings, err)
	}
	return raw, nil
}

func (p *Plan) run(args []string) Step {
	s := Step{Action: "run", Path: p.job.Tool, Command: args}
	if p.job.Tool == "" {
		s.Path, s.Note = p.job.Name, "not found: run this yourself"
	}
	return s
}

// perform has the harness do one thing.
func (p *Plan) perform(ctx context.Context, s Step) error {
	if p.job.Tool == "" {
		return nil
	}
	ctx, stop := context.WithTimeout(ctx, time.Minute)
	defer stop()
	cmd := exec.CommandContext(ctx, s.Path, s.Command...)
	cmd.Env = append(cmd.Environ(), p.job.Moved+"="+p.job.Home)
	cmd.WaitDelay = time.Second
	out, err := cmd.CombinedOutput()
	if err != nil {
		return &pimento.Error{Op: "setup", Path: s.Path, Kind: pimento.KindUnavailable, Err: fmt.Errorf("%s: %w: %s", strings.Join(s.Command, " "), err, lastLine(out)),
			Hint: "is it too old for this? Once it works, run this again"}
	}
	return nil
}

func lastLine(out []byte) string {
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	return lines[len(lines)-1]
}
