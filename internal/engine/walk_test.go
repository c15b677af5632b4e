package engine_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
)

func (k *walk) remember(*rapid.T) {
	i, text := k.project(), k.text()
	if es := rapid.IntRange(0, 5).Draw(k.T, "again"); es == 0 {
		if e, p, _, ok := k.entry(); ok {
			i, text = p, e.Text
		}
	}
	n := engine.Note{Text: text, Scope: rapid.SampledFrom([]pimento.Scope{"", "global", "project", "local"}).Draw(k.T, "scope"),
		Kind:   rapid.SampledFrom([]pimento.Kind{"", "", "lesson", "preference", "decision"}).Draw(k.T, "kind"),
		Pinned: rapid.IntRange(0, 4).Draw(k.T, "pin") == 0, Stamped: rapid.IntRange(0, 4).Draw(k.T, "stamped") == 0}
	if n.Scope != "local" {
		switch rapid.IntRange(0, 3).Draw(k.T, "where") {
		case 0:
			n.Page = rapid.SampledFrom([]string{"topics/deploy.md", "topics/build.md", "notes.md", "knowledge/cache.md"}).Draw(k.T, "page")
		case 1:
			n.Daily = true
		}
	}
	before := k.files()
	r, err := k.command(i).Remember(context.Background(), n)
	if err != nil {
		k.Logf("not remembered: %v", err)
		k.same(before)
		return
	}
	now := k.files()
	k.Logf("%+v -> %s %s %s: %q", n, r.Action, r.Page, r.Reason, now[r.Path])
	if r.Action != pimento.Put && !(r.Action == pimento.Reinforce && n.Pinned) {
		k.same(before)
		return
	}
	k.same(before, r.Path)
	if gone, _ := cut(before[r.Path], now[r.Path]); gone != "" {
		k.Fatalf("remember took %q away:\n%q\n%q", gone, before[r.Path], now[r.Path])
	}
	if was, is := k.entriesOf(r.Path, before[r.Path]), k.entriesOf(r.Path, now[r.Path]); len(is) < len(was) {
		k.Fatalf("remember merged entries:\n%q\n%q", before[r.Path], now[r.Path])
	}
	if !strings.Contains(now[r.Path], word.FindString(text)) {
		k.Fatalf("not written: %q", now[r.Path])
	}
}

func (k *walk) edit(*rapid.T) {
	e, i, path, ok := k.entry()
	if !ok {
		return
	}
	text, before := k.text(), k.files()
	r, err := k.command(i).Edit(context.Background(), e.Occurrence.String(), text, engine.Actor{})
	if err != nil || r.Action == pimento.Refuse {
		k.Logf("not edited: %v %s", err, r.Reason)
		k.same(before)
		return
	}
	k.same(before, path)
	was, is := k.entriesOf(path, before[path]), k.entriesOf(path, k.files()[path])
	if len(was) != len(is) {
		k.Fatalf("edit of %q to %q:\n%q\n%q", e.Text, text, before[path], k.files()[path])
	}
	for j := range was {
		if was[j].Occurrence != e.Occurrence && was[j].Text != is[j].Text {
			k.Fatalf("edit of %q to %q changed another one:\n%q\n%q", e.Text, text, before[path], k.files()[path])
		}
	}
}

func (k *walk) forget(*rapid.T) {
	e, i, path, ok := k.entry()
	if !ok {
		return
	}
	before := k.files()
	r, err := k.command(i).Forget(context.Background(), e.Occurrence.String(), engine.Actor{})
	if err != nil {
		k.Fatalf("forget %s: %v", e.Occurrence, err)
	}
	if r.Action == pimento.Refuse {
		k.Logf("refused: %s", r.Reason)
		k.same(before)
		return
	}
	k.same(before, path)
	k.outdate()
	k.taken = append(k.taken, taken{i, r.Recovery, word.FindString(e.Text), path, before[path], k.files()[path]})
	if _, is := cut(before[path], k.files()[path]); is != "" {
		k.Fatalf("forget wrote %q", is)
	}
	if was, is := k.entriesOf(path, before[path]), k.entriesOf(path, k.files()[path]); len(is) != len(was)-1 {
		k.Fatalf("forget of %q:\n%q\n%q", e.Text, before[path], k.files()[path])
	}
}

func (k *walk) outdate() {
	for _, h := range k.chats {
		h.stale = true
	}
}

