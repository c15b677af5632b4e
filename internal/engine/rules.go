package engine

import (
	"context"
	"slices"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/inject"
	"github.com/pimento-memory/pimento/internal/profile"
)

// mayRule says whether the rules of the project may be shown: the user agreed
// to the project, it is the one that its memory lies in, and a person leads the
// session. Rules tell the one who hands out work how; to a subagent they are
// noise, or orders that its own task contradicts.
func (v *view) mayRule(t pimento.Turn) bool {
	return t.Main && v.store(pimento.Project) != nil && !v.project.Elsewhere
}

// rules are the files of rules/ in the project. They are text of the project
// like its pages: shown, fenced, and nobody's word but the repository's.
func (e *Engine) rules(ctx context.Context, v *view, t pimento.Turn) (out []inject.Text) {
	if !v.mayRule(t) {
		return nil
	}
	files, left, err := v.project.Rules(ctx)
	v.faultErr("rules", err)
	if left != "" {
		v.fault("rules", "not all of the project's rules are read: "+left)
	}
	for _, f := range files {
		if f.Cut {
			f.Text += "[... more in " + f.Rel + "]\n"
		}
		out = append(out, inject.Text{Page: f.Rel, Body: f.Text, Cut: f.Cut})
	}
	return out
}

// rulesMark keeps a prefix with the project's rules apart from one without: a
// session that is resumed by a program, or forked for a subagent, must not take
// over the person's.
func (t *turn) rulesMark() string {
	if t.v.profile.SectionOf(pimento.PickRules) != nil && t.v.mayRule(t.Turn) {
		return "+rules"
	}
	return ""
}

// withoutRulesOf takes out of p the sections of rules that the profile of that
// name brings along. A repository that chooses one of the user's profiles must
// not get its own rules shown by that; what the user's overrides add stays.
func (e *Engine) withoutRulesOf(name string, p *pimento.Profile) []pimento.Fault {
	base, _, err := profile.Load(name, e.userProfiles(), nil)
	if err != nil || base.SectionOf(pimento.PickRules) == nil {
		return nil
	}
	p.Sections = slices.DeleteFunc(slices.Clone(p.Sections), func(s pimento.Section) bool {
		return slices.ContainsFunc(base.Sections, func(b pimento.Section) bool { return b.Pick == pimento.PickRules && b.Name == s.Name })
	})
	return []pimento.Fault{{Kind: "rules", Detail: "the project chose the profile " + name +
		", and only you can say that a project's rules are shown; to say it: pimento profile use --global " + name}}
}
