package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/term"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
	"github.com/pimento-memory/pimento/internal/plainjson"
	"github.com/pimento-memory/pimento/internal/tool"
	"github.com/pimento-memory/pimento/internal/vault"
)

// app is one run of the program.
type app struct {
	env   Env
	life  context.Context // done: somebody pressed Ctrl-C
	wrote bool            // a write stands and is said to: a Ctrl-C comes too late for it
	flags struct {
		json, dryRun, color, noColor bool
		profile, dir                 string
	}
}

// clock is the door's clock. $PIMENTO_NOW stops it at that moment, in the time
// zone it is written in.
func (a *app) clock() (func() time.Time, error) {
	s := a.env.Getenv("PIMENTO_NOW")
	if s == "" {
		return a.env.Now, nil
	}
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return a.env.Now, usageError("write it as 2026-11-21T09:30:00+01:00",
			"PIMENTO_NOW is not an RFC 3339 time: %q", tool.OneLine(s, 60))
	}
	return func() time.Time { return t }, nil
}

// deadline is $PIMENTO_DEADLINE_MS, 0 for the engine's own.
func (a *app) deadline() (time.Duration, error) {
	s := a.env.Getenv("PIMENTO_DEADLINE_MS")
	if s == "" {
		return 0, nil
	}
	ms, err := strconv.Atoi(s)
	if err != nil || ms <= 0 || ms > 600_000 {
		return 0, usageError("use a number of milliseconds from 1 to 600000",
			"PIMENTO_DEADLINE_MS is not valid: %q", tool.OneLine(s, 60))
	}
	return time.Duration(ms) * time.Millisecond, nil
}

// options are the engine's for a working directory. The error is about the
// environment; the options are usable all the same, with defaults.
func (a *app) options(dir string) (engine.Options, error) {
	now, errNow := a.clock()
	deadline, errDeadline := a.deadline()
	dirs := a.dirs()
	return engine.Options{
		Dirs:     dirs,
		Dir:      dir,
		Profile:  a.flags.profile,
		Now:      now,
		Clock:    a.env.Now, // $PIMENTO_NOW moves the calendar; durations and file times are the machine's
		Deadline: deadline,
		Bounded:  deadline > 0,

		Path:      a.env.Getenv("PATH"),
		Sessions:  a.piSessions(dirs.Home),
		NoUpdates: slices.Contains([]string{"manual", "off"}, a.env.Getenv("PI_MEMORY_QMD_UPDATE")),
		Overrides: a.overrides(),
		Embed:     a.openEmbedder,
		Think:     a.openThinker,

		DreamHours: a.dreamHours(),

		Preferred: preferred(dirs),
	}, errors.Join(errNow, errDeadline)
}

func (a *app) dirs() vault.Dirs {
	home := a.env.Getenv("HOME")
	if home == "" {
		home = a.env.Getenv("USERPROFILE")
	}
	return vault.DirsFrom(home, a.env.Getenv)
}

// engine opens the engine for a command; the caller closes it. An unknown
// profile is an error here, where a turn would only record it.
func (a *app) engine() (*engine.Engine, error) {
	dir, err := a.workDir()
	if err != nil {
		return nil, err
	}
	opt, err := a.options(dir)
	if err != nil {
		return nil, err
	}
	if err := homed(opt.Dirs); err != nil {
		return nil, err
	}
	opt.Indexing = a.indexing
	return engine.Open(opt)
}

// indexing tells whoever waits at a terminal what for.
func (a *app) indexing(done, total int) {
	if !a.live(a.env.Stderr) {
		return
	}
	fmt.Fprintf(a.env.Stderr, "\r\x1b[Kreading pages for the index: %d of %d", done, total)
	if done == total {
		fmt.Fprint(a.env.Stderr, "\r\x1b[K")
	}
}

// homed is an error when it is unknown where memory is kept.
func homed(d vault.Dirs) error {
	if d.Global == "" || d.State == "" {
		return usageError("set HOME, or PIMENTO_GLOBAL_DIR and PIMENTO_STATE_DIR", "no home directory to keep memory in")
	}
	return nil
}

func (a *app) workDir() (string, error) {
	if a.flags.dir == "" {
		return a.env.Dir, nil
	}
	dir := a.within()
	info, err := os.Stat(dir)
	if err != nil {
		return "", usageError("name a directory that exists", "--dir %s: %w", dir, plainCause(err))
	}
	if !info.IsDir() {
		return "", usageError("name a directory", "--dir %s is not a directory", dir)
	}
	return dir, nil
}

// maxText bounds what is read as one text.
const maxText = 64 << 20

// text is the arguments as one text, or standard input when there are none or
// only "-". what names it in the complaint about an empty one.
func (a *app) text(args []string, what string) (string, error) {
	s := strings.Join(args, " ")
	if len(args) == 0 || len(args) == 1 && args[0] == "-" {
		var err error
		if s, err = a.stdin(what); err != nil {
			return "", err
		}
	}
	if strings.TrimSpace(s) == "" {
		return "", usageError("give it as arguments or on standard input", "no %s", what)
	}
	return s, nil
}

