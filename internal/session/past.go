package session

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/pimento-memory/pimento/internal/filelock"
	"github.com/pimento-memory/pimento/internal/regular"
	"github.com/pimento-memory/pimento/internal/text"
)

// The limits of what is kept of past sessions.
const (
	MaxPasts     = 500          // pasts; the oldest are dropped
	MinMessages  = 3            // a session in which the user said less tells nothing
	maxMessage   = 200          // runes of one message
	maxMessages  = 1000         // runes of all messages of a session
	maxSummary   = 2000         // runes
	pastsRewrite = 4 << 20      // bytes from which the file is folded; what is kept is smaller but for a file of nothing but emoji
	pastsLines   = 3 * MaxPasts // lines from which it is, too: what a search must read in a process of its own
)

// The kinds of a Past.
const (
	Said    = "said"    // what the user said, message after message
	Summary = "summary" // what a compaction made of a part of the session
)

// A Past is what is kept of a session for later ones: what its user said, or
// one summary.
type Past struct {
	ID      string    `json:"-"` // 16 hex digits of session, kind and, for a summary, text
	Session string    `json:"session"`
	Kind    string    `json:"kind"`
	Time    time.Time `json:"t"` // of the last message, or of the summary
	Text    string    `json:"text"`
	N       int       `json:"n,omitempty"` // messages in Text, 0 for one
}

// A lineFile is appended to by whole lines, under a lock of its own.
type lineFile struct{ path string }

// Pasts is a file of pasts: a line for each message or summary, in the order in
// which they came. Nothing needs to be written at a session's end, so a session
// that is killed is kept as well. Lines are appended with one write and never
// synced; one that is damaged is passed over. What was read once is kept, and only
// what was appended since is read again. Its methods may be called from several
// goroutines and processes.
type Pasts struct {
	lineFile

	mu   sync.Mutex // guards last
	last reading
}

// NewPasts returns the pasts in a file, which need not exist.
func NewPasts(path string) *Pasts { return &Pasts{lineFile: lineFile{path}} }

// separator stands between the messages of one session.
const separator = " | "

// Add keeps one message or summary. White space is folded and long texts are
// cut. The error is of pimento.KindUnavailable.
func (p *Pasts) Add(ctx context.Context, past Past) error {
	unlock, err := p.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	return p.append([]Past{past})
}

// AddNew keeps those messages and summaries that are not known yet, of sessions
// that may have been recorded as they went. It returns how many those were.
func (p *Pasts) AddNew(ctx context.Context, pasts []Past) (n int, err error) {
	unlock, err := p.lock(ctx)
	if err != nil {
		return 0, err
	}
	defer unlock()
	old, err := p.read()
	if err != nil {
		return 0, err
	}
	known := map[string]Past{}
	for _, x := range old {
		known[x.ID] = x
	}
	var fresh []Past
	for _, past := range pasts {
		past = past.trimmed()
		id := idOf(past)
		old, is := known[id]
		if past.Text == "" || past.Session == "" || is && old.says(past) {
			continue
		}
		if fresh = append(fresh, past); is {
			old.take(past)
			past = old
		}
		known[id] = past
	}
	return len(fresh), p.append(fresh)
}

// trimmed is a past with its white space folded and its text cut.
func (x Past) trimmed() Past {
	limit := maxSummary
	if x.Kind == Said {
		limit = maxMessages
		if x.N <= 1 {
			limit = maxMessage
		}
	}
	x.Text = text.OneLine(x.Text, limit)
	return x
}

// append writes lines. The caller holds the lock.
func (p *Pasts) append(pasts []Past) error {
	var lines []byte
	for _, past := range pasts {
		if past = past.trimmed(); past.Text == "" || past.Session == "" {
			continue
		}
		line, err := json.Marshal(past)
		if err != nil {
			return err
		}
		lines = append(append(lines, line...), '\n')
	}
	if len(lines) == 0 {
		return nil
	}
	size, err := p.write(lines)
	if err != nil {
		return unavailable("session.past", p.path, err)
	}
	if size > pastsRewrite || p.lines() > pastsLines {
		return p.rewrite(func(Past) bool { return true })
	}
	return nil
}

