//go:build !linux && !darwin

package vault

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/pimento-memory/pimento"
)

// dir walks one open directory.
func (s *sweeper) dir(f *os.File, prefix string, depth int) error {
	sealed := false
	for {
		if err := s.ctx.Err(); err != nil {
			return err
		}
		entries, err := f.ReadDir(256)
		for _, e := range entries {
			s.entry(e, prefix, depth)
			sealed = sealed || Sealed(e.Name())
		}
		if err == io.EOF {
			s.listed(strings.TrimSuffix(prefix, "/"), pimento.Stamp{}, sealed) // see Probe
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (s *sweeper) entry(e os.DirEntry, prefix string, depth int) {
	rel := prefix + e.Name()
	switch {
	case e.IsDir():
		if !s.into(prefix, e.Name(), depth) {
			return
		}
		sub, err := os.Open(filepath.Join(s.r.dir, filepath.FromSlash(rel)))
		if err == nil {
			err = s.dir(sub, rel+"/", depth+1)
			sub.Close()
		}
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			s.unread(rel, err)
		}
	case e.Type()&os.ModeSymlink != 0:
		s.skip(rel, "a symbolic link")
	case s.isPage(e.Name()):
		info, err := e.Info()
		switch {
		case err == nil:
			s.take(rel, info.Mode(), stampFrom(info))
		case !errors.Is(err, os.ErrNotExist):
			s.unread(rel, err)
		}
	case s.misnamed(e.Name()):
		s.skip(rel, noPage)
	}
}

// A Probe is not to be had here: without inode numbers a directory's stamp does
// not prove that its list of names is the same.
type Probe struct{}

// Probe says no.
func (r *Root) Probe() (*Probe, error) { return nil, errors.ErrUnsupported }

// Page is never reached.
func (p *Probe) Page(string) (st pimento.Stamp, ok bool) { return st, false }

// Read is never reached.
func (p *Probe) Read(string, pimento.Span) (b []byte, ok bool) { return nil, false }

// Dir is never reached.
func (p *Probe) Dir(string) (st pimento.Stamp, ok bool) { return st, false }

// Close is never reached.
func (p *Probe) Close() {}
