package inject

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pimento-memory/pimento"
	"pgregory.net/rapid"
)

// Whatever was built is built again, byte for byte, from its records.
func TestReplayGivesTheSameBytes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := genFacts().Draw(t, "facts")
		for _, items := range f.Items { // JSON has no other strings
			for i := range items {
				items[i].Entry.Text = string([]rune(items[i].Entry.Text))
			}
		}
		for _, texts := range f.Texts {
			for i := range texts {
				if valid := string([]rune(texts[i].Body)); valid != texts[i].Body {
					texts[i] = Text{Scope: texts[i].Scope, Page: texts[i].Page, Body: valid}
				}
			}
		}
		for i := range f.Changes {
			f.Changes[i].Text, f.Changes[i].Old = string([]rune(f.Changes[i].Text)), string([]rune(f.Changes[i].Old))
		}
		first := Build(f)
		prefix, err := Record(f)
		if err != nil {
			t.Fatal(err)
		}
		if f.Profile.Snapshot == "per-turn" {
			replays(t, first, prefix, nil)
			return
		}
		frozen := &FrozenPrefix{Text: first.Prefix, IDs: first.PrefixIDs}
		for _, s := range first.Sections {
			if s.Zone == pimento.Prefix {
				frozen.Sections = append(frozen.Sections, s)
			}
		}
		f.Prefix = frozen
		beside, err := Record(f)
		if err != nil {
			t.Fatal(err)
		}
		replays(t, Build(f), prefix, beside)
	})
}

func replays(t *rapid.T, want pimento.Block, prefix, beside []byte) {
	got, _, err := Replay(prefix, beside)
	if err != nil {
		t.Fatal(err)
	}
	if want, got := decisions(want.Trace), decisions(got.Trace); want != got {
		t.Fatal(cmp.Diff(want, got))
	}
	if got.Prefix != want.Prefix || got.Tail != want.Tail || !slices.Equal(got.TailIDs, want.TailIDs) {
		t.Fatal(cmp.Diff(want, got))
	}
}

// decisions are compared as they are kept.
func decisions(trace []pimento.Decision) string {
	b, _ := json.MarshalIndent(trace, "", " ")
	return string(b)
}

func TestReplayOfDamage(t *testing.T) {
	for _, b := range []string{"", "{", `{"v":9}`} {
		if _, _, err := Replay([]byte(b), nil); err == nil {
			t.Errorf("%q is replayed", b)
		}
	}
	good, _ := Record(Facts{})
	if _, _, err := Replay(good, []byte("{")); err == nil {
		t.Error("a damaged second record is replayed")
	}
}
