package engine_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
)

// outsider is a world whose user has global memory searched by qmd, a shell
// script here: list, search and update say what its commands do.
type outsider struct {
	*world
	bin     string
	updates bool // it is told of changes, which nobody waits for
}

// The script's usual parts.
const (
	knows    = `echo '["pi-memory"]'`
	findsOne = `printf '%s' '[{"file":"qmd://pi-memory/daily/2026-02-01.md","score":0.81,"snippet":"@@ -2,1 @@ (1 before, 0 after)\nThe tidal pump runs on 48 volts."}]'`
)

func newOutsider(t *testing.T, list, search string) *outsider {
	t.Helper()
	o := &outsider{world: newWorld(t), bin: t.TempDir()}
	o.profile = "daybook"
	put(t, o.dirs.Config+"/config.json", `{"engine": "qmd"}`)
	o.page("MEMORY.md", "- Deploys need a signed tag.\n")
	o.page("daily/2026-02-01.md", "<!-- 2026-02-01 09:00:00 [ab] -->\nThe tidal pump runs on 48 volts.\n\n<!-- 2026-02-01 10:00:00 [ab] -->\nLunch.\n")
	o.script(list, search)
	return o
}

func (o *outsider) script(list, search string) {
	o.Helper()
	put(o.TB, o.bin+"/qmd", "#!/bin/sh\necho \"$*\" >>"+o.bin+"/calls\ncase \"$1 $2\" in\n'collection list') "+list+
		" ;;\n'collection add'|'context add'|'update '*) ;;\n*) "+search+" ;;\nesac\n")
	o.must(os.Chmod(o.bin+"/qmd", 0o755))
}

// makes is a qmd that knows the collection once it was made, which takes some commands.
func (o *outsider) makes(commands string) {
	o.Helper()
	put(o.TB, o.bin+"/qmd", `#!/bin/sh
here=$(dirname $0)
case "$1 $2" in
'collection list') [ -e $here/made ] && `+knows+` || echo '[]' ;;
'collection add'|'context add')
	`+commands+`
	echo "$* done" >>$here/calls ;;
search*) `+findsOne+` ;;
esac
`)
	o.must(os.Chmod(o.bin+"/qmd", 0o755))
	put(o.TB, o.bin+"/calls", "")
}

func (o *outsider) calls() string { return get(o.TB, o.bin+"/calls") }

// waitFor waits until qmd has been called with a text.
func (o *outsider) waitFor(call string) {
	o.Helper()
	for end := time.Now().Add(time.Minute); !strings.Contains(o.calls(), call); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			o.Fatalf("qmd was not called with %q:\n%s", call, o.calls())
		}
	}
}

func (o *outsider) options() engine.Options {
	opt := o.world.options()
	opt.Path = o.bin + string(os.PathListSeparator) + "/usr/bin"
	opt.NoUpdates = !o.updates
	return opt
}

func (o *outsider) engine(serve bool) *engine.Engine {
	o.Helper()
	opt := o.options()
	opt.Serve = serve
	e, err := engine.Open(opt)
	o.must(err)
	o.Cleanup(func() { _ = e.Close() })
	return e
}

func (o *outsider) recall(e *engine.Engine, q pimento.Query) pimento.Answer {
	o.Helper()
	q.Limit = 5
	return e.Recall(o.Context(), q)
}

const tidal = "The tidal pump runs on 48 volts."

// What qmd finds stands in place of what we would have found, as the entries
// that it found it in, with the question asked once and safely.
func TestQmdSearches(t *testing.T) {
	o := newOutsider(t, knows, findsOne)
	e := o.engine(false)
	for mode, command := range map[pimento.Mode]string{"": "search", pimento.Keyword: "search", pimento.Semantic: "vsearch", pimento.Deep: "query"} {
		a := o.recall(e, pimento.Query{Text: "how is the water moved?\n", Mode: mode})
		if len(a.Hits) != 1 || a.Hits[0].Entry.Text != tidal || len(a.Faults) > 0 || a.Hits[0].Why[0].Factor != "qmd" {
			t.Errorf("%s: %+v", mode, a)
		}
		wantIn(t, "calls", o.calls(), command+" how is the water moved? -n 10 -c pi-memory --json\n")
	}
	if n := strings.Count(o.calls(), "collection list"); n != 1 {
		t.Errorf("asked %d times for the collections:\n%s", n, o.calls())
	}
	b := (&chat{w: o.world, turn: pimento.Turn{Harness: "pi", Session: "s"}, engine: e}).say("how is the water moved?")
	wantNoFaults(t, b)
	wantIn(t, "tail", b.Tail, "_daily/2026-02-01.md_ (2026-02-01, ", "\n"+tidal)
}

