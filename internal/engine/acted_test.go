package engine_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pimento-memory/pimento"
)

// events are the lines of all journals.
func (w *world) events() string {
	w.Helper()
	files, err := filepath.Glob(filepath.Join(w.dirs.State, "journals", "*", "events.jsonl"))
	w.must(err)
	var all strings.Builder
	for _, f := range files {
		b, err := os.ReadFile(f)
		w.must(err)
		all.Write(b)
	}
	return all.String()
}

// The end of a turn leaves what the agent did, and neither its commands nor
// anything that a tool answered.
func TestTurnEndIsJournalled(t *testing.T) {
	w := newWorld(t)
	w = w.at(repo(t, filepath.Join(w.home, "shop")))
	c := w.chat("s")
	c.event(pimento.TurnEnd, func(in *pimento.Turn) {
		in.Answer = "done"
		in.Tools = []pimento.ToolUse{{Name: "bash", Args: "0123456789abcdef", Command: "export KEY=hunter2", Error: true},
			{Name: "edit", Args: "fedcba9876543210", Path: filepath.Join(w.dir, "src", "a.go")}}
		in.Edited = []string{filepath.Join(w.dir, "src", "a.go"), "src/a.go", "/etc/hosts"}
	})
	got := w.events()
	wantIn(t, "journal", got, `"type":"acted"`, `"session":"s"`,
		`"tools":[{"name":"bash","args":"0123456789abcdef","error":true},{"name":"edit","args":"fedcba9876543210","path":"src/a.go"}]`,
		`"edited":["src/a.go","/etc/hosts"]`)
	wantOut(t, "journal", got, "hunter2", "done")
}

func TestTurnEndKeepsNoRecordWhereNoneIsWanted(t *testing.T) {
	use := func(in *pimento.Turn) { in.Tools = []pimento.ToolUse{{Name: "bash"}} }
	w := newWorld(t)
	w.chat("nothing").event(pimento.TurnEnd, nil)
	w.chat("off").event(pimento.TurnEnd, func(in *pimento.Turn) { use(in); in.Off = true })
	put(t, filepath.Join(w.dirs.Config, "config.json"), `{"traceEnabled": false}`)
	w.chat("untraced").event(pimento.TurnEnd, use)
	wantOut(t, "journal", w.events(), "acted")
}
