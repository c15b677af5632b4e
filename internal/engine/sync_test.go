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

// finds says what a question finds, as one text.
func (w *world) finds(question string) string {
	w.Helper()
	var b strings.Builder
	w.run(func(e *engine.Engine) {
		for _, h := range e.Recall(w.Context(), pimento.Query{Text: question, Limit: 50}).Hits {
			b.WriteString(h.Entry.Text + "\n")
		}
	})
	return b.String()
}

// replaceByRename saves as careful editors do.
func replaceByRename(w *world, rel, text string) {
	w.Helper()
	put(w, w.global(rel+".tmp"), text)
	w.must(os.Rename(w.global(rel+".tmp"), w.global(rel)))
}

// edits are ways to change a memory behind our back. Afterwards "oldword" is
// gone and "newword" is there.
var edits = map[string]func(*world){
	"write": func(w *world) { w.page("topics/x.md", "- The newword is here.\n") },
	"same size and mtime": func(w *world) {
		info, err := os.Stat(w.global("topics/x.md"))
		w.must(err)
		w.page("topics/x.md", "- The newword is here.\n")
		w.must(os.Chtimes(w.global("topics/x.md"), info.ModTime(), info.ModTime()))
	},
	"rename over it": func(w *world) { replaceByRename(w, "topics/x.md", "- The newword is here.\n") },
	"older file renamed over it": func(w *world) {
		info, err := os.Stat(w.global("topics/x.md"))
		w.must(err)
		put(w, w.global("tmp"), "- The newword is here.\n")
		w.must(os.Chtimes(w.global("tmp"), info.ModTime(), info.ModTime()))
		w.must(os.Rename(w.global("tmp"), w.global("topics/x.md")))
	},
	"page removed, another made": func(w *world) {
		w.must(os.Remove(w.global("topics/x.md")))
		w.page("y.md", "- The newword is here.\n")
	},
	"directory removed, deep one made": func(w *world) {
		w.must(os.RemoveAll(w.global("topics")))
		w.page("a/b/c/deep.md", "- The newword is here.\n")
	},
	"directory renamed and edited": func(w *world) {
		w.must(os.Rename(w.global("topics"), w.global("themes")))
		w.page("themes/x.md", "- The newword is here.\n")
	},
	"directory replaced": func(w *world) {
		w.must(os.Rename(w.global("topics"), w.home+"/away"))
		w.page("topics/x.md", "- The newword is here.\n")
	},
	"root replaced": func(w *world) {
		w.must(os.Rename(w.dirs.Global, w.home+"/away"))
		w.page("topics/x.md", "- The newword is here.\n")
	},
	"ancestor replaced": func(w *world) {
		w.must(os.Rename(filepath.Dir(w.dirs.Global), w.home+"/away"))
		w.page("topics/x.md", "- The newword is here.\n")
	},
	"truncated, then longer": func(w *world) {
		w.must(os.Truncate(w.global("topics/x.md"), 0))
		f, err := os.OpenFile(w.global("topics/x.md"), os.O_WRONLY|os.O_APPEND, 0)
		w.must(err)
		_, err = f.WriteString("- The newword is here.\n")
		w.must(err)
		w.must(f.Close())
	},
	"emptied, another made beside it": func(w *world) {
		w.must(os.Truncate(w.global("topics/x.md"), 0))
		w.page("topics/y.md", "- The newword is here.\n")
	},
	"emptied, another made in a new directory": func(w *world) {
		w.must(os.Truncate(w.global("topics/x.md"), 0))
		w.page("topics/deep/y.md", "- The newword is here.\n")
	},
	"archived": func(w *world) {
		w.mkdir(w.global("archive"))
		w.must(os.Rename(w.global("topics/x.md"), w.global("archive/x.md")))
		w.page("topics/z.md", "- The newword is here.\n")
	},
}

