package text

// Stem is the snowball English stem of a lower-cased word; a word with anything
// but ASCII letters in it is its own stem.
func Stem(word string) string { return stem(word) }
