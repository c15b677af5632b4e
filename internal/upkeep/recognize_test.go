package upkeep

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/profile"
)

// Folders as the five systems keep them, each told from the others by the
// built-in profiles.
func TestRecognize(t *testing.T) {
	var all []pimento.Profile
	for _, name := range profile.Names(nil) {
		p, _, err := profile.Load(name, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
	for _, tt := range []struct{ name, files, want string }{
		{"nothing", "", ""},
		{"only a page", "MEMORY.md=- a fact", ""},
		{"only readme", "README.md=# Hello", ""},
		{"daybook", "MEMORY.md=<!-- 2026-02-15 14:30:00 [a1b2c3d4] -->\ntext|SCRATCHPAD.md=# Scratchpad|daily/2026-02-15.md=x", "daybook 9"},
		{"daybook without logs", "SCRATCHPAD.md=# Scratchpad", "daybook 3"},
		{"daybook with a byte order mark", "MEMORY.md=\ufeff<!-- 2026-02-15 14:30:00 -->\ntext", "daybook 3"},
		{"situation", "topics/lessons.md=# Lessons\n\n- [lesson] x|memory-scores.jsonl=|.dream-watermark=", "situation 11"},
		{"situation, one page", "memory.md=# Memories\n\n## Learned (auto-extracted)\n", "situation 4"},
		{"catalog", "MEMORY.md=# Memory Index\n\n> Auto-generated|a--b.md=# A", "catalog 8"},
		{"resident", "MEMORY.md=# Memory\n\n## Rules\n- [Deploy](deploy.md) - how|deploy.md=# Deploy|archive/old.md=x|page-table.jsonl=", "resident 8"},
		{"mind", "knowledge/a.md=---\ntype: user\n---\nx|raw/sessions/x/s.jsonl=|pi-mind-config.json=|.pi-mind-index.db=", "mind 14"},
		{"two at once", "daily/2026-02-15.md=x|knowledge/a.md=---\ntype: user\n---\nx|raw/observations/b.md=x", "mind 8, daybook 3"},
		{"not at the top", "sub/daily/2026-02-15.md=x|sub/SCRATCHPAD.md=x", ""},
	} {
		var files []FolderFile
		for f := range strings.SplitSeq(tt.files, "|") {
			rel, head, _ := strings.Cut(f, "=")
			files = append(files, FolderFile{Rel: rel, Head: head})
		}
		var got []string
		for _, l := range Recognize(files, all) {
			got = append(got, fmt.Sprintf("%s %d", l.Profile, l.Score))
		}
		if s := strings.Join(got, ", "); s != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, s, tt.want)
		}
	}
}
