// Package pimento defines the vocabulary that every other package uses, and the
// invariants of its types. It imports only the standard library and does no I/O.
//
// Pages say what is known, the journal of [Event]s says what happened, and
// everything else can be deleted. Every read ends in a [Block] with a trace of
// [Decision]s. Every write begins as a [Plan] with reasons.
//
// Memory is kept on pages (markdown files) of a [Scope]. The smallest part of a
// page that can be recalled, cited or forgotten is an [Entry]. What an entry says
// is its [Statement]; where it says it is its [Occurrence]. A [Profile] is policy
// as data. A [Turn] is an event of a harness, a program that runs an agent,
// translated into our terms.
package pimento
