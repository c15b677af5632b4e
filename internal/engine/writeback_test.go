package engine_test

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
)

// A written line of the exported journal, as far as the tests look.
type written struct {
	Txn    string
	TS     time.Time
	Phase  string
	Op     string
	Scope  string
	Value  string
	Base   string `json:"base_version"`
	Actor  string
	Target struct{ File, Heading string }
	Ref    struct{ Session, Turn string } `json:"evidence_ref"`
	Code   string                         `json:"reason_code"`
}

func (w *world) writeback() (out []written) {
	w.Helper()
	w.run(func(e *engine.Engine) { _, err := e.Sidecars(w.Context(), true); w.must(err) })
	files, err := filepath.Glob(w.dirs.State + "/tables/*/writeback-journal.jsonl")
	w.must(err)
	for _, f := range files {
		for line := range strings.Lines(get(w, f)) {
			var l written
			w.must(json.Unmarshal([]byte(line), &l))
			out = append(out, l)
		}
	}
	return out
}

// The exported journal says under which heading was written, and in which turn
// of which session.
func TestWritebackNamesHeadingAndTurn(t *testing.T) {
	w := newWorld(t)
	w.page("MEMORY.md", "# Shop\n\n## Build\n\n- The cache is sccache.\n")
	e := w.serve()
	say := func(prompt string) string {
		r := e.Turn(t.Context(), pimento.Turn{Harness: "pi", Session: "s", Event: pimento.PromptTurn, Prompt: prompt})
		r.After(t.Context())
		return r.Block.TraceID
	}
	turns := []string{say("hello"), say("remember that the tests run with make")}
	for _, n := range []engine.Note{
		{Text: "The linker is mold.", Session: "s", Actor: "agent"},
		{Text: "key AKIAQ3EGRZ7TNLW2M5XB", Session: "s", Actor: "agent"},
		{Text: "The runner has four cores."},
	} {
		n.Scope = pimento.Global
		_, err := e.Remember(t.Context(), n)
		w.must(err)
	}
	_, err := e.Forget(t.Context(), id("The cache is sccache."), engine.Actor{Session: "s"})
	w.must(err)
	var overheard, said, alone, forgotten, refused bool
	for _, l := range w.writeback() {
		inTurn := l.Ref.Session == "s" && l.Ref.Turn == turns[1] && turns[1] != ""
		switch {
		case l.Phase == "rejected":
			refused = inTurn && l.Code == "SECRET_DETECTED"
		case l.Phase != "staged" || l.Target.File != "MEMORY.md":
		case strings.Contains(l.Value, "tests run with make"):
			overheard = inTurn // said in that very prompt
		case strings.Contains(l.Value, "mold"):
			said = inTurn && l.Target.Heading == "Shop > Build"
		case strings.Contains(l.Value, "four cores"):
			alone = l.Ref.Session == "" && l.Ref.Turn == "" && l.Target.Heading == "Shop > Build"
		case l.Value == "": // what is taken out is not quoted
			forgotten = inTurn && l.Target.Heading == "Shop > Build"
		}
	}
	if !overheard || !said || !alone || !forgotten || !refused {
		t.Errorf("overheard %t, said %t, alone %t, forgotten %t, refused %t:\n%+v", overheard, said, alone, forgotten, refused, w.writeback())
	}
}

// The heading of what is encrypted is as secret as the rest of it.
func TestWritebackOfAnEncryptedPage(t *testing.T) {
	w := newWorld(t)
	w.lock(false)
	w.page("topics/accounts.md", "# Elderberries\n\n- The mail host is hermes.\n")
	w.run(func(e *engine.Engine) {
		_, err := e.Encrypt(t.Context(), "topics/accounts.md", true, engine.Actor{})
		w.must(err)
	})
	w.writeback()
	if files := w.holding("Elderberries"); files != nil {
		t.Errorf("the heading stands in %v", files)
	}
}

// Each step of a write says all that is known of it, its end as much as its
// beginning.
func TestWritebackPhases(t *testing.T) {
	w := newWorld(t)
	put(t, filepath.Join(w.dirs.Config, "config.json"), `{"capture": "propose"}`)
	w.page("MEMORY.md", "## Build\n\n- The cache is sccache.\n")
	e := w.serve()
	r := e.Turn(t.Context(), pimento.Turn{Harness: "pi", Session: "s", Event: pimento.PromptTurn, Prompt: "hello"})
	r.After(t.Context())
	for _, n := range []engine.Note{
		{Text: "The linker is mold."},
		{Text: "the linker is mold"},
		{Text: "key AKIAQ3EGRZ7TNLW2M5XB"},
		{Text: "- all new", Overwrite: true, Version: "0123456789ab"},
	} {
		n.Scope, n.Session, n.Actor = pimento.Global, "s", "agent"
		_, err := e.Remember(t.Context(), n)
		w.must(err)
	}
	for _, text := range []string{"The runner has four cores.", "The runner has eight cores."} {
		_, err := e.Propose(t.Context(), pimento.Proposal{Text: text, Scope: pimento.Global}, engine.Actor{Name: "agent", Session: "s"})
		w.must(err)
	}
	waiting, err := e.Inbox(t.Context())
	w.must(err)
	_, err = e.InboxAccept(t.Context(), waiting[0].ID, engine.Actor{})
	w.must(err)
	_, err = e.InboxReject(t.Context(), waiting[1].ID, engine.Actor{})
	w.must(err)

	var got []string
	for _, l := range w.writeback() {
		got = append(got, strings.Join([]string{l.Phase, l.Op, l.Code, l.Value}, " "))
		proposed := strings.Contains(l.Value, "cores")
		if l.Txn == "" || l.TS.IsZero() || l.Scope != "global" || l.Op == "" || l.Actor == "" || !proposed && l.Target.File != "MEMORY.md" {
			t.Errorf("a line lacks something: %+v", l)
		}
		if strings.Contains(l.Value, "The linker") && (l.Ref.Turn != r.Block.TraceID || l.Target.Heading != "Build" || l.Base == "") {
			t.Errorf("a line of a write lacks something: %+v", l)
		}
	}
	want := []string{
		"staged append OK The linker is mold.", "validated append OK The linker is mold.", "committed append OK The linker is mold.",
		"committed merge DUPLICATE ",
		"rejected append SECRET_DETECTED ",
		"rejected set-with-version DESTRUCTIVE_OP ",
		"staged append OK The runner has four cores.", "staged append OK The runner has eight cores.",
		"staged append OK The runner has four cores.", "validated append OK The runner has four cores.", "committed append OK The runner has four cores.",
		"validated append OK The runner has four cores.",
		"rejected append POLICY_DENIED The runner has eight cores.",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}
