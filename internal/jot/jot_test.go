package jot_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/jot"
)

// odd are strings that JSON has to do something about, and some that it has not.
var odd = []string{"", "plain", "with \"quotes\" and \\", "line\nbreak\r\t\b\f\x00\x1f\x7f", "a <b> & c", "déjà 記憶 🙂",
	"\u2028 \u2029", "invalid \xff\xfe", "\xed\xa0\x80", "{\"a\":[1,2]}", strings.Repeat("long ", 400)}

// fill sets v to anything.
func fill(r *rand.Rand, v reflect.Value, depth int) {
	if !v.CanSet() || r.IntN(5) == 0 {
		return
	}
	switch v.Interface().(type) {
	case time.Time:
		v.Set(reflect.ValueOf(time.Unix(r.Int64N(4e9), r.Int64N(1e9)).In([]*time.Location{time.UTC, time.FixedZone("", -16200)}[r.IntN(2)])))
		return
	case json.RawMessage:
		v.SetBytes([]byte([]string{`{"a":[1,null,"x"]}`, ` [ 1 , 2 ] `, `"s"`, `7`, `"<&>"`}[r.IntN(5)]))
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(odd[r.IntN(len(odd))])
	case reflect.Bool:
		v.SetBool(r.IntN(2) == 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(r.Int64N(100) - 50)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(r.Uint64N(100))
	case reflect.Float64:
		v.SetFloat([]float64{0, -1.5, 1e-7, 3e21, 0.1, 1.0 / 3, 123456789, -4e-300}[r.IntN(8)])
	case reflect.Struct:
		for i := range v.NumField() {
			fill(r, v.Field(i), depth+1)
		}
	case reflect.Pointer:
		if depth < 6 {
			v.Set(reflect.New(v.Type().Elem()))
			fill(r, v.Elem(), depth+1)
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), r.IntN(4), 8))
		for i := range v.Len() {
			fill(r, v.Index(i), depth+1)
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for range r.IntN(4) {
			key, x := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			fill(r, key, depth+1)
			fill(r, x, depth+1)
			v.SetMapIndex(key, x)
		}
	}
}

var _ = Middle{}.hidden // it is there to be left out

// An inner struct and others that try the rules of embedding and of tags.
type (
	inner struct {
		Shadowed, Seen string
		Deep           map[string][]int
	}
	Outer struct {
		*Middle
		Shadowed string `json:",omitempty"`
		Number   json.Number
	}
	Middle struct {
		Shadowed, Seen string
		Deep           map[string][]int
		hidden         int
	}
	odds struct {
		Any     any
		Anys    []any
		Bytes   []byte
		Array   [2]int
		ByInt   map[int]string
		AsText  int `json:",string"`
		Renamed int `json:"the_name"`
		Left    int `json:"-"`
		Cased   string
		Zero    time.Time `json:",omitzero"`
		Empty   time.Time `json:",omitempty"`
		Level   level
		Levels  map[level]int
		Ptr     **int
		inner
	}
	Cell2 struct {
		Same string
	}
	twice struct {
		Cell2
		Cell3
	}
	Cell3 struct {
		Same string
	}
	level int
)

func (l level) MarshalText() ([]byte, error) { return fmt.Appendf(nil, "level %d", int(l)), nil }
func (l *level) UnmarshalText(b []byte) error {
	_, err := fmt.Sscanf(string(b), "level %d", (*int)(l))
	return err
}

// samples are the types of a turn, and odd ones.
func samples() []any {
	return []any{new(pimento.Turn), new(pimento.Block), new(pimento.Trace), new(pimento.Event), new(pimento.Entry), new(pimento.Standing),
		new(pimento.Deed), new(pimento.Plan), new(pimento.Proposal), new(pimento.Profile), new(Outer), new(odds), new(twice), new(map[string]string), new([]string),
		new(string), new(bool), new(any), new(time.Time), new(json.RawMessage)}
}

