package cli

import (
	"runtime"
	"runtime/debug"
	"testing"
)

// TestALazyHeapHasABound: garbage is collected seldom in a process of doors, but not where
// much is alive: four times a page of 50 MB, parsed, would be gigabytes.
func TestALazyHeapHasABound(t *testing.T) {
	pace, limit := debug.SetGCPercent(100), debug.SetMemoryLimit(-1)
	defer func() { debug.SetGCPercent(pace); debug.SetMemoryLimit(limit) }()
	lazily()
	alive := make([]byte, lazyHeap/2)
	var most uint64
	for range 2 * lazyHeap >> 22 {
		_ = make([]byte, 4<<20)
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		most = max(most, m.HeapInuse)
	}
	runtime.KeepAlive(alive)
	if most > lazyHeap*5/4 {
		t.Errorf("%d MB with %d MB alive", most>>20, len(alive)>>20)
	}
}
