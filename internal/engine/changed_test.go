package engine_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
)

// both runs a test with a harness that knows its branch and with one that does
// not, each served by one process and by one for each prompt.
func both(t *testing.T, f func(t *testing.T, w *world, c *chat)) {
	t.Helper()
	for _, branch := range []bool{false, true} {
		for _, served := range []bool{false, true} {
			t.Run(fmt.Sprintf("branch=%v,served=%v", branch, served), func(t *testing.T) {
				w := newWorld(t)
				c := w.chat("s")
				if c.branch = branch; served {
					c.engine = w.serve()
				}
				f(t, w, c)
			})
		}
	}
}

const three = "# Memory\n- Alpha likes apples.\n- Bravo likes bananas.\n- Charlie likes cherries.\n"

func TestHandEditsAreToldOnce(t *testing.T) {
	both(t, func(t *testing.T, w *world, c *chat) {
		w.page("MEMORY.md", three)
		w.page("SCRATCHPAD.md", "# Scratchpad\n\n- [ ] Buy a lathe\n- [x] Paint the shed\n")
		prefix := c.say("hello").Prefix
		wantIn(t, "prefix", prefix, "apples", "bananas", "cherries", "lathe")
		wantEmpty(t, "tail", c.texts[0])
		told := func(what string, wants ...string) {
			t.Helper()
			tail := c.news()
			wantIn(t, what, tail, wants...)
			if n := strings.Count(tail, "\n- "); n != 1 {
				t.Errorf("%s: %d changes told, want 1:\n%s", what, n, tail)
			}
			wantEmpty(t, what+" again", c.news())
		}
		w.page("MEMORY.md", three+"- Delta likes dates.\n")
		told("added", "added: Delta likes dates.")
		w.page("MEMORY.md", strings.Replace(three, "bananas", "blueberries", 1)+"- Delta likes dates.\n")
		told("edited", "edited: Bravo likes bananas. -> Bravo likes blueberries.")
		w.page("MEMORY.md", strings.Replace(three, "bananas", "blueberries", 1))
		told("withdrawn of what only a tail told", "withdrawn: Delta likes dates.")
		w.page("MEMORY.md", strings.Replace(strings.Replace(three, "bananas", "blueberries", 1), "- Charlie likes cherries.\n", "", 1))
		told("withdrawn of what the prefix showed", "withdrawn: Charlie likes cherries.")
		w.page("SCRATCHPAD.md", "# Scratchpad\n\n- [x] Buy a lathe\n- [x] Paint the shed\n")
		told("ticked", "done: Buy a lathe")
		w.page("SCRATCHPAD.md", "# Scratchpad\n\n- [x] Buy a lathe\n- [ ] Paint the shed\n")
		told("opened again", "Paint the shed")
		if got := c.say("hello").Prefix; got != prefix {
			t.Errorf("the prefix changed")
		}
	})
}

// An event keeps the beginning of a text only. Whoever is told of it takes it for the
// whole, and is not shown it again.
func TestALongAdditionIsToldWhole(t *testing.T) {
	both(t, func(t *testing.T, w *world, c *chat) {
		w.page("MEMORY.md", three)
		c.say("hello")
		long := func(n int) string {
			return "- Delta likes dates. " + strings.Repeat("They are sweet and brown and come from the palm. ", n) + "The vault is opened with a quartz crystal.\n"
		}
		w.page("MEMORY.md", three+long(12))
		wantIn(t, "the news", c.news(), "added: Delta likes dates.", "quartz crystal. (global)")
		wantEmpty(t, "the news, told once", c.news())
		w.page("MEMORY.md", three)
		wantIn(t, "the news", c.news(), "withdrawn: Delta likes dates.")
		w.page("MEMORY.md", three+long(200))
		wantIn(t, "the news", c.news(), "Delta likes dates.", "palm", " … (global)")
	})
}

