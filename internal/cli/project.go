package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
	"github.com/pimento-memory/pimento/internal/tool"
)

func trustCmd(a *app) *command {
	var adopt string
	cmd := &command{
		use:     "trust",
		long:    "Agree to this project's memory, which somebody else may have written: from now on it is read and may\nreach the model. Look at it first: it lies in .pi/memory.",
		example: "  pimento trust\n  pimento trust --adopt ~/old/place",
		run: func(ctx context.Context, _ []string) error {
			if adopt != "" {
				adopt = a.absolute(adopt)
			}
			return a.consent("trust "+a.env.Dir, func(e *engine.Engine) (string, error) { return e.Trust(ctx, adopt) })
		},
	}
	cmd.flagSet().StringVar(&adopt, "adopt", "", "take over the consent of the directory that it moved from")
	return cmd
}

func untrustCmd(a *app) *command {
	return &command{
		use:     "untrust",
		long:    "Withdraw the consent to this project's memory: it is not read any more. No file is changed.",
		example: "  pimento untrust",
		run: func(ctx context.Context, _ []string) error {
			return a.consent("untrust "+a.env.Dir, func(e *engine.Engine) (string, error) { return e.Untrust(ctx) })
		},
	}
}

func (a *app) consent(what string, act func(*engine.Engine) (string, error)) error {
	if a.flags.dryRun {
		return a.wouldDo(what, "")
	}
	return a.withEngine(func(e *engine.Engine) error {
		text, err := act(e)
		if err != nil {
			return err
		}
		return a.print(map[string]string{"text": text}, func(tool.Paint) string { return text })
	})
}

func profileCmd(a *app) *command {
	cmd := &command{
		use:     "profile [COMMAND]",
		long:    "A profile is policy as data: what is kept where, what the model is shown and which tools it has.",
		example: "  pimento profile list\n  pimento profile use daybook",
		args:    noArgs,
		run: func(ctx context.Context, _ []string) error {
			return a.withEngine(func(e *engine.Engine) error { return a.profileList(ctx, e) })
		},
	}
	var global bool
	sub := func(use, short string, args count, run func(context.Context, *engine.Engine, []string) error) *command {
		c := &command{use: use, short: short, args: args, run: func(ctx context.Context, args []string) error {
			return a.withEngine(func(e *engine.Engine) error { return run(ctx, e, args) })
		}}
		cmd.add(c)
		return c
	}
	sub("list", "name the profiles", noArgs, func(ctx context.Context, e *engine.Engine, _ []string) error {
		return a.profileList(ctx, e)
	})
	sub("show [NAME]", "show a profile, the active one without NAME", count{0, 1}, a.profileShow)
	use := sub("use NAME", "choose a profile for this project", count{1, 1},
		func(ctx context.Context, e *engine.Engine, args []string) error {
			return a.profileUse(ctx, e, args[0], global)
		})
	use.flagSet().BoolVar(&global, "global", false, "for every project that chooses none")
	sub("diff A [B]", "how a profile differs from the active one, or from B", count{1, 2}, a.profileDiff)
	return cmd
}

func (a *app) profileList(ctx context.Context, e *engine.Engine) error {
	if err := a.checkProfile(ctx, e); err != nil {
		return err
	}
	names := e.Profiles(ctx)
	active, faults := e.Profile(ctx)
	out := struct {
		Active   string          `json:"active"`
		Profiles []string        `json:"profiles"`
		Faults   []pimento.Fault `json:"faults"`
	}{active.Name, names, faults}
	return a.print(out, func(p tool.Paint) string {
		var b strings.Builder
		for _, n := range names {
			mark, about := "  ", ""
			if prof, err := e.LoadProfile(ctx, n); err == nil {
				about = prof.About
			}
			if n == active.Name {
				mark = p.Good("* ")
			}
			fmt.Fprintf(&b, "%s%s %s\n", mark, p.Bold(tool.Pad(n, 10)), tool.OneLine(about, max(20, p.Columns()-14)))
		}
		b.WriteString(tool.RenderFaults(faults, p))
		return b.String()
	})
}

// named loads a profile by name, or the active one.
func named(ctx context.Context, e *engine.Engine, args []string) (pimento.Profile, error) {
	if len(args) > 0 {
		return e.LoadProfile(ctx, args[0])
	}
	p, _ := e.Profile(ctx)
	return p, nil
}

func (a *app) profileShow(ctx context.Context, e *engine.Engine, args []string) error {
	if err := a.checkProfile(ctx, e); err != nil {
		return err
	}
	prof, err := named(ctx, e, args)
	if err != nil {
		return err
	}
	return a.print(prof, func(p tool.Paint) string { return profileText(prof, p) })
}

