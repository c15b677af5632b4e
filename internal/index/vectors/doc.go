// Package vectors keeps the vectors of statements beside an index: which
// statements say nearly what a question says. It is derived and can be deleted
// at any time; it does I/O in the directory it is given only.
//
// A vector is stored once for each statement and embedder, however many pages it
// stands on, as one byte for each dimension and a scale, and as a code of one bit
// for each dimension, its sign. A search compares all codes (the number of equal
// bits grows with the cosine; Charikar 2002), and the bytes of the best of them:
// no graph, no training, nothing to keep up to date, and at the sizes of memories
// no slower.
//
// # The files
//
//	<id>.vec             the rows in the order of their statements, column by column
//	<id>-<generation>.log  rows that came since, one after the other
//	LOCK                   held by the one process that writes
//
// <id> is a digest of the embedder's. A row of the log is written as a whole or
// counts as absent; when the log has grown long, both become a new .vec, renamed
// into place, with a log of its own. Rows of statements that no page holds any
// more are harmless, because whoever searches looks up the statement; they are
// left out when files are merged.
package vectors
