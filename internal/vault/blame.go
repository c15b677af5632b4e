package vault

import (
	"context"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// A Commit is one of git's.
type Commit struct {
	ID      string    `json:"id"`
	Author  string    `json:"author"`
	Time    time.Time `json:"time"`
	Subject string    `json:"subject"`
}

// Blame is the commit that put a line on a page; nil if git has none (no
// repository, or the page or line is not committed). It runs git, which may read
// much of the history. Git is not given the page itself, because it would pass it
// through whatever filter the repository's configuration names.
func Blame(ctx context.Context, p Project, page, line string) *Commit {
	rel, err := filepath.Rel(p.Dir, filepath.Join(p.Memory, filepath.FromSlash(page)))
	if p.GitDir == "" || p.Elsewhere || err != nil {
		return nil
	}
	out, err := git(ctx, p, "--work-tree="+p.Dir, "blame", "--no-textconv", "--porcelain", "-L", "/"+thisLine(line)+"/,+1", "HEAD", "--", rel)
	if err != nil {
		return nil
	}
	return blamed(out)
}

// thisLine is a basic regular expression between slashes that finds a line, whatever ends it.
func thisLine(line string) string {
	var b strings.Builder
	b.WriteByte('^')
	for _, c := range []byte(strings.TrimRight(line, " \t\r\n")) {
		switch c {
		case '/':
			c = '.'
		case '\\', '.', '[', '*', '^', '$':
			b.WriteByte('\\')
		}
		b.WriteByte(c)
	}
	return b.String() + "[[:space:]]*$"
}

// blamed reads what `git blame --porcelain` says of one line.
func blamed(out string) *Commit {
	var c Commit
	for i, line := range strings.Split(out, "\n") {
		key, value, _ := strings.Cut(line, " ")
		switch {
		case key == "" && i == 0:
			return nil
		case i == 0:
			c.ID = key
		case key == "author":
			c.Author = value
		case key == "author-time":
			if s, err := strconv.ParseInt(value, 10, 64); err == nil {
				c.Time = time.Unix(s, 0)
			}
		case key == "summary":
			c.Subject = value
		}
	}
	return &c
}
