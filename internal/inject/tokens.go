package inject

import "github.com/pimento-memory/pimento/internal/text"

// tokens is the house's estimate. It is subadditive, so that pieces which fit a
// budget one by one make a whole that fits it.
func tokens(s string) int { return text.Tokens(s) }
