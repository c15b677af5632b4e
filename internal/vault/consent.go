package vault

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/regular"
)

// Consents are this user's yeses to projects' memories, one small file each in
// private state. A project's memory without one is inert: not read, not named,
// not created.
type Consents struct{ dir string }

// OpenConsents keeps consents below a private state directory; nothing is made
// before the first yes.
func OpenConsents(stateDir string) *Consents {
	return &Consents{filepath.Join(stateDir, "consent")}
}

// A ConsentStatus is one of the answers of [Consents.Check].
type ConsentStatus uint8

const (
	// Missing is also the zero value: without a word there is no consent.
	Missing  ConsentStatus = iota
	Granted                // the user said yes to exactly this project
	Mismatch               // the yes was to another repository at this path, or to this one at another path
	Absent                 // the project has no memory, there is nothing to consent to
)

// A ConsentState is whether a project's memory may be used, and why not.
type ConsentState struct {
	Status ConsentStatus
	Reason string // for a mismatch: what does not match
	Mend   string // what has to be done before a yes helps: the stored one cannot be reached
	Old    string // where this repository was when the user said yes, if it moved
	Taken  bool   // missing, because the user took the yes back; absent, and none is to be made
}

// Yes is the command by which the user says yes in this state.
func (s ConsentState) Yes() string {
	if s.Old != "" {
		return AdoptYes(s.Old)
	}
	return "pimento trust"
}

// Next is what the user can do about memory that is off in this state.
func (s ConsentState) Next(memory string) string {
	switch {
	case s.Mend != "":
		return s.Mend
	case s.Old != "":
		return "if it is the same project: " + s.Yes()
	}
	return "look at " + memory + ", then run: " + s.Yes()
}

// AdoptYes is the command by which the user says that a project used to be at the
// path old.
func AdoptYes(old string) string { return "pimento trust --adopt " + shellWord(old) }

// shellWord is a path as a shell takes it for one word.
func shellWord(path string) string {
	special := func(r rune) bool { return r < utf8.RuneSelf && !isAlnum(r) && !strings.ContainsRune("/._-+,:=@%", r) }
	if !strings.ContainsFunc(path, special) {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}

func isAlnum(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
}

// Err is nil for Granted and Absent, else KindDenied with the hint that
// belongs to the state.
func (s ConsentState) Err(p Project) error {
	const op = "consent"
	switch {
	case s.Status == Granted || s.Status == Absent:
		return nil
	case s.Status == Mismatch || s.Old != "":
		return refuse(op, p.Dir, pimento.KindDenied, s.Reason, s.Next(p.Memory))
	case s.Taken:
		return refuse(op, p.Dir, pimento.KindDenied, "you took back your consent to this project's memory", "if you want it again: "+s.Yes())
	default:
		return refuse(op, p.Dir, pimento.KindDenied, "you have not consented to this project's memory",
			s.Next(p.Memory))
	}
}

// A consent is the stored yes.
type consent struct {
	V          int       `json:"v"`
	Time       time.Time `json:"t"`
	Dir        string    `json:"dir"`
	Common     string    `json:"common"`
	Dev        uint64    `json:"dev"`
	Ino        uint64    `json:"ino"`
	Btime      int64     `json:"btime,omitempty"`
	RootCommit string    `json:"root_commit,omitempty"`
	Elsewhere  bool      `json:"elsewhere,omitempty"` // to a memory that the environment named, and not to one in the repository
}

// mismatch says in what a consent is not to this project, or "".
func (c consent) mismatch(p Project) string {
	switch {
	case c.V != 1:
		return "the consent was written by a newer version of this program"
	case c.Common != string([]rune(p.Common)): // as JSON holds a path that is not UTF-8
		return "the consent is to another path"
	case c.Ino != p.Ino || c.Dev != p.Dev:
		return "another directory stands where the project was that you consented to"
	case c.Btime != p.Btime:
		return "the project was deleted and made anew since you consented to it"
	case c.Elsewhere && !p.Elsewhere:
		return "the consent is to a memory that $PI_MIND_DIR named, outside of the project"
	default:
		return ""
	}
}

// Check says whether the memory of a project may be used. It looks for the memory
// first and reads the consent after that, while a process that creates a memory
// writes the consent first. So a memory that a process of this user has just made
// is never seen without its consent.
func (c *Consents) Check(p Project) ConsentState {
	if _, err := os.Lstat(p.Memory); errors.Is(err, fs.ErrNotExist) {
		_, err := os.Lstat(c.taken(p.ID))
		return ConsentState{Status: Absent, Taken: err == nil}
	}
	return c.look(p)
}

// Given says whether the user said yes to the project, whether it has a memory yet
// or not.
func (c *Consents) Given(p Project) bool { return c.look(p).Status == Granted }

// look is Check for a memory that exists or is about to.
func (c *Consents) look(p Project) ConsentState {
	got, err := readConsent(c.file(p.ID))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return c.moved(p)
	case err != nil:
		state := ConsentState{Status: Mismatch, Reason: "the stored consent cannot be read: " + err.Error()}
		if kind, hint := Classify(err); kind == pimento.KindUnavailable {
			state.Mend = hint
		}
		return state
	}
	if what := got.mismatch(p); what != "" {
		return ConsentState{Status: Mismatch, Reason: what}
	}
	return ConsentState{Status: Granted}
}

