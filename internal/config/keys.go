package config

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pimento-memory/pimento/internal/text"
)

// scopeKeys are the keys that any config.json may set.
func scopeKeys() []string {
	return []string{"profile", "overrides", "budgets", "sections", "enabled",
		"maxInjectLines", "maxInjectBytes", "pageTableInjection", "maxMemoryTokens", "traceEnabled", "strictWriteback"}
}

// ownKeys are the keys that only the user's own config.json may set: what runs
// a program, reaches out, names a place, or decides on somebody's behalf.
func ownKeys() []string {
	return []string{"commands", "command", "endpoints", "endpoint", "paths", "recipients", "capture", "consent", "autoDream", "worth",
		"embedder", "thinker", "engine", "store", "server", "web", "sync", "encryption", "import", "telemetry"}
}

// takenKeys are those of ownKeys that mean something; the others are reserved.
func takenKeys() []string {
	return []string{"capture", "autoDream", "worth", "embedder", "thinker", "engine", "encryption"}
}

// meant is the known key that a misspelt one most likely means, or else what
// that config.json may say.
func meant(key string, own bool) string {
	known := scopeKeys()
	if own {
		known = append(known, takenKeys()...)
	}
	best := slices.MinFunc(known, func(a, b string) int { return text.Distance(key, a) - text.Distance(key, b) })
	if d := text.Distance(key, best); d <= 3 && d < len(best)/2 {
		return fmt.Sprintf("did you mean %q?", best)
	}
	return "a config.json may set " + strings.Join(known, ", ")
}
