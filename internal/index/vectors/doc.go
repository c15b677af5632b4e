// Package vectors keeps the vectors of statements on disk, beside an index, and tells
// which statements say nearly what a question says. A [Store] holds those of one embedder:
// [Store.Add] takes vectors, [Store.Nearest] searches, [Store.Missing] tells for which
// statements there is none yet. All of it is derived and may be deleted at any time. The
// package does I/O only in the directory it is given.
//
// # How it searches
//
// A vector is stored once for each statement and embedder, however many pages the
// statement stands on: half a byte for each dimension, a scale, and a code that holds the
// sign of each of the first 192 dimensions in one bit. A search first compares all codes,
// since the number of equal bits grows with the cosine (Charikar 2002), and then the
// numbers of the best ones. There is no graph, no training and nothing to keep up to date,
// and at the sizes that memories have it is no slower.
//
// # The files
//
//	<id>.vec               the rows in the order of their statements, column by column
//	<id>-<generation>.log  rows that came since, one after the other
//	VECLOCK                held by the one process that writes
//
// <id> is a digest of the embedder's ID. A row of the log is written as a whole or counts
// as absent. When the log has grown long, both files become a new .vec, renamed into place,
// with a log of its own. Rows of statements that are no longer alive, as the writer is
// told, are left out then; until then, whoever searches looks up each statement and asks
// for more where one is gone.
//
// # Several processes
//
// Nobody waits long for the lock, and readers do not wait for a writer: rows that cannot
// be written now hold for this process and are written with the next ones. What another
// process took away (because it purged a text) goes from this process, too: a log or file
// that is not the one that was read before makes it read everything anew.
package vectors
