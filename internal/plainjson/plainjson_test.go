package plainjson_test

import (
	"bytes"
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
	"github.com/pimento-memory/pimento/internal/inject"
	"github.com/pimento-memory/pimento/internal/plainjson"
	"github.com/pimento-memory/pimento/internal/session"
	"github.com/pimento-memory/pimento/internal/tool"
	"github.com/pimento-memory/pimento/internal/usage"
)

// ways has what types come in, plain or not.
type ways struct {
	Plain   string  `json:"plain"`
	Empty   string  `json:",omitempty"`
	Skipped string  `json:"-"`
	Dash    string  `json:"-,"`
	B       bool    `json:"b,omitempty"`
	I8      int8    `json:"i8"`
	U16     uint16  `json:"u16,omitempty"`
	F       float64 `json:"f"`
	F32     float32 `json:"f32,omitempty"`
	kept    int
	List    []string           `json:"list"`
	Lists   [][]int            `json:"lists,omitempty"`
	Four    [4]bool            `json:"four,omitempty"`
	Map     map[string]float64 `json:"map"`
	Named   map[named]*ways    `json:"named,omitempty"`
	At      time.Time          `json:"at"`
	Zero    time.Time          `json:"zero,omitzero"`
	Raw     json.RawMessage    `json:"raw,omitempty"`
	Pointer *embedded          `json:"pointer"`
	Ref     *string            `json:"ref,omitzero"`
	Embedded
	Own words `json:"own,omitempty"`
}

type (
	named     string
	embedded  struct{ X, Y int }
	embedded2 struct{ Quiet int }
	Embedded  struct {
		Inner string `json:"inner"`
		Deep  struct{ A, B named }
	}
	words []string // says itself how it is written
)

func (w words) MarshalJSON() ([]byte, error) { return json.Marshal("<" + strings.Join(w, " ")) }
func (w *words) UnmarshalJSON(b []byte) error {
	var s string
	err := json.Unmarshal(b, &s)
	*w = strings.Fields(strings.TrimPrefix(s, "<"))
	return err
}

// What is not plain, and goes to encoding/json.
type (
	asText  struct{ S string }
	strange struct {
		embedded2
		Any   any
		Bytes []byte
		Num   json.Number
		N     int `json:"n,string"`
		Text  map[asText]string
		T     asText
		Ptr   struct{ *embedded }
		P     byPointer
		Z     sometimes `json:",omitzero"`
	}
	twice struct {
		Embedded
		Inner string `json:"inner"`
	}
	byPointer struct{ N int }
	sometimes int
)

func (t asText) MarshalText() ([]byte, error)     { return []byte(strings.ToUpper(t.S)), nil }
func (t *asText) UnmarshalText(b []byte) error    { t.S = strings.ToLower(string(b)); return nil }
func (p *byPointer) MarshalJSON() ([]byte, error) { return []byte(`"by pointer"`), nil }
func (s sometimes) IsZero() bool                  { return s == 7 }

// types are those that the tests hold against encoding/json: the ones above, and
// every record that a hook reads or writes.
func types() []reflect.Type {
	return append(records(), reflect.TypeFor[ways](), reflect.TypeFor[strange](), reflect.TypeFor[twice](), reflect.TypeFor[map[named][]*ways](),
		reflect.TypeFor[any](), reflect.TypeFor[[]byte](), reflect.TypeFor[float32](), reflect.TypeFor[inject.Facts]())
}

func records() []reflect.Type {
	return []reflect.Type{reflect.TypeFor[pimento.Turn](), reflect.TypeFor[pimento.Event](), reflect.TypeFor[pimento.Trace](),
		reflect.TypeFor[session.State](), reflect.TypeFor[session.Frozen](), reflect.TypeFor[tool.TurnReply](), reflect.TypeFor[usage.Row](),
		reflect.TypeFor[inject.Item](), reflect.TypeFor[inject.Change](), reflect.TypeFor[inject.Text](), reflect.TypeFor[engine.Consent]()}
}

// None of the records may be left to encoding/json, which would learn it anew in
// every process.
func TestRecordsArePlain(t *testing.T) {
	for _, typ := range append(records(), reflect.TypeFor[ways]()) {
		if f := plainjson.Foreign(typ); f != nil {
			t.Errorf("%v is left to encoding/json, because of %v", typ, f)
		}
	}
}

