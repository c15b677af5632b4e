package mirror

import (
	"strings"
	"testing"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/index"
	"github.com/pimento-memory/pimento/internal/page"
)

// What a question read by the index of before an edit is not what one after it is
// told.
func TestAGlanceIsOfItsDoc(t *testing.T) {
	m := one(t)
	rewrite(t, m, page.Memory, "- Tulips bloom in May.\n", 0)
	doc := index.Doc{Statement: pimento.StatementOf("Tulips bloom in May."), Kind: pimento.KindFact, Line: 1, Span: pimento.Span{End: 23}}
	g := m.Glancer()
	defer g.Close()
	for _, line := range []int{1, 2} {
		en, err := g.Text(t.Context(), page.Memory, doc)
		if err != nil || en.Line != line || en.Text != "Tulips bloom in May." {
			t.Errorf("line %d: %+v, %v", line, en, err)
		}
		rewrite(t, m, page.Memory, "- Roses.\n- Tulips bloom in May.\n", 0)
		doc.Line, doc.Span = 2, pimento.Span{Start: 9, End: 32}
	}
	m.changed()
	rewrite(t, m, page.Memory, "- Roses.\n", 0)
	if _, err := g.Text(t.Context(), page.Memory, doc); err == nil || !strings.Contains(err.Error(), "taken out meanwhile") {
		t.Errorf("what is gone: %v", err)
	}
}
