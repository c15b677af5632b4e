// Package segment is the index on disk: immutable, memory-mapped segments and a
// short log of the latest changes, in a cache directory that can be deleted at
// any time. It opens in microseconds, because nothing is read before it is
// asked for, and it does I/O only in that directory.
//
// # The files
//
//	CURRENT               which files make up the index, and which of their pages are dead
//	0123456789abcdef.seg  a segment: pages, docs, and postings of every term
//	0123456789abcdef.log  the delta: pages put and removed since CURRENT was written
//	LOCK                  held by the one process that writes
//
// Segments are never modified. A change is appended to the delta; when that has
// grown too long for every process to read it anew, its pages become a small
// segment, small segments are merged into larger ones, and a new CURRENT is
// renamed into place. A page lives in exactly one place, the newest; where it
// stood before it is noted as dead, with its docs and words, so that the
// statistics are exact. Readers keep the files they have mapped for as long as
// they use them.
//
// # Doubt
//
// The index is derived, so nothing is worth repairing, and nothing is fsynced.
// CURRENT, headers and records carry checksums that are verified when they are
// read; the body of a segment carries one for each block, verified when the
// block is first touched. Mapped memory is read under debug.SetPanicOnFault, so
// that a truncated file is an error and not a crash. Whatever is in doubt is
// thrown away: the index is empty then, [Index.Rebuilt] says why, and the
// caller, who compares the pages it knows with those on disk, puts everything
// again. A torn record at the end of the delta is normal after a crash and only
// costs that change.
//
// The checksum is CRC-32 with the IEEE polynomial: as good at finding damage as
// the Castagnoli one, but in Go it needs no tables worth 0.2 ms at first use.
package segment
