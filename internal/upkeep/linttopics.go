package upkeep

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/page"
)

// topics are the scope's topic pages, by path.
func (f LintFacts) topics() (out []*LintPage) {
	for _, p := range f.Pages {
		if page.HoldsTopic(p.Rel) {
			out = append(out, p)
		}
	}
	return out
}

// memory is the scope's memory page, nil when there is none.
func (f LintFacts) memory() *LintPage {
	for _, p := range f.Pages {
		if p.Rel == page.Memory {
			return p
		}
	}
	return nil
}

// topicNames finds files beside MEMORY.md whose names no write of a topic would
// take. It asks only where the profile has a grammar.
func topicNames(f LintFacts) (out []Finding) {
	if f.Topics.MaxKeywords == 0 {
		return nil
	}
	for _, p := range f.topics() {
		if strings.Contains(p.Rel, "/") {
			continue
		}
		rel, why := page.CheckTopicFile(p.Rel, f.Topics)
		switch {
		case why != "":
			what, do, _ := strings.Cut(why, "; ")
			out = append(out, Finding{Page: p.Rel, Text: what, Do: "rename it: " + do})
		case rel != p.Rel:
			out = append(out, Finding{Page: p.Rel, Text: "the file name would be written as " + rel, Do: "rename it"})
		}
	}
	return out
}

// topicConflicts finds pairs of topic pages of which a write would refuse the
// second.
func topicConflicts(f LintFacts) (out []Finding) {
	if f.Topics.Overlap <= 0 {
		return nil
	}
	for a, b := range meeting(f.topics()) {
		shared, clash := page.TopicsClash(a.Rel, b.Rel, f.Topics.Overlap)
		if !clash {
			continue
		}
		why := "has the topic of " + b.Rel
		if len(shared) > 0 {
			why = fmt.Sprintf("shares %d keywords (%s) with %s", len(shared), strings.Join(shared, ", "), b.Rel)
		}
		out = append(out, Finding{Page: a.Rel, Text: why, Do: mergeAdvice(a.Rel, b.Rel)})
	}
	return out
}

// meeting are the pairs of topic pages that have their topic or a keyword in common, in
// the pages' order. The names are looked up: to compare all with all would take a fleet
// of pages minutes.
func meeting(all []*LintPage) iter.Seq2[*LintPage, *LintPage] {
	names := make([][]string, len(all))
	having := map[string][]int{}
	for i, p := range all {
		topic, keys := page.Topic(p.Rel)
		for _, name := range append([]string{"topic " + topic}, keys...) {
			name = strings.ToLower(strings.ToUpper(name)) // as strings.EqualFold sees it
			names[i] = append(names[i], name)
			having[name] = append(having[name], i)
		}
	}
	return func(yield func(a, b *LintPage) bool) {
		for i, p := range all {
			var others []int
			for _, name := range names[i] {
				from, _ := slices.BinarySearch(having[name], i+1)
				others = append(others, having[name][from:]...)
			}
			slices.Sort(others)
			for _, j := range slices.Compact(others) {
				if !yield(p, all[j]) {
					return
				}
			}
		}
	}
}

// mergeAdvice says how to make one page of several.
func mergeAdvice(into string, others ...string) string {
	return fmt.Sprintf("write what both say into %s, then: pimento archive --reason \"merged into %s\" %s", into, into, strings.Join(others, " "))
}

// maxMerges bounds the merges that are proposed at once.
const maxMerges = 5

