package engine_test

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"github.com/pimento-memory/pimento/internal/engine"
)

// pause switches memory off or on for a conversation, or has it take a new prefix.
func (k *walk) pause(*rapid.T) {
	h, ctx := k.someone(), context.Background()
	e := k.command(h.project)
	switch what := rapid.SampledFrom([]string{"off", "on", "on", "refresh"}).Draw(k.T, "pause"); what {
	case "refresh":
		h.w.must(e.Refresh(ctx, "pi", h.turn.Session))
	default:
		h.off = what == "off"
		h.w.must(e.Silence(ctx, "pi", h.turn.Session, h.off))
	}
	h.stale = true
}

// fork goes on with a conversation in another one, which begins with the same prefix.
func (k *walk) fork(*rapid.T) {
	h := k.someone()
	if !h.branch || h.off || len(k.chats) > 5 {
		return
	}
	f := *h
	f.unsure = slices.Clone(h.unsure)
	f.chat, f.lines = h.chat.fork(fmt.Sprint("s", len(k.chats))), slices.Clone(h.lines)
	k.chats = append(k.chats, &f)
	k.tell(&f)
}

// agree takes the yes to a project's memory back, or gives it again.
func (k *walk) agree(*rapid.T) {
	i, ctx, before := k.project(), context.Background(), k.files()
	var err error
	if k.inert[i] {
		_, err = k.command(i).Trust(ctx, "")
	} else {
		_, err = k.command(i).Untrust(ctx)
	}
	k.at[i].must(err)
	k.inert[i] = !k.inert[i]
	if k.trees {
		k.inert[1-i] = k.inert[i]
	}
	k.same(before)
	for _, h := range k.chats {
		if h.project == i || k.trees {
			h.stale, h.wary = true, true // what nobody may read can have changed unseen
		}
	}
}

// checkout is what git does to the files of a project: it puts those of another
// branch in their place, all at once.
func (k *walk) checkout(*rapid.T) {
	i := k.project()
	all := k.files()
	maps.DeleteFunc(all, func(path, _ string) bool {
		_, p, rel := k.rel(path)
		return p != i || rel == "MEMORY.local.md"
	})
	to := k.branches[i]
	if to == nil || rapid.IntRange(0, 2).Draw(k.T, "commit") == 0 {
		k.branches[i] = all
		return
	}
	k.Logf("checkout of %s: %q", k.at[i].dir, to)
	for path := range all {
		if _, ok := to[path]; !ok {
			_ = os.Remove(path)
			_ = os.Remove(filepath.Dir(path)) // as git does, once it is empty
		}
	}
	for path, text := range to {
		if was, ok := all[path]; !ok || was != text {
			put(k.at[i], path, text)
		}
	}
	if rapid.Bool().Draw(k.T, "commit first") {
		k.branches[i] = all
	}
}

// onlyAgreed wants nothing of a project in front of a model that may not be read.
func (k *walk) onlyAgreed(project int, what, text string) {
	if !k.inert[project] {
		return
	}
	for _, w := range word.FindAllString(text, -1) {
		if !k.shared[w] {
			k.Fatalf("%s of a project without consent: %s\n%s", what, w, text)
		}
	}
}

// command is the process that a command runs in: the one that serves the project, or
// one of its own beside it.
func (k *walk) command(i int) *engine.Engine {
	if k.shell != nil {
		k.at[i].must(k.shell.Close())
		k.shell = nil
	}
	if rapid.Bool().Draw(k.T, "in a shell") {
		k.shell = k.at[i].open()
		return k.shell
	}
	return k.engine(i)
}

// nowhere wants no file to hold what was purged and did not come back.
func (k *walk) nowhere() {
	home := k.at[0].home
	_ = filepath.WalkDir(home, func(p string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return nil
		}
		b, _ := os.ReadFile(p)
		for _, text := range k.gone {
			if at := bytes.Index(b, []byte(text)); at >= 0 {
				k.Fatalf("%s, purged, stands in %s: %q", text, strings.TrimPrefix(p, home), b[max(0, at-200):min(len(b), at+200)])
			}
		}
		return nil
	})
}

func (k *walk) someone() *heard {
	return k.chats[rapid.IntRange(0, len(k.chats)-1).Draw(k.T, "chat")]
}
