package e2e

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/pimento-memory/pimento/e2e/stub"
)

// The child begins anew with calm timers: as the same process, with all that it was
// sent before.
func TestChildIsCalm(t *testing.T) {
	t.Parallel()
	s := newSandbox(t, stub.Script())
	child, in, out := s.child()
	_, _ = io.WriteString(in, `{"id":7,"op":"hello","v":1}`+"\n")
	if reply, err := bufio.NewReader(out).ReadString('\n'); !strings.HasPrefix(reply, `{"id":7,"ok":true`) {
		t.Errorf("what was sent before it began anew: %q, %v", reply, err)
	}
	slack, err := os.ReadFile(fmt.Sprintf("/proc/%d/timerslack_ns", child.Process.Pid))
	if err == nil && strings.TrimSpace(string(slack)) != "2000000" { // who may not nice others may not read it
		t.Errorf("timers may be late by %s ns", slack)
	}
	_ = in.Close()
	if err := child.Wait(); err != nil {
		t.Error(err)
	}
}

// Whatever the variable says that tells a child it has begun anew, it begins anew at
// most once.
func TestChildIsCalmOnce(t *testing.T) {
	t.Parallel()
	for _, told := range []string{"", "1", "no"} {
		s := newSandbox(t, stub.Script())
		s.env["PIMENTO_CALMED"] = told
		child, in, out := s.child()
		_, _ = io.WriteString(in, `{"id":7,"op":"hello","v":1}`+"\n")
		if reply, err := bufio.NewReader(out).ReadString('\n'); !strings.HasPrefix(reply, `{"id":7,"ok":true`) {
			t.Errorf("%q: %q, %v", told, reply, err)
		}
		_ = in.Close()
		if err := child.Wait(); err != nil {
			t.Error(told, err)
		}
	}
}
