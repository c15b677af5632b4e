package main

import "math"

// A group is words of nearly the same meaning, by number, and how much it is
// to be believed.
type group struct {
	words  []int
	share  []float64 // how much this is the meaning of each word, up to 1
	weight float64
}

// retrofit moves the vectors of words that stand in groups towards the middle
// of their groups and keeps them near where the texts put them (after Faruqui
// et al. 2015). A word in many groups is pulled less by each: it has many
// meanings. trust says how much the text's own vector of each word counts; 0
// gives a word its group's vector altogether. Vectors have length 1 before and
// after.
//
// What all groups together pull is worth at most the member sum to the power of
// 1 - crowd.
//
// It starts from the texts' vectors each round, so that words that share no
// group stay where they are and nothing can collapse.
func retrofit(v *dense, groups []group, trust []float64, crowd float64, rounds int) {
	member := make([]float64, v.rows)
	for _, g := range groups {
		for i, w := range g.words {
			member[w] += g.weight * g.share[i]
		}
	}
	original := append([]float32(nil), v.data...)
	sum := make([]float64, v.cols)
	for range rounds {
		pull := make([]float64, len(v.data))
		for _, g := range groups {
			clear(sum)
			total := 0.0
			for i, w := range g.words {
				total += g.share[i]
				for j, x := range v.row(w) {
					sum[j] += g.share[i] * float64(x)
				}
			}
			for i, w := range g.words {
				f := g.weight * g.share[i] / math.Max(1, math.Pow(member[w], crowd)) / (total - g.share[i])
				p := pull[w*v.cols : (w+1)*v.cols]
				for j, x := range v.row(w) {
					p[j] += f * (sum[j] - g.share[i]*float64(x))
				}
			}
		}
		for w := range v.rows {
			if member[w] == 0 {
				continue
			}
			row := v.row(w)
			for j := range row {
				row[j] = float32(trust[w]*float64(original[w*v.cols+j]) + pull[w*v.cols+j])
			}
			unit(row)
		}
	}
}

// unit gives v the length 1, unless it is nothing.
func unit(v []float32) {
	sum := 0.0
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if sum == 0 {
		return
	}
	f := float32(1 / math.Sqrt(sum))
	for i := range v {
		v[i] *= f
	}
}
