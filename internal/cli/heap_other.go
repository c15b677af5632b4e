//go:build !linux

package cli

func hugeHeap() {}
