package vault

import (
	"context"
	"io"
	"io/fs"
	"os"
	"strconv"
	"strings"

	"github.com/pimento-memory/pimento"
)

// MaxPage is the size in bytes above which a page is refused.
const MaxPage = 64 << 20

// Read returns a page's bytes with the stamp that they were read under: if the
// file changed while it was read, the stamp is the one from before, so that the
// next sweep sees a difference. Only regular files are read, no link is
// followed at any component (KindDenied), and a page over [MaxPage] is
// KindRefused.
func (r *Root) Read(ctx context.Context, rel string) ([]byte, pimento.Stamp, error) {
	read := r.Reader()
	defer read.Close()
	return read.Read(ctx, rel)
}

// A Reader reads several pages one after the other and keeps the directory of the
// last one open, which saves half the work of reading a small page. It is
// short-lived and for one goroutine.
type Reader struct {
	root *Root
	dir  *os.Root // nil for none
	at   string   // its path
}

// Reader begins to read. The caller closes it.
func (r *Root) Reader() *Reader { return &Reader{root: r} }

// Close closes what is open.
func (d *Reader) Close() {
	if d.dir != nil {
		d.dir.Close()
		d.dir = nil
	}
}

// Read is [Root.Read].
func (d *Reader) Read(ctx context.Context, rel string) ([]byte, pimento.Stamp, error) {
	const op = "vault.read"
	if err := d.root.checkPage(op, rel); err != nil {
		return nil, pimento.Stamp{}, err
	}
	if err := ctx.Err(); err != nil {
		return nil, pimento.Stamp{}, fail(op, rel, err)
	}
	slash := strings.LastIndexByte(rel, '/') + 1
	at, name := rel[:slash], rel[slash:]
	if d.dir == nil || d.at != at {
		d.Close()
		dir, _, err := d.root.dirOf(rel, false)
		if err != nil {
			return nil, pimento.Stamp{}, d.root.fail(op, rel, err)
		}
		d.dir, d.at = dir, at
	}
	b, st, err := readIn(d.dir, name)
	return b, st, d.root.fail(op, rel, err)
}

// readIn reads a regular file of an open directory. It reads again, twice at
// most, when the file changed meanwhile.
func readIn(dir *os.Root, name string) ([]byte, pimento.Stamp, error) {
	f, err := openIn(dir, name, os.O_RDONLY)
	if err != nil {
		return nil, pimento.Stamp{}, err
	}
	defer f.Close()
	for try := 0; ; try++ {
		before, err := stampOf(f)
		if err != nil {
			return nil, pimento.Stamp{}, err
		}
		b, err := readAll(f, before.Size)
		if err != nil {
			return nil, pimento.Stamp{}, err
		}
		after, err := stampOf(f)
		if err != nil || after == before || try == 2 {
			return b, before, err
		}
		if _, err := f.Seek(0, io.SeekStart); err != nil {
			return nil, pimento.Stamp{}, err
		}
	}
}

// openIn opens a regular file of an open directory; a link, a pipe or a device
// is refused. What was looked at must be what was opened, because [os.Root]
// would follow a link that stays inside.
func openIn(dir *os.Root, name string, flag int) (*os.File, error) {
	info, err := dir.Lstat(name)
	if err != nil {
		return nil, err
	}
	if err := checkFile(name, info); err != nil {
		return nil, err
	}
	f, err := dir.OpenFile(name, flag|openFlags, 0)
	if err != nil {
		return nil, err
	}
	held, err := f.Stat()
	if err == nil && !os.SameFile(held, info) {
		// An editor has just replaced it: fine, unless it is a link now.
		if info, err = dir.Lstat(name); err == nil {
			err = checkFile(name, info)
		}
		if err == nil {
			err = checkFile(name, held)
		}
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// checkFile refuses what is not a regular file.
func checkFile(name string, info fs.FileInfo) error {
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		return refuse("vault.read", name, pimento.KindDenied, "a symbolic link inside a memory root",
			"replace the link by a real file")
	case !info.Mode().IsRegular():
		return refuse("vault.read", name, pimento.KindRefused, "not a regular file",
			"move it out of the way")
	default:
		return nil
	}
}

// readAll reads a file of about size bytes, at most MaxPage.
func readAll(f *os.File, size int64) ([]byte, error) {
	b := make([]byte, 0, min(size, MaxPage)+1)
	for {
		if len(b) > MaxPage || size > MaxPage {
			return nil, refuse("vault.read", f.Name(), pimento.KindRefused,
				"the page is larger than "+strconv.Itoa(MaxPage>>20)+" MB", "split it into several pages")
		}
		n, err := f.Read(b[len(b):cap(b)])
		b = b[:len(b)+n]
		if err == io.EOF {
			return b, nil
		}
		if err != nil {
			return nil, err
		}
		if len(b) == cap(b) {
			b = append(b, 0)[:len(b)]
		}
	}
}
