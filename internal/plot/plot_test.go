package plot_test

import (
	"encoding/xml"
	"flag"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/pimento-memory/pimento/internal/plot"
)

var update = flag.Bool("update", false, "rewrite the goldens in testdata")

func decay() plot.Chart {
	c := plot.Chart{Title: "stability", X: "days", Y: "score", Levels: []plot.Level{{"shown", .7}}}
	for _, tau := range []float64{90, 14} {
		s := plot.Series{Name: map[float64]string{90: "preference", 14: "done"}[tau]}
		for d := 0.; d <= 120; d += 5 {
			s.Points = append(s.Points, plot.Point{X: d, Y: math.Log(3) * math.Exp(-d/tau)})
		}
		c.Series = append(c.Series, s)
	}
	return c
}

func usage() plot.Bars {
	return plot.Bars{Title: "used of injected", Bars: []plot.Bar{{"preference", .5, "4 of 8"}, {"done <b>", .0625, ""}, {"none", 0, "0 of 3"}}}
}

func TestGoldens(t *testing.T) {
	for name, got := range map[string]string{
		"decay.txt": decay().Text(72) + "\n", "decay.svg": decay().SVG(), "bars.txt": usage().Text(60) + "\n", "bars.svg": usage().SVG(),
	} {
		file := filepath.Join("testdata", name)
		if *update {
			if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// wellFormed reads an SVG as a browser would.
func wellFormed(t interface{ Fatal(...any) }, svg string) {
	for d := xml.NewDecoder(strings.NewReader(svg)); ; {
		if _, err := d.Token(); err == io.EOF {
			return
		} else if err != nil {
			t.Fatal(err, svg)
		}
	}
}

// Between points that are not sorted, a curve may leave the chart.
func TestUnsortedPointsStayInside(t *testing.T) {
	c := plot.Chart{Title: "title", Series: []plot.Series{{Points: []plot.Point{{X: 0}, {X: -4.5e307, Y: -3}, {X: 1, Y: 1}}}}}
	if text := c.Text(60); !strings.Contains(text, "a") {
		t.Errorf("no curve:\n%s", text)
	}
	wellFormed(t, c.SVG())
}

// Whatever the figures and names, a chart can be drawn, and the text stays
// within its columns.
func TestAnyFiguresCanBeDrawn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := rapid.OneOf(rapid.Float64(), rapid.SampledFrom([]float64{0, -1, math.NaN(), math.Inf(1), 1e-300, 1e300}))
		name := rapid.String()
		c := plot.Chart{Title: name.Draw(t, "title"), X: "x", Y: name.Draw(t, "y"), Levels: []plot.Level{{name.Draw(t, "level"), f.Draw(t, "at")}}}
		for range rapid.IntRange(0, 4).Draw(t, "series") {
			s := plot.Series{Name: name.Draw(t, "name")}
			for range rapid.IntRange(0, 4).Draw(t, "points") {
				s.Points = append(s.Points, plot.Point{X: f.Draw(t, "x"), Y: f.Draw(t, "y")})
			}
			c.Series = append(c.Series, s)
		}
		wellFormed(t, c.SVG())
		c.Title = "title"
		columns := rapid.IntRange(0, 120).Draw(t, "columns")
		for i, line := range strings.Split(c.Text(columns), "\n") {
			if n := utf8.RuneCountInString(line); i > 1 && i < 18 && n > max(columns, 60) {
				t.Fatalf("line %q has %d columns of %d", line, n, columns)
			}
		}
		bars := plot.Bars{Title: c.Title, Bars: []plot.Bar{{name.Draw(t, "bar"), f.Draw(t, "value"), name.Draw(t, "note")}}}
		wellFormed(t, bars.SVG())
		_ = bars.Text(columns)
	})
}
