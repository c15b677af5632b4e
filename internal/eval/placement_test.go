package eval

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
	"github.com/pimento-memory/pimento/internal/profile"
)

func bench(t testing.TB) Bench { return Bench{Temp: t.TempDir(), Clock: time.Now} }

// TestPlacements holds what each profile that ships puts in front of a model, and
// that equal sizes are kept.
func TestPlacements(t *testing.T) {
	out, err := bench(t).Place(t.Context(), projects(t)[:2], PlacementOptions{Split: "dev", Budgets: []int{500, 2000}})
	if err != nil {
		t.Fatal(err)
	}
	if want := 3 * len(BuiltIn()); len(out) != want || want < 6 {
		t.Fatalf("%d placements, want %d", len(out), want)
	}
	var b strings.Builder
	for _, p := range out {
		if p.Budget > 0 && p.Tokens > float64(p.Budget) {
			t.Errorf("%s takes %.0f tokens of %d", p.Profile, p.Tokens, p.Budget)
		}
		if p.Named < p.Evidence {
			t.Errorf("%s: a text that stands there is named: %+v", p.Profile, p)
		}
		fmt.Fprintf(&b, "%s %d: %.0f tokens, evidence %.1f%%, named %.1f%%, stale %.1f%%, noise %.1f%%\n",
			p.Profile, p.Budget, p.Tokens, 100*p.Evidence, 100*p.Named, 100*p.Stale, 100*p.Noise)
		if p.Budget == 0 {
			fmt.Fprintf(&b, "  foreign %.1f%%\n", 100*p.Foreign)
			fmt.Fprintf(&b, "  tokens recalled: %.0f with an answer, %.0f without, %.0f foreign\n", p.Recalled.Answered, p.Recalled.Unanswered, p.Recalled.Foreign)
			for _, typ := range slices.Sorted(maps.Keys(p.Types)) {
				fmt.Fprintf(&b, "  %s %.1f%%\n", typ, 100*p.Types[typ])
			}
		}
	}
	golden(t, "placements", b.String())
}

// TestHistoryIsWhatTheCorpusSays: each line of codemem becomes an entry of the
// page of its section, with its date, and reads back as it was written.
func TestHistoryIsWhatTheCorpusSays(t *testing.T) {
	p := projects(t)[0]
	w, _, err := bench(t).remember(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	err = w.with(setting{}, func(e *engine.Engine) error {
		for _, l := range p.Lines {
			en, err := e.Entry(t.Context(), string(pimento.StatementOf(l.asWritten())))
			if err != nil || en.Page != l.Section {
				t.Errorf("%s: %v, on page %s instead of %s", l.ID, err, en.Page, l.Section)
			}
			if l.Type == "log" && en.Stamp.Format(time.DateOnly) != l.Date {
				t.Errorf("%s is of %s, want %s", l.ID, en.Stamp, l.Date)
			}
			story, err := e.WhyEntry(t.Context(), string(en.Statement))
			if err != nil || story.Standing.First.Format(time.DateOnly) != l.Date {
				t.Errorf("%s was first seen on %s, want %s (%v)", l.ID, story.Standing.First, l.Date, err)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestScaledProfilesKeepTheirProportions for every profile that ships.
func TestScaledProfilesKeepTheirProportions(t *testing.T) {
	for _, name := range BuiltIn() {
		p, _, err := profile.Load(name, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		own := size(p)
		if own < 500 || own > 20_000 {
			t.Errorf("%s has a size of %d tokens", name, own)
		}
		w, err := bench(t).newWorld(t.Context(), pimento.Global, time.Now())
		if err != nil {
			t.Fatal(err)
		}
		err = w.with(setting{profile: name, overrides: scaled(p, own/2)}, func(e *engine.Engine) error {
			half, faults := e.Profile(t.Context())
			if len(faults) > 0 {
				t.Errorf("%s: %v", name, faults)
			}
			if half.Block.Tokens != own/2 || half.Prefix.Tokens > p.Prefix.Tokens/2+1 || half.Prefix.Chars > p.Prefix.Chars/2+1 ||
				half.Resident.Tokens > p.Resident.Tokens/2+1 {
				t.Errorf("%s: block %+v, prefix %+v of %+v", name, half.Block, half.Prefix, p.Prefix)
			}
			for i, s := range half.Sections {
				if b := p.Sections[i].Budget; b.Tokens/2 > s.Budget.Tokens || b.Chars/2 > s.Budget.Chars || s.Name != p.Sections[i].Name {
					t.Errorf("%s/%s: %+v of %+v", name, s.Name, s.Budget, b)
				}
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
}

// TestUsersProfilesAreMeasuredToo as long as they are there.
func TestUsersProfilesAreMeasuredToo(t *testing.T) {
	b := bench(t)
	b.Profiles = t.TempDir()
	must(t, os.Mkdir(b.Profiles+"/mine", 0o755))
	must(t, os.WriteFile(b.Profiles+"/mine/profile.json", []byte(`{"name": "mine", "extends": "default", "recall": {"hits": 1}}`), 0o644))
	p := projects(t)[0]
	p.Asked = p.of("dev")[:5]
	out, err := b.Place(t.Context(), []Project{p}, PlacementOptions{Split: "dev", Profiles: []string{"mine"}})
	if err != nil || len(out) != 1 || out[0].Profile != "mine" || out[0].Evidence == 0 {
		t.Errorf("%+v, %v", out, err)
	}
	if _, err := b.Place(t.Context(), []Project{p}, PlacementOptions{Profiles: []string{"nobodys"}}); pimento.KindOf(err) != pimento.KindUsage {
		t.Errorf("an unknown profile: %v", err)
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
