// Package eval measures how good recall is: on foreign data (Rank), and on the
// project's own corpus of coding memories. It asks exactly what a turn asks,
// package recall over an index on disk, and adds nothing to it.
package eval
