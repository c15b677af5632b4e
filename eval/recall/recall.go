// Package recall embeds the memory and the questions of `pimento eval recall`:
// what a team knows after half a year, a month of its log, and one long day. All
// of it was written by hand for this project and is in the public domain (CC0).
package recall

import "embed"

// FS holds experiment.json, entries.jsonl, questions.jsonl and day.jsonl;
// docs/FORMATS.md has the keys.
//
//go:embed experiment.json entries.jsonl questions.jsonl day.jsonl
var FS embed.FS
