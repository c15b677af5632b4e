//go:build ignore

// Testjson reads `go test -json` from standard input, prints the whole output of
// what failed and one line for what was skipped, and writes the numbers of test
// functions "passed failed skipped" to the file it is given. Subtests belong to
// their function; a package that fails without a failing test counts as one.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

type event struct {
	Action, Package, ImportPath, Test, Output string
}

type counter struct {
	passed, failed, skipped int
	output                  map[string]*strings.Builder // by package and top-level test
	failing                 map[string]bool             // packages with a failed test
}

func main() {
	c := counter{output: map[string]*strings.Builder{}, failing: map[string]bool{}}
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var e event
		if json.Unmarshal(lines.Bytes(), &e) != nil {
			fmt.Println(lines.Text())
			continue
		}
		c.take(e)
	}
	if err := lines.Err(); err != nil {
		fmt.Println("testjson:", err)
		c.failed++
	}
	counts := fmt.Sprintln(c.passed, c.failed, c.skipped)
	if err := os.WriteFile(os.Args[1], []byte(counts), 0o600); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func (c *counter) take(e event) {
	top, _, sub := strings.Cut(e.Test, "/")
	key := e.Package + " " + top
	switch {
	case e.Action == "build-output":
		fmt.Print(e.Output)
	case e.Action == "output":
		if c.output[key] == nil {
			c.output[key] = &strings.Builder{}
		}
		c.output[key].WriteString(e.Output)
		c.skipLine(e.Output)
	case e.Test == "":
		c.endPackage(e, key)
	case sub:
	case e.Action == "pass":
		c.passed++
		delete(c.output, key)
	case e.Action == "skip":
		c.skipped++
	case e.Action == "fail":
		c.failed++
		c.failing[e.Package] = true
		fmt.Printf("--- %s %s\n%s", e.Package, top, c.output[key])
	}
}

// skipLine prints the reason of a skip, which is a line "file.go:1: SKIP name: why".
func (c *counter) skipLine(out string) {
	if _, why, ok := strings.Cut(out, ": SKIP "); ok {
		fmt.Println("SKIP   " + strings.TrimSpace(why))
	}
}

func (c *counter) endPackage(e event, key string) {
	if e.Action != "fail" || c.failing[e.Package] {
		return
	}
	c.failed++
	fmt.Printf("--- %s\n", e.Package)
	for k, out := range c.output {
		if strings.HasPrefix(k, e.Package+" ") {
			fmt.Print(out) // a panic or a timeout: nothing said what it belongs to
		}
	}
}