func TestSameAsEncodingJSON(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 11))
	for range 300 {
		for _, v := range samples() {
			fill(r, reflect.ValueOf(v).Elem(), 0)
			name := fmt.Sprintf("%T", v)
			want, wantErr := json.Marshal(v)
			got, err := jot.Marshal(v)
			if string(got) != string(want) || fmt.Sprint(err) != fmt.Sprint(wantErr) {
				t.Fatalf("%s: Marshal = %s, %v\nwant %s, %v", name, got, err, want, wantErr)
			}
			var plain bytes.Buffer
			enc := json.NewEncoder(&plain)
			enc.SetEscapeHTML(false)
			wantErr = enc.Encode(v)
			got, err = jot.Plain(v)
			if string(got) != strings.TrimSuffix(plain.String(), "\n") || fmt.Sprint(err) != fmt.Sprint(wantErr) {
				t.Fatalf("%s: Plain = %s, %v\nwant %s, %v", name, got, err, plain.String(), wantErr)
			}
			if wantErr != nil {
				continue
			}
			sameRead(t, want, v)
			sameRead(t, got, v)
		}
	}
}

// sameRead reads b twice into a value of v's type.
func sameRead(t *testing.T, b []byte, v any) {
	t.Helper()
	want, got := reflect.New(reflect.TypeOf(v).Elem()), reflect.New(reflect.TypeOf(v).Elem())
	wantErr, err := json.Unmarshal(b, want.Interface()), jot.Unmarshal(b, got.Interface())
	if fmt.Sprint(err) != fmt.Sprint(wantErr) || !reflect.DeepEqual(got.Interface(), want.Interface()) {
		t.Fatalf("%T: Unmarshal(%s) =\n%+v, %v\nwant\n%+v, %v", v, b, got.Elem(), err, want.Elem(), wantErr)
	}
}

// What somebody else wrote has members in another case, twice, of the wrong type, or
// that nobody knows.
func TestReadsWhatOthersWrite(t *testing.T) {
	for _, b := range []string{`null`, `{}`, `7`, `[]`, `"x"`, ` { "event" : "prompt" } `, `{"EVENT":"prompt","Cwd":"/x"}`,
		`{"event":"a","event":"b"}`, `{"event":7}`, `{"in_context":{}}`, `{"in_context":null}`, `{"in_context":[]}`, `{"in_context":["a",null,"b"]}`,
		`{"in_context":[1]}`, `{"system_tokens":1.5}`, `{"system_tokens":1e2}`, `{"system_tokens":99999999999999999999}`, `{"off":"true"}`, `{"off":null}`,
		`{"unknown":{"a":[1,{"b":"}]\\\""}],"c":-1.5e3},"event":"x"}`, `{"tools":[{"name":"a","error":true},{}]}`, `{"tools":[null]}`,
		`{"dropped":[{"role":"user","text":"\ud83d\ude42 \u00e9"}]}`, `{"Event\u0000":1}`, `{"\u0065vent":"x"}`, `{"event":"\ud800"}`} {
		if !json.Valid([]byte(b)) {
			t.Fatal(b)
		}
		sameRead(t, []byte(b), new(pimento.Turn))
		sameRead(t, []byte(b), new(map[string]string))
		sameRead(t, []byte(b), new(Outer))
	}
}

// What is no JSON after all is an error, and no more than that.
func TestNoJSONIsAnError(t *testing.T) {
	good := []byte(`{"event":"prompt","in_context":["a","b\""],"tools":[{"name":"x"}],"system_tokens":12}`)
	for n := range good {
		var turn pimento.Turn
		if err := jot.Unmarshal(good[:n], &turn); err == nil {
			t.Errorf("%s was taken", good[:n])
		}
	}
}

func FuzzUnmarshal(f *testing.F) {
	f.Add([]byte(`{"event":"prompt","in_context":["a"],"tools":[{"name":"x"}]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		var turn pimento.Turn
		_ = jot.Unmarshal(b, &turn) // whatever it says of what is no JSON
		if json.Valid(b) {
			sameRead(t, b, new(pimento.Turn))
		}
	})
}
