package rpc

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
	"github.com/pimento-memory/pimento/internal/tool"
)

// commands answers what a person types after /memory.
type commands struct {
	engine  *engine.Engine
	by      asker
	harness string
}

// help is the text of /memory help; each line is a command.
const help = `/memory                 what is remembered, and what the last prompt got
/memory on, off         for this session
/memory refresh         take a new picture of memory at the next prompt
/memory trust, untrust  agree to this project's memory, or take it back
/memory why [ID]        what the last prompt got and why, or one entry's story
/memory recall WORDS    search
/memory remember TEXT   write; remember global TEXT, remember project TEXT
/memory inbox           what waits for your yes: inbox accept, edit, reject ID
/memory dream           go through memory and propose: dream --apply, dream undo, dream last
/memory dream-auto on   dream by itself; dream-auto off
/memory pages           the pages, and what their entries are to the agent
/memory read PAGE       show one
/memory log [ID]        what changed in memory, and by whom
/memory traces          the records of past prompts; trace ID shows one
/memory stale           what may be out of date
/memory faults          when memory let the agent down
/memory verify, flush   the page table; what a crash left half written
/memory forget ID       take one entry out (restore ID brings it back; restore alone lists)
/memory edit ID TEXT    change its text
/memory pin, unpin, confirm, reinforce ID
/memory purge ID --yes  take it out everywhere, for good
/memory doctor          look for trouble`

// cutWord splits "word rest"; a text of several lines may begin on the next one.
func cutWord(line string) (word, rest string) {
	line = strings.TrimSpace(line)
	if i := strings.IndexFunc(line, unicode.IsSpace); i >= 0 {
		return line[:i], strings.TrimSpace(line[i:])
	}
	return line, ""
}

// run splits "verb rest" and answers. An empty line is "status".
func (c commands) run(ctx context.Context, line string) commandReply {
	verb, rest := cutWord(line)
	f, ok := c.verbs()[verb]
	if !ok {
		return commandReply{Text: fmt.Sprintf("unknown command %q\n\n%s", tool.OneLine(verb, 40), help), Level: "warning"}
	}
	if f.needs != "" && rest == "" {
		return commandReply{Text: "/memory " + verb + " needs " + f.needs, Level: "warning"}
	}
	text, err := f.run(ctx, rest)
	if err != nil {
		text := c.paint().Hint(tool.Message(err))
		if hint := pimento.HintOf(err); hint != "" {
			text += "\n" + c.paint().Hint(hint)
		}
		return commandReply{Text: text, Level: level(err)}
	}
	reply := commandReply{Text: tool.Printable(text), Level: "info", Refresh: f.refresh}
	if f.dreams {
		hours := c.dreamHours(ctx)
		reply.DreamHours = &hours
	}
	return reply
}

// level is an error for what is broken, a warning for what was asked wrongly or
// refused.
func level(err error) string {
	switch pimento.KindOf(err) {
	case pimento.KindInternal, pimento.KindUnavailable:
		return "error"
	}
	return "warning"
}

type verb struct {
	run     func(ctx context.Context, rest string) (string, error)
	needs   string // what must follow it
	refresh bool   // it voids the prefix
	dreams  bool   // it may change whether dreams come by themselves
}

func (c commands) verbs() map[string]verb {
	return map[string]verb{
		"":         {run: c.status},
		"status":   {run: c.status},
		"help":     {run: func(context.Context, string) (string, error) { return help, nil }},
		"on":       {run: c.silence(false), refresh: true, dreams: true},
		"off":      {run: c.silence(true), refresh: true, dreams: true},
		"refresh":  {run: c.refresh, refresh: true},
		"trust":    {run: c.trust, refresh: true},
		"untrust":  {run: c.untrust, refresh: true},
		"why":      {run: c.why},
		"recall":   {run: c.recall, needs: "words to look for"},
		"remember": {run: c.remember, needs: "a text"},
		"inbox":    {run: c.inbox},
		"pages":    {run: c.pages},
		"read":     {run: c.read, needs: "a page"},
		"stale":    {run: c.stale},
		"faults":   {run: c.faults},
		"log":      {run: c.log},
		"traces":   {run: c.traces},
		"trace":    {run: c.trace, needs: "a trace's id"},
		"verify":   {run: c.verify},
		"flush":    {run: c.flush},
		"doctor":   {run: c.doctor},
		"forget":   {run: c.change(done(c.engine.Forget), "Forgot"), needs: "an id", refresh: true},
		"restore":  {run: c.restore, refresh: true},
		"confirm":  {run: c.change(done(c.engine.Confirm), "Confirmed"), needs: "an id"},
		"pin":      {run: c.change(c.pin(true), "Pinned"), needs: "an id"},
		"unpin":    {run: c.change(c.pin(false), "Unpinned"), needs: "an id"},
		"edit":     {run: c.edit, needs: "an id and a text"},
		"purge":    {run: c.purge, needs: "an id", refresh: true},

		"reinforce": {run: c.change(done(c.engine.Reinforce), "Reinforced"), needs: "an id"},

		"dream":      {run: c.dream},
		"dream-auto": {run: c.dreamAuto, dreams: true},
	}
}

