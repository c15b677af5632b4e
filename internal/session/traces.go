package session

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/filelock"
	"github.com/pimento-memory/pimento/internal/regular"
)

const (
	// MaxTraces and MaxTraceBytes bound what is kept on the disk; both hold. With
	// MaxFactsBytes that is 10 MB in all.
	MaxTraces     = 200
	MaxTraceBytes = 10<<20 - MaxFactsBytes
)

// Traces is a directory of traces in a few segment files, trace-<number>.jsonl,
// of which the one with the highest number is appended to:
//
//	{"trace":{...},"n":07}
//
// is one line; n, always two digits, is how many the segment holds up to there.
// So the last bytes of a segment say whether there is room for one more, and
// whether the last line is whole. A full or torn segment is left as it is and
// the next one begun, in the file of the oldest if that has to go. (One file for
// each trace would be simpler, but creating a file can cost a millisecond, which
// is too much on every turn; appending costs a few microseconds.)
type Traces struct{ dir string }

// NewTraces returns the traces in dir, which need not exist yet.
func NewTraces(dir string) *Traces { return &Traces{dir: dir} }

const (
	segments     = 8
	segmentLines = MaxTraces / segments
	segmentBytes = MaxTraceBytes / segments
)

// Add stores a trace as the newest and removes the oldest beyond the bounds.
// A trace that alone is over MaxTraceBytes is refused (pimento.KindRefused); a
// disk that takes none, or a lock not had before ctx is done, is
// pimento.KindUnavailable.
func (t *Traces) Add(ctx context.Context, tr pimento.Trace) error {
	b, err := encodeTrace(tr)
	if err != nil {
		return &pimento.Error{Op: "trace.add", Path: tr.ID, Kind: pimento.KindUsage, Err: err}
	}
	if size := len(traceHead) + len(b) + traceTail; size > MaxTraceBytes {
		return &pimento.Error{Op: "trace.add", Path: tr.ID, Kind: pimento.KindRefused,
			Err: fmt.Errorf("a trace of %d bytes is over the limit of %d", size, MaxTraceBytes)}
	}
	unlock, err := t.lock(ctx)
	if err != nil {
		return unavailable("trace.add", t.dir, err)
	}
	defer unlock()
	if err := t.append(b); err != nil {
		return unavailable("trace.add", t.dir, err)
	}
	return nil
}

// encodeTrace is json.Marshal, but that what the tail was built from, which is
// most of a trace and JSON already, is not read through once more.
func encodeTrace(tr pimento.Trace) ([]byte, error) {
	beside := tr.Beside
	tr.Beside = nil
	b, err := json.Marshal(tr)
	if err != nil || len(beside) == 0 {
		return b, err
	}
	b = append(slices.Grow(b[:len(b)-1], len(beside)+16), `,"beside":`...)
	return append(append(b, beside...), '}'), nil
}

// append writes a trace to the newest segment or a new one.
func (t *Traces) append(b []byte) error {
	names, err := t.segments()
	if err != nil {
		return err
	}
	if len(names) > 0 {
		done, err := appendTo(names[0], b)
		if done || err != nil {
			return err
		}
	}
	next := 1
	if len(names) > 0 {
		next = segmentNumber(names[0]) + 1
	}
	name := filepath.Join(t.dir, fmt.Sprintf("trace-%012d.jsonl", next))
	line := traceLine(b, 1)
	drop, err := surplus(names, int64(len(line)))
	if err != nil {
		return err
	}
	if len(drop) == 0 {
		return overwrite(name, line)
	}
	for _, old := range drop[1:] {
		if err := os.Remove(old); err != nil {
			return err
		}
	}
	if err := overwrite(drop[0], line); err != nil {
		return err
	}
	return os.Rename(drop[0], name)
}

// appendTo adds a trace to a segment if it has room and ends in a whole line.
func appendTo(name string, b []byte) (done bool, err error) {
	f, err := regular.Open(name, os.O_RDWR, 0)
	if err != nil {
		return false, err
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return false, err
	}
	var end [traceTail]byte
	if _, err := f.ReadAt(end[:], max(0, st.Size()-int64(traceTail))); err != nil && err != io.EOF {
		return false, err
	}
	n, ok := tailNumber(end[:])
	if !ok || n >= segmentLines {
		return false, nil
	}
	line := traceLine(b, n+1)
	if st.Size()+int64(len(line)) > segmentBytes {
		return false, nil
	}
	if _, err := f.WriteAt(line, st.Size()); err != nil {
		return false, errors.Join(err, f.Truncate(st.Size()))
	}
	return true, nil
}

