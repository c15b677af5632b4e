package upkeep

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/page"
)

// The schema of a page of knowledge: date, type and tier must be there, tags and
// triples may.

// wikiIndex is the list of pages that pi-mind generated; it has no entries then.
const wikiIndex = page.KnowledgeDir + "index.md"

// knowledge are the pages below knowledge/, but for the list that pi-mind
// generated.
func (f LintFacts) knowledge() (out []*LintPage) {
	for _, p := range f.Pages {
		if strings.HasPrefix(p.Rel, page.KnowledgeDir) && (p.Rel != wikiIndex || len(p.Page.Entries()) > 0) {
			out = append(out, p)
		}
	}
	return out
}

// setFront is the fix that makes a key of a page's front matter say value, nil
// where there is no room for it.
func setFront(p *LintPage, key, value string) *Fix {
	if splices := p.Page.SetFront(key, value); splices != nil {
		return &Fix{Splices: splices, Before: p.Digest}
	}
	return nil
}

// frontMatter finds what front matter lacks or garbles. What is missing has an
// honest default: reference, relevant, the moment in the file's name.
func frontMatter(f LintFacts) (out []Finding) {
	for _, p := range f.knowledge() {
		m, ok := p.Page.Meta()
		if !ok {
			if fault := p.Page.FrontFault(); !strings.Contains(fault, "no front matter") {
				out = append(out, Finding{Page: p.Rel, Line: 1, Text: fault, Do: "correct it in an editor"})
			}
			continue
		}
		add := func(text, do string, fix *Fix) {
			out = append(out, Finding{Page: p.Rel, Line: 1, Text: text, Do: do, Fix: fix})
		}
		typ := strings.ToLower(m.Type)
		switch {
		case typ == "":
			add("no type", "say one of: "+strings.Join(page.KnownTypes(), ", "), setFront(p, "type", "reference"))
		case page.NewerType(typ) == "" && !slices.Contains(page.KnownTypes(), typ):
			add("the type "+m.Type+" is unknown", "use one of: "+strings.Join(page.KnownTypes(), ", "), nil)
		}
		switch m.Tier {
		case "":
			fix := setFront(p, "tier", "L2")
			if page.NewerType(typ) != "" {
				fix = nil // that rule knows which tier the older type meant
			}
			add("no tier", "say L1 (always shown) or L2 (when it bears on the prompt)", fix)
		case "L1", "L2", "always", "relevant":
		default:
			add("the tier "+m.Tier+" is unknown", "use L1 or always, L2 or relevant", nil)
		}
		if at := dateOfName(p.Rel); m.Date.IsZero() && !slices.Contains(m.Lost, "date") {
			var fix *Fix
			if !at.IsZero() {
				fix = setFront(p, "date", at.Format(time.RFC3339))
			}
			add("no date", "say since when it holds: date: 2026-01-31", fix)
		}
		for _, key := range m.Lost {
			add("the key "+key+" cannot be read, in whole or in part", wantedFront(key), nil)
		}
	}
	return out
}

// wantedFront is how a key is written.
func wantedFront(key string) string {
	switch key {
	case "date":
		return "write it as 2026-01-31 or 2026-01-31T09:30:00Z"
	case "until":
		return "write it as 2026-01-31"
	case "triples":
		return `write rows of three texts that are not blank: [["alice", "owns", "auth-service"]]`
	}
	return ""
}

// dateOfName is the moment in a name like 2026-05-08T10-00-00-000Z_a1b2c3d4.md,
// zero when there is none.
func dateOfName(rel string) time.Time {
	stem, _, _ := strings.Cut(strings.TrimSuffix(path.Base(rel), ".md"), "_")
	at, err := time.Parse("2006-01-02T15-04-05-000Z", stem)
	if err != nil {
		return time.Time{}
	}
	return at
}

