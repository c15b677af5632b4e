package engine

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/glean"
	"github.com/pimento-memory/pimento/internal/recall"
	"github.com/pimento-memory/pimento/internal/text"
)

// gather puts into the inbox what the project's files, the agent's work and the
// user's repeating themselves show. It runs once the answer is out, and what
// goes wrong in it costs a proposal.
func (t *turn) gather(ctx context.Context) {
	if !t.mayGather() || t.Untrusted {
		return
	}
	switch t.Event {
	case pimento.SessionStart:
		t.gatherFiles(ctx)
	case pimento.TurnEnd:
		t.gatherHabits(ctx)
	case pimento.PromptTurn:
		t.gatherSayings(ctx)
	}
}

// mayGather says whether what is seen and said may be kept.
func (t *turn) mayGather() bool {
	return t.keeps() && !t.Look && t.v.capture != captureOff && t.v.diary() != nil
}

// stage proposes a text for the project, unless memory says it in other words.
func (t *turn) stage(ctx context.Context, p pimento.Proposal) {
	p.Scope = t.v.defaultScope()
	_, _ = t.e.propose(ctx, t.v, p, Actor{Name: "harness", Session: t.Session})
}

// sourceBytes is how much of a project's file is read.
const sourceBytes = 256 << 10

// gatherFiles proposes the commands that the project's files name. The files are
// a stranger's: what they say waits for a yes, like all that is found here.
func (t *turn) gatherFiles(ctx context.Context) {
	if !t.v.profile.Overhear.Files || !t.v.hasProject {
		return
	}
	for _, c := range glean.Commands(projectFiles(t.v.project.Dir)) {
		if t.knows(ctx, c) {
			continue
		}
		t.stage(ctx, pimento.Proposal{Text: c.Text(), Kind: pimento.KindPattern, Cue: "structural", Source: "structural",
			Reason: c.From + " says so"})
	}
}

// projectFiles are the files at the top of a project that name its commands.
// Symbolic links that lead out of the project are not followed.
func projectFiles(dir string) map[string]string {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil
	}
	defer root.Close()
	names := glean.Sources()
	if list, err := fs.ReadDir(root.FS(), glean.Workflows); err == nil {
		for _, d := range list[:min(len(list), 20)] {
			if name := d.Name(); strings.HasSuffix(name, ".yml") || strings.HasSuffix(name, ".yaml") {
				names = append(names, glean.Workflows+"/"+name)
			}
		}
	}
	files := map[string]string{}
	for _, name := range names {
		info, err := root.Lstat(name)
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		f, err := root.Open(name)
		if err != nil {
			continue
		}
		if b, err := io.ReadAll(io.LimitReader(f, sourceBytes)); err == nil {
			files[name] = string(b)
		}
		_ = f.Close()
	}
	return files
}

// knows says whether an entry names a command already, in whatever words, or a
// program that is used in the place of the command's.
func (t *turn) knows(ctx context.Context, c glean.Command) bool {
	return slices.ContainsFunc(append(c.Rivals(), c.Line), func(phrase string) bool {
		a := t.e.answer(ctx, t.v, pimento.Query{Text: phrase, Mode: pimento.Keyword, Limit: 20, Now: t.e.Now()}, recall.Options{})
		return slices.ContainsFunc(a.Hits, func(h pimento.Hit) bool { return text.HasPhrase(h.Entry.Text, phrase) })
	})
}

// habits are the commands of this turn that test, build or check, and went well.
func (t *turn) habits() (out []glean.Command) {
	for _, u := range t.Tools {
		c, ok := glean.Habit(u.Command)
		if ok && !u.Error && !slices.ContainsFunc(out, func(o glean.Command) bool { return o.Line == c.Line }) {
			out = append(out, c)
		}
	}
	return out
}

// gatherHabits proposes a command that was run in so many sessions. The journal
// keeps digests; the command itself is the one that was run just now.
func (t *turn) gatherHabits(ctx context.Context) {
	enough, now := t.v.profile.Overhear.Habits, t.habits()
	if enough == 0 || len(now) == 0 {
		return
	}
	sessions := map[string]map[string]bool{}
	_ = t.v.diary().journal.Each(ctx, []pimento.EventType{pimento.Acted}, func(ev pimento.Event) {
		var d pimento.Deed
		if ev.Project != t.v.project.ID || json.Unmarshal(ev.Data, &d) != nil {
			return
		}
		for _, digest := range d.Ran {
			if sessions[digest] == nil {
				sessions[digest] = map[string]bool{}
			}
			sessions[digest][ev.Session] = true
		}
	})
	for _, c := range now {
		n := len(sessions[digestOf(c.Line)])
		if n < enough || t.knows(ctx, c) {
			continue
		}
		t.stage(ctx, pimento.Proposal{Text: c.Text(), Kind: pimento.KindPattern, Cue: "behavioral", Source: "behavioral",
			Reason: fmt.Sprintf("it was run in %d sessions", n)})
	}
}

// gatherSayings keeps what the user corrected or prescribed, and proposes what
// they said in so many sessions, in the words in which they said it first.
func (t *turn) gatherSayings(ctx context.Context) {
	enough := t.v.profile.Overhear.Repeats
	if enough == 0 || t.ByAgent {
		return
	}
	said := slices.DeleteFunc(glean.Standing(t.Prompt), func(s string) bool {
		return slices.Contains(t.taken, s) || glean.Echo(s, t.shownTexts(ctx))
	})
	if len(said) == 0 {
		return
	}
	st := t.v.diary()
	var evs []pimento.Event
	var sayings []glean.Saying
	_ = st.journal.Each(ctx, []pimento.EventType{pimento.Heard}, func(ev pimento.Event) {
		if ev.Project == t.v.project.ID {
			sayings = append(sayings, glean.Saying{Text: ev.Text, Session: ev.Session})
		}
	})
	for _, s := range said[:min(len(said), 3)] {
		sayings = append(sayings, glean.Saying{Text: s, Session: t.Session})
		evs = append(evs, pimento.Event{ID: t.e.newID(), Time: t.e.Now(), Type: pimento.Heard, Statement: pimento.StatementOf(s),
			Text: text.ClipBytes(s, 400), Actor: "user", Session: t.Session, Project: t.v.project.ID})
		if first, n := glean.Recurring(s, sayings); n >= enough {
			t.stage(ctx, pimento.Proposal{Text: first, Kind: pimento.KindLesson, Cue: "recurrence", Source: "recurrence",
				Reason: fmt.Sprintf("you said so in %d sessions", n)})
		}
	}
	_ = st.journal.Note(ctx, evs)
}

// digestOf tells two texts apart without keeping them.
func digestOf(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:8])
}
