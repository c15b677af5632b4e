package vault

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/pimento-memory/pimento"
)

// archiveDir holds what faded or was merged; it is never injected.
const archiveDir = "archive"

// maxDepth bounds how deep a sweep goes; deeper directories are skipped.
const maxDepth = 16

// A Skip is something below a root that a sweep did not take, and why.
type Skip struct {
	Rel string // relative to the root, with slashes
	Why string
}

// Sweep calls visit for every page below the root with its path and stamp, in
// no particular order, without reading one. Hidden names, our temporary files
// and archive/ are left out, links are never followed. A root that does not
// exist has no pages. What was passed over is then in [Root.Skipped].
func (r *Root) Sweep(ctx context.Context, visit func(rel string, st pimento.Stamp)) error {
	return r.sweepBelow(ctx, "", visit)
}

// SweepArchive is Sweep for the pages below archive/.
func (r *Root) SweepArchive(ctx context.Context, visit func(rel string, st pimento.Stamp)) error {
	return r.sweepBelow(ctx, archiveDir, visit)
}

// Skipped says what the last sweep passed over: links, what is not a regular
// file, names that cannot be a page's, directories that cannot be read.
func (r *Root) Skipped() []Skip {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.skipped)
}

func (r *Root) sweepBelow(ctx context.Context, below string, visit func(string, pimento.Stamp)) error {
	s := sweeper{r: r, ctx: ctx, visit: visit}
	err := s.start(below)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	r.mu.Lock()
	r.skipped = s.skipped
	r.mu.Unlock()
	return fail("vault.sweep", r.dir, err)
}

// A sweeper is one walk.
type sweeper struct {
	r       *Root
	ctx     context.Context
	visit   func(string, pimento.Stamp)
	skipped []Skip
}

func (s *sweeper) start(below string) error {
	if err := s.ctx.Err(); err != nil {
		return err
	}
	dir, err := s.r.base()
	if err != nil {
		return err
	}
	defer func() { dir.Close() }()
	if s.r.scope == pimento.Local {
		return s.one(dir, below)
	}
	prefix := ""
	if below != "" {
		sub, err := s.r.subdir(dir, below, false)
		if err != nil {
			return err
		}
		dir.Close()
		dir, prefix = sub, below+"/"
	}
	f, err := dir.Open(".")
	if err != nil {
		return err
	}
	defer f.Close()
	if err := s.dir(f, prefix, 0); err != nil {
		return err
	}
	return s.ctx.Err()
}

// one visits the local scope's only page.
func (s *sweeper) one(dir *os.Root, below string) error {
	if below != "" {
		return nil
	}
	f, err := openIn(dir, localPage, os.O_RDONLY)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			s.skip(localPage, err.Error())
		}
		return nil
	}
	defer f.Close()
	st, err := stampOf(f)
	if err == nil {
		s.visit(localPage, st)
	}
	return err
}

// into tells whether the walk goes down into a directory of that name.
func (s *sweeper) into(prefix, name string, depth int) bool {
	if name[0] == '.' || prefix == "" && name == archiveDir {
		return false
	}
	if depth >= maxDepth {
		s.skip(prefix+name, "too deep below the root")
		return false
	}
	return true
}

// isPage tells whether a name could be a page's.
func isPage(name string) bool { return strings.HasSuffix(name, ".md") && name[0] != '.' }

// take decides on a file whose name could be a page's.
func (s *sweeper) take(rel string, mode fs.FileMode, st pimento.Stamp) {
	switch {
	case mode&fs.ModeSymlink != 0:
		s.skip(rel, "a symbolic link")
	case !mode.IsRegular():
		s.skip(rel, "not a regular file")
	case !s.r.holds(rel):
	default:
		if what := faultOfPath(rel); what != "" {
			s.skip(rel, what)
			return
		}
		s.visit(rel, st)
	}
}

func (s *sweeper) skip(rel, why string) { s.skipped = append(s.skipped, Skip{rel, why}) }
