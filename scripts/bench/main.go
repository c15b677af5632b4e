// Command bench prints the figures of a whole process: CPU and wall time of
// one-shot hooks, round trips through the long-lived child, the time until an
// edit is seen, the speed of a full build, and memory, each beside an empty Go
// program measured in the same run.
//
//	go run ./scripts/bench            # all layouts, about three minutes
//	go run ./scripts/bench -quick     # the small layout only
//	go run ./scripts/bench -kills 200 # writes that are killed, and nothing else
//	go run ./scripts/bench -mind      # pages of knowledge with triples only, under the profile mind
//	go run ./scripts/bench -recall    # questions to 1,000 up to 1,000,000 entries, about ten minutes
package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"github.com/pimento-memory/pimento/e2e/kill"
	"github.com/pimento-memory/pimento/internal/corpus"
)

func main() {
	quick := flag.Bool("quick", false, "only the smallest layout")
	mind := flag.Bool("mind", false, "only pages of knowledge, under the profile mind")
	ladder := flag.Bool("recall", false, "only questions, to memories of 1,000 up to 1,000,000 entries")
	runs := flag.Int("n", 20, "runs of each one-shot command")
	kills := flag.Int("kills", 0, "only kill so many writes, and look at what is left")
	keep := flag.Bool("keep", false, "leave the simulated homes and print where they are")
	flag.Parse()
	if err := run(*quick, *mind, *ladder, *keep, *runs, *kills); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(quick, mind, ladder, keep bool, runs, kills int) error {
	work, err := os.MkdirTemp("", "pimento-bench-")
	if err != nil {
		return err
	}
	if keep {
		fmt.Println("kept:", work)
	} else {
		defer os.RemoveAll(work)
	}
	b := bench{work: work, bin: filepath.Join(work, "pimento"), runs: runs}
	if err := build(b.bin, "./cmd/pimento"); err != nil {
		return err
	}
	if kills > 0 {
		return b.kill(kills)
	}
	if err := b.emptyProgram(); err != nil {
		return err
	}
	if _, err := b.oneShot("pimento --version", nil, "--version"); err != nil {
		return err
	}
	if ladder {
		return b.ladder()
	}
	layouts := []corpus.Layout{
		{Name: "10,000 entries, 2,000 pages", Entries: 10_000, Pages: 2_000},
		{Name: "10,000 one-entry pages", Entries: 10_000, Pages: 10_000},
		{Name: "100,000 entries, 1,600 pages", Entries: 100_000, Pages: 1_600},
		{Name: "10,000 pages of knowledge, 20,000 triples, profile mind", Entries: 10_000, Pages: 10_000, Triples: 2},
		{Name: "10,000 pages of knowledge, 100,000 triples, profile mind", Entries: 10_000, Pages: 10_000, Triples: 10},
	}
	switch {
	case quick:
		layouts = layouts[:1]
	case mind:
		layouts = layouts[3:]
	}
	for _, l := range layouts {
		fmt.Printf("\n%s\n", l.Name)
		if err := b.layout(l); err != nil {
			return fmt.Errorf("%s: %w", l.Name, err)
		}
	}
	return nil
}

// kill ends writes in the middle and fails when one was lost or doubled.
func (b *bench) kill(rounds int) error {
	rep, err := kill.Loop(b.bin, filepath.Join(b.work, "home"), rounds, uint64(time.Now().UnixNano()))
	if err != nil {
		return err
	}
	fmt.Printf("%d writes killed: %d acknowledged before that, %d cut, after %d of which one was left between two phases\n",
		rep.Rounds, rep.Acknowledged, rep.Cut, rep.Dirty)
	fmt.Printf("lost %d, doubled %d, not in the journal %d\n", len(rep.Lost), len(rep.Doubled), len(rep.Unsaid))
	if !rep.OK() {
		return fmt.Errorf("%+v", rep)
	}
	return nil
}

// build makes a program as an installed one lies on a machine: copied. The linker
// writes through a map, one page at a time, and until the machine is started anew the
// cache has the file in single pages, of which every start maps hundreds: a
// millisecond for a program of this size.
func build(out, pkg string) error {
	linked := out + ".linked"
	cmd := exec.Command("go", "build", "-o", linked, pkg)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		return err
	}
	from, err := os.Open(linked)
	if err != nil {
		return err
	}
	defer from.Close()
	to, err := os.OpenFile(out, os.O_CREATE|os.O_WRONLY|os.O_EXCL, 0o755)
	if err != nil {
		return err
	}
	// Not the whole at once, which would count as memory of every process that we start.
	_, err = io.CopyBuffer(struct{ io.Writer }{to}, struct{ io.Reader }{from}, make([]byte, 1<<20))
	return errors.Join(err, to.Close(), os.Remove(linked))
}

