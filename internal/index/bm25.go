package index

// Part is what one term of the query adds to the score of a passage that holds
// it tf times and is length words long: the formula at [Query]. Every
// implementation uses this function and adds the parts in the order of
// q.Terms, so that equal docs have equal scores, bit for bit. A term whose
// weight is not positive adds nothing; without an average length every doc
// counts as average.
func (q *Query) Part(weight float32, tf uint16, length int) float32 {
	return BM25(weight, tf, q.K1, q.Norm(length))
}

// Norm is the part of the formula that only depends on the passage's length:
// K1*(1-B+B*Len/AvgLen).
func (q *Query) Norm(length int) float32 { return q.norm(length, q.AvgLen) }

// PagePart is Part for a page: passages of it hold the term, and they are
// length words long together.
func (q *Query) PagePart(weight float32, passages uint16, length int) float32 {
	return BM25(weight, passages, q.K1, q.norm(length, q.AvgPage))
}

func (q *Query) norm(length int, average float32) float32 {
	ratio := float32(1)
	if average > 0 {
		ratio = float32(length) / average
	}
	return q.K1 * float32(float32(1-q.B)+float32(q.B*ratio))
}

// OwnScore is own in the formula at [Query].
func (q *Query) OwnScore(best, whole float32) float32 {
	return float32(best+float32(q.Whole*whole)) / (1 + q.Whole)
}

// Before is before in the formula at [Query], from the own scores of the entry before
// and of the one before that.
func (q *Query) Before(prev, far float32) float32 { return prev + float32(q.Far*far) }

// Scored is an entry's score and what of it the neighbours add, from its own and its
// page's score, what is before it (see Before) and the own score of the entry after;
// asked says that the entry before asks.
func (q *Query) Scored(own, page, before, next float32, asked bool) (score, near float32) {
	weight := q.Prev
	if asked {
		weight = q.Asked
	}
	near = float32(weight*before) + float32(q.Next*next)
	return float32(own+float32(q.Page*page)) + near, near
}

// BM25 is weight * tf*(k1+1) / (tf + norm), with norm from [Query.Norm]. The
// conversions keep compilers from fusing operations, which would make the
// result depend on the machine.
func BM25(weight float32, tf uint16, k1, norm float32) float32 {
	if !(weight > 0) || tf == 0 {
		return 0
	}
	f := float32(tf)
	return float32(weight * float32(float32(f*(k1+1))/float32(f+norm)))
}
