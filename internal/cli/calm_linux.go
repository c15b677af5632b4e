package cli

import (
	"os"
	"runtime"

	"golang.org/x/sys/unix"
)

// calmSlack is how late, in nanoseconds, a timer of a long-lived process may go off.
// The shortest that matters to us is of 5 ms, and may be late.
const calmSlack = 2_000_000

// calmed marks a process that has been begun anew.
const calmed = "PIMENTO_CALMED"

// Calm begins a process that will live long anew, with timers that may go off a
// little late. The Go runtime has a watchman who sleeps 20 µs at a time as long as
// anything runs: in a prompt of a millisecond he wakes up fifty times, which was a
// sixth of its CPU. How exactly a thread sleeps is handed down by the one that starts
// it, so he must be given that with the program. Process id, open files and all that
// was not read yet stay; where it cannot be done, nothing is lost but that time.
// Programs that this one starts have such timers, too.
func Calm(args []string) {
	if _, again := os.LookupEnv(calmed); again { // whatever it is: nothing may begin anew for ever
		_ = os.Unsetenv(calmed) // not for the programs that we start
		return
	}
	if !Outlives(args) {
		return
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	program, err := os.Executable()
	if err != nil || unix.Prctl(unix.PR_SET_TIMERSLACK, calmSlack, 0, 0, 0) != nil {
		return
	}
	_ = unix.Exec(program, os.Args, append(os.Environ(), calmed+"=1"))
}
