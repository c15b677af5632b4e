// Package inject fits what is known into the block of text that a model reads.
// It is pure: facts go in, a block and its trace come out; it reads no clock,
// no file and no setting, and the same facts give the same bytes.
//
// The idea. A profile lists sections, each with a place, a budget and a rank.
// The place decides where a section stands; the rank decides who gives way:
// the sections of a zone are filled in the order of their rank, each within
// its own budget and what the more important ones have left of the zone's.
// Nothing is ever laid out first and trimmed afterwards, so the work is linear
// in what is shown, and candidates without room are rejected by counting them.
//
// Before an entry is dropped it is tried in the shapes that its section allows:
// full, brief (its first sentence), structured (its heading and first clause),
// pointer (where it stands). Pages and logs are cut at lines. Every limit of a
// budget holds at once, in tokens, characters, bytes and lines, and headings,
// joiners, fences and notes about what was cut are inside it.
//
// One statement stands once in a block: where the more important section put
// it. The copy of a page in a raw section leaves out the lines of entries that
// already stand; the page itself is nobody's to change here.
//
// Memory text is data. [Fence] makes it unable to close the block, to open or
// close any tag, or to look like one of our headings.
package inject
