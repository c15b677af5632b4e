package graph

import (
	"fmt"
	"html"
	"math"
	"slices"
	"strings"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/text"
)

// Dot is relations in the language of Graphviz.
func Dot(rs []pimento.Relation) string {
	var b strings.Builder
	b.WriteString("digraph memory {\n  rankdir=LR;\n")
	for _, r := range rs {
		style := ""
		if r.Until != "" {
			style = ", style=dashed"
		}
		fmt.Fprintf(&b, "  %s -> %s [label=%s%s];\n", quote(r.Subject), quote(r.Object), quote(r.Predicate), style)
	}
	b.WriteString("}\n")
	return b.String()
}

// quote is a name as Graphviz reads it.
func quote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", " ").Replace(s) + `"`
}

// Sizes of a picture in its own units, which browsers take for pixels.
const (
	nodeHeight = 26
	charWidth  = 7.2
	ringGap    = 190 // between rings around the middle
	nodeGap    = 150 // along a ring
)

// A node is an entity in a picture.
type node struct {
	name  string
	x, y  float64
	ring  int
	width float64
}

// SVG is a picture of relations: the busiest entity in the middle, each other
// one on a ring as far away as it takes steps to reach it. It needs nothing but
// itself, reads in light and dark, and is the same for the same relations.
func SVG(rs []pimento.Relation) string {
	nodes, order := layout(rs)
	left, top, right, bottom := -60.0, -40.0, 60.0, 40.0
	for _, id := range order {
		n := nodes[id]
		left, right = min(left, n.x-n.width/2-10), max(right, n.x+n.width/2+10)
		top, bottom = min(top, n.y-nodeHeight), max(bottom, n.y+nodeHeight)
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="%.0f %.0f %.0f %.0f" font-family="system-ui, sans-serif" font-size="12">
<style>svg{background:#fff;color:#1c1c1c}@media(prefers-color-scheme:dark){svg{background:#16181c;color:#e6e6e6}}
.e{stroke:currentColor;stroke-opacity:.45}.p{fill:currentColor;fill-opacity:.75;font-size:10.5px}.n{fill:#c8402f;fill-opacity:.14;stroke:#c8402f}.t{fill:currentColor}</style>
<defs><marker id="a" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path d="M0 0 8 4 0 8z" fill="currentColor" fill-opacity=".6"/></marker></defs>
`, left, top, right-left, bottom-top)
	if len(rs) == 0 {
		b.WriteString(`<text class="t" text-anchor="middle">no relations</text>` + "\n")
	}
	seen := map[[2]string]int{}
	for _, r := range rs {
		s, o := text.EntityID(r.Subject), text.EntityID(r.Object)
		pair := [2]string{min(s, o), max(s, o)}
		drawEdge(&b, nodes[s], nodes[o], r, seen[pair])
		seen[pair]++
	}
	for _, id := range order {
		n := nodes[id]
		fmt.Fprintf(&b, `<rect class="n" x="%.1f" y="%.1f" width="%.1f" height="%d" rx="6"/><text class="t" x="%.1f" y="%.1f" text-anchor="middle">%s</text>`+"\n",
			n.x-n.width/2, n.y-nodeHeight/2, n.width, nodeHeight, n.x, n.y+4, html.EscapeString(n.name))
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// drawEdge draws an arrow from the border of one node to that of another; the
// labels of several between the same two stand below each other.
func drawEdge(b *strings.Builder, from, to *node, r pimento.Relation, nth int) {
	dx, dy := to.x-from.x, to.y-from.y
	dash := ""
	if r.Until != "" {
		dash = ` stroke-dasharray="4 3"`
	}
	x1, y1 := border(from, dx, dy)
	x2, y2 := border(to, -dx, -dy)
	fmt.Fprintf(b, `<path class="e" d="M%.1f %.1f L%.1f %.1f" fill="none" marker-end="url(#a)"%s/><text class="p" x="%.1f" y="%.1f" text-anchor="middle">%s</text>`+"\n",
		x1, y1, x2, y2, dash, (x1+x2)/2, (y1+y2)/2-3+12*float64(nth), html.EscapeString(r.Predicate))
}

// border is where a line from the middle of a node leaves it.
func border(n *node, dx, dy float64) (x, y float64) {
	if dx == 0 && dy == 0 {
		return n.x, n.y - nodeHeight/2
	}
	t := math.Inf(1)
	if dx != 0 {
		t = min(t, n.width/2/math.Abs(dx))
	}
	if dy != 0 {
		t = min(t, nodeHeight/2/math.Abs(dy))
	}
	return n.x + dx*t, n.y + dy*t
}

// layout places the entities.
func layout(rs []pimento.Relation) (nodes map[string]*node, order []string) {
	nodes = map[string]*node{}
	near := map[string][]string{}
	for _, r := range rs {
		s, o := text.EntityID(r.Subject), text.EntityID(r.Object)
		for id, name := range map[string]string{s: r.Subject, o: r.Object} {
			if nodes[id] == nil {
				nodes[id] = &node{name: name, ring: -1, width: max(40, 16+charWidth*float64(len([]rune(name))))}
			}
		}
		near[s], near[o] = append(near[s], o), append(near[o], s)
	}
	for id := range nodes {
		order = append(order, id)
	}
	slices.SortFunc(order, func(a, b string) int {
		if d := len(near[b]) - len(near[a]); d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	rings := rings(nodes, near, order)
	radius := 0.0
	for i, ring := range rings {
		if i > 0 {
			radius = max(radius+ringGap, float64(len(ring))*nodeGap/(2*math.Pi))
		}
		for j, id := range ring {
			angle := 2*math.Pi*float64(j)/float64(len(ring)) + 0.35*float64(i)
			nodes[id].x, nodes[id].y = radius*math.Cos(angle), radius*0.75*math.Sin(angle)
		}
	}
	return nodes, order
}

// rings are the entities by their distance from the first of them; what is not
// connected to it goes outermost.
func rings(nodes map[string]*node, near map[string][]string, order []string) (out [][]string) {
	for _, root := range order {
		if nodes[root].ring >= 0 {
			continue
		}
		base := len(out)
		for layer := []string{root}; len(layer) > 0; {
			var next []string
			for _, id := range layer {
				nodes[id].ring = len(out)
			}
			for _, id := range layer {
				for _, n := range near[id] {
					if nodes[n].ring < 0 && !slices.Contains(next, n) {
						next = append(next, n)
					}
				}
			}
			out = append(out, layer)
			layer = next
		}
		if base > 0 { // one more ring is enough for all that stands apart
			var apart []string
			for _, ring := range out[base:] {
				apart = append(apart, ring...)
			}
			out = append(out[:base], apart)
		}
	}
	return out
}