type bench struct {
	work  string
	bin   string
	runs  int
	empty float64 // CPU ms of an empty Go program
	env   []string
	dir   string
}

// emptyProgram measures what any Go program costs here.
func (b *bench) emptyProgram() error {
	src := filepath.Join(b.work, "empty.go")
	if err := os.WriteFile(src, []byte("package main\n\nfunc main() {}\n"), 0o644); err != nil {
		return err
	}
	bin := filepath.Join(b.work, "empty")
	if err := build(bin, src); err != nil {
		return err
	}
	c, err := measure(b.runs, bin, b.work, nil, func(int) (string, []string) { return "", nil })
	if err != nil {
		return err
	}
	b.empty = c.cpu
	fmt.Printf("%-44s %9s %9s %9s %7s %8s\n", "median of "+fmt.Sprint(b.runs)+" runs, and the least CPU", "CPU ms", "least", "wall ms", "x empty", "RSS MB")
	b.row("an empty Go program", c)
	return nil
}

func (b *bench) row(name string, c cost) {
	fmt.Printf("%-44s %9.2f %9.2f %9.2f %7.1f %8.1f\n", name, c.cpu, c.least, c.wall, c.cpu/b.empty, c.rss)
}

// oneShot measures a command over the prompts of stdin, one a run.
func (b *bench) oneShot(name string, stdin func(i int) string, args ...string) (cost, error) {
	c, err := measure(b.runs, b.bin, b.dir, b.env, func(i int) (string, []string) {
		if stdin == nil {
			return "", args
		}
		return stdin(i), args
	})
	if err == nil {
		b.row(name, c)
	}
	return c, err
}

// A cost is the median of several runs: milliseconds and megabytes. The least
// CPU time is the one that a busy machine disturbs least.
type cost struct{ cpu, least, wall, rss float64 }

func measure(runs int, bin, dir string, env []string, call func(i int) (stdin string, args []string)) (cost, error) {
	var cpu, wall, rss []float64
	for i := range runs + 1 {
		stdin, args := call(i)
		cmd := exec.Command(bin, args...)
		cmd.Dir, cmd.Env = dir, env
		cmd.Stdin = stringReader(stdin)
		start := time.Now()
		if out, err := cmd.CombinedOutput(); err != nil {
			return cost{}, fmt.Errorf("%s %v: %w\n%s", bin, args, err, out)
		}
		took := time.Since(start)
		if i == 0 && runs > 0 {
			continue // warm-up
		}
		st := cmd.ProcessState
		cpu = append(cpu, ms(st.UserTime()+st.SystemTime()))
		wall = append(wall, ms(took))
		rss = append(rss, float64(st.SysUsage().(*syscall.Rusage).Maxrss)/1024)
	}
	return cost{median(cpu), slices.Min(cpu), median(wall), median(rss)}, nil
}

func ms(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e6 }

func median[T cmp.Ordered](xs []T) T { return percentile(xs, 50) }

func percentile[T cmp.Ordered](xs []T, p int) T {
	xs = slices.Clone(xs)
	slices.Sort(xs)
	return xs[min(len(xs)-1, len(xs)*p/100)]
}
