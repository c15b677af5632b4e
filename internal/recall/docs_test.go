package recall

import (
	"testing"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/index"
	"github.com/pimento-memory/pimento/internal/text"
)

// TestTurns: what an entry does in a conversation is in its flags.
func TestTurns(t *testing.T) {
	for _, c := range []struct {
		author, text string
		want         uint8
	}{
		{"", "The gate is closed at 22:00", 0},
		{"Ana", "The gate is closed at 22:00", index.Said},
		{"Ana", "When is the gate closed?", index.Said | index.Asks | index.Wonders | index.Inquires},
		{"", "Oh no! When is the gate closed? Who has the key?", index.Asks | index.Wonders},
		{"", "Who has the key of the gate? Bo.", index.Wonders},
		{"", "I left my bag in the yard and the gate was closed. Who has the key?", index.Asks},
		{"Ana", "At ten, you say. That is late for a yard. Who has the key?", index.Said | index.Asks | index.Inquires},
		{"User", "The yard closes at ten, and I leave at nine. Who has the key?", index.Said | index.Asks},
		{"", "门什么时候关？", index.Asks | index.Wonders},
		{"", "门十点关。", 0},
	} {
		d := Docs(nil, text.NewAnalyzer(), "", pimento.Entry{}.Stamp, pimento.Entry{Author: c.author, Text: c.text})
		if got := d[0].Flags; got != c.want {
			t.Errorf("%s %q: flags %b, want %b", c.author, c.text, got, c.want)
		}
	}
}
