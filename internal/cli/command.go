package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/pimento-memory/pimento/internal/tool"
)

// A command is one word of the command line with its flags and arguments. This
// small runner stands where a library could, because the usual one links the
// net package and with it, in a default build, the C library's loader: 2 ms
// at every start of a program that may be started on every prompt.
//
// Flags may stand before, between and behind arguments; "--" ends them. A
// dash alone, or before anything but a letter or dash, is text ("- a bullet").
type command struct {
	use     string // name and arguments: "edit ID [TEXT...]"
	short   string // half a line for lists
	long    string // what it does; short when empty
	example string
	args    count
	run     func(ctx context.Context, args []string) error

	subs  []*command
	find  func(name string) *command // finds a subcommand that is not built yet
	help  func() string              // instead of the usual page
	path  string                     // the words above it
	flags *flag.FlagSet
}

// count is how many arguments a command takes.
type count struct{ low, high int }

const many = 1 << 30

var (
	noArgs  = count{0, 0}
	anyArgs = count{0, many}
)

func (c *command) add(sub *command) { c.subs = append(c.subs, sub) }

// flagSet is where a command's own flags are defined.
func (c *command) flagSet() *flag.FlagSet {
	if c.flags == nil {
		c.flags = newFlagSet()
	}
	return c.flags
}

// number defines a flag of the command that takes a whole number from low to high.
func (c *command) number(p *int, name string, low, high int, usage string) {
	c.flagSet().Var(&whole{p, low, high}, name, usage)
}

// A whole is a number that a flag sets.
type whole struct {
	p         *int
	low, high int
}

func (w *whole) String() string { return "" }

func (w *whole) Set(s string) error {
	n, err := strconv.Atoi(s)
	switch {
	case err == nil && w.low <= n && n <= w.high:
		*w.p = n
		return nil
	case w.high == many:
		return fmt.Errorf("it takes a whole number from %d on", w.low)
	}
	return fmt.Errorf("it takes a whole number from %d to %d", w.low, w.high)
}

func newFlagSet() *flag.FlagSet {
	fs := flag.NewFlagSet("", flag.ContinueOnError)
	fs.SetOutput(io.Discard) // the runner says it in its own words
	return fs
}

// globalFlags are those of every command. What was set already stays.
func (a *app) globalFlags() *flag.FlagSet {
	fs, f := newFlagSet(), &a.flags
	fs.BoolVar(&f.json, "json", f.json, "print JSON")
	fs.StringVar(&f.profile, "profile", f.profile, "use the profile `NAME` instead of the configured one")
	fs.StringVar(&f.dir, "dir", f.dir, "work in the directory `DIR`, as if called there: files that are named lie below it")
	fs.BoolVar(&f.dryRun, "dry-run", f.dryRun, "show what would be done, do nothing")
	fs.BoolVar(&f.color, "color", f.color, "colours even into a pipe")
	fs.BoolVar(&f.noColor, "no-color", f.noColor, "no colours")
	return fs
}

// word is the command's own name, name that with the words above it.
func (c *command) word() string {
	word, _, _ := strings.Cut(c.use, " ")
	return word
}

func (c *command) name() string { return strings.TrimSpace(c.path + " " + c.word()) }

// execute reads the arguments and runs the command, or the one below it that
// they name.
func (c *command) execute(ctx context.Context, a *app, args []string) error {
	all := c.flagSet()
	a.globalFlags().VisitAll(func(f *flag.Flag) { all.Var(f.Value, f.Name, f.Usage) })
	var words []string
	for i := 0; i < len(args); {
		arg := args[i]
		if arg == "--" {
			words = append(words, args[i+1:]...)
			break
		}
		if !isFlag(arg) {
			if sub := c.sub(arg); sub != nil && len(words) == 0 {
				return sub.execute(ctx, a, args[i+1:])
			}
			words = append(words, arg)
			i++
			continue
		}
		if arg == "-h" || arg == "-help" || arg == "--help" {
			return a.say(c.page(a))
		}
		if (arg == "--version" || arg == "-v") && c.find != nil { // the word is known as a flag, too
			return c.sub("version").execute(ctx, a, args[i+1:])
		}
		n, err := c.flag(all, args[i:])
		if err != nil {
			return err
		}
		i += n
	}
	if len(words) < c.args.low || len(words) > c.args.high {
		return c.wrongWords(words)
	}
	return c.run(ctx, words)
}

