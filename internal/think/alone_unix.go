//go:build unix

package think

import (
	"os/exec"
	"syscall"
)

// alone puts a command into a process group of its own, which is killed as a
// whole.
func alone(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
