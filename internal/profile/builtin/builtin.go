// Package builtin embeds the profiles that ship with Pimento. Each is a directory of data:
// profile.json, preamble.md and tools/NAME.md. The package does nothing else; package
// profile reads and checks what is here.
package builtin

import "embed"

// FS has one directory for each profile, named like it.
//
//go:embed */profile.json */preamble.md */tools/*.md
var FS embed.FS
