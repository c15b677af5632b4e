package text

// distanceBytes is how much of a word counts for a distance.
const distanceBytes = 64

// Distance is how many bytes must be put, taken, exchanged for another one or
// for their neighbour to make one word the other (optimal string alignment,
// Damerau 1964), ASCII case folded, of at most the first 64 bytes. It finds what
// a mistyped word means.
func Distance(a, b string) int {
	a, b = a[:min(len(a), distanceBytes)], b[:min(len(b), distanceBytes)]
	var rows [3][distanceBytes + 1]int
	row, up, upper := &rows[0], &rows[1], &rows[2] // of the letter of a, of the one before, of the one before that
	for j := range len(b) + 1 {
		up[j] = j
	}
	for i := range len(a) {
		row[0] = i + 1
		for j := range len(b) {
			x, y := lowerByte(a[i]), lowerByte(b[j])
			swap := up[j]
			if x != y {
				swap++
			}
			row[j+1] = min(swap, row[j]+1, up[j+1]+1)
			if i > 0 && j > 0 && x == lowerByte(b[j-1]) && y == lowerByte(a[i-1]) {
				row[j+1] = min(row[j+1], upper[j-1]+1)
			}
		}
		row, up, upper = upper, row, up
	}
	return up[len(b)]
}

func lowerByte(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}
