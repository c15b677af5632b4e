package cli

import (
	"fmt"
	"io"

	"github.com/pimento-memory/pimento/internal/tool"
)

// progress shows how far a download is: a bar that is drawn over on a
// terminal, and a line for each tenth anywhere else.
type progress struct {
	out   io.Writer
	paint tool.Paint
	live  bool

	file  string // what the last line was about
	tenth int64
	open  bool // a bar stands on the line
}

func (p *progress) show(file string, done, total int64) {
	tenth := int64(10)
	if total > 0 {
		tenth = done * 10 / total
	}
	if file != p.file {
		p.end()
		p.file, p.tenth = file, -1
	}
	size := tool.Bytes(done)
	if total > 0 && done < total {
		size += " of " + tool.Bytes(total)
	}
	if p.live {
		const width = 24
		fmt.Fprintf(p.out, "\r\x1b[K%s  %s %s", tool.Pad(file, width), p.paint.Accent(tool.Pad(tool.Bar(int(done>>10)+1, int(total>>10)+1, width), width)), size)
		p.open = true
		return
	}
	if tenth == p.tenth || total == 0 {
		return
	}
	p.tenth = tenth
	fmt.Fprintf(p.out, "%s: %s\n", file, size)
}

// end leaves the bar's line.
func (p *progress) end() {
	if p.open {
		fmt.Fprintln(p.out)
		p.open = false
	}
}
