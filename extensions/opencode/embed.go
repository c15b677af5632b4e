// Package ocext embeds the opencode plugin, so that `pimento setup opencode` can install it
// without a checkout. It does nothing else.
package ocext

import "embed"

// Files is the plugin, one file that needs no other.
//
//go:embed pimento.js
var Files embed.FS
