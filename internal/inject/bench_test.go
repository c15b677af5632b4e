//go:build unix

package inject

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/cputime"
	"github.com/pimento-memory/pimento/internal/news"
)

// benchFacts has n candidates in all: hits, standing entries, tasks and pins,
// with the texts of a month's work around them.
func benchFacts(n int) Facts {
	f := Facts{Profile: loadProfile("default"), Today: today,
		Texts: map[pimento.Pick][]Text{}, Items: map[pimento.Pick][]Item{}, InContext: map[string]bool{}}
	kinds := pimento.EntryKinds()
	for i := range n {
		text := fmt.Sprintf("The build of part %d uses make target %d; it needs NODE_ENV=production and the cache of the last run.", i, i*7)
		it := Item{Why: []pimento.Factor{{Factor: "words", Share: .7}, {Factor: "name", Share: .3}}}
		it.Entry = pimento.Entry{Occurrence: pimento.Occurrence{Scope: pimento.Project, Page: "topics/build.md", Statement: pimento.StatementOf(text)},
			Kind: kinds[i%7], Text: text, Heading: "Build", Line: i + 3, Stamp: time.Unix(1.77e9, 0).UTC()}
		it.Standing.Score = float64((i*7919)%1000) / 300
		switch {
		case i%100 == 0:
			f.Items[pimento.PickPinned] = append(f.Items[pimento.PickPinned], it)
		case i%2 == 0:
			f.Items[pimento.PickHits] = append(f.Items[pimento.PickHits], it)
		case i%51 == 0:
			it.Entry.Task = true
			f.Items[pimento.PickTasks] = append(f.Items[pimento.PickTasks], it)
		default:
			f.Items[pimento.PickKinds] = append(f.Items[pimento.PickKinds], it)
		}
	}
	for _, sc := range []pimento.Scope{pimento.Project, pimento.Global} {
		p := pageOf(60)
		p.Scope = sc
		f.Texts[pimento.PickMemory] = append(f.Texts[pimento.PickMemory], p)
	}
	f.Texts[pimento.PickDaily] = []Text{{Scope: pimento.Project, Page: "daily/" + today + ".md", Date: today, Body: strings.Repeat("Tried the new linker and measured it again.\n", 60)}}
	f.Changes = []news.Change{{ID: "~1", Op: news.Added, Statement: "a", Text: "The deploy key moved to the vault."}}
	return f
}

// measured reports CPU time beside wall time, since the machine may be shared.
func measured(b *testing.B, f Facts) {
	b.ReportAllocs()
	defer cputime.Report(b)()
	for b.Loop() {
		Build(f)
	}
}

// BenchmarkBuild is a whole turn without a session: both zones, 1,000
// candidates.
func BenchmarkBuild(b *testing.B) {
	f := benchFacts(1000)
	measured(b, f)
}

// BenchmarkReport is the situation report alone: so many scored entries of six
// kinds, of which the engine hands over at most 200 of a kind and root.
func BenchmarkReport(b *testing.B) {
	for _, n := range []int{1_200, 10_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			f := Facts{Profile: loadProfile("situation"), Today: today, Now: time.Unix(1.77e9, 0).UTC(), Items: map[pimento.Pick][]Item{}}
			kinds := []pimento.Kind{"preference", "lesson", "mistake", "pattern", "decision", "done"}
			for i := range n {
				text := fmt.Sprintf("Entry %d says in about a hundred characters what somebody has learned about part %d of it", i, i%97)
				it := Item{Entry: pimento.Entry{Occurrence: pimento.Occurrence{Scope: pimento.Project, Page: "topics/x.md", Statement: pimento.StatementOf(text)},
					Kind: kinds[i%6], Text: text, Line: i, Pinned: i%1000 == 0}}
				it.Standing = pimento.Standing{Score: float64((i*7919)%1000) / 400, Evidence: 2, Last: f.Now.Add(-time.Duration(i%100) * time.Hour)}
				it.Standing.Lifecycle = []string{"active", "provisional", "candidate", "dropped"}[i%4]
				pick := pimento.PickKinds
				if it.Entry.Pinned {
					pick = pimento.PickPinned
				}
				f.Items[pick] = append(f.Items[pick], it)
			}
			if block := Build(f); !strings.Contains(block.Prefix, "## Recent Decisions") {
				b.Fatal(block.Prefix)
			}
			measured(b, f)
		})
	}
}

// BenchmarkTail is a turn of a session: the prefix is frozen, all 1,000
// candidates are hits.
func BenchmarkTail(b *testing.B) {
	f := benchFacts(1000)
	first := Build(f)
	f.Prefix = &FrozenPrefix{Text: first.Prefix, IDs: first.PrefixIDs, Tokens: tokens(first.Prefix)}
	for _, p := range []pimento.Pick{pimento.PickKinds, pimento.PickTasks, pimento.PickPinned} {
		f.Items[pimento.PickHits] = append(f.Items[pimento.PickHits], f.Items[p]...)
	}
	measured(b, f)
}

// BenchmarkResidency is the decision alone: entries whose shapes are measured,
// in a budget that holds about a third of them.
func BenchmarkResidency(b *testing.B) {
	for _, n := range []int{100, 1000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s, room := benchResident(n)
			work := make([]candidate, n)
			b.ReportAllocs()
			defer cputime.Report(b)()
			for b.Loop() {
				copy(work, s.cs)
				choose(work, room)
			}
		})
	}
}

// benchResident is a page of n entries of all classes, offered.
func benchResident(n int) (*residentSet, size) {
	f := Facts{Profile: loadProfile("resident"), Items: map[pimento.Pick][]Item{}}
	for i := range n {
		text := fmt.Sprintf("Part %d of the build uses make target %d; it needs NODE_ENV=production and the cache of the last run.", i, i*7)
		f.Items[pimento.PickMemory] = append(f.Items[pimento.PickMemory], Item{Entry: pimento.Entry{Text: text, Line: i, Pinned: i%50 == 0,
			Occurrence: pimento.Occurrence{Scope: pimento.Project, Page: "MEMORY.md", Statement: pimento.StatementOf(text)},
			Heading:    []string{"Rules", "Preferences", "Facts", "Plan"}[i*4/n]}})
	}
	bd := build{f: &f, p: &f.Profile, shown: map[string]bool{}}
	s := bd.newResidentSet(&f.Profile.Sections[0])
	room := roomOf(pimento.Budget{Tokens: 20 * n})
	s.headed = true
	s.shape(room)
	s.offer(room)
	return s, room
}

// BenchmarkShapes is what showing entries in short takes: made now, or read from
// where they were kept.
func BenchmarkShapes(b *testing.B) {
	for _, n := range []int{100, 1000} {
		s, room := benchResident(n)
		entries := make([]pimento.Entry, n)
		for i, it := range s.items {
			entries[i] = it.Entry
		}
		digest := pimento.DigestOf(nil)
		file := EncodeShapes(digest, entries)
		b.Run(fmt.Sprint("made/", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				s.shape(room)
			}
		})
		b.Run(fmt.Sprint("kept/", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, ok := DecodeShapes(file, digest, entries); !ok {
					b.Fatal("not read")
				}
			}
		})
	}
}