func profileText(prof pimento.Profile, p tool.Paint) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s  %s\n\n", p.Bold(prof.Name), tool.Wrap(prof.About, p.Columns(), "  "))
	fmt.Fprintf(&b, "writes go to  %s\nsnapshot      %s\ntools         %s\n", prof.DefaultScope, prof.Snapshot,
		strings.Join(prof.Tools, ", "))
	for _, z := range []pimento.Zone{pimento.Prefix, pimento.Tail} {
		limit := prof.Prefix
		if z == pimento.Tail {
			limit = prof.Tail
		}
		fmt.Fprintf(&b, "\n%s  %s\n", p.Bold(string(z)), p.Faint(budgetText(limit)))
		for _, s := range prof.Sections {
			if s.Zone == z {
				fmt.Fprintf(&b, "  %s %s %s\n", tool.Pad(s.Name, 14), tool.Pad(string(s.Pick), 10), p.Faint(budgetText(s.Budget)))
			}
		}
	}
	return b.String()
}

func budgetText(b pimento.Budget) string {
	var parts []string
	for _, x := range []struct {
		n    int
		unit string
	}{{b.Tokens, "tokens"}, {b.Chars, "characters"}, {b.Bytes, "bytes"}, {b.Lines, "lines"}} {
		if x.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", x.n, x.unit))
		}
	}
	if len(parts) == 0 {
		return "no limit of its own"
	}
	return "at most " + strings.Join(parts, ", ")
}

func (a *app) profileUse(ctx context.Context, e *engine.Engine, name string, global bool) error {
	if _, err := e.LoadProfile(ctx, name); err != nil {
		return err
	}
	if a.flags.dryRun {
		return a.wouldDo("use profile "+name, "")
	}
	path, err := e.ProfileUse(ctx, name, global)
	if err != nil {
		return err
	}
	return a.print(map[string]string{"profile": name, "path": path}, func(tool.Paint) string {
		return "Profile " + name + " is now in use. Written: " + path
	})
}

// difference is one value that two profiles do not share.
type difference struct {
	Field string `json:"field"`
	A     string `json:"a"`
	B     string `json:"b"`
}

func (a *app) profileDiff(ctx context.Context, e *engine.Engine, args []string) error {
	left, err := named(ctx, e, args[:1])
	if err != nil {
		return err
	}
	right, err := named(ctx, e, args[1:])
	if err != nil {
		return err
	}
	if len(args) == 1 { // "how does A differ from what is active"
		left, right = right, left
	}
	diffs := profileDiff(left, right)
	return a.print(diffs, func(p tool.Paint) string {
		if len(diffs) == 0 {
			return left.Name + " and " + right.Name + " are the same."
		}
		var b strings.Builder
		fmt.Fprintf(&b, "%s -> %s\n", p.Bold(left.Name), p.Bold(right.Name))
		for _, d := range diffs {
			fmt.Fprintf(&b, "  %s: %s -> %s\n", d.Field, p.Bad(tool.OneLine(d.A, 60)), p.Good(tool.OneLine(d.B, 60)))
		}
		return b.String()
	})
}

// profileDiff compares field by field; sections are told apart by their names.
func profileDiff(a, b pimento.Profile) []difference {
	left, right := map[string]string{}, map[string]string{}
	flattenProfile(a, left)
	flattenProfile(b, right)
	keys := map[string]bool{}
	for k := range left {
		keys[k] = true
	}
	for k := range right {
		keys[k] = true
	}
	diffs := []difference{}
	for k := range keys {
		if left[k] != right[k] {
			diffs = append(diffs, difference{k, left[k], right[k]})
		}
	}
	slices.SortFunc(diffs, func(x, y difference) int { return strings.Compare(x.Field, y.Field) })
	return diffs
}

func flattenProfile(p pimento.Profile, into map[string]string) {
	sections := p.Sections
	p.Sections = nil
	flatten("", asTree(p), into)
	for _, s := range sections {
		flatten("sections."+s.Name, asTree(s), into)
	}
	into["preamble"] = p.Preamble
	for name, text := range p.ToolTexts {
		into["tools."+name] = text
	}
}

func asTree(v any) map[string]any {
	raw, err := json.Marshal(v)
	var m map[string]any
	if err != nil || json.Unmarshal(raw, &m) != nil {
		return nil // plain structs of our own: cannot happen
	}
	return m
}

func flatten(prefix string, m map[string]any, into map[string]string) {
	for k, v := range m {
		name := strings.TrimPrefix(prefix+"."+k, ".")
		if sub, ok := v.(map[string]any); ok {
			flatten(name, sub, into)
			continue
		}
		raw, _ := json.Marshal(v) // it came from JSON
		if s := string(raw); s != "null" {
			into[name] = s
		}
	}
}
