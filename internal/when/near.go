package when

// aside says whether what is before or after a day is a time near to it: the week
// before 8 May.
func aside(w string) bool {
	switch w {
	case "days", "week", "weeks", "weekend", "night", "evening", "morning":
		return true
	}
	_, ok := Weekday(w)
	return ok
}

// beside is how many days a time near to a day is from it at most, of so many units if
// that is said. The day itself belongs to the window: people tell then what they did the
// week before.
func beside(unit string, n int) int {
	switch unit {
	case "day", "night", "evening", "morning":
		return 1
	case "weeks":
		return 7 * max(4, min(n, 52))
	}
	return max(7, min(n, 365))
}
