package jot

import (
	"bytes"
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// A writer writes one value and what it holds.
type writer struct {
	types
	html bool // escape what is special in HTML
}

// value appends v; ok is false for what is left to encoding/json.
func (w writer) value(b []byte, v reflect.Value) (_ []byte, ok bool) {
	if !v.IsValid() {
		return append(b, "null"...), true
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return append(b, "null"...), true
		}
		return w.value(b, v.Elem())
	}
	t := v.Type()
	switch t {
	case timeType:
		text, err := v.Interface().(time.Time).MarshalJSON()
		return append(b, text...), err == nil
	case rawType:
		return w.raw(b, v.Bytes())
	}
	s := &shape{}
	if t.PkgPath() != "" || t.Kind() == reflect.Struct {
		s = w.of(t)
	}
	switch {
	case s.unknown:
		return b, false
	case s.writes:
		text, err := v.Interface().(json.Marshaler).MarshalJSON()
		if err != nil {
			return b, false
		}
		return append(b, text...), true
	}
	switch v.Kind() {
	case reflect.Struct:
		return w.object(b, v, s)
	case reflect.String:
		return w.text(b, v.String()), true
	case reflect.Bool:
		return strconv.AppendBool(b, v.Bool()), true
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return strconv.AppendInt(b, v.Int(), 10), true
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return strconv.AppendUint(b, v.Uint(), 10), true
	case reflect.Float64:
		return appendFloat(b, v.Float())
	case reflect.Slice:
		return w.list(b, v)
	case reflect.Map:
		return w.mapping(b, v)
	}
	return b, false
}

// raw appends JSON that somebody else made.
func (w writer) raw(b, text []byte) ([]byte, bool) {
	if text == nil {
		return append(b, "null"...), true
	}
	if w.html && bytes.ContainsAny(text, "<>&\u2028\u2029") {
		return b, false
	}
	out := bytes.NewBuffer(b)
	err := json.Compact(out, text)
	return out.Bytes(), err == nil
}

func (w writer) object(b []byte, v reflect.Value, s *shape) ([]byte, bool) {
	b = append(b, '{')
	more := false
	for i := range s.fields {
		f := &s.fields[i]
		x, ok := f.in(v)
		if !ok || f.omitEmpty && empty(x) || f.omitZero && zero(x) {
			continue
		}
		if more {
			b = append(b, ',')
		}
		more = true
		b = append(w.text(b, f.name), ':')
		if b, ok = w.value(b, x); !ok {
			return b, false
		}
	}
	return append(b, '}'), true
}

func empty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Slice, reflect.Map, reflect.String, reflect.Array:
		return v.Len() == 0
	case reflect.Struct:
		return false
	}
	return v.IsZero()
}

func zero(v reflect.Value) bool {
	if z, ok := v.Interface().(interface{ IsZero() bool }); ok && v.Kind() == reflect.Struct {
		return z.IsZero()
	}
	return v.IsZero()
}

func (w writer) list(b []byte, v reflect.Value) ([]byte, bool) {
	if v.IsNil() {
		return append(b, "null"...), true
	}
	if v.Type().Elem().Kind() == reflect.Uint8 {
		return b, false // base64
	}
	b = append(b, '[')
	for i := range v.Len() {
		if i > 0 {
			b = append(b, ',')
		}
		var ok bool
		if b, ok = w.value(b, v.Index(i)); !ok {
			return b, false
		}
	}
	return append(b, ']'), true
}

func (w writer) mapping(b []byte, v reflect.Value) ([]byte, bool) {
	if v.IsNil() {
		return append(b, "null"...), true
	}
	if key := v.Type().Key(); key.Kind() != reflect.String || w.of(key).unknown || key.Implements(writingText) {
		return b, false
	}
	type member struct {
		key   string
		value reflect.Value
	}
	members := make([]member, 0, v.Len())
	for each := v.MapRange(); each.Next(); {
		members = append(members, member{each.Key().String(), each.Value()})
	}
	slices.SortFunc(members, func(x, y member) int { return strings.Compare(x.key, y.key) })
	b = append(b, '{')
	for i, m := range members {
		if i > 0 {
			b = append(b, ',')
		}
		var ok bool
		b = append(w.text(b, m.key), ':')
		if b, ok = w.value(b, m.value); !ok {
			return b, false
		}
	}
	return append(b, '}'), true
}

// appendFloat writes as ES6 does, with an exponent where a number is very large or
// small.
func appendFloat(b []byte, f float64) ([]byte, bool) {
	if math.IsInf(f, 0) || math.IsNaN(f) {
		return b, false
	}
	if abs := math.Abs(f); abs != 0 && (abs < 1e-6 || abs >= 1e21) {
		text, err := json.Marshal(f)
		return append(b, text...), err == nil
	}
	return strconv.AppendFloat(b, f, 'f', -1, 64), true
}

const hex = "0123456789abcdef"

// text appends a string.
func (w writer) text(b []byte, s string) []byte {
	b = append(b, '"')
	from := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= ' ' && c < utf8.RuneSelf && c != '"' && c != '\\' && (!w.html || c != '<' && c != '>' && c != '&') {
			i++
			continue
		}
		if c < utf8.RuneSelf {
			b = append(b, s[from:i]...)
			b = appendEscape(b, c)
			i++
			from = i
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			b = append(append(b, s[from:i]...), `\ufffd`...)
		case r == '\u2028' || r == '\u2029': // JavaScript does not take them in a string
			b = append(append(b, s[from:i]...), `\u202`...)
			b = append(b, hex[r&0xf])
		default:
			i += size
			continue
		}
		i += size
		from = i
	}
	return append(append(b, s[from:]...), '"')
}

func appendEscape(b []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(b, '\\', c)
	case '\b':
		return append(b, '\\', 'b')
	case '\f':
		return append(b, '\\', 'f')
	case '\n':
		return append(b, '\\', 'n')
	case '\r':
		return append(b, '\\', 'r')
	case '\t':
		return append(b, '\\', 't')
	}
	return append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&0xf])
}
