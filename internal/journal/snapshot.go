package journal

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"os"
)

// renewSnapshot writes a new table if more than SnapshotBytes of the events,
// which now have the given size, are not in the one on the disk. It is called
// after the lock is given back and fails in silence: without a table, readers
// are slower and right.
func (j *Journal) renewSnapshot(ctx context.Context, size int64) {
	if size-j.folded() <= SnapshotBytes {
		return
	}
	if f, err := j.openEvents(); err != nil || f == nil || j.foldedEnough(f, size) {
		if f != nil {
			f.Close()
		}
		return
	} else {
		f.Close()
	}
	unlock, err := j.lockNow("snapshot.lock")
	if err != nil {
		return
	}
	defer unlock()
	// The caller's answer does not wait for this, and half a table helps nobody.
	ctx = context.WithoutCancel(ctx)
	err = j.withView(ctx, func(v *view, _ io.ReaderAt) error {
		if v == nil || v.off-v.base.end() < SnapshotBytes {
			return nil
		}
		return j.writeTable(ctx, v)
	})
	if err == nil {
		j.Close()
		j.Fold(ctx) // from the new table, now that nobody waits
	}
}

// end is the offset up to which a table folds; 0 for none.
func (t *table) end() int64 {
	if t == nil {
		return 0
	}
	return t.Off
}

// folded is how much of the events the table holds that this process reads.
func (j *Journal) folded() int64 {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.view == nil {
		return 0
	}
	return j.view.base.end()
}

// foldedEnough says whether the table on the disk covers all but the last
// SnapshotBytes.
func (j *Journal) foldedEnough(f io.ReaderAt, size int64) bool {
	gen, err := readGeneration(f)
	if err != nil {
		return true
	}
	t := openTable(j.snapshotPath(), f, gen, size)
	defer t.close()
	return size-t.end() < SnapshotBytes
}

// writeTable writes the fold of v and puts it in the place of the old one. It
// is not synced: a table that a crash tore is found out by its checksums. The lock
// lets one process do so at a time, so that the next one writes over what a killed
// one left.
func (j *Journal) writeTable(ctx context.Context, v *view) (err error) {
	f, err := os.OpenFile(j.path("snapshot.tmp"), os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	defer func() {
		if err = errors.Join(err, f.Close()); err == nil {
			err = os.Rename(f.Name(), j.snapshotPath())
		}
		if err != nil {
			os.Remove(f.Name())
		}
	}()
	w := tableWriter{w: bufio.NewWriterSize(f, chunk)}
	w.w.Write(make([]byte, headBytes))
	if err := v.each(ctx, w.add); err != nil {
		return err
	}
	if err := w.flush(); err != nil {
		return err
	}
	meta, err := json.Marshal(tableMeta{Gen: v.gen.String(), Off: v.off, Tie: v.tie,
		Rows: w.rows, Damaged: v.damaged, Pending: v.pending})
	if err != nil {
		return err
	}
	rest := append(w.index, meta...)
	w.w.Write(rest)
	if err := w.w.Flush(); err != nil {
		return err
	}
	le := binary.LittleEndian
	head := append([]byte(nil), tableMagic...)
	head = le.AppendUint64(head, uint64(headBytes+w.rows*rowBytes))
	head = le.AppendUint64(head, uint64(len(w.index)))
	head = le.AppendUint32(head, uint32(len(meta)))
	head = le.AppendUint32(head, checksum(rest))
	_, err = f.WriteAt(head, 0)
	return err
}

// A tableWriter makes blocks of rows and the index of the blocks.
type tableWriter struct {
	w     *bufio.Writer
	block []byte
	index []byte
	rows  int
}

func (w *tableWriter) add(k key, r row) error {
	w.block = encodeRow(w.block, k, r)
	w.rows++
	if len(w.block) < blockBytes {
		return nil
	}
	return w.flush()
}

func (w *tableWriter) flush() error {
	if len(w.block) == 0 {
		return nil
	}
	w.index = append(w.index, w.block[:16]...)
	w.index = binary.LittleEndian.AppendUint32(w.index, checksum(w.block))
	_, err := w.w.Write(w.block)
	w.block = w.block[:0]
	return err
}
