package upkeep

import (
	"cmp"
	"slices"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/page"
	"github.com/pimento-memory/pimento/internal/score"
)

// A Severity says how much a finding of lint weighs.
type Severity string

// The severities, the gravest first.
const (
	Fault   Severity = "error"   // something is broken, or in danger
	Warning Severity = "warning" // it works, and worse than it could
	Advice  Severity = "note"    // a matter of taste and size
)

// A Finding is one thing that a rule of lint has found. Its JSON form is the
// contract of docs/FORMATS.md.
type Finding struct {
	Severity Severity      `json:"severity"`
	Rule     string        `json:"rule"`
	Scope    pimento.Scope `json:"scope"`
	Page     string        `json:"page"`
	Line     int           `json:"line"` // from 1; 0 for the page as a whole
	Text     string        `json:"text"` // what is wrong
	Do       string        `json:"do"`   // what to do about it
	Fix      *Fix          `json:"fix,omitempty"`
}

// A Fix is what `lint --fix` would do about a finding; without one, only a
// person can. Exactly one of its parts is set.
type Fix struct {
	// Archive moves an entry, or the whole page where its statement is "", into
	// the archive.
	Archive *pimento.Occurrence `json:"archive,omitempty"`
	// Splices edit the page, which must have the digest Before.
	Splices []pimento.Splice `json:"splices,omitempty"`
	Before  pimento.Digest   `json:"before,omitempty"`
}

// LintFacts is what the rules look at: one scope as it is.
type LintFacts struct {
	Scope pimento.Scope
	Pages []*LintPage // by path
	// Topics is the profile's policy for topic pages; rules about them propose by it.
	Topics pimento.Topics
	// Entries are what rules about entries compare and judge, with what is known of
	// them; Policy says how they fade. Without them these rules find nothing.
	Entries []Known
	Policy  score.Policy
	Now     time.Time
	// Tracked are paths of raw files that git tracks, relative to the project.
	Tracked []string

	pairs      []Pair      // of Entries, filled in by Lint
	objections []objection // to entries of Pages, likewise
	// Known says whether a link leads anywhere, in this scope or another one; nil
	// when nobody can tell.
	Known func(link string) bool
}

// A LintPage is one page of a scope.
type LintPage struct {
	Rel    string
	Page   *page.Page
	Digest pimento.Digest
}

// A Rule is one question that lint asks of a scope. It is pure.
type Rule struct {
	Name     string
	Severity Severity
	About    string // half a sentence for help: "a page with an open git conflict"
	Check    func(LintFacts) []Finding
}

// Rules is every rule, in the order in which help names them.
func Rules() []Rule {
	return []Rule{
		{"git-conflict", Fault, "a page with an open git conflict", openConflicts},
		{"index-markers", Fault, "markers of the generated index that do not pair", brokenMarkers},
		{"secret", Fault, "an entry that looks like a secret", secretEntries},
		{"front-matter", Fault, "front matter of a page below knowledge/ that lacks or garbles what it must say", frontMatter},
		{"supersede-cycle", Fault, "entries that replace each other in a circle", supersedeCycles},
		{"tracked-raw", Fault, "transcripts or summaries of conversations that git tracks", trackedRaw},
		{"order", Warning, "an entry that reads like an order to a model, or hides characters", ordersToAModel},
		{"encoding", Warning, "a page that is not UTF-8", notUTF8},
		{"repeated", Warning, "an entry that stands on its page twice", repeated},
		{"duplicate", Warning, "an entry that says what another one says", ofRelation(Duplicate)},
		{"near-duplicate", Warning, "an entry that nearly says what another one says", ofRelation(Near)},
		{"superseded", Warning, "an entry that a newer one rules out", ofRelation(Superseded)},
		{"contradiction", Warning, "two entries that cannot both hold", ofRelation(Contradiction)},
		{"triple-contradiction", Warning, "relations that cannot both hold", tripleContradictions},
		{"no-front-matter", Warning, "a page below knowledge/ without front matter", noFrontMatter},
		{"old-type", Warning, "a type of an older pi-mind", oldTypes},
		{"old-tag", Warning, "a tag that says what type and tier say", oldTags},
		{"topic-name", Warning, "a topic file whose name breaks the grammar topic--kw1,kw2.md", topicNames},
		{"topic-conflict", Warning, "two topic files about the same", topicConflicts},
		{"foreign-index", Warning, "an index that another program generated and nobody keeps", foreignIndex},
		{"dead-link", Warning, "a link to a page or entry that is not there", deadLinks},
		{"topic-merge", Advice, "more topic files than the profile likes", topicMerges},
		{"topic-split", Advice, "a topic file that is too long", topicSplits},
		{"stale-index", Advice, "a generated index that does not name the files there are", staleIndex},
		{"empty-page", Advice, "a page that says nothing", emptyPages},
		{"no-tags", Advice, "a page of knowledge without tags", noTags},
		{"short-page", Advice, "a page of knowledge that hardly says anything", shortPages},
		{"long-entry", Advice, "an entry that is too long to be shown whole", longEntries},
		{"stale", Advice, "an entry that has faded, and was not said for half a year", staleEntries},
	}
}

// Lint asks all rules about a scope. Findings come gravest first, then by page
// and line.
func Lint(f LintFacts) []Finding {
	f.pairs, f.objections = Pairs(f.Entries), objectionsTo(f.Pages)
	var out []Finding
	weight := map[Severity]int{Fault: 0, Warning: 1, Advice: 2}
	for _, r := range Rules() {
		for _, found := range r.Check(f) {
			found.Rule, found.Severity, found.Scope = r.Name, r.Severity, f.Scope
			out = append(out, found)
		}
	}
	slices.SortStableFunc(out, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(weight[a.Severity], weight[b.Severity]), cmp.Compare(a.Page, b.Page), cmp.Compare(a.Line, b.Line))
	})
	return out
}
