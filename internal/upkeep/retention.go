package upkeep

import (
	"fmt"
	"time"

	"github.com/pimento-memory/pimento"
)

// day is the unit of retention.
const day = 24 * time.Hour

// An Expiry is a page, or a file below raw/, that is older than its retention.
// Its JSON form is the contract of docs/FORMATS.md.
type Expiry struct {
	Scope  pimento.Scope `json:"scope"`
	Page   string        `json:"page"`   // or the file
	Type   string        `json:"type"`   // of a page, as its front matter says; of a file, its folder
	Dated  time.Time     `json:"dated"`  // a page's date; when a file was last changed
	Age    int           `json:"age"`    // in days
	Limit  int           `json:"limit"`  // in days
	Delete bool          `json:"delete"` // for good; else it goes to the archive
}

// Reason says in a few words why it goes.
func (x Expiry) Reason() string {
	return fmt.Sprintf("retention: %s, %d days old, kept for %d", x.Type, x.Age, x.Limit)
}

// Expired lists the pages that are older than their type's retention: by the
// date and the type of their front matter, to the letter. A page without either,
// of a type that the policy does not name, pinned or always shown, stays.
func Expired(policy pimento.Retention, scope pimento.Scope, pages []*LintPage, now time.Time) (out []Expiry) {
	for _, p := range pages {
		m, ok := p.Page.Meta()
		limit := policy.Types[m.Type]
		if !ok || limit <= 0 || m.Date.IsZero() || keeps(p) {
			continue
		}
		if age := int(now.Sub(m.Date) / day); age > limit {
			out = append(out, Expiry{Scope: scope, Page: p.Rel, Type: m.Type, Dated: m.Date, Age: age, Limit: limit})
		}
	}
	return out
}

// keeps says whether something on a page must not fade.
func keeps(p *LintPage) bool {
	for _, e := range p.Page.Entries() {
		if e.Pinned || e.Always {
			return true
		}
	}
	return false
}

// ExpiredFile tells whether a file of a folder of raw/ is older than it is kept.
func ExpiredFile(policy pimento.Retention, scope pimento.Scope, folder, rel string, changed, now time.Time) (Expiry, bool) {
	limit := policy.Raw[folder]
	age := int(now.Sub(changed) / day)
	return Expiry{Scope: scope, Page: rel, Type: folder, Dated: changed, Age: age, Limit: limit, Delete: true}, limit > 0 && age > limit
}