func TestAnEditJustBeforeThePromptIsSeen(t *testing.T) {
	for name, edit := range edits {
		for _, how := range []string{"hook", "settled", "serve"} {
			t.Run(name+"/"+how, func(t *testing.T) {
				t.Parallel()
				w := newWorld(t)
				w.page("MEMORY.md", "# Memory\n")
				w.page("topics/x.md", "- The oldword is here.\n")
				long := time.Now().Add(-time.Hour)
				w.must(os.Chtimes(w.global("topics/x.md"), long, long))
				c := w.branchChat("s")
				switch how {
				case "serve":
					c.engine = w.serve()
				case "settled": // long enough for the directories' stamps to be believed
					time.Sleep(40 * time.Millisecond)
					c.say("what was that?")
				}
				wantIn(t, "tail", c.say("where is the oldword?").Tail, "oldword")
				edit(w)
				tail := c.say("where is the newword?").Tail
				wantIn(t, "tail", tail, "newword")
				c.ids = nil
				tail = c.say("where is the oldword, and the newword?").Tail
				wantIn(t, "tail", tail, "newword")
				wantOut(t, "tail", tail, "The oldword is here.\n- ", "- The oldword is here.\n")
				wantOut(t, "what another process finds", w.finds("oldword newword"), "oldword")
			})
		}
	}
}

// A directory inside of one that was moved away is another one when it is made anew,
// though nobody told of its own end.
func TestADirectoryInsideOfAReplacedOneIsWatched(t *testing.T) {
	w := newWorld(t)
	w.page("topics/deep/x.md", "- The oldword is here.\n")
	c := w.branchChat("s")
	c.engine = w.serve()
	wantIn(t, "tail", c.say("where is the oldword?").Tail, "oldword")
	w.must(os.Rename(w.global("topics"), w.home+"/away"))
	w.page("topics/deep/x.md", "- The newword is here.\n")
	wantIn(t, "tail", c.say("where is the newword?").Tail, "newword")
	for range 3 { // until nothing of it is young any more
		time.Sleep(30 * time.Millisecond)
		c.news()
	}
	w.page("topics/deep/x.md", "- The newword is here.\n- The lastword is here.\n")
	wantIn(t, "tail", c.say("where is the lastword?").Tail, "lastword")
}

func TestAForgedStampWithinTheClocksGrainIsSeen(t *testing.T) {
	w := newWorld(t)
	path, long := w.global("topics/x.md"), time.Now().Add(-time.Hour)
	e := w.open()
	defer e.Close()
	for i := range 40 {
		word := fmt.Sprintf("word%03d", i)
		w.page("topics/x.md", "- "+word+"\n")
		w.must(os.Chtimes(path, long, long))
		a := e.Recall(t.Context(), pimento.Query{Text: word})
		if len(a.Hits) != 1 {
			t.Fatalf("edit %d was not seen", i)
		}
	}
}

func TestLinksOutOfTheRootAreNotFollowed(t *testing.T) {
	w := newWorld(t)
	put(t, filepath.Join(w.home, "secret.md"), "- The outsideword is secret.\n")
	put(t, filepath.Join(w.home, "outside/in.md"), "- The outsideword is secret.\n")
	w.page("MEMORY.md", "- The insideword is here.\n")
	w.must(os.Symlink(filepath.Join(w.home, "secret.md"), w.global("link.md")))
	w.must(os.Symlink(filepath.Join(w.home, "outside"), w.global("dir")))
	w.must(os.Symlink(w.global("MEMORY.md"), w.global("inner.md")))
	w.must(os.Symlink(filepath.Join(w.home, "secret.md"), w.global("SCRATCHPAD.md")))
	wantIn(t, "hits", w.finds("insideword"), "insideword")
	b := w.chat("s").say("outsideword")
	wantOut(t, "block", b.Prefix+b.Tail, "outsideword", "inner.md", "link.md")
}

