package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
	"github.com/pimento-memory/pimento/internal/remember"
	"github.com/pimento-memory/pimento/internal/tool"
	"github.com/pimento-memory/pimento/internal/vault"
)

func restoreCmd(a *app) *command {
	return &command{
		use: "restore [RECOVERY|PAGE]",
		long: "Bring back what forget, archive, scratch clear or an overwrite took out, by its recovery id or the id that it had, or a page of the archive by its name. " +
			"Without an id it lists what can be brought back, newest first.",
		example: "  pimento restore\n  pimento restore 01M7Z83RAF26SV5XNE1GZV5AAF\n  pimento restore archive/deploy.md",
		args:    count{0, 1},
		run: func(ctx context.Context, args []string) error {
			if len(args) == 0 {
				return a.recoverable(ctx)
			}
			id := strings.TrimSpace(args[0])
			if a.flags.dryRun && strings.HasSuffix(id, ".md") {
				return a.wouldDo("restore the page "+id, "")
			}
			return a.withEngine(func(e *engine.Engine) error {
				if a.flags.dryRun {
					return a.wouldRestore(ctx, e.RecoveryID(ctx, id))
				}
				res, err := e.Restore(ctx, id, user())
				if err != nil {
					return tool.RestoreError(id, restoreHint, err)
				}
				return a.wrote(res, "Restored")
			})
		},
	}
}

const restoreHint = "list what can be brought back: pimento restore"

// A kept is one text in recovery: an entry or page that was taken out, or what
// a write had to save of somebody else's.
type kept struct {
	ID    string        `json:"id"`
	Time  time.Time     `json:"time,omitzero"`
	Verb  string        `json:"verb"` // what took it out: forget, archive, scratch, overwrite, saved
	Scope pimento.Scope `json:"scope"`
	Page  string        `json:"page"`
	Text  string        `json:"text"`
	Dir   string        `json:"dir,omitempty"` // of the project that it was taken out of
	other bool          // that is not this one
}

// loadKept reads one payload, of either of the two forms that there are.
func loadKept(ctx context.Context, rec *vault.Recovery, id string) (kept, error) {
	var p struct {
		remember.Payload
		Bytes []byte `json:"bytes"` // of a vault.Displaced
	}
	if err := rec.Get(ctx, id, &p); err != nil {
		return kept{}, err
	}
	k := kept{ID: id, Time: p.Time, Verb: p.Verb, Scope: p.Scope, Page: p.Page, Text: p.Text, Dir: p.Dir}
	if k.Verb == "" || k.Verb == "lost" {
		k.Verb = "saved"
	}
	for _, raw := range [][]byte{p.Raw, p.Bytes} {
		if k.Text == "" && utf8.Valid(raw) {
			k.Text = string(raw)
		}
	}
	return k, nil
}

// recoverable lists what is in recovery, of every scope and project: it is all
// this user's. What cannot be read is left out and told.
func (a *app) recoverable(ctx context.Context) error {
	dirs := a.dirs()
	if err := homed(dirs); err != nil {
		return err
	}
	rec := dirs.Recovery()
	ids, err := rec.List(ctx)
	if err != nil {
		return err
	}
	list, here := []kept{}, ""
	if dir, err := a.workDir(); err == nil {
		if p, ok, err := dirs.Project(ctx, dir); err == nil && ok {
			here = p.Dir
		}
	}
	for _, id := range slices.Backward(ids) {
		k, err := loadKept(ctx, rec, id)
		if err != nil {
			a.note("%s: %s", id, tool.Printable(tool.Message(err)))
			continue
		}
		k.other = k.Dir != "" && k.Dir != here
		list = append(list, k)
	}
	slices.SortStableFunc(list, func(x, y kept) int { return y.Time.Compare(x.Time) })
	return a.print(list, func(p tool.Paint) string { return keptText(list, p) })
}

func keptText(list []kept, p tool.Paint) string {
	if len(list) == 0 {
		return "Nothing was taken out that could be brought back."
	}
	var b strings.Builder
	for _, k := range list {
		when := "                "
		if !k.Time.IsZero() {
			when = k.Time.Format("2006-01-02 15:04")
		}
		fmt.Fprintf(&b, "%s  %s  %s\n", p.Bold(k.ID), when, p.Faint(k.Verb))
		fmt.Fprintf(&b, "  %s  %s\n", p.Faint(string(k.Scope)+":"+k.Page),
			tool.OneLine(k.Text, max(20, p.Columns()-len(k.Scope)-len(k.Page)-6)))
		if k.other {
			fmt.Fprintf(&b, "  %s\n", p.Faint("of "+tool.Printable(k.Dir)))
		}
	}
	b.WriteString("\nBring one back: pimento restore ID\n")
	return b.String()
}

// wouldRestore is the answer of restore --dry-run.
func (a *app) wouldRestore(ctx context.Context, id string) error {
	dirs := a.dirs()
	if err := homed(dirs); err != nil {
		return err
	}
	k, err := loadKept(ctx, dirs.Recovery(), id)
	if err != nil {
		return tool.RestoreError(id, restoreHint, err)
	}
	return a.wouldDo("restore to "+string(k.Scope)+":"+k.Page, k.Text)
}
