package recall_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/recall"
)

// notes are about things of which a log has words, too.
func notes(t *testing.T) []recall.Source {
	said := map[string]time.Time{}
	for i := range 40 {
		said[fmt.Sprintf("The %s of service %d restarts when its readiness probe failed %d times.", []string{"container", "kubelet", "scheduler"}[i%3], i, i+3)] = time.Unix(0, 0)
	}
	for _, s := range []string{"Invoices are numbered per tenant, without gaps.", "PGRST116 means that the row is hidden by a policy; log in as owner.", "Go tests run with `make check`."} {
		said[s] = time.Unix(0, 0)
	}
	return dated(t, said)
}

const events = `
  Normal   Scheduled  3m (x1 over 3m)  default-scheduler  assigned api-7c9 to node-4
  Warning  Unhealthy  2m (x9 over 3m)  kubelet            readiness probe failed with 503
  Warning  BackOff    68s (x6 over 2m) kubelet            restarting failed container
`

// TestTypedBeforePasted: what was typed is answered whatever stands beside it; where it
// says nothing, the line that tells of an error is.
func TestTypedBeforePasted(t *testing.T) {
	roots := notes(t)
	floor := recall.Options{MinConfidence: 0.6, MinCoverage: 0.1}
	for prompt, want := range map[string]string{
		"How are the invoices of a tenant numbered?\n" + events:                                    "Invoices are",
		events + "\nHow are the invoices of a tenant numbered?":                                    "Invoices are",
		"How are the invoices of a tenant numbered?\n\n```\n" + events + "```":                     "Invoices are",
		"What is going on here?\n" + events + "  10:12:46  error PGRST116: row hidden by policy\n": "PGRST116",
	} {
		a := ask(t, roots, pimento.Query{Text: prompt}, floor)
		if len(a.Hits) == 0 || !strings.HasPrefix(a.Hits[0].Entry.Text, want) {
			t.Errorf("%s: %v", prompt, texts(a))
		}
	}
	for _, prompt := range []string{"go on then", "try again please", "what is next?", "fix it", "no, not like this"} {
		if a := ask(t, roots, pimento.Query{Text: prompt}, floor); len(a.Hits) > 0 {
			t.Errorf("%s: %v", prompt, texts(a))
		}
	}
}