func TestDamageToTheCacheChangesNoAnswer(t *testing.T) {
	w := newWorld(t)
	library(w)
	c := w.branchChat("s")
	prefix := c.say("hello").Prefix
	w.remember(engine.Note{Text: "Gizmos outweigh the rest.", Scope: pimento.Global})
	c.say("hello")
	question, want := "gadget walnut grams", w.finds("gadget walnut grams")
	if strings.Count(want, "\n") < 10 {
		t.Fatal(want)
	}
	damages := map[string]func(string){
		"removed":   func(p string) { w.must(os.Remove(p)) },
		"emptied":   func(p string) { w.must(os.Truncate(p, 0)) },
		"halved":    func(p string) { info, err := os.Stat(p); w.must(err); w.must(os.Truncate(p, info.Size()/2)) },
		"scribbled": func(p string) { b := []byte(get(t, p)); scribble(b); put(t, p, string(b)) },
		"a folder":  func(p string) { w.must(os.Remove(p)); w.mkdir(p + "/x") },
	}
	for name, damage := range damages {
		var files []string
		w.must(filepath.WalkDir(w.dirs.Cache, func(p string, d os.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() {
				files = append(files, p)
			}
			return err
		}))
		if len(files) == 0 {
			t.Fatal("no cache")
		}
		for _, f := range files {
			if _, err := os.Stat(f); err != nil {
				continue // gone with an earlier rebuild
			}
			damage(f)
			if got := w.finds(question); got != want {
				t.Errorf("%s %s: found\n%s\nwant\n%s", filepath.Base(f), name, got, want)
			}
			damageless(w, c, prefix, filepath.Base(f)+" "+name)
			w.must(os.RemoveAll(w.dirs.Cache))
			w.finds(question)
		}
	}
	w.must(os.RemoveAll(w.dirs.Cache))
	put(t, w.dirs.Cache, "a file where the cache should be")
	if got := w.finds(question); got != want {
		t.Errorf("no cache: found\n%s", got)
	}
	damageless(w, c, prefix, "no cache")
}

// damageless says that a rebuilt index is no news.
func damageless(w *world, c *chat, prefix, what string) {
	w.Helper()
	b := c.say(offTopic)
	wantEmpty(w, "tail after "+what, b.Tail)
	if b.Prefix != prefix {
		w.Errorf("%s changes the prefix", what)
	}
}

func scribble(b []byte) {
	for i := range b {
		if i%7 == 3 {
			b[i] ^= 0x55
		}
	}
}

func TestALostIndexIsMadeAnewByALongLivedProcess(t *testing.T) {
	w := newWorld(t)
	library(w)
	c := w.branchChat("s")
	c.engine = w.serve()
	wantIn(t, "tail", c.say(gadgetPrompt).Tail, "Gadget03")
	c.ids = nil
	w.must(os.RemoveAll(w.dirs.Cache))
	wantIn(t, "tail", c.say(gadgetPrompt).Tail, "Gadget03")
}

func TestALostIndexIsNoNewsForAHandoff(t *testing.T) {
	w := newWorld(t)
	library(w)
	c := w.branchChat("s")
	c.say("hello")
	w.page("SCRATCHPAD.md", "- [ ] Buy a lathe\n")
	c.say("hello")
	w.must(os.RemoveAll(w.dirs.Cache))
	c.event(pimento.BeforeCompact, func(t *pimento.Turn) { t.Compaction = "c" })
	tail := c.news()
	wantOut(t, "tail", tail, "Gadget", "entries changed", "Alpha", "staging")
}

func TestADeadlineIsAFaultAndTheIndexConverges(t *testing.T) {
	w := newWorld(t)
	w.page("MEMORY.md", "- The curated line is always there. *(pinned)*\n")
	for i := range 1000 {
		var b strings.Builder
		for j := range 5 {
			fmt.Fprintf(&b, "- [fact] Entry %d of page %d speaks of topic%d.\n", j, i, i)
		}
		w.page(fmt.Sprintf("topics/t%04d.md", i), b.String())
	}
	w.deadline = time.Millisecond
	c := w.branchChat("s")
	b := c.say("topic3")
	if len(b.Faults) == 0 {
		t.Error("no fault")
	}
	wantIn(t, "prefix", b.Prefix, "The curated line")
	for i := range 200 {
		b = c.say("Entry of topic3")
		if b.Prefix != c.blocks[0].Prefix {
			t.Fatalf("prompt %d has another prefix: %v\n%s", i, b.Faults, b.Prefix)
		}
		wantOut(t, "tail", b.Tail, "Changed since")
		if t.Failed() {
			return
		}
		late := false
		for _, f := range b.Faults {
			late = late || f.Kind == "deadline"
		}
		if !late {
			break
		}
	}
	w.deadline = 20 * time.Second
	b = c.say("topic3 topic999")
	wantNoFaults(t, b)
	wantOut(t, "tail", b.Tail, "Changed since")
	wantIn(t, "tail", strings.Join(c.texts, ""), "speaks of topic3.", "speaks of topic999.")
	w.page("topics/t0500.md", "- [fact] Now something else.\n")
	wantIn(t, "tail", c.news(), "Now something else")
}

