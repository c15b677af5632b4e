package journal

import (
	"bytes"
	"encoding/json"
	"time"
)

// fields are the members of an event that folding needs, as slices of the line.
type fields struct {
	v                                                         int
	id, typ, time, statement, from, cue, txn, reason, project []byte
}

// scanLine picks the members that folding needs out of one line. It is about
// ten times as fast as encoding/json, because it looks at the top level only
// and decodes nothing else. It is laxer, too: it reports false for a line that
// is no JSON object, and does not look into values it has no use for.
func scanLine(line []byte) (f fields, ok bool) {
	i := skipSpace(line, 0)
	if i >= len(line) || line[i] != '{' {
		return f, false
	}
	i = skipSpace(line, i+1)
	if i < len(line) && line[i] == '}' {
		return f, blank(line[i+1:])
	}
	for {
		keyEnd := stringEnd(line, i)
		if keyEnd < 0 {
			return f, false
		}
		key := line[i+1 : keyEnd-1]
		i = skipSpace(line, keyEnd)
		if i >= len(line) || line[i] != ':' {
			return f, false
		}
		i = skipSpace(line, i+1)
		end := valueEnd(line, i)
		if end <= i {
			return f, false
		}
		if !f.set(key, line[i:end]) {
			return f, false
		}
		i = skipSpace(line, end)
		switch {
		case i >= len(line):
			return f, false
		case line[i] == '}':
			return f, blank(line[i+1:])
		case line[i] != ',':
			return f, false
		}
		i = skipSpace(line, i+1)
	}
}

// glanceBytes is how far into a line the type stands that we write: behind a
// version, an id and a time.
const glanceBytes = 128

// glance is the type of an event as its line's beginning tells, nil when it does
// not: what we write has the type behind members whose values need no escapes.
// It may be wrong about a line that somebody else wrote, where a value could
// hold the look of a type, so a line that begins otherwise is not judged.
func glance(line []byte) []byte {
	if !bytes.HasPrefix(line, []byte(`{"v":1,"id":"`)) {
		return nil
	}
	head := line[:min(len(line), glanceBytes)]
	_, rest, ok := bytes.Cut(head, []byte(`,"type":"`))
	if !ok || bytes.IndexByte(head, '\\') >= 0 {
		return nil
	}
	typ, _, ok := bytes.Cut(rest, []byte{'"'})
	if !ok {
		return nil
	}
	return typ
}

// set stores one member; it reports false if the value has the wrong type.
func (f *fields) set(key, value []byte) bool {
	var to *[]byte
	switch string(key) {
	case "v":
		if len(value) == 1 && value[0] >= '0' && value[0] <= '9' { // a conversion would allocate
			f.v = int(value[0] - '0')
			return true
		}
		return json.Unmarshal(value, &f.v) == nil
	case "id":
		to = &f.id
	case "type":
		to = &f.typ
	case "t":
		to = &f.time
	case "statement":
		to = &f.statement
	case "from":
		to = &f.from
	case "cue":
		to = &f.cue
	case "txn":
		to = &f.txn
	case "project":
		to = &f.project
	case "reason":
		to = &f.reason
	default:
		return true
	}
	if value[0] != '"' {
		return false
	}
	if bytes.IndexByte(value, '\\') >= 0 {
		var s string
		if json.Unmarshal(value, &s) != nil {
			return false
		}
		*to = []byte(s)
		return true
	}
	*to = value[1 : len(value)-1]
	return true
}

// when is the event's time in nanoseconds since the epoch, noTime if it has
// none that fits.
func (f *fields) when() int64 {
	t, err := time.Parse(time.RFC3339, string(f.time))
	if err != nil {
		return noTime
	}
	return nanos(t)
}

// lineID is a line's event ID. Lines as we write them begin with it; for others
// the whole line is scanned.
func lineID(line []byte) []byte {
	if rest, ok := bytes.CutPrefix(line, []byte(`{"v":1,"id":"`)); ok {
		if end := bytes.IndexByte(rest, '"'); end >= 0 && bytes.IndexByte(rest[:end], '\\') < 0 {
			return rest[:end]
		}
	}
	f, _ := scanLine(line)
	return f.id
}

func skipSpace(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\t' || b[i] == '\r' || b[i] == '\n') {
		i++
	}
	return i
}

// blank says whether a line holds white space only, as a purged one does.
func blank(b []byte) bool { return skipSpace(b, 0) == len(b) }

// stringEnd is the index after the JSON string that starts at i, -1 if none
// does.
func stringEnd(b []byte, i int) int {
	if i >= len(b) || b[i] != '"' {
		return -1
	}
	for j := i + 1; ; {
		k := bytes.IndexByte(b[j:], '"')
		if k < 0 {
			return -1
		}
		j += k + 1
		slashes := 0
		for p := j - 2; p > i && b[p] == '\\'; p-- {
			slashes++
		}
		if slashes%2 == 0 {
			return j
		}
	}
}

// valueEnd is the index after the JSON value that starts at i, -1 if it does
// not end.
func valueEnd(b []byte, i int) int {
	if i >= len(b) {
		return -1
	}
	switch b[i] {
	case '"':
		return stringEnd(b, i)
	case '{', '[':
		return nestedEnd(b, i)
	}
	for i < len(b) && b[i] != ',' && b[i] != '}' && b[i] != ']' && b[i] > ' ' {
		i++
	}
	return i
}

// nestedEnd is the index after the object or array that starts at i.
func nestedEnd(b []byte, i int) int {
	depth := 0
	for i < len(b) {
		switch b[i] {
		case '"':
			if i = stringEnd(b, i); i < 0 {
				return -1
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			depth--
			if depth == 0 {
				return i + 1
			}
		}
		i++
	}
	return -1
}
