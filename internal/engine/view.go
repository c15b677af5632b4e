package engine

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/journal"
	"github.com/pimento-memory/pimento/internal/mirror"
	"github.com/pimento-memory/pimento/internal/page"
	"github.com/pimento-memory/pimento/internal/regular"
	"github.com/pimento-memory/pimento/internal/vault"
)

// A view is what one call sees of the world: the project, the consent, the
// configuration, the profile, and the roots that may be read. It is made anew
// for every call, because each of them may be changed from another terminal.
type view struct {
	project    vault.Project
	hasProject bool
	consent    vault.ConsentState
	settings
	stores []*store                                        // readable roots, widest first
	known  map[*store]map[pimento.Statement]journal.Record // what this call has asked the journals
	plain  map[*store]bool                                 // those that this call knows to hold no encrypted page
	faults []pimento.Fault
}

func (v *view) fault(kind, detail string) {
	if f := (pimento.Fault{Kind: kind, Detail: detail}); !slices.Contains(v.faults, f) { // two scopes may share a directory
		v.faults = append(v.faults, f)
	}
}

// faultErr is the one funnel from an error on the way of a turn to a fault.
func (v *view) faultErr(kind string, err error) {
	if err != nil {
		f := pimento.FaultOf(kind, err)
		v.fault(f.Kind, f.Detail)
	}
}

// synced notes what a sync lacked. An index that could not be stored is no
// fault: it is as right in memory.
func (v *view) synced(st *store, s mirror.Synced, fault *pimento.Fault) {
	if v.plain == nil {
		v.plain = map[*store]bool{}
	}
	v.plain[st] = s.Plain
	if fault != nil {
		v.faults = append(v.faults, *fault)
	}
	v.faults = append(v.faults, s.Faults...)
	if s.Err != nil && pimento.KindOf(s.Err) != pimento.KindUnavailable {
		v.faultErr("sync", s.Err)
	}
	switch {
	case s.Heavy != "":
		v.fault("deadline", fmt.Sprintf("%s:%s is too large to be read while a prompt waits, and is not found until it is read; to read it now: pimento status", st.scope, s.Heavy))
	case s.Unseen:
		v.fault("deadline", "there was no time to look at all files; what has changed in the others is taken up later")
	case s.Behind:
		v.fault("deadline", "the index is still being built; what is missing is taken up later")
	}
}

// store returns the root of a scope, nil when there is none to read.
func (v *view) store(scope pimento.Scope) *store {
	for _, st := range v.stores {
		if st.scope == scope {
			return st
		}
	}
	return nil
}

// diary is the root whose journal holds what is of the project and of no entry:
// the project's own where it may be used, else the user's. Nil when there is
// neither.
func (v *view) diary() *store {
	if st := v.store(pimento.Project); st != nil {
		return st
	}
	return v.store(pimento.Global)
}

// granted says whether the project's memory may be used.
func (v *view) granted() bool { return v.consent.Status == vault.Granted }

// consentDigest changes whenever what may be shown changes: consent, and the
// number of times something was forgotten. It is part of the prefix's key.
func (e *Engine) consentDigest(stores []*store) string {
	sum := sha256.New()
	for _, st := range stores {
		sum.Write([]byte(st.root.Key()))
		gen, _ := regular.Read(e.forgetFile(st)) // absent: nothing was ever forgotten
		sum.Write(gen)
		sum.Write([]byte{0})
	}
	return hex.EncodeToString(sum.Sum(nil)[:8])
}

// look makes the view of one call. Errors become faults: a broken
// configuration never takes memory away, and never grants any.
func (e *Engine) look(ctx context.Context) *view {
	v := &view{}
	p, ok, err := e.opt.Dirs.Project(context.WithoutCancel(ctx), e.opt.Dir)
	v.faultErr("project", err)
	v.project, v.hasProject = p, ok && err == nil
	if v.hasProject {
		v.consent = e.consents.Check(v.project)
	}
	e.openRoots(ctx, v)
	e.configure(v)
	return v
}

// openRoots opens the global root, and the project's when this user agreed.
func (e *Engine) openRoots(ctx context.Context, v *view) {
	if st, err := e.openStore(pimento.Global, e.opt.Dirs.Global, vault.Project{}); err != nil {
		v.faultErr("vault", err)
	} else {
		v.stores = append(v.stores, st)
	}
	if !v.hasProject || !v.granted() || e.untrusted {
		return
	}
	if v.project.Memory == e.opt.Dirs.Global {
		v.fault("project", "the project's memory folder is the global one; used once, as global")
		return
	}
	for _, scope := range []pimento.Scope{pimento.Project, pimento.Local} {
		st, err := e.openStore(scope, v.project.Memory, v.project)
		if err != nil {
			v.faultErr("vault", err)
			continue
		}
		if scope == pimento.Local && (!st.root.Exists() || !e.localAllowed(ctx, v)) {
			continue
		}
		v.stores = append(v.stores, st)
	}
}

// localAllowed says whether the personal page of a project may be used: one
// that git tracks came with the repository and is nobody's private note.
func (e *Engine) localAllowed(ctx context.Context, v *view) bool {
	rel, inside := v.project.LocalPage()
	if !inside {
		return v.project.Elsewhere // nobody else's work tree has it
	}
	tracked, err := vault.Tracked(ctx, v.project, rel)
	if err != nil {
		v.faultErr("local", err)
		return false
	}
	if tracked {
		v.fault("local", "MEMORY.local.md is tracked by git and therefore not used; run: git rm --cached "+rel)
	}
	return !tracked
}

// defaultScope is where a write goes that names no scope.
func (v *view) defaultScope() pimento.Scope {
	if !v.hasProject {
		return pimento.Global
	}
	return v.profile.DefaultScope
}

// scopeOf is where a log or checklist is kept that names no scope. The local
// scope has room for one page only; what else is private stays with the user.
func (v *view) scopeOf(rel string) pimento.Scope {
	if scope := v.defaultScope(); scope != pimento.Local || rel == page.LocalMemory {
		return scope
	}
	return pimento.Global
}

// errNoProject is what a project-scoped call gets outside a project.
func errNoProject(op, instead string) error {
	hint := "go to the project's directory"
	if instead != "" {
		hint += ", or use " + instead
	}
	return &pimento.Error{Op: op, Kind: pimento.KindUsage, Err: errors.New("not in a project"),
		Hint: hint}
}

// errNotPrivate is what a write to the local page gets where it would not stay
// the user's own.
func errNotPrivate(op string, v *view) error {
	fail := &pimento.Error{Op: op, Path: page.LocalMemory, Kind: pimento.KindDenied}
	if rel, inside := v.project.LocalPage(); inside {
		fail.Err, fail.Hint = errors.New("git tracks it, so it would not stay private"), "run: git rm --cached "+rel
	} else {
		fail.Err, fail.Hint = errors.New("another work tree might commit it, so it would not stay private"), "use scope global"
	}
	return fail
}