// Who pins an entry wants the model to have it, and not only in the next session.
func TestWhatIsPinnedIsTold(t *testing.T) {
	both(t, func(t *testing.T, w *world, c *chat) {
		w.page("MEMORY.md", three)
		w.page("topics/rules.md", "- Release notes are in British English.\n")
		w.profile = "daybook" // which shows no topic page
		c.say("hello")
		pin := func(text string, on bool) {
			t.Helper()
			w.run(func(e *engine.Engine) {
				_, err := e.Pin(t.Context(), string(pimento.StatementOf(text)), on, engine.Actor{Name: "user"})
				w.must(err)
			})
		}
		pin("Alpha likes apples.", true)
		wantEmpty(t, "the news of what is in front of the model", c.news())
		pin("Release notes are in British English.", true)
		wantIn(t, "the news", c.news(), "- pinned: Release notes are in British English. (global)")
		wantEmpty(t, "the news, told once", c.news())
		pin("Release notes are in British English.", false)
		wantEmpty(t, "the news of what is no longer pinned", c.news())
	})
}

func TestWhatComesToNothingIsNotTold(t *testing.T) {
	for name, edit := range map[string]func(look func(), w *world){
		"added and removed": func(look func(), w *world) {
			w.page("MEMORY.md", three+"- Echo likes elderberries.\n")
			look()
			w.page("MEMORY.md", three)
		},
		"removed and added": func(look func(), w *world) {
			w.page("MEMORY.md", strings.Replace(three, "- Bravo likes bananas.\n", "", 1))
			look()
			w.page("MEMORY.md", three)
		},
		"edited and back": func(look func(), w *world) {
			w.page("MEMORY.md", strings.Replace(three, "bananas", "berries", 1))
			look()
			w.page("MEMORY.md", three)
		},
		"ticked and back": func(look func(), w *world) {
			w.page("SCRATCHPAD.md", "- [x] Buy a lathe\n")
			look()
			w.page("SCRATCHPAD.md", "- [ ] Buy a lathe\n")
		},
		"moved to a newer page": func(look func(), w *world) {
			w.page("MEMORY.md", strings.Replace(three, "- Bravo likes bananas.\n", "", 1))
			w.page("topics/fruit.md", "- Bravo likes bananas.\n")
		},
		"moved from a newer page": func(look func(), w *world) {
			w.page("topics/fruit.md", "- Bravo likes bananas.\n")
			w.page("MEMORY.md", strings.Replace(three, "- Bravo likes bananas.\n", "", 1))
		},
		"moved from a newer page, seen in between": func(look func(), w *world) {
			w.page("topics/fruit.md", "- Bravo likes bananas.\n")
			look()
			w.page("MEMORY.md", strings.Replace(three, "- Bravo likes bananas.\n", "", 1))
		},
		"moved on the page": func(look func(), w *world) {
			w.page("MEMORY.md", "# Memory\n- Charlie likes cherries.\n- Bravo likes bananas.\n- Alpha likes apples.\n")
		},
		"said twice and once again": func(look func(), w *world) {
			w.page("MEMORY.md", three+"- Bravo likes bananas.\n")
			look()
			w.page("MEMORY.md", three)
		},
		"renamed page": func(look func(), w *world) {
			w.must(os.Rename(w.global("topics/old.md"), w.global("topics/new.md")))
		},
		"headings, blank lines and pins": func(look func(), w *world) {
			w.page("MEMORY.md", "# Memory\n\n## Fruit\n\n* Alpha likes apples.\n- Bravo likes bananas. *(pinned)*\n- [preference] Charlie likes cherries.\n")
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.page("MEMORY.md", three)
			w.page("SCRATCHPAD.md", "- [ ] Buy a lathe\n")
			w.page("topics/old.md", "- Zulu likes zucchini.\n")
			c := w.branchChat("s")
			c.say("hello")
			other := w.chat("other")
			edit(func() { other.say("hello") }, w)
			wantEmpty(t, "tail", c.news())
		})
	}
}

