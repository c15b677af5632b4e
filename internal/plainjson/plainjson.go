// Package plainjson writes JSON as people and models read it: encoding/json by itself
// writes <, > and & as escapes, which only a browser needs.
package plainjson

import (
	"bytes"
	"encoding/json"
)

// Marshal is v with a line break at its end; all on one line when indent is "".
func Marshal(v any, indent string) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", indent)
	err := enc.Encode(v)
	return b.Bytes(), err
}