// A page that takes longer than a prompt may wait hinders nothing but itself, also
// where every prompt is a process of its own: it is named, and read when the
// session is over. Once somebody has written to it, the end of a turn will do.
func TestAPageTooLargeForAPrompt(t *testing.T) {
	w := newWorld(t)
	w.page("MEMORY.md", "- The curated line is always there.\n")
	w.page("zoo.md", "- The zebra lives in Amsterdam.\n")
	filler := "## Section\n\n" + strings.Repeat("Filler that says nothing at all stands on this line. ", 40) + "\n\n"
	w.page("huge.md", strings.Repeat(filler, 2000)+"## Okapi\n\nThe okapi lives in Antwerp.\n")
	time.Sleep(50 * time.Millisecond) // else the pages might change again in the same moment, and are looked at twice
	w.deadline = 400 * time.Millisecond
	c := w.branchChat("s")
	left := func(b pimento.Block) (page string) {
		for _, f := range b.Faults {
			if f.Kind == "deadline" {
				page += f.Detail
			}
		}
		return page
	}
	for range 3 {
		c.ids = nil
		b := c.say("Where does the zebra live?")
		wantIn(t, "tail", b.Tail, "Amsterdam")
		wantIn(t, "prefix", b.Prefix, "The curated line")
		if c.turn.Session == "s" {
			c.turn.Session = "s2"
			continue // the first prompt reads what else there is
		}
		wantIn(t, "fault", left(b), "global:huge.md is too large", "pimento status")
	}
	c.event(pimento.SessionEnd, nil)
	b := c.say("Where does the okapi live?")
	wantEmpty(t, "what is left", left(b))
	wantIn(t, "tail", b.Tail, "Antwerp")

	w.page("huge.md", get(t, w.global("huge.md"))+"\n## Gnu\n\nThe gnu lives in Ghent.\n")
	time.Sleep(50 * time.Millisecond)
	wantIn(t, "fault", left(c.say("Where does the gnu live?")), "global:huge.md")
	c.event(pimento.TurnEnd, nil)
	wantIn(t, "tail", c.say("Where does the gnu live?").Tail, "Ghent")
}

// TestManyPagesAtOnce: pages that are read on all processors are news in the
// order in which they were written, the newest first, each once.
func TestManyPagesAtOnce(t *testing.T) {
	w := newWorld(t)
	const n = 200
	rel := func(i int) string { return fmt.Sprintf("topics/t%03d.md", i) }
	for i := range n {
		w.page(rel(i), fmt.Sprintf("- [fact] The crane %03d stands still.\n", i))
	}
	wantIn(t, "found", w.finds("crane 042 stands"), "The crane 042 stands still.")
	start := time.Now().Add(-time.Hour)
	for i := range n {
		w.page(rel(i), fmt.Sprintf("- [fact] The crane %03d turns.\n", i))
		at := start.Add(time.Duration(i) * time.Second)
		w.must(os.Chtimes(w.global(rel(i)), at, at))
	}
	wantIn(t, "found", w.finds("crane 042 turns"), "The crane 042 turns.")
	want := n
	for line := range strings.Lines(w.events()) {
		if !strings.Contains(line, "turns.") {
			continue
		}
		if want--; !strings.Contains(line, fmt.Sprintf("crane %03d ", want)) {
			t.Fatalf("not the news of crane %03d: %s", want, line)
		}
	}
	if want != 0 {
		t.Errorf("the news of %d cranes are missing", want)
	}
}

func TestTheLocalPageIsWatchedToo(t *testing.T) {
	w := newWorld(t)
	repo(t, w.dir)
	w.remember(engine.Note{Text: "The projectword is shared.", Scope: pimento.Project})
	w.remember(engine.Note{Text: "The localword is mine.", Scope: pimento.Local})
	local := filepath.Join(w.dir, ".pi/memory/MEMORY.local.md")
	w.must(os.RemoveAll(w.dirs.Cache))
	c := w.branchChat("s")
	c.engine = w.serve()
	c.say("hello")
	put(t, local, get(t, local)+"- The otherword is mine.\n")
	put(t, filepath.Join(w.dir, ".pi/memory/topics/x.md"), "- The thirdword is shared.\n")
	wantIn(t, "tail", c.say("otherword thirdword").Tail, "otherword", "thirdword")
	put(t, local, strings.Replace(get(t, local), "otherword", "fourthword", 1))
	wantIn(t, "tail", c.say("fourthword").Tail, "fourthword")
}

