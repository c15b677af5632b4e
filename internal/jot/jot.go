// Package jot writes and reads the same JSON as encoding/json, for a process that
// lives ten milliseconds and meets each type once. encoding/json first learns a
// type and every type that it might hold, which pays for a million values of them;
// of a one-shot turn it was a tenth. Here a struct is looked through when a value
// of it is met, and forgotten after the call. What this package does not know,
// marshalers of maps' keys for one, it leaves to encoding/json as a whole, so it is
// never wrong, only slow. What a type's own MarshalJSON gives is taken as it is: ours
// give compact JSON. A process that writes the same types all day is better
// served there.
//
// Pure.
package jot

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"time"
)

// Marshal is [json.Marshal].
func Marshal(v any) ([]byte, error) {
	w := writer{types: types{}, html: true}
	if b, ok := w.value(make([]byte, 0, 2<<10), reflect.ValueOf(v)); ok {
		return b, nil
	}
	return json.Marshal(v)
}

// Plain is v as a [json.Encoder] writes it that does not escape for HTML.
func Plain(v any) ([]byte, error) {
	w := writer{types: types{}}
	if b, ok := w.value(make([]byte, 0, 2<<10), reflect.ValueOf(v)); ok {
		return b, nil
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), err
}

// Unmarshal is [json.Unmarshal] for b that is known to be JSON: because we wrote it
// and its checksum holds, or because a decoder has been through it.
func Unmarshal(b []byte, v any) error {
	to := reflect.ValueOf(v)
	if to.Kind() == reflect.Pointer && !to.IsNil() && to.Elem().IsZero() {
		r, fresh := reader{types: types{}, b: b}, reflect.New(to.Type().Elem()).Elem()
		if r.value(fresh) && r.space() == len(b) {
			to.Elem().Set(fresh)
			return nil
		}
	}
	return json.Unmarshal(b, v)
}

// types are the structs that a call has met.
type types map[reflect.Type]*shape

// A shape is what JSON needs to know of a type.
type shape struct {
	fields  []field // of a struct
	writes  bool    // it has a MarshalJSON
	reads   bool    // its pointer has an UnmarshalJSON
	unknown bool    // it is one for encoding/json
}

// A field is a member of a struct's object.
type field struct {
	name      string
	at        []int // behind embedded structs, see reflect.Value.FieldByIndex
	omitEmpty bool
	omitZero  bool
}

var (
	timeType    = reflect.TypeFor[time.Time]()
	rawType     = reflect.TypeFor[json.RawMessage]()
	writing     = reflect.TypeFor[json.Marshaler]()
	reading     = reflect.TypeFor[json.Unmarshaler]()
	writingText = reflect.TypeFor[interface{ MarshalText() ([]byte, error) }]()
	readingText = reflect.TypeFor[interface{ UnmarshalText([]byte) error }]()
)

// of is the shape of a type.
func (ts types) of(t reflect.Type) *shape {
	if s := ts[t]; s != nil {
		return s
	}
	s := &shape{}
	ts[t] = s
	if t.PkgPath() == "encoding/json" {
		s.unknown = true // a Number, which is a string that is none
		return s
	}
	if t.PkgPath() != "" { // only what has a name has methods
		to := reflect.PointerTo(t)
		s.writes, s.reads = t.Implements(writing), to.Implements(reading)
		s.unknown = !s.writes && (to.Implements(writing) || to.Implements(writingText)) || !s.reads && to.Implements(readingText)
	}
	if t.Kind() == reflect.Struct && !s.writes && !s.unknown {
		s.fields, s.unknown = fieldsOf(t)
	}
	return s
}

// fieldsOf are the members of a struct; unknown says that its rules are too
// uncommon: options of tags beyond two, and names that two embedded structs share.
func fieldsOf(t reflect.Type) (fields []field, unknown bool) {
	own, embedded := map[string]bool{}, false
	for i := range t.NumField() {
		f := t.Field(i)
		tag := f.Tag.Get("json")
		if f.Anonymous && tag == "" {
			embedded = true
			continue
		}
		name, _, _ := strings.Cut(tag, ",")
		if name == "" {
			name = f.Name
		}
		own[name] = true
	}
	for i := range t.NumField() {
		f := t.Field(i)
		tag := f.Tag.Get("json")
		switch {
		case tag == "-":
			continue
		case f.Anonymous && tag == "":
			inner := f.Type
			if inner.Kind() == reflect.Pointer {
				inner = inner.Elem()
			}
			if inner.Kind() != reflect.Struct || !f.IsExported() {
				return nil, true
			}
			more, strange := fieldsOf(inner)
			if strange {
				return nil, true
			}
			for _, m := range more {
				if own[m.name] {
					continue
				}
				for _, have := range fields {
					if have.name == m.name {
						return nil, true
					}
				}
				m.at = append([]int{i}, m.at...)
				fields = append(fields, m)
			}
			continue
		case !f.IsExported():
			continue
		}
		name, options, _ := strings.Cut(tag, ",")
		m := field{name: name, at: f.Index}
		if name == "" {
			m.name = f.Name
		}
		for options != "" {
			var o string
			switch o, options, _ = strings.Cut(options, ","); o {
			case "omitempty":
				m.omitEmpty = true
			case "omitzero":
				m.omitZero = true
			default:
				return nil, true
			}
		}
		fields = append(fields, m)
	}
	return fields, embedded && repeated(fields)
}

func repeated(fields []field) bool {
	seen := map[string]bool{}
	for _, f := range fields {
		if seen[f.name] {
			return true
		}
		seen[f.name] = true
	}
	return false
}

// in is the field of a struct; ok is false behind an embedded nil.
func (f *field) in(v reflect.Value) (_ reflect.Value, ok bool) {
	for n, i := range f.at {
		if n > 0 && v.Kind() == reflect.Pointer {
			if v.IsNil() {
				return v, false
			}
			v = v.Elem()
		}
		v = v.Field(i)
	}
	return v, true
}
