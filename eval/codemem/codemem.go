// Package codemem embeds a corpus of coding memories: three simulated projects
// over nine months, facts and daily logs, with questions whose answers are known.
// All of it was written by hand for this project and is in the public domain
// (CC0); no ranking code reads it.
package codemem

import "embed"

// FS holds go, web and data, each with facts.jsonl, daily.jsonl and
// questions.jsonl; docs/FORMATS.md has the keys.
//
//go:embed go web data
var FS embed.FS
