package plainjson

import (
	"bytes"
	"encoding/json"
	"math"
	"reflect"
	"strconv"
	"unicode/utf8"
)

// Unmarshal is json.Unmarshal.
func Unmarshal(b []byte, v any) error {
	if to := reflect.ValueOf(v); to.Kind() == reflect.Pointer && !to.IsNil() && to.Elem().IsZero() {
		r := reader{b: b}
		if r.value(to.Elem(), 0) && r.next() == 0 && r.at == len(b) {
			return nil
		}
		to.Elem().SetZero() // of half a reading nothing stays
	}
	return json.Unmarshal(b, v)
}

// A reader goes through JSON once. Each of its methods reports false where only
// encoding/json can tell what is meant, or what is wrong.
type reader struct {
	b  []byte
	at int
}

// next is the next byte that is no space, 0 at the end.
func (r *reader) next() byte {
	for ; r.at < len(r.b); r.at++ {
		switch c := r.b[r.at]; c {
		case ' ', '\t', '\n', '\r':
		default:
			return c
		}
	}
	return 0
}

// skip passes a byte that must come next.
func (r *reader) skip(c byte) bool {
	ok := r.next() == c
	r.at++
	return ok
}

// word passes a word that must come next.
func (r *reader) word(w string) bool {
	r.next()
	ok := bytes.HasPrefix(r.b[min(r.at, len(r.b)):], []byte(w))
	r.at += len(w)
	return ok
}

// value reads into v, which is zero.
func (r *reader) value(v reflect.Value, depth int) bool {
	if depth > deepest {
		return false
	}
	s := shapeOf(v.Type())
	switch s.reads {
	case verbatim:
		raw, ok := r.raw()
		v.SetBytes(bytes.Clone(raw))
		return ok
	case outspoken:
		raw, ok := r.raw()
		u, _ := reflect.TypeAssert[json.Unmarshaler](v.Addr())
		return ok && u.UnmarshalJSON(raw) == nil
	case foreign:
		return false
	}
	if r.next() == 'n' { // leaves everything as it is
		return r.word("null")
	}
	switch s.reads {
	case boolean:
		v.SetBool(r.next() == 't')
		return v.Bool() && r.word("true") || !v.Bool() && r.word("false")
	case integer:
		n, err := strconv.ParseInt(r.number(), 10, v.Type().Bits())
		v.SetInt(n)
		return err == nil
	case natural:
		n, err := strconv.ParseUint(r.number(), 10, v.Type().Bits())
		v.SetUint(n)
		return err == nil
	case float:
		n, err := strconv.ParseFloat(r.number(), v.Type().Bits())
		v.SetFloat(n)
		return err == nil && !math.IsInf(n, 0)
	case text:
		said, ok := r.text()
		v.SetString(said)
		return ok
	case list:
		return v.Kind() == reflect.Slice && r.list(v, depth)
	case table:
		return r.table(v, depth)
	case pointer:
		v.Set(reflect.New(v.Type().Elem()))
		return r.value(v.Elem(), depth+1)
	}
	return r.structure(s, v, depth)
}

// number is the number that comes next, "" for what does not look like one.
func (r *reader) number() string {
	r.next()
	start := r.at
	for r.at < len(r.b) && (r.b[r.at] >= '0' && r.b[r.at] <= '9' || bytes.IndexByte([]byte("+-.eE"), r.b[r.at]) >= 0) {
		r.at++
	}
	if said := r.b[start:r.at]; json.Valid(said) {
		return string(said)
	}
	return ""
}

// text reads a string.
func (r *reader) text() (string, bool) {
	said, plain, ok := r.quoted()
	if !ok || plain {
		return string(said[min(1, len(said)):max(len(said)-1, 0)]), ok
	}
	var s string
	err := json.Unmarshal(said, &s)
	return s, err == nil
}

// quoted is the string that comes next, with its quotes; plain says that it means
// what it says.
func (r *reader) quoted() (said []byte, plain, ok bool) {
	if !r.skip('"') {
		return nil, false, false
	}
	start := r.at - 1
	plain = true
	for ; r.at < len(r.b); r.at++ {
		switch c := r.b[r.at]; {
		case c == '"':
			r.at++
			said = r.b[start:r.at]
			return said, plain && utf8.Valid(said), true
		case c == '\\':
			plain = false
			r.at++
		case c < ' ':
			return nil, false, false
		}
	}
	return nil, false, false
}

// raw is the value that comes next, whatever it is.
func (r *reader) raw() ([]byte, bool) {
	c := r.next()
	start, open := r.at, 0
	for r.at < len(r.b) {
		switch c = r.b[r.at]; c {
		case '"':
			if _, _, ok := r.quoted(); !ok {
				return nil, false
			}
			r.at--
		case '{', '[':
			open++
		case '}', ']':
			open--
		}
		if open < 0 || open == 0 && (c == ',' || c == ':') {
			break
		}
		r.at++
		if open == 0 && (c == '}' || c == ']' || c == '"') {
			break
		}
	}
	raw := bytes.TrimRight(r.b[start:r.at], " \t\n\r")
	return raw, json.Valid(raw)
}

func (r *reader) list(v reflect.Value, depth int) bool {
	if !r.skip('[') {
		return false
	}
	v.Set(reflect.MakeSlice(v.Type(), 0, 0))
	for n := 0; r.next() != ']'; n++ {
		if n > 0 && !r.skip(',') {
			return false
		}
		if n == v.Cap() {
			v.Grow(1)
		}
		v.SetLen(n + 1)
		if !r.value(v.Index(n), depth+1) {
			return false
		}
	}
	return r.skip(']')
}

func (r *reader) table(v reflect.Value, depth int) bool {
	if !r.skip('{') {
		return false
	}
	v.Set(reflect.MakeMap(v.Type()))
	for n := 0; r.next() != '}'; n++ {
		key, ok := r.key(n)
		if !ok {
			return false
		}
		k, elem := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		if k.SetString(key); !r.value(elem, depth+1) {
			return false
		}
		v.SetMapIndex(k, elem)
	}
	return r.skip('}')
}

// key reads the name of the n-th member, with what stands around it.
func (r *reader) key(n int) (string, bool) {
	if n > 0 && !r.skip(',') {
		return "", false
	}
	key, ok := r.text()
	return key, ok && r.skip(':')
}

func (r *reader) structure(s *shape, v reflect.Value, depth int) bool {
	if !r.skip('{') {
		return false
	}
	var seen uint64
	for n := 0; r.next() != '}'; n++ {
		key, ok := r.key(n)
		if !ok {
			return false
		}
		i := s.member(key)
		if i < 0 || i >= 64 || seen&(1<<i) != 0 { // perhaps in other letters, or once more
			return false
		}
		seen |= 1 << i
		if !r.value(v.FieldByIndex(s.members[i].index), depth+1) {
			return false
		}
	}
	return r.skip('}')
}
