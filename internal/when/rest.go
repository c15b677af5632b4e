package when

// What names a time is not only where it was found: in "the ten days before 8 May" that
// is May. Whatever stands beside it and is of times belongs to it.

// without is the question with blanks in place of the words that name the time which
// was found at the current token.
func (r *reader) without(question string) string {
	left := []byte(question)
	first := min(r.edge(-1), r.parted)
	for binds(r.word(first - 1).s) { // since
		first--
	}
	for k := first; k <= r.edge(1); k++ {
		for i := r.word(k).from; i < r.word(k).to; i++ {
			left[i] = ' '
		}
	}
	return string(left)
}

// edge is how far the words of the time go from the current token, to the left (-1) or
// to the right (1). Small words between them belong to it, those at the end do not.
func (r *reader) edge(way int) (edge int) {
	const between = 3 // small words: until the end of the
	for k := way; k-edge <= between && edge-k <= between; k += way {
		if t := r.word(k); r.names(k, way) {
			edge = k
		} else if t.s == "" || !binds(t.s) {
			break
		}
	}
	return edge
}

// names says whether the token k places on, in the direction from the current one, is of
// a time.
func (r *reader) names(k, way int) bool {
	t, next := r.word(k), r.word(k+1)
	switch {
	case t.n >= 0 && t.n <= 31 && (stretches(next.s) || next.s == "of" && stretches(r.word(k+2).s)): // three days, a couple of days
		return true
	case t.n >= 0 && way < 0: // 8 May, from 3 to 5 June; not port 3 in May
		return t.n <= 31 && (Month(next.s) != 0 || ordinal(next.s) || joins(next.s) || next.n > 0)
	case t.n >= 0:
		before := r.word(k - 1)
		year := len(t.s) == 4 && t.n >= 1900 && t.n < 2200
		return t.s[0] <= '9' && (t.n <= 31 || year) && (Month(before.s) != 0 || season(before.s) != 0 || ordinal(before.s) || before.s == "q" || joins(before.s) || before.n > 0 || year && binds(before.s))
	}
	switch t.s {
	case "today", "yesterday", "tonight", "night", "evening", "morning", "afternoon", "q":
		return true
	case "now":
		return way > 0 && t.other && stretches(r.word(k-1).s) // ce mois-ci
	case "last", "past", "previous", "this", "penultimate":
		return way > 0 || stretches(next.s) || season(next.s) != 0 || isWeekday(next.s) || Month(next.s) != 0 || next.n > 0
	case "ago", "back", "earlier":
		return way > 0 && stretches(r.word(k-1).s)
	case "may", "march", "fall", "spring":
		before := r.word(k - 1).s
		return t.upper || binds(before) || before == "last" || before == "this"
	}
	if stretches(t.s) {
		before := r.word(k - 1)
		if couple := r.word(k - 2); before.s == "of" && couple.n > 0 {
			before = couple
		}
		return way < 0 && binds(next.s) || way > 0 && (before.n >= 0 || ordinalWord(before.s) > 0 || before.s == "past" || before.s == "previous" || before.s == "this" || before.s == "penultimate")
	}
	return season(t.s) != 0 || isWeekday(t.s) || Month(t.s) != 0 || way > 0 && ordinal(t.s)
}

// binds says whether a word may stand between the words of a time.
func binds(w string) bool {
	switch w {
	case "the", "of", "in", "on", "at", "and", "to", "or", "since", "until", "till", "through", "before", "after", "from", "between", "during", "by", "for",
		"early", "late", "mid", "around":
		return true
	}
	return ordinal(w)
}
