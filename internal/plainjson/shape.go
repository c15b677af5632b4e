// Package plainjson is encoding/json for a process that lives ten milliseconds. It
// is pure.
//
// Before it writes the first value of a type, encoding/json learns everything about
// that type and about all types that such a value might hold. A long-lived process
// does so once; one that answers a single prompt spends a sixteenth of its time on
// it. Here a type is learned when a value of it comes, and no more of it than a plain
// value needs.
//
// What is not plain is left to encoding/json, the whole value: methods that are not
// known here, names that stand twice, numbers that do not fit, JSON that is
// malformed. So bytes, values and errors are that package's in every case, and the
// tests hold one against the other.
package plainjson

import (
	"encoding"
	"encoding/json"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// A form is how a value is written.
type form uint8

const (
	foreign form = iota // encoding/json's affair
	boolean
	integer
	natural // an integer without a sign
	float
	text
	list
	table // a map with names for keys
	pointer
	structure
	instant   // time.Time
	verbatim  // json.RawMessage
	outspoken // it has a MarshalJSON
)

// A shape is what is known of a type.
type shape struct {
	form    form
	reads   form     // how it is read: as it is written, or by an UnmarshalJSON
	members []member // of a structure, in the order in which they are written

	size atomic.Int64 // of the last value that was written whole
}

// A member is a field of a structure, perhaps of one that it embeds.
type member struct {
	name  string // as the tag has it
	key   string // with quotes and a colon
	index []int
	empty bool // omitempty
	zero  bool // omitzero
}

// shapes are the types that were met so far, *shape by reflect.Type. As in
// encoding/json they are never forgotten: a program has only so many types.
var shapes sync.Map

func shapeOf(t reflect.Type) *shape {
	if s, ok := shapes.Load(t); ok {
		return s.(*shape)
	}
	s, _ := shapes.LoadOrStore(t, learn(t))
	return s.(*shape)
}

// forms are those of types without methods.
var forms = [...]form{reflect.Bool: boolean, reflect.Int: integer, reflect.Int8: integer, reflect.Int16: integer, reflect.Int32: integer,
	reflect.Int64: integer, reflect.Uint: natural, reflect.Uint8: natural, reflect.Uint16: natural, reflect.Uint32: natural,
	reflect.Uint64: natural, reflect.Float32: float, reflect.Float64: float, reflect.String: text, reflect.Slice: list, reflect.Array: list,
	reflect.Map: table, reflect.Pointer: pointer, reflect.Struct: structure, reflect.UnsafePointer: foreign}

func learn(t reflect.Type) *shape {
	switch t {
	case reflect.TypeFor[time.Time]():
		return &shape{form: instant, reads: outspoken}
	case reflect.TypeFor[json.RawMessage]():
		return &shape{form: verbatim, reads: verbatim}
	case reflect.TypeFor[json.Number]():
		return &shape{}
	}
	s := &shape{form: forms[t.Kind()]}
	switch {
	case s.form == list && t.Elem().Kind() == reflect.Uint8: // bytes are written in base64
		s.form = foreign
	case s.form == table && (t.Key().Kind() != reflect.String || methods(t.Key()) > 0):
		s.form = foreign
	case s.form == structure:
		if !s.gather(t, nil) {
			s.form = foreign
		}
	}
	s.reads = s.form
	if methods(t) > 0 {
		s.heed(t)
	}
	return s
}

// methods are the exported ones of a type and of a pointer to it.
func methods(t reflect.Type) int {
	if t.PkgPath() == "" && t.Kind() != reflect.Struct { // what has no name has none but those that it embeds
		return 0
	}
	return reflect.PointerTo(t).NumMethod()
}

// heed lets the methods of a type say how it is written and read.
func (s *shape) heed(t reflect.Type) {
	p := reflect.PointerTo(t)
	switch {
	case t.Implements(reflect.TypeFor[json.Marshaler]()):
		s.form = outspoken
	case p.Implements(reflect.TypeFor[json.Marshaler]()), p.Implements(reflect.TypeFor[encoding.TextMarshaler]()):
		s.form = foreign
	}
	switch {
	case p.Implements(reflect.TypeFor[json.Unmarshaler]()):
		s.reads = outspoken
	case p.Implements(reflect.TypeFor[encoding.TextUnmarshaler]()):
		s.reads = foreign
	}
}

// gather adds the fields of a structure that lies at an index in the one that is
// learned. It reports false where encoding/json has to say which of them count.
func (s *shape) gather(t reflect.Type, at []int) bool {
	for i := range t.NumField() {
		f := t.Field(i)
		tag := f.Tag.Get("json")
		name, options, _ := strings.Cut(tag, ",")
		if !f.IsExported() && !f.Anonymous || tag == "-" {
			continue
		}
		if f.Anonymous && name == "" {
			if f.Type.Kind() != reflect.Struct || !f.IsExported() || !s.gather(f.Type, append(at[:len(at):len(at)], i)) {
				return false
			}
			continue
		}
		if name == "" {
			name = f.Name
		}
		if !f.IsExported() || !plainName(name) || s.member(name) >= 0 {
			return false
		}
		m := member{name: name, key: `"` + name + `":`, index: append(at[:len(at):len(at)], i)}
		switch options {
		case "":
		case "omitempty":
			m.empty = true
		case "omitzero":
			if m.zero = true; f.Type != reflect.TypeFor[time.Time]() && reflect.PointerTo(f.Type).Implements(reflect.TypeFor[interface{ IsZero() bool }]()) {
				return false // which would have to be asked
			}
		default:
			return false
		}
		if s.members == nil {
			s.members = make([]member, 0, t.NumField())
		}
		s.members = append(s.members, m)
	}
	return true
}

// member is the place of a member, -1 for none.
func (s *shape) member(name string) int {
	for i := range s.members {
		if s.members[i].name == name {
			return i
		}
	}
	return -1
}

func plainName(name string) bool {
	for _, c := range []byte(name) {
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '_' && c != '-' {
			return false
		}
	}
	return name != ""
}
