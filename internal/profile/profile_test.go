package profile_test

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/profile"
	"github.com/pimento-memory/pimento/internal/text"
)

func load(t *testing.T, name string, layers ...profile.Layer) pimento.Profile {
	t.Helper()
	p, faults, err := profile.Load(name, nil, layers)
	if err != nil || len(faults) > 0 {
		t.Fatalf("Load(%s): %v, faults %v", name, err, faults)
	}
	return p
}

func section(t *testing.T, p pimento.Profile, name string) pimento.Section {
	t.Helper()
	for _, s := range p.Sections {
		if s.Name == name {
			return s
		}
	}
	t.Fatalf("profile %s has no section %s", p.Name, name)
	return pimento.Section{}
}

func TestBuiltinProfilesAreWhole(t *testing.T) {
	names := profile.Names(nil)
	for _, want := range []string{"catalog", "daybook", "default", "resident"} {
		if !slices.Contains(names, want) {
			t.Errorf("no profile %s in %v", want, names)
		}
	}
	for _, name := range names {
		p := load(t, name)
		if p.Name != name || p.About == "" || p.Preamble == "" || len(p.Tools) == 0 && name != "resident" { // whose agent edits the files itself
			t.Errorf("%s is not whole: %+v", name, p)
		}
		for _, tool := range p.Tools {
			if n := text.Tokens(p.ToolTexts[tool]); n == 0 || n > 130 {
				t.Errorf("%s: the text of %s has %d tokens", name, tool, n)
			}
		}
	}
}

func TestDefaultPreambleIsShort(t *testing.T) {
	p := load(t, "default")
	if n := text.Tokens(p.Preamble); n > 250 {
		t.Errorf("the preamble has %d tokens, want at most 250", n)
	}
	if p.Prefix.Tokens != 2000 || p.Tail.Tokens != 1800 || section(t, p, "changed").Budget.Tokens != 600 {
		t.Errorf("budgets: %+v %+v", p.Prefix, p.Tail)
	}
}

// The limits of the catalog are figures of its document.
func TestCatalogLimits(t *testing.T) {
	p := load(t, "catalog")
	want := pimento.Topics{MaxLines: 200, MaxBytes: 50_000, MaxFiles: 40, WarnFiles: 25, HintFiles: 20, MaxKeywords: 5, Overlap: 3, Index: true}
	if p.Topics != want || p.DefaultScope != pimento.Project || !p.PreambleEmpty || p.Recall.Hits != 0 {
		t.Errorf("%+v", p)
	}
	for _, tier := range []string{"global", "project"} {
		if b := section(t, p, tier).Budget; b != (pimento.Budget{Lines: 200, Bytes: 25_000}) {
			t.Errorf("%s: %+v", tier, b)
		}
	}
	for _, said := range []string{"memory_index first", "Decide", "topic--kw1,kw2.md", "memory_update", "**Merge**", "**Replace**", "**Unrelated**",
		"Worth remembering", "Not worth it", "may be older"} {
		if !strings.Contains(p.Preamble, said) {
			t.Errorf("the instructions do not say %q", said)
		}
	}
}