// surplus is those of the segments, given newest first, that must go for a new
// one, which begins with a line of the given size, to grow to its limit within
// the bounds.
func surplus(names []string, size int64) ([]string, error) {
	total := max(size, segmentBytes)
	for i, name := range names {
		st, err := os.Stat(name)
		if err != nil {
			return nil, err
		}
		if total += st.Size(); i+1 >= segments || total > MaxTraceBytes {
			return names[i:], nil
		}
	}
	return nil, nil
}

// List returns the n newest traces, newest first; all for n <= 0. Damaged ones
// are left out.
func (t *Traces) List(ctx context.Context, n int) (out []pimento.Trace, err error) {
	err = t.each(ctx, "", func(tr pimento.Trace) bool {
		out = append(out, tr)
		return n <= 0 || len(out) < n
	})
	return out, err
}

// Last returns the newest trace of a session's blocks; that of all for "".
func (t *Traces) Last(ctx context.Context, session string) (pimento.Trace, bool, error) {
	return t.first(ctx, session, func(tr pimento.Trace) bool {
		return tr.Recall == nil && (session == "" || tr.Session == session)
	})
}

func (t *Traces) first(ctx context.Context, holding string, match func(pimento.Trace) bool) (found pimento.Trace, ok bool, err error) {
	err = t.each(ctx, holding, func(tr pimento.Trace) bool {
		if match(tr) {
			found, ok = tr, true
		}
		return !ok
	})
	return found, ok, err
}

// each calls visit for the traces, newest first, until it returns false. It
// decodes only those in whose line the given string stands as a JSON string;
// all for "".
func (t *Traces) each(ctx context.Context, holding string, visit func(pimento.Trace) bool) error {
	var need []byte
	if holding != "" {
		need, _ = json.Marshal(holding) // a string always has a JSON form
	}
	names, err := t.segments()
	for _, name := range names {
		if err = ctx.Err(); err != nil {
			break
		}
		b, readErr := os.ReadFile(name)
		if err = readErr; errors.Is(err, os.ErrNotExist) {
			err = nil // dropped meanwhile
		}
		if err != nil {
			break
		}
		for _, line := range slices.Backward(bytes.SplitAfter(b, []byte{'\n'})) {
			if !bytes.Contains(line, need) {
				continue
			}
			if tr, _, ok := decodeTrace(line); ok && !visit(tr) {
				return nil
			}
		}
	}
	if err != nil {
		return unavailable("trace.list", t.dir, err)
	}
	return nil
}

// traceTail is the length of what follows the trace in a line.
const traceTail = len(`,"n":07}` + "\n")

func traceLine(b []byte, n int) []byte {
	line := make([]byte, 0, len(b)+32)
	line = append(append(line, traceHead...), b...)
	return fmt.Appendf(line, `,"n":%02d}`+"\n", n)
}

const traceHead = `{"trace":`

// tailNumber reads the n of the line that ends in the given bytes.
func tailNumber(end []byte) (int, bool) {
	digits, ok := bytes.CutPrefix(end, []byte(`,"n":`))
	if !ok || !bytes.HasSuffix(digits, []byte("}\n")) {
		return 0, false
	}
	n, err := strconv.Atoi(string(digits[:len(digits)-2]))
	return n, err == nil && n > 0
}

// decodeTrace reads one line; raw is the trace's own JSON.
func decodeTrace(line []byte) (tr pimento.Trace, raw []byte, ok bool) {
	if len(line) < len(traceHead)+traceTail || !bytes.HasPrefix(line, []byte(traceHead)) {
		return tr, nil, false
	}
	if _, ok := tailNumber(line[len(line)-traceTail:]); !ok {
		return tr, nil, false
	}
	raw = line[len(traceHead) : len(line)-traceTail]
	return tr, raw, json.Unmarshal(raw, &tr) == nil
}

// segments lists the segment files, newest first.
func (t *Traces) segments() ([]string, error) {
	d, err := regular.Open(t.dir, os.O_RDONLY, 0)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer d.Close()
	names, err := d.Readdirnames(-1)
	if err != nil {
		return nil, err
	}
	names = slices.DeleteFunc(names, func(name string) bool { return segmentNumber(name) == 0 })
	slices.Sort(names)
	slices.Reverse(names)
	for i, name := range names {
		names[i] = filepath.Join(t.dir, name)
	}
	return names, nil
}

// segmentNumber is the number in a segment's name, 0 if it is no segment.
func segmentNumber(name string) int {
	digits, ok := strings.CutPrefix(filepath.Base(name), "trace-")
	digits, ok2 := strings.CutSuffix(digits, ".jsonl")
	n, err := strconv.Atoi(digits)
	if !ok || !ok2 || err != nil || len(digits) != 12 || n < 0 {
		return 0
	}
	return n
}

func (t *Traces) lock(ctx context.Context) (unlock func(), err error) {
	return filelock.Take(ctx, filepath.Join(t.dir, "lock"), time.Millisecond)
}