// More than is read at once goes into the index in several steps, each while the
// next is read; so does what changed of it later.
func TestASyncOfSeveralBatches(t *testing.T) {
	w := newWorld(t)
	filler := strings.Repeat("Some words that stand on every page of this memory. ", 16<<10)
	for i := range 7 {
		w.page(fmt.Sprintf("page%d.md", i), fmt.Sprintf("# Page %d\n\n%s\n\nThe oldword%d is here.\n", i, filler, i))
	}
	for i := range 7 {
		if got := w.finds(fmt.Sprintf("oldword%d", i)); !strings.Contains(got, fmt.Sprintf("oldword%d is", i)) {
			t.Errorf("page %d is not found", i)
		}
	}
	for i := range 6 {
		w.page(fmt.Sprintf("page%d.md", i), fmt.Sprintf("# Page %d\n\n%s\n\nThe newword%d is here.\n", i, filler, i))
	}
	w.must(os.Remove(w.global("page6.md")))
	for i := range 6 {
		if got := w.finds(fmt.Sprintf("newword%d", i)); !strings.Contains(got, fmt.Sprintf("newword%d is", i)) {
			t.Errorf("page %d is not found as it is now", i)
		}
	}
	for i := range 7 {
		if got := w.finds(fmt.Sprintf("oldword%d", i)); strings.Contains(got, fmt.Sprintf("oldword%d is", i)) {
			t.Errorf("page %d is found as it was", i)
		}
	}
}

// Two versions of the program that run in turn, a hook and a child that was not started
// anew, do not throw away each other's index, wherever the other one has it.
func TestTheIndexOfAnotherVersionIsLeftAlone(t *testing.T) {
	w := newWorld(t)
	w.page("MEMORY.md", "- The zebra lives in Amsterdam.\n")
	w.finds("zebra")
	roots, err := filepath.Glob(filepath.Join(w.dirs.Cache, "index", "*"))
	w.must(err)
	if len(roots) != 1 {
		t.Fatal(roots)
	}
	for _, rel := range []string{"CURRENT", "v4/CURRENT", "v99/CURRENT"} {
		put(t, filepath.Join(roots[0], rel), "of another version "+rel)
	}
	wantIn(t, "found", w.finds("zebra"), "Amsterdam")
	c := w.chat("s")
	c.event(pimento.SessionStart, nil)
	wantIn(t, "tail", c.say("Where does the zebra live?").Tail+c.blocks[0].Prefix, "Amsterdam")
	w.page("MEMORY.md", "- The zebra lives in Amsterdam.\n- The okapi lives in Antwerp.\n")
	wantIn(t, "news, where both see every change", c.news(), "Antwerp")
	later := time.Now()
	w.must(filepath.WalkDir(roots[0], func(path string, d os.DirEntry, err error) error {
		if err != nil || strings.Contains(path, "v99") {
			return err
		}
		return os.Chtimes(path, later.Add(-2*time.Hour), later.Add(-2*time.Hour))
	}))
	w.must(os.Chtimes(filepath.Join(roots[0], "v99/CURRENT"), later, later))
	w.page("MEMORY.md", "- The zebra lives in Amsterdam.\n- The okapi lives in Antwerp.\n- The gnu lives in Ghent.\n")
	wantEmpty(t, "news of what the other one has seen", c.news())
	w.page("MEMORY.md", "- The zebra lives in Amsterdam.\n- The okapi lives in Antwerp.\n- The gnu lives in Ghent.\n- The emu lives in Essen.\n")
	wantIn(t, "news after that", c.news(), "Essen")
	for _, rel := range []string{"CURRENT", "v4/CURRENT", "v99/CURRENT"} {
		if got := get(t, filepath.Join(roots[0], rel)); got != "of another version "+rel {
			t.Errorf("%s is %q", rel, got)
		}
	}
}
