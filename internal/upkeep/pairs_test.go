package upkeep

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/score"
)

func known(at int, text string) Known {
	return Known{Entry: pimento.Entry{Text: text, Kind: pimento.KindFact, Occurrence: pimento.Occurrence{Scope: pimento.Project,
		Page: "MEMORY.md", Statement: pimento.StatementOf(text), N: at}}}
}

// relationOfTwo is same, against or distinct, as the finder sees it.
func relationOfTwo(a, b string) string {
	found := Pairs([]Known{known(0, a), known(1, b)})
	switch {
	case len(found) == 0:
		return "distinct"
	case found[0].Relation == Duplicate || found[0].Relation == Near:
		return "same"
	}
	return "against"
}

// A tally counts how often a label was found, and rightly.
type tally struct{ right, found, there int }

func (c tally) precision() float64 { return float64(c.right) / float64(max(c.found, 1)) }
func (c tally) recall() float64    { return float64(c.right) / float64(max(c.there, 1)) }

// measure compares labelled pairs with what the finder says. part names the part
// of the figures that a line belongs to.
func measure(t *testing.T, file string, part func(label string, nth int) string, into map[string]tally) (n int) {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	for line := range strings.Lines(string(b)) {
		f := strings.Split(strings.TrimSpace(line), "\t")
		if len(f) != 3 {
			continue
		}
		n++
		label, got := f[0], relationOfTwo(f[1], f[2])
		if back := relationOfTwo(f[2], f[1]); back != got {
			t.Errorf("%q and %q: %s, the other way round %s", f[1], f[2], got, back)
		}
		in := part(label, seen[label])
		seen[label]++
		for _, l := range []string{"same", "against"} {
			c := into[in+" "+l]
			if label == l {
				c.there++
			}
			if got == l {
				c.found++
			}
			if label == l && got == l {
				c.right++
			}
			into[in+" "+l] = c
		}
		if got != label {
			t.Logf("%s: %s, found %s: %q / %q", in, label, got, f[1], f[2])
		}
	}
	return n
}

// TestPairsOnLabels measures the finder on the labelled pairs. What is found must
// nearly always be right, because somebody acts on it; what is missed costs
// little.
func TestPairsOnLabels(t *testing.T) {
	got := map[string]tally{}
	n := measure(t, "testdata/pairs.txt", func(_ string, nth int) string { return []string{"tuning", "measuring"}[nth%2] }, got)
	n += measure(t, "testdata/pairs-fresh.txt", func(string, int) string { return "fresh" }, got)
	n += measure(t, "testdata/pairs-slots.txt", func(string, int) string { return "slots" }, got)
	n += measure(t, "testdata/pairs-foreign.txt", func(string, int) string { return "foreign" }, got)
	n += measure(t, "testdata/pairs-aside.txt", func(string, int) string { return "aside" }, got)
	if n < 650 {
		t.Fatalf("%d pairs", n)
	}
	for _, name := range slices.Sorted(maps.Keys(got)) {
		c := got[name]
		if c.there == 0 && c.found == 0 {
			continue
		}
		t.Logf("%-17s precision %.2f, recall %.2f of %d", name, c.precision(), c.recall(), c.there)
		if c.precision() < 0.9 || c.recall() < 0.6 {
			t.Errorf("%s: precision %.2f, recall %.2f", name, c.precision(), c.recall())
		}
	}
}

func TestVersionsAreNoDuplicates(t *testing.T) {
	if got := relationOfTwo("v3.12.4 released", "v3.12.0 released"); got != "distinct" {
		t.Errorf("two releases are %s", got)
	}
}

// TestOnlyIsNoAddition: what is narrowed by "only" is no shorter form of what it narrows,
// which would take its place.
func TestOnlyIsNoAddition(t *testing.T) {
	if got := relationOfTwo("Deploys happen on Tuesdays and Thursdays after 10:00", "Deploys happen on Thursdays only, after 10:00"); got == "same" {
		t.Error("the correction would be archived")
	}
	if got := relationOfTwo("Only Mia may approve payments", "Only Mia may approve large payments"); got != "same" {
		t.Errorf("of two that are narrowed alike: %s", got)
	}
}

