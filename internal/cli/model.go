package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/pimento-memory/pimento/internal/config"
	"github.com/pimento-memory/pimento/internal/courier"
	"github.com/pimento-memory/pimento/internal/embed"
	"github.com/pimento-memory/pimento/internal/model"
	"github.com/pimento-memory/pimento/internal/tool"
	"github.com/pimento-memory/pimento/internal/vault"
)

func modelCmd(a *app) *command {
	cmd := &command{
		use:     "model [COMMAND]",
		long:    "An embedding model turns texts into vectors, so that a question finds what says the same in other words. Recall by words works without one.",
		example: "  pimento model pull bge-small-en-v1.5\n  pimento model use bge-small-en-v1.5",
		args:    noArgs,
		run:     func(ctx context.Context, _ []string) error { return a.modelList(ctx) },
	}
	cmd.add(&command{use: "list", short: "what is installed, in use", example: "  pimento model list --json", args: noArgs,
		run: func(ctx context.Context, _ []string) error { return a.modelList(ctx) }})
	cmd.add(modelPullCmd(a))
	cmd.add(modelUseCmd(a))
	cmd.add(&command{use: "rm NAME", short: "take it off the disk", example: "  pimento model rm all-MiniLM-L6-v2", args: count{1, 1},
		run: func(ctx context.Context, args []string) error { return a.modelRemove(ctx, args[0]) }})
	return cmd
}

func modelPullCmd(a *app) *command {
	var p model.Pull
	cmd := &command{
		use:   "pull NAME [SOURCE]",
		short: "install a model, or mend it",
		long: "Install a model: " + strings.Join(model.Known(), " or ") + ", or any BERT sentence model of that shape from SOURCE, which is an http(s) or file:// address, or a directory with config.json, vocab.txt and model.safetensors. " +
			"What was interrupted goes on where it stopped. The digests of the first pull hold for later ones. The network is reached through pimento-net.",
		example: "  pimento model pull bge-small-en-v1.5\n  pimento model pull ./my-model\n  pimento model pull small https://models.example.com/small --sha256 3f9c2a71...",
		args:    count{1, 2},
		run:     func(ctx context.Context, args []string) error { return a.modelPull(ctx, args, p) },
	}
	cmd.flagSet().StringVar(&p.SHA256, "sha256", "", "refuse weights of another digest than `HEX`")
	cmd.flagSet().BoolVar(&p.Update, "update", false, "take what the source has now, whatever an earlier pull found")
	return cmd
}

func modelUseCmd(a *app) *command {
	var c embed.Choice
	cmd := &command{
		use:   "use NAME|ADDRESS",
		short: "choose what embeds",
		long: "Choose what turns texts into vectors: the NAME of an installed model, static (the built-in table), none, or an endpoint, whose ADDRESS ends in /v1/embeddings or /api/embed. " +
			"Your memories' texts are sent to an endpoint. It is asked once, for the dimension of its vectors; with --dim it is not.",
		example: "  pimento model use bge-small-en-v1.5\n  pimento model use http://localhost:11434/api/embed --model nomic-embed-text\n  pimento model use https://api.example.com/v1/embeddings --model m --key-env EXAMPLE_KEY",
		args:    count{1, 1},
		run:     func(ctx context.Context, args []string) error { return a.modelUse(ctx, args[0], c) },
	}
	cmd.flagSet().StringVar(&c.Model, "model", "", "which `MODEL` of the endpoint")
	cmd.flagSet().StringVar(&c.KeyEnv, "key-env", "", "the environment `VARIABLE` that holds the endpoint's key")
	cmd.number(&c.Dim, "dim", 1, many, "the endpoint's vectors have `N` numbers")
	cmd.flagSet().StringVar(&c.QueryPrefix, "query-prefix", "", "put `TEXT` before a question")
	return cmd
}

