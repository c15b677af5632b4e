package pimento

import "fmt"

// A Scope is a root of memory. Order is specificity: what a narrower scope
// says wins over a wider one.
type Scope string

const (
	// Global belongs to this user and every project of theirs.
	Global Scope = "global"
	// Project lives in the repository and is shared by its team. Without the
	// user's consent it is inert: not read, not named, not created.
	Project Scope = "project"
	// Local is this user's private part of a project (MEMORY.local.md).
	Local Scope = "local"
)

// Scopes lists all scopes, widest first.
func Scopes() []Scope { return []Scope{Global, Project, Local} }

// Specificity is 0 for the widest scope and grows towards the narrowest; an
// unknown scope is -1.
func (s Scope) Specificity() int {
	for i, x := range Scopes() {
		if s == x {
			return i
		}
	}
	return -1
}

// ParseScope reads a scope's name. The error is of KindUsage and lists the
// allowed names.
func ParseScope(name string) (Scope, error) {
	if s := Scope(name); s.Specificity() >= 0 {
		return s, nil
	}
	return "", &Error{Op: "scope", Kind: KindUsage,
		Err:  fmt.Errorf("unknown scope %q", name),
		Hint: "use one of: global, project, local"}
}
