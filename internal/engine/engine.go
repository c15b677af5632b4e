// Package engine puts the other packages in order: with it a turn becomes a block,
// a note becomes a change of a page and then an index entry, and a question becomes
// an answer. It does all ordering, syncing and collecting of faults, and decides no
// policy: policy is in profiles, and decisions are made in the pure packages below.
//
// If a part fails during a turn, that is a fault in the turn's trace and never an
// error for the harness. If the same part fails during a command, that is an error
// with a hint.
//
// Such an error is a [pimento.Error]: KindUsage for a call that makes no sense,
// KindNotFound for an id or page that names nothing, KindConflict for one that
// names several, KindDenied where consent is missing, KindRefused with its reason,
// KindUnavailable for a disk or lock that cannot be had. Methods document only what
// goes beyond that.
package engine

import (
	"context"
	"errors"
	"path/filepath"
	"sync"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/embed"
	"github.com/pimento-memory/pimento/internal/mirror"
	"github.com/pimento-memory/pimento/internal/profile"
	"github.com/pimento-memory/pimento/internal/session"
	"github.com/pimento-memory/pimento/internal/text"
	"github.com/pimento-memory/pimento/internal/think"
	"github.com/pimento-memory/pimento/internal/vault"
	"github.com/pimento-memory/pimento/internal/watch"
)

// Options say where an engine works. Dirs (all but the home), Dir and Now are
// required.
type Options struct {
	Dirs     vault.Dirs
	Dir      string           // the working directory that decides the project
	Profile  string           // overrides the configured profile
	Now      func() time.Time // the door's clock; its location is the local calendar
	Clock    func() time.Time // the machine's clock, which also stamps files; nil means Now
	Deadline time.Duration    // bounds a turn; 0 means 300 ms
	Serve    bool             // a long-lived process: watches the roots between turns
	Disk     vault.Disk       // nil means the real one

	Bounded   bool   // Deadline is the user's own and bounds everything
	Path      string // the directories of programs, as $PATH lists them
	Sessions  string // where pi keeps transcripts, only read; "" for nowhere
	NoUpdates bool   // a search program outside is not told that files changed

	// Overrides are laid over the profile last, above every config file.
	Overrides []profile.Layer

	// Embed opens the embedder that the user chose, if it is neither the built-in
	// one nor none. Nil means that there are no others.
	Embed func(context.Context, embed.Choice) (embed.Embedder, error)

	// Think opens the language model that the user turned on. Nil means that there
	// is none to be had here.
	Think func(think.Choice) (think.Thinker, error)

	// DreamHours is how many hours of a live session lie between two dreams, where
	// the user wants them; 0 means DefaultDreamHours.
	DreamHours float64

	// Indexing, when set, is told how many pages of how many have been read for the
	// index, where they are more than one batch.
	Indexing func(done, total int)

	// Preferred is the embedder where the user has chosen none; the zero Choice
	// means the built-in one.
	Preferred embed.Choice
}

// Engine serves one working directory of one user. Its methods may be called
// from several goroutines.
type Engine struct {
	*shared
	untrusted bool // the harness said no to the project
}

// WithoutProject is the same engine for a session whose harness does not trust
// the project: the project's memory and configuration are as if they were not
// there, and nothing is written to them.
func (e *Engine) WithoutProject() *Engine { return &Engine{shared: e.shared, untrusted: true} }

// What all views of an engine share.
type shared struct {
	opt      Options
	consents *vault.Consents
	recovery *vault.Recovery
	sessions *session.Store

	life       context.Context // of background work, ended by Close
	end        context.CancelFunc
	background sync.WaitGroup
	asked      asked
	prompts    prompts
	looks      looks
	readOuts   readOuts
	watch      *watch.Watcher // nil in a process that serves one call

	askMu    sync.Mutex
	analyzer *text.Analyzer // of questions, under askMu
	lexicon  *embed.Static

	embedMu  sync.Mutex
	embedder embed.Embedder // that of chosen; nil for none, or before it was wanted
	chosen   *embed.Choice

	mu      sync.Mutex
	stores  map[string]*store // by scope and root directory
	config  configured
	outside outside
	frozen  map[session.Key]session.Frozen
	untold  map[session.Key][]pimento.Decision // about prefixes that were taken before a prompt

	sessionsOf map[string]*mirror.Pasts // by project
}

