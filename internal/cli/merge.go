package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/page"
	"github.com/pimento-memory/pimento/internal/tool"
	"github.com/pimento-memory/pimento/internal/vault"
)

func mergeCmd(a *app) *command {
	return &command{
		use: "merge BASE OURS THEIRS PATH", args: count{4, 4},
		long: "Merge two branches' versions of a memory page into the file OURS, entry by entry: what either side added stands, what either changed or took out is gone. " +
			"Where both changed the same entry, and for articles, git merges the lines, and marks what it cannot. Git calls it in a repository where the first two lines below were run.",
		example: "  git config merge.pimento.driver 'pimento merge %O %A %B %P'\n" +
			"  echo '.pi/memory/**/*.md merge=pimento' >> \"$(git rev-parse --git-path info/attributes)\"\n" +
			"  pimento merge base.md ours.md theirs.md .pi/memory/MEMORY.md",
		run: func(ctx context.Context, args []string) error {
			return a.merge(ctx, a.absolute(args[0]), a.absolute(args[1]), a.absolute(args[2]), args[3])
		},
	}
}

func (a *app) merge(ctx context.Context, base, ours, theirs, path string) error {
	var sides [3][]byte
	for i, name := range []string{base, ours, theirs} {
		b, err := os.ReadFile(name)
		if err != nil {
			kind := pimento.KindUnavailable
			if errors.Is(err, fs.ErrNotExist) {
				kind = pimento.KindUsage
			}
			return &pimento.Error{Op: "merge", Path: name, Kind: kind, Err: err, Hint: "give the three versions as files, and the path that they have in the repository"}
		}
		sides[i] = b
	}
	merged, ok := page.Merge(inMemory(path), sides[0], sides[1], sides[2])
	if !ok {
		return a.mergeLines(ctx, base, ours, theirs, path)
	}
	if !a.flags.dryRun {
		if err := os.WriteFile(ours, merged, 0o666); err != nil { // in place, as git does: its mode and links stay
			return &pimento.Error{Op: "merge", Path: ours, Kind: pimento.KindUnavailable, Err: err, Hint: "is the disk full, or the directory read-only?"}
		}
	}
	return a.merges(path, "entries")
}

// merges says that both sides go together: to git nothing, which calls for each page.
func (a *app) merges(path, by string) error {
	switch {
	case a.flags.json:
		return a.printJSON(struct {
			Path   string `json:"path"`
			By     string `json:"by"`
			DryRun bool   `json:"dry_run,omitempty"`
		}{path, by, a.flags.dryRun})
	case a.flags.dryRun:
		return a.say("Both sides of " + path + " go together, by " + by + ".\n")
	}
	return nil
}

// mergeLines leaves it to git, which marks in the file what it cannot put together.
func (a *app) mergeLines(ctx context.Context, base, ours, theirs, path string) error {
	args := []string{"merge-file", "-L", "ours", "-L", "base", "-L", "theirs", ours, base, theirs}
	if a.flags.dryRun {
		args = append([]string{"merge-file", "-p"}, args[1:]...)
	}
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = filepath.Dir(ours)
	var said strings.Builder
	cmd.Stderr = &said
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return a.merges(path, "lines")
	case errors.As(err, &exit) && exit.ExitCode() > 0 && exit.ExitCode() < 128: // so many conflicts, 127 at most
		hint := "choose between the marks in the file, then: git add " + path
		if a.flags.dryRun {
			hint = "without --dry-run the file gets marks around both"
		}
		return &pimento.Error{Op: "merge", Path: path, Kind: pimento.KindConflict, Err: errors.New("both sides changed the same place"), Hint: hint}
	}
	return &pimento.Error{Op: "merge", Path: path, Kind: pimento.KindUnavailable, Err: fmt.Errorf("git merge-file: %w: %s", err, tool.OneLine(said.String(), 200)), Hint: "is git installed?"}
}

// inMemory is a page's path in its memory, of one in the repository.
func inMemory(path string) string {
	path = "/" + filepath.ToSlash(path)
	for _, folder := range []string{"/.pi/memory/", "/" + vault.MindDir + "/"} {
		if i := strings.LastIndex(path, folder); i >= 0 {
			return path[i+len(folder):]
		}
	}
	return path[strings.LastIndex(path, "/")+1:]
}
