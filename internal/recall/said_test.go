package recall_test

import (
	"testing"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/recall"
)

// TestSaid: what names the subject of an entry goes into its vector, and what
// names nothing does not.
func TestSaid(t *testing.T) {
	entry := func(page, heading, text string, tags ...string) pimento.Entry {
		en := pimento.Entry{Text: text, Heading: heading, Tags: tags}
		en.Page = page
		return en
	}
	for want, en := range map[string]pimento.Entry{
		"port 8443":      entry("MEMORY.md", "", "port 8443"),
		"port 8443 #net": entry("daily/2026-11-21.md", "", "port 8443 #net", "net"),
		"port 8443\nnet\nGateway\ntopics/networking": entry("topics/networking.md", "Gateway", "port 8443", "net"),
	} {
		if got := recall.Said(en); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
