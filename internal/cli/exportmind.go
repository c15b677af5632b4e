package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
	"github.com/pimento-memory/pimento/internal/tool"
)

func exportMindCmd(a *app) *command {
	scope := string(pimento.Project)
	cmd := &command{
		use:   "mind DIR",
		short: "pages as .pi-mind has them",
		long: "Write a scope's memory into a new folder in the layout of .pi-mind: its pages of knowledge and raw notes, every other entry as a page of knowledge, " +
			"logs as observations. Tasks, handoffs and encrypted pages are left out. Nothing that is there is written over.",
		example: "  pimento export mind .pi-mind\n  pimento export mind --scope global ~/.pi-mind",
		args:    count{1, 1},
		run: func(ctx context.Context, args []string) error {
			return a.withEngine(func(e *engine.Engine) error {
				sc, err := pimento.ParseScope(scope)
				if err != nil {
					return err
				}
				files, faults, err := e.ExportMind(ctx, sc)
				if err != nil {
					return err
				}
				a.noteFaults(faults)
				return a.writeMind(args[0], files)
			})
		},
	}
	cmd.flagSet().StringVar(&scope, "scope", scope, "of `SCOPE` project or global")
	return cmd
}

// writeMind writes files into a folder that is new or empty.
func (a *app) writeMind(dir string, files []engine.ExportedFile) error {
	full := a.absolute(dir)
	there, err := os.ReadDir(full)
	switch {
	case len(there) > 0:
		return &pimento.Error{Op: "export", Path: dir, Kind: pimento.KindRefused, Err: errors.New("the folder is not empty"), Hint: "name a new one"}
	case err != nil && !errors.Is(err, os.ErrNotExist):
		return &pimento.Error{Op: "export", Path: dir, Kind: pimento.KindUsage, Err: err, Hint: "name a folder"}
	}
	if a.flags.dryRun && len(files) > 0 {
		return a.wouldDo(fmt.Sprintf("write %s", tool.Plural(len(files), "file")), dir)
	}
	for _, f := range files {
		path := filepath.Join(full, filepath.FromSlash(f.Path))
		err := os.MkdirAll(filepath.Dir(path), 0o755)
		if err == nil {
			err = os.WriteFile(path, f.Data, 0o600)
		}
		if err != nil {
			return &pimento.Error{Op: "export", Path: path, Kind: pimento.KindUnavailable, Err: err, Hint: "choose a folder that can be written"}
		}
	}
	if files == nil {
		files = []engine.ExportedFile{}
	}
	return a.print(struct {
		Dir   string                `json:"dir"`
		Files []engine.ExportedFile `json:"files"`
	}{dir, files}, func(p tool.Paint) string {
		if len(files) == 0 {
			return "There is nothing to export in this scope."
		}
		return tool.Plural(len(files), "file") + " written into " + p.Bold(tool.Printable(dir))
	})
}
