package remember

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/page"
)

// ArticlePath names the page of a note that gets one of its own, in the manner
// of older systems: when it was written, and eight digits of what it says, the
// type and the triples included.
func ArticlePath(dir, text string, front page.Meta, now time.Time) string {
	rows := make([]string, len(front.Triples))
	for i, t := range front.Triples {
		rows[i] = t.Subject + "\x00" + t.Predicate + "\x00" + t.Object
	}
	slices.Sort(rows)
	sum := sha256.Sum256([]byte(front.Type + ":" + text + ":" + strings.Join(rows, "\x01")))
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