func (k *walk) restore(*rapid.T) {
	if len(k.taken) == 0 || k.inert[0] || k.inert[1] {
		return
	}
	n := rapid.IntRange(0, len(k.taken)-1).Draw(k.T, "taken")
	x := k.taken[n]
	k.taken = slices.Delete(slices.Clone(k.taken), n, n+1)
	before := k.files()
	r, err := k.command(x.project).Restore(context.Background(), x.recovery, engine.Actor{})
	k.outdate()
	now := k.files()
	k.Logf("restore %s on %s: %v %s %s", x.word, x.path, err, r.Action, r.Reason)
	if err != nil && len(k.purged) > 0 { // a purge takes along what quotes its text
		return
	}
	if err != nil {
		k.Fatalf("restore: %v", err)
	}
	if x.after != "" && before[x.path] == x.after && now[x.path] != x.before {
		k.Fatalf("restore:\n%q was\n%q and is\n%q", x.after, x.before, now[x.path])
	}
	if r.Action != pimento.Refuse && !strings.Contains(now[x.path], x.word) {
		k.Fatalf("restored %s is not there:\n%q", x.word, now[x.path])
	}
}

func (k *walk) purge(*rapid.T) {
	e, i, path, ok := k.entry()
	if !ok {
		return
	}
	before := k.files()
	if _, err := k.command(i).Purge(context.Background(), e.Occurrence.String(), engine.Actor{}); err != nil {
		k.Logf("not purged: %v", err)
		k.same(before)
		return
	}
	k.same(before, path)
	k.outdate()
	for _, h := range k.chats {
		h.blind() // with its prefix a session forgets what is still to be told
	}
	w := word.FindString(e.Text)
	k.purged = append(k.purged, w)
	if w == "" || strings.Contains(fmt.Sprint(k.files()), w) {
		return
	}
	w, _, _ = strings.Cut(e.Text, "\n") // as little of it as says something
	if quoted, _ := json.Marshal(w); !word.MatchString(w) || len(quoted) != len(w)+2 {
		return
	}
	k.Logf("purged %s", w)
	k.gone = append(k.gone, w)
	k.nowhere()
}

// mark does what changes no text of an entry.
func (k *walk) mark(*rapid.T) {
	e, i, path, ok := k.entry()
	if !ok {
		return
	}
	before, ctx, id := k.files(), context.Background(), e.Occurrence.String()
	var err error
	what := rapid.SampledFrom([]string{"pin", "unpin", "confirm", "reinforce"}).Draw(k.T, "what")
	switch what {
	case "pin", "unpin":
		_, err = k.command(i).Pin(ctx, id, what == "pin", engine.Actor{})
	case "confirm":
		_, err = k.command(i).Confirm(ctx, id, engine.Actor{})
	case "reinforce":
		_, err = k.command(i).Reinforce(ctx, id, engine.Actor{})
	}
	if err != nil {
		k.Logf("%s: %v", what, err)
		k.same(before)
		return
	}
	if what != "pin" && what != "unpin" {
		k.same(before)
		return
	}
	k.same(before, path)
	was, is := k.entriesOf(path, before[path]), k.entriesOf(path, k.files()[path])
	for j := range was {
		if len(is) != len(was) || was[j].Statement != is[j].Statement || was[j].Occurrence != e.Occurrence && was[j].Pinned != is[j].Pinned {
			k.Fatalf("%s of %q:\n%q\n%q", what, e.Text, before[path], k.files()[path])
		}
	}
}

func (k *walk) scratch(*rapid.T) {
	i, text := k.project(), ""
	what := rapid.SampledFrom([]string{"add", "add", "done", "undo", "clear"}).Draw(k.T, "what")
	switch what {
	case "add":
		text = k.text()
	case "done", "undo":
		e, p, _, ok := k.entry()
		if !ok {
			return
		}
		i, text = p, word.FindString(e.Text)
	}
	before := k.files()
	s, err := k.command(i).Scratch(context.Background(), what, text, engine.Actor{})
	k.Logf("scratch %s %q: %s %v", what, text, s.Message, err)
	for _, path := range k.changed(before) {
		if filepath.Base(path) != "SCRATCHPAD.md" {
			k.Fatalf("scratch changed %s", path)
		}
		was, is := len(k.entriesOf(path, before[path])), len(k.entriesOf(path, k.files()[path]))
		if what == "add" && is != was+1 || what != "add" && what != "clear" && is != was {
			k.Fatalf("scratch %s %q:\n%q\n%q", what, text, before[path], k.files()[path])
		}
	}
}

func (k *walk) archive(*rapid.T) {
	e, i, path, ok := k.entry()
	if !ok {
		return
	}
	name := e.Occurrence.String()
	if rapid.Bool().Draw(k.T, "page") {
		name = string(e.Scope) + ":" + e.Page
	}
	before := k.files()
	apply := rapid.Bool().Draw(k.T, "apply")
	moves, err := k.command(i).Archive(context.Background(), []string{name}, "it is old", apply, engine.Actor{})
	k.Logf("archive %s: %+v %v", name, moves, err)
	if err != nil || !apply {
		k.same(before)
		return
	}
	k.outdate()
	to := filepath.Join(strings.TrimSuffix(path, e.Page), moves[0].To)
	k.same(before, path, to)
	all := k.files()
	if !strings.Contains(all[to], word.FindString(e.Text)) {
		k.Fatalf("the archive lacks it: %q", all[to])
	}
	k.taken = append(k.taken, taken{i, moves[0].Recovery, word.FindString(e.Text), path, before[path], all[path]})
}

