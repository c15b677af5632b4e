package pimento_test

import (
	"bufio"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/pimento-memory/pimento"

// floors says on which floor each package stands. Non-test code imports only
// from floors below; packages on one floor are strangers. A package that is
// not here fails the test: adding one is a decision.
var floors = map[string]int{
	"": 0,

	"internal/mapped":    0, // bytes of files, for whoever holds them mapped: below the weights and the index
	"internal/filelock":  0, // one at a time, for whoever writes private state
	"internal/regular":   0, // private files, read in few calls of the system and replaced as a whole
	"internal/plainjson": 0, // how JSON is written for people and models
	"internal/codeblock": 0, // where code begins and ends in markdown
	"internal/watch":     0, // which directories changed; knows nothing of memory
	"internal/text":      1, "internal/when": 1, "internal/page": 1, "internal/score": 1, "internal/plot": 1, "internal/index": 1,
	"internal/fault":           1, // reads events and traces alone
	"internal/index/indextest": 2, // a suite for tests; nothing imports it but tests
	"internal/profile/builtin": 1, // embed only
	"extensions/pi":            1, // embed only
	"extensions/opencode":      1, // embed only
	"internal/embed/bert":      1, // mathematics over files of weights; knows nothing of memory
	"internal/courier":         1, // asks the helper pimento-net; below whoever needs the network
	"eval/codemem":             1, // embed only
	"eval/recall":              1, // embed only
	"eval/worth":               1, // embed only

	"internal/config":  2, // config.json, read and edited; the vault hands over the bytes of a root's
	"internal/news":    2, // what other hands did, and what of it must be told; pure
	"internal/profile": 2, "internal/vault": 2, "internal/journal": 2, "internal/session": 2, "internal/guard": 2, "internal/cite": 2, "internal/embed": 2,
	"internal/index/memindex": 2, "internal/index/vectors": 2, "internal/index/segment": 2,
	"internal/model":   2, // the files of models, apart from embed because it writes and downloads
	"internal/think":   2, // asks a language model; a stranger to memory, so that whoever decides may be given its answers
	"internal/crypt":   2, // seals and opens pages; a stranger to what is in them
	"internal/source":  2, // the files of other memory systems, read and written; pure
	"internal/qmd":     2, // asks the search program of that name
	"internal/network": 2, // what the helper does; only cmd/pimento-net may link it

	"internal/recall": 3, "internal/graph": 3, "internal/inject": 3, "internal/remember": 3, "internal/upkeep": 3,
	"internal/glean": 3, // what is worth remembering although nobody wrote it down
	"internal/usage": 3, // what answers made of memories

	"internal/mirror": 4, // what is derived from a root, kept up to its files

	"internal/engine": 5,
	"internal/tool":   6,
	"internal/stage":  6, // a machine of its own: what demo shows on and eval measures on

	"internal/eval": 7, "internal/hook": 7, "internal/rpc": 7, "internal/setup": 7, "internal/demo": 7,
	"internal/mcpserver": 7, // only cmd/pimento-mcp may link it

	"internal/cli": 8,
	"cmd/pimento":  9, "cmd/pimento-net": 9, "cmd/pimento-mcp": 9,
	"cmd/trainvec": 9, // trains the word vectors of internal/embed

	"e2e":           10, // drives the built binary from outside
	"e2e/kill":      9,  // kills the built program in the middle of its writes
	"e2e/stub":      10,
	"e2e/fakechild": 10,

	"internal/embed/bert/berttest": 9, // small models for tests

	"internal/corpus":  9, // simulated memories for benchmarks
	"internal/cputime": 9, // processor time for benchmarks
	"scripts/bench":    10,
	"scripts":          10, // test.sh counts results with it
}

// longFiles and longFuncs are the exceptions to the house's sizes (500 lines a
// file, 80 a function). The lists only shrink.
var (
	longFiles = map[string]bool{}
	longFuncs = map[string]bool{}
)

func TestImportsGoDown(t *testing.T) {
	seen := map[string]bool{}
	eachFile(t, func(pkg, path string, f *ast.File, _ *token.FileSet) {
		floor, ok := floors[pkg]
		if !ok {
			t.Errorf("%s: package %s has no floor; give it one in house_test.go", path, pkg)
			return
		}
		seen[pkg] = true
		for _, im := range f.Imports {
			p, _ := strconv.Unquote(im.Path.Value)
			dep, ours := strings.CutPrefix(p, module)
			if !ours {
				if pkg == "" && strings.Contains(p, ".") {
					t.Errorf("%s imports %s: the root package imports only the standard library", path, p)
				}
				continue
			}
			dep = strings.TrimPrefix(dep, "/")
			if d, ok := floors[dep]; ok && d >= floor {
				t.Errorf("%s (floor %d) imports %s (floor %d): code imports only from floors below", path, floor, dep, d)
			}
		}
	})
	if len(seen) < 10 {
		t.Fatalf("only %d packages seen: the test looks in the wrong place", len(seen))
	}
}

func TestPackagesSayWhatTheyAre(t *testing.T) {
	doc := map[string]bool{}
	eachFile(t, func(pkg, _ string, f *ast.File, _ *token.FileSet) {
		doc[pkg] = doc[pkg] || f.Doc != nil
	})
	for pkg, ok := range doc {
		if !ok {
			t.Errorf("package %q has no package comment", pkg)
		}
	}
}

func TestSizes(t *testing.T) {
	eachFile(t, func(_, path string, f *ast.File, fset *token.FileSet) {
		if ast.IsGenerated(f) {
			return // nobody reads it
		}
		if n := fset.Position(f.FileEnd).Line; n > 500 && !longFiles[path] {
			t.Errorf("%s has %d lines; split it where a reader would", path, n)
		}
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			n := fset.Position(fn.End()).Line - fset.Position(fn.Pos()).Line
			if name := path + ":" + fn.Name.Name; n > 80 && !longFuncs[name] {
				t.Errorf("%s has %d lines", name, n)
			}
		}
	})
}

