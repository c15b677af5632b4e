package engine_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
)

// withSessions is the default profile with a section of past sessions.
const withSessions = `{"overrides": {"sections": {"sessions":
  {"zone": "tail", "pick": "sessions", "heading": "## Past sessions", "max": 3, "plain": true, "rank": 3}}}}`

func (w *world) configure(text string) {
	w.Helper()
	put(w, filepath.Join(w.dirs.Config, "config.json"), text)
}

// billing is a session about one matter.
func (w *world) billing(session string) {
	w.Helper()
	c := w.chat(session)
	for _, s := range []string{"why does the billing export time out at night?", "look at the cron job that feeds it", "ok",
		"then raise the statement timeout to ninety seconds"} {
		c.say(s)
	}
}

// What a user said in one session is found by a later one that asks about it,
// and only there: not in the session itself, not by "thanks", not for another
// matter or project.
func TestPastSessionsAreRecalled(t *testing.T) {
	w := newWorld(t)
	w.configure(withSessions)
	shop, other := w.at(repo(t, filepath.Join(w.home, "shop"))), w.at(repo(t, filepath.Join(w.home, "other")))
	shop.billing("first-session")
	shop.now = shop.now.Add(24 * time.Hour)
	c := shop.chat("second-session")
	wantIn(t, "the tail", c.say("what did we do about the billing export timeout?").Tail,
		"## Past sessions", "- **2026-03-14** (first-se): why does the billing export time out at night? | look at the cron job")
	wantOut(t, "the tail", c.say("thanks").Tail, "billing")
	wantOut(t, "the tail", c.say("paint the garden fence green").Tail, "Past sessions")
	wantOut(t, "the first session's tail", shop.chat("first-session").say("the billing export timeout again").Tail, "Past sessions")
	wantOut(t, "another project's tail", other.chat("x").say("what did we do about the billing export timeout?").Tail, "Past sessions")
}

// A session that is told that the model has a past already does not repeat it.
func TestPastSessionsAreShownOnce(t *testing.T) {
	w := newWorld(t)
	w.configure(withSessions)
	w.billing("first")
	c := w.branchChat("second")
	wantIn(t, "the tail", c.say("what about the billing export timeout?").Tail, "Past sessions")
	wantOut(t, "the next tail", c.say("and the billing export timeout?").Tail, "Past sessions")
}

func TestCompactionSummariesAreRecalled(t *testing.T) {
	w := newWorld(t)
	w.configure(withSessions)
	w.chat("a").event(pimento.AfterCompact, func(in *pimento.Turn) {
		in.Compaction, in.Summary = "c1", "## Goal\n\nThe zeppelin importer was rewritten to stream its rows instead of buffering them all."
	})
	w.chat("b").event(pimento.AfterCompact, func(in *pimento.Turn) { in.Compaction, in.Summary = "c2", "zeppelin: short" })
	w.run(func(e *engine.Engine) {
		hits, err := e.SearchSessions(t.Context(), "zeppelin importer", 10)
		w.must(err)
		if len(hits) != 1 || hits[0].Session != "a" || !strings.Contains(hits[0].Snippet, "stream its rows") {
			t.Errorf("%+v", hits)
		}
	})
}

// Nothing is kept where nobody asks for it: by a profile that recalls no
// sessions, where no record is wanted, where memory is off, of a hostile
// project; and never a secret.
func TestPastsAreKeptOnlyWhereTheyAreWanted(t *testing.T) {
	kept := func(w *world) string {
		var all string
		files, _ := filepath.Glob(filepath.Join(w.dirs.State, "pasts", "*.jsonl"))
		for _, f := range files {
			all += get(t, f)
		}
		return all
	}
	w := newWorld(t)
	w.billing("a")
	wantEmpty(t, "kept by the default profile", kept(w))
	w.configure(withSessions)
	w.chat("off").event(pimento.PromptTurn, func(in *pimento.Turn) { in.Off, in.Prompt = true, "a prompt that is silenced" })
	w.chat("no").event(pimento.PromptTurn, func(in *pimento.Turn) { in.Untrusted, in.Prompt = true, "a prompt in a bad place" })
	w.configure(strings.Replace(withSessions, "{", `{"traceEnabled": false, `, 1))
	w.billing("b")
	wantEmpty(t, "kept", kept(w))
	w.configure(withSessions)
	w.chat("secret").say("use the key AKIAIOSFODNN7EXAMPLQ for the upload")
	wantIn(t, "kept", kept(w), "for the upload")
	wantOut(t, "kept", kept(w), "AKIA")
}

