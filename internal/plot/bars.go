package plot

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// A Bar is one figure with a name; Note stands behind it, as text.
type Bar struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
	Note  string  `json:"note"`
}

// Bars are figures to be compared by length.
type Bars struct {
	Title string `json:"title"`
	Bars  []Bar  `json:"bars"`
}

func (b Bars) most() float64 {
	top := 1e-9
	for _, x := range b.Bars {
		top = max(top, finite(x.Value))
	}
	return top
}

// Text is the bars in so many columns, longest name first aligned.
func (b Bars) Text(columns int) string {
	name := 0
	for _, x := range b.Bars {
		name = max(name, utf8.RuneCountInString(x.Name))
	}
	room := max(columns-name-16, minRows)
	var s strings.Builder
	if b.Title != "" {
		s.WriteString(b.Title + "\n\n")
	}
	for _, x := range b.Bars {
		n := int(finite(x.Value)/b.most()*float64(room) + .5)
		line := "  " + pad(x.Name, name) + " " + strings.Repeat("█", n) + " " + figure(x.Value)
		if x.Note != "" {
			line += "  " + x.Note
		}
		s.WriteString(line + "\n")
	}
	return strings.TrimRight(s.String(), "\n")
}

// SVG is the bars as a file of its own.
func (b Bars) SVG() string {
	const row, name = 24, 180
	var s strings.Builder
	open(&s, b.Title, svgTop+row*len(b.Bars)+16)
	width := float64(svgWidth - name - svgRight)
	for i, x := range b.Bars {
		y := float64(svgTop + row*i)
		w := finite(x.Value) / b.most() * width
		label(&s, name-8, y+15, "end", x.Name)
		fmt.Fprintf(&s, `<rect x="%d" y="%.1f" width="%.1f" height="16" fill="%s"/>`+"\n", name, y+3, w, palette()[0])
		label(&s, name+w+6, y+15, "start", strings.TrimSpace(figure(x.Value)+"  "+x.Note))
	}
	s.WriteString("</svg>\n")
	return s.String()
}
