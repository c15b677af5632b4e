// Package mapped gives the bytes of a file without reading them: mapped where the
// system can do that, so that several processes share one copy and only what is
// used is read.
package mapped

import "errors"

// ErrSize means that a file is none, or is empty: there is nothing to map.
var ErrSize = errors.New("not a file of a possible size")