// TestNoClockNoEnvironment keeps time, environment, init functions and
// package-level regular expressions out of all but the doors.
func TestNoClockNoEnvironment(t *testing.T) {
	allowed := func(pkg string) bool { return floors[pkg] >= 8 || strings.HasPrefix(pkg, "e2e") }
	eachFile(t, func(pkg, path string, f *ast.File, fset *token.FileSet) {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				if n.Recv == nil && n.Name.Name == "init" {
					t.Errorf("%s has an init function", path)
				}
			case *ast.SelectorExpr:
				x, ok := n.X.(*ast.Ident)
				if !ok || allowed(pkg) {
					break
				}
				switch x.Name + "." + n.Sel.Name {
				case "time.Now", "os.Getenv", "os.LookupEnv", "os.Environ":
					t.Errorf("%s: %s.%s belongs to the doors", fset.Position(n.Pos()), x.Name, n.Sel.Name)
				}
			}
			return true
		})
		for _, d := range f.Decls {
			if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.VAR {
				ast.Inspect(g, func(n ast.Node) bool {
					if _, ok := n.(*ast.FuncLit); ok {
						return false
					}
					if s, ok := n.(*ast.SelectorExpr); ok && strings.HasPrefix(s.Sel.Name, "MustCompile") {
						t.Errorf("%s: a regular expression compiled at start-up", fset.Position(n.Pos()))
					}
					return true
				})
			}
		}
	})
}

// TestNoNetwork keeps the net package out of the program that is started on
// every prompt: it costs 0.6 ms there, and 1.5 where it brings the C library.
func TestNoNetwork(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "./cmd/pimento").Output()
	if err != nil || !strings.Contains(string(out), module+"/internal/engine") {
		t.Fatalf("go list: %v", err)
	}
	for _, dep := range strings.Fields(string(out)) {
		if dep == "net" || dep == "net/http" || dep == "os/user" {
			t.Errorf("cmd/pimento links %s; what needs it belongs into internal/network or internal/mcpserver", dep)
		}
	}
}

// TestDocsNameRealPaths fails when a document cites a Go path that is gone.
func TestDocsNameRealPaths(t *testing.T) {
	cited := regexp.MustCompile("`((?:internal|cmd|extensions|e2e|docs|scripts)/[A-Za-z0-9_./-]+)`")
	docs, err := filepath.Glob("docs/*.md")
	if err != nil || len(docs) == 0 {
		t.Fatalf("no documents found: %v", err)
	}
	for _, doc := range append(docs, "README.md", "AGENTS.md") {
		f, err := os.Open(doc)
		if err != nil {
			t.Error(err)
			continue
		}
		sc := bufio.NewScanner(f)
		for line := 1; sc.Scan(); line++ {
			for _, m := range cited.FindAllStringSubmatch(sc.Text(), -1) {
				if _, err := os.Stat(strings.TrimSuffix(m[1], "/")); err != nil {
					t.Errorf("%s:%d cites %s, which does not exist", doc, line, m[1])
				}
			}
		}
		f.Close()
	}
}

