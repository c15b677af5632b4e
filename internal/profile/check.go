package profile

import (
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/score"
)

// check says what is wrong with a profile: the key, the value, what is allowed.
func check(p *pimento.Profile) error {
	c := checker{}
	c.oneOf("snapshot", p.Snapshot, "stable", "current", "per-turn")
	c.oneOf("default_scope", string(p.DefaultScope), scopes()...)
	c.oneOf("exit_summary", p.ExitSummary, "", "off", "listed", "thought")
	c.atLeast0("past.days", p.Past.Days)
	c.atLeast0("audit_hours", p.AuditHours)
	for _, name := range p.Skills {
		c.oneOf("skills", name, "daily-audit", "knowledge-lint")
	}
	c.budget("prefix", p.Prefix)
	c.budget("tail", p.Tail)
	c.budget("block", p.Block)
	c.budget("resident", p.Resident)
	c.budget("index", p.Index)
	c.atLeast0("window", p.Window)
	c.heading("title", p.Title)
	c.recall(&p.Recall)
	c.atLeast0("handoff.log_lines", p.Handoff.LogLines)
	c.atLeast0("handoff.propose", p.Handoff.Propose)
	c.topics("topics.", p.Topics)
	c.atLeast0("dream.sessions", p.Dream.Sessions)
	c.oneOf("dream.apply", p.Dream.Apply, "", "duplicates", "all")
	c.scoring(&p.Scoring)
	c.writes(&p.Writes)
	c.capacity(&p.Capacity)
	c.retention(&p.Retention)
	c.overhear(&p.Overhear)
	c.atLeast0("reminder.max", p.Reminder.Max)
	c.share("reminder.min_coverage", p.Reminder.MinCoverage)
	for i, s := range p.Signs {
		c.sign(fmt.Sprintf("signs[%d].", i), s)
	}
	names := map[string]bool{}
	for i := range p.Sections {
		s := &p.Sections[i]
		if s.Name == "" || names[s.Name] {
			c.fail(fmt.Sprintf("sections[%d].name", i), s.Name, "a name that no other section has")
		}
		names[s.Name] = true
		c.section(s)
	}
	for _, tool := range p.Tools {
		if !isName(tool) {
			c.fail("tools", tool, "names of small letters, digits, - and _")
		} else if p.ToolTexts[tool] == "" {
			c.fail("tools", tool, "a tool that has a text in tools/"+tool+".md")
		}
	}
	for _, name := range p.Commands {
		if !isName(name) {
			c.fail("commands", name, "names of small letters, digits, - and _")
		}
	}
	return c.err
}

// A checker keeps the first complaint.
type checker struct{ err error }

func (c *checker) fail(key, value, allowed string) {
	if c.err == nil {
		c.err = fmt.Errorf("key %s: %q is not allowed; use %s", key, value, allowed)
	}
}

func (c *checker) oneOf(key, value string, allowed ...string) {
	if !slices.Contains(allowed, value) {
		c.fail(key, value, "one of: "+strings.Join(quoteEmpty(allowed), ", "))
	}
}

func quoteEmpty(words []string) []string {
	out := slices.Clone(words)
	for i, w := range out {
		if w == "" {
			out[i] = `""`
		}
	}
	return out
}

func (c *checker) atLeast0(key string, n int) {
	if n < 0 {
		c.fail(key, fmt.Sprint(n), "0 (no limit, or none) or more")
	}
}

func (c *checker) share(key string, x float64) { c.within(key, x, 0, 1) }

func (c *checker) within(key string, x, low, high float64) {
	if !(x >= low && x <= high) { // true for what is no number
		c.fail(key, fmt.Sprint(x), fmt.Sprintf("a number from %v to %v", low, high))
	}
}

func (c *checker) recall(r *pimento.Recall) {
	c.atLeast0("recall.hits", r.Hits)
	c.atLeast0("recall.query_chars", r.QueryChars)
	c.atLeast0("recall.search", r.Search)
	c.oneOf("recall.layout", r.Layout, "", "lines")
	c.oneOf("recall.rank", r.Rank, "", "published")
	c.share("recall.min_coverage", r.MinCoverage)
	c.share("recall.min_confidence", r.MinConfidence)
	c.share("recall.unsure.min_confidence", r.Unsure.MinConfidence)
	c.atLeast0("recall.unsure.hits", r.Unsure.Hits)
	c.share("recall.least", r.Least)
	c.classes(r.Classes)
	for _, k := range slices.Sorted(maps.Keys(r.Weights)) {
		c.oneOf("recall.weights", string(k), kinds()...)
		c.within("recall.weights."+string(k), r.Weights[k], 0, 10)
	}
	for _, tag := range slices.Sorted(maps.Keys(r.Tags)) {
		c.within("recall.tags."+tag, r.Tags[tag], 0, 10)
	}
	c.share("recall.fresh.boost", r.Fresh.Boost)
	c.atLeast0("recall.fresh.days", r.Fresh.Days)
	c.within("recall.strict", r.Strict, -1, 1)
}

