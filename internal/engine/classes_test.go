package engine_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/pimento-memory/pimento/internal/engine"
)

// What a prompt is about decides what counts more: the same memory about the same
// thing, in other words around it.
func TestClassesOfPrompts(t *testing.T) {
	w := newWorld(t)
	w.profile = "situation"
	w.crowd()
	w.page("topics/notes.md", "- [mistake] The falcon importer lost rows in batches.\n- [fact] The falcon importer reads rows in batches.\n- [decision] The falcon importer keeps rows in batches.\n")
	order := func(prompt string) string {
		t.Helper()
		tail := w.branchChat(prompt).say(prompt).Tail
		switch reads, lost, keeps := strings.Index(tail, "reads rows"), strings.Index(tail, "lost rows"), strings.Index(tail, "keeps rows"); {
		case min(reads, lost, keeps) < 0:
			t.Fatalf("%q: not all of them in\n%s", prompt, tail)
		case lost < reads && lost < keeps:
			return "mistake"
		case keeps < reads && keeps < lost:
			return "decision"
		}
		return "fact"
	}
	for prompt, want := range map[string]string{
		"debug the falcon importer rows batches":   "mistake",
		"review the falcon importer rows batches":  "mistake",
		"publish the falcon importer rows batches": "decision",
		"falcon importer 的 rows batches 报错":        "mistake",
	} {
		if got := order(prompt); got != want {
			t.Errorf("%q brings the %s first, want the %s", prompt, got, want)
		}
	}
	// Without a class the weights are as ever.
	if got := order("is the falcon importer reading compressed rows in batches?"); got == "mistake" { // "pr" is not in it
		t.Errorf("no class brings the %s first", got)
	}
	// Every one of these blocks can be built again from its record.
	w.run(func(e *engine.Engine) {
		list, err := e.Traces(t.Context(), 0)
		w.must(err)
		for _, tr := range list {
			if r, err := e.Replay(t.Context(), tr.ID); err != nil || !r.Same {
				t.Errorf("replay of %q: %v %+v", tr.Prompt, err, r.Block.Sections)
			}
		}
	})
	var rows strings.Builder
	w.run(func(e *engine.Engine) {
		w.must(e.UsageRows(t.Context(), func(row json.RawMessage) { rows.Write(row) }))
	})
	wantIn(t, "the telemetry", rows.String(), `"queryClass":"debug"`, `"queryClass":"review"`, `"queryClass":"release"`)
}

// A class is about one prompt: the frozen prefix, and the profile that others
// use, stay as they are.
func TestAClassLeavesThePrefix(t *testing.T) {
	w := newWorld(t)
	w.profile = "situation"
	w.page("topics/lessons.md", "- [lesson] The canary takes ten minutes.\n- [mistake] The canary was skipped once.\n")
	e := w.serve()
	ask := func(prompt string) string {
		c := w.branchChat(prompt)
		c.engine = e
		return c.say(prompt).Prefix
	}
	plain := ask("water the flowers")
	for range 3 {
		if got := ask("debug the crash"); got != plain {
			t.Errorf("prefix of a class:\n%s\nwithout:\n%s", got, plain)
		}
	}
}

// The gate of the situation report's document: these, and what has neither letter
// nor digit, recall nothing; all else does.
func TestSocialClosers(t *testing.T) {
	w := newWorld(t)
	w.profile = "situation"
	w.crowd()
	w.page("topics/notes.md", "- [fact] Yes, the build is ok, thanks to the no-op cache: 好的, 👍 and 9.\n")
	for _, prompt := range []string{"ok", "yes", "no", "thanks", "thank you", "got it", "sure", "right", "correct", "agreed", "nice", "cool", "great", "perfect",
		"👍", "👌", "✅", "🙏", "😊", "🎉", "💯", " OK ", "Thanks!", "...", "👍👍", "❤️", "?!", "OK, thanks!", "great. Thank you 🙏"} {
		if tail := w.branchChat("s" + prompt).say(prompt).Tail; tail != "" {
			t.Errorf("%q recalls\n%s", prompt, tail)
		}
	}
	for _, prompt := range []string{"build", "no-op cache", "好的 build cache", "is the build ok?"} {
		if tail := w.branchChat("s" + prompt).say(prompt).Tail; !strings.Contains(tail, "no-op cache") {
			t.Errorf("%q recalls nothing", prompt)
		}
	}
	w.profile = "default" // knows more of them, in Chinese, too
	for _, prompt := range []string{"好的", "好的，谢谢！", "没问题。", "继续", "lgtm, go ahead", "yep"} {
		if tail := w.branchChat("d" + prompt).say(prompt).Tail; tail != "" {
			t.Errorf("%q recalls\n%s", prompt, tail)
		}
	}
	for _, prompt := range []string{"好的 build cache", "ok, is the build no-op?"} {
		if tail := w.branchChat("d" + prompt).say(prompt).Tail; !strings.Contains(tail, "no-op cache") {
			t.Errorf("%q recalls nothing:\n%s", prompt, tail)
		}
	}
}