// A page's name, as qmd spells it, and a snippet that does not say where it
// stands: the entry is found all the same. What belongs to no page is nothing.
func TestQmdHitsAreEntries(t *testing.T) {
	o := newOutsider(t, knows, `printf '%s' '[{"file":"memory.md","score":1,"content":"need a signed tag"},
{"file":"qmd://pi-memory/daily/2026-02-01.md","snippet":"@@ -4,2 @@ (3 before, 0 after)\nLunch."},
{"file":"qmd://pi-memory/gone.md","snippet":"x"},{"file":"../../etc/passwd","snippet":"x"}]'`)
	a := o.recall(o.engine(false), pimento.Query{Text: "anything"})
	if len(a.Hits) != 2 || a.Hits[0].Entry.Text != "Deploys need a signed tag." || a.Hits[1].Entry.Text != "Lunch." {
		t.Errorf("%+v", a.Hits)
	}
}

// Missing, failing, late or without an answer: our own search answers, and says
// why, with what to do.
func TestQmdFallsBack(t *testing.T) {
	for name, c := range map[string]struct{ list, search, fault string }{
		"fails":             {knows, "echo boom >&2; exit 1", "boom"},
		"finds nothing":     {knows, "echo '[]'", ""},
		"speaks in tongues": {knows, "echo gibberish", "cannot be read"},
		"lists nothing":     {"exit 1", findsOne, "collection list"},
		"wants vectors":     {knows, "echo 'no embeddings' >&2; exit 1", "run: qmd embed"},
	} {
		t.Run(name, func(t *testing.T) {
			o := newOutsider(t, c.list, c.search)
			a := o.recall(o.engine(false), pimento.Query{Text: "tidal pump volts"})
			if len(a.Hits) != 1 || a.Hits[0].Entry.Text != tidal || a.Status != pimento.OK {
				t.Errorf("%+v", a)
			}
			if (c.fault == "") != (len(a.Faults) == 0) || c.fault != "" && !strings.Contains(a.Faults[0].Detail, c.fault) {
				t.Errorf("faults %v, want %q", a.Faults, c.fault)
			}
		})
	}
	o := newOutsider(t, knows, findsOne)
	o.bin = t.TempDir()
	e := o.engine(true)
	r := e.Turn(t.Context(), pimento.Turn{Event: pimento.SessionStart, Harness: "pi", Session: "s"})
	wantIn(t, "notice", fmt.Sprint(r.Notices), "qmd is not on PATH", "npm install -g @tobilu/qmd")
	a := o.recall(e, pimento.Query{Text: "tidal pump volts"})
	if len(a.Hits) != 1 || len(a.Faults) != 1 || !strings.Contains(a.Faults[0].Detail, "npm install") {
		t.Errorf("without qmd: %+v", a)
	}
	checks := e.Doctor(t.Context())
	if !strings.Contains(checkNamed(checks, "engine").Hint, "npm install") {
		t.Errorf("doctor: %+v", checks)
	}
}

func checkNamed(list []engine.Check, name string) engine.Check {
	for _, c := range list {
		if c.Name == name {
			return c
		}
	}
	return engine.Check{}
}

// The look for the collection and the search share one limit: the system that
// this comes from promised three seconds and could take thirteen.
func TestQmdHasOneDeadline(t *testing.T) {
	o := newOutsider(t, "sleep 60; "+knows, "sleep 60")
	opt := o.options()
	opt.Deadline, opt.Bounded = 3*time.Second, true
	e, err := engine.Open(opt)
	o.must(err)
	defer e.Close()
	c := &chat{w: o.world, turn: pimento.Turn{Harness: "pi", Session: "s"}, engine: e}
	b := c.say("tidal pump volts")
	wantIn(t, "tail", b.Tail, tidal)
	if len(b.Faults) != 1 || !strings.Contains(b.Faults[0].Detail, "did not answer in time") {
		t.Errorf("faults: %v", b.Faults)
	}
	if !strings.HasPrefix(o.calls(), "collection list") || strings.Contains(o.calls(), "search ") {
		t.Errorf("asked on when the time was over:\n%s", o.calls())
	}
}

