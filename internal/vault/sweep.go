package vault

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"strings"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/page"
)

// maxDepth bounds how deep a sweep goes; deeper directories are skipped.
const maxDepth = 16

// A Skip is something below a root that a sweep passed over, and why.
type Skip struct {
	Rel    string // relative to the root, with slashes
	Why    string
	Unread bool // a directory that could not be listed, or a page that could not be looked at: what it holds is not known
}

// Sweep calls page for every page below the root with its path and stamp, in
// no particular order, without reading one, and dir, unless it is nil, for
// every directory that it has listed, the root being "", with whether an
// encrypted page lies in it. A directory's stamp is older than its listing; that
// of one that cannot be listed, or holds a page that cannot be looked at, is zero.
// Hidden names, our temporary files and archive/ are left out, links are never
// followed. A root that does not exist has no pages. skipped is what was passed
// over: links, what is not a regular file, names that cannot be a page's,
// directories that cannot be read.
func (r *Root) Sweep(ctx context.Context, page func(rel string, st pimento.Stamp), dir func(rel string, st pimento.Stamp, sealed bool)) (skipped []Skip, err error) {
	s := sweeper{r: r, ctx: ctx, page: page, listed: dir}
	err = s.walk()
	return s.skipped, err
}

// SweepDir is [Root.Sweep] of one directory, "" being the root, and of those below
// it that enter asks for. What it passes over it does not name.
func (r *Root) SweepDir(ctx context.Context, rel string, page func(rel string, st pimento.Stamp), dir func(rel string, st pimento.Stamp, sealed bool), enter func(rel string) bool) error {
	s := sweeper{r: r, ctx: ctx, page: page, listed: dir, below: rel, enter: enter}
	return s.walk()
}

// SweepArchive calls visit for every page below archive/, which [Root.Sweep]
// leaves out. What it passes over it does not name.
func (r *Root) SweepArchive(ctx context.Context, visit func(rel string, st pimento.Stamp)) error {
	if r.scope == pimento.Local {
		return nil // its directory is the project's
	}
	s := sweeper{r: r, ctx: ctx, page: visit, below: path.Clean(page.ArchiveDir)}
	return s.walk()
}

// SweepSealed calls page for every encrypted page below the root, archive/ left
// out. What it passes over it does not name.
func (r *Root) SweepSealed(ctx context.Context, page func(rel string, st pimento.Stamp)) error {
	if r.scope == pimento.Local {
		return nil // its one page is plain
	}
	s := sweeper{r: r, ctx: ctx, page: page, sealed: true}
	return s.walk()
}

// A sweeper is one walk.
type sweeper struct {
	sealed  bool // for encrypted pages, and for them alone
	r       *Root
	below   string                // the directory where it starts, "" for the root
	enter   func(rel string) bool // the directories that it goes down into; nil for all
	ctx     context.Context
	page    func(string, pimento.Stamp)
	listed  func(string, pimento.Stamp, bool) // nil for nobody
	skipped []Skip
}

// walk is the whole of it; where nothing is, there is nothing to visit.
func (s *sweeper) walk() error {
	if s.listed == nil {
		s.listed = func(string, pimento.Stamp, bool) {}
	}
	err := s.start()
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return fail("vault.sweep", s.r.dir, err)
}

func (s *sweeper) start() error {
	if err := s.ctx.Err(); err != nil {
		return err
	}
	dir, err := s.r.base()
	if err != nil {
		return err
	}
	defer dir.Close()
	if s.r.scope == pimento.Local {
		return s.one(dir)
	}
	prefix := ""
	if s.below != "" {
		prefix = s.below + "/"
		if info, err := dir.Lstat(s.below); err != nil || !info.IsDir() {
			return err // a link is not followed
		}
	}
	f, err := dir.Open("./" + s.below)
	if err != nil {
		return err
	}
	defer f.Close()
	depth := 0
	if s.enter != nil {
		depth = strings.Count(prefix, "/")
	}
	if err := s.dir(f, prefix, depth); err != nil {
		return err
	}
	return s.ctx.Err()
}

// one visits the local scope's only page.
func (s *sweeper) one(dir *os.Root) error {
	f, err := openIn(dir, page.LocalMemory, os.O_RDONLY)
	if err != nil {
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case pimento.KindOf(err) != pimento.KindInternal: // a link, say: not a page
			s.skip(page.LocalMemory, err.Error())
		default:
			s.unread(page.LocalMemory, err)
		}
		return nil
	}
	defer f.Close()
	st, err := stampOf(f)
	if err == nil {
		s.page(page.LocalMemory, st)
	}
	return err
}

// Unswept says whether a sweep leaves out a directory, given by its path from the
// root.
func Unswept(rel string) bool { return rel+"/" == page.ArchiveDir || path.Base(rel)[0] == '.' }

// into tells whether the walk goes down into a directory of that name.
func (s *sweeper) into(prefix, name string, depth int) bool {
	if Unswept(prefix+name) || s.ctx.Err() != nil || s.enter != nil && !s.enter(prefix+name) {
		return false
	}
	if depth >= maxDepth {
		s.skip(prefix+name, "too deep below the root")
		return false
	}
	return true
}

// isPage tells whether a name could be that of a page that is looked for. None is when
// the time is over, which ends the walk.
func (s *sweeper) isPage(name string) bool {
	return s.ctx.Err() == nil && (!s.sealed && strings.HasSuffix(name, ".md") || s.sealed && Sealed(name)) && name[0] != '.'
}

// misnamed tells whether whoever gave a file its name meant a page.
func (s *sweeper) misnamed(name string) bool {
	ext := path.Ext(name)
	return !s.sealed && name[0] != '.' && ext != ".md" && (strings.EqualFold(ext, ".md") || strings.EqualFold(ext, ".markdown"))
}

// noPage says why a misnamed file is passed over.
const noPage = "the name of a page ends in .md"

// take decides on a file whose name could be a page's.
func (s *sweeper) take(rel string, mode fs.FileMode, st pimento.Stamp) {
	switch {
	case mode&fs.ModeSymlink != 0:
		s.skip(rel, "a symbolic link")
	case !mode.IsRegular():
		s.skip(rel, "not a regular file")
	case !s.r.Holds(rel):
	default:
		if what := faultOfPath(rel); what != "" {
			s.skip(rel, what)
			return
		}
		s.page(rel, st)
	}
}

func (s *sweeper) skip(rel, why string) { s.skipped = append(s.skipped, Skip{Rel: rel, Why: why}) }

func (s *sweeper) unread(rel string, err error) {
	s.skipped = append(s.skipped, Skip{rel, err.Error(), true})
}
