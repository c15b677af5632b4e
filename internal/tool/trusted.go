package tool

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/config"
	"github.com/pimento-memory/pimento/internal/engine"
)

// Trusted is what somebody has just agreed to: how much a project remembers,
// and what its config.json changes for whoever works in it.
type Trusted struct {
	Pages   int      `json:"pages"`
	Entries int      `json:"entries"`
	Changes []string `json:"changes"` // "profile daybook", "sections hits", "enabled false"

	Faults []pimento.Fault `json:"faults"` // what of it cannot be used
}

// NewTrusted looks at a project right after the yes to it.
func NewTrusted(ctx context.Context, e *engine.Engine) Trusted {
	t := Trusted{Changes: []string{}, Faults: []pimento.Fault{}}
	rep := e.Status(ctx, "")
	t.Faults = append(t.Faults, rep.Faults...)
	for _, s := range rep.Scopes {
		if s.Scope == pimento.Project || s.Scope == pimento.Local {
			t.Pages += s.Pages
			t.Entries += s.Entries
		}
		if s.Scope == pimento.Project {
			c, _ := config.Load(filepath.Join(s.Dir, config.Name), false) // its faults are in status
			t.Changes = configChanges(c)
		}
	}
	return t
}

// configChanges names what a project's configuration changes.
func configChanges(c config.Config) []string {
	out := []string{}
	if c.Has("profile") {
		out = append(out, "the profile ("+OneLine(c.Profile, 40)+")")
	}
	for _, x := range []struct{ key, what string }{
		{"budgets", "budgets"}, {"sections", "sections"}, {"overrides", "overrides of the profile"},
	} {
		if c.Has(x.key) {
			out = append(out, x.what)
		}
	}
	if c.Has("enabled") && !c.Enabled {
		out = append(out, "memory itself (enabled: false)")
	}
	return out
}

// RenderTrusted is that for a person.
func RenderTrusted(t Trusted, p Paint) string {
	text := "It holds " + Plural(t.Entries, "entry") + " on " + Plural(t.Pages, "page") + "; see them: " + p.Cmd("pages")
	switch {
	case t.Pages == 0 && len(t.Faults) > 0:
		text = "Nothing of it can be used yet."
	case t.Pages == 0:
		text = "It holds nothing yet; what you or the agent write there will be used."
	}
	if len(t.Changes) > 0 {
		text += "\nIts config.json changes " + strings.Join(t.Changes, ", ") + "."
	}
	for _, f := range t.Faults {
		text += "\n" + Below(f.Kind+": "+f.Detail)
	}
	return text
}
