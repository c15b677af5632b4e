package engine_test

import (
	"fmt"
	"strings"
	"testing"
)

// What a prompt asks beside pasted output is answered by a turn, wherever it stands; so
// is a line of the output that tells of an error.
func TestPastedOutputInAPrompt(t *testing.T) {
	w := newWorld(t)
	facts := "- The importer keeps its checkpoint in the table import_marks.\n- ERR_LEASE_LOST means that two schedulers run: stop the older one.\n"
	for i, thing := range []string{"router", "mailer", "cache", "thumbnail worker", "search index", "billing job", "audit trail", "session store"} {
		facts += fmt.Sprintf("- The %s answers requests on port %d, logs to stdout and says how long each took in ms.\n", thing, 7000+i)
	}
	w.page("topics/services.md", facts)
	var log strings.Builder
	for i := range 80 {
		fmt.Fprintf(&log, "2026-11-02T10:01:%02dZ INFO router request id=%d port=7000 answered status=200 cache=hit session=stored took=12ms\n", i%60, i*7919)
	}
	const question = "where does the importer keep its checkpoint?"
	failed := strings.Replace(log.String(), "INFO router request id=158380 ", "ERROR scheduler: ERR_LEASE_LOST id=158380 ", 1)
	if failed == log.String() {
		t.Fatal("no line was made to fail")
	}
	for _, tt := range []struct{ name, prompt, want string }{
		{"below", question + "\n\n" + log.String(), "import_marks"},
		{"below, fenced", question + "\n\n```\n" + log.String() + "```\n", "import_marks"},
		{"above", log.String() + "\n" + question, "import_marks"},
		{"above, with CRLF", strings.ReplaceAll(log.String()+"\n"+question, "\n", "\r\n"), "import_marks"},
		{"a line of it", "what is going on here?\n\n" + failed, "stop the older one"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			wantIn(t, "the tail", w.chat(tt.name).say(tt.prompt).Tail, tt.want)
		})
	}
}