func TestEditedTwiceIsToldAsOldToNewest(t *testing.T) {
	both(t, func(t *testing.T, w *world, c *chat) {
		w.page("MEMORY.md", three)
		c.say("hello")
		w.page("MEMORY.md", strings.Replace(three, "bananas", "berries", 1))
		w.chat("other").say("hello")
		w.page("MEMORY.md", strings.Replace(three, "bananas", "broccoli", 1))
		tail := c.news()
		wantIn(t, "tail", tail, "Bravo likes bananas. -> Bravo likes broccoli.")
		wantOut(t, "tail", tail, "berries")
		w.page("MEMORY.md", strings.Replace(three, "bananas", "beans", 1))
		tail = c.news()
		wantIn(t, "tail", tail, "-> Bravo likes beans.")
		w.page("MEMORY.md", three)
		wantIn(t, "tail of going back after it was told", c.news(), "-> Bravo likes bananas.")
		wantEmpty(t, "tail", c.news())
	})
}

func TestAnEditOfOneOfTwoDoesNotTakeBackTheOther(t *testing.T) {
	both(t, func(t *testing.T, w *world, c *chat) {
		w.page("MEMORY.md", three)
		w.page("topics/fruit.md", "- Bravo likes bananas.\n")
		c.say("hello")
		w.page("topics/fruit.md", "- Bravo likes berries.\n")
		tail := c.news()
		wantIn(t, "tail", tail, "added: Bravo likes berries.")
		wantOut(t, "tail", tail, "bananas")
		w.page("MEMORY.md", strings.Replace(three, "bananas", "beans", 1))
		wantIn(t, "tail", c.news(), "Bravo likes bananas. -> Bravo likes beans.")
	})
}

func TestWhatWasToldWithdrawnAndStandsAgain(t *testing.T) {
	both(t, func(t *testing.T, w *world, c *chat) {
		w.page("MEMORY.md", three)
		c.say("hello")
		for range 2 {
			w.page("MEMORY.md", strings.Replace(three, "- Bravo likes bananas.\n", "", 1))
			wantIn(t, "tail", c.news(), "withdrawn: Bravo likes bananas.")
			w.page("MEMORY.md", three)
			wantIn(t, "tail", c.news(), "valid again: Bravo likes bananas.")
			wantEmpty(t, "tail", c.news())
		}
	})
}

func TestWhatWasEditedUntoldAndIsGoneIsWithdrawnAsItWas(t *testing.T) {
	both(t, func(t *testing.T, w *world, c *chat) {
		w.page("MEMORY.md", three)
		w.page("SCRATCHPAD.md", "- [ ] Buy a lathe\n")
		c.say("hello")
		other := w.chat("other")
		w.page("MEMORY.md", strings.Replace(three, "bananas", "berries", 1))
		other.say("hello")
		w.page("MEMORY.md", strings.Replace(three, "- Bravo likes bananas.\n", "", 1))
		tail := c.news()
		wantIn(t, "tail", tail, "withdrawn: Bravo likes bananas.")
		wantOut(t, "tail", tail, "berries")
		wantEmpty(t, "tail", c.news())
		w.page("SCRATCHPAD.md", "- [ ] Buy a small lathe\n")
		other.say("hello")
		w.page("SCRATCHPAD.md", "- [x] Buy a small lathe\n")
		wantIn(t, "tail", c.news(), "withdrawn: Buy a lathe", "done: Buy a small lathe")
		wantEmpty(t, "tail", c.news())
	})
}

func TestAddedThenEditedIsToldAsItIs(t *testing.T) {
	w := newWorld(t)
	w.page("MEMORY.md", three)
	c := w.chat("s")
	c.say("hello")
	w.page("MEMORY.md", three+"- Foxtrot likes figs.\n")
	w.chat("other").say("hello")
	w.page("MEMORY.md", three+"- Foxtrot likes fennel.\n")
	tail := c.news()
	wantIn(t, "tail", tail, "added: Foxtrot likes fennel.")
	wantOut(t, "tail", tail, "figs")
}

func TestWhatAHitShowedIsWithdrawnByItsText(t *testing.T) {
	both(t, func(t *testing.T, w *world, c *chat) {
		library(w)
		wantIn(t, "tail", c.say("gadget03 walnut grams").Tail, "Gadget03 weighs exactly 103 grams of walnut.")
		w.must(os.Remove(w.global("topics/filler03.md")))
		wantIn(t, "tail", c.news(), "withdrawn: Gadget03 weighs exactly 103 grams of walnut.")
		wantEmpty(t, "tail", c.news())
		w.must(os.Remove(w.global("topics/filler04.md")))
		wantEmpty(t, "tail about what was never shown", c.news())
		wantIn(t, "tail", c.say("gadget05 walnut grams").Tail, "Gadget05 weighs exactly 105")
		w.page("topics/filler05.md", "- [fact] Gadget05 weighs exactly 999 grams of walnut.\n")
		wantIn(t, "tail", c.news(), "Gadget05 weighs exactly 105 grams of walnut. -> Gadget05 weighs exactly 999 grams of walnut.")
	})
}

