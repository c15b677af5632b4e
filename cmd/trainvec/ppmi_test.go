package main

import (
	"slices"
	"testing"
)

// TestAtLeast: a given cell is raised, never lowered, and made where there was none;
// the rows stay in order.
func TestAtLeast(t *testing.T) {
	m := &sparse{rows: 3, cols: 4, start: []int{0, 2, 2, 3}, col: []int32{1, 3, 0}, val: []float32{2, 5, 1}}
	got := m.atLeast([]triple{{2, 3, 4}, {0, 3, 4}, {0, 0, 4}, {0, 1, 4}, {1, 2, 4}, {0, 1, 3}})
	if want := []int{0, 3, 4, 6}; !slices.Equal(got.start, want) {
		t.Errorf("rows begin at %v, want %v", got.start, want)
	}
	if want := []int32{0, 1, 3, 2, 0, 3}; !slices.Equal(got.col, want) {
		t.Errorf("columns %v, want %v", got.col, want)
	}
	if want := []float32{4, 4, 5, 4, 1, 4}; !slices.Equal(got.val, want) {
		t.Errorf("values %v, want %v", got.val, want)
	}
}
