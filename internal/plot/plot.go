// Package plot draws small charts: curves (a [Chart]) and bars ([Bars]), as an SVG file
// that needs nothing else or as text for a terminal. It is pure: figures go in, text comes
// out, and the same figures give the same bytes.
//
// A chart here is meant to be looked at once and not to be published. It has two axes that
// begin at 0, a handful of series, reference lines for thresholds, and a legend. Its colours
// can be told apart by colour-blind readers, on light and on dark ground. In a terminal
// each series is drawn with a letter of its own instead, so no colour is needed to read it.
package plot

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A Point is one value of a series.
type Point struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
}

// A Series is one curve; its points are sorted by X.
type Series struct {
	Name   string  `json:"name"`
	Points []Point `json:"points"`
}

// A Level is a horizontal reference line.
type Level struct {
	Name string  `json:"name"`
	Y    float64 `json:"y"`
}

// A Chart is curves over one pair of axes, both from 0.
type Chart struct {
	Title  string   `json:"title"`
	X      string   `json:"x"` // names of the axes
	Y      string   `json:"y"`
	Series []Series `json:"series"`
	Levels []Level  `json:"levels"`
}

// extent is the largest X and Y of a chart, each at least a little above 0.
func (c Chart) extent() (x, y float64) {
	for _, s := range c.Series {
		for _, p := range s.Points {
			x, y = max(x, finite(p.X)), max(y, finite(p.Y))
		}
	}
	for _, l := range c.Levels {
		y = max(y, finite(l.Y))
	}
	return max(x, 1e-9), max(y, 1e-9)
}

// finite makes a figure one that can be drawn.
func finite(f float64) float64 {
	if math.IsNaN(f) || f < 0 {
		return 0
	}
	return min(f, 1e12)
}

// ticks are at most about n round figures from 0 to top.
func ticks(top float64, n int) []float64 {
	step := math.Pow(10, math.Floor(math.Log10(top/float64(n))))
	for _, f := range []float64{1, 2, 2.5, 5, 10} {
		if top/(step*f) <= float64(n) {
			step *= f
			break
		}
	}
	var out []float64
	for i := 0; float64(i)*step <= top*(1+1e-9); i++ {
		out = append(out, float64(i)*step)
	}
	return out
}

// figure writes a number as shortly as three digits allow.
func figure(f float64) string {
	return strconv.FormatFloat(math.Round(finite(f)*1000)/1000, 'f', -1, 64)
}

// pad fills s with spaces to n columns.
func pad(s string, n int) string {
	return s + strings.Repeat(" ", max(n-utf8.RuneCountInString(s), 0))
}
