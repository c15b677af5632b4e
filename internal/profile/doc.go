// Package profile loads and checks policy. A profile is a directory of data:
//
//	profile.json   everything with a number or a choice in it; // comments are allowed
//	preamble.md    what the model is told about its memory
//	tools/NAME.md  what the model is told about one tool
//
// A profile may extend another one, and the user's and a project's config lay
// overrides over the result. All three have one shape and one rule: a value
// replaces the value below it, an object is merged into the object below it,
// and "sections" given as an object patches sections by their name (null takes
// one out) where an array replaces them all. Texts replace texts of the same
// name.
//
// What ships with the house is right or the tests fail. What a person wrote is
// checked in full, and an error names the file, the line, the key and what is
// allowed. A profile that cannot be loaded is an error; an override that cannot
// be used is a fault, left out whole, and the profile stands without it.
//
// The package reads only the file systems it is given. Loading runs in every
// process, so it does one decode for each file and no more.
package profile
