package vault

import (
	"bytes"
	"io"
	"os"

	"github.com/pimento-memory/pimento"
)

// append adds to the open page in place and looks at what stands there then.
// Nothing foreign can be overwritten, because the system puts every such write
// at the end.
func (w *writer) append(f *os.File) (pimento.Stamp, error) {
	ins := w.c.Splices[0].Ins
	if err := w.r.disk.Append(f, ins); err != nil {
		return pimento.Stamp{}, err
	}
	info, err := w.dir.Lstat(w.name)
	if err != nil {
		return pimento.Stamp{}, w.absent(err)
	}
	held, err := f.Stat()
	if err != nil {
		return pimento.Stamp{}, err
	}
	if !os.SameFile(info, held) {
		return pimento.Stamp{}, w.conflict(whatChanged) // we wrote to a file that an editor had just replaced
	}
	if st, ok := w.verified(f); ok {
		return st, nil
	}
	return pimento.Stamp{}, w.mixed(f, ins)
}

// mixed decides on a page that somebody else wrote to while we appended: if
// both the old page and our text are there, the append has happened.
func (w *writer) mixed(f *os.File, ins []byte) error {
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return err
	}
	b, err := readAll(f, int64(len(w.next)))
	if err != nil {
		return err
	}
	off := w.c.Splices[0].Off
	if len(b) >= len(w.next) && pimento.DigestOf(b[:off]) == w.c.Before && bytes.Contains(b[off:], ins) {
		return nil
	}
	return w.conflict(whatChanged)
}
