package recall

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/pimento-memory/pimento/internal/index"
	"github.com/pimento-memory/pimento/internal/index/memindex"
	"github.com/pimento-memory/pimento/internal/text"
	"github.com/pimento-memory/pimento/internal/when"
)

// asked are the metadata terms that a question with a time asks for.
func asked(t *testing.T, question string, now time.Time) (w words, keys []string) {
	t.Helper()
	w = analyse(question, text.English, DefaultParams(), nil)
	span, rest, ok := when.Window(question, "", now)
	if !ok {
		t.Fatalf("%q names no time", question)
	}
	before := len(w.terms)
	w.within(span, rest, DefaultParams())
	for _, x := range w.terms[before:] {
		keys = append(keys, x.key[1:])
	}
	return w, keys
}

// TestEveryMonthAndDay of a window is asked for.
func TestEveryMonthAndDay(t *testing.T) {
	day := func(y, m, d int) time.Time { return time.Date(y, time.Month(m), d, 9, 0, 0, 0, time.UTC) }
	for _, c := range []struct {
		question string
		now      time.Time
		want     []string
	}{
		{"what changed in the last three weeks?", day(2026, 11, 2), []string{"octob", "novemb"}},
		{"what changed two months ago?", day(2026, 11, 2), []string{"august", "septemb"}},
		{"what changed two months ago?", day(2026, 4, 30), []string{"februari", "march"}},
		{"what changed in the last month?", day(2026, 3, 31), []string{"februari"}},
		{"what changed in the last 2 months?", day(2026, 4, 30), []string{"februari", "march", "april"}},
		{"what changed in the last 7 days?", day(2026, 11, 2),
			[]string{"2026-10-27", "2026-10-28", "2026-10-29", "2026-10-30", "2026-10-31", "2026-11-01", "2026-11-02"}},
		{"what changed in the past 2 days?", day(2026, 3, 1), []string{"2026-02-28", "2026-03-01"}},
	} {
		if _, got := asked(t, c.question, c.now); !slices.Equal(got, c.want) {
			t.Errorf("%q on %s asks for %v, want %v", c.question, c.now.Format(time.DateOnly), got, c.want)
		}
	}
}

// TestTimeWordsOnce: a word of time counts timeWeak, however many terms it has and
// wherever it stands.
func TestTimeWordsOnce(t *testing.T) {
	for _, question := range []string{"deploys yesterday evening", "yesterday evening deploys"} {
		w, _ := asked(t, question, time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC))
		plain := analyse(question, text.English, DefaultParams(), nil)
		for i, x := range plain.terms {
			want := 1.0
			if x.key[1:] != "deploy" && x.key[1:] != "deploys" {
				want = timeWeak
			}
			if got := float64(w.terms[i].weight / x.weight); math.Abs(got-want) > 1e-6 {
				t.Errorf("%q: %s counts %v times its weight, want %v", question, x.key, got, want)
			}
		}
		for i, u := range w.units[:len(plain.units)] {
			if got := u.weak / plain.units[i].weak; got != 1 && math.Abs(got-timeWeak) > 1e-6 {
				t.Errorf("%q: a unit counts %v", question, got)
			}
		}
	}
}

// TestCorrectedOnce: a spelling that several roots know is asked for once.
func TestCorrectedOnce(t *testing.T) {
	var roots []Source
	for range 3 {
		idx := memindex.New()
		d := index.Doc{Statement: "0123456789abcdef", Len: 1, Terms: []index.Term{{Text: text.Key(text.Word, "gateway"), TF: 1}}}
		if err := idx.Apply(t.Context(), []index.Page{{Path: "a.md", Docs: []index.Doc{d}}}, nil); err != nil {
			t.Fatal(err)
		}
		roots = append(roots, Source{Reader: idx})
	}
	if got := nearest(t.Context(), roots, "gatewai"); !slices.Equal(got, []string{"gateway"}) {
		t.Error(got)
	}
}

// What a date is written in says nothing beside it.
func TestCalendar(t *testing.T) {
	for word, want := range map[string]bool{"march": true, "tuesday": true, "11": true, "11th": true, "2026": true, "2026-03-04": true, "märz": true,
		"5433": false, "404": false, "canary": false, "th": false, "3-4": false} {
		if got := calendar(word, "de"); got != want {
			t.Errorf("%s: %t", word, got)
		}
	}
}
