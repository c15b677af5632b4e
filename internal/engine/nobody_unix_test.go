//go:build unix

package engine_test

import (
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/pimento-memory/pimento/internal/engine"
)

// asNobody makes a command run as a user who owns nothing.
func asNobody(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
}

// A pipe among pi's transcripts is passed over: to open it would wait for ever.
func TestAPipeIsNoTranscript(t *testing.T) {
	w := newWorld(t)
	file := spoken(w, "s1", w.dir, "please make the gateway faster now", "and look at the logs of the gateway", "which gateway timed out first?")
	w.must(syscall.Mkfifo(filepath.Join(filepath.Dir(file), "pipe.jsonl"), 0o600))
	w.run(func(e *engine.Engine) {
		got, err := e.TakeSessions(t.Context())
		if err != nil || got.Files != 2 || got.Read != 1 {
			t.Errorf("%+v, %v", got, err)
		}
	})
}