func (k *walk) inbox(*rapid.T) {
	i, ctx := k.project(), context.Background()
	before := k.files()
	e := k.command(i)
	list, err := e.Inbox(ctx)
	if err != nil {
		k.Fatal(err)
	}
	if len(list) == 0 || rapid.IntRange(0, 2).Draw(k.T, "propose") == 0 {
		r, err := e.Propose(ctx, pimento.Proposal{Text: k.text(), Source: "user"}, engine.Actor{})
		k.Logf("propose: %+v %v", r, err)
		k.same(before)
		return
	}
	p := list[rapid.IntRange(0, len(list)-1).Draw(k.T, "which")]
	switch rapid.IntRange(0, 2).Draw(k.T, "answer") {
	case 0:
		if _, err = e.InboxReject(ctx, p.ID, engine.Actor{}); err != nil {
			k.Fatalf("reject: %v", err)
		}
		k.same(before)
	case 1:
		r, err := e.InboxAccept(ctx, p.ID, engine.Actor{})
		k.Logf("accept %+v: %+v %v", p, r, err)
		k.outdate()
	case 2:
		if _, err = e.InboxEdit(ctx, p.ID, k.text(), engine.Actor{}); err != nil {
			k.Logf("inbox edit: %v", err)
		}
		k.same(before)
	}
}

// byHand is what an editor does.
func (k *walk) byHand(*rapid.T) {
	e, _, path, ok := k.entry()
	if !ok {
		return
	}
	text := k.files()[path]
	own, rest := text[e.Span.Start:e.Span.End], text[:e.Span.Start]+text[e.Span.End:]
	what := rapid.SampledFrom([]string{"move", "remove", "reword", "tick", "blanks", "no end", "crlf", "rename", "delete", "copy", "append", "above"}).Draw(k.T, "what")
	switch what {
	case "move":
		if !strings.HasSuffix(rest, "\n") && rest != "" {
			rest += "\n"
		}
		text = rest + own
	case "remove":
		text = rest
	case "reword":
		text = strings.Replace(text, word.FindString(e.Text), k.fresh(), 1)
	case "tick":
		text = strings.NewReplacer("[ ]", "[x]", "[x]", "[ ]").Replace(text)
	case "blanks":
		text = strings.ReplaceAll(text, "\n", "  \n")
	case "no end":
		text = strings.TrimRight(text, "\r\n")
	case "crlf":
		text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\n", "\r\n")
	case "rename", "copy":
		to := filepath.Join(strings.TrimSuffix(path, e.Page), rapid.SampledFrom([]string{"topics/deploy.md", "topics/other.md"}).Draw(k.T, "to"))
		if _, err := os.Stat(to); err == nil || e.Scope == pimento.Local {
			return
		}
		k.Logf("%s %s to %s", what, path, to)
		put(k.at[0], to, text)
		if what == "rename" {
			_ = os.Remove(path)
		}
		return
	case "delete":
		if e.Scope == pimento.Local {
			return // a scope less is another prefix
		}
		k.Logf("delete %s", path)
		_ = os.Remove(path)
		return
	case "append":
		if text != "" && !strings.HasSuffix(text, "\n") {
			text += "\n"
		}
		text += "- " + k.fresh() + " came by hand.\n"
	case "above":
		text = "Some words above.\n\n" + text
	}
	k.Logf("by hand %s %s: %q", what, path, text)
	put(k.at[0], path, text)
}

