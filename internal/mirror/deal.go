package mirror

import (
	"iter"
	"sync"
	"sync/atomic"
)

// deal has several workers, numbered from 0, go through the numbers below n: each number
// goes to one of them, in order. At least one works, in the caller's goroutine; deal
// returns when all have. A worker may stop before the end, and must not panic in
// another goroutine (see caught).
func deal(workers, n int, work func(worker int, mine iter.Seq[int])) {
	var next atomic.Int64
	mine := func(yield func(int) bool) {
		for {
			if i := int(next.Add(1)) - 1; i >= n || !yield(i) {
				return
			}
		}
	}
	var others sync.WaitGroup
	for worker := 1; worker < workers; worker++ {
		others.Go(func() { work(worker, mine) })
	}
	work(0, mine)
	others.Wait()
}
