package text

// distanceBytes is how much of a word counts for a distance.
const distanceBytes = 64

// Distance is how many bytes must be put, taken or exchanged to make one word
// the other (Levenshtein 1966), ASCII case folded, of at most the first 64
// bytes. It finds what a mistyped name means.
func Distance(a, b string) int {
	a, b = a[:min(len(a), distanceBytes)], b[:min(len(b), distanceBytes)]
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			swap := diagonal
			if lowerByte(a[i]) != lowerByte(b[j]) {
				swap++
			}
			diagonal = row[j+1]
			row[j+1] = min(swap, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

func lowerByte(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}
