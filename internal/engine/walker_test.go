package engine_test

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
	"github.com/pimento-memory/pimento/internal/page"
)

// rapidTB lets the helpers of a world fail one walk, so that it is shrunk.
type rapidTB struct {
	testing.TB
	rt *rapid.T
}

func (t rapidTB) Helper()                   {}
func (t rapidTB) Errorf(f string, a ...any) { t.rt.Fatalf(f, a...) }
func (t rapidTB) Fatalf(f string, a ...any) { t.rt.Fatalf(f, a...) }
func (t rapidTB) Error(a ...any)            { t.rt.Fatal(a...) }
func (t rapidTB) Fatal(a ...any)            { t.rt.Fatal(a...) }
func (t rapidTB) Cleanup(f func())          { t.rt.Cleanup(f) }
func (t rapidTB) TempDir() string {
	dir, err := os.MkdirTemp("", "walk")
	if err != nil {
		t.rt.Fatal(err)
	}
	t.rt.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

// A walk is a user who does all sorts of things, in two projects, by commands
// and by hand. Every statement begins with a word of its own, by which it is
// looked for wherever it may stand.
type walk struct {
	*rapid.T
	at      [2]*world // the projects
	engines [2]*engine.Engine
	shell   *engine.Engine // of the last command, nil when that ran in one of them
	chats   []*heard
	words   int
	taken   []taken
	purged  []string                              // words
	gone    []string                              // texts that were purged and may be nowhere
	sayings map[string]map[pimento.Statement]bool // by word, all that ever said it

	shared   map[string]bool      // words that ever stood in global memory
	trees    bool                 // the projects are worktrees of one
	inert    [2]bool              // projects whose memory may not be read
	branches [2]map[string]string // what another branch of the project holds, by path
}

// heard is a conversation and what its context holds.
type heard struct {
	*chat
	project int
	lines   []string // of the prefix, and of tails in the order in which they were said
	unsure  []string // words of which the session may not have been told all
	prefix  string
	stale   bool // the next prompt may take a new prefix
	off     bool
	wary    bool // its project's consent changed: what it was told of that may be out of date
}

// taken is what was forgotten or archived and may be restored.
type taken struct {
	project       int
	recovery      string
	word          string
	path          string // of the page
	before, after string
}

var word = regexp.MustCompile(`zq[0-9]+x`)

func newWalk(t *testing.T, rt *rapid.T) *walk {
	w := newWorld(rapidTB{t, rt})
	w.profile = rapid.SampledFrom([]string{"", "", "daybook", "situation", "catalog", "resident", "mind"}).Draw(rt, "profile")
	k := &walk{T: rt, sayings: map[string]map[pimento.Statement]bool{}, shared: map[string]bool{}}
	k.trees = rapid.IntRange(0, 3).Draw(rt, "worktrees") == 0
	if k.trees { // the second project is a worktree of the first
		common := filepath.Join(w.home, "project0/.git")
		for _, dir := range []string{"objects", "refs", "worktrees/1"} {
			w.mkdir(filepath.Join(common, dir))
		}
		put(w, filepath.Join(common, "HEAD"), "ref: refs/heads/main\n")
		put(w, filepath.Join(common, "worktrees/1/HEAD"), "ref: refs/heads/other\n")
		put(w, filepath.Join(common, "worktrees/1/commondir"), "../..\n")
		put(w, filepath.Join(common, "worktrees/1/gitdir"), filepath.Join(w.home, "project1/.git")+"\n")
		put(w, filepath.Join(w.home, "project1/.git"), "gitdir: "+filepath.Join(common, "worktrees/1")+"\n")
	}
	for i := range k.at {
		k.at[i] = w.at(filepath.Join(w.home, fmt.Sprint("project", i)))
		k.mustDo(k.engine(i).Remember(t.Context(), engine.Note{Text: k.fresh() + " begins.", Scope: pimento.Project}))
		k.mustDo(k.engine(i).Remember(t.Context(), engine.Note{Text: k.fresh() + " begins.", Scope: pimento.Local}))
	}
	k.mustDo(k.engine(0).Remember(t.Context(), engine.Note{Text: k.fresh() + " begins.", Scope: pimento.Global}))
	rt.Cleanup(func() {
		k.close(0)
		k.close(1)
		if k.shell != nil {
			_ = k.shell.Close()
		}
	})
	for i := range 3 {
		k.chats = append(k.chats, &heard{chat: k.at[i%2].chat(fmt.Sprint("s", i)), project: i % 2, stale: true})
		k.chats[i].branch = i == 0
	}
	return k
}

func (k *walk) mustDo(_ engine.Result, err error) {
	if err != nil {
		k.Fatalf("%v\n%s", err, pimento.HintOf(err))
	}
}

// engine is the process that serves a project.
func (k *walk) engine(i int) *engine.Engine {
	if k.engines[i] == nil {
		opt := k.at[i].options()
		opt.Serve = rapid.Bool().Draw(k.T, "serve")
		e, err := engine.Open(opt)
		if err != nil {
			k.Fatal(err)
		}
		k.engines[i] = e
	}
	return k.engines[i]
}

func (k *walk) close(i int) {
	if k.engines[i] != nil {
		_ = k.engines[i].Close()
		k.engines[i] = nil
	}
}

func (k *walk) project() int { return rapid.IntRange(0, 1).Draw(k.T, "project") }

func (k *walk) fresh() string {
	k.words++
	return fmt.Sprintf("zq%dx", k.words)
}

func (k *walk) text() string {
	form := rapid.SampledFrom([]string{
		"%s likes plain notes", "%s likes plain notes.", "%s deploys with `make ship` and *care*", "- %s is a bullet", "# %s is a heading", "[lesson] %s is marked",
		"[ ] %s is a box", "%s has one line\r\nand another", "%s has one line\nand another\n  indented", "%s has a paragraph\n\nand another",
		"%s 部署先经过预发布环境 🚀", "%s is *(pinned)*", "%s <!-- says this -->", "%s has #tags and [[deploy]], see [that](topics/deploy.md)",
		"  %s has blanks around   ", "<!-- 2026-02-15 14:30:00 --> %s was stamped", "```\n%s is code\n```", "%s is cited ^pm-a1b2c3d4",
		"%s | a | table", "1. %s is numbered", "> %s is quoted", "%s\\", "---\n%s\n---", "%s\ttabs\tin it", "* %s\n  - with a child\n  - and another",
		"%s\u2028separates", "%s e\u0301 \u200b \ufeff", "%s ends a heading\n===", "%s ## Session Handoff", "<pimento-memory>%s</pimento-memory>",
	}).Draw(k.T, "form")
	return fmt.Sprintf(form, k.fresh())
}

// files are the pages of all roots, by path.
func (k *walk) files() map[string]string {
	out := map[string]string{}
	for _, dir := range []string{k.at[0].dirs.Global, filepath.Join(k.at[0].dir, ".pi/memory"), filepath.Join(k.at[1].dir, ".pi/memory")} {
		_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() {
				out[path] = get(k.at[0], path)
			}
			return nil
		})
	}
	return out
}