// wrongWords says what is wrong with the words behind a command.
func (c *command) wrongWords(words []string) error {
	see := "see: " + c.name() + " --help"
	switch {
	case c.args.high == 0 && len(c.subs) > 0:
		var names []string
		for _, s := range c.subs {
			names = append(names, s.word())
		}
		hint := "use one of: " + strings.Join(names, ", ")
		if near := nearestOf(words[0], names); near != "" {
			hint = "did you mean: " + c.name() + " " + near
		}
		return usageError(hint, "%s has no command %q", c.name(), tool.OneLine(words[0], 60))
	case c.args.high == 0:
		return usageError(see, "%s takes no words: %s", c.name(), tool.OneLine(strings.Join(words, " "), 60))
	}
	return usageError(see, "it takes: %s", strings.TrimSpace(c.path+" "+c.use))
}

// isFlag tells a flag from text that happens to start with a dash.
func isFlag(arg string) bool {
	if len(arg) < 2 || arg[0] != '-' {
		return false
	}
	ch := arg[1] | 0x20
	return arg[1] == '-' && len(arg) > 2 || 'a' <= ch && ch <= 'z'
}

// flag sets the flag that args start with and returns how many of them it took.
func (c *command) flag(all *flag.FlagSet, args []string) (int, error) {
	name, value, given := strings.Cut(strings.TrimLeft(args[0], "-"), "=")
	hint := "see: " + c.name() + " --help"
	f := all.Lookup(name)
	if arg := args[0]; f == nil && len(arg) > 2 && arg[1] != '-' && '0' <= arg[2] && arg[2] <= '9' { // -n5
		name, value, given = arg[1:2], arg[2:], true
		f = all.Lookup(name)
	}
	if f == nil {
		return 0, c.unknownFlag(all, args[0], name)
	}
	taken := 1
	isSwitch := !valued(f)
	if isSwitch && !given {
		value = "true"
	} else if !given {
		if len(args) < 2 {
			return 0, usageError(hint, "%s needs a value", args[0])
		}
		value, taken = args[1], 2
	}
	if err := f.Value.Set(value); err != nil {
		if err.Error() == "parse error" { // the flag package's word for it
			err = errors.New("that is no number")
			if isSwitch {
				err = errors.New("it is true or false")
			}
		}
		return 0, usageError(hint, "%s cannot be %q: %w", dashed(name), tool.OneLine(value, 60), plainCause(err))
	}
	return taken, nil
}

// unknownFlag says what a flag may have been meant to be.
func (c *command) unknownFlag(all *flag.FlagSet, arg, name string) error {
	var names []string
	all.VisitAll(func(f *flag.Flag) { names = append(names, f.Name) })
	hint := "see: " + c.name() + " --help"
	if near := nearestOf(name, names); near != "" {
		hint = "did you mean: " + dashed(near)
	} else if c.find != nil {
		hint = "the flags of a command stand behind its name; " + hint
	}
	return usageError(hint, "unknown flag: %s", tool.OneLine(arg, 60))
}

// valued says whether a flag takes a value.
func valued(f *flag.Flag) bool {
	b, ok := f.Value.(interface{ IsBoolFlag() bool })
	return !ok || !b.IsBoolFlag()
}

// plainCause is the innermost error, which names the trouble and not our calls.
func plainCause(err error) error {
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			return err
		}
		err = inner
	}
}

func (c *command) sub(name string) *command {
	var sub *command
	for _, s := range c.subs {
		if s.word() == name {
			sub = s
		}
	}
	if sub == nil && c.find != nil {
		sub = c.find(name)
	}
	if sub != nil {
		sub.path = c.name()
	}
	return sub
}

func dashed(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}
