package upkeep

import (
	"fmt"
	"testing"
	"time"
)

// TestRowsOfATable: three lines of one form that follow each other are a table, if they were
// said at once and none of them says that something has changed; so are very many, wherever
// they stand. Others may contradict each other.
func TestRowsOfATable(t *testing.T) {
	texts := func(format string, values ...any) (es []Known) {
		for i, v := range values {
			k := known(i, fmt.Sprintf(format, v))
			k.Line = 3 + i
			es = append(es, k)
		}
		return es
	}
	day := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	for name, tt := range map[string]struct {
		rows []Known
		set  func(i int, k *Known)
		want int
	}{
		"three rows":          {rows: texts("The bus runs at %s", "9:00", "10:00", "11:00")},
		"three rows of ports": {rows: texts("The proxy listens on port %d", 8080, 8081, 8082)},
		"two rows":            {rows: texts("The bus runs at %s", "9:00", "10:00"), want: 1},
		"apart":               {rows: texts("The bus runs at %s", "9:00", "10:00", "11:00"), set: func(i int, k *Known) { k.Line = 3 * i }, want: 3},
		"on other pages":      {rows: texts("The bus runs at %s", "9:00", "10:00", "11:00"), set: func(i int, k *Known) { k.Page = fmt.Sprintf("topics/%d.md", i) }, want: 3},
		"one has changed":     {rows: texts("The bus runs at %s", "9:00", "10:00", "11:00 now"), want: 3},
		"said one by one":     {rows: texts("The bus runs at %s", "9:00", "10:00", "11:00"), set: func(i int, k *Known) { k.Stamp = day.Add(time.Duration(i) * time.Hour) }, want: 3},
	} {
		for i := range tt.rows {
			if tt.set != nil {
				tt.set(i, &tt.rows[i])
			}
		}
		if got := Pairs(tt.rows); len(got) != tt.want {
			t.Errorf("%s: %d pairs, %+v", name, len(got), got)
		}
	}
	var many []any
	for i := range 1500 {
		many = append(many, 8000+i)
	}
	rows := texts("X listens on port %d", many...)
	for i := range rows {
		rows[i].Line = 2 * i
	}
	if got := Pairs(rows); len(got) != 0 {
		t.Errorf("of %d rows %d pairs", len(rows), len(got))
	}
}

// TestLaterSaysSo: of two that cannot both hold, the one that says that something has changed
// is the one that stays, if no date tells otherwise; lint names it.
func TestLaterSaysSo(t *testing.T) {
	for _, c := range []struct {
		old, later string
		says       bool
	}{
		{"The release is on Friday", "The release moved to Monday", true},
		{"The timeout is 30 seconds", "The timeout is now 60 seconds", true},
		{"The timeout is 30 seconds", "The timeout is 60 seconds since June", true},
		{"The API uses Redis", "The API no longer uses Redis", true},
		{"Das Release ist am Freitag", "Das Release wurde auf Montag verschoben", true},
		{"上线时间是周四", "上线时间改为周二", true},
		{"The timeout is 30 seconds", "The timeout is 60 seconds", false},
		{"The timeout is now 30 seconds", "The timeout is now 60 seconds", false},
	} {
		for _, es := range [][]Known{{known(0, c.old), known(1, c.later)}, {known(0, c.later), known(1, c.old)}} {
			got := Pairs(es)
			if len(got) != 1 || got[0].Relation != Contradiction || got[0].Later != c.says || c.says && got[0].Keep.Text != c.later {
				t.Errorf("%q, %q: %+v", es[0].Text, es[1].Text, got)
				continue
			}
			want := "correct or archive one of them; nothing tells which one holds"
			if c.says {
				want = "archive this one, unless it holds again; the other says itself that something has changed"
			}
			found := ofRelation(Contradiction)(LintFacts{pairs: got})
			if len(found) != 1 || found[0].Do != want || found[0].Line != got[0].Drop.Line {
				t.Errorf("%q: %+v", c.later, found)
			}
		}
	}
	day := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	a, b := known(0, "The release moved to Monday"), known(1, "The release is on Friday")
	a.Stamp, b.Stamp = day, day.AddDate(0, 0, 9)
	if got := Pairs([]Known{a, b}); len(got) != 1 || got[0].Relation != Superseded || got[0].Keep.Text != b.Text || got[0].Later {
		t.Errorf("dates: %+v", got)
	}
}
