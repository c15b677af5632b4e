package journal

import (
	"bytes"
	"context"
	"io"
)

// chunk is how much of the file is read at once.
const chunk = 256 << 10

// eachLine calls visit for every whole line in [from, to) with its offset and
// its bytes without the newline, until visit returns false. The bytes are only
// valid during the call. It returns the offset after the last line visited.
// The file may shrink meanwhile; reading then ends early.
func eachLine(ctx context.Context, r io.ReaderAt, from, to int64, visit func(off int64, line []byte) bool) (int64, error) {
	size := min(to-from, chunk)
	if size <= 0 {
		return from, nil
	}
	buf := make([]byte, size)
	held := 0 // bytes of an unfinished line at the start of buf
	for from+int64(held) < to {
		if err := ctx.Err(); err != nil {
			return from, err
		}
		if held == len(buf) { // a line longer than the buffer
			buf = append(buf, make([]byte, len(buf))...)
		}
		want := min(int64(len(buf)-held), to-from-int64(held))
		n, err := r.ReadAt(buf[held:held+int(want)], from+int64(held))
		if err != nil && err != io.EOF {
			return from, err
		}
		if n == 0 {
			break
		}
		data := buf[:held+n]
		for {
			k := bytes.IndexByte(data, '\n')
			if k < 0 {
				break
			}
			if !visit(from, data[:k]) {
				return from + int64(k) + 1, nil
			}
			from += int64(k) + 1
			data = data[k+1:]
		}
		held = copy(buf, data)
	}
	return from, nil
}

// lineAt calls visit for the line that begins at off and ends before to.
func lineAt(ctx context.Context, r io.ReaderAt, off, to int64, visit func(off int64, line []byte)) error {
	for size := int64(2048); ; size *= 8 {
		end := min(off+size, to)
		next, err := eachLine(ctx, r, off, end, func(off int64, line []byte) bool {
			visit(off, line)
			return false
		})
		if next > off || err != nil || end == to {
			return err
		}
	}
}

// lastNewline is the offset after the last newline before size, 0 if there is
// none.
func lastNewline(r io.ReaderAt, size int64) (int64, error) {
	var buf [4096]byte
	for size > 0 {
		n := min(size, int64(len(buf)))
		got, err := r.ReadAt(buf[:n], size-n)
		if err != nil && err != io.EOF {
			return 0, err
		}
		if k := bytes.LastIndexByte(buf[:got], '\n'); k >= 0 {
			return size - n + int64(k) + 1, nil
		}
		size -= n
	}
	return 0, nil
}
