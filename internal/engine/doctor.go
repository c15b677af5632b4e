package engine

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/index"
	"github.com/pimento-memory/pimento/internal/mirror"
	"github.com/pimento-memory/pimento/internal/page"
	"github.com/pimento-memory/pimento/internal/text"
	"github.com/pimento-memory/pimento/internal/vault"
)

// A Check is one line of `pimento doctor`.
type Check struct {
	Name   string `json:"name"`
	OK     bool   `json:"ok"`
	Detail string `json:"detail"`
	Hint   string `json:"hint,omitempty"`
}

// Doctor looks at every part and says what is wrong and what to do. It changes
// nothing that a command would not.
func (e *Engine) Doctor(ctx context.Context) []Check {
	v := e.look(ctx)
	var out []Check
	add := func(name string, ok bool, detail, hint string) { out = append(out, Check{name, ok, detail, hint}) }
	for _, d := range []struct{ name, dir string }{{"private state", e.opt.Dirs.State}, {"cache", e.opt.Dirs.Cache}} {
		err := writableDir(d.dir)
		hint := "make " + d.dir + " writable for you"
		if _, h := vault.Classify(err); h != "" && !errors.Is(err, fs.ErrPermission) {
			hint = h
		}
		add(d.name, err == nil, describe(d.dir, err), hintIf(err, hint))
	}
	name := v.profile.Name
	if slices.ContainsFunc(v.faults, func(f pimento.Fault) bool { return f.Kind == "profile" }) {
		name += ", in place of the one that is configured"
	}
	add("profile", true, name, "")
	if !v.enabled {
		add("memory", true, `off: "enabled" is false in a config.json`, "")
	}
	for _, f := range v.faults {
		add(f.Kind, false, f.Detail, f.Hint)
	}
	out = append(out, e.checkEngine(ctx, v)...)
	out = append(out, e.checkConsent(ctx, v)...)
	for _, st := range v.stores {
		out = append(out, e.checkStore(ctx, st)...)
	}
	out = append(out, e.checkImports(ctx, v)...)
	return append(out, e.checkSealed(ctx, v)...)
}

func (e *Engine) checkConsent(ctx context.Context, v *view) []Check {
	if !v.hasProject {
		return []Check{{"consent", true, "no project here; only global memory is used", ""}}
	}
	if v.granted() {
		v.consent = e.consents.Verify(ctx, v.project) // asks git for the root commit, which no turn may wait for
	}
	var out []Check
	if mind := filepath.Join(v.project.Dir, vault.MindDir); !v.project.Mind && isDir(mind) {
		out = append(out, Check{"project", false, mind + " is there, too, and is not used as long as " + v.project.Memory + " is", "move what is worth it, or one of the two away"})
	}
	c := Check{Name: "consent", OK: true}
	switch {
	case v.granted():
		c.Detail = "you said yes to the memory of " + v.project.Dir
	case v.consent.Taken:
		c.Detail = "you said no to the memory of " + v.project.Dir + "; to use it: " + v.consent.Yes()
	case v.consent.Status == vault.Absent && v.defaultScope() == pimento.Global:
		c.Detail = v.project.Dir + " has no memory of its own; this profile writes to global memory"
	case v.consent.Status == vault.Absent:
		c.Detail = v.project.Dir + " has no memory yet; the first write makes it, and is your yes"
	case v.consent.Status == vault.Mismatch:
		c.OK, c.Detail = false, "the memory of "+v.project.Dir+" is not used: "+v.consent.Reason
		c.Hint = otherwise(e.adoptHint(v)) + vault.ConsentState{Mend: v.consent.Mend}.Next(v.project.Memory)
	default:
		c.OK, c.Detail = false, "the memory of "+v.project.Dir+" is not used: it waits for your yes"
		c.Hint = otherwise(e.adoptHint(v)) + text.Plural(e.countPages(ctx, v), "page") + " waiting; look at " + v.project.Memory + ", then run: pimento trust"
	}
	if v.consent.Status == vault.Absent { // the first write makes it
		if root, err := vault.OpenRoot(pimento.Project, v.project.Memory, e.opt.Disk); err == nil {
			if err := root.Writable("."); err != nil {
				out = append(out, unwritable(string(pimento.Project), v.project.Memory, err))
			}
		}
	}
	return append(out, c)
}

func isDir(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.IsDir()
}