func (c commands) paint() tool.Paint { return inChat() }

// inChat is for what a person reads in the chat, where a command of ours is one of
// /memory, as far as it is known there.
func inChat() tool.Paint {
	verbs := commands{}.verbs()
	return tool.Paint{Door: func(command string) string {
		name, rest, _ := strings.Cut(command, " ")
		if _, ok := verbs[name]; !ok || strings.HasPrefix(rest, "-") {
			return "pimento " + command
		}
		return "/memory " + strings.ReplaceAll(command, `"`, "") // no shell takes quotes away
	}}
}

// known are those of the names that are verbs, in their order.
func known(names []string) []string {
	out, verbs := []string{}, commands{}.verbs()
	for _, name := range names {
		if _, ok := verbs[name]; ok {
			out = append(out, name)
		}
	}
	return out
}

func (c commands) status(ctx context.Context, _ string) (string, error) {
	r := c.engine.Status(ctx, c.by.Session)
	if c.by.off {
		r.WithoutMemory()
	}
	return tool.RenderStatus(r, c.paint()), nil
}

func (c commands) silence(off bool) func(context.Context, string) (string, error) {
	return func(ctx context.Context, _ string) (string, error) {
		if c.by.off && !off {
			return "", usage("this session was started with --no-memory", "start it without, to have memory")
		}
		if err := c.engine.Silence(ctx, c.harness, c.by.Session, off); err != nil {
			return "", err
		}
		if off {
			return "Memory is off for this session. /memory on brings it back.", nil
		}
		if !c.engine.Status(ctx, c.by.Session).Enabled {
			return "", usage("memory is off: a config.json says \"enabled\": false", "take that out of it")
		}
		return "Memory is on.", nil
	}
}

func (c commands) refresh(ctx context.Context, _ string) (string, error) {
	if err := c.engine.Refresh(ctx, c.harness, c.by.Session); err != nil {
		return "", err
	}
	return "The next prompt takes a new picture of memory.", nil
}

func (c commands) trust(ctx context.Context, adopt string) (string, error) {
	text, err := c.engine.Trust(ctx, adopt)
	if err != nil {
		return "", err
	}
	if c.by.untrusted {
		return tool.Below(text) + ", but not in this session: your agent does not trust the project", nil
	}
	return tool.Below(text) + "\n" + tool.RenderTrusted(tool.NewTrusted(ctx, c.engine), c.paint()), nil
}

func (c commands) untrust(ctx context.Context, _ string) (string, error) {
	text, err := c.engine.Untrust(ctx)
	return tool.Below(text), err
}

func (c commands) why(ctx context.Context, id string) (string, error) {
	if id != "" {
		story, err := c.engine.WhyEntry(ctx, id)
		if err != nil {
			return "", err
		}
		return tool.RenderStory(story, c.paint()), nil
	}
	tr, ok, err := c.engine.Why(ctx, c.by.Session)
	if err != nil {
		return "", err
	}
	if !ok {
		return "Nothing has been injected in this session yet.", nil
	}
	return tool.RenderWhy(tool.NewWhyView(ctx, c.engine, tr, 8), c.paint()), nil
}

func (c commands) recall(ctx context.Context, words string) (string, error) {
	ans, err := tool.Recall(ctx, c.engine, words, 5, c.by.Actor)
	if err != nil {
		return "", err
	}
	return tool.RenderHits(ans, words, c.paint()) + c.waits(ctx), nil
}

// waits tells, below what was found, that a project's memory was not looked at.
func (c commands) waits(ctx context.Context) string {
	if waits := c.engine.Waits(ctx); waits != "" {
		return "\n" + c.paint().Hint(waits)
	}
	return ""
}

