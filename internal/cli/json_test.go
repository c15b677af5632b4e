package cli_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/pimento-memory/pimento/internal/cli"
)

// Every JSON that a script of testdata is given holds to docs/FORMATS.md: names without
// a capital letter, and no null within. All programs of scripts look at what they print.

// jsonly runs a command and complains, with an exit status that no command has, about JSON
// that does not hold to the convention.
func jsonly(env cli.Env, run func(cli.Env) int) int {
	var said bytes.Buffer
	out := env.Stdout
	env.Stdout = io.MultiWriter(out, &said)
	code := run(env)
	if faults := oddJSON(said.Bytes()); len(faults) > 0 {
		fmt.Fprintln(env.Stderr, "not as docs/FORMATS.md has it:", strings.Join(faults, ", "))
		return 70
	}
	return code
}

// oddJSON names what breaks the convention in JSON values one after another. Text that is no
// JSON is none of its business.
func oddJSON(b []byte) (faults []string) {
	dec := json.NewDecoder(bytes.NewReader(b))
	for {
		var v any
		if dec.Decode(&v) != nil {
			slices.Sort(faults)
			return slices.Compact(faults)
		}
		if v != nil {
			faults = oddWithin(faults, "", v)
		}
	}
}

func oddWithin(faults []string, at string, v any) []string {
	switch v := v.(type) {
	case nil:
		return append(faults, "null at "+at)
	case []any:
		for _, x := range v {
			faults = oddWithin(faults, at+"[]", x)
		}
	case map[string]any:
		for name, x := range v {
			if strings.ToLower(name) != name {
				faults = append(faults, at+"."+name)
			}
			faults = oddWithin(faults, at+"."+name, x)
		}
	}
	return faults
}

func TestOddJSON(t *testing.T) {
	for in, want := range map[string]string{
		`{"open_tasks":1,"kinds":{"dead-link":2},"list":[]}`: "",
		`null`:            "",
		`no JSON {"A":1}`: "",
		`{"list":null}`:   "null at .list",
		`[{"in":{"Text":"x"}}]` + "\n" + `{"usedCount":1}`: ".usedCount,[].in.Text",
	} {
		if got := strings.Join(oddJSON([]byte(in)), ","); got != want {
			t.Errorf("%s: %q", in, got)
		}
	}
}