// The collection is made at the start of a session, and by a search that
// somebody asks for; a prompt does not wait for it.
func TestQmdCollectionIsMade(t *testing.T) {
	made := `[ -e ` + "$(dirname $0)/calls" + ` ] && grep -q 'collection add' $(dirname $0)/calls && ` + knows + ` || echo '[]'`
	o := newOutsider(t, made, findsOne)
	e := o.engine(true)
	e.Turn(t.Context(), pimento.Turn{Event: pimento.SessionStart, Harness: "pi", Session: "s"}).After(t.Context())
	o.waitFor("collection add " + o.dirs.Global + " --name pi-memory")
	o.waitFor("context add qmd://pi-memory/daily ")

	o = newOutsider(t, made, findsOne)
	e = o.engine(false)
	b := (&chat{w: o.world, turn: pimento.Turn{Harness: "pi", Session: "s"}, engine: e}).say("tidal pump volts")
	wantIn(t, "tail", b.Tail, tidal)
	if len(b.Faults) != 1 || strings.Contains(o.calls(), "collection add") {
		t.Errorf("faults %v, calls:\n%s", b.Faults, o.calls())
	}
	if a := o.recall(e, pimento.Query{Text: "water"}); len(a.Hits) != 1 || len(a.Faults) > 0 {
		t.Errorf("%+v", a)
	}
	wantIn(t, "calls", o.calls(), "collection add")
}

// qmd writes its configuration in place: two that make the collection at once, or
// one that is ended in the middle, would leave the user a file that qmd cannot
// read. Three sessions begin, one ends at once, and somebody searches.
func TestQmdCollectionIsMadeOnce(t *testing.T) {
	o := newOutsider(t, "", "")
	o.makes(`mkdir $here/writing || echo "$* beside another" >>$here/calls
	sleep 0.3
	[ "$1" = collection ] && : >$here/made
	rmdir $here/writing`)
	start := pimento.Turn{Event: pimento.SessionStart, Harness: "pi", Session: "s"}
	engines := []*engine.Engine{o.engine(true), o.engine(true), o.engine(true)}
	for _, e := range engines {
		e.Turn(t.Context(), start).After(t.Context())
	}
	if a := o.recall(engines[1], pimento.Query{Text: "water"}); len(a.Hits) != 1 || len(a.Faults) > 0 {
		t.Errorf("%+v", a)
	}
	for _, e := range engines {
		o.must(e.Close())
	}
	if got := o.calls(); strings.Count(got, "collection add") != 1 || strings.Count(got, "context add") != 2 || strings.Count(got, "done") != 3 || strings.Contains(got, "beside") {
		t.Errorf("qmd was called so:\n%s", got)
	}

	// A session that ends while it is being made leaves it whole.
	o.must(os.Remove(o.bin + "/made"))
	put(t, o.bin+"/calls", "")
	e := o.engine(true)
	e.Turn(t.Context(), start).After(t.Context())
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(time.Millisecond) {
		if _, err := os.Stat(o.bin + "/writing"); err == nil {
			break
		}
	}
	o.must(e.Close())
	if got := o.calls(); strings.Count(got, "done") != 3 {
		t.Errorf("of a short session:\n%s", got)
	}
}

// qmd has the collection before it has read the files. Where it fails after that,
// or in the middle of what it is told about them, the next search goes on there,
// finds something all the same, and nobody is asked twice for what is done.
func TestQmdCollectionIsFinished(t *testing.T) {
	for name, fails := range map[string]string{"collection": "collection add", "context": "context add", "last": "context add qmd://pi-memory/daily"} {
		t.Run(name, func(t *testing.T) {
			o := newOutsider(t, "", "")
			o.makes(`[ "$1" = collection ] && : >$here/made
	case "$*" in '` + fails + `'*) [ -e $here/well ] || { echo 'database is locked' >&2; exit 1; } ;; esac`)
			asks := func() pimento.Answer {
				e := o.engine(false)
				defer e.Close()
				return o.recall(e, pimento.Query{Text: "water"})
			}
			asks()
			if a := asks(); len(a.Hits) != 1 || len(a.Faults) > 0 {
				t.Errorf("while it fails: %+v", a)
			}
			put(t, o.bin+"/well", "")
			e := o.engine(true)
			e.Turn(t.Context(), pimento.Turn{Event: pimento.SessionStart, Harness: "pi", Session: "s"}).After(t.Context())
			o.waitFor("/daily Daily work logs, one file a day done")
			o.must(e.Close())
			before := o.calls()
			if a := asks(); len(a.Hits) != 1 || len(a.Faults) > 0 {
				t.Errorf("%+v", a)
			}
			if o.calls() != before {
				t.Errorf("told again:\n%s", o.calls())
			}
		})
	}
}

