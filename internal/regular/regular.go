// Package regular opens, reads and replaces regular files of private state with as few
// system calls as possible. Package os offers each file that it opens to the runtime's
// poller, which has no use for a regular file and costs five calls, where writing a line is
// one. A process that answers one prompt opens many such files.
package regular