// models is the store, and the directories.
func (a *app) models() (*model.Store, vault.Dirs, error) {
	d := a.dirs()
	if d.Data == "" || d.Config == "" {
		return nil, d, usageError("set HOME, or PIMENTO_DATA_DIR and PIMENTO_CONFIG_DIR", "no home directory to keep models in")
	}
	return model.OpenStore(filepath.Join(d.Data, "models")), d, nil
}

func ownConfig(d vault.Dirs) string { return filepath.Join(d.Config, config.Name) }

// setOwn sets one key of the user's own configuration.
func setOwn(ctx context.Context, d vault.Dirs, key string, value any) error {
	return vault.EditSmall(ctx, ownConfig(d), config.Set(ownConfig(d), true, key, value))
}

// chosen is the embedder that the user's own config.json names.
func (a *app) chosen(d vault.Dirs) (embed.Choice, error) {
	c, faults := config.Load(ownConfig(d), true)
	a.noteFaults(faults)
	return embed.ParseChoice(c.Own["embedder"])
}

func (a *app) modelList(ctx context.Context) error {
	store, d, err := a.models()
	if err != nil {
		return err
	}
	installed, err := store.List(ctx)
	if err != nil {
		return err
	}
	choice, err := a.chosen(d)
	if err != nil {
		a.note("%s", tool.Message(err))
	}
	embedder := choice.Value()
	if choice == (embed.Choice{}) {
		embedder = embed.BuiltIn
	}
	out := struct {
		Embedder any           `json:"embedder"`
		Dir      string        `json:"dir"`
		Models   []model.Model `json:"models"`
		Known    []string      `json:"known"`
	}{embedder, store.Dir(), installed, model.Known()}
	return a.print(out, func(p tool.Paint) string { return modelText(p, installed, choice) })
}

func modelText(p tool.Paint, installed []model.Model, choice embed.Choice) string {
	var b strings.Builder
	wide := 0
	for _, m := range installed {
		wide = max(wide, len(tool.Path(m.Name)))
	}
	here := false
	for _, m := range installed {
		mark := "  "
		if m.Name == choice.Name {
			mark, here = "* ", true
		}
		about := m.Source
		if m.Dim > 0 {
			about = fmt.Sprintf("%d numbers, %s, from %s", m.Dim, tool.Bytes(m.Bytes()), m.Source)
		}
		b.WriteString(tool.Hang(mark+p.Accent(tool.Pad(tool.Path(m.Name), wide))+"  ", tool.Printable(about), p.Width) + "\n")
	}
	if len(installed) == 0 {
		b.WriteString("No model is installed. Try: pimento model pull " + model.Known()[len(model.Known())-1] + "\n")
	}
	in := choice.Name
	switch {
	case choice.URL != "":
		in = strings.TrimSpace(choice.URL + " " + choice.Model)
	case in == "":
		in = embed.BuiltIn + " (the built-in table; nothing was chosen)"
	case !here && in != embed.None && in != embed.BuiltIn:
		in += p.Warn(" (not installed: pimento model pull " + in + ")")
	}
	b.WriteString("In use: " + in + "\n")
	return b.String()
}

func (a *app) modelPull(ctx context.Context, args []string, p model.Pull) error {
	store, _, err := a.models()
	if err != nil {
		return err
	}
	if p.Name, p.From, err = model.Locate(args, a.absolute); err != nil {
		return err
	}
	if a.flags.dryRun {
		return a.wouldDo("install "+p.Name+" from "+p.From, "")
	}
	p.Net = courier.New(a.helper()...)
	defer p.Net.Close()
	bar := &progress{out: a.env.Stderr, paint: a.errPaint(), live: a.live(a.env.Stderr)}
	p.Progress = bar.show
	m, err := store.Pull(ctx, p)
	bar.end()
	if err != nil {
		return err
	}
	dir := filepath.Join(store.Dir(), m.Name)
	return a.print(struct {
		model.Model
		Dir string `json:"dir"`
	}{m, dir}, func(p tool.Paint) string {
		return fmt.Sprintf("Installed %s: %d numbers, %s\n  %s\nUse it: pimento model use %s", p.Accent(m.Name), m.Dim, tool.Bytes(m.Bytes()), p.Faint(dir), m.Name)
	})
}

