package engine

import (
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"time"
	"unicode/utf8"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/guard"
	"github.com/pimento-memory/pimento/internal/regular"
	"github.com/pimento-memory/pimento/internal/session"
	"github.com/pimento-memory/pimento/internal/text"
	"github.com/pimento-memory/pimento/internal/vault"
)

// A Taken is what was taken over from the transcripts that pi keeps. Its JSON
// form is the contract of docs/FORMATS.md.
type Taken struct {
	Files    int `json:"files"`    // transcripts there are
	Read     int `json:"read"`     // of them, new or changed since the last time
	Sessions int `json:"sessions"` // of those, of this project
	New      int `json:"new"`      // messages and summaries that were not known yet
}

// Sessions lists the past sessions that are kept of the project, the newest
// first.
func (e *Engine) Sessions(ctx context.Context) ([]session.Past, error) {
	all, err := e.pasts(e.look(ctx)).All()
	out := make([]session.Past, 0, len(all))
	for i := len(all) - 1; i >= 0; i-- {
		out = append(out, all[i])
	}
	return out, err
}

// TakeSessions takes over what users said in this project's sessions from the
// transcripts that pi keeps. A session belongs to the project of the directory in
// which it began, by the project's identity and not by its path. A transcript that
// did not change since the last time is not read again, and what is known is not
// kept twice.
func (e *Engine) TakeSessions(ctx context.Context) (Taken, error) {
	v := e.look(ctx)
	t := Taken{}
	files := transcripts(e.opt.Sessions)
	t.Files = len(files)
	p := e.pasts(v)
	seen := e.loadTaken(v)
	mine := e.sameProject(ctx, v)
	for _, f := range files {
		info, err := os.Stat(f)
		if err != nil || !info.Mode().IsRegular() || seen[f] == stampOf(info) {
			continue // to open a pipe would wait for who writes into it
		}
		t.Read++
		got, ok, err := readTranscript(f, mine)
		if err != nil {
			continue // the next time, perhaps
		}
		if ok {
			t.Sessions++
			n, err := p.AddNew(ctx, e.keepable(v, got.Pasts))
			if err != nil {
				return t, err
			}
			t.New += n
		}
		seen[f] = stampOf(info)
	}
	return t, e.saveTaken(v, seen)
}

// transcripts are pi's files: in a folder for each directory, or all in one.
func transcripts(dir string) []string {
	if dir == "" {
		return nil
	}
	flat, _ := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	deep, _ := filepath.Glob(filepath.Join(dir, "*", "*.jsonl"))
	return append(flat, deep...)
}

// sameProject tells whether a directory belongs to the project at hand; outside
// of one, whether it belongs to none.
func (e *Engine) sameProject(ctx context.Context, v *view) func(string) bool {
	known := map[string]bool{}
	return func(dir string) bool {
		is, ok := known[dir]
		if ok {
			return is
		}
		if info, err := os.Stat(dir); err == nil && info.IsDir() && filepath.IsAbs(dir) {
			p, has, err := vault.FindProject(ctx, dir, e.opt.Dirs.Home)
			is = err == nil && has == v.hasProject && (!has || p.ID == v.project.ID)
		}
		known[dir] = is
		return is
	}
}

func readTranscript(path string, mine func(string) bool) (session.Transcript, bool, error) {
	f, err := os.Open(path)
	if err != nil {
		return session.Transcript{}, false, err
	}
	defer f.Close()
	return session.ReadTranscript(f, mine)
}

// keepable are the pasts that say something, not older than the profile keeps
// them, without secrets.
func (e *Engine) keepable(v *view, all []session.Past) (out []session.Past) {
	since := time.Time{}
	if days := v.profile.Past.Days; days > 0 {
		since = e.Now().AddDate(0, 0, -days)
	}
	for _, past := range all {
		least := minMessage
		if past.Kind == session.Summary {
			least = minSummary
		} else {
			past.Text = promptQuery(past.Text, 2000)
		}
		if past.Time.Before(since) || utf8.RuneCountInString(past.Text) < least || text.Command(past.Text) {
			continue
		}
		past.Text = guard.Hide(past.Text)
		out = append(out, past)
	}
	return out
}

// A stamp tells whether a transcript changed: pi only appends.
type stamp struct {
	Size  int64 `json:"size"`
	Mtime int64 `json:"mtime"`
}

func stampOf(info fs.FileInfo) stamp { return stamp{info.Size(), info.ModTime().UnixNano()} }

func (e *Engine) takenFile(v *view) string {
	return filepath.Join(e.opt.Dirs.State, "pasts", projectKey(v)+".taken.json")
}

// loadTaken reads which transcripts were read; without it all are read again,
// which costs time and nothing else.
func (e *Engine) loadTaken(v *view) map[string]stamp {
	seen := map[string]stamp{}
	if b, err := os.ReadFile(e.takenFile(v)); err != nil || json.Unmarshal(b, &seen) != nil {
		return map[string]stamp{}
	}
	return seen
}

func (e *Engine) saveTaken(v *view, seen map[string]stamp) error {
	b, err := json.Marshal(seen)
	if err != nil {
		return err
	}
	file := e.takenFile(v)
	if err := regular.Write(file, b); err != nil {
		return &pimento.Error{Op: "sessions", Path: file, Kind: pimento.KindUnavailable, Err: err}
	}
	return nil
}
