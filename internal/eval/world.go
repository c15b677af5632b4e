package eval

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/embed"
	"github.com/pimento-memory/pimento/internal/engine"
	"github.com/pimento-memory/pimento/internal/fault"
	"github.com/pimento-memory/pimento/internal/inject"
	"github.com/pimento-memory/pimento/internal/page"
	"github.com/pimento-memory/pimento/internal/profile"
	"github.com/pimento-memory/pimento/internal/stage"
	"github.com/pimento-memory/pimento/internal/tool"
)

// A Bench is what memories are measured on through the engine: where they are
// built, and what of the user's own choices holds for them.
type Bench struct {
	Temp     string           // an existing directory
	Clock    func() time.Time // the machine's clock
	Profiles string           // directory of the user's own profiles, "" for none
	Embed    func(context.Context, embed.Choice) (embed.Embedder, error)
	Progress func(done, total int) // may be nil
}

// steps counts what is done, for the bar.
func (b Bench) steps(total int) (step func()) {
	done := 0
	return func() {
		if done++; b.Progress != nil {
			b.Progress(done, total)
		}
	}
}

// A said is one statement of a simulated history.
type said struct {
	at      time.Time
	page    string
	text    string
	kind    pimento.Kind // "" lets the page decide
	anchor  string       // without the caret, "" for none
	done    bool         // a ticked item of a checklist
	stamped bool         // dated in the page, as the tools of some profiles write
}

// line is the statement as it stands on its page.
func (s said) line() string {
	anchor := ""
	if s.anchor != "" {
		anchor = " ^" + s.anchor
	}
	text := s.text + anchor
	if s.kind != "" {
		text = "[" + string(s.kind) + "] " + text
	}
	switch {
	case page.DialectOf(s.page) == page.Checklist && s.done:
		return "- [x] " + text + "\n"
	case page.DialectOf(s.page) == page.Checklist:
		return "- [ ] " + text + "\n"
	case s.stamped:
		return page.StampLine(s.at, "") + "\n" + text + "\n\n"
	}
	return "- " + text + "\n"
}

// A world is a memory on a machine of its own, with the history that made it.
type world struct {
	*stage.Stage
	bench Bench
	root  string // of the scope that is written to
}

// newWorld sets up a machine whose memory lies in a scope, global or project.
func (b Bench) newWorld(ctx context.Context, scope pimento.Scope, start time.Time) (*world, error) {
	dir, err := os.MkdirTemp(b.Temp, "world-")
	if err != nil {
		return nil, err
	}
	set, err := stage.New(dir, "work", start)
	if err != nil {
		return nil, err
	}
	w := &world{Stage: set, bench: b, root: set.Dirs.Global}
	if err := w.userProfiles(); err != nil {
		return nil, err
	}
	if scope != pimento.Global {
		w.root = filepath.Join(set.Repo, ".pi", "memory")
	}
	if err := os.MkdirAll(w.root, 0o755); err != nil {
		return nil, err
	}
	return w, w.with(setting{}, func(e *engine.Engine) error {
		if scope != pimento.Global {
			if _, err := e.Trust(ctx, ""); err != nil {
				return err
			}
		}
		_, faults, err := e.Pages(ctx) // what memory holds when it is first seen is no news
		return errors.Join(err, faulty(faults))
	})
}

// userProfiles lets the machine see the user's own profiles.
func (w *world) userProfiles() error {
	if _, err := os.Stat(w.bench.Profiles); err != nil {
		return nil // none
	}
	if err := os.MkdirAll(w.Dirs.Config, 0o700); err != nil {
		return err
	}
	return os.Symlink(w.bench.Profiles, filepath.Join(w.Dirs.Config, "profiles"))
}

// A setting is what is turned between two measurements of one memory.
type setting struct {
	profile   string         // "" for the default
	overrides map[string]any // over the profile, as in a user's config.json
	embedder  embed.Choice   // the zero value for the built-in one
}

// deadline bounds a turn of a measurement. It is generous: what is measured is
// what a turn finds, and how long it takes is measured on its own.
const deadline = 20 * time.Second

// with opens an engine, a process of its own, and runs f on it.
func (w *world) with(s setting, f func(*engine.Engine) error) error {
	config := map[string]any{}
	if s.embedder != (embed.Choice{}) {
		config["embedder"] = s.embedder.Value()
	}
	if len(s.overrides) > 0 {
		config["overrides"] = s.overrides
	}
	b, err := json.Marshal(config)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(w.Dirs.Config, 0o700); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(w.Dirs.Config, "config.json"), b, 0o600); err != nil {
		return err
	}
	e, err := w.Open(engine.Options{Profile: s.profile, Clock: w.bench.Clock, Deadline: deadline, Embed: w.bench.Embed})
	if err != nil {
		return err
	}
	return errors.Join(f(e), e.Close())
}

// profile loads a profile as it ships, or as the user wrote it.
func (b Bench) profile(name string) (pimento.Profile, error) {
	var users fs.FS
	if b.Profiles != "" {
		users = os.DirFS(b.Profiles)
	}
	p, _, err := profile.Load(name, users, nil)
	return p, err
}

// forgetIndex throws away what can be made again.
func (w *world) forgetIndex() error { return os.RemoveAll(w.Dirs.Cache) }

