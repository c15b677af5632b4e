package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
	"github.com/pimento-memory/pimento/internal/profile"
	"github.com/pimento-memory/pimento/internal/tool"
)

func trustCmd(a *app) *command {
	var adopt string
	cmd := &command{
		use:     "trust",
		long:    "Agree to this project's memory, which somebody else may have written: from now on it is read and may reach the model. Look at it first: it lies in .pi/memory, or in .pi-mind.",
		example: "  pimento trust\n  pimento trust --adopt ~/old/place",
		run: func(ctx context.Context, _ []string) error {
			if adopt != "" {
				adopt = a.absolute(adopt)
			}
			return a.consent(ctx, "trust", func(e *engine.Engine) (string, error) { return e.Trust(ctx, adopt) })
		},
	}
	cmd.flagSet().StringVar(&adopt, "adopt", "", "take over the consent of `DIR`, from which it was moved")
	return cmd
}

func untrustCmd(a *app) *command {
	return &command{
		use:     "untrust",
		long:    "Withdraw the consent to this project's memory: it is not read any more. No file is changed. Where there is none yet, none is made.",
		example: "  pimento untrust",
		run: func(ctx context.Context, _ []string) error {
			return a.consent(ctx, "untrust", func(e *engine.Engine) (string, error) { return e.Untrust(ctx) })
		},
	}
}

// consented is what `trust` and `untrust` answer in JSON.
type consented struct {
	Text string `json:"text"`
	*tool.Trusted
}

