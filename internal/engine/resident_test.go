package engine_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
	"github.com/pimento-memory/pimento/internal/fault"
)

// residentWorld is a user of the profile resident in a repository whose memory
// they agreed to.
func residentWorld(t *testing.T) *world {
	t.Helper()
	w := newWorld(t)
	w.profile = "resident"
	w = w.at(repo(t, filepath.Join(w.home, "shop")))
	put(t, filepath.Join(w.dir, ".pi/memory/MEMORY.md"), "## Build\n\n- sccache breaks -Werror\n")
	put(t, w.global("MEMORY.md"), "## Preferences\n\n- short answers\n")
	w.run(func(e *engine.Engine) {
		_, err := e.Trust(t.Context(), "")
		w.must(err)
	})
	return w
}

// An edit by any program is in the next prompt; nothing else changes a byte.
func TestAnEditIsInTheNextPrefix(t *testing.T) {
	w := residentWorld(t)
	c := w.chat("s")
	first := c.say("hello")
	wantNoFaults(t, first)
	wantIn(t, "prefix", first.Prefix, "## Persistent memory", "### Global MEMORY.md  (~/.pi/agent/memory/MEMORY.md)\n\n##### Preferences\n\n- short answers",
		"### Project MEMORY.md  (.pi/memory/MEMORY.md)\n\n##### Build\n\n- sccache breaks -Werror")
	if got := c.say("and what else?").Prefix; got != first.Prefix {
		t.Errorf("nothing changed, and the prefix is another one:\n%s", got)
	}
	put(t, filepath.Join(w.dir, ".pi/memory/MEMORY.md"), "## Build\n\n- sccache is fine since 0.8\n")
	second := c.say("go on")
	wantIn(t, "prefix", second.Prefix, "sccache is fine since 0.8")
	wantOut(t, "block", second.Prefix+second.Tail, "breaks")
	put(t, filepath.Join(w.dir, ".pi/memory/MEMORY.md"), "## Build\n\n- sccache breaks -Werror\n")
	if got := c.say("back again").Prefix; got != first.Prefix {
		t.Errorf("the same files, and the prefix is another one:\n%s", got)
	}
	w.run(func(e *engine.Engine) {
		if p, _ := e.Profile(t.Context()); len(p.Tools) != 0 {
			t.Errorf("tools: %v", p.Tools)
		}
	})
}

// Without memory the preamble stands alone and names no project that was not
// agreed to.
func TestThePreambleNamesOnlyWhatMayBeUsed(t *testing.T) {
	w := newWorld(t)
	w.profile = "resident"
	alone := w.chat("s").say("hello").Prefix
	wantIn(t, "prefix", alone, "## Persistent memory", "~/.pi/agent/memory/")
	wantOut(t, "prefix", alone, "Project memory", "Teammates", "{", "### ")

	h := newWorld(t)
	h.profile = "resident"
	hostile(h, h.dir)
	if got := h.chat("s").say("hello").Prefix; got != alone {
		t.Errorf("an untrusted project shows:\n%s", got)
	}
	// A yes to a project without memory lets the agent begin one; none is made for it.
	begun := w.at(repo(t, filepath.Join(w.home, "begun")))
	wantOut(t, "prefix before the yes", begun.chat("s").say("hello").Prefix, "Project memory")
	begun.run(func(e *engine.Engine) { _, err := e.Trust(t.Context(), ""); w.must(err) })
	c2 := begun.chat("t")
	wantIn(t, "prefix after the yes", c2.say("hello").Prefix, "- Project memory, committed and shared with the team: .pi/memory/")
	if left, _ := filepath.Glob(filepath.Join(begun.dir, ".pi")); left != nil {
		t.Error("a folder was made for nothing")
	}
	put(t, filepath.Join(begun.dir, ".pi/memory/MEMORY.md"), "- The agent began it.\n")
	wantIn(t, "the next prefix", c2.say("go on").Prefix, "- The agent began it.")

	trusted := residentWorld(t)
	c := trusted.chat("s")
	no := c.event(pimento.PromptTurn, func(in *pimento.Turn) { in.Prompt, in.Untrusted = "hello", true })
	wantOut(t, "prefix", no.Prefix, "sccache", "Project memory")
}

