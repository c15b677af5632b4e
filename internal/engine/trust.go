package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/page"
	"github.com/pimento-memory/pimento/internal/session"
	"github.com/pimento-memory/pimento/internal/vault"
)

// Trust records the user's yes to the project's memory. adopt names the
// directory that the project had before it moved, "" otherwise. The text says
// what was agreed to.
func (e *Engine) Trust(ctx context.Context, adopt string) (string, error) {
	v := e.look(ctx)
	if !v.hasProject {
		return "", errNoProject("trust", "")
	}
	if _, err := os.Lstat(filepath.Join(v.project.Memory, page.LocalMemory)); err == nil && v.project.Git { // from before it was a repository
		_ = vault.ExcludeLocal(ctx, v.project) // what hinders it is told to who writes there
	}
	if v.consent.Status == vault.Absent { // it is still to be made: could it be?
		if _, err := e.openStore(pimento.Project, v.project.Memory, v.project); err != nil {
			return "", err
		}
	}
	commit, err := vault.RootCommit(ctx, v.project)
	if err != nil {
		commit = "" // no commit yet, or no git: the rest of the identity must do
	}
	if v.becameRepository() {
		adopt = v.consent.Old // it did not move, so there is no other one that the history could belong to
	}
	if adopt != "" {
		if !filepath.IsAbs(adopt) {
			adopt = filepath.Join(e.opt.Dir, adopt)
		}
		old, err := e.consents.Adopt(ctx, adopt, v.project, e.Now())
		if err != nil {
			return "", err
		}
		stayed, err := e.moveState(ctx, old, v.project.ID)
		if err != nil {
			return "", err
		}
		if len(stayed) > 0 {
			adopt += ", apart from its " + strings.Join(stayed, ", ") + ", of which " + v.project.Dir + " has its own by now"
		}
		return "adopted what belonged to " + adopt + "; memory of " + v.project.Dir + " is on", nil
	}
	if err := e.consents.Grant(ctx, v.project, commit, e.Now()); err != nil {
		return "", err
	}
	return "memory of " + v.project.Dir + " is on", nil
}

// moveState gives a project's history its new name, each part of it unless the new
// place has one of its own already. It says of what there were two.
func (e *Engine) moveState(ctx context.Context, old, id string) (stayed []string, err error) {
	if err := e.closeStores(); err != nil || old == id { // open journals would go on under the old name
		return nil, err
	}
	for _, name := range []string{"journals/%s", "journals/%s-local", "traces/%s", "pasts/%s.jsonl", "pasts/%s.taken.json",
		"telemetry/%s.jsonl", "audits/%s.json", "dreams/%s.json"} {
		path := func(id string) string {
			return filepath.Join(e.opt.Dirs.State, filepath.FromSlash(fmt.Sprintf(name, id)))
		}
		if _, err := os.Lstat(path(id)); err == nil {
			what, _, _ := strings.Cut(name, "/")
			if _, err := os.Lstat(path(old)); err == nil && !slices.Contains(stayed, what) {
				stayed = append(stayed, what)
			}
			continue
		}
		if err := os.Rename(path(old), path(id)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return stayed, &pimento.Error{Op: "trust", Path: path(old), Kind: pimento.KindUnavailable, Err: err}
		}
	}
	return stayed, e.renameProject(ctx, old, id)
}

// renameProject gives what happened in a project to it under its new id: its logs and
// tasks in the user's own memory would be another project's else, and so would be
// what waits in its inbox.
func (e *Engine) renameProject(ctx context.Context, old, id string) error {
	var errs []error
	for _, st := range e.look(ctx).stores {
		theirs := false
		err := st.journal.Each(ctx, nil, func(ev pimento.Event) { theirs = theirs || ev.Project == old })
		if err == nil && theirs {
			err = st.journal.Rewrite(ctx, func(ev *pimento.Event) bool {
				if ev.Project == old {
					ev.Project = id
				}
				return true
			})
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// Untrust withdraws the yes: the project's memory is inert again, its files
// stay as they are.
func (e *Engine) Untrust(ctx context.Context) (string, error) {
	v := e.look(ctx)
	if !v.hasProject {
		return "", errNoProject("untrust", "")
	}
	if err := e.consents.Revoke(ctx, v.project); err != nil {
		return "", err
	}
	return "memory of " + v.project.Dir + " is off; its files are untouched", nil
}

// Silence switches memory off or on for a session. Its next prompt takes a new
// prefix.
func (e *Engine) Silence(ctx context.Context, harness, id string, off bool) error {
	return e.checkpoint(ctx, "silence", harness, id, func(s *session.State) { s.Off = off })
}

// Refresh makes a session's next prompt take a new prefix.
func (e *Engine) Refresh(ctx context.Context, harness, id string) error {
	return e.checkpoint(ctx, "refresh", harness, id, func(*session.State) {})
}

func (e *Engine) checkpoint(ctx context.Context, op, harness, id string, f func(*session.State)) error {
	if id == "" {
		return &pimento.Error{Op: op, Kind: pimento.KindUsage, Err: errors.New("there is no session"),
			Hint: "use it inside an agent's session, or name one with --session"}
	}
	err := e.sessions.Update(ctx, harness, id, func(s *session.State) {
		f(s)
		s.Epoch++
	})
	return err
}

// errNoConsent is what a command gets that needs a project's memory which
// waits for the user's yes.
func errNoConsent(op string, v *view) error {
	if why, hint, ok := v.moved(); ok {
		return &pimento.Error{Op: op, Path: v.project.Memory, Kind: pimento.KindDenied, Err: errors.New(why), Hint: hint}
	}
	switch {
	case v.consent.Status == vault.Absent:
		return &pimento.Error{Op: op, Path: v.project.Dir, Kind: pimento.KindDenied,
			Err: errors.New("you want no memory in this project"), Hint: "if you do now: pimento trust"}
	case v.consent.Taken:
		return &pimento.Error{Op: op, Path: v.project.Memory, Kind: pimento.KindDenied,
			Err: errors.New("you said no to this project's memory"), Hint: "to use it: pimento trust"}
	}
	return &pimento.Error{Op: op, Path: v.project.Memory, Kind: pimento.KindDenied,
		Err:  errors.New("this project's memory " + v.strange() + " and waits for your yes"),
		Hint: "look at it, then run: pimento trust"}
}

// strange says why a project's memory is not simply the user's.
func (v *view) strange() string {
	switch {
	case v.consent.Taken:
		return "is off since you took back your yes"
	case v.consent.Status == vault.Mismatch:
		return "is off" + v.because()
	}
	return "was not made by you on this machine"
}