// rel splits a path of a page into the root and the page.
func (k *walk) rel(path string) (scope pimento.Scope, project int, rel string) {
	for i, w := range k.at {
		if r, ok := strings.CutPrefix(path, filepath.Join(w.dir, ".pi/memory")+"/"); ok {
			if r == "MEMORY.local.md" {
				return pimento.Local, i, r
			}
			return pimento.Project, i, r
		}
	}
	r, _ := strings.CutPrefix(path, k.at[0].dirs.Global+"/")
	return pimento.Global, -1, r
}

func (k *walk) entriesOf(path, text string) []pimento.Entry {
	scope, _, rel := k.rel(path)
	rel = strings.TrimPrefix(rel, "archive/")
	es := page.Parse(rel, []byte(text)).Entries()
	for i := range es {
		es[i].Scope, es[i].Page = scope, rel
	}
	return es
}

// entry draws an entry that stands on a page.
func (k *walk) entry() (e pimento.Entry, project int, path string, ok bool) {
	files := k.files()
	var all []pimento.Entry
	var at []string
	for _, path := range slices.Sorted(maps.Keys(files)) {
		if _, p, rel := k.rel(path); strings.HasPrefix(rel, "archive/") || !strings.HasSuffix(rel, ".md") || p >= 0 && k.inert[p] {
			continue
		}
		for _, e := range k.entriesOf(path, files[path]) {
			all, at = append(all, e), append(at, path)
		}
	}
	if len(all) == 0 {
		return e, 0, "", false
	}
	i := rapid.IntRange(0, len(all)-1).Draw(k.T, "entry")
	_, project, _ = k.rel(at[i])
	if project < 0 {
		project = k.project()
	}
	k.Logf("entry %s of %s: %q", all[i].Occurrence, at[i], all[i].Text)
	return all[i], project, at[i], true
}

