package vault

import "slices"

// scopeKeys are the keys that any config.json may set.
func scopeKeys() []string {
	return []string{"profile", "overrides", "budgets", "sections", "enabled",
		"maxInjectLines", "maxInjectBytes", "pageTableInjection", "maxMemoryTokens", "traceEnabled", "strictWriteback"}
}

// ownKeys are the keys that only the user's own config.json may set: what runs
// a program, reaches out, names a place, or decides on somebody's behalf.
func ownKeys() []string {
	return []string{"commands", "command", "endpoints", "endpoint", "paths", "recipients", "capture", "consent",
		"embedder", "thinker", "engine", "store", "server", "web", "sync", "encryption", "import", "telemetry"}
}

// nearestKey is the known key that a misspelt one most likely means.
func nearestKey(key string, own bool) string {
	known := scopeKeys()
	if own {
		known = append(known, ownKeys()...)
	}
	return slices.MinFunc(known, func(a, b string) int { return distance(key, a) - distance(key, b) })
}

// distance is Levenshtein's, over bytes with ASCII case folded, of at most the
// first 64 bytes.
func distance(a, b string) int {
	a, b = a[:min(len(a), 64)], b[:min(len(b), 64)]
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			swap := diagonal
			if lower(a[i]) != lower(b[j]) {
				swap++
			}
			diagonal = row[j+1]
			row[j+1] = min(swap, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}