func (c *checker) budget(key string, b pimento.Budget) {
	c.atLeast0(key+".tokens", b.Tokens)
	c.atLeast0(key+".chars", b.Chars)
	c.atLeast0(key+".bytes", b.Bytes)
	c.atLeast0(key+".lines", b.Lines)
}

func (c *checker) topics(key string, t pimento.Topics) {
	for _, x := range []struct {
		key string
		n   int
	}{{"max_lines", t.MaxLines}, {"max_bytes", t.MaxBytes}, {"max_files", t.MaxFiles}, {"warn_files", t.WarnFiles},
		{"hint_files", t.HintFiles}, {"max_keywords", t.MaxKeywords}, {"overlap", t.Overlap}} {
		c.atLeast0(key+x.key, x.n)
	}
}

func (c *checker) sign(key string, s pimento.Sign) {
	if _, err := path.Match(s.Files, "x"); err != nil || !fs.ValidPath(s.Files) {
		c.fail(key+"files", s.Files, "a pattern of paths below the folder, like daily/*.md")
	}
	if s.What == "" || strings.ContainsAny(s.What, "\n\r") {
		c.fail(key+"what", s.What, "what the files are, on one line")
	}
	if s.Weight < 1 || s.Weight > 10 {
		c.fail(key+"weight", fmt.Sprint(s.Weight), "1 to 10")
	}
}

// heading holds our headings to one line of level 1 to 3, because memory text
// is kept off these levels.
func (c *checker) heading(key, h string) {
	if h == "" {
		return
	}
	text := strings.TrimLeft(h, "#")
	if level := len(h) - len(text); level < 1 || level > 3 || !strings.HasPrefix(text, " ") || strings.ContainsAny(h, "\n\r<") {
		c.fail(key, h, "one line that starts with #, ## or ### and a space, without <")
	}
}

func (c *checker) section(s *pimento.Section) {
	key := "sections." + s.Name + "."
	c.oneOf(key+"zone", string(s.Zone), string(pimento.Prefix), string(pimento.Tail))
	c.oneOf(key+"pick", string(s.Pick), picks()...)
	if s.Pick == pimento.PickRules {
		c.oneOf(key+"zone", string(s.Zone), string(pimento.Prefix)) // they hold for the session, whatever is asked
	}
	c.oneOf(key+"trim", s.Trim, "", "start", "end", "middle")
	c.oneOf(key+"form", s.Form, "", "bullets", "passages")
	c.heading(key+"heading", s.Heading)
	c.budget(key+"budget", s.Budget)
	c.atLeast0(key+"max", s.Max)
	c.atLeast0(key+"max_each", s.MaxEach)
	c.atLeast0(key+"whole", s.Whole)
	c.atLeast0(key+"days", s.Days)
	c.atLeast0(key+"back", s.Back)
	if s.Back > 0 && s.Pick != pimento.PickDaily {
		c.fail(key+"back", fmt.Sprint(s.Back), "0, but for the pick daily")
	}
	if strings.ContainsAny(s.More, "<\n\r") {
		c.fail(key+"more", s.More, "one line without <")
	}
	c.oneOf(key+"least", s.Least, "", score.Active, score.Provisional, score.Candidate)
	for _, k := range s.Kinds {
		c.oneOf(key+"kinds", string(k), kinds()...)
	}
	for _, sc := range s.Scopes {
		c.oneOf(key+"scopes", string(sc), scopes()...)
	}
	for _, sh := range s.Shapes {
		c.oneOf(key+"shapes", sh, "full", "excerpt", "brief", "structured", "pointer")
	}
	if s.Raw && !slices.Contains([]pimento.Pick{pimento.PickMemory, pimento.PickDaily, pimento.PickHandoff}, s.Pick) {
		c.fail(key+"raw", "true", "raw only with pick memory, daily or handoff")
	}
}

func scopes() (names []string) {
	for _, s := range pimento.Scopes() {
		names = append(names, string(s))
	}
	return names
}

func kinds() (names []string) {
	for _, k := range pimento.EntryKinds() {
		names = append(names, string(k))
	}
	return names
}

func picks() (names []string) {
	for _, p := range []pimento.Pick{
		pimento.PickPinned,
		pimento.PickTasks,
		pimento.PickHandoff,
		pimento.PickDaily,
		pimento.PickMemory,
		pimento.PickKinds,
		pimento.PickAlways,
		pimento.PickPointers,
		pimento.PickChanged,
		pimento.PickReminder,
		pimento.PickHits,
		pimento.PickSessions,
		pimento.PickRunning,
		pimento.PickRules,
		pimento.PickAudit,
		pimento.PickRelation,
	} {
		names = append(names, string(p))
	}
	return names
}