// listPage is where entries of a section stand, each on its own.
func listPage(section string) string {
	if page.DialectOf(section) == page.Article {
		return "topics/" + path.Base(section)
	}
	return section
}

// live lets a history happen: each day its statements are written to their pages
// by hand, and memory sees them in the evening.
func (w *world) live(ctx context.Context, e *engine.Engine, history []said) error {
	slices.SortStableFunc(history, func(a, b said) int { return a.at.Compare(b.at) })
	day := func(s said) string { return s.at.Format(time.DateOnly) }
	for len(history) > 0 {
		n := slices.IndexFunc(history, func(s said) bool { return day(s) != day(history[0]) })
		if n < 0 {
			n = len(history)
		}
		for _, s := range history[:n] {
			if err := w.write(s); err != nil {
				return err
			}
		}
		w.Now = history[n-1].at
		if _, faults, err := e.Pages(ctx); err != nil || len(faults) > 0 {
			return errors.Join(err, faulty(faults))
		}
		history = history[n:]
	}
	return nil
}

// write adds a statement to its page.
func (w *world) write(s said) error {
	file := filepath.Join(w.root, filepath.FromSlash(s.page))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = f.WriteString(s.line())
	return errors.Join(err, f.Close())
}

// ask is one prompt at a time of its own, as the first of the session: nothing
// is in its context but the prefix.
func (w *world) ask(ctx context.Context, e *engine.Engine, now time.Time, prompt string) (pimento.Block, error) {
	w.Now = now
	rep, _ := tool.Turn(ctx, e, w.turn(pimento.PromptTurn, "eval-"+now.Format(time.DateOnly), prompt))
	return rep.Block, faulty(rep.Block.Faults)
}

// faulty is the error of a measurement that would measure a broken memory. A
// budget too small for what a profile wants is what is measured, no fault.
func faulty(faults []pimento.Fault) error {
	for _, f := range faults {
		if f.Kind != "budget" && f.Kind != string(fault.PinnedMiss) {
			return &pimento.Error{Op: "eval", Kind: pimento.KindUnavailable, Err: fmt.Errorf("%s: %s", f.Kind, f.Detail)}
		}
	}
	return nil
}

// A seen is the text of a block, prepared to be looked through.
type seen string

func look(b pimento.Block) seen { return seen(squash(b.Prefix + "\n" + b.Tail)) }

// squash folds white space, so that neither wrapping nor indenting hides a text.
func squash(s string) string { return strings.Join(strings.Fields(s), " ") }

// holds says whether a text stands in the block, whole.
func (s seen) holds(text string) bool { return strings.Contains(string(s), squash(inject.Fence(text))) }

// share is how much of what answers a question stands in it.
func (s seen) share(gold []string, lines map[string]Line) float64 {
	n := 0
	for _, id := range gold {
		n += one(s.holds(lines[id].Text))
	}
	return float64(n) / float64(max(len(gold), 1))
}

// size is what a profile's limits for a block come to in tokens; a limit in
// other units counts four characters or bytes for a token.
func size(p pimento.Profile) int {
	tokens := func(b pimento.Budget) int {
		least := 0
		for _, n := range []int{b.Tokens, b.Chars / 4, b.Bytes / 4} {
			if n > 0 && (least == 0 || n < least) {
				least = n
			}
		}
		return least
	}
	zones := cmp.Or(tokens(p.Prefix), tokens(p.Resident)) + tokens(p.Tail)
	return cmp.Or(tokens(p.Block), zones)
}

// scaled are overrides that give a profile another size, with every limit that
// it sets in the same proportion, and a block that never exceeds it.
func scaled(p pimento.Profile, tokens int) map[string]any {
	factor := 1.0
	if own := size(p); own > 0 {
		factor = float64(tokens) / float64(own)
	}
	out, sections := limits(reflect.ValueOf(p), factor), map[string]any{}
	block, _ := out["block"].(pimento.Budget)
	block.Tokens = tokens
	out["block"], out["sections"] = block, sections
	for _, s := range p.Sections {
		sections[s.Name] = limits(reflect.ValueOf(s), factor)
	}
	return out
}

// limits are the budgets among a struct's fields, whatever they are called,
// times a factor.
func limits(of reflect.Value, factor float64) map[string]any {
	out := map[string]any{}
	for i := range of.NumField() {
		b, ok := of.Field(i).Interface().(pimento.Budget)
		if !ok {
			continue
		}
		for _, n := range []*int{&b.Tokens, &b.Chars, &b.Bytes, &b.Lines} {
			if *n > 0 {
				*n = max(1, int(float64(*n)*factor+0.5))
			}
		}
		name, _, _ := strings.Cut(of.Type().Field(i).Tag.Get("json"), ",")
		out[name] = b
	}
	return out
}

// without are overrides that take out every section with a pick.
func without(p pimento.Profile, pick pimento.Pick) map[string]any {
	return eachSection(p, pick, nil)
}

// eachSection are overrides that lay a value over every section with a pick.
func eachSection(p pimento.Profile, pick pimento.Pick, value any) map[string]any {
	sections := map[string]any{}
	for _, s := range p.Sections {
		if s.Pick == pick {
			sections[s.Name] = value
		}
	}
	return map[string]any{"sections": sections}
}