func TestAnotherSessionsWritesAreTold(t *testing.T) {
	both(t, func(t *testing.T, w *world, c *chat) {
		w.page("MEMORY.md", three)
		c.say("hello")
		r := w.remember(engine.Note{Text: "Golf likes grapes.", Scope: pimento.Global, Actor: "agent", Session: "other"})
		tail := c.news()
		wantIn(t, "tail", tail, "added: Golf likes grapes.")
		if strings.Count(tail, "grapes") != 1 {
			t.Errorf("told twice:\n%s", tail)
		}
		wantEmpty(t, "tail", c.news())
		w.run(func(e *engine.Engine) {
			_, err := e.Edit(t.Context(), string(r.ID), "Golf likes gooseberries.", engine.Actor{})
			w.must(err)
		})
		wantIn(t, "tail", c.news(), "Golf likes grapes. -> Golf likes gooseberries.")
		w.run(func(e *engine.Engine) {
			_, err := e.Forget(t.Context(), string(pimento.StatementOf("Golf likes gooseberries.")), engine.Actor{})
			w.must(err)
		})
		wantIn(t, "tail", c.news(), "withdrawn: Golf likes gooseberries.")
		wantEmpty(t, "tail", c.news())
	})
}

func TestOwnWritesAreNotToldBack(t *testing.T) {
	w := newWorld(t)
	w.page("MEMORY.md", three)
	c := w.branchChat("s")
	c.say("hello")
	me := engine.Actor{Name: "agent", Session: "s"}
	r := w.remember(engine.Note{Text: "Hotel likes hazelnuts.", Scope: pimento.Global, Actor: "agent", Session: "s"})
	c.ids = append(c.ids, r.IDs()...)
	wantEmpty(t, "tail after remember", c.news())
	w.run(func(e *engine.Engine) {
		r, err := e.Edit(t.Context(), string(r.ID), "Hotel likes honeydew.", me)
		w.must(err)
		c.ids = append(c.ids, r.IDs()...)
	})
	wantEmpty(t, "tail after edit", c.news())
	w.run(func(e *engine.Engine) {
		s, err := e.Scratch(t.Context(), "add", "Sharpen the chisel", me)
		w.must(err)
		c.ids = append(c.ids, s.IDs()...)
	})
	wantEmpty(t, "tail after scratch add", c.news())
	w.run(func(e *engine.Engine) {
		s, err := e.Scratch(t.Context(), "done", "Sharpen the chisel", me)
		w.must(err)
		c.ids = append(c.ids, s.IDs()...)
	})
	wantEmpty(t, "tail after scratch done", c.news())
	w.run(func(e *engine.Engine) {
		r, err := e.Forget(t.Context(), string(pimento.StatementOf("Alpha likes apples.")), me)
		w.must(err)
		c.ids = append(c.ids, r.IDs()...)
	})
	tail := c.news()
	wantOut(t, "tail after forget", tail, "apples")
}

func TestAForkIsToldWhatItsBranchLacks(t *testing.T) {
	w := newWorld(t)
	w.page("MEMORY.md", three)
	c := w.branchChat("parent")
	prefix := c.say("hello").Prefix
	early := c.fork("early")
	w.page("MEMORY.md", three+"- India likes iceberg lettuce.\n")
	wantIn(t, "tail", c.news(), "iceberg")
	late := c.fork("late")
	wantIn(t, "tail of a branch without it", early.news(), "iceberg")
	wantEmpty(t, "tail of a branch with it", late.news())
	if early.blocks[0].Prefix != prefix || late.blocks[0].Prefix != prefix {
		t.Error("a fork does not have its parent's prefix")
	}
	c.ids = nil // the user went back up the tree
	wantIn(t, "tail after going back", c.news(), "iceberg")
}