// Verify is Check and also asks git whether the repository still holds the
// root commit that it had. It is for trust and doctor, not for a turn.
func (c *Consents) Verify(ctx context.Context, p Project) ConsentState {
	state := c.Check(p)
	if state.Status != Granted {
		return state
	}
	got, err := readConsent(c.file(p.ID))
	if err == nil && got.RootCommit != "" && p.Git && !hasCommit(ctx, p, got.RootCommit) {
		return ConsentState{Status: Mismatch, Reason: "the repository does not hold the commit that its history began with"}
	}
	return state
}

// moved looks for a consent to this very directory at another path.
func (c *Consents) moved(p Project) ConsentState {
	for _, got := range c.all() {
		same := got.Ino == p.Ino && got.Dev == p.Dev && got.Btime == p.Btime && p.Ino != 0
		if same && got.Common != p.Common {
			return ConsentState{Status: Mismatch, Old: got.Dir, Reason: "the project has moved here from " + got.Dir}
		}
		if got.Common == p.Dir && p.Common != p.Dir && got.stands() {
			return ConsentState{Status: Mismatch, Old: got.Dir, Reason: "the folder has become a repository since you agreed to it"}
		}
	}
	_, err := os.Lstat(c.taken(p.ID))
	return ConsentState{Status: Missing, Taken: err == nil}
}

// stands says whether the directory of a consent is the one that it was.
func (c consent) stands() bool {
	dev, ino, btime, err := birth(c.Common)
	return err == nil && dev == c.Dev && ino == c.Ino && btime == c.Btime
}

// Predecessor is where a project without a consent may have been before, "" if that
// is not known: the one consented place that is gone and whose project had this
// name. That is the case after a home directory was copied to another path or
// machine. It is only a guess, to ask the user about.
func (c *Consents) Predecessor(p Project) string {
	found := ""
	for _, got := range c.all() {
		if filepath.Base(got.Dir) != filepath.Base(p.Dir) || got.Common == p.Common {
			continue
		}
		if _, err := os.Lstat(got.Common); !errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if found != "" {
			return ""
		}
		found = got.Dir
	}
	return found
}

// all reads every consent; what cannot be read is no consent.
func (c *Consents) all() []consent {
	entries, err := os.ReadDir(c.dir)
	if err != nil {
		return nil
	}
	var list []consent
	for _, e := range entries {
		if id, ok := strings.CutSuffix(e.Name(), ".json"); ok && isID(id) {
			if got, err := readConsent(c.file(id)); err == nil {
				list = append(list, got)
			}
		}
	}
	return list
}

func (c *Consents) file(id string) string { return filepath.Join(c.dir, id+".json") }

// taken is the file that says that a yes was taken back.
func (c *Consents) taken(id string) string { return filepath.Join(c.dir, id+".taken") }

func readConsent(path string) (consent, error) {
	var got consent
	b, err := regular.Read(path)
	if err == nil {
		err = json.Unmarshal(b, &got)
	}
	return got, err
}
