package tool

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
	"github.com/pimento-memory/pimento/internal/page"
)

func readTool() Tool {
	return Tool{
		Name:   "memory_read",
		Label:  "Memory read",
		Effect: Reads,
		Description: "Read a memory page: long_term (MEMORY.md), scratchpad (the checklist), daily (one day's log), " +
			"list (the days that have a log, and other pages), or any page by its name.",
		Snippet:    "Read a memory page in full",
		Guidelines: []string{},
		Parameters: json.RawMessage(`{
  "type": "object",
  "properties": {
    "target": {"type": "string", "enum": ["long_term", "scratchpad", "daily", "list"], "description": "What to read. Leave it out when page is given."},
    "date": {"type": "string", "description": "For daily: the day as YYYY-MM-DD. Today when left out."},
    "page": {"type": "string", "description": "A page's name, for example topics/deploy.md or project:MEMORY.md, or the id of an entry."}
  },
  "additionalProperties": false
}`),
		run: read,
	}
}

func read(ctx context.Context, r request) Output {
	target := r.args.choice("target", "", "long_term", "scratchpad", "daily", "list")
	date, name := r.args.date("date"), strings.TrimSpace(r.args.text("page"))
	if target == "" && name == "" {
		r.args.need("target", ": long_term, scratchpad, daily or list, unless page is given")
	}
	if err := r.args.done(); err != nil {
		return failure(err)
	}
	switch {
	case name != "":
		pages, err := r.engine.Read(ctx, name)
		switch {
		case pimento.KindOf(err) == pimento.KindNotFound:
			return Output{Text: noPage(ctx, r.engine, name)}
		case err != nil:
			return failure(err)
		}
		return pagesOutput(pages, name+" is empty.")
	case target == "long_term":
		return readPage(ctx, r.engine, page.Memory, "MEMORY.md is empty or does not exist.")
	case target == "scratchpad":
		return readPage(ctx, r.engine, page.Scratchpad, "SCRATCHPAD.md is empty or does not exist.")
	case target == "daily":
		return readDaily(ctx, r.engine, date)
	default:
		return list(ctx, r.engine)
	}
}

func readPage(ctx context.Context, e *engine.Engine, name, none string) Output {
	pages, err := e.Read(ctx, name)
	return foundOutput(pages, err, none)
}

// foundOutput shows pages, or what is said where there are none.
func foundOutput(pages []engine.PageText, err error, none string) Output {
	if pimento.KindOf(err) == pimento.KindNotFound {
		return Output{Text: none}
	}
	if err != nil {
		return failure(err)
	}
	return pagesOutput(pages, none)
}

// noPage says that there is none of a name, and which there are: what a model has
// in front of it may name one that was moved since.
func noPage(ctx context.Context, e *engine.Engine, name string) string {
	text := "No page " + name + "."
	if pages := pageNames(ctx, e); pages != "" {
		text += " " + pages
	}
	return Defang(text)
}

// pageNames are the pages that there are, but for those named; "" for none.
func pageNames(ctx context.Context, e *engine.Engine, but ...string) string {
	pages, _, err := e.Pages(ctx)
	var names []string
	for _, p := range pages {
		if !strings.HasPrefix(p.Page, page.DailyDir) && !slices.Contains(but, p.Page) && !slices.Contains(names, p.Page) {
			names = append(names, p.Page)
		}
		if len(names) > maxNames {
			names[maxNames] = "..."
			break
		}
	}
	if err != nil || len(names) == 0 {
		return ""
	}
	return "Pages: " + strings.Join(names, ", ")
}

// maxNames bounds how many pages are named in the place of one that is not there.
const maxNames = 40

func readDaily(ctx context.Context, e *engine.Engine, date string) Output {
	if date == "" {
		date = e.Today()
	}
	pages, err := e.Daily(ctx, date)
	return foundOutput(pages, err, "No daily log for "+date+".")
}

// list names what can be read: the days that have a log, and the pages that no
// target stands for.
func list(ctx context.Context, e *engine.Engine) Output {
	text := "No daily logs found."
	if days := e.DailyList(ctx); len(days) > 0 {
		text = "Daily logs:\n- " + strings.Join(days, "\n- ")
	}
	if pages := pageNames(ctx, e, page.Memory, page.Scratchpad); pages != "" {
		text += "\n\n" + pages
	}
	return Output{Text: text}
}

// pagesOutput shows pages scope by scope. One page alone is shown as it is,
// because an agent may want to edit the file by its exact text.
func pagesOutput(pages []engine.PageText, none string) Output {
	shown := make([]engine.PageText, 0, len(pages))
	for _, p := range pages {
		if strings.TrimSpace(p.Text) != "" {
			shown = append(shown, p)
		}
	}
	if len(shown) == 0 {
		return Output{Text: none}
	}
	var text strings.Builder
	var paths, held []string
	for i, p := range shown {
		if len(shown) > 1 {
			if i > 0 {
				text.WriteString("\n\n")
			}
			text.WriteString("## " + string(p.Scope) + ":" + p.Page + "\n\n")
		}
		text.WriteString(Defang(p.Text))
		paths = append(paths, p.Path)
		held = append(held, statements(p)...)
	}
	if len(limit(text.String())) != text.Len() { // as long as it will be shown
		held = nil // not all of it was shown, so nothing counts as seen
	}
	return Output{Text: text.String(), Details: map[string]any{"ids": ids(held), "paths": paths}}
}

// statements are the entries that stand on a page, which a harness counts as
// in its context once the page has been read out.
func statements(p engine.PageText) []string {
	var out []string
	for _, en := range page.Parse(p.Page, []byte(p.Text)).Entries() {
		out = append(out, string(en.Statement))
	}
	return out
}
