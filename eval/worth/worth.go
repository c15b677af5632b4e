// Package worth embeds the cases of `pimento eval worth`: exchanges with a coding
// agent, each labelled by hand with what of it is worth remembering. They were
// written for this project and are in the public domain (CC0).
package worth

import _ "embed"

// Cases holds one JSON object a line; docs/FORMATS.md has the keys.
//
//go:embed cases.jsonl
var Cases []byte