func TestWritesAsEncodingJSON(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, typ := range types() {
		for range 400 {
			v := reflect.New(typ)
			fill(r, v.Elem(), 0)
			same(t, v.Interface())
			same(t, v.Elem().Interface())
		}
	}
	loop := &ways{}
	loop.Named = map[named]*ways{"self": loop}
	for _, v := range []any{nil, 1, "a", []int(nil), (*ways)(nil), math.Inf(1), math.Copysign(0, -1), func() {}, loop, json.RawMessage("{"), time.Date(12000, 1, 1, 0, 0, 0, 0, time.UTC)} {
		same(t, v)
	}
}

func same(t *testing.T, v any) {
	t.Helper()
	want, wantErr := json.Marshal(v)
	got, err := plainjson.Marshal(v)
	if !bytes.Equal(got, want) || !sameError(err, wantErr) {
		t.Fatalf("Marshal(%T) = %s, %v\nencoding/json: %s, %v", v, got, err, want, wantErr)
	}
	var line bytes.Buffer
	enc := json.NewEncoder(&line)
	enc.SetEscapeHTML(false)
	wantErr = enc.Encode(v)
	got, err = plainjson.Line(v)
	if !bytes.Equal(got, line.Bytes()) || !sameError(err, wantErr) {
		t.Fatalf("Line(%T) = %s, %v\nencoding/json: %s, %v", v, got, err, line.Bytes(), wantErr)
	}
}

func sameError(a, b error) bool {
	return a == nil && b == nil || a != nil && b != nil && a.Error() == b.Error()
}

func TestReadsAsEncodingJSON(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, typ := range types() {
		for range 300 {
			v := reflect.New(typ)
			fill(r, v.Elem(), 0)
			b, err := json.Marshal(v.Interface())
			if err != nil {
				continue
			}
			read(t, typ, b)
			var wide bytes.Buffer
			_ = json.Indent(&wide, b, " ", "\t")
			read(t, typ, wide.Bytes())
			read(t, typ, spoil(r, b))
		}
	}
	for _, s := range odd {
		for _, typ := range types() {
			read(t, typ, []byte(s))
		}
	}
}

