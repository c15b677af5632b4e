package plot

import (
	"fmt"
	"strings"
)

// palette is by Okabe and Ito (https://jfly.uni-koeln.de/color/), without black
// and yellow, which vanish on one of the grounds.
func palette() []string {
	return []string{"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#7F7F7F"}
}

// The size of a drawing and of its margins, in pixels.
const (
	svgWidth, svgHeight                   = 720, 420
	svgLeft, svgRight, svgTop, svgBottom  = 56, 150, 40, 48
	plotWidth, plotHeight                 = svgWidth - svgLeft - svgRight, svgHeight - svgTop - svgBottom
	svgFont                               = `font-family="system-ui, sans-serif" font-size="12"`
	svgInk                                = `fill="#808080"`
	svgGrid                               = `stroke="#808080" stroke-opacity="0.25"`
	svgDashed                             = `stroke="#808080" stroke-dasharray="5 4"`
	legendLine, legendText, legendSpacing = 18, 24, 20
)

// SVG is the chart as a file of its own.
func (c Chart) SVG() string {
	mx, my := c.extent()
	x := func(v float64) float64 { return svgLeft + finite(v)/mx*plotWidth }
	y := func(v float64) float64 { return svgTop + plotHeight - finite(v)/my*plotHeight }
	var b strings.Builder
	open(&b, c.Title, svgHeight)
	for _, t := range ticks(my, 6) {
		fmt.Fprintf(&b, `<line x1="%d" x2="%d" y1="%.1f" y2="%.1f" %s/>`+"\n", svgLeft, svgLeft+plotWidth, y(t), y(t), svgGrid)
		label(&b, svgLeft-8, y(t)+4, "end", figure(t))
	}
	for _, t := range ticks(mx, 8) {
		label(&b, x(t), svgTop+plotHeight+18, "middle", figure(t))
	}
	label(&b, svgLeft+plotWidth/2, svgHeight-10, "middle", c.X)
	fmt.Fprintf(&b, `<text transform="translate(14 %d) rotate(-90)" text-anchor="middle" %s>%s</text>`+"\n", svgTop+plotHeight/2, svgInk, escape(c.Y))
	for _, l := range c.Levels {
		fmt.Fprintf(&b, `<line x1="%d" x2="%d" y1="%.1f" y2="%.1f" %s/>`+"\n", svgLeft, svgLeft+plotWidth, y(l.Y), y(l.Y), svgDashed)
		label(&b, svgLeft+plotWidth-4, y(l.Y)-4, "end", l.Name)
	}
	for i, s := range c.Series {
		colour := palette()[i%len(palette())]
		fmt.Fprintf(&b, `<polyline fill="none" stroke="%s" stroke-width="2" points="`, colour)
		for j, p := range s.Points {
			if j > 0 {
				b.WriteByte(' ')
			}
			fmt.Fprintf(&b, "%.1f,%.1f", x(p.X), y(p.Y))
		}
		b.WriteString(`"/>` + "\n")
		at := float64(svgTop + 10 + i*legendSpacing)
		fmt.Fprintf(&b, `<line x1="%d" x2="%d" y1="%.1f" y2="%.1f" stroke="%s" stroke-width="2"/>`+"\n",
			svgLeft+plotWidth+14, svgLeft+plotWidth+14+legendLine, at, at, colour)
		label(&b, svgLeft+plotWidth+14+legendText, at+4, "start", s.Name)
	}
	b.WriteString("</svg>\n")
	return b.String()
}

func open(b *strings.Builder, title string, height int) {
	fmt.Fprintf(b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" %s role="img">`+"\n<title>%s</title>\n",
		svgWidth, height, svgWidth, height, svgFont, escape(title))
	fmt.Fprintf(b, `<text x="%d" y="22" font-size="15" %s>%s</text>`+"\n", svgLeft, svgInk, escape(title))
}

func label(b *strings.Builder, x, y float64, anchor, text string) {
	fmt.Fprintf(b, `<text x="%.1f" y="%.1f" text-anchor="%s" %s>%s</text>`+"\n", x, y, anchor, svgInk, escape(text))
}

// escape makes text that may come from a memory unable to be markup. Control
// characters, which no XML file may hold, are taken out.
func escape(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r == 0xfffd || r == 0xfffe || r == 0xffff {
			return -1
		}
		return r
	}, s)
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;").Replace(s)
}