func TestAnOpenConflictIsNoMemory(t *testing.T) {
	both(t, func(t *testing.T, w *world, c *chat) {
		const theirs = "- Bravo likes blueberries.\n"
		w.page("MEMORY.md", three)
		w.page("knowledge/delta.md", "Delta likes dates.\n")
		c.say("hello")
		c.say("what does delta like?")
		w.page("MEMORY.md", strings.Replace(three, "- Bravo likes bananas.\n", "<<<<<<< HEAD\n- Bravo likes bananas.\n=======\n"+theirs+">>>>>>> 1a2b\n", 1))
		w.page("knowledge/delta.md", "<<<<<<< HEAD\nDelta likes dates.\n=======\nDelta likes damsons.\n>>>>>>> 1a2b\n")
		wantEmpty(t, "tail while the conflict is open", c.news())
		if fs := fmt.Sprint(c.blocks[len(c.blocks)-1].Faults); !strings.Contains(fs, "MEMORY.md holds an open git conflict") {
			t.Errorf("nobody is told of the conflict: %s", fs)
		}
		other := w.chat("other")
		b := other.say("what does delta like?")
		if fs := fmt.Sprint(b.Faults); strings.Count(fs, "MEMORY.md holds an open git conflict") != 1 {
			t.Errorf("a new session is not told of it once: %s", fs)
		}
		wantIn(t, "prefix", b.Prefix, "bananas")
		wantIn(t, "tail", b.Tail, "dates")
		for _, s := range []string{"<<<<", "====", ">>>>", "blueberries", "damsons"} {
			if strings.Contains(b.Prefix+b.Tail, s) {
				t.Errorf("%s is shown as memory:\n%s%s", s, b.Prefix, b.Tail)
			}
		}
		w.page("MEMORY.md", strings.Replace(three, "- Bravo likes bananas.\n", theirs, 1))
		w.page("knowledge/delta.md", "Delta likes damsons.\n")
		wantIn(t, "tail after it is resolved", c.news(), "edited: Bravo likes bananas. -> Bravo likes blueberries.", "Delta likes damsons.")
	})
}

func TestAMassOfChangesIsOneLine(t *testing.T) {
	both(t, func(t *testing.T, w *world, c *chat) {
		w.page("MEMORY.md", three)
		c.say("hello")
		var b strings.Builder
		for i := range 1500 {
			fmt.Fprintf(&b, "- Item %d was imported from elsewhere.\n", i)
		}
		w.page("topics/import.md", b.String())
		tail := c.news()
		wantIn(t, "tail", tail, "1500 entries changed at once")
		if n := strings.Count(tail, "\n- "); n != 1 {
			t.Errorf("%d lines:\n%s", n, tail)
		}
		wantEmpty(t, "tail", c.news())
	})
}

func TestABranchSwitchAndBackIsAFewLines(t *testing.T) {
	both(t, func(t *testing.T, w *world, c *chat) {
		many := func(text string) string {
			var b strings.Builder
			b.WriteString(three)
			for i := range 50 {
				fmt.Fprintf(&b, "- Part %d "+text+"\n", i)
			}
			return b.String()
		}
		w.page("MEMORY.md", many("is made of pine."))
		c.say("hello")
		for _, step := range []struct{ page, want string }{
			{three, "withdrawn: 50 entries of MEMORY.md"},
			{many("is made of pine."), "valid again: 50 entries of MEMORY.md"},
			{many("is made of oak."), "edited: 50 entries of MEMORY.md"},
			{many("is made of pine."), "edited: 50 entries changed at once"},
		} {
			w.page("MEMORY.md", step.page)
			tail := c.news()
			wantIn(t, "tail", tail, step.want)
			if n := strings.Count(tail, "\n- "); n > 2 {
				t.Errorf("%d lines:\n%s", n, tail)
			}
			wantEmpty(t, "tail after "+step.want, c.news())
		}
	})
}