// look asks all that only looks.
func (k *walk) look(*rapid.T) {
	before, i, ctx := k.files(), k.project(), context.Background()
	defer k.same(before)
	e := k.command(i)
	e.Status(ctx, "")
	for _, c := range e.Doctor(ctx) {
		if !c.OK {
			k.Logf("doctor: %+v", c)
			if strings.Contains(c.Name, "index") || strings.Contains(c.Name, "journal") || strings.Contains(c.Name, "state") {
				k.Fatalf("doctor: %+v", c)
			}
		}
	}
	en, p, path, ok := k.entry()
	if !ok {
		return
	}
	e = k.engine(p)
	q := pimento.Query{Text: en.Text, All: true}
	a := e.Recall(ctx, q)
	if len(a.Faults) > 0 {
		k.Fatalf("faults %v", a.Faults)
	}
	if !slices.ContainsFunc(a.Hits[:min(3, len(a.Hits))], func(h pimento.Hit) bool { return h.Entry.Statement == en.Statement }) && len(strings.Fields(en.Text)) < 30 {
		k.Fatalf("%q of %s is not found: %v", en.Text, path, hits(a))
	}
	k.onlyAgreed(p, "hits", fmt.Sprint(hits(a)))
	all := fmt.Sprint(before)
	for _, h := range a.Hits {
		if w := word.FindString(h.Entry.Text); !strings.Contains(all, w) {
			k.Fatalf("%s is found and stands nowhere: %v", w, hits(a))
		}
	}
	if rapid.Bool().Draw(k.T, "rebuild") {
		want := hits(a)
		k.engine(0).Recall(ctx, q) // a new index cannot tell what was changed since the old one
		k.engine(1).Recall(ctx, q)
		k.close(0)
		k.close(1)
		if err := os.RemoveAll(k.at[0].dirs.Cache); err != nil {
			k.Fatal(err)
		}
		k.engine(1-p).Recall(ctx, q)
		if got := hits(k.engine(p).Recall(ctx, q)); !slices.Equal(got, want) {
			k.Fatalf("a new index answers %q\n%v, the old one\n%v", q.Text, got, want)
		}
	}
}

func (k *walk) process(*rapid.T) {
	i := k.project()
	k.close(i)
	if rapid.Bool().Draw(k.T, "later") {
		for _, w := range k.at {
			w.now = w.now.Add(1e9 * 3600 * 7)
		}
		k.close(1 - i)
	}
	k.nowhere()
}

func (k *walk) compact(*rapid.T) {
	h := k.someone()
	h.engine = k.engine(h.project)
	h.chat.compact(fmt.Sprint("c", k.fresh()))
	h.stale, h.lines, h.unsure, h.wary = true, nil, nil, false
}

func (k *walk) say(*rapid.T) {
	k.tell(k.someone())
}

// tell is one prompt of a conversation.
func (k *walk) tell(h *heard) {
	prompt := offTopic
	if rapid.Bool().Draw(k.T, "on topic") {
		if e, _, _, ok := k.entry(); ok {
			prompt = "what about " + e.Text
		}
	}
	before := k.files()
	had := slices.Clone(h.ids)
	h.engine = k.engine(h.project)
	b := h.say(prompt)
	k.Logf("%s: prompt %q\ntail %s", h.turn.Session, prompt, b.Tail)
	k.same(before)
	if len(b.Faults) > 0 {
		k.Fatalf("faults: %v", b.Faults)
	}
	if h.off {
		if b.Prefix+b.Tail != "" {
			k.Fatalf("memory is off, and says\n%s\n%s", b.Prefix, b.Tail)
		}
		return
	}
	k.onlyAgreed(h.project, "prefix", b.Prefix)
	if !h.stale && h.w.profile != "resident" && b.Prefix != h.prefix {
		k.Fatalf("the prefix changed:\n%s\nto\n%s", h.prefix, b.Prefix)
	}
	if b.Prefix != h.prefix {
		k.Logf("prefix:\n%s", b.Prefix)
		h.lines = append(said("P ", b.Prefix), slices.DeleteFunc(h.lines, func(l string) bool { return strings.HasPrefix(l, "P ") })...)
	}
	h.prefix, h.stale = b.Prefix, false
	for _, id := range b.TailIDs {
		if slices.Contains(had, id) && strings.HasPrefix(id, "~") {
			k.Fatalf("told %s twice", id)
		}
	}
	if h.w.profile != "resident" { // which has no word for what changed
		h.lines = append(h.lines, said("T ", b.Tail)...)
	}
	k.truthful(h)
}

func TestAWalk(t *testing.T) {
	given := map[string]bool{}
	flag.Visit(func(f *flag.Flag) { given[f.Name] = true })
	for name, value := range map[string]string{"rapid.checks": "10", "rapid.seed": "1"} {
		if f := flag.Lookup(name); !given[name] {
			was := f.Value.String()
			_ = f.Value.Set(value)
			t.Cleanup(func() { _ = f.Value.Set(was) })
		}
	}
	rapid.Check(t, func(rt *rapid.T) {
		k := newWalk(t, rt)
		rt.Repeat(map[string]func(*rapid.T){
			"": k.note, "remember": k.remember, "remember2": k.remember, "edit": k.edit, "forget": k.forget, "restore": k.restore, "purge": k.purge, "mark": k.mark, "scratch": k.scratch,
			"archive": k.archive, "inbox": k.inbox, "by hand": k.byHand, "by hand2": k.byHand, "look": k.look, "process": k.process, "compact": k.compact, "say": k.say, "say2": k.say,
			"pause": k.pause, "fork": k.fork, "agree": k.agree, "checkout": k.checkout,
		})
	})
}
