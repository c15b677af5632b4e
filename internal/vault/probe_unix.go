//go:build linux || darwin

package vault

import (
	"os"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/regular"
)

// A Probe looks again at pages and directories that an earlier [Root.Sweep] has
// found, one fstatat each and no listing. As long as no directory's stamp has
// changed there are no other pages below the root: whoever makes, removes or
// renames one changes the directory.
type Probe struct {
	root  *Root
	base  *os.File // the root's directory
	dir   int      // the directory looked at last, -1 for none
	at    string   // its path, "" for the root
	other int      // the one looked at before, -1 for none: what answers a question stands now here, now there
	left  string   // its path
	quiet bool     // see quietly
	name  nameBuffer
}

// Probe opens the root for looking again. The caller closes it.
func (r *Root) Probe() (*Probe, error) {
	base, err := regular.Open(r.dir, os.O_RDONLY|unix.O_DIRECTORY, 0)
	if err != nil {
		return nil, fail("vault.probe", r.dir, r.whyNot(err))
	}
	if err := r.checkLinks(base.Stat); err != nil {
		base.Close()
		return nil, fail("vault.probe", r.dir, err)
	}
	return &Probe{root: r, base: base, dir: -1, other: -1, quiet: quietly()}, nil
}

// inside enters a page's directory, and returns the page's name in it.
func (p *Probe) inside(rel string) (name string, ok bool) {
	at, name := "", rel
	if i := strings.LastIndexByte(rel, '/'); i >= 0 {
		at, name = rel[:i], rel[i+1:]
	}
	return name, p.enter(at)
}

// Read returns a part of a page's bytes, in four system calls where [Root.Read]
// needs a dozen; ok is false when there is no regular file of that path, reached
// without a link, that has so many bytes. Why, Root.Read tells.
func (p *Probe) Read(rel string, part pimento.Span) (b []byte, ok bool) {
	if p.root.checkPage("vault.probe", rel) != nil || part.Start < 0 || part.Len() <= 0 || part.Len() > MaxPage {
		return nil, false
	}
	name, ok := p.inside(rel)
	if !ok {
		return nil, false
	}
	fd, err := unix.Openat(p.dir, name, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, false
	}
	defer unix.Close(fd)
	var s unix.Stat_t
	if unix.Fstat(fd, &s) != nil || s.Mode&unix.S_IFMT != unix.S_IFREG || s.Size < int64(part.End) {
		return nil, false
	}
	b = make([]byte, part.Len())
	for n := 0; n < len(b); {
		m, err := unix.Pread(fd, b[n:], int64(part.Start+n))
		if m <= 0 && err != unix.EINTR {
			return nil, false
		}
		n += max(m, 0)
	}
	return b, true
}

// Page is the stamp of a page; ok is false when there is no regular file of
// that path, reached without a link.
func (p *Probe) Page(rel string) (st pimento.Stamp, ok bool) {
	name, ok := p.inside(rel)
	if !ok {
		return st, false
	}
	var s unix.Stat_t
	if !p.lstat(name, &s) || s.Mode&unix.S_IFMT != unix.S_IFREG {
		return st, false
	}
	return stampFrom(&s), true
}

// Dir is the stamp of a directory, "" being the root; ok is false when it
// cannot be opened without following a link.
func (p *Probe) Dir(rel string) (st pimento.Stamp, ok bool) {
	if !p.enter(rel) {
		return st, false
	}
	var s unix.Stat_t
	if unix.Fstat(p.dir, &s) != nil {
		return st, false
	}
	return stampFrom(&s), true
}

// enter opens a directory, step by step from the root.
func (p *Probe) enter(rel string) bool {
	if p.dir >= 0 && p.at == rel {
		return true
	}
	p.dir, p.at, p.other, p.left = p.other, p.left, p.dir, p.at
	if p.dir >= 0 && p.at == rel {
		return true
	}
	p.leave()
	base := int(p.base.Fd())
	fd := base
	for name := range strings.SplitSeq(rel, "/") {
		if name == "" {
			name = "."
		}
		sub, err := unix.Openat(fd, name, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
		if fd != base {
			_ = unix.Close(fd)
		}
		if err != nil {
			return false
		}
		fd = sub
	}
	p.dir, p.at = fd, rel
	return true
}

func (p *Probe) leave() {
	if p.dir >= 0 {
		_ = unix.Close(p.dir)
		p.dir = -1
	}
}

// Close closes what is open.
func (p *Probe) Close() {
	p.leave()
	if p.other >= 0 {
		_ = unix.Close(p.other)
	}
	p.base.Close()
}