// TestDocsNameRealTests fails when a document names a test, script or command
// that does not exist.
func TestDocsNameRealTests(t *testing.T) {
	tests, scripts := map[string]bool{}, map[string]bool{}
	declared := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz|Benchmark)\w+)\(`)
	err := filepath.WalkDir(".", func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if strings.HasSuffix(path, "_test.go") {
			b, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			for _, m := range declared.FindAllSubmatch(b, -1) {
				tests[string(m[1])] = true
			}
		}
		if strings.Contains(path, "testdata") {
			scripts[filepath.Base(path)] = true
		}
		return nil
	})
	if err != nil || len(tests) < 100 || len(scripts) < 20 {
		t.Fatalf("%d tests, %d scripts: %v", len(tests), len(scripts), err)
	}
	commands, err := os.ReadFile("internal/cli/specs.go")
	if err != nil {
		t.Fatal(err)
	}
	docs, _ := filepath.Glob("docs/*.md")
	test := regexp.MustCompile(`\b(?:Test|Fuzz|Benchmark)[A-Z]\w+`)
	script := regexp.MustCompile("`([a-z0-9-]+\\.(?:txt|txtar))`")
	command := regexp.MustCompile("`pimento ([a-z]+)")
	for _, doc := range append(docs, "README.md", "AGENTS.md") {
		b, err := os.ReadFile(doc)
		if err != nil {
			t.Error(err)
			continue
		}
		for _, name := range test.FindAllString(string(b), -1) {
			if !tests[name] {
				t.Errorf("%s names %s, which does not exist", doc, name)
			}
		}
		for _, m := range script.FindAllStringSubmatch(string(b), -1) {
			if !scripts[m[1]] {
				t.Errorf("%s names the script %s, which does not exist", doc, m[1])
			}
		}
		for _, m := range command.FindAllStringSubmatch(string(b), -1) {
			if !strings.Contains(string(commands), strconv.Quote(m[1])) {
				t.Errorf("%s names the command pimento %s, which does not exist", doc, m[1])
			}
		}
	}
}

// TestErrorsSayWhatToDo: an error in words of ours that a person or a script may meet has a
// hint. What is wrong inside (KindInternal) has none, nor what the system said, see vault.Classify.
func TestErrorsSayWhatToDo(t *testing.T) {
	worded := func(e ast.Expr) bool {
		call, ok := e.(*ast.CallExpr)
		if !ok || len(call.Args) == 0 {
			return false
		}
		text, ok := call.Args[0].(*ast.BasicLit)
		return ok && !strings.Contains(text.Value, "%w")
	}
	eachFile(t, func(pkg, path string, f *ast.File, fset *token.FileSet) {
		if !slices.Contains([]string{"internal/cli", "internal/engine", "internal/crypt", "internal/remember", "internal/model", "internal/setup"}, pkg) {
			return
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CompositeLit:
				sel, ok := n.Type.(*ast.SelectorExpr)
				if !ok || sel.Sel.Name != "Error" {
					return true
				}
				is := map[string]ast.Expr{}
				for _, e := range n.Elts {
					if kv, ok := e.(*ast.KeyValueExpr); ok {
						is[kv.Key.(*ast.Ident).Name] = kv.Value
					}
				}
				kind, _ := is["Kind"].(*ast.SelectorExpr)
				if is["Hint"] == nil && worded(is["Err"]) && kind != nil && kind.Sel.Name != "KindInternal" {
					t.Errorf("%s: an error without a hint", fset.Position(n.Pos()))
				}
			case *ast.CallExpr:
				fn, ok := n.Fun.(*ast.Ident)
				if !ok || fn.Name != "usageError" {
					return true
				}
				if text, ok := n.Args[0].(*ast.BasicLit); ok && text.Value == `""` {
					t.Errorf("%s: an error without a hint", fset.Position(n.Pos()))
				}
			}
			return true
		})
	})
}

// eachFile calls visit for every non-test Go file of the module.
func eachFile(t *testing.T, visit func(pkg, path string, f *ast.File, fset *token.FileSet)) {
	t.Helper()
	err := filepath.WalkDir(".", func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if n := d.Name(); path != "." && (strings.HasPrefix(n, ".") || n == "testdata" || n == "node_modules") {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, path, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		pkg := filepath.ToSlash(filepath.Dir(path))
		if pkg == "." {
			pkg = ""
		}
		visit(pkg, filepath.ToSlash(path), f, fset)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
