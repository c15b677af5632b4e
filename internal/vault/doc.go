// Package vault is the only code that touches memory files. It says where a
// user's and a project's memory lives, finds out which project a directory
// belongs to, keeps the user's consent to a project's memory, and reads and
// changes pages below a root. It does I/O and decides no policy; it takes
// times and paths as arguments and reads no environment variable itself.
//
// The idea: a page belongs to the user first. Any editor may rewrite it at any
// moment, without asking us and without knowing about our locks, so a lock
// alone protects nothing. A change therefore names the digest of the page it
// was made for, the new text is written beside the page, and the two files are
// exchanged in one step. What was displaced is then looked at: if it is not
// what the change was made for, somebody else was faster, and the exchange is
// undone. No byte is unlinked before it has been hashed and found to be one
// that the change meant to replace.
//
// Nothing in a repository is believed. Symbolic links at or below a project's
// memory are refused, a .git file is followed only where the repository that
// it points to names this work tree in return, and consent lives in private
// state.
package vault
