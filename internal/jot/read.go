package jot

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxDepth is how deep values may lie in each other before encoding/json is asked,
// which has a bound of its own.
const maxDepth = 64

// A reader reads JSON that is known to be good; what looks otherwise is left to
// encoding/json, which says what is wrong with it.
type reader struct {
	types
	b     []byte
	i     int // the next byte
	depth int
}

// space skips white space, and is where the next byte is.
func (r *reader) space() int {
	for r.i < len(r.b) && (r.b[r.i] == ' ' || r.b[r.i] == '\n' || r.b[r.i] == '\t' || r.b[r.i] == '\r') {
		r.i++
	}
	return r.i
}

// next takes one of the bytes; 0 when another one is there.
func (r *reader) next(any string) byte {
	if r.space() < len(r.b) && strings.IndexByte(any, r.b[r.i]) >= 0 {
		r.i++
		return r.b[r.i-1]
	}
	return 0
}

// value reads the next value into v; ok is false for what is left to encoding/json.
func (r *reader) value(v reflect.Value) (ok bool) {
	if r.depth++; r.depth > maxDepth || r.space() == len(r.b) {
		return false
	}
	defer func() { r.depth-- }()
	if v.Kind() == reflect.Pointer {
		if r.b[r.i] == 'n' {
			return r.skip() != nil
		}
		to := reflect.New(v.Type().Elem())
		v.Set(to)
		return r.value(to.Elem())
	}
	t := v.Type()
	if t == rawType {
		text := r.skip()
		v.SetBytes(bytes.Clone(text))
		return text != nil
	}
	s := &shape{}
	if t.PkgPath() != "" || t.Kind() == reflect.Struct {
		s = r.of(t)
	}
	switch {
	case s.reads:
		text := r.skip()
		return text != nil && v.Addr().Interface().(json.Unmarshaler).UnmarshalJSON(text) == nil
	case s.unknown:
		return false
	case r.b[r.i] == 'n':
		return r.skip() != nil
	}
	switch v.Kind() {
	case reflect.Struct:
		return r.object(v, s)
	case reflect.Slice:
		return r.list(v)
	case reflect.Map:
		return r.mapping(v)
	case reflect.String:
		text, ok := r.text()
		v.SetString(text)
		return ok
	case reflect.Bool:
		text := string(r.skip())
		v.SetBool(text == "true")
		return text == "true" || text == "false"
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		n, err := strconv.ParseInt(string(r.skip()), 10, 64)
		if err != nil || v.OverflowInt(n) {
			return false
		}
		v.SetInt(n)
		return true
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		n, err := strconv.ParseUint(string(r.skip()), 10, 64)
		if err != nil || v.OverflowUint(n) {
			return false
		}
		v.SetUint(n)
		return true
	}
	return false
}

func (r *reader) object(v reflect.Value, s *shape) bool {
	return r.members(func(name string) bool {
		f := s.named(name)
		if f == nil {
			return r.skip() != nil
		}
		x, ok := f.in(v)
		return ok && r.value(x)
	})
}

// named is the field that a member goes to, nil for none.
func (s *shape) named(name string) *field {
	for i := range s.fields {
		if s.fields[i].name == name {
			return &s.fields[i]
		}
	}
	for i := range s.fields {
		if strings.EqualFold(s.fields[i].name, name) {
			return &s.fields[i]
		}
	}
	return nil
}

func (r *reader) mapping(v reflect.Value) bool {
	t := v.Type()
	if t.Key().Kind() != reflect.String || r.of(t.Key()).unknown || r.of(t.Key()).reads {
		return false
	}
	v.Set(reflect.MakeMap(t))
	return r.members(func(name string) bool {
		x := reflect.New(t.Elem()).Elem()
		if !r.value(x) {
			return false
		}
		v.SetMapIndex(reflect.ValueOf(name).Convert(t.Key()), x)
		return true
	})
}

// members calls take at the value of each member of an object.
func (r *reader) members(take func(name string) bool) bool {
	if r.next("{") == 0 {
		return false
	}
	if r.next("}") != 0 {
		return true
	}
	for {
		name, ok := r.text()
		if !ok || r.next(":") == 0 || !take(name) {
			return false
		}
		switch r.next(",}") {
		case '}':
			return true
		case 0:
			return false
		}
	}
}

func (r *reader) list(v reflect.Value) bool {
	if v.Type().Elem().Kind() == reflect.Uint8 || r.next("[") == 0 {
		return false
	}
	v.Set(reflect.MakeSlice(v.Type(), 0, 0))
	if r.next("]") != 0 {
		return true
	}
	for n := 0; ; n++ {
		if n == v.Cap() {
			v.Grow(1)
		}
		v.SetLen(n + 1)
		if !r.value(v.Index(n)) {
			return false
		}
		switch r.next(",]") {
		case ']':
			return true
		case 0:
			return false
		}
	}
}

// text reads a string.
func (r *reader) text() (string, bool) {
	raw := r.skip()
	if len(raw) < 2 || raw[0] != '"' {
		return "", false
	}
	if inner := raw[1 : len(raw)-1]; bytes.IndexByte(inner, '\\') < 0 && utf8.Valid(inner) {
		return string(inner), true
	}
	var s string
	err := json.Unmarshal(raw, &s)
	return s, err == nil
}

// skip passes over the next value and is its bytes, nil when it does not end.
func (r *reader) skip() []byte {
	from, depth := r.space(), 0
	for r.i < len(r.b) {
		switch c := r.b[r.i]; c {
		case '"':
			if !r.endString() {
				return nil
			}
		case '{', '[':
			depth++
			r.i++
		case '}', ']':
			if depth == 0 {
				return nil
			}
			depth--
			r.i++
		case ',', ':', ' ', '\n', '\t', '\r':
			if depth == 0 {
				return nil
			}
			r.i++
			continue
		default:
			for r.i < len(r.b) && strings.IndexByte(",:]} \n\t\r", r.b[r.i]) < 0 {
				r.i++
			}
		}
		if depth == 0 {
			return r.b[from:r.i]
		}
	}
	return nil
}

// endString passes over the string that begins here.
func (r *reader) endString() bool {
	for r.i++; ; {
		n := bytes.IndexByte(r.b[r.i:], '"')
		if n < 0 {
			return false
		}
		r.i += n + 1
		slashes := 0
		for r.b[r.i-2-slashes] == '\\' {
			slashes++
		}
		if slashes%2 == 0 {
			return true
		}
	}
}
