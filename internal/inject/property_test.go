package inject

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/pimento-memory/pimento"
	"pgregory.net/rapid"
)

func TestNoBudgetIsEverExceeded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := genFacts().Draw(t, "facts")
		b := Build(f)
		if f.Profile.Snapshot == "stable" {
			if err := keeps(f.Profile.Prefix, b.Prefix); err != nil {
				t.Fatalf("prefix: %v\n%s", err, b.Prefix)
			}
			if err := keeps(f.Profile.Tail, b.Tail); err != nil {
				t.Fatalf("tail: %v\n%s", err, b.Tail)
			}
		} else if b.Tail != "" {
			t.Fatalf("a per-turn block has a tail: %s", b.Tail)
		}
		if err := keeps(f.Profile.Block, b.Prefix, b.Tail); err != nil {
			t.Fatalf("block: %v\n%s\n%s", err, b.Prefix, b.Tail)
		}
		exact := tokens(b.Prefix) + tokens(b.Tail)
		if b.Tokens < exact || b.Tokens > exact+exact/4+40 {
			t.Fatalf("%d tokens charged for %d", b.Tokens, exact)
		}
	})
}

func TestSectionsKeepTheirBudgets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := genFacts().Draw(t, "facts")
		b := build{f: &f, p: &f.Profile, shown: map[string]bool{}, handedOff: map[string]bool{}}
		for _, sec := range b.sections("") {
			if sec.Pick == pimento.PickPinned {
				continue
			}
			s := b.fill(sec, sec.Zone, roomOf(pimento.Budget{}))
			if err := keeps(sec.Budget, s.text); err != nil {
				t.Fatalf("%s: %v\n%s", sec.Name, err, s.text)
			}
		}
	})
}

func TestSameFactsSameBytes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := genFacts().Draw(t, "facts")
		want := Build(f)
		if diff := cmp.Diff(want, Build(f)); diff != "" {
			t.Fatal(diff)
		}
		// The order in which entries are handed in, hits apart, does not matter.
		f.Items = maps.Clone(f.Items)
		for _, p := range []pimento.Pick{pimento.PickTasks, pimento.PickKinds, pimento.PickPinned} {
			f.Items[p] = slices.Clone(f.Items[p])
			slices.Reverse(f.Items[p])
		}
		if got := Build(f); distinct(f.Items) && (got.Prefix != want.Prefix || got.Tail != want.Tail) {
			t.Fatal(cmp.Diff(want.Prefix+want.Tail, got.Prefix+got.Tail))
		}
	})
}

// distinct says whether no two entries stand at the same place.
func distinct(items map[pimento.Pick][]Item) bool {
	for _, list := range items {
		for i := range list {
			for j := range i {
				if inPlace(&list[i], &list[j]) == 0 {
					return false
				}
			}
		}
	}
	return true
}

func TestPrefixKnowsNothingOfThePrompt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := genFacts().Draw(t, "facts")
		f.Profile.Snapshot = "stable"
		want := Build(f).Prefix
		f.Items = maps.Clone(f.Items)
		f.Items[pimento.PickHits] = rapid.SliceOfN(genItem(), 0, 5).Draw(t, "other hits")
		f.Changes = nil
		f.InContext = map[string]bool{}
		f.Profile.Tail = pimento.Budget{Tokens: 50}
		for i := range f.Items[pimento.PickKinds] { // evidence may grow, the text stays
			f.Items[pimento.PickKinds][i].Standing.Used++
		}
		if got := Build(f).Prefix; got != want {
			t.Fatal(cmp.Diff(want, got))
		}
	})
}

func TestAFrozenPrefixIsReturnedVerbatim(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := genFacts().Draw(t, "facts")
		f.Profile.Snapshot = "stable"
		f.Profile.Block = pimento.Budget{}
		first := Build(f)
		f.Prefix = &FrozenPrefix{Text: first.Prefix, IDs: first.PrefixIDs}
		f.Today, f.Empty = "2027-01-01", false
		f.Items = maps.Clone(f.Items)
		f.Items[pimento.PickPinned] = nil
		second := Build(f)
		if second.Prefix != first.Prefix || !slices.Equal(second.PrefixIDs, first.PrefixIDs) {
			t.Fatal("the frozen prefix changed")
		}
		if second.Tail != first.Tail {
			t.Fatal(cmp.Diff(first.Tail, second.Tail))
		}
	})
}

func TestNoIDTwice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := genFacts().Draw(t, "facts")
		b := Build(f)
		seen := map[string]bool{}
		for _, id := range slices.Concat(b.PrefixIDs, b.TailIDs) {
			if id == "" || seen[id] {
				t.Fatalf("id %q twice or empty", id)
			}
			seen[id] = true
		}
		for _, id := range b.TailIDs {
			if f.InContext[id] && id[0] == '~' {
				t.Fatalf("notice %s is in the context already", id)
			}
		}
	})
}

