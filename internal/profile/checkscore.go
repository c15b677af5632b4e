package profile

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/score"
)

func (c *checker) scoring(s *pimento.Scoring) {
	c.oneOf("scoring.decay", s.Decay, score.EFolding, score.HalfLife)
	c.oneOf("scoring.prohibitions", s.Prohibitions, "", "keep", "fade")
	c.oneOf("scoring.cold", s.Cold, "", "propose", "auto")
	for _, k := range slices.Sorted(maps.Keys(s.Days)) {
		c.oneOf("scoring.days", string(k), kinds()...)
		c.positive("scoring.days."+string(k), s.Days[k])
	}
	for _, cue := range slices.Sorted(maps.Keys(s.Cues)) {
		c.oneOf("scoring.cues", cue, score.CueExplicit, score.CueStructural, score.CueBehavioral, score.CueRecurrence)
		c.positive("scoring.cues."+cue, s.Cues[cue])
	}
	for _, k := range slices.Sorted(maps.Keys(s.Caps)) {
		c.oneOf("scoring.caps", string(k), kinds()...)
		c.atLeast0("scoring.caps."+string(k), s.Caps[k])
	}
	c.share("scoring.used", s.Used)
	c.atLeast0("scoring.overflow", s.Overflow)
	c.atLeast0("scoring.total", s.Total)
	c.positive("scoring.grace_days", s.GraceDays)
	c.positive("scoring.cold_after", s.ColdAfter)
	if !(s.Active >= s.Provisional && s.Provisional >= s.Candidate && s.Candidate >= 0) {
		c.fail("scoring", fmt.Sprintf("active %v, provisional %v, candidate %v", s.Active, s.Provisional, s.Candidate),
			"thresholds that do not rise from active to candidate, none below 0")
	}
}

func (c *checker) positive(key string, f float64) {
	if !(f >= 0 && f < 1e9) {
		c.fail(key, fmt.Sprint(f), "a number from 0")
	}
}

func (c *checker) writes(w *pimento.Writes) {
	if w.Kind != "" {
		c.oneOf("writes.kind", string(w.Kind), kinds()...)
	}
	c.atLeast0("writes.page_chars", w.PageChars)
	for _, k := range slices.Sorted(maps.Keys(w.Pages)) {
		c.oneOf("writes.pages", string(k), kinds()...)
		if rel := w.Pages[k]; !strings.HasSuffix(rel, ".md") || path.Clean(rel) != rel || path.IsAbs(rel) || strings.HasPrefix(rel, ".") {
			c.fail("writes.pages."+string(k), rel, "a path in the memory root that ends in .md")
		}
	}
}

func (c *checker) capacity(p *pimento.Capacity) {
	c.heading("capacity.header", p.Header)
	c.atLeast0("capacity.from", p.From)
	if strings.ContainsAny(p.Warning, "<\r") {
		c.fail("capacity.warning", p.Warning, "text without <")
	}
}

func (c *checker) retention(r *pimento.Retention) {
	for _, typ := range slices.Sorted(maps.Keys(r.Types)) {
		if typ == "user" || typ == "project" {
			c.fail("retention.types", typ, "any type but user and project, which never expire")
		}
		c.atLeast0("retention.types."+typ, r.Types[typ])
	}
	for _, folder := range slices.Sorted(maps.Keys(r.Raw)) {
		if !strings.HasPrefix(folder, "raw/") || path.Clean(folder) != folder {
			c.fail("retention.raw", folder, "a folder below raw/, like raw/sessions")
		}
		c.atLeast0("retention.raw."+folder, r.Raw[folder])
	}
	c.atLeast0("retention.every", r.Every)
}
