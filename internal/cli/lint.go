package cli

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
	"github.com/pimento-memory/pimento/internal/tool"
	"github.com/pimento-memory/pimento/internal/upkeep"
)

func lintCmd(a *app) *command {
	var fix, prune, apply bool
	cmd := &command{
		use: "lint [DIR]",
		long: "Look for what is wrong with the pages themselves. Exit status 1 when something is an error. " +
			"--fix shows what could be put right without you, --prune what is older than the profile keeps it; with --apply they do it. " +
			"DIR is a folder of pages, or a project that has one, which need not be in use: before one agrees to it, or in a check of a repository.\n\nThe rules:\n" + ruleList(),
		example: "  pimento lint\n  pimento lint --fix\n  pimento lint --fix --apply\n  pimento lint --prune\n  pimento lint ~/work/shop/.pi-mind",
		args:    count{0, 1},
		run: func(ctx context.Context, args []string) error {
			switch {
			case len(args) > 0 && (fix || prune || apply):
				return usageError("go there, or name it with --dir, once it is in use", "a folder that is named is only looked at")
			case len(args) > 0:
				return a.withEngine(func(e *engine.Engine) error { return a.lintFolder(ctx, e, a.absolute(args[0])) })
			}
			return a.reading(ctx, func(e *engine.Engine) error {
				act := apply && !a.flags.dryRun
				switch {
				case fix && prune:
					return usageError("first the one, then the other", "--fix and --prune do not go together")
				case fix:
					return a.lintFix(ctx, e, act)
				case prune:
					return a.lintPrune(ctx, e, act)
				case apply:
					return usageError("say: pimento lint --fix --apply", "--apply without --fix or --prune")
				}
				return a.lint(ctx, e)
			})
		},
	}
	cmd.flagSet().BoolVar(&fix, "fix", false, "show what can be put right")
	cmd.flagSet().BoolVar(&prune, "prune", false, "show what is older than the profile keeps it")
	cmd.flagSet().BoolVar(&apply, "apply", false, "with --fix or --prune: do it")
	return cmd
}

func ruleList() string {
	var b strings.Builder
	for _, r := range upkeep.Rules() {
		fmt.Fprintf(&b, "- %s (%s): %s\n", r.Name, r.Severity, r.About)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func (a *app) lint(ctx context.Context, e *engine.Engine) error {
	found, faults := e.Lint(ctx)
	waits := e.Waits(ctx)
	if waits != "" && a.flags.json { // a person is told by a note
		faults = append(faults, pimento.Fault{Kind: "consent", Detail: waits + "; pimento lint DIR looks without it"})
	}
	return a.printFindings(found, faults, waits == "")
}

func (a *app) lintFolder(ctx context.Context, e *engine.Engine, dir string) error {
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return usageError("name a memory folder, or a project that has one", "%s is not a directory", dir)
	}
	found, faults, err := e.LintFolder(ctx, dir)
	if err != nil {
		return err
	}
	return a.printFindings(found, faults, true)
}

// printFindings answers with what was found; all says that nothing was left out
// for want of a yes.
func (a *app) printFindings(found []upkeep.Finding, faults []pimento.Fault, all bool) error {
	if faults == nil {
		faults = []pimento.Fault{}
	}
	out := struct {
		Findings []upkeep.Finding `json:"findings"`
		Faults   []pimento.Fault  `json:"faults"`
	}{found, faults}
	if err := a.print(out, func(p tool.Paint) string { return findingsText(found, all && len(faults) == 0, p) }); err != nil {
		return err
	}
	if !a.flags.json {
		a.noteFaults(faults)
	}
	if slices.ContainsFunc(found, func(f upkeep.Finding) bool { return f.Severity == upkeep.Fault }) {
		return exit(1)
	}
	return nil
}

// rulesShown is how many findings of one rule are shown to a person.
const rulesShown = 20

// findingsText is for a person; all says that everything was looked at.
func findingsText(found []upkeep.Finding, all bool, p tool.Paint) string {
	switch {
	case len(found) == 0 && all:
		return "Nothing to complain about."
	case len(found) == 0:
		return "Nothing to complain about in what could be looked at."
	}
	var b strings.Builder
	fixable, of, said := 0, map[string]int{}, map[string]bool{}
	for _, f := range found {
		if of[f.Rule]++; of[f.Rule] <= rulesShown {
			b.WriteString(findingPlace(f, p))
			if words := findingWords(f, p); !said[words] {
				b.WriteString(words)
				said[words] = true
			}
		}
		if f.Fix != nil {
			fixable++
		}
	}
	for _, r := range upkeep.Rules() {
		if more := of[r.Name] - rulesShown; more > 0 {
			b.WriteString(p.Faint(fmt.Sprintf("... and %d more of %s; --json lists all", more, r.Name)) + "\n")
		}
	}
	b.WriteString("\n" + tool.Plural(len(found), "finding"))
	if fixable > 0 {
		fmt.Fprintf(&b, ", %d of them can be put right: pimento lint --fix", fixable)
	}
	return b.String()
}

func findingText(f upkeep.Finding, p tool.Paint) string {
	return findingPlace(f, p) + findingWords(f, p)
}

// findingPlace says where a finding is, and of which rule.
func findingPlace(f upkeep.Finding, p tool.Paint) string {
	at := tool.PageName(f.Scope, f.Page)
	if f.Line > 0 {
		at += fmt.Sprintf(":%d", f.Line)
	}
	word := map[upkeep.Severity]func(string) string{upkeep.Fault: p.Bad, upkeep.Warning: p.Warn, upkeep.Advice: p.Faint}[f.Severity]
	return word(tool.Pad(string(f.Severity), 7)) + " " + p.Bold(at) + "  " + p.Faint(f.Rule) + "\n"
}

// findingWords say what is found, and what to do. Many findings may have the same:
// they are said once.
func findingWords(f upkeep.Finding, p tool.Paint) string {
	return tool.Hang("        ", tool.Printable(f.Text), p.Columns()) + "\n" +
		tool.Hang("        "+p.Faint("do:")+" ", tool.Printable(f.Do), p.Columns()) + "\n"
}

func (a *app) lintFix(ctx context.Context, e *engine.Engine, apply bool) error {
	rep, err := e.Fix(ctx, apply, user())
	if len(rep.Fixes) == 0 && err != nil {
		return err
	}
	return cmp.Or(err, a.print(rep, func(p tool.Paint) string { return fixText(rep, p) }))
}

func fixText(rep engine.FixReport, p tool.Paint) string {
	if len(rep.Fixes) == 0 {
		return "There is nothing that could be put right without you."
	}
	var b strings.Builder
	for _, f := range rep.Fixes {
		how := "edit the page"
		if f.Fix.Archive != nil {
			how = "move it to the archive"
		}
		f.Do = how
		b.WriteString(findingText(f, p))
	}
	if rep.Applied {
		b.WriteString("\n" + movesText(rep.Moves, true, p))
		for _, x := range rep.Edits {
			fmt.Fprintf(&b, "%s edited\n  to undo: pimento restore %s\n", p.Bold(tool.PageName(x.Scope, x.Page)), x.Recovery)
		}
	} else {
		b.WriteString("\n" + p.Faint("Nothing was changed; --fix --apply does it."))
	}
	return b.String()
}