func TestTheFirstEntriesOfAnEmptyMemoryAreTold(t *testing.T) {
	both(t, func(t *testing.T, w *world, c *chat) {
		c.say("hello")
		w.page("MEMORY.md", "- Juliett likes juniper.\n")
		wantIn(t, "tail", c.news(), "added: Juliett likes juniper.")
		wantEmpty(t, "tail", c.news())
	})
}

func TestAnEditDuringOurOwnWriteIsTold(t *testing.T) {
	w := newWorld(t)
	w.page("MEMORY.md", three)
	c := w.chat("s")
	c.say("hello")
	root, err := w.dirs.OpenRoot(pimento.Global, w.dirs.Global, nil)
	w.must(err)
	unlock, err := root.Lock(t.Context())
	w.must(err)
	done := make(chan error)
	e := w.open()
	defer e.Close()
	go func() {
		_, err := e.Remember(t.Context(), engine.Note{Text: "Kilo likes kale.", Scope: pimento.Global})
		done <- err
	}()
	for { // until the writer has looked at the files and waits for the lock
		if _, err := os.Stat(w.dirs.Cache); err == nil {
			break
		}
	}
	waitForLockWait()
	w.page("MEMORY.md", three+"- Lima likes lemons.\n")
	unlock()
	w.must(<-done)
	wantIn(t, "tail", c.news(), "Kilo likes kale.", "Lima likes lemons.")
}

func TestAHookThatIsKilledAfterItsAnswerTakesNoNewsAlong(t *testing.T) {
	w := newWorld(t)
	w.page("MEMORY.md", three)
	c := w.branchChat("s")
	c.say("hello")
	w.chat("other").say("hello")
	w.page("MEMORY.md", strings.Replace(three, "bananas", "berries", 1)+"- Mike likes melons.\n")
	w.run(func(e *engine.Engine) { // without After
		e.Turn(t.Context(), pimento.Turn{Event: pimento.PromptTurn, Harness: "pi", Session: "other", Prompt: "hello"})
	})
	wantIn(t, "tail", c.news(), "Mike likes melons.", "-> Bravo likes berries.")
	wantEmpty(t, "tail", c.news())
}

func TestWhyRepeatsTheLastBlock(t *testing.T) {
	w := newWorld(t)
	library(w)
	c := w.branchChat("s")
	c.say("hello")
	b := c.say(gadgetPrompt)
	w.chat("other").say("replica lags")
	w.run(func(e *engine.Engine) {
		tr, ok, err := e.Why(t.Context(), "s")
		w.must(err)
		if !ok || tr.Sum != b.Sum() || tr.ID == "" || tr.Session != "s" {
			t.Errorf("%v %+v", ok, tr)
		}
		again, err := e.Replay(t.Context(), tr.ID)
		w.must(err)
		if !again.Same || again.Block.Tail != b.Tail || again.Block.Prefix != b.Prefix {
			t.Errorf("replayed: %+v", again)
		}
		s, err := e.WhyEntry(t.Context(), id("Gadget03 weighs exactly 103 grams of walnut."))
		w.must(err)
		if s.Last == nil || s.Standing.Injected == 0 {
			t.Errorf("%+v", s)
		}
	})
}

func TestABlockPerTurnHoldsEverythingEveryTime(t *testing.T) {
	w := newWorld(t)
	library(w)
	put(t, w.dirs.Config+"/profiles/mine/profile.json", `{"name": "mine", "extends": "daybook", "snapshot": "per-turn"}`)
	w.profile = "mine"
	both := func(b pimento.Block) string { wantNoFaults(t, b); return b.Prefix + b.Tail }
	c := w.branchChat("s")
	wantIn(t, "block", both(c.say(gadgetPrompt)), "staging cluster", "Gadget03")
	wantIn(t, "block", both(c.say(gadgetPrompt)), "staging cluster", "Gadget03")
	w.page("MEMORY.md", "- Written in between.\n")
	wantIn(t, "block", both(c.say(gadgetPrompt)), "Written in between.")
}

