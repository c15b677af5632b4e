package e2e

import (
	"maps"
	"path/filepath"
	"testing"

	"github.com/pimento-memory/pimento/e2e/stub"
)

// A repository that comes with the memory of another system: nothing of it
// reaches the model before the user has adopted it, then all of it does, and no
// byte of it has changed.
func TestAdoptedMemoryReachesTheModel(t *testing.T) {
	t.Parallel()
	s := newSandbox(t, stub.Script())
	dir := filepath.Join(s.project, ".pi-mind")
	s.write(filepath.Join(dir, "knowledge", "style.md"), "---\ndate: 2026-05-08\ntype: user\ntier: L1\ntags: [style]\n---\nAnswer in short sentences.\n")
	s.write(filepath.Join(dir, "knowledge", "owner.md"), "---\ndate: 2026-05-08\ntype: project\ntier: L2\ntags: [auth]\ntriples: [[\"alice\", \"owns\", \"auth-service\"]]\n---\nAlice looks after logins.\n")
	s.write(filepath.Join(dir, "pi-mind-config.json"), `{"l1": {"perSubjectCap": 5}}`)
	before := files(dir)

	s.print("who owns auth-service?")
	hasNot(t, "a request before the yes", s.request(0).Text(), "short sentences", "looks after logins", "alice")

	has(t, "what was found", s.pimento("adopt"), "mind: pages of knowledge with front matter (2); settings, which are read")
	s.pimento("adopt", "--apply")
	s.print("who owns auth-service?")
	next := s.request(1)
	has(t, "the next request", next.Text(), "## Critical Memory", "- Answer in short sentences.", "alice → owns → auth-service")

	after := files(dir)
	delete(after, "config.json")
	if !maps.Equal(before, after) {
		t.Errorf("files changed:\n%v\n%v", before, after)
	}
}
