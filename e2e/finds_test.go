package e2e

import (
	"strings"
	"testing"

	"github.com/pimento-memory/pimento/e2e/stub"
)

// TestFindsThroughPi: six ways to ask, one of them above a pasted log, each finds its
// memory among hundreds, and a prompt about nothing of that puts nothing beside itself.
// The same from a shell: finds.txt in internal/cli/testdata.
func TestFindsThroughPi(t *testing.T) {
	t.Parallel()
	s := newSandbox(t, stub.Script())
	s.services(300)
	facts := map[string]string{ // by the prompt
		"How long do we keep the backups?":                             "Backups are kept for 35 days and then deleted.",
		"what DB do we use?":                                           "Chose PostgreSQL for the ledger because of its constraints.",
		"I get ERR_LEDGER_0417: posting period closed, what can I do?": "ERR_LEDGER_0417: posting period closed means that somebody ran the month end twice; reopen with ledgerctl reopen.",
		"缓存": "缓存失效时间统一为十分钟。",
		"which port do the exporters listen on?\n\n" + strings.Repeat("2026-11-02T10:01:00Z INFO service-12 handled request id=77 status=200 retries=3 owner=billing\n", 40): "Exporters listen on 9187.",
		"what should I know about window.go?": "internal/rates/window.go must stay free of time zones; the caller converts.",
	}
	var b strings.Builder
	b.WriteString("# Notes\n\n")
	for _, fact := range facts {
		b.WriteString("- " + fact + "\n")
	}
	s.write(s.global("topics/notes.md"), b.String())
	s.print("hello there")
	for prompt, fact := range facts {
		if strings.Contains(s.request(0).Text(), fact) {
			t.Fatalf("the prefix shows it already: %s", fact)
		}
		n := len(s.model.Requests())
		s.print(prompt)
		has(t, prompt, tail(s.request(n)), fact)
	}
	n := len(s.model.Requests())
	s.print("Write a limerick about a penguin who dances")
	if got := tail(s.request(n)); got != "" {
		t.Errorf("an off-topic prompt brings along:\n%s", got)
	}
}