func (a *app) consent(ctx context.Context, verb string, act func(*engine.Engine) (string, error)) error {
	return a.withEngine(func(e *engine.Engine) error {
		if a.flags.dryRun {
			rep := e.Status(ctx, "")
			if rep.Project == "" {
				return usageError("go to a project's directory, or name one with --dir", "there is no project here")
			}
			return a.wouldDo(verb+" the memory of "+rep.Project, "")
		}
		text, err := act(e)
		if err != nil {
			return err
		}
		out := consented{Text: text}
		if verb == "trust" {
			t := tool.NewTrusted(ctx, e)
			out.Trusted = &t
		}
		return a.print(out, func(p tool.Paint) string {
			if out.Trusted == nil {
				return tool.Below(text)
			}
			return tool.Below(text) + "\n" + tool.RenderTrusted(*out.Trusted, p)
		})
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
	sub := func(use, short, example string, args count, run func(context.Context, *engine.Engine, []string) error) *command {
		c := &command{use: use, short: short, example: "  pimento profile " + example, args: args, run: func(ctx context.Context, args []string) error {
			return a.withEngine(func(e *engine.Engine) error { return run(ctx, e, args) })
		}}
		cmd.add(c)
		return c
	}
	sub("list", "name the profiles", "list", noArgs, func(ctx context.Context, e *engine.Engine, _ []string) error {
		return a.profileList(ctx, e)
	})
	var all, source bool
	show := sub("show [NAME]", "show a profile, the active one without NAME", "show daybook\n  pimento profile show --source daybook", count{0, 1},
		func(ctx context.Context, e *engine.Engine, args []string) error {
			return a.profileShow(ctx, e, args, all, source)
		})
	show.flagSet().BoolVar(&all, "all", false, "every key as it works out, and every text")
	show.flagSet().BoolVar(&source, "source", false, "its files as they are written, comments included")
	use := sub("use NAME", "choose a profile for this project", "use daybook\n  pimento profile use --global daybook", count{1, 1},
		func(ctx context.Context, e *engine.Engine, args []string) error {
			return a.profileUse(ctx, e, args[0], global)
		})
	use.flagSet().BoolVar(&global, "global", false, "for every project that chooses none")
	sub("diff A [B]", "how a profile differs from the active one, or from B", "diff daybook\n  pimento profile diff default daybook", count{1, 2}, a.profileDiff)
	return cmd
}

func (a *app) profileList(ctx context.Context, e *engine.Engine) error {
	names := e.Profiles()
	active, faults := e.Profile(ctx)
	if faults == nil {
		faults = []pimento.Fault{}
	}
	out := struct {
		Active   string          `json:"active"`
		Profiles []string        `json:"profiles"`
		Faults   []pimento.Fault `json:"faults"`
	}{active.Name, names, faults}
	return a.print(out, func(p tool.Paint) string {
		var b strings.Builder
		for _, n := range names {
			mark, about := "  ", ""
			if prof, err := e.LoadProfile(n); err != nil {
				about = "cannot be used: " + err.Error()
			} else if about = prof.About; prof.Extends != "" {
				about += " Extends " + prof.Extends + "."
			}
			if n == active.Name {
				mark = p.Good("* ")
			}
			b.WriteString(tool.Hang(mark+p.Bold(tool.Pad(n, 10))+" ", tool.Printable(about), p.Columns()) + "\n")
		}
		b.WriteString(tool.RenderFaults(faults, p))
		return b.String()
	})
}

// named loads a profile by name, or the active one.
func named(ctx context.Context, e *engine.Engine, args []string) (pimento.Profile, error) {
	if len(args) > 0 {
		return e.LoadProfile(args[0])
	}
	p, _ := e.Profile(ctx)
	return p, nil
}

func (a *app) profileShow(ctx context.Context, e *engine.Engine, args []string, all, source bool) error {
	prof, err := named(ctx, e, args)
	if err != nil {
		return err
	}
	if source {
		text, err := e.ProfileSource(prof.Name)
		if err != nil {
			return err
		}
		return a.verbatim(map[string]string{"profile": prof.Name, "source": text}, func(tool.Paint) string { return tool.Defang(text) })
	}
	return a.print(prof, func(p tool.Paint) string {
		if all {
			return tool.Defang(profile.Show(prof))
		}
		return profileText(prof, p)
	})
}

func profileText(prof pimento.Profile, p tool.Paint) string {
	var b strings.Builder
	width := p.Columns()
	b.WriteString(tool.Hang(p.Bold(prof.Name)+"  ", prof.About, width) + "\n\n")
	if prof.Extends != "" {
		fmt.Fprintf(&b, "extends       %s\n", prof.Extends)
	}
	fmt.Fprintf(&b, "writes go to  %s\nsnapshot      %s\n", prof.DefaultScope, prof.Snapshot)
	tools := strings.Join(prof.Tools, ", ")
	if tools == "" {
		tools = "none of ours: the agent uses its own"
	}
	b.WriteString(tool.Hang("tools         ", tools, width) + "\n")
	wide := 0
	for _, s := range prof.Sections {
		wide = max(wide, len(s.Name))
	}
	for _, z := range []pimento.Zone{pimento.Prefix, pimento.Tail} {
		limit := prof.Prefix
		if z == pimento.Tail {
			limit = prof.Tail
		}
		fmt.Fprintf(&b, "\n%s  %s\n", p.Bold(string(z)), p.Faint(budgetText(limit)))
		for _, s := range prof.Sections {
			if s.Zone == z {
				fmt.Fprintf(&b, "  %s  %s %s\n", tool.Pad(s.Name, wide), tool.Pad(string(s.Pick), 10), p.Faint(budgetText(s.Budget)))
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
	if _, err := e.LoadProfile(name); err != nil {
		return err
	}
	if a.flags.dryRun {
		return a.wouldDo("use profile "+name, "")
	}
	path, err := e.ProfileUse(ctx, name, global)
	if err != nil {
		return err
	}
	active, _ := e.Profile(ctx)
	return a.print(map[string]string{"profile": name, "path": path}, func(tool.Paint) string {
		if active.Name != name {
			return "Profile " + name + " was chosen, but " + active.Name + " is in use here, by a narrower choice. Written: " + path
		}
		return "Profile " + name + " is now in use. Written: " + path
	})
}

// diffText is a difference on one line, or on three where the values are long.
func diffText(d profile.Difference, p tool.Paint) string {
	width := p.Columns()
	line := "  " + d.Field + ": " + d.A + " -> " + d.B
	if len([]rune(line)) <= width {
		return "  " + d.Field + ": " + p.Bad(tool.Printable(d.A)) + " -> " + p.Good(tool.Printable(d.B)) + "\n"
	}
	return "  " + d.Field + ":\n" + tool.Hang("    "+p.Bad("-")+" ", tool.Printable(d.A), width) + "\n" +
		tool.Hang("    "+p.Good("+")+" ", tool.Printable(d.B), width) + "\n"
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
	diffs := profile.Diff(left, right)
	return a.print(diffs, func(p tool.Paint) string {
		if len(diffs) == 0 {
			return left.Name + " and " + right.Name + " are the same."
		}
		var b strings.Builder
		fmt.Fprintf(&b, "%s -> %s\n", p.Bold(left.Name), p.Bold(right.Name))
		for _, d := range diffs {
			b.WriteString(diffText(d, p))
		}
		return b.String()
	})
}
