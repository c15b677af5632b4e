package vault

import (
	"context"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
)

// maxSurvey is the number of files that a survey lists.
const maxSurvey = 20_000

// A SurveyedFile is any file below a folder, page or not.
type SurveyedFile struct {
	Rel  string // with slashes
	Size int64
	Head string // the first 64 KB of a markdown file
}

// Survey lists all regular files below a folder, hidden ones included, and reads
// the beginning of those in markdown. Links are not followed, .git is passed
// over; more is true when there are more files than it lists.
func Survey(ctx context.Context, dir string) (files []SurveyedFile, more bool, err error) {
	const op = "vault.survey"
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, false, fail(op, dir, err)
	}
	defer root.Close()
	err = fs.WalkDir(root.FS(), ".", func(rel string, d fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil && rel != ".":
			return nil // what cannot be read is not there
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == ".git" || strings.Count(rel, "/") >= maxDepth):
			return fs.SkipDir
		case !d.Type().IsRegular():
			return nil
		case len(files) >= maxSurvey:
			more = true
			return fs.SkipAll
		}
		f := SurveyedFile{Rel: rel}
		if info, err := d.Info(); err == nil {
			f.Size = info.Size()
		}
		if path.Ext(rel) == ".md" {
			f.Head = headOf(root, rel)
		}
		files = append(files, f)
		return nil
	})
	return files, more, fail(op, dir, err)
}

// headOf is the beginning of a file, "" for one that cannot be read.
func headOf(root *os.Root, rel string) string {
	f, err := root.Open(rel)
	if err != nil {
		return ""
	}
	defer f.Close()
	b, _ := io.ReadAll(io.LimitReader(f, 64<<10))
	return string(b)
}
