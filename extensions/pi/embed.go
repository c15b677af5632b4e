// Package piext embeds the pi extension, so that `pimento setup pi` can install it without
// a checkout. It does nothing else.
package piext

import "embed"

// Files is the extension as it lies in this directory: index.ts is the entry
// point, the other files stand beside it; a *.md is a skill that a profile may
// offer.
//
//go:embed *.ts *.md tools.json
var Files embed.FS
