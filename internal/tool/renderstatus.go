package tool

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
	"github.com/pimento-memory/pimento/internal/think"
)

// RenderStatus is the state of memory for a person.
func RenderStatus(r engine.StatusReport, p Paint) string {
	var b strings.Builder
	state := p.Good("on")
	switch {
	case !r.Enabled:
		state = p.Warn("off (enabled: false in a config.json)")
	case r.Without:
		state = p.Warn("off for this session (--no-memory)")
	case r.Off:
		state = p.Warn("off for this session (/memory on)")
	}
	row(&b, p, "memory", state+p.Faint("  profile ")+r.Profile)
	if r.Project != "" {
		row(&b, p, "project", Path(r.Project)+"  "+consentWord(r.Consent, r.Dirs["project"], p))
	} else {
		row(&b, p, "project", "none here")
	}
	for _, s := range r.Scopes {
		row(&b, p, string(s.Scope), scopeLine(s, p))
		fileRows(&b, p, s.Files)
	}
	tableRows(&b, p, r.Tables)
	if r.Waiting > 0 {
		wait := " wait"
		if r.Waiting == 1 {
			wait += "s"
		}
		row(&b, p, "inbox", Plural(r.Waiting, "proposal")+wait+" for your yes  "+p.Faint("("+p.Cmd("inbox")+")"))
	}
	if r.Broken != nil {
		row(&b, p, "dream", "that of "+r.Broken.Format("2006-01-02 15:04")+" was cut off by the end of its session  "+p.Faint("("+p.Cmd("dream")+")"))
	}
	if r.Last != nil {
		row(&b, p, "last turn", fmt.Sprintf("%s, %s, %.1f ms  %s", r.Last.Time.Format("2006-01-02 15:04"),
			Plural(r.Last.Block.Tokens, "token"), float64(r.Last.Micros)/1000, p.Faint("("+p.Cmd("why")+")")))
	}
	if r.Thinker != nil {
		row(&b, p, "thinker", thinkerLine(*r.Thinker, p))
	}
	for _, f := range r.Faults {
		row(&b, p, p.Warn("fault"), Below(f.Kind+": "+f.Detail))
	}
	if empty(r) && slices.Contains([]string{"", "none", "absent", "granted"}, r.Consent) {
		b.WriteString("\nNothing is remembered yet. Try: " + p.Cmd(`remember "prefer small commits"`) + "\n")
	}
	return strings.TrimRight(b.String(), "\n")
}

// tableRows say for each scope where its page table lies, and what of it is
// there and right.
func tableRows(b *strings.Builder, p Paint, files []engine.Sidecar) {
	for i, title := 0, "page table"; i < len(files); title = "" {
		scope, dir := files[i].Scope, filepath.Dir(files[i].Path)
		var states []string
		named, do := map[string]string{}, ""
		for ; i < len(files) && files[i].Scope == scope; i++ {
			state, name := sidecarState(files[i], p), filepath.Base(files[i].Path)
			if named[state] == "" {
				states, named[state] = append(states, state), name
			} else {
				named[state] += ", " + name
			}
			if !files[i].Valid {
				do = p.Faint(" (" + p.Cmd("verify") + ")")
			}
		}
		for i, state := range states {
			states[i] = named[state] + " " + state
		}
		row(b, p, title, string(scope)+": "+strings.Join(states, "; ")+do+"  "+p.Faint(Path(dir)))
	}
}

func empty(r engine.StatusReport) bool {
	for _, s := range r.Scopes {
		if s.Entries > 0 || s.Pages > 0 || s.Sealed > 0 {
			return false
		}
	}
	return true
}

func scopeLine(s engine.ScopeStatus, p Paint) string {
	if !s.Exists {
		return "empty  " + p.Faint(Path(s.Dir))
	}
	line := Plural(s.Entries, "entry") + " on " + Plural(s.Pages, "page") + ", " + Bytes(s.Bytes)
	if s.Sealed > 0 {
		line += ", " + Plural(s.Sealed, "encrypted page")
	}
	if s.Pinned > 0 {
		line += fmt.Sprintf(", %d pinned", s.Pinned)
	}
	if s.Open > 0 {
		line += ", " + Plural(s.Open, "open task")
	}
	return line + "  " + p.Faint(Path(s.Dir))
}

// filesShown is how many pages of a scope the overview names.
const filesShown = 5

// fileRows are the pages of a scope, the curated one with how much of it stands
// in front of a model.
func fileRows(b *strings.Builder, p Paint, files []engine.FileStatus) {
	for _, f := range files[:min(len(files), filesShown)] {
		row(b, p, "", "  "+Printable(f.Page)+"  "+fileSize(f, p))
	}
	if more := len(files) - filesShown; more > 0 {
		row(b, p, "", p.Faint(fmt.Sprintf("  ... %d more: %s", more, p.Cmd("pages"))))
	}
}

func fileSize(f engine.FileStatus, p Paint) string {
	switch {
	case f.Shown == nil:
		return Bytes(f.Bytes)
	case *f.Shown == f.Bytes:
		return Bytes(f.Bytes) + p.Faint(", all of it in the prefix")
	}
	return Bytes(*f.Shown) + " of " + Bytes(f.Bytes) + " in the prefix in full" + p.Warn(", over the cap: move detail to topic files")
}

func thinkerLine(t engine.ThinkerStatus, p Paint) string {
	name := Printable(t.Name)
	if !t.On {
		name = p.Faint("off")
	}
	return fmt.Sprintf("%s  %s today of %d, in %s  %s", name, Plural(t.Today.Tokens(), "token"), t.PerDay,
		Plural(t.Today.Calls, "call"), p.Faint("(pimento think)"))
}