// noFrontMatter finds pages of knowledge that say nothing of themselves. They
// work, as references.
func noFrontMatter(f LintFacts) (out []Finding) {
	for _, p := range f.knowledge() {
		if p.Page.FrontFault() != "it has no front matter" || p.Page.Conflicted() {
			continue
		}
		found := Finding{Page: p.Rel, Line: 1, Text: "the page has no front matter", Do: "begin it with date, type and tier between two lines of ---"}
		if at := dateOfName(p.Rel); !at.IsZero() {
			head := "---\ndate: " + at.Format(time.RFC3339) + "\ntype: reference\ntier: L2\n---\n"
			found.Fix = &Fix{Before: p.Digest, Splices: []pimento.Splice{{Off: p.Page.Body(), Ins: []byte(head)}}}
		}
		out = append(out, found)
	}
	return out
}

// oldTypes finds the types of older versions. Some of them meant a tier as well.
func oldTypes(f LintFacts) (out []Finding) {
	for _, p := range f.knowledge() {
		m, _ := p.Page.Meta()
		typ := strings.ToLower(m.Type)
		now := page.NewerType(typ)
		if now == "" {
			continue
		}
		fix := setFront(p, "type", now)
		if fix != nil && m.Tier == "" {
			tier := "L2"
			if typ == "preference" || typ == "decision" {
				tier = page.TierAlways
			}
			fix.Splices = append(fix.Splices, p.Page.SetFront("tier", tier)...) // a new key goes to the end
		}
		out = append(out, Finding{Page: p.Rel, Line: 1, Text: "the type " + m.Type + " is an older name of " + now, Do: "write type: " + now, Fix: fix})
	}
	return out
}

// oldTags finds tags like subject:user or memory-type:L1.
func oldTags(f LintFacts) (out []Finding) {
	old := func(tag string) bool {
		return strings.HasPrefix(tag, "subject:") || strings.HasPrefix(tag, "memory-type:")
	}
	for _, p := range f.knowledge() {
		m, _ := p.Page.Meta()
		if !slices.ContainsFunc(m.Tags, old) {
			continue
		}
		rest := slices.DeleteFunc(slices.Clone(m.Tags), old)
		found := Finding{Page: p.Rel, Line: 1, Text: "tags say what type and tier are for", Do: "leave out subject: and memory-type:"}
		if !slices.ContainsFunc(rest, func(t string) bool { return strings.ContainsAny(t, "[]{},#&:\"'") }) {
			found.Fix = setFront(p, "tags", "["+strings.Join(rest, ", ")+"]")
		}
		out = append(out, found)
	}
	return out
}

func noTags(f LintFacts) (out []Finding) {
	for _, p := range f.knowledge() {
		if m, ok := p.Page.Meta(); ok && len(m.Tags) == 0 {
			out = append(out, Finding{Page: p.Rel, Line: 1, Text: "no tags", Do: "add some words that it would be looked for by: tags: [auth, decision]"})
		}
	}
	return out
}

// shortBody is the number of characters below which a page hardly says anything.
const shortBody = 20

func shortPages(f LintFacts) (out []Finding) {
	for _, p := range f.knowledge() {
		body := strings.TrimSpace(string(p.Page.Bytes()[p.Page.Body():]))
		if n := len([]rune(body)); n > 0 && n < shortBody {
			out = append(out, Finding{Page: p.Rel, Text: "it says less than a sentence", Do: "say it in full, or archive it"})
		}
	}
	return out
}

// trackedRaw finds what was said in conversations and is about to be shared.
func trackedRaw(f LintFacts) (out []Finding) {
	dirs := map[string]int{}
	for _, rel := range f.Tracked {
		dirs[path.Dir(rel)]++
	}
	var names []string
	for dir := range dirs {
		names = append(names, dir)
	}
	slices.SortFunc(names, cmp.Compare)
	for _, dir := range names {
		out = append(out, Finding{Page: dir, Text: "git tracks what was said in conversations",
			Do: "put /" + dir + "/ on a line of .gitignore, then: git rm -r --cached " + dir})
	}
	return out
}
