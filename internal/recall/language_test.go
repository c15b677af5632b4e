package recall_test

import (
	"strings"
	"testing"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/recall"
)

// TestAskedWithoutALanguage: words alone show no language; the memory's is taken.
// Compounds that nobody wrote are divided.
func TestAskedWithoutALanguage(t *testing.T) {
	german := archive(t, "-- project/MEMORY.md --\n- Die Verbindungen zur Datenbank liegen in einem Pool.\n- Wir lesen die Schlüssel aus dem Tresor.\n")
	for _, question := range []string{"Verbindung", "Datenbankverbindungen", "Wie viele Datenbankverbindungen gibt es?", "Pool Verbindung"} {
		a := ask(t, german, pimento.Query{Text: question}, recall.Options{})
		if len(a.Hits) == 0 || !strings.HasPrefix(a.Hits[0].Entry.Text, "Die Verbindungen") {
			t.Errorf("%q finds %v", question, a.Hits)
		}
	}
	english := archive(t, "-- project/MEMORY.md --\n- Tenants are in the ante room.\n")
	if a := ask(t, english, pimento.Query{Text: "Tenantenverwaltungen"}, recall.Options{}); len(a.Hits) != 0 {
		t.Errorf("an English memory was asked in German: %v", a.Hits)
	}
}
