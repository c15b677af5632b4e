package engine

import (
	"encoding/json"
	"fmt"
)

// A capture says what may become of a statement that nobody asked to have
// written. Only the user's own configuration sets it.
type capture string

const (
	captureOff     capture = "off"     // nobody listens
	capturePropose capture = "propose" // it waits in the inbox
	captureAuto    capture = "auto"    // it is written
)

// parseCapture reads the configuration's word; what cannot be read is the
// cautious default.
func parseCapture(raw json.RawMessage) (capture, error) {
	var s string
	if err := json.Unmarshal(raw, &s); err == nil {
		switch c := capture(s); c {
		case captureOff, capturePropose, captureAuto:
			return c, nil
		}
	}
	return capturePropose, fmt.Errorf(`"capture" is off, propose or auto, not %s`, raw)
}