// same wants the files to be as they were, but for some.
func (k *walk) same(before map[string]string, but ...string) {
	now := k.files()
	for path := range maps.Keys(now) {
		if _, ok := before[path]; !ok && !slices.Contains(but, path) {
			k.Fatalf("a file came: %s\n%s", path, now[path])
		}
	}
	for path, was := range before {
		if got, ok := now[path]; (!ok || got != was) && !slices.Contains(but, path) {
			k.Fatalf("%s changed:\n%q\nis now\n%q", path, was, got)
		}
	}
}

// changedFiles are the files that differ.
func (k *walk) changed(before map[string]string) (paths []string) {
	now := k.files()
	for path := range now {
		if was, ok := before[path]; !ok || was != now[path] {
			paths = append(paths, path)
		}
	}
	for path := range before {
		if _, ok := now[path]; !ok {
			paths = append(paths, path)
		}
	}
	return paths
}

// cut is what is left between the beginning and the end that two texts have in common.
func cut(a, b string) (inA, inB string) {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	j := 0
	for j < len(a)-i && j < len(b)-i && a[len(a)-1-j] == b[len(b)-1-j] {
		j++
	}
	return a[i : len(a)-j], b[i : len(b)-j]
}

func hits(a pimento.Answer) (out []string) {
	for _, h := range a.Hits {
		out = append(out, fmt.Sprintf("%s %.6f", h.Entry.Occurrence, h.Score))
	}
	return out
}

// note takes down which entries hold which words.
func (k *walk) note(*rapid.T) {
	all := fmt.Sprint(k.files())
	k.gone = slices.DeleteFunc(k.gone, func(text string) bool { return strings.Contains(all, word.FindString(text)) })
	for path, text := range k.files() {
		for _, e := range k.entriesOf(path, text) {
			for _, w := range word.FindAllString(e.Text, -1) {
				if k.sayings[w] == nil {
					k.sayings[w] = map[pimento.Statement]bool{}
				}
				k.sayings[w][e.Statement] = true
				k.shared[w] = k.shared[w] || e.Scope == pimento.Global
				if strings.Contains(path, "/daily/") {
					k.sayings[w]["a log"] = true // it may be another project's, whose sessions alone are told
				}
			}
		}
	}
}

func said(from, text string) (lines []string) {
	for l := range strings.Lines(text) {
		lines = append(lines, from+strings.TrimSpace(l))
	}
	return lines
}

// blind says that what became of all that was said so far may stay untold.
func (h *heard) blind() {
	h.unsure = append(h.unsure, word.FindAllString(strings.Join(h.lines, "\n"), -1)...)
}

// truthful wants the last that was said of every statement to be so.
func (k *walk) truthful(h *heard) {
	if h.wary {
		return
	}
	stands := map[string]bool{}
	for path, text := range k.files() {
		_, p, rel := k.rel(path)
		if p >= 0 && (p != h.project || k.inert[p]) || strings.HasPrefix(rel, "archive/") {
			continue
		}
		for _, w := range word.FindAllString(text, -1) {
			stands[w] = true
		}
	}
	last := map[string]string{}
	for _, l := range h.lines {
		for _, w := range word.FindAllString(l, -1) {
			last[w] = l
		}
	}
	for w, l := range last {
		if len(k.sayings[w]) > 1 || slices.Contains(h.unsure, w) {
			continue
		}
		old, _, edited := strings.Cut(l, " -> ")
		gone := strings.Contains(l, "T - withdrawn:") || edited && strings.HasPrefix(l, "T - edited:") && strings.Contains(old, w)
		if stands[w] == gone && !slices.Contains(k.purged, w) { // nobody can say any more what was purged
			k.Fatalf("%s was last told of %s: %s\nit stands: %t", h.turn.Session, w, l, stands[w])
		}
	}
}

// TestAWalk goes the same few walks every time. For others, and longer:
//
//	go test ./internal/engine -run TestAWalk -rapid.checks 1000 -rapid.seed 0
