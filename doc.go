// Package pimento holds the words of the house: the handful of nouns that every
// other package speaks in. It imports only the standard library and does no I/O.
//
// Files say what is known, the [Event] journal says what happened, and
// everything else can be deleted. Every read ends in a [Block] with a trace of
// [Decision]s; every write begins as a [Plan] with reasons.
//
// A memory lives in a page (one markdown file) of a [Scope]; the smallest part
// of a page that can be recalled, cited or forgotten is an [Entry]. What an
// entry says is its [Statement]; where it says it is its [Occurrence]. A
// [Profile] is policy as data; [Turn] is what a harness tells us, in our words.
package pimento
