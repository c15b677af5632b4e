package engine

import (
	"context"

	"github.com/pimento-memory/pimento/internal/vault"
)

// What a person is told of a project's memory that is not used.

// waits says whether there is memory that the user has not agreed to.
func (v *view) waits() bool {
	return v.hasProject && (v.consent.Status == vault.Missing || v.consent.Status == vault.Mismatch)
}

// Waits says that the project has memory to which the user has not agreed, and how to
// agree; "" if it has none.
func (e *Engine) Waits(ctx context.Context) string {
	v := e.look(ctx)
	if !v.waits() {
		return ""
	}
	if why, hint, ok := v.moved(); ok {
		return why + "; " + hint
	}
	said := v.unused()
	if hint := e.adoptHint(v); hint != "" {
		said += "; " + hint
	}
	return said
}

// unused says of memory that the user has not agreed to why it is not used, and how to
// agree.
func (v *view) unused() string {
	if v.consent.Taken {
		return "you said no to this project's memory; to use it: " + v.consent.Yes()
	}
	return "this project's memory waits for your yes" + v.because() + ": " + v.consent.Yes()
}

// orUnused reminds a person, behind what was not found, of memory that was not looked at.
func (v *view) orUnused() string {
	if v.waits() {
		return "; " + v.unused()
	}
	return ""
}

// becameRepository says that git was begun in the folder that the user agreed to.
func (v *view) becameRepository() bool { return v.consent.Old != "" && v.consent.Old == v.project.Dir }

// adoptHint says how a project keeps its consent and history that moved, or whose
// home was copied; "" where nothing suggests that.
func (e *Engine) adoptHint(v *view) string {
	old := v.consent.Old
	if old == "" && v.consent.Status == vault.Missing && !v.consent.Taken {
		old = e.consents.Predecessor(v.project)
	}
	if old == "" {
		return ""
	}
	return "if it is the project that was in " + old + ": " + vault.AdoptYes(old)
}

// moved says why a project's memory is off that seems to have been elsewhere, or
// whose consent cannot be reached, and what to do about it.
func (v *view) moved() (why, hint string, ok bool) {
	hint = v.consent.Next(v.project.Memory)
	switch {
	case v.consent.Mend != "":
		return "this project's memory is off" + v.because(), hint, true
	case v.becameRepository():
		return "this project's memory is off" + v.because(), hint, true
	case v.consent.Old != "":
		return "this project's memory is off, because it has moved here from " + v.consent.Old, hint, true
	}
	return "", "", false
}

// consentWord names the state of consent for people.
func (v *view) consentWord() string {
	switch {
	case v.granted():
		return "granted"
	case v.consent.Taken:
		return "declined"
	case v.consent.Status == vault.Absent:
		return "absent"
	case v.consent.Status == vault.Mismatch:
		return "mismatch: " + v.consent.Reason
	}
	return "missing"
}

// because is the reason why a consent does not hold, to be appended to a
// sentence.
func (v *view) because() string {
	if v.consent.Reason == "" {
		return ""
	}
	return " (" + v.consent.Reason + ")"
}
