package text

import (
	"strconv"
	"strings"
)

// Plural is a number with its noun: "1 entry", "2 entries", "3 days".
func Plural(n int, noun string) string {
	stem, y := strings.CutSuffix(noun, "y")
	switch {
	case n == 1:
	case y && !strings.HasSuffix(stem, "a") && !strings.HasSuffix(stem, "e") && !strings.HasSuffix(stem, "o"):
		noun = stem + "ies"
	default:
		noun += "s"
	}
	return strconv.Itoa(n) + " " + noun
}
