// Package vectors keeps the vectors of statements beside an index: which
// statements say nearly what a question says. It is derived and can be deleted
// at any time; it does I/O in the directory it is given only.
//
// A vector is stored once for each statement and embedder, however many pages it
// stands on: half a byte for each dimension, a scale, and a code of one bit for
// each of the first 192 dimensions, its sign. A search compares all codes (the
// number of equal bits grows with the cosine; Charikar 2002), and the numbers of
// the best of them: no graph, no training, nothing to keep up to date, and at the
// sizes of memories no slower.
//
// # The files
//
//	<id>.vec               the rows in the order of their statements, column by column
//	<id>-<generation>.log  rows that came since, one after the other
//	VECLOCK                held by the one process that writes
//
// <id> is a digest of the embedder's. A row of the log is written as a whole or
// counts as absent; when the log has grown long, both become a new .vec, renamed
// into place, with a log of its own. Then rows of statements that are no longer
// alive, as the writer is told, are left out; until then whoever searches looks up
// the statement and asks for more where it is gone.
//
// Nobody waits long for the lock, and nobody who reads waits for a writer: rows
// that cannot be written now hold for this process and go along with the next.
// What another process took away (it purged a text) is gone from this one, too:
// a log or file that is not the one that was read makes it begin anew.
package vectors