func consentWord(c, dir string, p Paint) string {
	switch {
	case c == "granted":
		return p.Good("trusted")
	case c == "absent" && dir == "":
		return p.Faint("no memory of its own; this profile writes to global memory")
	case c == "" || c == "none" || c == "absent":
		return p.Faint("no memory yet, the first write makes " + Path(dir))
	case c == "untrusted":
		return p.Warn("off for this session: your agent does not trust the project")
	case c == "declined":
		return p.Faint("off: you said no to its memory; to use it: " + p.Cmd("trust"))
	case c == "missing":
		return p.Warn("its memory waits for your yes: " + p.Cmd("trust"))
	}
	return p.Warn("memory is off: " + Printable(strings.TrimPrefix(c, "mismatch: ")))
}

// Bytes is a size for a person.
func Bytes(n int64) string {
	switch {
	case n < 1024:
		return fmt.Sprintf("%d B", n)
	case n < 1024*1024:
		return fmt.Sprintf("%.1f KB", float64(n)/1024)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/1024/1024)
}

// row is a name in a column of its own and what belongs to it.
func row(b *strings.Builder, p Paint, name, text string) {
	b.WriteString(Hang(Pad(p.Faint(name), 10)+" ", text, p.Width) + "\n")
}

// stripAnsi takes our own colour codes out, for measuring.
func stripAnsi(s string) string {
	for {
		i := strings.Index(s, "\x1b[")
		if i < 0 {
			return s
		}
		j := strings.IndexByte(s[i:], 'm')
		if j < 0 {
			return s
		}
		s = s[:i] + s[i+j+1:]
	}
}

// RenderChecks is doctor's list.
func RenderChecks(checks []engine.Check, p Paint) string {
	var b strings.Builder
	wide := 0
	for _, c := range checks {
		wide = max(wide, columns(c.Name))
	}
	for _, c := range checks {
		mark := p.Good("ok  ")
		if !c.OK {
			mark = p.Bad("fail")
		}
		b.WriteString(Hang(mark+" "+Pad(c.Name, wide)+" ", Printable(c.Detail), p.Width) + "\n")
		if !c.OK && c.Hint != "" {
			b.WriteString(Hang(strings.Repeat(" ", 6+wide), p.Faint("hint: "+Printable(c.Hint)), p.Width) + "\n")
		}
	}
	return strings.TrimRight(b.String(), "\n")
}

// RenderHits is an answer for a person: place, id and score on one line, the
// text below it, and why it ranked.
func RenderHits(ans pimento.Answer, query string, p Paint) string {
	if len(ans.Hits) == 0 && len(ans.Relations) == 0 {
		text := fmt.Sprintf("Nothing about %q in memory.", OneLine(query, 80))
		if why := cutShort(ans); why != "" {
			text += "\n" + p.Warn(why)
		}
		return text
	}
	var b strings.Builder
	for i, h := range ans.Hits {
		if i > 0 {
			b.WriteString("\n")
		}
		head := p.Bold(Place(h.Entry))
		if d := Date(h.Entry); d != "" {
			head += "  " + d
		}
		if h.Replaced {
			head += "  " + p.Warn("stale")
		}
		b.WriteString(head + "  " + p.Faint(string(h.Entry.Statement)) + "  " + fmt.Sprintf("%.2f", h.Score) + "\n")
		said, part := Said(h)
		b.WriteString("  " + Wrap(Printable(said), p.Columns(), "  ") + "\n")
		if part {
			b.WriteString("  " + p.Faint("a part of "+Bytes(int64(len(h.Entry.Text)))+", all of it: pimento read "+string(h.Entry.Statement)) + "\n")
		}
		if w := why(h.Why); w != "" {
			b.WriteString("  " + p.Faint(w) + "\n")
		}
	}
	if len(ans.Relations) > 0 {
		if b.Len() > 0 {
			b.WriteString("\n")
		}
		b.WriteString(RenderRelations(ans.Relations, p))
	}
	return strings.TrimRight(b.String(), "\n")
}

// why is a hit's factors, largest share first as recall orders them; what takes
// away comes last.
func why(factors []pimento.Factor) string {
	var parts []string
	for _, f := range factors {
		if math.Abs(f.Share) >= 0.005 || len(parts) == 0 {
			parts = append(parts, fmt.Sprintf("%s %.0f%%", f.Factor, f.Share*100))
		}
	}
	return strings.Join(parts, ", ")
}

// RenderSpending is the language model and its account for a person.
func RenderSpending(s engine.ThinkerStatus, p Paint) string {
	var b strings.Builder
	if s.On {
		row(&b, p, "thinker", fmt.Sprintf("%s, at most %d tokens a call and %d a day", Printable(s.Name), s.PerCall, s.PerDay))
	} else {
		row(&b, p, "thinker", "off; turn one on: pimento think use --help")
	}
	for _, d := range s.Days {
		row(&b, p, d.Day, fmt.Sprintf("%s in %s: %s", Plural(d.Tokens(), "token"), Plural(d.Calls, "call"), purposes(d)))
	}
	return b.String()
}

// purposes is what a day's tokens were spent on, the dearest first.
func purposes(d think.Day) string {
	names := slices.SortedFunc(maps.Keys(d.For), func(a, b string) int {
		return cmp.Or(cmp.Compare(d.For[b].Tokens(), d.For[a].Tokens()), cmp.Compare(a, b))
	})
	for i, n := range names {
		s := d.For[n]
		names[i] = fmt.Sprintf("%s %d", Printable(n), s.Tokens())
		if s.Failed > 0 {
			names[i] += fmt.Sprintf(" (%d failed)", s.Failed)
		}
	}
	return strings.Join(names, ", ")
}
