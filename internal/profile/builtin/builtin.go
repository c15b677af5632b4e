// Package builtin holds the profiles that ship with Pimento, as data: one
// directory each, with profile.json, preamble.md and tools/NAME.md. It is
// embed-only; package profile reads and checks what is here.
package builtin

import "embed"

// FS has one directory for each profile, named like it.
//
//go:embed */profile.json */preamble.md */tools/*.md
var FS embed.FS
