package plot

import (
	"math"
	"strings"
	"unicode/utf8"
)

// The least and the usual size of a chart in a terminal.
const (
	minColumns, minRows = 20, 6
	textRows            = 16
)

// Text is the chart in so many columns (at least 40), with a letter for each
// series, dashes for the levels and a legend. Where several series meet, the
// first one's letter stands.
func (c Chart) Text(columns int) string {
	mx, my := c.extent()
	margin := 0
	yTicks := ticks(my, textRows/3)
	for _, t := range yTicks {
		margin = max(margin, utf8.RuneCountInString(figure(t)))
	}
	width := max(columns-margin-4, minColumns) // the last number of the axis goes on beyond it
	grid := c.grid(width, mx, my)
	var b strings.Builder
	b.WriteString(c.Title + "\n\n")
	marks := map[int]string{}
	for _, t := range yTicks {
		marks[row(t, my)] = figure(t)
	}
	for r, line := range grid {
		b.WriteString(strings.Repeat(" ", margin-utf8.RuneCountInString(marks[r])) + marks[r] + " |" + strings.TrimRight(string(line), " ") + "\n")
	}
	b.WriteString(strings.Repeat(" ", margin+1) + "+" + strings.Repeat("-", width) + "\n")
	b.WriteString(strings.Repeat(" ", margin+2) + axis(width, mx) + "\n")
	b.WriteString(strings.Repeat(" ", margin+2) + c.X + "\n\n")
	for i, s := range c.Series {
		b.WriteString("  " + string(letter(i)) + "  " + s.Name + "\n")
	}
	for _, l := range c.Levels {
		b.WriteString("  -  " + l.Name + " (" + figure(l.Y) + ")\n")
	}
	return strings.TrimRight(b.String(), "\n")
}

func letter(i int) rune { return rune('a' + i%26) }

// row is where a value stands that is at most top. Between points that are not
// sorted, a curve goes beyond all of them.
func row(v, top float64) int {
	return textRows - 1 - int(math.Round(min(finite(v)/top, 1)*(textRows-1)))
}

// grid is the plotting area, top row first.
func (c Chart) grid(width int, mx, my float64) [][]rune {
	grid := make([][]rune, textRows)
	for i := range grid {
		grid[i] = []rune(strings.Repeat(" ", width))
	}
	for _, l := range c.Levels {
		for x := 0; x < width; x += 2 {
			grid[row(l.Y, my)][x] = '-'
		}
	}
	for i := len(c.Series) - 1; i >= 0; i-- {
		s := c.Series[i]
		for x := range width {
			if y, ok := s.at(float64(x) / float64(max(width-1, 1)) * mx); ok {
				grid[row(y, my)][x] = letter(i)
			}
		}
	}
	return grid
}

// at is the value of a series at x, between its points in proportion.
func (s Series) at(x float64) (float64, bool) {
	for i, p := range s.Points {
		switch {
		case p.X == x:
			return p.Y, true
		case p.X > x && i > 0:
			before := s.Points[i-1]
			return before.Y + (p.Y-before.Y)*(x-before.X)/(p.X-before.X), true
		case p.X > x:
			return 0, false
		}
	}
	if n := len(s.Points); n > 0 && x-s.Points[n-1].X < 1e-9*max(x, 1) {
		return s.Points[n-1].Y, true
	}
	return 0, false
}

// axis is the line of figures below the plotting area.
func axis(width int, mx float64) string {
	line := []rune(strings.Repeat(" ", width+8))
	free := 0
	for _, t := range ticks(mx, max(width/12, 2)) {
		at := int(math.Round(t / mx * float64(width-1)))
		if at < free {
			continue
		}
		for i, r := range figure(t) {
			line[min(at+i, len(line)-1)] = r
		}
		free = at + utf8.RuneCountInString(figure(t)) + 1
	}
	return strings.TrimRight(string(line), " ")
}
