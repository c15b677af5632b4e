package plainjson

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

// Marshal is json.Marshal.
func Marshal(v any) ([]byte, error) {
	if b, ok := (writer{html: true}).whole(v); ok {
		return b, nil
	}
	return json.Marshal(v)
}

// Line is v as a json.Encoder writes it that does not escape for HTML, with a newline
// behind it.
func Line(v any) ([]byte, error) {
	if b, ok := (writer{}).whole(v); ok {
		return append(b, '\n'), nil
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return out.Bytes(), err
}

// deepest is how deep a value may hold others here. What goes deeper may hold itself.
const deepest = 100

type writer struct {
	html bool // '<', '>' and '&' are escaped
}

// whole writes a value that stands in no other one, into as much room as the last one
// of its type has taken.
func (w writer) whole(v any) (b []byte, ok bool) {
	if v == nil {
		return w.value(nil, reflect.Value{}, 0)
	}
	s := shapeOf(reflect.TypeOf(v))
	if b, ok = w.value(make([]byte, 0, max(512, s.size.Load()+64)), reflect.ValueOf(v), 0); ok {
		s.size.Store(int64(len(b)))
	}
	return b, ok
}

// value appends a value; ok is false where only encoding/json knows how.
func (w writer) value(b []byte, v reflect.Value, depth int) (_ []byte, ok bool) {
	if !v.IsValid() || depth > deepest {
		return b, false
	}
	s := shapeOf(v.Type())
	switch s.form {
	case boolean:
		return strconv.AppendBool(b, v.Bool()), true
	case integer:
		return strconv.AppendInt(b, v.Int(), 10), true
	case natural:
		return strconv.AppendUint(b, v.Uint(), 10), true
	case float:
		return appendFloat(b, v.Float(), v.Type().Bits())
	case text:
		return w.text(b, v.String()), true
	case list:
		return w.list(b, v, depth)
	case table:
		return w.table(b, v, depth)
	case pointer:
		if v.IsNil() {
			return append(b, "null"...), true
		}
		return w.value(b, v.Elem(), depth+1)
	case structure:
		return w.structure(b, s, v, depth)
	case instant:
		t, _ := reflect.TypeAssert[time.Time](v)
		b, err := t.AppendText(append(b, '"'))
		return append(b, '"'), err == nil
	case verbatim:
		if v.IsNil() {
			return append(b, "null"...), true
		}
		return w.compact(b, v.Bytes())
	case outspoken:
		m, _ := reflect.TypeAssert[json.Marshaler](v)
		said, err := m.MarshalJSON()
		if err != nil {
			return b, false
		}
		return w.compact(b, said)
	}
	return b, false
}

func (w writer) list(b []byte, v reflect.Value, depth int) (_ []byte, ok bool) {
	if v.Kind() == reflect.Slice && v.IsNil() {
		return append(b, "null"...), true
	}
	b = append(b, '[')
	for i := range v.Len() {
		if i > 0 {
			b = append(b, ',')
		}
		if b, ok = w.value(b, v.Index(i), depth+1); !ok {
			return b, false
		}
	}
	return append(b, ']'), true
}

func (w writer) table(b []byte, v reflect.Value, depth int) (_ []byte, ok bool) {
	if v.IsNil() {
		return append(b, "null"...), true
	}
	keys := v.MapKeys()
	slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
	b = append(b, '{')
	for i, k := range keys {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(w.text(b, k.String()), ':')
		if b, ok = w.value(b, v.MapIndex(k), depth+1); !ok {
			return b, false
		}
	}
	return append(b, '}'), true
}

func (w writer) structure(b []byte, s *shape, v reflect.Value, depth int) (_ []byte, ok bool) {
	open := len(b)
	b = append(b, '{')
	for i := range s.members {
		m := &s.members[i]
		f := v.FieldByIndex(m.index)
		if m.empty && isEmpty(f) || m.zero && isZero(f) {
			continue
		}
		if len(b) > open+1 {
			b = append(b, ',')
		}
		if b, ok = w.value(append(b, m.key...), f, depth+1); !ok {
			return b, false
		}
	}
	return append(b, '}'), true
}

// isEmpty is what omitempty asks.
func isEmpty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Array, reflect.Map, reflect.Slice, reflect.String:
		return v.Len() == 0
	case reflect.Struct:
		return false
	}
	return v.IsZero()
}

// isZero is what omitzero asks.
func isZero(v reflect.Value) bool {
	if t, ok := reflect.TypeAssert[time.Time](v); ok {
		return t.IsZero()
	}
	return v.IsZero()
}

// appendFloat writes a number as encoding/json does: as JavaScript would.
func appendFloat(b []byte, f float64, bits int) ([]byte, bool) {
	if math.IsInf(f, 0) || math.IsNaN(f) {
		return b, false
	}
	small, large := 1e-6, 1e21
	if bits == 32 {
		small, large = float64(float32(small)), float64(float32(large))
	}
	if abs := math.Abs(f); abs == 0 || abs >= small && abs < large {
		return strconv.AppendFloat(b, f, 'f', -1, bits), true
	}
	b = strconv.AppendFloat(b, f, 'e', -1, bits)
	if n := len(b); n >= 4 && (b[n-4] == 'e' && b[n-3] == '-' && b[n-2] == '0') {
		b[n-2] = b[n-1] // e-09 is e-9
		b = b[:n-1]
	}
	return b, true
}

// compact appends JSON that somebody else wrote.
func (w writer) compact(b, said []byte) ([]byte, bool) {
	var tight bytes.Buffer
	if json.Compact(&tight, said) != nil {
		return b, false
	}
	if w.html {
		out := bytes.NewBuffer(b)
		json.HTMLEscape(out, tight.Bytes())
		return out.Bytes(), true
	}
	return append(b, tight.Bytes()...), true
}

// text appends a string in quotes.
func (w writer) text(b []byte, s string) []byte {
	b = append(b, '"')
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			if c >= ' ' && c != '"' && c != '\\' && (!w.html || c != '<' && c != '>' && c != '&') {
				i++
				continue
			}
			b = append(append(b, s[start:i]...), escape(c)...)
			i++
			start = i
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			b = append(append(b, s[start:i]...), `\ufffd`...)
			start = i + n
		case r == '\u2028' || r == '\u2029': // which JavaScript takes for ends of lines
			b = append(append(b, s[start:i]...), `\u202`...)
			b = append(b, hexDigits[r&0xf])
			start = i + n
		}
		i += n
	}
	return append(append(b, s[start:]...), '"')
}

const hexDigits = "0123456789abcdef"

// escape is how a character is written that cannot stand for itself.
func escape(c byte) string {
	switch c {
	case '"':
		return `\"`
	case '\\':
		return `\\`
	case '\b':
		return `\b`
	case '\f':
		return `\f`
	case '\n':
		return `\n`
	case '\r':
		return `\r`
	case '\t':
		return `\t`
	}
	return `\u00` + string([]byte{hexDigits[c>>4], hexDigits[c&0xf]})
}
