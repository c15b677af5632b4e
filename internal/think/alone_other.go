//go:build !unix

package think

import "os/exec"

// alone does nothing: there are no process groups here, and the command alone
// is killed.
func alone(*exec.Cmd) {}
