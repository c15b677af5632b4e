package e2e

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/pimento-memory/pimento/e2e/stub"
)

var update = flag.Bool("update", false, "write extensions/pi/tools.json anew")

// The list that the extension holds for a child that starts late is what the
// default profile's child would say.
func TestStoredTools(t *testing.T) {
	t.Parallel()
	s := newSandbox(t, stub.Script())
	cmd, out, errs := s.command(pimento(t), "rpc")
	cmd.Stdin = bytes.NewBufferString(`{"id":1,"op":"hello","v":1,"protocol":{"min":1,"max":1},"harness":"pi","cwd":"` + s.project + `"}` + "\n")
	if err := cmd.Run(); err != nil {
		t.Fatalf("pimento rpc: %v\n%s", err, errs)
	}
	var reply struct {
		OK    bool
		Tools json.RawMessage
	}
	if err := json.Unmarshal(out.Bytes(), &reply); err != nil || !reply.OK {
		t.Fatalf("hello: %v\n%s", err, out)
	}
	var want bytes.Buffer
	if err := json.Indent(&want, reply.Tools, "", "\t"); err != nil {
		t.Fatal(err)
	}
	want.WriteByte('\n')
	path := filepath.Join(repo(t), "extensions", "pi", "tools.json")
	if *update {
		if err := os.WriteFile(path, want.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(got, want.Bytes()) {
		t.Errorf("%s is not what the program says; go test ./e2e -run StoredTools -update (%v)", path, err)
	}
}
