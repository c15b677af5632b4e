package vault

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
)

// rulesDir is the folder of a project with its rules for agents: files of the
// project and no pages of ours.
const rulesDir = "rules"

// Limits of what is read of a project's rules.
const (
	maxRules     = 20
	maxRuleBytes = 16 << 10 // of all files together
	maxRuleNames = 1000     // files in the folder, of any kind
)

// A RuleFile is one file of a project's rules.
type RuleFile struct {
	Rel  string // relative to the project, with slashes: rules/style.md
	Text string // valid UTF-8
	Cut  bool   // the file goes on
}

// Rules reads rules/*.md of the project, in the order of their names: at most 20
// files and 16 KB, the last file cut at the end of a line. No link is followed, a
// file that is no text is passed over. left says in words what was left out, "" for
// nothing. A project without the folder has no rules. Whether they may be shown is
// for the caller to decide.
func (p Project) Rules(ctx context.Context) (files []RuleFile, left string, err error) {
	const op = "vault.rules"
	dir, err := p.rulesDir()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, "", nil
	}
	if err != nil {
		return nil, "", fail(op, p.Dir, err)
	}
	defer dir.Close()
	names, err := ruleNames(dir)
	if err != nil {
		return nil, "", fail(op, p.Dir, err)
	}
	if len(names) > maxRules {
		left = fmt.Sprintf("there are %d files, and the first %d by name are read", len(names), maxRules)
		names = names[:maxRules]
	}
	room := maxRuleBytes
	for i, name := range names {
		if err := ctx.Err(); err != nil {
			return files, left, fail(op, p.Dir, err)
		}
		text, whole := readRule(dir, name, room)
		if text != "" {
			files = append(files, RuleFile{rulesDir + "/" + name, text, !whole})
		}
		if !whole {
			left = fmt.Sprintf("they are larger than %d KB; %s is cut", maxRuleBytes>>10, name)
			if n := len(names) - i - 1; n > 0 {
				left += fmt.Sprintf(", and what comes after it (%d) is left out", n)
			}
			break
		}
		room -= len(text)
	}
	return files, left, nil
}

// rulesDir opens the folder, which must be a real one.
func (p Project) rulesDir() (*os.Root, error) {
	base, err := os.OpenRoot(p.Dir)
	if err != nil {
		return nil, err
	}
	defer base.Close()
	return (&Root{}).subdir(base, rulesDir, false)
}

// ruleNames are the names of an open folder that end in .md, sorted. What is no
// regular file is none of them.
func ruleNames(dir *os.Root) ([]string, error) {
	f, err := dir.Open(".")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	all, err := f.ReadDir(maxRuleNames + 1)
	if err != nil && err != io.EOF {
		return nil, err
	}
	if len(all) > maxRuleNames {
		return nil, fmt.Errorf("%s/ has more than %d files", rulesDir, maxRuleNames)
	}
	var names []string
	for _, e := range all {
		if e.Type().IsRegular() && strings.HasSuffix(e.Name(), ".md") && e.Name()[0] != '.' {
			names = append(names, e.Name())
		}
	}
	slices.Sort(names)
	return names, nil
}

// readRule reads at most room bytes of a file, whole lines; "" for one that
// cannot be read or is no text.
func readRule(dir *os.Root, name string, room int) (text string, whole bool) {
	f, err := openIn(dir, name, os.O_RDONLY)
	if err != nil {
		return "", true
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, int64(room)+1))
	if err != nil || bytes.IndexByte(b, 0) >= 0 {
		return "", true
	}
	if whole = len(b) <= room; !whole {
		b = b[:bytes.LastIndexByte(b[:room], '\n')+1]
	}
	return strings.ToValidUTF8(string(b), "\uFFFD"), whole
}
