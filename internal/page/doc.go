// Package page turns markdown into entries and edits of entries back into
// markdown, byte for byte. It is pure: bytes in, entries and splices out.
//
// A page is its bytes plus spans. Parsing never changes, normalises or drops
// anything: what the package does not understand is opaque text that lies
// between spans and survives every edit, so [Page.Bytes] is exact by
// construction. What can go wrong is the cutting, and therefore every edit is
// proposed as splices, tried on a copy, parsed again, and kept only when the
// page then says what was meant and every other entry says what it said
// before. Only an append to a log is not tried: a stamp line always starts a
// new block, whatever stands above it.
//
// How a page is cut is its [Dialect], which follows from its path: a List has
// an entry for each bullet or paragraph, a Checklist is a list of boxes, a Log
// has an entry for each stamped block, an Article is one entry or one for each
// section.
//
// The cutter is local: a fence or a comment that is not closed before the next
// stamp line is plain text, so one forgotten ``` cannot swallow what was
// remembered after it.
//
// Three things in a line are ours: the stamp line above an entry, the marks at
// the end of its first or last line (" *(pinned)*", " *(enforced)*",
// " ^pm-xxxxxxxx"), and "[category]" after a bullet. Text that happens to look
// like one of them is written with one backslash more and read with one less,
// and only where it would otherwise be taken for structure.
package page
