package e2e

import (
	"testing"
	"time"

	"github.com/pimento-memory/pimento/e2e/stub"
)

// With the real pi: what the user corrects is proposed once the answer is out,
// by words where there is no model, and only if the user wants that.
func TestWorthInPi(t *testing.T) {
	t.Parallel()
	s := newSandbox(t, stub.Script(stub.Reply{Text: "fine"}, stub.Reply{Text: "Replaced the mock with the test container."}))
	s.pimento("profile", "use", "mind", "--global")
	const wish = "no, we never mock the database in this project, tests run against a real postgres"
	p := s.rpc(nil)
	p.prompt(wish)
	if id := s.waiting(); id != "" {
		t.Errorf("%s waits, and nobody wanted that", id)
	}
	s.pimento("think", "worth", "answers")
	p.prompt(wish)
	for limit := time.Now().Add(patience); s.waiting() == ""; time.Sleep(100 * time.Millisecond) {
		if time.Now().After(limit) {
			t.Fatal("nothing waits")
		}
	}
	p.close()
	has(t, "the inbox", s.pimento("inbox"), "    we never mock the database in this project", "worth")
}