// stdin reads standard input; a terminal counts as empty, because nobody who
// forgot an argument wants a silent wait.
func (a *app) stdin(what string) (string, error) {
	if a.env.Stdin == nil || isTerminal(a.env.Stdin) {
		return "", nil
	}
	b, err := await(a.life, func() ([]byte, error) { return io.ReadAll(io.LimitReader(a.env.Stdin, maxText+1)) })
	if a.life.Err() != nil {
		return "", a.life.Err()
	}
	if err != nil {
		return "", &pimento.Error{Op: "read", Kind: pimento.KindUnavailable, Err: fmt.Errorf("standard input: %w", err)}
	}
	if len(b) > maxText {
		return "", usageError("write a page yourself, see: pimento pages", "the %s is longer than %d MB", what, maxText>>20)
	}
	return strings.TrimRight(string(b), "\r\n"), nil
}

// await is what f answers, which waits for somebody, unless ctx is done before: then f
// is left waiting.
func await[T any](ctx context.Context, f func() (T, error)) (T, error) {
	type answer struct {
		is  T
		err error
	}
	said := make(chan answer, 1)
	go func() {
		is, err := f()
		said <- answer{is, err}
	}()
	select {
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	case s := <-said:
		return s.is, s.err
	}
}

func isTerminal(f any) bool {
	file, ok := f.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// live says whether what stands on a stream can be drawn over.
func (a *app) live(w io.Writer) bool { return isTerminal(w) && a.env.Getenv("TERM") != "dumb" }

// paint is how standard output may look.
func (a *app) paint() tool.Paint { return a.paintFor(a.env.Stdout) }

// errPaint is how standard error may look.
func (a *app) errPaint() tool.Paint { return a.paintFor(a.env.Stderr) }

func (a *app) paintFor(w io.Writer) tool.Paint {
	p := tool.Paint{}
	file, ok := w.(*os.File)
	tty := ok && term.IsTerminal(int(file.Fd()))
	if tty {
		if width, _, err := term.GetSize(int(file.Fd())); err == nil {
			p.Width = width
		}
	}
	if n, err := strconv.Atoi(a.env.Getenv("COLUMNS")); err == nil && n > 0 {
		p.Width = n
	}
	plain := a.flags.noColor || a.env.Getenv("NO_COLOR") != "" || a.env.Getenv("TERM") == "dumb"
	p.Color = a.flags.color || tty && !plain
	return p
}

// print writes JSON when that was asked for, else the text.
func (a *app) print(v any, text func(tool.Paint) string) error {
	return a.verbatim(v, func(p tool.Paint) string { return p.Fit(text(p)) })
}

// verbatim is print for what is not ours to wrap: a page, a block, a file.
func (a *app) verbatim(v any, text func(tool.Paint) string) error {
	if a.flags.json {
		return a.printJSON(v)
	}
	s := text(a.paint())
	if s != "" && !strings.HasSuffix(s, "\n") {
		s += "\n"
	}
	return a.say(s)
}

func (a *app) printJSON(v any) error {
	b, err := plainjson.Marshal(v, "  ")
	if err != nil {
		return err
	}
	return a.say(string(b))
}

// encoder writes JSON, one value a line, with < and > as they are.
func encoder(w io.Writer) *json.Encoder {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc
}

// jsonLines prints one JSON object a line.
func jsonLines[T any](a *app, rows []T) error {
	enc := encoder(a.env.Stdout)
	for _, row := range rows {
		if err := enc.Encode(row); err != nil {
			return err
		}
	}
	return nil
}

func (a *app) say(s string) error {
	if _, err := io.WriteString(a.env.Stdout, s); err != nil {
		return &pimento.Error{Op: "print", Kind: pimento.KindUnavailable, Err: err}
	}
	return nil
}

// writeOut writes what was made to a file that the person named, or, for "" and -,
// to standard output.
func (a *app) writeOut(op, file string, b []byte, mode os.FileMode) error {
	if file == "" || file == "-" {
		return a.say(string(b))
	}
	if a.flags.dryRun {
		return a.wouldDo("write", file)
	}
	if err := os.WriteFile(a.absolute(file), b, mode); err != nil {
		return &pimento.Error{Op: op, Path: file, Kind: pimento.KindUnavailable, Err: err, Hint: "choose a file that can be written"}
	}
	return a.say("Written: " + tool.Printable(file) + "\n")
}

// note tells the person something beside the answer.
func (a *app) note(format string, args ...any) {
	fmt.Fprintln(a.env.Stderr, a.errPaint().Fit("pimento: "+fmt.Sprintf(format, args...)))
}

// noteFaults says what was missing from an answer.
func (a *app) noteFaults(faults []pimento.Fault) {
	if a.life.Err() != nil {
		return
	}
	for _, f := range faults {
		a.note("%s: %s", f.Kind, tool.Below(f.Detail))
	}
}
