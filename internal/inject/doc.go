// Package inject fits what is known into the block of text that a model reads.
// It is pure: facts go in, a block and its trace come out. It reads no clock, no
// file and no setting, and the same facts give the same bytes.
//
// A profile lists sections, each with a place, a budget and a rank. The place
// decides where a section stands. The rank decides which section gives way: the
// sections of a zone are filled in the order of their rank, each within its own
// budget and within what the more important ones have left of the zone's. Nothing
// is laid out first and trimmed afterwards. So the work is linear in what is
// shown, and candidates without room are rejected by counting them.
//
// Before an entry is dropped, it is tried in the shapes that its section allows:
// full, excerpt (of a long hit the part that bears on the prompt), brief (its
// first sentence), structured (its heading and first clause), pointer (where it
// stands). Pages and logs are cut at lines. All limits of a budget (tokens,
// characters, bytes and lines) hold at once. Headings, joiners, fences and notes
// about what was cut count inside them.
//
// A statement stands once in a block, where the more important section put it. A
// raw section shows its page without the lines of entries that already stand
// elsewhere; the page itself is never changed here.
//
// Memory text is data. [Fence] ensures that it cannot close the block, open or
// close any tag, or look like one of our headings.
package inject
