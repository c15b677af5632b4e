//go:build unix

package qmd

import (
	"os/exec"
	"syscall"
)

// ownGroup makes the program the head of a group of processes, which is ended
// as a whole: qmd is a script that starts another program. It also keeps a
// terminal's interrupt, meant for us, from it.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if cmd.Cancel != nil {
		cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	}
}