// topicMerges proposes which topic pages to merge where there are too many: the
// pairs with the most shared keywords, each page once, then, where keywords say
// nothing, the shortest ones.
func topicMerges(f LintFacts) (out []Finding) {
	all := f.topics()
	if f.Topics.WarnFiles == 0 || len(all) <= f.Topics.WarnFiles {
		return nil
	}
	count := fmt.Sprintf("there are %d topic files, more than %d", len(all), f.Topics.WarnFiles)
	type pair struct {
		a, b   string
		shared []string
	}
	var pairs []pair
	for a, b := range meeting(all) {
		if shared, _ := page.TopicsClash(a.Rel, b.Rel, 1); len(shared) > 0 {
			pairs = append(pairs, pair{a.Rel, b.Rel, shared})
		}
	}
	slices.SortStableFunc(pairs, func(x, y pair) int { return cmp.Compare(len(y.shared), len(x.shared)) })
	taken := map[string]bool{}
	for _, p := range pairs {
		if len(out) >= maxMerges || taken[p.a] || taken[p.b] {
			continue
		}
		taken[p.a], taken[p.b] = true, true
		out = append(out, Finding{Page: p.a, Text: count + "; it shares " + strings.Join(p.shared, ", ") + " with " + p.b, Do: mergeAdvice(p.a, p.b)})
	}
	if len(out) > 0 {
		return out
	}
	slices.SortStableFunc(all, func(a, b *LintPage) int { return cmp.Compare(len(a.Page.Bytes()), len(b.Page.Bytes())) })
	return []Finding{{Page: all[0].Rel, Text: count + "; this and " + all[1].Rel + " are the shortest", Do: mergeAdvice(all[1].Rel, all[0].Rel)}}
}

// topicSplits proposes how to split topic pages that have outgrown a write: by
// their sections.
func topicSplits(f LintFacts) (out []Finding) {
	for _, p := range f.topics() {
		b, lim := p.Page.Bytes(), f.Topics
		lines := page.Lines(b)
		var what string
		switch {
		case lim.MaxLines > 0 && lines > lim.MaxLines:
			what = fmt.Sprintf("it has %d lines, more than %d", lines, lim.MaxLines)
		case lim.MaxBytes > 0 && page.Size(b) > lim.MaxBytes:
			what = fmt.Sprintf("it has %d bytes, more than %d", page.Size(b), lim.MaxBytes)
		default:
			continue
		}
		do := "split it by subtopic, one file each"
		if parts := sections(p.Page); len(parts) > 1 {
			do += ": " + strings.Join(parts, ", ")
		}
		out = append(out, Finding{Page: p.Rel, Text: what, Do: do})
	}
	return out
}

// sections names the sections of an article with their lengths.
func sections(p *page.Page) (out []string) {
	for _, e := range p.Entries() {
		path := strings.Split(e.Heading, " > ")
		name := cmp.Or(path[len(path)-1], "the beginning")
		n := page.Lines(p.Bytes()[e.Span.Start:e.Span.End])
		out = append(out, name+" ("+strconv.Itoa(n)+" lines)")
	}
	return out
}

// names are the paths that the generated index should list.
func (f LintFacts) names() (rels []string) {
	for _, p := range f.topics() {
		rels = append(rels, p.Rel)
	}
	return rels
}

// staleIndex finds a generated index that the files have left behind. What is
// injected is right all the same, and so will be the next write.
func staleIndex(f LintFacts) []Finding {
	p := f.memory()
	if p == nil || p.Page.Conflicted() {
		return nil
	}
	splices := p.Page.SetIndex(f.names(), false)
	if len(splices) == 0 {
		return nil
	}
	return []Finding{{Page: p.Rel, Line: lineOf(p.Page.Bytes(), page.IndexBegin), Text: "the generated index does not name the files there are",
		Do: "nothing: the next write makes it right", Fix: &Fix{Splices: splices, Before: p.Digest}}}
}

// foreignIndex finds an index as an earlier catalog wrote it. Nobody keeps it any
// more, and its lines are taken for memories. The fix puts a kept index in its
// place, or takes it out as an entry is where there is one; what stands around
// it stays.
func foreignIndex(f LintFacts) []Finding {
	p := f.memory()
	if p == nil || p.Page.IndexFault() != "" || p.Page.Conflicted() {
		return nil
	}
	span, line, ok := p.Page.ForeignIndex()
	if !ok {
		return nil
	}
	found := Finding{Page: p.Rel, Line: line, Text: "another program generated this index; it is not kept any more",
		Do: "put the kept index in its place, or take it out"}
	splice := p.Page.Tidied(span)
	if _, kept := p.Page.Generated(); !kept {
		list := "# Memory Index\n\n" + page.IndexBegin + "\n" + page.IndexLines(f.names(), "\n") + page.IndexEnd + "\n"
		splice = pimento.Splice{Off: span.Start, Del: span.Len(), Ins: []byte(list)}
	}
	found.Fix = &Fix{Before: p.Digest, Splices: []pimento.Splice{splice}}
	return []Finding{found}
}
