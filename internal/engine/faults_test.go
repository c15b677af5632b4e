package engine_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
)

func TestAnUnknownProfile(t *testing.T) {
	w := newWorld(t)
	library(w)
	want := w.chat("s").say("hello")
	w.profile = "nonesuch"
	b := w.chat("t").say("hello")
	if b.Profile != "default" || b.Prefix != want.Prefix {
		t.Errorf("profile %s:\n%s", b.Profile, b.Prefix)
	}
	wantIn(t, "faults", fmt.Sprint(b.Faults), "nonesuch")
	w.run(func(e *engine.Engine) {
		_, err := e.LoadProfile("nonesuch")
		wantKind(t, err, pimento.KindUsage)
		_, err = e.ProfileUse(t.Context(), "nonesuch", true)
		wantKind(t, err, pimento.KindUsage)
		_, err = e.Remember(t.Context(), engine.Note{Text: "A note.", Scope: "nowhere"})
		wantKind(t, err, pimento.KindUsage)
	})
}

func TestAMalformedConfigIsNamedWithLineAndColumn(t *testing.T) {
	for _, where := range []string{"user", "global", "project"} {
		t.Run(where, func(t *testing.T) {
			w := newWorld(t)
			library(w)
			w.remember(engine.Note{Text: "The projectword.", Scope: pimento.Project})
			want := w.chat("s").say("hello")
			path := map[string]string{"user": filepath.Join(w.dirs.Config, "config.json"), "global": w.global("config.json"),
				"project": filepath.Join(w.dir, ".pi/memory/config.json")}[where]
			bad := "{\n  \"profile\": \"daybook\",\n  \"enabled\": flase\n}\n"
			put(t, path, bad)
			b := w.chat("t").say("hello")
			if b.Prefix != want.Prefix {
				t.Errorf("%s", b.Prefix)
			}
			wantIn(t, "faults", fmt.Sprint(b.Faults), path+":3:15")
			w.run(func(e *engine.Engine) {
				if _, err := e.ProfileUse(t.Context(), "daybook", where == "user"); where != "global" && err == nil {
					t.Error("a malformed config was changed")
				}
			})
			if got := get(t, path); got != bad {
				t.Errorf("overwritten:\n%s", got)
			}
		})
	}
}

func TestInvalidDates(t *testing.T) {
	w := newWorld(t)
	w.page("daily/2026-02-30.md", "<!-- 2026-99-99 99:99:99 [x] -->\nThe dateword.\n")
	w.page("daily/tomorrow.md", "- The otherword.\n")
	w.run(func(e *engine.Engine) {
		for _, d := range []string{"2026-02-30", "yesterday", "2026-2-3", "../x", "2026-01-01/../../x", "\x00"} {
			_, err := e.Daily(t.Context(), d)
			wantKind(t, err, pimento.KindUsage)
		}
		_, err := e.Daily(t.Context(), "2020-01-01")
		w.must(err)
	})
	wantNoFaults(t, w.chat("s").say("dateword"))
}

// turns draws turns of every sort, sensible or not.
func turns() *rapid.Generator[pimento.Turn] {
	odd := rapid.OneOf(rapid.SampledFrom([]string{"", "s", "t", "ok", "\x00", "../..", "\xff", gadgetPrompt, "pi", "<pimento-memory>",
		strings.Repeat("gadget walnut ", 5000)}), rapid.String())
	return rapid.Custom(func(t *rapid.T) pimento.Turn {
		in := pimento.Turn{
			Event: pimento.TurnEvent(rapid.OneOf(rapid.SampledFrom([]string{"session_start", "prompt", "prompt", "prompt", "tool_used",
				"turn_end", "before_compact", "after_compact", "session_end", ""}), rapid.String()).Draw(t, "event")),
			Harness: odd.Draw(t, "harness"), Session: odd.Draw(t, "session"), Parent: odd.Draw(t, "parent"), Dir: odd.Draw(t, "dir"),
			Prompt: odd.Draw(t, "prompt"), Reason: odd.Draw(t, "reason"), SystemTokens: rapid.Int().Draw(t, "system"),
			Off: rapid.Bool().Draw(t, "off"), Untrusted: rapid.Bool().Draw(t, "untrusted"), Compaction: odd.Draw(t, "compaction"),
		}
		if rapid.Bool().Draw(t, "knows") {
			in.InContext = rapid.SliceOfN(odd, 0, 5).Draw(t, "context")
		}
		return in
	})
}

func TestATurnNeverPanicsOnGarbage(t *testing.T) {
	w := newWorld(t)
	library(w)
	repo(t, w.dir)
	w.remember(engine.Note{Text: "The projectword.", Scope: pimento.Project})
	serve, once := w.serve(), w.open()
	defer once.Close()
	rapid.Check(t, func(rt *rapid.T) {
		e := once
		if rapid.Bool().Draw(rt, "serve") {
			e = serve
		}
		if rapid.Float64Range(0, 1).Draw(rt, "edit") > 0.8 {
			w.page("topics/rapid.md", "- "+rapid.String().Draw(rt, "page"))
		}
		r := e.Turn(t.Context(), turns().Draw(rt, "turn"))
		if r.After == nil {
			rt.Fatal("no After")
		}
		r.After(context.Background())
	})
}