// The keys of config.json: the project's over the global ones, and what is
// wrong is named and leaves the default.
func TestInjectionKeys(t *testing.T) {
	w := residentWorld(t)
	var long strings.Builder
	for i := range 300 {
		fmt.Fprintf(&long, "- fact %d of the project\n", i)
	}
	put(t, filepath.Join(w.dir, ".pi/memory/MEMORY.md"), long.String())
	put(t, w.global("config.json"), `{"pageTableInjection": false, "maxInjectLines": 7, "maxInjectBytes": 50000}`)
	b := w.chat("lines").say("hello")
	wantNoFaults(t, b)
	wantIn(t, "prefix", b.Prefix, "- fact 6 of the project\n[Index truncated: showing ", " bytes. Keep MEMORY.md concise")
	wantOut(t, "prefix", b.Prefix, "fact 7 ")

	put(t, filepath.Join(w.dir, ".pi/memory/config.json"), `{"maxInjectLines": 3}`)
	b = w.chat("project").say("hello")
	wantIn(t, "prefix", b.Prefix, "fact 2 ")
	wantOut(t, "prefix", b.Prefix, "fact 3 ")

	put(t, filepath.Join(w.dir, ".pi/memory/config.json"), `{"maxInjectBytes": 48}`) // one fact has 24
	b = w.chat("bytes").say("hello")
	wantIn(t, "prefix", b.Prefix, "fact 1 ")
	wantOut(t, "prefix", b.Prefix, "fact 2 ")

	put(t, filepath.Join(w.dir, ".pi/memory/config.json"), `{"maxInjectLines": "many", "maxInjectBytes": -1, "pageTableInjection": 1, "maxMemoryTokens": 2.5, "strictWriteback": "no", "traceEnabled": 0, "enabled": "off"}`)
	b = w.chat("wrong").say("hello")
	wantIn(t, "prefix", b.Prefix, "fact 6 ")
	wantOut(t, "prefix", b.Prefix, "fact 7 ")
	named := fmt.Sprint(b.Faults)
	wantIn(t, "faults", named, `"maxInjectLines" is ignored`, `"maxInjectBytes" is ignored`, `"pageTableInjection" is ignored`,
		`"maxMemoryTokens" is ignored`, `"strictWriteback" is ignored`, `"traceEnabled" is ignored`, `"enabled" is ignored`)

	put(t, w.global("config.json"), `{"maxMemoryTokens": 200}`)
	put(t, filepath.Join(w.dir, ".pi/memory/config.json"), `{`)
	b = w.chat("paged").say("hello")
	wantIn(t, "prefix", b.Prefix, "- short answers", "more; all of it: .pi/memory/MEMORY.md]")
	wantIn(t, "faults", fmt.Sprint(b.Faults), "defaults are used")

	put(t, w.global("config.json"), `{"enabled": false}`)
	wantEmpty(t, "a block with enabled false", w.chat("off").say("hello").Prefix)
}

// What a file showed under other caps is not kept: within one session, the next
// prompt has what the new ones let through.
func TestChangedCapsAreInTheNextPrefix(t *testing.T) {
	w := residentWorld(t)
	put(t, filepath.Join(w.dir, ".pi/memory/MEMORY.md"), "- fact 1\n- fact 2\n- fact 3\n")
	put(t, w.global("config.json"), `{"pageTableInjection": false}`)
	c := w.chat("s")
	first := c.say("hello").Prefix
	wantIn(t, "prefix", first, "- fact 3")
	put(t, w.global("config.json"), `{"pageTableInjection": false, "maxInjectLines": 2}`)
	second := c.say("go on").Prefix
	wantIn(t, "prefix", second, "- fact 2", "[Index truncated: showing ")
	wantOut(t, "prefix", second, "- fact 3")
	put(t, w.global("config.json"), `{"pageTableInjection": false}`)
	if got := c.say("and back").Prefix; got != first {
		t.Errorf("the same caps, and the prefix is another one:\n%s", got)
	}
}

// A topic file is a line in the index until a prompt needs it.
func TestATopicFileEntersWhenNeeded(t *testing.T) {
	w := residentWorld(t)
	put(t, filepath.Join(w.dir, ".pi/memory/MEMORY.md"), "- [Build quirks](build.md) — linker and cache\n")
	put(t, filepath.Join(w.dir, ".pi/memory/build.md"), "# Build quirks\n\n## Linker\n\nmold needs version 2.30 or the tests segfault.\n")
	c := w.chat("s")
	first := c.say("hello")
	wantIn(t, "prefix", first.Prefix, "[Build quirks](build.md)")
	wantOut(t, "block", first.Prefix+first.Tail, "segfault")
	wantIn(t, "tail", c.say("why do the tests segfault with mold as the linker?").Tail, "### From the topic files", "mold needs version 2.30")
}

// What must stand and does not fit is said with every prompt that goes without
// it, and counts once.
func TestTooLittleRoomIsSaid(t *testing.T) {
	w := residentWorld(t)
	var rules strings.Builder
	for i := range 40 {
		fmt.Fprintf(&rules, "- Never touch part %d of the ledger by hand, because the auditors count it\n", i)
	}
	put(t, filepath.Join(w.dir, ".pi/memory/MEMORY.md"), "## Rules\n\n"+rules.String())
	put(t, w.global("config.json"), `{"maxMemoryTokens": 200}`)
	c := w.chat("s")
	for _, prompt := range []string{"hello", "go on"} {
		wantIn(t, "faults", fmt.Sprint(c.say(prompt).Faults), "pinned-invariant-miss")
	}
	w.run(func(e *engine.Engine) {
		found, err := e.Faults(t.Context())
		if err != nil || len(found) != 1 || found[0].Kind != fault.PinnedMiss || found[0].Controllable {
			t.Errorf("%+v, %v", found, err)
		}
	})
}