// checkStore reads every page of a root and tries its derived parts.
func (e *Engine) checkStore(ctx context.Context, st *store) []Check {
	name := string(st.scope)
	if !st.root.Exists() {
		if err := st.root.Writable("."); err != nil {
			return []Check{unwritable(name, st.root.Dir(), err)}
		}
		return []Check{{name, true, st.root.Dir() + ": nothing saved yet", ""}}
	}
	var out []Check
	pages, bad, folders := 0, []Check(nil), map[string]bool{".": true}
	skipped, err := eachPageOf(ctx, st.root, func(rel string, p *page.Page, err error) {
		pages, folders[path.Dir(rel)] = pages+1, true
		switch {
		case err != nil:
			bad = append(bad, Check{name, false, pimento.MessageOf(err), pimento.HintOf(err)})
		case p.Conflicted():
			bad = append(bad, Check{name, false, rel + " holds git conflict markers", "resolve them in an editor"})
		case p.IndexFault() != "":
			bad = append(bad, Check{name, false, rel + ": " + p.IndexFault(), "keep one pair of index markers"})
		}
	})
	for _, dir := range slices.Sorted(maps.Keys(folders)) {
		if err := st.root.Writable(dir); err != nil {
			bad = append(bad, unwritable(name, st.path(dir), err))
		}
	}
	out = append(out, Check{name, err == nil, describe(st.root.Dir()+": "+text.Plural(pages, "page"), err), ""})
	out = append(out, bad...)
	for _, s := range skipped {
		hint := "give it another name, or replace it by a plain file"
		if s.Unread {
			hint = "check the owner and mode of it and of its folder"
		}
		out = append(out, Check{name, false, s.Rel + " is not used: " + s.Why, hint})
	}
	idx, s, fault := st.Sync(ctx, mirror.Occasion{})
	if len(s.Events) > 0 {
		_ = st.journal.Note(ctx, s.Events)
	}
	out = append(out, checkIndex(ctx, name, idx, s, fault), e.checkJournal(ctx, name, st))
	return out
}

func unwritable(name, dir string, err error) Check {
	_, hint := vault.Classify(err)
	return Check{name, false, dir + " cannot be written to: " + pimento.MessageOf(err), hint}
}

// hintDoctor is what to do where a part is missing and only doctor knows why.
const hintDoctor = "see: pimento doctor"

const inMemoryHint = "it works from memory meanwhile; make the cache directory writable"

func checkIndex(ctx context.Context, name string, idx index.Index, s mirror.Synced, fault *pimento.Fault) Check {
	c := Check{Name: name + " index", OK: true}
	entries, err := entriesIn(ctx, idx)
	switch {
	case fault != nil:
		c.OK, c.Detail, c.Hint = false, fault.Detail, inMemoryHint
	case err != nil:
		c.OK, c.Detail = false, pimento.MessageOf(err)
	case s.Err != nil:
		c.OK, c.Detail, c.Hint = false, s.Err.Error(), cmp.Or(pimento.HintOf(s.Err), inMemoryHint)
	default:
		c.Detail = text.Plural(entries, "entry") + ", up to date"
	}
	return c
}

func (e *Engine) checkJournal(ctx context.Context, name string, st *store) Check {
	c := Check{Name: name + " journal", OK: true, Detail: "readable"}
	plans, err := st.journal.Pending(ctx)
	switch {
	case err != nil:
		c.OK, c.Detail, c.Hint = false, pimento.MessageOf(err), pimento.HintOf(err)
	case len(plans) > 0:
		c.Detail = text.Plural(len(plans), "write") + " to be finished by the next write"
	case st.journal.Damaged() > 0:
		c.OK, c.Detail = false, text.Plural(st.journal.Damaged(), "damaged line")+", passed over"
		c.Hint = "what they said is lost, and nothing else: the pages are as they were; to set them aside: pimento doctor --repair"
	}
	return c
}

// Repair sets aside the damaged lines of the journals that can be read here, and
// says what it did.
func (e *Engine) Repair(ctx context.Context) (done []Check, err error) {
	for _, st := range e.look(ctx).stores {
		n, rerr := st.journal.Repair(ctx)
		if rerr != nil {
			err = errors.Join(err, rerr)
		} else if n > 0 {
			done = append(done, Check{Name: string(st.scope) + " journal", OK: true,
				Detail: text.Plural(n, "damaged line") + " set aside in " + st.journal.DamagedPath()})
		}
	}
	return done, err
}

// otherwise puts a first hint before a second one.
func otherwise(hint string) string {
	if hint == "" {
		return ""
	}
	return hint + "; otherwise "
}

// writableDir says whether a directory can be written, and has room; one that is
// not there yet is fine if it can be made.
func writableDir(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, ".doctor-*")
	if err != nil {
		return err
	}
	_, err = f.Write(make([]byte, 16<<10)) // a name alone fits on a full disk
	return errors.Join(err, f.Close(), os.Remove(f.Name()))
}

func describe(what string, err error) string {
	if err != nil {
		return strings.TrimSpace(what + ": " + pimento.MessageOf(err))
	}
	return what
}

func hintIf(err error, hint string) string {
	if err == nil {
		return ""
	}
	return hint
}
