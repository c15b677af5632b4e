// Package mapped gives the bytes of a file without reading them. Where the system can, the
// file is mapped into memory, so that several processes share one copy and only what is
// used is read; elsewhere it is read. Whoever uses the bytes must expect that another
// process shortens the file: a read beyond its end is then a fault, see
// debug.SetPanicOnFault.
package mapped

import "errors"

// ErrSize means that a file is none, or is empty: there is nothing to map.
var ErrSize = errors.New("not a file of a possible size")