// A process that ends starts the update that is due; several writes are one update,
// once they rest.
func TestQmdIsToldOfWrites(t *testing.T) {
	o := newOutsider(t, knows, findsOne)
	updates := func() int { return strings.Count(o.calls(), "update\n") }
	writes := func(e *engine.Engine, texts ...string) {
		for _, text := range texts {
			_, err := e.Remember(t.Context(), engine.Note{Text: text})
			o.must(err)
		}
	}
	o.updates = true
	e := o.engine(false)
	writes(e, "A fact.")
	o.must(e.Close())
	o.waitFor("update\n")
	o.updates = false
	e = o.engine(false)
	writes(e, "Another fact.")
	o.must(e.Close())
	if n := updates(); n != 1 {
		t.Errorf("%d updates though they are off", n)
	}
	o.updates = true
	e = o.engine(true)
	began := time.Now()
	writes(e, "A third fact.", "A fourth fact.", "A fifth fact.")
	rested := time.Since(began) > 400*time.Millisecond // on a busy machine
	for end := time.Now().Add(time.Minute); updates() < 2 && time.Now().Before(end); {
		time.Sleep(10 * time.Millisecond)
	}
	o.must(e.Close())
	if n := updates(); n != 2 && !rested {
		t.Errorf("%d updates:\n%s", n, o.calls())
	}
}

// Nobody but the user chooses a program that runs: not a repository, not global
// memory's own configuration. Whoever did not choose qmd never meets it.
func TestQmdIsTheUsersOwnChoice(t *testing.T) {
	o := newOutsider(t, knows, findsOne)
	o.updates = true
	put(t, o.dirs.Config+"/config.json", `{}`)
	o.page("config.json", `{"engine": "qmd"}`)
	repo(t, o.dir)
	e := o.engine(true)
	_, err := e.Remember(t.Context(), engine.Note{Text: "In the project.", Scope: pimento.Project})
	o.must(err)
	put(t, filepath.Join(o.dir, ".pi/memory/config.json"), `{"engine": "qmd"}`)
	if a := o.recall(e, pimento.Query{Text: "tidal pump volts"}); len(a.Hits) != 1 {
		t.Errorf("%+v", a)
	}
	wantEmpty(t, "calls", o.calls())
	put(t, o.dirs.Config+"/config.json", `{"engine": "grep"}`)
	checks := o.engine(false).Doctor(t.Context())
	if c := checkNamed(checks, "config"); c.OK || !strings.Contains(c.Detail, `key engine: "grep" is not allowed; use one of: own, qmd`) {
		t.Errorf("%+v", checks)
	}
}

// Hits of the project's own memory come in turn with qmd's, which knows global
// memory alone; another project's log lines stay where they are.
func TestQmdBesideProjectMemory(t *testing.T) {
	o := newOutsider(t, knows, findsOne)
	repo(t, o.dir)
	e := o.engine(false)
	_, err := e.Remember(t.Context(), engine.Note{Text: "The water moves through the north sluice.", Scope: pimento.Project})
	o.must(err)
	a := o.recall(e, pimento.Query{Text: "how does the water move"})
	var texts []string
	for _, h := range a.Hits {
		texts = append(texts, h.Entry.Text)
	}
	if got := strings.Join(texts, "|"); got != tidal+"|The water moves through the north sluice." {
		t.Errorf("hits: %s", got)
	}
	if a := o.recall(e, pimento.Query{Text: "how does the water move", Scopes: []pimento.Scope{pimento.Project}}); len(a.Hits) != 1 {
		t.Errorf("project alone: %+v", a.Hits)
	}
}

// What qmd cannot read, it cannot have found: hits on encrypted pages stand beside
// its own.
func TestQmdLeavesEncryptedPages(t *testing.T) {
	o := newOutsider(t, knows, findsOne)
	o.lock(false)
	conf := get(t, o.dirs.Config+"/config.json")
	put(t, o.dirs.Config+"/config.json", strings.Replace(conf, "{", `{"engine": "qmd", `, 1))
	o.page("topics/accounts.md", "# Accounts\n\n- "+secret+"\n")
	e := o.engine(false)
	_, err := e.Encrypt(t.Context(), "topics/accounts.md", true, engine.Actor{})
	o.must(err)
	a := o.recall(e, pimento.Query{Text: "what opens the zanzibar vault?"})
	if len(a.Hits) != 2 || a.Hits[0].Entry.Text != tidal || a.Hits[1].Entry.Text != secret {
		t.Errorf("%+v", a)
	}
}