// TestRuledOut: "B, not A" is against A, of the same thing.
func TestRuledOut(t *testing.T) {
	for _, c := range [][3]string{
		{"The invoice numbers start at 10000", "Invoice numbers start at 20000, not 10000", "against"},
		{"The default branch is master", "The default branch is main, not master", "against"},
		{"Use spaces in Makefiles", "Use tabs, not spaces, in Makefiles", "against"},
		{"The default branch of web is master", "The default branch of api is main, not master", "distinct"},
		{"Use tabs in Go", "Use spaces, not tabs, in YAML", "distinct"},
	} {
		if got := relationOfTwo(c[0], c[1]); got != c[2] {
			t.Errorf("%q and %q are %s, want %s", c[0], c[1], got, c[2])
		}
	}
}

// TestWhichOneStays: what is pinned, else what says more, else what is newer; and
// what is newer replaces what it cannot stand beside.
func TestWhichOneStays(t *testing.T) {
	day := func(n int) time.Time { return time.Date(2026, 11, n, 12, 0, 0, 0, time.UTC) }
	with := func(text string, set func(*Known)) Known {
		k := known(0, text)
		set(&k)
		return k
	}
	at := func(n int) func(*Known) { return func(k *Known) { k.Stamp = day(n) } }
	pin := func(k *Known) { k.Pinned = true }
	for _, tt := range []struct {
		a, b     Known
		relation Relation
		keep     string
	}{
		{with("the port is 80", at(1)), with("the port is 90", at(5)), Superseded, "the port is 90"},
		{with("the port is 90", at(5)), with("the port is 80", at(1)), Superseded, "the port is 90"},
		{with("the port is 80", at(1)), with("the port is 90", at(1)), Contradiction, "the port is 80"},
		{with("the port is 80", pin), with("the port is 90", at(5)), Contradiction, "the port is 90"},
		{with("prefer small commits", pin), with("prefer small focused commits", at(5)), Near, "prefer small commits"},
		{with("prefer small commits", at(5)), with("prefer small focused commits", at(1)), Near, "prefer small focused commits"},
		{with("tea is green", at(1)), with("Tea is green.", at(5)), Duplicate, "Tea is green."},
		{with("tea", func(k *Known) { k.Names = []string{"knowledge/drinks", "drinks"} }), with("coffee it is", func(k *Known) { k.Replaces = []string{"drinks"} }), Superseded, "coffee it is"},
		{with("we use tea", func(k *Known) { k.Anchor = "pm-a1b2c3d4" }), with("coffee it is", func(k *Known) { k.Replaces = []string{"^pm-a1b2c3d4"} }), Superseded, "coffee it is"},
	} {
		got := Pairs([]Known{tt.a, tt.b})
		if len(got) != 1 || got[0].Relation != tt.relation || got[0].Keep.Text != tt.keep {
			t.Errorf("%q, %q: %+v", tt.a.Text, tt.b.Text, got)
		}
	}
	foreign := with("Tea is green.", func(k *Known) { k.Scope = pimento.Global })
	if got := Pairs([]Known{known(0, "tea is green"), foreign}); got != nil {
		t.Errorf("of two scopes: %+v", got)
	}
}

// TestEveryPairCanBeActedOn: nothing is dropped twice, and nothing that another
// pair keeps.
func TestEveryPairCanBeActedOn(t *testing.T) {
	var es []Known
	for i, s := range []string{"prefer small commits", "Prefer small commits.", "prefer small focused commits", "always prefer small commits",
		"prefer small focused atomic commits", "prefer large commits"} {
		es = append(es, known(i, s))
	}
	kept, dropped := map[string]bool{}, map[string]bool{}
	for _, p := range Pairs(es) {
		if p.Relation == Contradiction {
			continue
		}
		if dropped[p.Drop.Text] || kept[p.Drop.Text] || dropped[p.Keep.Text] {
			t.Errorf("%q for %q", p.Keep.Text, p.Drop.Text)
		}
		kept[p.Keep.Text], dropped[p.Drop.Text] = true, true
	}
	if len(dropped) < 2 {
		t.Errorf("dropped %v", dropped)
	}
}

