package source

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/pimento-memory/pimento"
)

// A Knowledge is a page of the layout with raw/ and knowledge/, as its own
// programs write it: front matter that a line-wise parser reads.
type Knowledge struct {
	Date    time.Time // zero writes no date
	Type    string    // user, project, agent-feedback, reference
	Always  bool      // tier L1; else L2
	Tags    []string
	Triples []pimento.Triple
	Body    string
}

// Bytes is the page. That parser takes a value to the line's end, splits tags at
// commas, unquotes nothing, and cuts a triple to 500, 100 and 500 characters.
func (k Knowledge) Bytes() []byte {
	var b strings.Builder
	b.WriteString("---\n")
	if !k.Date.IsZero() {
		b.WriteString("date: " + k.Date.UTC().Format("2006-01-02T15:04:05.000Z") + "\n")
	}
	tier := "L2"
	if k.Always {
		tier = "L1"
	}
	fmt.Fprintf(&b, "type: %s\ntier: %s\n", k.Type, tier)
	if len(k.Tags) > 0 {
		tags := make([]string, len(k.Tags))
		for i, t := range k.Tags {
			tags[i] = strings.TrimSpace(strings.NewReplacer(",", " ", "[", "", "]", "", `"`, "", "\n", " ", "\r", "").Replace(t))
		}
		b.WriteString("tags: [" + strings.Join(tags, ", ") + "]\n")
	}
	if len(k.Triples) > 0 {
		rows := make([][3]string, len(k.Triples))
		for i, t := range k.Triples {
			rows[i] = [3]string{clip(t.Subject, 500), clip(t.Predicate, 100), clip(t.Object, 500)}
		}
		j, _ := json.Marshal(rows) // of strings, which cannot fail
		b.WriteString("triples: " + string(j) + "\n")
	}
	b.WriteString("---\n\n" + strings.TrimSpace(k.Body) + "\n")
	return []byte(b.String())
}

// clip cuts a text to n characters.
func clip(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n])
	}
	return s
}