func (a *app) modelUse(ctx context.Context, name string, flags embed.Choice) error {
	store, d, err := a.models()
	if err != nil {
		return err
	}
	c := embed.NamedChoice(name)
	if c.URL != "" {
		flags.URL = c.URL
		c = flags
	} else if flags != (embed.Choice{}) {
		return usageError("they are for an address; a model says itself what it needs", "--model, --key-env, --dim and --query-prefix do not go with %s", tool.OneLine(name, 60))
	}
	if err := a.tryChoice(ctx, &c, store); err != nil {
		return err
	}
	if a.flags.dryRun {
		return a.wouldDo("use "+name, "")
	}
	path := ownConfig(d)
	if err := setOwn(ctx, d, "embedder", c.Value()); err != nil {
		return err
	}
	return a.print(map[string]any{"embedder": c.Value(), "path": path}, func(tool.Paint) string {
		if c.Name == embed.None {
			return "No embedder is in use now. Written: " + path
		}
		return name + " embeds from now on. Written: " + path
	})
}

// tryChoice opens what is about to be written down, so that a mistake shows
// now and not on a prompt, and takes an endpoint's dimension. With a dimension
// given, an endpoint is not asked.
func (a *app) tryChoice(ctx context.Context, c *embed.Choice, store *model.Store) error {
	if err := c.Check(); err != nil {
		return err
	}
	switch {
	case c.URL == "" && (c.Name == embed.None || c.Name == embed.BuiltIn):
		return nil
	case c.URL == "":
		if err := store.Installed(ctx, c.Name); err != nil {
			return err
		}
	case c.Dim > 0 || a.flags.dryRun:
		return nil
	}
	places := embed.Places{Models: store.Dir(), Helper: a.helper()}
	if c.KeyEnv != "" {
		if places.Key = a.env.Getenv(c.KeyEnv); places.Key == "" {
			return usageError("set it, then try again", "the variable %s holds no key", tool.OneLine(c.KeyEnv, 60))
		}
	}
	e, err := embed.Open(ctx, *c, places)
	if err != nil {
		return err
	}
	if c.URL != "" {
		c.Dim = e.Info().Dim
	}
	return e.Close()
}

func (a *app) modelRemove(ctx context.Context, name string) error {
	store, d, err := a.models()
	if err != nil {
		return err
	}
	if a.flags.dryRun {
		if err := store.Installed(ctx, name); err != nil {
			return err
		}
		return a.wouldDo("remove "+name, "")
	}
	if err := store.Remove(ctx, name); err != nil {
		return err
	}
	if c, err := a.chosen(d); err == nil && c.Name == name {
		a.note("%s is still chosen in %s; choose another: pimento model use none", name, ownConfig(d))
	}
	return a.print(map[string]any{"name": name, "removed": true}, func(tool.Paint) string { return "Removed " + name + "." })
}

// preferredModel is used where it is installed and nothing else was chosen.
const preferredModel = "bge-small-en-v1.5"

func preferred(d vault.Dirs) embed.Choice {
	if d.Data != "" {
		if _, err := os.Stat(filepath.Join(d.Data, "models", preferredModel, "pimento.json")); err == nil {
			return embed.NamedChoice(preferredModel)
		}
	}
	return embed.Choice{}
}

// openEmbedder opens an installed model or an endpoint for the engine.
func (a *app) openEmbedder(ctx context.Context, c embed.Choice) (embed.Embedder, error) {
	store, _, err := a.models()
	if err != nil {
		return nil, err
	}
	return embed.Open(ctx, c, embed.Places{Models: store.Dir(), Helper: a.helper(), Key: a.env.Getenv(c.KeyEnv)})
}

// helper is the program that reaches the network.
func (a *app) helper() []string { return []string{ours("pimento-net")} }
