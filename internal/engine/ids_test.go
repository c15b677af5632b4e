package engine

import (
	"slices"
	"testing"
)

func TestIDsAreULIDs(t *testing.T) {
	if got := ulid(0x01563E3AB5D3D676, 0x4C61EFB99302BD5B); got != "01ARZ3NDEKTSV4RRFFQ69G5FAV" { // the specification's example
		t.Error(got)
	}
	var g ids
	var made []string
	for _, ms := range []uint64{0, 0, 1469922850259, 1469922850259, 1469922850260, 1<<48 - 1} {
		made = append(made, g.next(ms))
	}
	if !slices.IsSorted(made) || len(slices.Compact(slices.Clone(made))) != len(made) {
		t.Errorf("not sorted as they were made: %q", made)
	}
	if made[0][:10] != "0000000000" || made[3][:10] != "01ARZ3NDEK" || made[5][:10] != "7ZZZZZZZZZ" {
		t.Errorf("times: %q", made)
	}
	if a, b := g.next(5), g.next(6); a[10:] == b[10:] {
		t.Errorf("%s and %s by the same chance", a, b)
	}
	g.low = 1<<64 - 1
	if last, next := g.next(6), g.next(6); last[10:] == next[10:] {
		t.Errorf("%s and %s", last, next)
	}
}