// answering is the part of a turn's deadline, one of so many, that is left for
// handing the answer out: the harness counts until it has it.
const answering = 8

// Open makes an engine. It reads nothing: whatever is missing or broken shows when
// it is needed. The error, of KindUsage, is about a path that is not absolute, as
// that of a deleted working directory.
func Open(opt Options) (*Engine, error) {
	if !filepath.IsAbs(opt.Dir) {
		return nil, &pimento.Error{Op: "open", Path: opt.Dir, Kind: pimento.KindUsage, Err: errors.New("the working directory is not there any more"),
			Hint: "go to one that is, or name it: pimento --dir DIR"}
	}
	// A path that is not absolute would be one in the working directory, which
	// may be anybody's repository.
	if d := opt.Dirs; !filepath.IsAbs(d.State) || !filepath.IsAbs(d.Cache) || !filepath.IsAbs(d.Config) {
		return nil, &pimento.Error{Op: "open", Kind: pimento.KindUsage, Err: errors.New("no home directory to keep memory in"),
			Hint: "set HOME, or PIMENTO_GLOBAL_DIR and PIMENTO_STATE_DIR"}
	}
	if opt.Deadline <= 0 {
		opt.Bounded = false
		opt.Deadline = 300 * time.Millisecond
	}
	opt.Deadline -= opt.Deadline / answering
	if opt.Disk == nil {
		opt.Disk = vault.OSDisk{}
	}
	if opt.Clock == nil {
		opt.Clock = opt.Now
	}
	e := &Engine{shared: &shared{
		opt:      opt,
		consents: vault.OpenConsents(opt.Dirs.State),
		recovery: opt.Dirs.Recovery(),
		sessions: session.NewStore(filepath.Join(opt.Dirs.State, "sessions")),
		stores:   map[string]*store{},

		sessionsOf: map[string]*mirror.Pasts{},

		analyzer: text.NewAnalyzer(),
		lexicon:  embed.NewStatic(),
	}}
	e.life, e.end = context.WithCancel(context.Background())
	if opt.Serve {
		// Without a watcher every turn looks for itself, which is slower and as right.
		e.watch, _ = watch.New(filepath.Join(opt.Dirs.State, "watch"), vault.Unswept, opt.Clock())
	}
	return e, nil
}

// Close waits for work in hand and releases indexes and watchers.
func (e *Engine) Close() error {
	e.updateQmd()
	e.end()
	e.background.Wait()
	e.reshapeAll()
	return errors.Join(e.closeStores(), e.watch.Close())
}

// closeStores lets go of every root; the next use opens it again.
func (e *Engine) closeStores() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	var errs []error
	for _, st := range e.stores {
		errs = append(errs, st.close())
	}
	e.stores = map[string]*store{}
	for _, p := range e.sessionsOf {
		errs = append(errs, p.Close())
	}
	return errors.Join(errs...)
}

// Dir is the working directory that the engine serves.
func (e *Engine) Dir() string { return e.opt.Dir }

// Now is the door's clock. It is what a person's wall clock shows, which is how
// stamps and daily pages are written.
func (e *Engine) Now() time.Time { return e.opt.Now() }

// Today is the local calendar day.
func (e *Engine) Today() string { return e.daysAgo(0) }

// daysAgo is the local calendar day n days before today. It is counted in UTC: where
// clocks change, a day may lack the hour that it is now.
func (e *Engine) daysAgo(n int) string {
	y, m, d := e.Now().Date()
	return time.Date(y, m, d-n, 0, 0, 0, 0, time.UTC).Format(time.DateOnly)
}