// odd is what people and other programs write.
var odd = []string{"", " ", "null", "nul", "{}", " {} ", "{} {}", "[]", "[1,]", `{"plain":"a"}`, `{"PLAIN":"a"}`, `{"plain":"a","plain":"b"}`, `{"plain":null}`,
	`{"plain":1}`, `{"i8":128}`, `{"i8":-0}`, `{"i8":1e1}`, `{"i8":01}`, `{"u16":-1}`, `{"f":1e400}`, `{"f32":1e39}`, `{"f":1.}`, `{"b":tru}`, `{"b":false}`,
	`{"list":[]}`, `{"list":[null,"\u00e9","\ud83d\ude00","\ud800","a\"b"]}`, "{\"list\":[\"\xff\",\"\x01\"]}", "{\"list\":[\"\xff\u2028\"]}", `{"list":{}}`,
	`{"four":[true]}`, `{"map":{"a":1,"a":2}}`, `{"map":[]}`, `{"named":{"x":{"plain":"y"}}}`, `{"at":"2026-01-02T03:04:05Z"}`, `{"at":"yesterday"}`, `{"at":null}`,
	`{"raw": {"a" : [1, 2] } }`, `{"raw":"a,b"}`, `{"raw":null}`, `{"raw":}`, `{"raw":[}]}`, `{"raw":1 }`, `{"pointer":{"X":1}}`, `{"pointer":{"x":1}}`, `{"pointer":{"X":1},"pointer":{"Y":2}}`, `{"named":{"a":{"f":1},"a":{"i8":1}}}`, `{"ref":"a"}`,
	`{"inner":"a","Deep":{"A":"b"}}`, `{"own":"<a b"}`, `{"own":1}`, `{"own":null}`, `{"Quiet":2}`, `{"-":"a"}`, `{"Skipped":"a"}`, `{"unknown":[{}]}`,
	`{"event":"prompt","cwd":"/a","in_context":[],"messages":[{"role":"user","text":"<b>"}]}`, `{"V":1}`, "{", `{"`, `{"plain`, `{"plain"`, `{"plain":`, `{"plain":"\`,
	strings.Repeat(`{"pointer":`, 3), strings.Repeat("[", 20000), `"` + strings.Repeat("a", 5000) + `"`}

func read(t *testing.T, typ reflect.Type, b []byte) {
	t.Helper()
	want, got := reflect.New(typ), reflect.New(typ)
	wantErr, err := json.Unmarshal(b, want.Interface()), plainjson.Unmarshal(b, got.Interface())
	if !sameError(err, wantErr) || !reflect.DeepEqual(got.Interface(), want.Interface()) {
		t.Fatalf("Unmarshal(%.300q) into %v = %+v, %v\nencoding/json: %+v, %v", b, typ, got.Elem(), err, want.Elem(), wantErr)
	}
}

// What a value holds already is read over as encoding/json does.
func TestReadsIntoWhatIsThere(t *testing.T) {
	b := []byte(`{"list":["b"],"map":{"b":2},"pointer":{"Y":2}}`)
	one := func() *ways {
		return &ways{Plain: "kept", List: []string{"a", "c"}, Map: map[string]float64{"a": 1}, Pointer: &embedded{1, 1}}
	}
	want, got := one(), one()
	if err := json.Unmarshal(b, want); err != nil {
		t.Fatal(err)
	}
	if err := plainjson.Unmarshal(b, got); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v; encoding/json: %+v", got, err, want)
	}
	for _, no := range []any{nil, ways{}, (*ways)(nil)} {
		if err := plainjson.Unmarshal(b, no); !sameError(err, json.Unmarshal(b, no)) {
			t.Errorf("into %#v: %v", no, err)
		}
	}
}

func FuzzUnmarshal(f *testing.F) {
	for _, s := range odd {
		f.Add([]byte(s))
	}
	all := types()
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, typ := range all {
			read(t, typ, b)
			v := reflect.New(typ)
			if json.Unmarshal(b, v.Interface()) == nil {
				same(t, v.Interface())
			}
		}
	})
}

// spoil changes, takes out or repeats a few bytes.
func spoil(r *rand.Rand, b []byte) []byte {
	b = bytes.Clone(b)
	for range 1 + r.IntN(2) {
		if len(b) == 0 {
			return b
		}
		i := r.IntN(len(b))
		switch r.IntN(3) {
		case 0:
			b[i] = "{}[],:\"\\ 0n"[r.IntN(11)]
		case 1:
			b = append(b[:i], b[i+1:]...)
		default:
			j := i + r.IntN(len(b)-i)
			b = append(b[:j:j], b[i:]...)
		}
	}
	return b
}

var pieces = []string{"", "a", "word", "\"", "\\", "/", "\n", "\t", "\x00", "\x1f", "\x7f", "<b>", "&", "\u2028", "\u2029", "é", "漢字", "😀", "\xff", "\xc3", "\ufffd", " "}

func sentence(r *rand.Rand) string {
	var b strings.Builder
	for range r.IntN(4) {
		b.WriteString(pieces[r.IntN(len(pieces))])
	}
	return b.String()
}

// fill makes a value up.
func fill(r *rand.Rand, v reflect.Value, depth int) {
	if depth > 4 || r.IntN(4) == 0 {
		return
	}
	switch v.Type() {
	case reflect.TypeFor[time.Time]():
		v.Set(reflect.ValueOf(time.Unix(r.Int64N(1e10)-1e9, r.Int64N(1e9)).In(time.FixedZone("", 1800*(r.IntN(40)-20)))))
		return
	case reflect.TypeFor[json.RawMessage]():
		v.SetBytes([]byte([]string{"null", `{"a" : "<\u2028>"}`, "\"\u2028\"", "1", "{", "[ 1,\n2 ]"}[r.IntN(6)]))
		return
	case reflect.TypeFor[json.Number]():
		v.SetString([]string{"1", "1e3", "x"}[r.IntN(3)])
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(int64(r.Uint64()) >> r.IntN(64))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(r.Uint64() >> r.IntN(64))
	case reflect.Float32, reflect.Float64:
		v.SetFloat([]float64{1, -1.5, 1e-7, 1e21, 9.99e20, 0.1, 1e-6, 5e-324, 123456789.125, math.Copysign(0, -1)}[r.IntN(10)])
	case reflect.String:
		v.SetString(sentence(r))
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), r.IntN(3), 3))
		for i := range v.Len() {
			fill(r, v.Index(i), depth+1)
		}
	case reflect.Array:
		for i := range v.Len() {
			fill(r, v.Index(i), depth+1)
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for range r.IntN(3) {
			k, e := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			fill(r, k, depth+1)
			fill(r, e, depth+1)
			v.SetMapIndex(k, e)
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(r, v.Elem(), depth+1)
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				fill(r, v.Field(i), depth)
			}
		}
	case reflect.Interface:
		if v.NumMethod() == 0 {
			v.Set(reflect.ValueOf([]any{1, "<a>", true, []int{1}, map[string]any{"b": 1.5}}[r.IntN(5)]))
		}
	}
}
