// Package regular opens, reads and replaces regular files of private state with as few
// calls of the system as can be. Package os offers each file that it opens to the runtime's
// poller, which has no use for regular ones: five calls, where writing a line is one.
package regular