func TestPurgeReachesPastSessions(t *testing.T) {
	w := newWorld(t)
	w.configure(withSessions)
	r := w.remember(engine.Note{Text: "the vault code is tulip", Scope: pimento.Global})
	c := w.chat("a")
	for _, s := range []string{"somebody wrote that the vault code is tulip", "and water the flowers", "and close the window"} {
		c.say(s)
	}
	w.run(func(e *engine.Engine) {
		hits, err := e.SearchSessions(t.Context(), "flowers", 10)
		w.must(err)
		if len(hits) != 1 {
			t.Fatalf("%+v", hits)
		}
		_, err = e.Purge(t.Context(), string(r.ID), engine.Actor{})
		w.must(err)
		hits, err = e.SearchSessions(t.Context(), "flowers", 10)
		w.must(err)
		if len(hits) != 0 {
			t.Errorf("%+v", hits)
		}
	})
	for _, dir := range []string{w.dirs.State, w.dirs.Cache} {
		w.must(filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() && strings.Contains(get(t, path), "tulip") {
				t.Errorf("%s holds it", path)
			}
			return nil
		}))
	}
}

func BenchmarkPastSessions(b *testing.B) {
	w := newWorld(b)
	w.configure(withSessions)
	words := strings.Fields("deploy pipeline staging database migration slow query rollback release index latency cache queue worker invoice billing export")
	w.chat("first").say("a message that makes the file")
	made, err := filepath.Glob(filepath.Join(w.dirs.State, "pasts", "*.jsonl"))
	if err != nil || len(made) != 1 {
		b.Fatal(made, err)
	}
	var lines strings.Builder
	for i := range 500 {
		var s strings.Builder
		for j := 0; s.Len() < 990; j++ {
			fmt.Fprintf(&s, "%s%d ", words[(i*7+j*3)%len(words)], (i*j)%50)
		}
		fmt.Fprintf(&lines, `{"session":"s%d","kind":"said","t":"2026-01-01T00:00:00Z","n":5,"text":%q}`+"\n", i, s.String())
	}
	put(b, made[0], lines.String())
	w.run(func(e *engine.Engine) { _, _ = e.SearchSessions(b.Context(), "billing7", 3) })
	b.Run("one-shot", func(b *testing.B) {
		for range b.N {
			w.run(func(e *engine.Engine) { _, _ = e.SearchSessions(b.Context(), "slow query7 in the billing3 export", 3) })
		}
	})
	e := w.serve()
	b.Run("served", func(b *testing.B) {
		for range b.N {
			_, _ = e.SearchSessions(b.Context(), "slow query7 in the billing3 export", 3)
		}
	})
}

// The situation report's own profile recalls past sessions, below what memory
// says, and not for "thanks".
func TestTheSituationRecallsPastSessions(t *testing.T) {
	w := newWorld(t)
	w.profile = "situation"
	w.page("topics/lessons.md", "- [done] The billing export was moved to the night.\n")
	w.billing("first-session")
	w.now = w.now.Add(24 * time.Hour)
	c := w.chat("second-session")
	wantOut(t, "the tail of a closer", c.say("thanks").Tail, "billing")
	tail := c.say("what did we do about the billing export timeout?").Tail
	wantIn(t, "the tail", tail, "# Relevant Past Sessions", "- **2026-03-14** (first-se): why does the billing export time out at night?")
	if strings.Index(tail, "# Contextually Relevant Memories") > strings.Index(tail, "# Relevant Past Sessions") {
		t.Errorf("sessions stand above memory:\n%s", tail)
	}
}

// A text is spoken of in other projects too, and kept there cut short.
func TestPurgeReachesPastsOfAllProjects(t *testing.T) {
	w := newWorld(t)
	w.configure(withSessions)
	long := "the vault code is tulip, said by the keeper of the " + strings.Repeat("second ", 30) + "floor"
	r := w.remember(engine.Note{Text: long, Scope: pimento.Global})
	shop := w.at(repo(t, filepath.Join(w.home, "shop")))
	c := shop.chat("a")
	for _, s := range []string{"somebody wrote that " + long, "and water the flowers", "and close the window"} {
		c.say(s)
	}
	wantIn(t, "kept", get(t, w.pastsFile()), "tulip")
	w.run(func(e *engine.Engine) {
		_, err := e.Purge(t.Context(), string(r.ID), engine.Actor{})
		w.must(err)
	})
	wantOut(t, "kept", get(t, w.pastsFile()), "tulip")
}

// pastsFile is the file of the only project that has past sessions.
func (w *world) pastsFile() string {
	w.Helper()
	names, err := filepath.Glob(filepath.Join(w.dirs.State, "pasts", "*.jsonl"))
	if err != nil || len(names) != 1 {
		w.Fatal(names, err)
	}
	return names[0]
}

// Records of a prompt hold no secret that stood in it.
func TestSecretsOfPromptsAreNotRecorded(t *testing.T) {
	w := newWorld(t)
	w.page("MEMORY.md", "- Deploys go through staging.\n")
	w.page("topics/deploys.md", "- The deploys wait for the canary.\n")
	w.chat("s").say("how do deploys go with AKIAIOSFODNN7EXAMPLQ and the canary?")
	if files := w.holding("AKIAIOSFODNN7EXAMPLQ"); files != nil {
		t.Errorf("it stands in %v", files)
	}
}
