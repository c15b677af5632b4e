//go:build unix

// Package cputime measures benchmarks in processor time: on a machine that
// others use, the wall clock says little.
package cputime

import (
	"syscall"
	"testing"
	"time"
)

// Used is the processor time of this process so far, in user and kernel mode,
// garbage collection included. It is 0 if the system does not tell.
func Used() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// Report reports as cpu-ns/op what is used from now until the function it
// returns is called.
func Report(b *testing.B) func() {
	start := Used()
	return func() { b.ReportMetric(float64(Used()-start)/float64(b.N), "cpu-ns/op") }
}
