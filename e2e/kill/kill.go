// Package kill ends the real program with SIGKILL in the middle of its writes,
// again and again, and looks at what is left: what was acknowledged must be
// there, and nothing may be there twice.
package kill

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// A Report says what a loop has found.
type Report struct {
	Rounds       int
	Acknowledged int      // the program said that it was written
	Cut          int      // it was killed before it could
	Dirty        int      // of these, writes that stood in the journal without an end
	Lost         []string // acknowledged, and not on the page
	Doubled      []string // on the page, or in the journal, more than once
	Unsaid       []string // on the page, and the journal does not know of it
}

// OK says whether nothing was lost, doubled or unsaid.
func (r Report) OK() bool { return len(r.Lost)+len(r.Doubled)+len(r.Unsaid) == 0 }

// Loop runs `pimento remember` rounds times in a directory that must not exist
// yet, each time with a text of its own, and kills it at a moment of its own.
func Loop(bin, home string, rounds int, seed uint64) (Report, error) {
	l := loop{bin: bin, home: home, random: rand.New(rand.NewPCG(seed, 0))}
	if err := os.MkdirAll(filepath.Join(home, "work"), 0o755); err != nil {
		return Report{}, err
	}
	whole, err := l.whole()
	if err != nil {
		return Report{}, err
	}
	rep := Report{Rounds: rounds}
	acked := map[string]bool{}
	for i := range rounds {
		text := fmt.Sprintf("round %d was written whole or not at all", i)
		done, err := l.round(text, whole)
		if err != nil {
			return rep, err
		}
		if acked[text] = done; done {
			rep.Acknowledged++
		} else {
			rep.Cut++
			dirty, err := l.dirty()
			if err != nil {
				return rep, err
			}
			rep.Dirty += dirty
		}
	}
	if out, err := l.command("flush").CombinedOutput(); err != nil {
		return rep, fmt.Errorf("flush: %w\n%s", err, out)
	}
	return rep, l.look(&rep, acked)
}

type loop struct {
	bin, home string
	random    *rand.Rand
}

func (l loop) command(args ...string) *exec.Cmd {
	cmd := exec.Command(l.bin, args...)
	cmd.Dir = filepath.Join(l.home, "work")
	cmd.Env = []string{"HOME=" + l.home, "PATH=/usr/bin:/bin", "PIMENTO_DEADLINE_MS=5000"}
	return cmd
}

// whole is how long a write takes when nobody disturbs it.
func (l loop) whole() (time.Duration, error) {
	var least time.Duration
	for i := range 4 {
		start := time.Now()
		if out, err := l.command("remember", "--scope", "global", fmt.Sprintf("warm-up %d", i)).CombinedOutput(); err != nil {
			return 0, fmt.Errorf("remember: %w\n%s", err, out)
		}
		if took := time.Since(start); i > 0 && (least == 0 || took < least) {
			least = took
		}
	}
	return least, nil
}

// round lets one write begin, kills it, and says whether it was acknowledged
// before that.
func (l loop) round(text string, whole time.Duration) (bool, error) {
	var out bytes.Buffer
	cmd := l.command("remember", "--scope", "global", text)
	cmd.Stdout = &out
	if err := cmd.Start(); err != nil {
		return false, err
	}
	time.Sleep(time.Duration(l.random.Float64() * 2.5 * float64(whole)))
	_ = cmd.Process.Kill() // it may have ended
	err := cmd.Wait()
	if cmd.ProcessState.Exited() && err != nil {
		return false, fmt.Errorf("remember %q: %w", text, err)
	}
	return strings.HasPrefix(out.String(), "Remembered: "+text+"\n"), nil
}

// dirty counts the writes that are staged and have no end.
func (l loop) dirty() (int, error) {
	open := map[string]bool{}
	err := l.events(func(e event) {
		switch e.Type {
		case "staged":
			open[e.Txn] = true
		case "committed", "rejected":
			delete(open, e.Txn)
		}
	})
	return len(open), err
}

type event struct {
	Type string `json:"type"`
	Txn  string `json:"txn"`
	Text string `json:"text"`
}

func (l loop) events(visit func(event)) error {
	files, err := filepath.Glob(filepath.Join(l.home, ".local/state/pimento/journals/*/events.jsonl"))
	if err != nil {
		return err
	}
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		for line := range strings.SplitSeq(string(b), "\n") {
			var e event
			if json.Unmarshal([]byte(line), &e) == nil { // a torn line is no event
				visit(e)
			}
		}
	}
	return nil
}

// look compares the page and the journal with what was acknowledged.
func (l loop) look(rep *Report, acked map[string]bool) error {
	page, err := os.ReadFile(filepath.Join(l.home, ".pi/agent/memory/MEMORY.md"))
	if err != nil {
		return err
	}
	said := map[string]int{}
	if err := l.events(func(e event) {
		if e.Type == "remembered" {
			said[e.Text]++
		}
	}); err != nil {
		return err
	}
	for text, ok := range acked {
		n := strings.Count(string(page), text+"\n")
		if ok && n == 0 {
			rep.Lost = append(rep.Lost, text)
		}
		if n > 1 || said[text] > 1 {
			rep.Doubled = append(rep.Doubled, text)
		}
		if n != said[text] {
			rep.Unsaid = append(rep.Unsaid, text)
		}
	}
	if left, err := l.dirty(); err != nil || left > 0 {
		return fmt.Errorf("%d writes have no end after a flush, %v", left, err)
	}
	return nil
}
