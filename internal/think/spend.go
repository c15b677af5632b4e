package think

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/filelock"
	"github.com/pimento-memory/pimento/internal/regular"
)

// A Book is the account of what was spent, one file in private state that all
// processes of a user share. A call is entered with all it may cost before it is
// made and corrected afterwards, so that a crash can only make the account too
// high, and two processes cannot spend the same rest of a day.
type Book struct{ dir string }

// OpenBook does no I/O; the directory is made by the first entry.
func OpenBook(dir string) *Book { return &Book{dir} }

// Cost is a number of tokens.
type Cost struct {
	In  int `json:"in"`
	Out int `json:"out"`
}

// Tokens is the sum.
func (c Cost) Tokens() int { return c.In + c.Out }

func (c *Cost) add(d Cost, sign int) { c.In, c.Out = c.In+sign*d.In, c.Out+sign*d.Out }

// Spend is what was spent for one purpose, or in all.
type Spend struct {
	Calls  int `json:"calls"`
	Failed int `json:"failed,omitempty"`
	Cost
}

// A Day is what one local calendar day has cost.
type Day struct {
	Day string `json:"day"`
	Spend
	For map[string]Spend `json:"for,omitempty"`
}

const (
	spendName = "spend.json"
	keepDays  = 62
)

type account struct {
	V    int   `json:"v"`
	Days []Day `json:"days"` // newest first
}

// Days lists the last days on which something was spent, newest first.
func (b *Book) Days(ctx context.Context) ([]Day, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	a, err := b.read()
	return a.Days, err
}

// reserve enters a call, or refuses it when the day's cap would be exceeded.
func (b *Book) reserve(ctx context.Context, day, what string, c Cost, perDay int) error {
	return b.change(ctx, day, func(d *Day) error {
		if d.Tokens()+c.Tokens() > perDay {
			return &pimento.Error{Op: "think", Kind: pimento.KindRefused,
				Err:  fmt.Errorf("today's %d tokens are used up: %d spent, and this call may take %d", perDay, d.Tokens(), c.Tokens()),
				Hint: "it goes on tomorrow, or raise maxTokensPerDay of the key thinker in your own config.json"}
		}
		d.enter(what, func(s *Spend) { s.Calls++; s.add(c, 1) })
		return nil
	})
}

// settle puts what a call has cost in the place of what was reserved.
func (b *Book) settle(ctx context.Context, day, what string, held, spent Cost, failed bool) error {
	return b.change(ctx, day, func(d *Day) error {
		d.enter(what, func(s *Spend) {
			s.add(held, -1)
			s.add(spent, 1)
			if failed {
				s.Failed++
			}
		})
		return nil
	})
}

func (d *Day) enter(what string, change func(*Spend)) {
	change(&d.Spend)
	if d.For == nil {
		d.For = map[string]Spend{}
	}
	s := d.For[what]
	change(&s)
	d.For[what] = s
}

// change rewrites the account under its lock.
func (b *Book) change(ctx context.Context, day string, change func(*Day) error) error {
	unlock, err := b.lock(ctx)
	if err != nil {
		return b.fail(err)
	}
	defer unlock()
	a, err := b.read()
	if err != nil {
		return err
	}
	i := slices.IndexFunc(a.Days, func(d Day) bool { return d.Day == day })
	if i < 0 {
		a.Days = append(a.Days, Day{Day: day})
		slices.SortFunc(a.Days, func(x, y Day) int { return strings.Compare(y.Day, x.Day) })
		a.Days = a.Days[:min(len(a.Days), keepDays)]
		if i = slices.IndexFunc(a.Days, func(d Day) bool { return d.Day == day }); i < 0 {
			return b.fail(errors.New("the clock is behind all days on record"))
		}
	}
	if err := change(&a.Days[i]); err != nil {
		return err
	}
	return b.fail(b.write(a))
}

func (b *Book) path() string { return filepath.Join(b.dir, spendName) }

// read fails for an account that is damaged: a cap that damage could lift would
// be none.
func (b *Book) read() (account, error) {
	a := account{V: 1}
	data, err := os.ReadFile(b.path())
	if errors.Is(err, fs.ErrNotExist) {
		return a, nil
	}
	if err == nil {
		err = json.Unmarshal(data, &a)
	}
	if err != nil {
		return a, &pimento.Error{Op: "think.spend", Path: b.path(), Kind: pimento.KindUnavailable, Err: err,
			Hint: "what was spent today is unknown, so nothing more is; remove the file to begin anew"}
	}
	return a, nil
}

func (b *Book) write(a account) error {
	data, err := json.Marshal(a)
	if err != nil {
		return err
	}
	return regular.Write(b.path(), append(data, '\n'))
}

// lockWait is how long an entry waits for another one.
const lockWait = 5 * time.Second

func (b *Book) lock(ctx context.Context) (func(), error) {
	ctx, cancel := context.WithTimeout(ctx, lockWait)
	defer cancel()
	return filelock.Take(ctx, filepath.Join(b.dir, "lock"), 5*time.Millisecond)
}

func (b *Book) fail(err error) error {
	if err == nil {
		return nil
	}
	return &pimento.Error{Op: "think.spend", Path: b.path(), Kind: pimento.KindUnavailable, Err: err,
		Hint: "what is spent must be written down first: is there room on the disk, and may you write there?"}
}
