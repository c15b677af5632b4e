package main

import (
	"archive/tar"
	"bufio"
	"compress/gzip"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

//go:embed sources.txt
var sourceList string

// A source is one package of documents, as sources.txt has it.
type source struct {
	kind    string // goroot, go, npm or deb
	name    string
	version string
	licence string
}

// readSources parses sources.txt.
func readSources(list string) ([]source, error) {
	var out []source
	for line := range strings.Lines(list) {
		f := strings.Fields(line)
		if len(f) == 0 || f[0] == "#" {
			continue
		}
		if len(f) != 4 {
			return nil, fmt.Errorf("sources: not kind, name, version and licence: %q", strings.TrimSpace(line))
		}
		out = append(out, source{f[0], f[1], f[2], f[3]})
	}
	return out, nil
}

// file is the source's name as a file in the cache.
func (s source) file() string {
	return s.kind + "-" + strings.NewReplacer("/", "-", "@", "", ":", "%3a").Replace(s.name+"-"+s.version)
}

// fetch gets the source into the cache, with the ordinary client of its
// registry, unless it is there.
func (s source) fetch(cache string) error {
	switch s.kind {
	case "goroot":
		return nil
	case "go":
		if _, err := os.Stat(s.moduleDir(cache)); err == nil {
			return nil
		}
		return run(cache, []string{"GOMODCACHE=" + filepath.Join(cache, "gomod"), "GOFLAGS=-modcacherw"},
			"go", "mod", "download", s.name+"@"+s.version)
	case "npm":
		if _, err := os.Stat(s.tarball(cache)); err == nil {
			return nil
		}
		return run(cache, nil, "npm", "pack", "--silent", "--pack-destination", filepath.Join(cache, "npm"), s.name+"@"+s.version)
	case "deb":
		if m, _ := filepath.Glob(s.debGlob(cache)); len(m) > 0 {
			return nil
		}
		return run(filepath.Join(cache, "deb"), nil, "apt-get", "download", s.name+"="+s.version)
	}
	return fmt.Errorf("sources: unknown kind %q", s.kind)
}

// run executes a command in the cache with its output shown.
func run(dir string, env []string, name string, args ...string) error {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s %s: %w", name, strings.Join(args, " "), err)
	}
	return nil
}

// moduleDir is where the go command unpacks a module; it writes capitals as
// "!" and the small letter.
func (s source) moduleDir(cache string) string {
	var b strings.Builder
	for _, r := range s.name {
		if 'A' <= r && r <= 'Z' {
			b.WriteByte('!')
			r += 'a' - 'A'
		}
		b.WriteRune(r)
	}
	return filepath.Join(cache, "gomod", filepath.FromSlash(b.String())+"@"+s.version)
}

func (s source) tarball(cache string) string {
	name := strings.ReplaceAll(strings.TrimPrefix(s.name, "@"), "/", "-")
	return filepath.Join(cache, "npm", name+"-"+s.version+".tgz")
}

func (s source) debGlob(cache string) string {
	return filepath.Join(cache, "deb", s.name+"_"+strings.ReplaceAll(s.version, ":", "%3a")+"_*.deb")
}

// maxFile bounds what is read of one document; longer ones are data.
const maxFile = 8 << 20

// walk calls visit for every file of the source, in a stable order, with its
// path inside of it.
func (s source) walk(cache string, visit func(path string, body []byte)) error {
	switch s.kind {
	case "goroot":
		root, err := exec.Command("go", "env", "GOROOT").Output()
		if err != nil {
			return err
		}
		return walkDir(strings.TrimSpace(string(root)), visit)
	case "go":
		return walkDir(s.moduleDir(cache), visit)
	case "npm":
		f, err := os.Open(s.tarball(cache))
		if err != nil {
			return err
		}
		defer f.Close()
		z, err := gzip.NewReader(bufio.NewReaderSize(f, 1<<20))
		if err != nil {
			return err
		}
		return walkTar(z, visit)
	}
	m, _ := filepath.Glob(s.debGlob(cache))
	if len(m) == 0 {
		return fmt.Errorf("%s: %w", s.name, fs.ErrNotExist)
	}
	cmd := exec.Command("dpkg-deb", "--fsys-tarfile", m[0])
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	err = walkTar(out, visit)
	_, _ = io.Copy(io.Discard, out)
	return errors.Join(err, cmd.Wait())
}

func walkDir(root string, visit func(path string, body []byte)) error {
	return filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel := filepath.ToSlash(strings.TrimPrefix(path, root))
		if !d.Type().IsRegular() || reader(rel) == nil {
			return nil
		}
		if info, err := d.Info(); err != nil || info.Size() > maxFile {
			return err
		}
		body, err := os.ReadFile(path)
		if err == nil {
			visit(rel, body)
		}
		return err
	})
}

func walkTar(r io.Reader, visit func(path string, body []byte)) error {
	t := tar.NewReader(r)
	for {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		name := strings.TrimPrefix(strings.TrimSuffix(h.Name, ".gz"), ".")
		if h.Typeflag != tar.TypeReg || h.Size > maxFile || reader(name) == nil {
			continue
		}
		var in io.Reader = t
		if strings.HasSuffix(h.Name, ".gz") {
			if in, err = gzip.NewReader(t); err != nil {
				return err
			}
		}
		body, err := io.ReadAll(io.LimitReader(in, maxFile))
		if err != nil {
			return err
		}
		visit(name, body)
	}
}