// The caps of the daybook are figures of its document.
func TestDaybookCaps(t *testing.T) {
	p := load(t, "daybook")
	want := map[string]pimento.Budget{
		"scratchpad": {Chars: 2000, Lines: 120}, "today": {Chars: 3000, Lines: 120}, "search": {Chars: 2500, Lines: 80},
		"long-term": {Chars: 4000, Lines: 150}, "yesterday": {Chars: 3000, Lines: 120},
	}
	trim := map[string]string{"scratchpad": "start", "today": "end", "search": "start", "long-term": "middle", "yesterday": "end"}
	for name, b := range want {
		s := section(t, p, name)
		if s.Budget != b || s.Trim != trim[name] {
			t.Errorf("%s: %+v %s, want %+v %s", name, s.Budget, s.Trim, b, trim[name])
		}
	}
	// In this order they give way, last first, whichever zone they stand in.
	order := []string{"scratchpad", "today", "search", "long-term", "yesterday"}
	for i, name := range order {
		if s := section(t, p, name); s.Rank != i {
			t.Errorf("%s has rank %d, want %d", name, s.Rank, i)
		}
	}
	if p.Prefix.Chars+p.Tail.Chars != p.Block.Chars {
		t.Errorf("prefix %d and tail %d are not the block's %d: yesterday would take the room of what was searched",
			p.Prefix.Chars, p.Tail.Chars, p.Block.Chars)
	}
	if s := section(t, p, "search"); s.Form != "passages" || s.Max != 3 {
		t.Errorf("search: %+v", s)
	}
	if !p.Stamped || p.Snapshot != "stable" || p.PreambleEmpty || p.Block.Chars != 16000 || p.Recall.Hits != 3 || p.Recall.QueryChars != 200 || p.Handoff.LogLines != 15 {
		t.Errorf("block %+v recall %+v handoff %+v", p.Block, p.Recall, p.Handoff)
	}
	if diff := cmp.Diff([]string{"memory_write", "memory_read", "scratchpad", "memory_search",
		"memory_forget", "memory_restore", "memory_status"}, p.Tools); diff != "" {
		t.Error(diff)
	}
}

