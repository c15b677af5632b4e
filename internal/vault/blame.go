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

// Blame is the commit that a line of a page was last changed by, lines counted from 1;
// nil where git has none: no repository, a page or line that is not committed. It
// runs git, which may read much of the history.
func Blame(ctx context.Context, p Project, page string, line int) (*Commit, error) {
	if p.GitDir == "" || p.Elsewhere {
		return nil, nil
	}
	rel, err := filepath.Rel(p.Dir, filepath.Join(p.Memory, filepath.FromSlash(page)))
	if err != nil {
		return nil, fail("vault.blame", p.Dir, err)
	}
	if _, err := git(ctx, p, "cat-file", "-e", "HEAD:./"+filepath.ToSlash(rel)); err != nil {
		return nil, ctx.Err()
	}
	at := strconv.Itoa(line)
	out, err := git(ctx, p, "--work-tree="+p.Dir, "blame", "--no-textconv", "--porcelain", "-L", at+","+at, "--", rel)
	if err != nil {
		return nil, err
	}
	return blamed(out), nil
}

// blamed reads what `git blame --porcelain` says of one line.
func blamed(out string) *Commit {
	var c Commit
	for i, line := range strings.Split(out, "\n") {
		key, value, _ := strings.Cut(line, " ")
		switch {
		case i == 0 && strings.Trim(key, "0") == "": // not committed
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
