package inject

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/news"
	mdpage "github.com/pimento-memory/pimento/internal/page"
	"github.com/pimento-memory/pimento/internal/profile"
	"github.com/rogpeppe/go-internal/txtar"
)

var update = flag.Bool("update", false, "rewrite the goldens in testdata/build")

// A goldenCase is facts.json of a case. Bodies of pages stand in files of their
// own, PICK/SCOPE/PAGE; each of their lines that starts with "- " is an entry.
type goldenCase struct {
	Profile   string
	Overrides json.RawMessage
	Today     string
	Empty     bool
	Items     []struct {
		Pick, Scope, Page, Heading, Kind, Text, Date, State string
		Confirmed                                           string
		Line                                                int
		Score                                               float64
		Ago                                                 float64 // days since it was last said
	}
	Changes   []news.Change
	InContext []string // texts of statements, or notices
	Frozen    *FrozenPrefix
	Dirs      map[pimento.Scope]string
	Preamble  bool // show it as it is worded
	System    int
}

// TestGolden runs every case of testdata/build and compares prefix, tail and
// trace with what stands there. Regenerate with -update and say in the commit
// why each golden changed.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/build/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no goldens", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			ar, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			b := Build(goldenFacts(t, ar))
			got := map[string]string{"want/prefix": b.Prefix, "want/tail": b.Tail, "want/trace": traceText(b)}
			for i, f := range ar.Files {
				out, ok := got[f.Name]
				if !ok {
					continue
				}
				if out != "" && !strings.HasSuffix(out, "\n") {
					out += "\n"
				}
				if *update {
					ar.Files[i].Data = []byte(out)
				} else if diff := cmp.Diff(string(f.Data), out); diff != "" {
					t.Errorf("%s: %s", f.Name, diff)
				}
			}
			if *update {
				if err := os.WriteFile(file, txtar.Format(ar), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

func goldenFacts(t *testing.T, ar *txtar.Archive) Facts {
	t.Helper()
	var c goldenCase
	f := Facts{Texts: map[pimento.Pick][]Text{}, Items: map[pimento.Pick][]Item{}, InContext: map[string]bool{}}
	for _, file := range ar.Files {
		if file.Name == "facts.json" {
			if err := json.Unmarshal(file.Data, &c); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if part := strings.SplitN(file.Name, "/", 3); len(part) == 3 && part[0] != "want" {
			pick := pimento.Pick(part[0])
			f.Texts[pick] = append(f.Texts[pick], goldenText(pimento.Scope(part[1]), part[2], string(file.Data)))
		}
	}
	var layers []profile.Layer
	if len(c.Overrides) > 0 {
		layers = append(layers, profile.Layer{Source: "overrides", JSON: c.Overrides})
	}
	p, faults, err := profile.Load(c.Profile, nil, layers)
	if err != nil || len(faults) > 0 {
		t.Fatal(err, faults)
	}
	if !c.Preamble {
		p.Preamble = "(the preamble)" // its wording is not what most cases are about
	}
	f.Dirs = c.Dirs
	if p.Paged {
		f.Items[pimento.PickMemory] = pagedItems(f.Texts[pimento.PickMemory])
	}
	f.Profile, f.Today, f.Empty, f.Changes = p, c.Today, c.Empty, c.Changes
	f.Prefix, f.SystemTokens = c.Frozen, c.System
	f.Now, _ = time.Parse(time.DateOnly, c.Today)
	for _, id := range c.InContext {
		if !strings.HasPrefix(id, "~") {
			id = string(pimento.StatementOf(id))
		}
		f.InContext[id] = true
	}
	if f.Prefix != nil {
		for i, text := range f.Prefix.IDs {
			f.Prefix.IDs[i] = string(pimento.StatementOf(text))
		}
	}
	for i := range f.Changes {
		f.Changes[i].Statement = pimento.StatementOf(f.Changes[i].Text)
		f.Changes[i].Was = pimento.StatementOf(f.Changes[i].Old)
	}
	for _, in := range c.Items {
		it := Item{Standing: pimento.Standing{Score: in.Score}}
		if in.Pick == "hits" {
			it.Why = []pimento.Factor{{Factor: "words", Share: in.Score}}
		}
		it.Entry = pimento.Entry{Kind: pimento.Kind(in.Kind), Text: in.Text, Heading: in.Heading, Line: in.Line,
			Task: in.Kind == "task", Done: in.State == "done", Pinned: in.Pick == "pinned",
			Occurrence: pimento.Occurrence{Scope: pimento.Scope(in.Scope), Page: in.Page, Statement: pimento.StatementOf(in.Text)}}
		if in.Pick == "kinds" {
			it.Standing.Lifecycle = in.State
			it.Standing.Last = f.Now.Add(-time.Duration(in.Ago * 24 * float64(time.Hour)))
		}
		if in.Confirmed != "" {
			if it.Standing.Confirmed, err = time.Parse(time.DateOnly, in.Confirmed); err != nil {
				t.Fatal(err)
			}
		}
		if in.Date != "" {
			if it.Entry.Stamp, err = time.Parse(time.DateOnly, in.Date); err != nil {
				t.Fatal(err)
			}
		}
		f.Items[pimento.Pick(in.Pick)] = append(f.Items[pimento.Pick(in.Pick)], it)
	}
	return f
}

// pagedItems are the entries of pages as the engine hands them in.
func pagedItems(texts []Text) (out []Item) {
	for _, t := range texts {
		for _, e := range mdpage.Parse(t.Page, []byte(t.Body)).Entries() {
			e.Scope = t.Scope
			out = append(out, Item{Entry: e})
		}
	}
	return out
}

// goldenText cuts a body as the pages of the house are cut, roughly.
func goldenText(scope pimento.Scope, page, body string) Text {
	t := Text{Scope: scope, Page: page, Body: body}
	if date, ok := strings.CutPrefix(page, "daily/"); ok {
		t.Date = strings.TrimSuffix(date, ".md")
	}
	at := 0
	for line := range strings.SplitAfterSeq(body, "\n") {
		if text, ok := strings.CutPrefix(line, "- "); ok {
			t.IDs = append(t.IDs, string(pimento.StatementOf(strings.TrimSuffix(strings.TrimSpace(text), " *(pinned)*"))))
			t.Spans = append(t.Spans, pimento.Span{Start: at, End: at + len(line)})
		}
		at += len(line)
	}
	return t
}

// traceText is the trace for people: sections, decisions and faults.
func traceText(b pimento.Block) string {
	var s strings.Builder
	for _, u := range b.Sections {
		fmt.Fprintf(&s, "section %s %s %d\n", u.Zone, u.Name, u.Tokens)
	}
	for _, d := range b.Trace {
		fmt.Fprintf(&s, "%s %s %s: %s\n", d.Decision, d.Entry, d.Page, d.Reason)
	}
	for _, f := range b.Faults {
		fmt.Fprintf(&s, "fault %s: %s\n", f.Kind, f.Detail)
	}
	fmt.Fprintf(&s, "tokens %d, ids %d + %d\n", b.Tokens, len(b.PrefixIDs), len(b.TailIDs))
	return s.String()
}