func (c commands) remember(ctx context.Context, text string) (string, error) {
	var scope pimento.Scope
	if word, rest := cutWord(text); word == string(pimento.Global) || word == string(pimento.Project) {
		if rest == "" {
			return "", usage("/memory remember "+word+" needs a text", "")
		}
		scope, text = pimento.Scope(word), rest
	}
	text = tool.WithoutBullet(text)
	res, err := c.engine.Remember(ctx, engine.Note{Text: text, Scope: scope, Actor: "user", Session: c.by.Session})
	if err != nil {
		return "", err
	}
	if res.Text == "" { // it stands on another page
		res.Text = text
	}
	return c.wrote(res, "Remembered")
}

// wrote is what became of a write; one that was refused is a warning.
func (c commands) wrote(res engine.Result, did string) (string, error) {
	text := tool.RenderWrite(res, did, c.paint())
	if res.Action == pimento.Refuse {
		return "", &pimento.Error{Op: "rpc", Kind: pimento.KindRefused, Err: errors.New(text)}
	}
	return text, nil
}

// inbox answers "/memory inbox [accept|edit|reject ID [TEXT]]".
func (c commands) inbox(ctx context.Context, line string) (string, error) {
	verb, rest := cutWord(line)
	id, text := cutWord(rest)
	if id == "" && slices.Contains([]string{"accept", "edit", "reject"}, verb) {
		return "", usage("/memory inbox "+verb+" needs an id", "see what waits: /memory inbox")
	}
	switch verb {
	case "", "list":
		list, err := c.engine.Inbox(ctx)
		return tool.RenderInbox(list, "/memory inbox", c.paint()), err
	case "accept":
		return c.change(c.engine.InboxAccept, "Accepted")(ctx, id)
	case "reject":
		p, err := c.engine.InboxReject(ctx, id, c.by.Actor)
		return tool.RenderProposal(p, "Rejected"), err
	case "edit":
		p, err := c.engine.InboxEdit(ctx, id, text, c.by.Actor)
		return tool.RenderProposal(p, "Edited, still waiting"), err
	}
	return "", usage(fmt.Sprintf("unknown: inbox %q", tool.OneLine(verb, 40)), "use: /memory inbox, inbox accept ID, inbox edit ID TEXT, inbox reject ID")
}

func (c commands) pages(ctx context.Context, _ string) (string, error) {
	pages, _, err := c.engine.Pages(ctx)
	if err != nil {
		return "", err
	}
	typed, err := c.engine.TypedPages(ctx)
	if err != nil {
		return "", err
	}
	files, _ := c.engine.Sidecars(ctx, false) // none where a page cannot be read: doctor says so
	return tool.RenderPages(pages, c.paint()) + tool.RenderTyped(typed, c.paint()) + tool.BesidePages(files, c.paint()), nil
}

func (c commands) stale(ctx context.Context, _ string) (string, error) {
	return tool.RenderStale(c.engine.Stale(ctx), c.paint()), nil
}

func (c commands) faults(ctx context.Context, _ string) (string, error) {
	faults, err := c.engine.Faults(ctx)
	if err != nil {
		return "", err
	}
	return tool.RenderFaultHistory(faults, c.paint()), nil
}

// tracesShown is how many records a list in the chat holds.
const tracesShown = 20

func (c commands) log(ctx context.Context, of string) (string, error) {
	q := engine.LogQuery{Of: of}
	changes, _, err := c.engine.Log(ctx, q)
	return tool.RenderLog(changes, q, tracesShown, c.paint()), err
}

func (c commands) traces(ctx context.Context, _ string) (string, error) {
	list, err := c.engine.Traces(ctx, tracesShown)
	if err != nil {
		return "", err
	}
	return tool.RenderTraces(list, c.paint()), nil
}

func (c commands) trace(ctx context.Context, id string) (string, error) {
	tr, err := c.engine.Trace(ctx, id)
	if err != nil {
		return "", err
	}
	return tool.RenderWhy(tool.NewWhyView(ctx, c.engine, tr, 8), c.paint()), nil
}

func (c commands) verify(ctx context.Context, _ string) (string, error) {
	files, err := c.engine.Sidecars(ctx, true)
	if err != nil {
		return "", err
	}
	return tool.RenderSidecars(files, c.paint()), nil
}

func (c commands) flush(ctx context.Context, _ string) (string, error) {
	n, files, err := c.engine.Flush(ctx)
	if err != nil {
		return "", err
	}
	return tool.RenderFlush(n, files, c.paint()), nil
}

func (c commands) read(ctx context.Context, name string) (string, error) {
	pages, err := c.engine.Read(ctx, name)
	if err != nil {
		return "", err
	}
	return tool.RenderPageTexts(pages, c.paint()), nil
}

func (c commands) doctor(ctx context.Context, _ string) (string, error) {
	return tool.RenderChecks(c.engine.Doctor(ctx), c.paint()), nil
}
