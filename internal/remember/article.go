package remember

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/page"
	"github.com/pimento-memory/pimento/internal/plainjson"
)

// ArticlePath names the page of a note that gets one of its own, in the manner
// of older systems: when it was written, and eight digits of what it says, the
// type and the triples included. They are the digits by which such a system knows
// what it has.
func ArticlePath(dir, text string, front page.Meta, now time.Time) string {
	rows := make([][]string, len(front.Triples))
	for i, t := range front.Triples {
		rows[i] = []string{t.Subject, t.Predicate, t.Object}
	}
	slices.SortFunc(rows, slices.Compare)
	said := front.Type + ":" + text + ":"
	if b, err := plainjson.Marshal(rows, ""); err == nil && len(rows) > 0 {
		said += strings.TrimSpace(string(b))
	}
	sum := sha256.Sum256([]byte(said))
	stamp := strings.NewReplacer(":", "-", ".", "-").Replace(now.UTC().Format("2006-01-02T15:04:05.000Z"))
	return dir + "/" + stamp + "_" + hex.EncodeToString(sum[:4]) + ".md"
}

// relatesAs says whether an entry says the same of how things are related: a
// note with other triples is another note, whatever its text.
func (n Note) relatesAs(e pimento.Entry) bool {
	if n.Front == nil {
		return true
	}
	return page.DialectOf(e.Page) == page.Article && slices.Equal(sorted(n.Front.Triples), sorted(e.Triples))
}

func sorted(ts []pimento.Triple) []string {
	rows := make([]string, len(ts))
	for i, t := range ts {
		rows[i] = fold(t.Subject) + "\x00" + fold(t.Predicate) + "\x00" + fold(t.Object)
	}
	slices.Sort(rows)
	return rows
}