// write appends a line and returns the file's size.
func (p lineFile) write(line []byte) (int64, error) {
	f, err := regular.Open(p.path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return 0, err
	}
	_, err = f.Write(line)
	size, serr := f.Seek(0, io.SeekCurrent)
	return size, errors.Join(err, serr, f.Close())
}

// lock keeps others from writing, so that a rewrite loses nobody's line.
func (p lineFile) lock(ctx context.Context) (unlock func(), err error) {
	unlock, err = filelock.Take(ctx, p.path+".lock", time.Millisecond)
	if err != nil {
		return nil, unavailable("session.past", p.path, err)
	}
	return unlock, nil
}

// All returns the pasts, oldest first: for each session one with what its user
// said, as far as that is at least MinMessages, and its summaries, each text
// once.
func (p *Pasts) All() ([]Past, error) {
	all, err := p.read()
	return latest(slices.DeleteFunc(all, Past.unfinished)), err
}

// unfinished says whether a session has not said enough yet.
func (x Past) unfinished() bool { return x.Kind == Said && x.N < MinMessages }

// Rewrite keeps only what keep says, for a purge, and what All would return.
func (p *Pasts) Rewrite(ctx context.Context, keep func(Past) bool) error {
	if _, err := os.Stat(p.path); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	unlock, err := p.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	return p.rewrite(keep)
}

func (p *Pasts) rewrite(keep func(Past) bool) error {
	all, err := p.read()
	if err != nil {
		return err
	}
	begun := latest(slices.DeleteFunc(slices.Clone(all), func(x Past) bool { return !x.unfinished() }))
	all = append(latest(slices.DeleteFunc(all, Past.unfinished)), begun...)
	slices.SortStableFunc(all, byTime)
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	for _, past := range all {
		if keep(past) {
			if err := enc.Encode(past); err != nil {
				return err
			}
		}
	}
	if err := regular.Write(p.path, out.Bytes()); err != nil {
		return unavailable("session.past", p.path, err)
	}
	return nil
}

// take adds what was said later. The same text again is no news, and what the
// limit leaves no room for only counts.
func (x *Past) take(later Past) {
	if later.Time.After(x.Time) { // what is taken over from elsewhere may be older
		x.Time = later.Time
	}
	if x.says(later) {
		return
	}
	x.N += max(1, later.N)
	x.Text += separator + later.Text
	if utf8.RuneCountInString(x.Text) > maxMessages {
		x.Text = text.OneLine(x.Text, maxMessages)
	}
}

// says tells whether a past holds the text of another one of its id.
func (x Past) says(other Past) bool {
	return x.Kind != Said || strings.Contains(separator+x.Text+separator, separator+other.Text+separator)
}

// leastHeld is how many runes of a text's beginning, before a cut, still tell it.
const leastHeld = 16

// Holds says whether a past quotes a text, or its beginning where the past was
// cut within it.
func (x Past) Holds(s string) bool {
	s = text.OneLine(s, len(s))
	if strings.Contains(x.Text, s) {
		return true
	}
	r := []rune(s)
	if len(r) < leastHeld {
		return false
	}
	head := string(r[:leastHeld])
	for said := range strings.SplitSeq(x.Text, "…") {
		for at := strings.Index(said, head); at >= 0; {
			if strings.HasPrefix(s, said[at:]) {
				return true
			}
			next := strings.Index(said[at+1:], head)
			if next < 0 {
				break
			}
			at += 1 + next
		}
	}
	return false
}

func idOf(x Past) string {
	name := x.Session + "\x00" + x.Kind
	if x.Kind == Summary {
		name += "\x00" + x.Text
	}
	sum := sha256.Sum256([]byte(name))
	return hex.EncodeToString(sum[:8])
}