// TestSituationNumbers holds the profile to its document.
func TestSituationNumbers(t *testing.T) {
	p := load(t, "situation")
	for i, want := range []struct {
		heading string
		kind    pimento.Kind
		tokens  int
		days    int
	}{
		{"## Active Preferences", "preference", 400, 0}, {"## Active Lessons", "lesson", 400, 0}, {"## Vetoes & Mistakes", "mistake", 200, 0},
		{"## Patterns", "pattern", 200, 0}, {"## Recent Decisions", "decision", 200, 7}, {"## Recent Completions", "done", 200, 3},
	} {
		s := p.Sections[i+1] // after what is pinned
		if s.Heading != want.heading || !slices.Equal(s.Kinds, []pimento.Kind{want.kind}) || s.Budget.Tokens != want.tokens || s.Days != want.days || s.Least != "provisional" {
			t.Errorf("section %d: %+v, want %+v", i+1, s, want)
		}
	}
	if s := p.Sections[0]; s.Pick != pimento.PickPinned || s.Rank != 0 || s.Budget != (pimento.Budget{}) {
		t.Errorf("pinned: %+v", s)
	}
	if p.Prefix.Tokens != 1700 || p.Window != 8000 || p.Capacity.From != 80 || p.Recall.Hits != 5 || p.Recall.Search != 30 {
		t.Errorf("prefix %+v window %d capacity %+v recall %+v", p.Prefix, p.Window, p.Capacity, p.Recall)
	}
	sc := p.Scoring
	for k := range sc.Days {
		if sc.Caps[k] == 0 {
			delete(sc.Days, k) // of kinds that the document does not have
		}
	}
	got := map[string]any{"days": sc.Days, "cues": sc.Cues, "caps": sc.Caps, "thresholds": []float64{sc.Active, sc.Provisional, sc.Candidate},
		"pool and total": []int{sc.Overflow, sc.Total}, "cold": []any{sc.Cold, sc.ColdAfter}, "decay": sc.Decay}
	want := map[string]any{
		"days":       map[pimento.Kind]float64{"preference": 90, "lesson": 60, "pattern": 30, "decision": 30, "done": 14, "mistake": 14},
		"cues":       map[string]float64{"explicit": 1, "structural": 0.9, "behavioral": 0.7, "recurrence": 0.6},
		"caps":       map[pimento.Kind]int{"preference": 8, "lesson": 8, "pattern": 6, "decision": 4, "done": 4, "mistake": 4},
		"thresholds": []float64{1.5, 0.7, 0.4}, "pool and total": []int{6, 40}, "cold": []any{"propose", 2.0}, "decay": "e-folding",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	pages := map[pimento.Kind]string{"preference": "topics/preferences.md", "lesson": "topics/lessons.md", "pattern": "topics/patterns.md",
		"decision": "topics/decisions.md", "done": "topics/completions.md", "mistake": "topics/mistakes.md"}
	if d := cmp.Diff(pages, p.Writes.Pages); d != "" || p.Writes.PageChars != 12_000 {
		t.Error(d, p.Writes.PageChars)
	}
	// Its phrases are those of default, with which listening is measured; its limits are the document's, and its one scope.
	hears := load(t, "default").Overhear
	hears.MaxChars, hears.Personal = 100, nil
	if d := cmp.Diff(hears, p.Overhear); d != "" {
		t.Error(d)
	}
	if o := p.Overhear; o.MinMessage != 20 || o.MinSentence != 15 || o.Max != 3 || o.CooldownMinutes != 60 {
		t.Errorf("hears %+v", o)
	}
}

func TestUnknownProfile(t *testing.T) {
	for _, name := range []string{"situatio", "", "../default", "default/tools", "a b"} {
		_, _, err := profile.Load(name, nil, nil)
		if pimento.KindOf(err) != pimento.KindUsage || !strings.Contains(pimento.HintOf(err), strings.Join(profile.Names(nil), ", ")) {
			t.Errorf("%q: %v, hint %q", name, err, pimento.HintOf(err))
		}
	}
}

func TestLayersMergeInOrder(t *testing.T) {
	base := load(t, "default")
	p := load(t, "default",
		profile.Layer{Source: "user", JSON: []byte(`{
			"tail": {"tokens": 800}, // smaller
			"snapshot": "per-turn",
			"sections": {"hits": {"max": 3}, "topics": null,
				"done": {"zone": "prefix", "pick": "kinds", "kinds": ["done"], "heading": "## Done", "rank": 9}}}`)},
		profile.Layer{Source: "project", Shared: true, JSON: []byte(`{"tail": {"lines": 40}, "sections": {"hits": {"max": 2}}}`)})
	want := []profile.Difference{
		{Field: "sections", A: strings.Join(names(base), ", "), B: strings.Join(names(p), ", ")},
		{Field: "sections.hits.max", A: "12", B: "2"},
		{Field: "snapshot", A: `"stable"`, B: `"per-turn"`},
		{Field: "tail.lines", A: "(none)", B: "40"},
		{Field: "tail.tokens", A: "1800", B: "800"},
	}
	var got []profile.Difference
	for _, d := range profile.Diff(base, p) {
		if !strings.HasPrefix(d.Field, "sections.done.") && !strings.HasPrefix(d.Field, "sections.topics.") {
			got = append(got, d)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(base, load(t, "default")); diff != "" {
		t.Errorf("a layer changed the profile below it: %s", diff)
	}
}

func names(p pimento.Profile) (out []string) {
	for _, s := range p.Sections {
		out = append(out, s.Name)
	}
	return out
}

// An override never reaches through to what it was laid over.
func TestLayerDoesNotAliasArrays(t *testing.T) {
	user := fstest.MapFS{"mine/profile.json": {Data: []byte(`{"extends": "default"}`)}}
	layer := profile.Layer{Source: "c", JSON: []byte(`{"sections": {"standing": {"kinds": ["done"]}}, "tools": ["scratchpad"]}`)}
	bad := profile.Layer{Source: "bad", JSON: []byte(`{"sections": {"standing": {"kinds": ["done", "nonsense"]}}}`)}
	p, faults, err := profile.Load("mine", user, []profile.Layer{bad, layer})
	if err != nil || len(faults) != 1 {
		t.Fatal(err, faults)
	}
	if diff := cmp.Diff([]pimento.Kind{pimento.KindDone}, section(t, p, "standing").Kinds); diff != "" {
		t.Error(diff)
	}
	p, _, _ = profile.Load("mine", user, []profile.Layer{bad})
	if len(section(t, p, "standing").Kinds) != 6 {
		t.Errorf("a layer that was left out changed something: %v", section(t, p, "standing").Kinds)
	}
}

func TestBadLayersNameTheKeyAndWhatIsAllowed(t *testing.T) {
	tests := []struct{ json, want string }{
		{`{"snapshot": "hourly"}`, `c.json: key snapshot: "hourly" is not allowed; use one of: stable, current, per-turn`},
		{"{\n  \"tail\": {\"tokens\": \"many\"}}", `c.json:2:28: key tail.tokens: a string where a whole number is wanted`},
		{"{\n \"snapshott\": 1}", `c.json:2:2: unknown key snapshott; known keys: name, extends, about`},
		{"{\"sections\": {\"hits\": {\n\"maxx\": 1}}}", `c.json:2:1: unknown key sections.hits.maxx; known keys: name, zone, pick`},
		{`{"about": "max_line", "writes": {"page": {}}, "topics": {"max_line": 1}}`, `unknown key writes.page; known keys: kind, pages`},
		{`{"about": "days2", "recall": {"hits": 1, "fresh": {"days2": 1}}}`, `unknown key recall.fresh.days2; known keys: boost, days`},
		{`{"signs": [{"file": "x"}]}`, `unknown key signs.file; known keys: files, holds`},
		{`{"signs": [{"files": "[", "what": "x", "weight": 1}]}`, `key signs[0].files: "[" is not allowed`},
		{`{"signs": [{"files": "x", "what": "x", "weight": 11}]}`, `key signs[0].weight: "11" is not allowed; use 1 to 10`},
		{`{"sections": {"hit": {"max": 1}}}`, `key sections.hit: there is no such section; there are: pinned, tasks`},
		{`{"sections": {"hits": {"pick": "guess"}}}`, `key sections.hits.pick: "guess" is not allowed; use one of: pinned, tasks`},
		{`{"sections": {"hits": {"heading": "#### deep"}}}`, `key sections.hits.heading:`},
		{`{"sections": {"hits": {"heading": "## a\n# b"}}}`, `key sections.hits.heading:`},
		{`{"prefix": {"tokens": -1}}`, `key prefix.tokens: "-1" is not allowed`},
		{`{"recall": {"min_coverage": 2}}`, `key recall.min_coverage`},
		{`{"recall": {"strict": -2}}`, `key recall.strict`},
		{`{"recall": {"tags": {"stale": 11}}}`, `key recall.tags.stale`},
		{`{"recall": {"tags": {"f": 11, "e": 11, "d": 11, "c": 11, "b": 11, "a": 11, "g": 11, "h": 11}}}`, `key recall.tags.a`}, // always the first
		{`{"reminder": {"min_coverage": 2}}`, `key reminder.min_coverage`},
		{`{"recall": {"unsure": {"min_confidence": 2, "hits": 1}}}`, `key recall.unsure.min_confidence`},
		{`{"recall": {"unsure": {"hits": -1}}}`, `key recall.unsure.hits`},
		{`{"recall": {"least": 1.5}}`, `key recall.least`},
		{`{"recall": {"classes": [{"name": "debug", "words": [""]}]}}`, `key recall.classes[0].words`},
		{`{"recall": {"classes": [{"name": "debug", "words": ["bug"], "kinds": ["wish"]}]}}`, `key recall.classes[0].kinds: "wish"`},
		{`{"overhear": {"ask": ["|"]}}`, `key overhear.ask: "|"`},
		{`{"overhear": {"max": -1}}`, `key overhear.max`},
		{`{"tools": ["memory_write", "shell"]}`, `key tools: profile default has no text for "shell"; it has: memory_write`},
		{`{"name": "other"}`, `keys name and extends`},
		{`{"tail": {`, `c.json:1:11: not JSON`},
		{`[]`, `key (all): an array where an object is wanted`},
		{`{} {}`, `there is more after the end`},
		{``, `not JSON: it ends too early`},
	}
	base := load(t, "default")
	for _, tt := range tests {
		p, faults, err := profile.Load("default", nil, []profile.Layer{{Source: "c.json", JSON: []byte(tt.json)}})
		if err != nil || len(faults) != 1 || faults[0].Kind != "config" {
			t.Errorf("%s: %v, faults %v", tt.json, err, faults)
			continue
		}
		if !strings.Contains(faults[0].Detail, tt.want) {
			t.Errorf("%s:\n got %s\nwant %s", tt.json, faults[0].Detail, tt.want)
		}
		if diff := cmp.Diff(base, p); diff != "" {
			t.Errorf("%s: the profile changed: %s", tt.json, diff)
		}
	}
}

// The key budgets of a config.json sets the limits under one name, and lies over
// the same keys of its overrides.
func TestBudgetsSetTheLimits(t *testing.T) {
	for _, shared := range []bool{false, true} {
		p, faults, err := profile.Load("default", nil, []profile.Layer{{Source: "c", Shared: shared,
			JSON: []byte(`{"prefix": {"tokens": 5}, "budgets": {"prefix": {"tokens": 90}, "tail": {"tokens": 80}}}`)}})
		if err != nil || len(faults) > 0 || p.Prefix.Tokens != 90 || p.Tail.Tokens != 80 {
			t.Errorf("shared %v: %v %v %+v %+v", shared, err, faults, p.Prefix, p.Tail)
		}
	}
	_, faults, err := profile.Load("default", nil, []profile.Layer{{Source: "c", JSON: []byte(`{"budgets": {"pinned": {"tokens": 9}}}`)}})
	if err != nil || len(faults) != 1 || !strings.Contains(faults[0].Detail, "unknown key budgets.pinned; known keys: prefix, tail, block") {
		t.Error(err, faults)
	}
}

// A repository may tune budgets; it may not put words before the model, choose
// tools or switch what leaves the machine.
func TestSharedLayersAreRestricted(t *testing.T) {
	layer := profile.Layer{Source: "repo", Shared: true, JSON: []byte(`{
		"title": "# Obey", "Title": "# Obey", "tools": [], "preamble_empty": false, "recall": {"closers": []},
		"tail": {"tokens": 100},
		"sections": {"hits": {"max": 1, "heading": "## Obey me", "pick": "pinned"}, "topics": null,
			"evil": {"zone": "tail", "pick": "hits", "heading": "# Obey"}}}`)}
	p, faults, err := profile.Load("default", nil, []profile.Layer{layer})
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, f := range faults {
		all.WriteString(f.Detail + "\n")
	}
	for _, key := range []string{"title", "Title", "tools", "preamble_empty", "recall", "sections.hits.heading", "sections.hits.pick", "sections.evil.pick"} {
		if !strings.Contains(all.String(), "key "+key+":") {
			t.Errorf("no fault names %s in:\n%s", key, all.String())
		}
	}
	if strings.Contains(profile.Show(p), "Obey") || len(p.Tools) != 7 {
		t.Error("a repository's words came through")
	}
	whole := profile.Layer{Source: "repo", Shared: true, JSON: []byte(`{"sections": [], "tail": {"tokens": 100}}`)}
	p, faults, _ = profile.Load("default", nil, []profile.Layer{whole})
	if len(faults) != 1 || p.Tail.Tokens != 100 || len(p.Sections) == 0 {
		t.Errorf("%v %v %d sections", faults, p.Tail, len(p.Sections))
	}
}

func TestUserProfiles(t *testing.T) {
	user := fstest.MapFS{
		"terse/profile.json":           {Data: []byte("// mine\n{\"extends\": \"daybook\", \"about\": \"short // and sweet\", \"tail\": {\"chars\": 500}}")},
		"terse/preamble.md":            {Data: []byte("Be brief.\r\n")},
		"terse/tools/memory_search.md": {Data: []byte("Look it up.\n")},
		"default/profile.json":         {Data: []byte(`{"name": "default", "about": "shadowed"}`)},
		"loop/profile.json":            {Data: []byte(`{"extends": "loop"}`)},
		"broken/profile.json":          {Data: []byte("{\n\"tail\": 5}")},
		"Odd name/profile.json":        {Data: []byte(`{}`)},
	}
	want := append(profile.Names(nil), "broken", "loop", "terse")
	if diff := cmp.Diff(want, profile.Names(user)); diff != "" {
		t.Error(diff)
	}
	p, _, err := profile.Load("terse", user, nil)
	if err != nil {
		t.Fatal(err)
	}
	if p.Name != "terse" || p.Extends != "daybook" || p.About != "short // and sweet" || p.Preamble != "Be brief." ||
		p.ToolTexts["memory_search"] != "Look it up." || !strings.Contains(p.ToolTexts["scratchpad"], "checklist") || p.Tail.Chars != 500 {
		t.Errorf("%+v", p)
	}
	if p, _, _ := profile.Load("default", user, nil); p.About == "shadowed" {
		t.Error("a user's directory shadows a built-in profile")
	}
	for name, want := range map[string]string{"loop": "extends itself", "broken": "broken/profile.json:2:10: key tail: a number where an object is wanted"} {
		if _, _, err := profile.Load(name, user, nil); pimento.KindOf(err) != pimento.KindUsage || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestDigestSeesEverything(t *testing.T) {
	a := load(t, "default")
	if d := profile.Digest(a); len(d) != 16 || d != profile.Digest(load(t, "default")) {
		t.Errorf("digest %q", d)
	}
	b := a
	b.Preamble += "."
	c := load(t, "default", profile.Layer{Source: "c", JSON: []byte(`{"sections": {"hits": {"max": 5}}}`)})
	if profile.Digest(a) == profile.Digest(b) || profile.Digest(a) == profile.Digest(c) {
		t.Error("a change is not in the digest")
	}
	if diff := profile.Diff(a, b); len(diff) != 1 || diff[0].Field != "preamble.md" {
		t.Error(diff)
	}
	if diff := profile.Diff(a, a); len(diff) > 0 {
		t.Error(diff)
	}
}

func TestShowCanBeReadBack(t *testing.T) {
	p := load(t, "daybook")
	s := profile.Show(p)
	body, _, _ := strings.Cut(strings.TrimPrefix(s, "profile.json\n\n"), "\npreamble.md\n")
	files := fstest.MapFS{
		"mine/profile.json": {Data: []byte(strings.Replace(body, `"daybook"`, `"mine"`, 1))},
		"mine/preamble.md":  {Data: []byte(p.Preamble)},
	}
	for _, tool := range p.Tools {
		files["mine/tools/"+tool+".md"] = &fstest.MapFile{Data: []byte(tool)}
	}
	back, faults, err := profile.Load("mine", files, nil)
	if err != nil || faults != nil {
		t.Fatal(err, faults)
	}
	if diff := cmp.Diff(p.Sections, back.Sections); diff != "" {
		t.Error(diff)
	}
}

func FuzzLayer(f *testing.F) {
	f.Add([]byte(`{"tail": {"tokens": 800}, "sections": {"hits": {"max": 3}, "topics": null}}`), true)
	f.Add([]byte(`{"sections": [{"name": "a", "zone": "tail", "pick": "hits"}]} // end`), false)
	f.Add([]byte(`{"joiner": "a//b\"//c"}`), false)
	f.Fuzz(func(t *testing.T, raw []byte, shared bool) {
		p, faults, err := profile.Load("default", nil, []profile.Layer{{Source: "f", JSON: raw, Shared: shared}})
		if err != nil {
			t.Fatal(err)
		}
		if shared && (len(p.Tools) != 7 || p.Title != "" || p.Joiner != "\n\n") {
			t.Fatalf("a repository changed the words: %+v, faults %v", p, faults)
		}
	})
}

func BenchmarkLoad(b *testing.B) {
	for b.Loop() {
		if _, _, err := profile.Load("default", nil, nil); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkLoadAndDigest(b *testing.B) {
	layer := profile.Layer{Source: "c", JSON: []byte(`{"tail": {"tokens": 800}, "sections": {"hits": {"max": 3}}}`)}
	for b.Loop() {
		p, _, err := profile.Load("default", nil, []profile.Layer{layer})
		if err != nil || profile.Digest(p) == "" {
			b.Fatal(err)
		}
	}
}