// What a process has looked through already it does not look through again, and still
// tells as long as the session has not been told.
func TestNewsIsCarriedAlong(t *testing.T) {
	w := newWorld(t)
	c := w.chat("s")
	c.engine = w.serve()
	bare := func() string {
		t.Helper()
		return c.event(pimento.PromptTurn, func(turn *pimento.Turn) { turn.Prompt, turn.InContext = offTopic, []string{} }).Tail
	}
	w.page("MEMORY.md", three)
	wantEmpty(t, "nothing has happened", bare())
	page, added := three, []string(nil)
	for _, name := range []string{"Delta", "Echo", "Foxtrot"} {
		page += "- " + name + " likes dates.\n"
		w.page("MEMORY.md", page)
		added = append(added, "added: "+name+" likes dates.")
		wantIn(t, "after "+name, bare(), added...)
	}
	w.page("MEMORY.md", strings.Replace(page, "- Echo likes dates.\n", "", 1))
	tail := bare()
	wantIn(t, "without Echo", tail, added[0], added[2])
	wantOut(t, "without Echo", tail, "Echo")
}

// A task in global memory that a session was shown is its business, whoever takes it
// away, in whatever project.
func TestAnotherProjectWithdrawsASharedTask(t *testing.T) {
	both(t, func(t *testing.T, w *world, c *chat) {
		w.page("SCRATCHPAD.md", "- [ ] Buy a lathe\n")
		wantIn(t, "prefix", c.say("hello").Prefix, "lathe")
		w.page("SCRATCHPAD.md", "- [ ] Buy a lathe\n- [ ] Paint the shed\n")
		wantIn(t, "tail", c.news(), "added: [ ] Paint the shed")
		w.at(filepath.Join(w.home, "elsewhere")).run(func(e *engine.Engine) {
			for _, text := range []string{"Paint the shed", "Buy a lathe"} {
				_, err := e.Forget(t.Context(), string(pimento.StatementOf(text)), engine.Actor{})
				w.must(err)
			}
			for _, verb := range []string{"add", "done"} {
				_, err := e.Scratch(t.Context(), verb, "Their own task", engine.Actor{})
				w.must(err)
			}
		})
		tail := c.news()
		wantIn(t, "tail", tail, "withdrawn: Paint the shed")
		wantOut(t, "tail", tail, "Their own task")
	})
}

func TestAnotherProjectDoesATaskOfTheSameWords(t *testing.T) {
	w := newWorld(t)
	w.profile = "daybook"
	scratch := func(w *world, verb string) {
		w.run(func(e *engine.Engine) {
			_, err := e.Scratch(t.Context(), verb, "Write the tests", engine.Actor{})
			w.must(err)
		})
	}
	other := w.at(filepath.Join(w.home, "elsewhere"))
	scratch(w, "add")
	c := w.branchChat("s")
	wantIn(t, "prefix", c.say("hello").Prefix, "Write the tests")
	scratch(other, "add")
	scratch(other, "done")
	wantOut(t, "tail", c.news(), "done")
}

// A page that comes back as a whole is told of, and what it replaces can come back in turn.
func TestARestoredPageIsTold(t *testing.T) {
	both(t, func(t *testing.T, w *world, c *chat) {
		w.page("MEMORY.md", "- The deploys are on Mondays.\n- Alpha likes apples.\n")
		c.say("hello")
		r := w.remember(engine.Note{Text: "- The deploys are on Fridays.\n- Alpha likes apples.\n", Scope: pimento.Global, Overwrite: true})
		friday := get(t, w.global("MEMORY.md"))
		wantIn(t, "overwritten", c.news(), "added: The deploys are on Fridays.", "withdrawn: The deploys are on Mondays.")
		w.run(func(e *engine.Engine) {
			back, err := e.Restore(t.Context(), r.Recovery, user)
			w.must(err)
			r = back
		})
		tail := c.news()
		wantIn(t, "restored", tail, "withdrawn: The deploys are on Fridays.", "valid again: The deploys are on Mondays.")
		wantOut(t, "restored", tail, "apples")
		wantEmpty(t, "restored, again", c.news())
		w.run(func(e *engine.Engine) { _, err := e.Restore(t.Context(), r.Recovery, user); w.must(err) })
		if got := get(t, w.global("MEMORY.md")); got != friday {
			t.Errorf("%q, want %q", got, friday)
		}
	})
}
