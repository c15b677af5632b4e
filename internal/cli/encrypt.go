package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/config"
	"github.com/pimento-memory/pimento/internal/crypt"
	"github.com/pimento-memory/pimento/internal/engine"
	"github.com/pimento-memory/pimento/internal/tool"
)

// identityName is the file for the secret key that `encrypt --setup` makes.
const identityName = "identity.txt"

func encryptCmd(a *app) *command {
	var apply, setup bool
	cmd := &command{
		use: "encrypt PAGE",
		long: "Encrypt a page with age for the recipients of your config.json: PAGE.md becomes PAGE.md.age. It is still found by recall while your identity is there, " +
			"and its text is in no index, journal or trace any more. It shows what would happen; --apply does it. --setup makes you a key, once.",
		example: "  pimento encrypt --setup\n  pimento encrypt topics/accounts.md --apply\n  pimento read topics/accounts.md.age",
		args:    count{0, 1},
		run: func(ctx context.Context, args []string) error {
			switch {
			case setup && len(args) > 0:
				return usageError("make the key first, then encrypt the page", "--setup takes no page")
			case setup:
				return a.encryptSetup(ctx)
			case len(args) == 0:
				return usageError("name a page as `pimento pages` lists it, or make a key: pimento encrypt --setup", "no page to encrypt")
			}
			return a.seal(ctx, (*engine.Engine).Encrypt, args[0], apply)
		},
	}
	cmd.flagSet().BoolVar(&apply, "apply", false, "do it")
	cmd.flagSet().BoolVar(&setup, "setup", false, "make a key and write it into your config.json")
	return cmd
}

func decryptCmd(a *app) *command {
	var apply bool
	cmd := &command{
		use:     "decrypt PAGE",
		long:    "Make a plain page of an encrypted one again: PAGE.md.age becomes PAGE.md. It shows what would happen; --apply does it. To only look at it: pimento read PAGE.md.age",
		example: "  pimento decrypt topics/accounts.md.age --apply",
		args:    count{1, 1},
		run: func(ctx context.Context, args []string) error {
			return a.seal(ctx, (*engine.Engine).Decrypt, args[0], apply)
		},
	}
	cmd.flagSet().BoolVar(&apply, "apply", false, "do it")
	return cmd
}

// seal encrypts or decrypts a page, or says what would happen.
func (a *app) seal(ctx context.Context, do func(*engine.Engine, context.Context, string, bool, engine.Actor) (engine.SealReport, error), name string, apply bool) error {
	return a.withEngine(func(e *engine.Engine) error {
		rep, err := do(e, ctx, name, apply && !a.flags.dryRun, user())
		if err != nil && !rep.Applied {
			return err
		}
		return cmp.Or(err, a.print(rep, func(p tool.Paint) string { return sealText(rep, p) }))
	})
}

func sealText(r engine.SealReport, p tool.Paint) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s -> %s\n  %s\n", p.Bold(tool.PageName(r.Scope, r.Page)), tool.Printable(r.To), tool.Plural(r.Entries, "entry"))
	for _, key := range r.Readers {
		b.WriteString("  for " + tool.Printable(key) + "\n")
	}
	if !r.Applied {
		b.WriteString("\nNothing is changed yet. Do it: --apply\n")
		return b.String()
	}
	b.WriteString("  done\n")
	if len(r.Removed) > 0 {
		b.WriteString("\nTaken out of:\n" + bullets(r.Removed))
	}
	if len(r.Untouched) > 0 {
		b.WriteString("\nOut of reach, look there yourself:\n" + bullets(r.Untouched))
	}
	return b.String()
}

func bullets(lines []string) string {
	var b strings.Builder
	for _, s := range lines {
		b.WriteString("  - " + tool.Printable(s) + "\n")
	}
	return b.String()
}

// encryptSetup makes a key where there is none, and writes both halves down.
func (a *app) encryptSetup(ctx context.Context) error {
	d := a.dirs()
	if d.Config == "" {
		return usageError("set HOME, or PIMENTO_CONFIG_DIR", "no home directory to keep a key in")
	}
	cfg, _ := config.Load(ownConfig(d), true)
	if _, ok := cfg.Own["encryption"]; ok {
		return &pimento.Error{Op: "encrypt", Path: ownConfig(d), Kind: pimento.KindRefused, Err: errors.New("encryption is configured already"),
			Hint: `change the key "encryption" there by hand`}
	}
	path := filepath.Join(d.Config, identityName)
	if a.flags.dryRun {
		return a.wouldDo("make a key", path)
	}
	secret, public, err := crypt.NewIdentity()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(d.Config, 0o700); err != nil {
		return err
	}
	if err := writeNew(path, secret); err != nil {
		return err
	}
	choice := crypt.Choice{Recipients: []string{public}, Identity: identityName}
	if err := setOwn(ctx, d, "encryption", choice); err != nil {
		return errors.Join(err, os.Remove(path))
	}
	return a.print(map[string]string{"identity": path, "recipient": public}, func(p tool.Paint) string {
		return "Your secret key: " + p.Bold(path) + "\nWhoever loses it loses what is encrypted: keep a copy elsewhere.\nYour public key, for others: " + public + "\nNow: pimento encrypt PAGE"
	})
}

// writeNew writes a file that only its owner can read, and never over another.
func writeNew(path string, b []byte) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, os.ErrExist) {
		return &pimento.Error{Op: "encrypt", Path: path, Kind: pimento.KindRefused, Err: errors.New("there is a key already"),
			Hint: `name it in your config.json: "encryption": {"recipients": ["age1..."], "identity": "` + identityName + `"}`}
	}
	if err != nil {
		return err
	}
	_, err = f.Write(b)
	return errors.Join(err, f.Sync(), f.Close())
}