func TestStale(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	policy := score.Default()
	of := func(text string, kind pimento.Kind, age int, pinned bool) Known {
		k := known(0, text)
		k.Kind, k.Pinned = kind, pinned
		last := now.AddDate(0, 0, -age)
		k.Standing = score.Rank([]score.Fact{{Kind: kind, Text: text, Cue: score.CueExplicit, Evidence: 1, First: last, Last: last, Pinned: pinned}}, policy, now)[0]
		return k
	}
	es := []Known{of("deployed the parser", pimento.KindDone, 60, false), of("deployed the lexer", pimento.KindDone, 20, false),
		of("never deploy on fridays", pimento.KindDone, 600, false), of("pinned", pimento.KindDone, 600, true), of("a task", pimento.KindTask, 600, false), known(9, "undated")}
	if got := Stale(es, policy, now); len(got) != 1 || got[0].Text != "deployed the parser" {
		t.Errorf("%+v", got)
	}
}

func TestPairsAtScale(t *testing.T) {
	var es []Known
	for i := range 10_000 {
		es = append(es, known(i, fmt.Sprintf("note %d: module%d handles case %d of the %s import", i, i%97, i*7, []string{"csv", "json", "xml"}[i%3])))
	}
	es = append(es, known(10_000, "the canary needs ten minutes"), known(10_001, "The canary needs 10 minutes."))
	onePair(t, es)
}

// TestTheSameManyTimes: of what stands there over and over, one stays and each other
// one is dropped for it, and they are not compared all with all.
func TestTheSameManyTimes(t *testing.T) {
	const many = 2000
	var es []Known
	for i := range many {
		e := known(i, "the same line on and on")
		e.Page, e.N = "topics/a.md", i
		e.Pinned = i == 700
		es = append(es, e)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	ps := Pairs(es)
	runtime.ReadMemStats(&after)
	for _, p := range ps {
		if p.Relation != Duplicate || p.Keep.N != 700 {
			t.Fatalf("%s of %d to %d", p.Relation, p.Drop.N, p.Keep.N)
		}
	}
	if len(ps) != many-1 {
		t.Errorf("%d are dropped", len(ps))
	}
	if each := (after.TotalAlloc - before.TotalAlloc) / many; each > 100_000 {
		t.Errorf("each takes %d bytes", each)
	}
}

func onePair(t *testing.T, es []Known) {
	t.Helper()
	start := time.Now()
	ps := Pairs(es)
	t.Logf("%d pairs in %s", len(ps), time.Since(start))
	if len(ps) != 1 {
		t.Errorf("%d pairs, first %+v", len(ps), ps[:min(len(ps), 3)])
	}
}

// TestManyOfFewWords: where every word is in a crowd's entries, chance brings few of them
// together to be compared, and what is alike is found.
func TestManyOfFewWords(t *testing.T) {
	var es []Known
	rng := rand.New(rand.NewPCG(1, 1))
	for i := range 10_000 {
		var words []string
		for range 40 {
			words = append(words, fmt.Sprintf("word%c%c", 'a'+rng.IntN(26), 'a'+rng.IntN(26)))
		}
		es = append(es, known(i, strings.Join(words, " ")+"."))
	}
	es = append(es, known(10_000, strings.TrimSuffix(es[100].Text, ".")+" indeed."))
	onePair(t, es)
}

// TestAlikeFindsAll: what the short way finds is what comparing each with each does.
func TestAlikeFindsAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		terms := rapid.SliceOfNDistinct(rapid.StringMatching("[a-l]"), 0, 12, rapid.ID)
		var f finder
		for _, set := range rapid.SliceOfN(terms, 0, 20).Draw(t, "sets") {
			slices.Sort(set)
			f.gists = append(f.gists, gist{terms: set})
		}
		found := map[[2]int]bool{}
		f.alike(func(a, b int) { found[[2]int{a, b}] = true })
		for b := range f.gists {
			for a := range b {
				x, y := f.gists[a].terms, f.gists[b].terms
				if want := jaccard(x, y) >= candidateAlike; found[[2]int{a, b}] != want {
					t.Fatalf("%v and %v: found %v, want %v", x, y, !want, want)
				}
			}
		}
	})
}

// TestAnyTextIsRead: a text of several lines, and whatever else, can be compared.
func TestAnyTextIsRead(t *testing.T) {
	if got := relationOfTwo("发布在周五\n每周都有", "发布在周一\n每周都有"); got != "against" {
		t.Errorf("of two lines: %s", got)
	}
	parts := []string{"\n", "\t", " ", "发布", "在", "周五", "每", "9点", "半", "30", "분", "월요일", "。", ",", ":", "~", "_", "=", "은", "port", "nicht", "n'", "le 3", "\xff", ""}
	rapid.Check(t, func(t *rapid.T) {
		s := strings.Join(rapid.SliceOfN(rapid.SampledFrom(parts), 0, 12).Draw(t, "parts"), "")
		gistOf(pimento.Entry{Text: s})
	})
}