// What is listed as standing in the block stands there.
func TestListedIDsStand(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := genFacts().Draw(t, "facts")
		clear(f.Items)
		f.Changes = nil
		f.Texts[pimento.PickMemory] = []Text{pageOf(rapid.IntRange(1, 60).Draw(t, "lines"))}
		b := Build(f)
		for i, id := range f.Texts[pimento.PickMemory][0].IDs {
			line := "- entry number " + string(rune('a'+i%26)) + strings.Repeat("i", i) + " stands here\n"
			if got := slices.Contains(b.PrefixIDs, id); got != strings.Contains(b.Prefix+"\n", "\n"+line) {
				t.Fatalf("%q: listed %v\n%s", line, got, b.Prefix)
			}
		}
	})
}

func pageOf(n int) Text {
	p := Text{Scope: pimento.Project, Page: "MEMORY.md"}
	for i := range n {
		line := "- entry number " + string(rune('a'+i%26)) + strings.Repeat("i", i) + " stands here\n"
		p.IDs = append(p.IDs, string(pimento.StatementOf(line)))
		p.Spans = append(p.Spans, pimento.Span{Start: len(p.Body), End: len(p.Body) + len(line)})
		p.Body += line
	}
	return p
}

// No line that comes from memory is one of ours, and no tag comes from memory:
// a block holds our frame once and every heading of ours at most once for each
// text.
func TestMemoryCannotImitateUs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := genFacts().Draw(t, "facts")
		f.Profile.Preamble = "The preamble."
		b := Build(f)
		if err := harmless(f, b); err != "" {
			t.Fatalf("%s\n--- prefix\n%s\n--- tail\n%s", err, b.Prefix, b.Tail)
		}
	})
}

func harmless(f Facts, b pimento.Block) string {
	mine := ours(f)
	capacity, _, _ := strings.Cut(f.Profile.Capacity.Header, "{") // what follows are numbers of ours
	all := b.Prefix + "\n" + b.Tail
	most := len(b.Sections)
	for _, list := range f.Texts {
		most += len(list)
	}
	most += len(f.Items[pimento.PickMemory])
	heads := 0
	for line := range strings.SplitSeq(all, "\n") {
		trimmed := strings.TrimLeft(line, " \t")
		if level := run(trimmed + "x"); strings.HasPrefix(trimmed, "#") && level <= ourLevels && strings.HasPrefix(trimmed[level:], " ") {
			heads++
			if !slices.Contains(mine, line) && (capacity == "" || !strings.HasPrefix(line, capacity)) {
				return "a heading that is not ours: " + line
			}
		}
		rest := line
		if isStamp(line) || line == "<pimento-memory>" || line == tailClose {
			rest = ""
		}
		for i := range len(rest) {
			if rest[i] == '<' && startsTag(rest[i+1:]) {
				return "a tag: " + line
			}
		}
		for _, r := range line {
			if isHidden(r) && r != '\u200d' {
				return "a hidden character: " + line
			}
		}
	}
	if heads > most+1 {
		return "more headings than sections"
	}
	if strings.Count(all, "pimento-memory>") > 2+strings.Count(all, "&lt;") {
		return "a second frame"
	}
	if !utf8.ValidString(all) {
		return "not UTF-8"
	}
	return ""
}

func TestSectionsStandInTheirOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := genFacts().Draw(t, "facts")
		b := Build(f)
		order := []string{"capacity"} // no section of the profile; where it has a place of its own, the first
		for _, s := range f.Profile.Sections {
			order = append(order, s.Name)
		}
		last := map[pimento.Zone]int{pimento.Prefix: -1, pimento.Tail: -1}
		for _, s := range b.Sections {
			at := slices.Index(order, s.Name)
			if at <= last[s.Zone] {
				t.Fatalf("%s stands out of order: %v", s.Name, b.Sections)
			}
			last[s.Zone] = at
		}
	})
}

func FuzzFence(f *testing.F) {
	for _, s := range nasty {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		out := Fence(s)
		if !utf8.ValidString(out) {
			t.Fatalf("%q: not UTF-8", out)
		}
		if bad := harmless(Facts{}, pimento.Block{Prefix: out}); bad != "" {
			t.Fatalf("%q -> %q: %s", s, out, bad)
		}
		for line := range strings.SplitSeq(out, "\n") {
			trimmed := strings.TrimSpace(line)
			if len(trimmed) > 0 && strings.IndexByte("-=*_", trimmed[0]) >= 0 && isRule(trimmed) {
				t.Fatalf("%q -> %q: a separator", s, out)
			}
		}
		if Open(out) != "" {
			t.Fatalf("%q -> %q: a code block stays open", s, out)
		}
	})
}