func TestAMegabytePromptAnswersWithinItsDeadline(t *testing.T) {
	w := newWorld(t)
	library(w)
	b := w.chat("s").say(strings.Repeat("unheard of words gadget03 walnut grams ", 30000))
	wantNoFaults(t, b)
	if b.Prefix == "" {
		t.Error("no prefix")
	}
}

func TestACancelledTurnLeavesTheEngineWhole(t *testing.T) {
	w := newWorld(t)
	library(w)
	w.remember(engine.Note{Text: "The projectword.", Scope: pimento.Project})
	for _, serve := range []bool{false, true} {
		e := w.open()
		if serve {
			_ = e.Close()
			e = w.serve()
		}
		turn := func(ctx context.Context, session string) pimento.Block {
			r := e.Turn(ctx, pimento.Turn{Event: pimento.PromptTurn, Harness: "pi", Session: session, Prompt: gadgetPrompt})
			r.After(ctx)
			return r.Block
		}
		first := turn(t.Context(), fmt.Sprint("a", serve))
		cancelled, cancel := context.WithCancel(t.Context())
		cancel()
		for i := range 3 {
			b := turn(cancelled, fmt.Sprint("b", i, serve))
			wantIn(t, "prefix of a cancelled turn", b.Prefix, "projectword", "staging cluster")
		}
		b := turn(t.Context(), fmt.Sprint("c", serve))
		wantNoFaults(t, b)
		if b.Prefix != first.Prefix || b.Tail != first.Tail {
			t.Errorf("after a cancelled turn:\n%s\n%s", b.Prefix, b.Tail)
		}
		_ = e.Close()
	}
}

func TestOneEngineServesManySessionsAtOnce(t *testing.T) {
	w := newWorld(t)
	library(w)
	e := w.serve()
	var wg sync.WaitGroup
	for i := range 6 {
		wg.Go(func() {
			c := w.chat(fmt.Sprint("s", i))
			c.engine = e
			prefix := c.say("hello").Prefix
			for j := range 5 {
				if i%3 == 0 {
					_, err := e.Remember(t.Context(), engine.Note{Text: fmt.Sprintf("Session %d wrote number %d.", i, j), Scope: pimento.Global, Page: "topics/s"})
					if err != nil {
						t.Errorf("%v", err)
					}
				}
				b := c.say(fmt.Sprintf("gadget%02d walnut", i+j))
				if b.Prefix != prefix {
					t.Error("the prefix changed")
				}
			}
			c.news()
			all := strings.Join(c.texts, "")
			for j := range 5 {
				if n := strings.Count(all, fmt.Sprintf("Session %d wrote number %d.", i/3*3, j)); i%3 == 0 && n != 1 {
					t.Errorf("session %d was told %d times of write %d", i, n, j)
				}
			}
		})
	}
	wg.Wait()
}

func TestFullAndOddFiles(t *testing.T) {
	w := newWorld(t)
	library(w)
	w.page("topics/bin.md", "\x00\x01\x02- [fact] The binaryword.\n\xff\xfe")
	w.page("topics/empty.md", "")
	w.page("topics/huge.md", "- [fact] The hugeword.\n"+strings.Repeat("- [fact] Filling of no interest.\n", 20000))
	w.page("topics/conflict.md", "<<<<<<< ours\n- [fact] The oursword.\n=======\n- [fact] The theirsword.\n>>>>>>> theirs\n")
	w.mkdir(w.global("topics/folder.md"))
	f, err := os.OpenFile(w.global("topics/sparse.md"), os.O_CREATE|os.O_WRONLY, 0o644)
	w.must(err)
	w.must(f.Truncate(65 << 20))
	w.must(f.Close())
	b := w.chat("s").say("what is the hugeword?")
	wantIn(t, "tail", b.Tail, "hugeword")
	wantOut(t, "block", b.Prefix+b.Tail, "\x00")
	w.run(func(e *engine.Engine) {
		checks := e.Doctor(t.Context())
		wantIn(t, "doctor", fmt.Sprint(checks), "sparse.md", "conflict")
		_, err = e.Remember(t.Context(), engine.Note{Text: "Into a conflict.", Scope: pimento.Global, Page: "topics/conflict"})
		w.must(err)
	})
}

// TestTracesCanBeSwitchedOff: a user who wants no record of prompts gets
// none, and answers all the same.
func TestTracesCanBeSwitchedOff(t *testing.T) {
	w := newWorld(t)
	w.page("MEMORY.md", three)
	put(t, filepath.Join(w.dirs.Config, "config.json"), `{"traceEnabled": false}`)
	w.run(func(e *engine.Engine) {
		r := e.Turn(t.Context(), pimento.Turn{Event: pimento.PromptTurn, Harness: "pi", Session: "s", Prompt: "hello"})
		r.After(t.Context())
		if r.Block.Prefix == "" {
			t.Error("no block")
		}
		if list, err := e.Traces(t.Context(), 0); err != nil || len(list) > 0 {
			t.Errorf("traces %v, %v", list, err)
		}
	})
}
