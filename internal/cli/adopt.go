package cli

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
	"github.com/pimento-memory/pimento/internal/tool"
	"github.com/pimento-memory/pimento/internal/upkeep"
)

func adoptCmd(a *app) *command {
	var apply bool
	cmd := &command{
		use: "adopt [DIR]",
		long: "Look at memory that is there already, kept by any of the systems that a profile knows: what it is, which profile fits, what is said twice, contradicts, looks like a secret or is stale. " +
			"DIR is a memory folder or a project; without it, everything that is in use here. Nothing is changed; " +
			"--apply writes your consent and the profile's name, and not one byte of the pages. --profile NAME chooses another profile than the one that fits.",
		example: "  pimento adopt\n  pimento adopt ~/work/shop/.pi-mind\n  pimento adopt ~/work/shop/.pi-mind --apply",
		args:    count{0, 1},
		run: func(ctx context.Context, args []string) error {
			if len(args) == 1 {
				dir := a.absolute(args[0])
				if info, err := os.Stat(dir); err != nil || !info.IsDir() {
					return usageError("name a memory folder, or a project that has one", "%s is not a directory", dir)
				}
				a.flags.dir = dir
			}
			return a.withEngine(func(e *engine.Engine) error {
				found, err := e.Adopt(ctx, len(args) == 1, apply && !a.flags.dryRun)
				if err != nil {
					return err
				}
				return a.print(found, func(p tool.Paint) string { return adoptionText(found, p) })
			})
		},
	}
	cmd.flagSet().BoolVar(&apply, "apply", false, "write consent and profile")
	return cmd
}

func adoptionText(found engine.Adoption, p tool.Paint) string {
	if len(found.Folders) == 0 {
		return "There is no memory here yet; the first thing remembered makes one."
	}
	var b strings.Builder
	steps := 0
	for i, f := range found.Folders {
		if i > 0 {
			b.WriteString("\n")
		}
		b.WriteString(folderText(f, p))
		b.WriteString(stepsText(f, found.Applied, p))
		steps += len(f.Steps)
	}
	switch {
	case found.Applied && steps > 0:
		b.WriteString("\n" + p.Good("Adopted.") + " The pages are as they were.\n")
	case steps > 0:
		b.WriteString(p.Faint("\nNothing was changed; --apply does it, and leaves the pages as they are.") + "\n")
	}
	return b.String()
}

// folderWords says what a folder is to this place.
func folderWords(s pimento.Scope) string {
	switch s {
	case pimento.Global:
		return "your own memory, for all projects"
	case pimento.Project:
		return "this project's memory"
	case "":
		return "a folder that nothing here reads"
	}
	return ""
}

func folderText(f engine.Folder, p tool.Paint) string {
	var b strings.Builder
	row := func(head, text string) {
		b.WriteString(tool.Hang("  "+tool.Pad(head, 11)+" ", tool.Printable(text), p.Columns()) + "\n")
	}
	b.WriteString(p.Bold(tool.Path(f.Dir)) + "  " + p.Faint(folderWords(f.Scope)) + "\n")
	row("fits", fitText(f))
	for _, l := range f.Likely {
		row("", l.Profile+": "+signsText(l.Signs))
	}
	row("holds", fmt.Sprintf("%s, %s, %s in %s", tool.Plural(f.Pages, "page"), tool.Plural(f.Entries, "entry"), tool.Bytes(f.Bytes), tool.Plural(f.Files, "file")))
	if f.Archived > 0 {
		row("", tool.Plural(f.Archived, "page")+" in archive/")
	}
	b.WriteString(worth("look at", f.Findings, func(x upkeep.Finding) string { return findingText(x, p) }, p))
	b.WriteString(worth("alike", f.Pairs, func(t engine.Twins) string {
		return string(t.Relation) + "  " + p.Faint(tool.Printable(t.Reason)) + "\n" + tool.RenderTold("this", t.Keep, p) + tool.RenderTold("that", t.Drop, p)
	}, p))
	b.WriteString(worth("stale", f.Stale, func(t engine.Told) string { return tool.RenderTold("", t, p) }, p))
	for _, x := range f.Faults {
		row("not read", x.Detail)
	}
	for _, n := range f.Notes {
		row("note", n)
	}
	return b.String()
}

func fitText(f engine.Folder) string {
	switch {
	case f.Asked:
		return "profile " + f.Profile + ", as you say"
	case len(f.Likely) > 0 && f.Likely[0].Profile != f.Profile:
		return "profile " + f.Profile + ", which its config.json names"
	case len(f.Likely) == 0 && f.Own > 0:
		return "profile " + f.Profile + ", which it is used with; Pimento began " + tool.Plural(f.Own, "page") + " of it"
	case len(f.Likely) == 0 && f.Profile != "default":
		return "profile " + f.Profile + ", which you have chosen; nothing here is special to another"
	case len(f.Likely) == 0:
		return "profile " + f.Profile + ", which reads all layouts; nothing here is special to one of them"
	case len(f.Likely) > 1:
		return "profile " + f.Profile + " most; profile default reads all layouts"
	}
	return "profile " + f.Profile
}

func signsText(signs []upkeep.Found) string {
	var parts []string
	for _, s := range signs {
		text := s.What
		if s.Files > 1 {
			text = fmt.Sprintf("%s (%d)", text, s.Files)
		}
		if s.Unread {
			text += ", not read"
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, "; ")
}

// fewShown is how much of a list a report shows.
const fewShown = 5

// worth shows the first of a list and how many there are.
func worth[T any](head string, list []T, text func(T) string, p tool.Paint) string {
	if len(list) == 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "  %s %d\n", tool.Pad(head, 11), len(list))
	for _, x := range list[:min(len(list), fewShown)] {
		for line := range strings.Lines(text(x)) {
			b.WriteString("    " + line)
		}
	}
	if n := len(list) - fewShown; n > 0 {
		b.WriteString(p.Faint(fmt.Sprintf("    ... and %d more; --json lists all", n)) + "\n")
	}
	return b.String()
}

func stepsText(f engine.Folder, applied bool, p tool.Paint) string {
	if f.Scope == "" {
		return ""
	}
	if len(f.Steps) == 0 {
		return "  " + tool.Pad("in use", 11) + " " + p.Good("as it should be") + "\n"
	}
	head := "to adopt it"
	if applied {
		head = "written"
	}
	var b strings.Builder
	for _, s := range f.Steps {
		text := "your consent to the memory of " + s.Path
		if s.Do == engine.StepProfile {
			text = "profile " + s.Value + " in " + s.Path
		}
		b.WriteString(tool.Hang("  "+tool.Pad(head, 11)+" ", tool.Printable(text), p.Columns()) + "\n")
		head = ""
	}
	return b.String()
}
