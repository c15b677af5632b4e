package page

import (
	"path"
	"strings"

	"github.com/pimento-memory/pimento"
)

// Topic splits a file name "topic--kw1,kw2.md" into topic and keywords, as it
// is written but for white space around a keyword. Without "--" the topic is all
// of the name.
func Topic(rel string) (topic string, keywords []string) {
	base := strings.TrimSuffix(path.Base(rel), ".md")
	topic, list, found := strings.Cut(base, "--")
	if !found {
		return base, nil
	}
	for kw := range strings.SplitSeq(list, ",") {
		if kw = strings.TrimSpace(kw); kw != "" {
			keywords = append(keywords, kw)
		}
	}
	return topic, keywords
}

// topicFile is the file name of a topic; Topic reads it back.
func topicFile(topic string, keywords []string) string {
	if len(keywords) == 0 {
		return topic + ".md"
	}
	return topic + "--" + strings.Join(keywords, ",") + ".md"
}

// Pointer names a page on one line, by its path alone: a link that resolves
// beside it, and its keywords. "[deploy](deploy--k8s,canary.md) k8s, canary"
func Pointer(rel string) string {
	topic, keywords := Topic(rel)
	dest := rel
	if strings.ContainsAny(rel, " ()") {
		dest = "<" + rel + ">"
	}
	s := "[" + strings.NewReplacer("[", `\[`, "]", `\]`).Replace(topic) + "](" + dest + ")"
	if len(keywords) > 0 {
		s += " " + strings.Join(keywords, ", ")
	}
	return s
}

// IndexLines is the generated index of the pages at the given paths: a bullet
// for each, in the order given. It holds no counts and no dates, so that two
// branches that add pages rarely disagree on a line.
func IndexLines(rels []string, eol string) string {
	var b strings.Builder
	for _, rel := range rels {
		b.WriteString("- " + Pointer(rel) + eol)
	}
	return b.String()
}

// SetIndex returns the splices that make the generated index of a list page
// name the pages at the given paths. They are nil when it does already, and when
// its markers are at fault. On a page without markers, begin puts them at the
// end, unless there is nothing to name.
func (p *Page) SetIndex(rels []string, begin bool) []pimento.Splice {
	lines := IndexLines(rels, p.eol)
	span, ok := p.IndexRegion()
	switch {
	case p.fault != "" || p.dialect != List:
		return nil
	case ok && p.src[span.Start:span.End] == lines:
		return nil
	case ok:
		return []pimento.Splice{{Off: span.Start, Del: span.Len(), Ins: []byte(lines)}}
	case !begin || len(rels) == 0:
		return nil
	}
	head := p.endGap()
	if p.isBlank() {
		head = "# Memory Index" + p.eol + p.eol
	}
	return []pimento.Splice{{Off: len(p.src), Ins: []byte(head + IndexBegin + p.eol + lines + IndexEnd + p.eol)}}
}

// Generated is the span of the generated index with its marker lines; ok is
// false when there is none or its markers are at fault.
func (p *Page) Generated() (span pimento.Span, ok bool) { return p.region, p.region.Len() > 0 }