// TestNoDenial: what denies nothing that the other one says is not against it, in no language.
func TestNoDenial(t *testing.T) {
	for _, c := range [][3]string{
		{"Vergiss nicht, pnpm zu nutzen", "Nutze pnpm", "distinct"},
		{"No olvides usar pnpm", "Usa pnpm", "distinct"},
		{"Не забудь использовать pnpm", "Используй pnpm", "distinct"},
		{"Nie zapomnij używać pnpm", "Używaj pnpm", "distinct"},
		{"Não use merge sem testes", "Use merge com testes", "distinct"},
		{"Nie używaj merge bez testów", "Używaj merge z testami", "distinct"},
		{"Wir nutzen nicht nur pnpm", "Wir nutzen pnpm", "distinct"},
		{"We use not only pnpm", "We use pnpm", "distinct"},
		{"Why don't we use pnpm?", "We use pnpm", "distinct"},
		{"Pourquoi on n'utilise pas pnpm ?", "On utilise pnpm", "distinct"},
		{"Warum nutzen wir pnpm nicht?", "Wir nutzen pnpm", "distinct"},
		{"¿Por qué no usamos pnpm?", "Usamos pnpm", "distinct"},
		{"Nunca uses mocks", "Usa mocks", "against"},
		{"Use mocks", "Não use mocks", "against"},
		{"Use pnpm and no npm", "Use pnpm", "distinct"},
		{"Use pnpm instead of npm", "Never use npm", "distinct"},
		{"Use pnpm instead of npm", "Never use pnpm", "against"},
		{"Run the tests, but not on Windows", "Run the tests on Windows", "against"},
		{"Don't use mocks, use fakes", "Use fakes", "distinct"},
		{"Don't use mocks, use fakes", "Use mocks", "against"},
		{"Never use fetch, use axios", "Never use axios, use fetch", "against"},
		{"Do not use npm, but pnpm", "Use pnpm", "distinct"},
		{"Do not use npm, but pnpm", "Use npm", "against"},
		{"Nutze kein npm, sondern pnpm", "Nutze pnpm", "distinct"},
		{"If you have no license, use the mock server", "Use the mock server", "distinct"},
		{"On Fridays, never deploy", "Deploy on Fridays", "against"},
		{"Use rebase instead of merge", "Use merge instead of rebase", "against"},
		{"Force pushes are no problem", "Force pushes are not allowed", "against"},
		{"Das Tor geht um 6 Uhr auf", "Das Tor geht um 22 Uhr zu", "distinct"},
		{"Das Tor geht um 6 Uhr auf", "Das Tor geht um 7 Uhr auf", "against"},
		{"Nur Mia darf Zahlungen freigeben", "Mia darf Zahlungen freigeben", "distinct"},
	} {
		if got := relationOfTwo(c[0], c[1]); got != c[2] && !(c[2] == "distinct" && got == "same" && !strings.Contains(c[0], "Nur")) {
			t.Errorf("%q and %q are %s, want %s", c[0], c[1], got, c[2])
		}
	}
}

// TestEnglishIsReadAsEnglish: a word that another language has as well does not make a
// statement one of that language.
func TestEnglishIsReadAsEnglish(t *testing.T) {
	for _, c := range [][2]string{
		{"no big releases in August", "big releases in August"},
		{"Token TTL: 5 minutes", "Token TTL: 10 minutes"},
		{"Rate limit: 50 requests per second per merchant key.", "Rate limit: 100 requests per second per merchant key."},
	} {
		if got := relationOfTwo(c[0], c[1]); got != "against" {
			t.Errorf("%q and %q are %s", c[0], c[1], got)
		}
	}
}

// TestBesideHidesNothing: that an entry says again what another says does not hide what
// contradicts it.
func TestBesideHidesNothing(t *testing.T) {
	es := []Known{known(0, "The API listens on port 8080"), known(1, "the API listens on port 8080."), known(2, "The API listens on port 9090.")}
	es[1].Standing.Evidence = 3 // so it is the one that stays
	var got []string
	for _, p := range Beside(es) {
		got = append(got, string(p.Relation))
	}
	if want := []string{"duplicate", "contradiction"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
