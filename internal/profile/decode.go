package profile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/text"
)

// shape is a profile whose sections are decoded on their own, because an array
// and an object mean different things there.
type shape struct {
	*pimento.Profile
	Sections json.RawMessage `json:"sections"`
	Budgets  json.RawMessage `json:"budgets"`
}

// budgets are a profile's limits under the one key of a config.json.
type budgets struct {
	Prefix *pimento.Budget `json:"prefix"`
	Tail   *pimento.Budget `json:"tail"`
	Block  *pimento.Budget `json:"block"`
}

// What a file that comes with a repository may set.
var (
	sharedKeys        = []string{"prefix", "tail", "block", "budgets", "sections"}
	sharedSectionKeys = []string{"budget", "trim", "rank", "max", "kinds", "scopes", "days", "shapes"}
)

// A decoder reads one JSON object in the shape of profile.json.
type decoder struct {
	source string
	raw    []byte
	line   int // of source, where raw starts
}

func newDecoder(source string, raw []byte, line int) *decoder {
	return &decoder{source: source, raw: blankComments(raw), line: max(line, 1)}
}

// base is the profile that this one extends.
func (d *decoder) base() (string, error) {
	var head struct {
		Extends string `json:"extends"`
	}
	if !bytes.Contains(d.raw, []byte(`"extends"`)) {
		return "", nil
	}
	if err := json.Unmarshal(d.raw, &head); err != nil {
		return "", d.explain(err, d.raw, "")
	}
	return head.Extends, nil
}

// into merges the object into p.
func (d *decoder) into(p *pimento.Profile) error {
	s := shape{Profile: p}
	if err := d.strict(d.raw, "", &s, reflect.TypeFor[pimento.Profile]()); err != nil {
		return err
	}
	if len(s.Budgets) > 0 {
		b := budgets{&p.Prefix, &p.Tail, &p.Block}
		if err := d.strict(s.Budgets, "budgets", &b, reflect.TypeFor[budgets]()); err != nil {
			return err
		}
	}
	return d.sections(s.Sections, p)
}

// sections replaces the sections by an array, or patches them by an object.
func (d *decoder) sections(raw json.RawMessage, p *pimento.Profile) error {
	raw = bytes.TrimSpace(raw)
	switch {
	case len(raw) == 0:
		return nil
	case raw[0] == '[':
		var all []pimento.Section
		if err := d.strict(raw, "sections", &all, reflect.TypeFor[pimento.Section]()); err != nil {
			return err
		}
		p.Sections = all
		return nil
	}
	var patches map[string]json.RawMessage
	if err := d.strict(raw, "sections", &patches, nil); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(patches)) {
		if err := d.patch(p, name, patches[name]); err != nil {
			return err
		}
	}
	return nil
}

// patch changes, adds or (by null) removes one section.
func (d *decoder) patch(p *pimento.Profile, name string, raw json.RawMessage) error {
	at := slices.IndexFunc(p.Sections, func(s pimento.Section) bool { return s.Name == name })
	remove := string(bytes.TrimSpace(raw)) == "null"
	var s pimento.Section
	if at >= 0 {
		s = p.Sections[at]
	}
	if !remove {
		if err := d.strict(raw, "sections."+name, &s, reflect.TypeFor[pimento.Section]()); err != nil {
			return err
		}
	}
	switch {
	case at < 0 && (remove || s.Pick == ""):
		return fmt.Errorf("%s: key sections.%s: there is no such section; there are: %s (a new one needs zone and pick)",
			d.where(raw), name, strings.Join(sectionNames(p), ", "))
	case remove:
		p.Sections = slices.Delete(p.Sections, at, at+1)
	case at < 0:
		s.Name = name
		p.Sections = append(p.Sections, s)
	default:
		p.Sections[at] = s
	}
	return nil
}

func sectionNames(p *pimento.Profile) (names []string) {
	for _, s := range p.Sections {
		names = append(names, s.Name)
	}
	return names
}

// restrict takes out the keys that a repository must not set and names them.
func (d *decoder) restrict() (notes []string, err error) {
	var top map[string]json.RawMessage
	if err := d.strict(d.raw, "", &top, nil); err != nil {
		return nil, err
	}
	notes = d.keepOnly(top, "", sharedKeys)
	var patches map[string]json.RawMessage
	if raw := bytes.TrimSpace(top["sections"]); len(raw) > 0 && raw[0] == '{' {
		if err := json.Unmarshal(raw, &patches); err != nil {
			return nil, d.explain(err, raw, "sections")
		}
		for _, name := range slices.Sorted(maps.Keys(patches)) {
			var keys map[string]json.RawMessage
			if json.Unmarshal(patches[name], &keys) != nil || keys == nil {
				continue // null takes a section out; anything else is reported by the decode
			}
			notes = append(notes, d.keepOnly(keys, "sections."+name+".", sharedSectionKeys)...)
			patches[name], _ = json.Marshal(keys) // of raw messages that were just decoded
		}
		top["sections"], _ = json.Marshal(patches)
	} else if len(raw) > 0 {
		notes = append(notes, d.source+": key sections: a repository may patch sections by name only; ignored")
		delete(top, "sections")
	}
	d.raw, err = json.Marshal(top)
	return notes, err
}

func (d *decoder) keepOnly(keys map[string]json.RawMessage, prefix string, allowed []string) (notes []string) {
	for _, k := range slices.Sorted(maps.Keys(keys)) {
		if !slices.Contains(allowed, k) {
			delete(keys, k)
			notes = append(notes, fmt.Sprintf("%s: key %s%s: only the user's own config may set it; ignored", d.source, prefix, k))
		}
	}
	return notes
}

// strict decodes exactly one value without unknown keys.
func (d *decoder) strict(raw []byte, key string, into any, of reflect.Type) error {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	err := dec.Decode(into)
	if err != nil {
		if strings.HasPrefix(err.Error(), "json: unknown field ") {
			return d.unknown(err, raw, key, of)
		}
		return d.explain(err, raw, key)
	}
	if _, err := dec.Token(); err != io.EOF {
		return fmt.Errorf("%s: there is more after the end of the object", d.at(raw, int(dec.InputOffset())))
	}
	return nil
}

// unknown names the key that does not exist and the ones that do. The decoder
// does not tell the place, so the key's first appearance stands for it.
func (d *decoder) unknown(err error, raw []byte, key string, of reflect.Type) error {
	name := strings.Trim(strings.TrimPrefix(err.Error(), "json: unknown field "), `"`)
	off := max(bytes.Index(raw, []byte(`"`+name+`"`)), 0)
	allowed := ""
	if of != nil {
		if at, in, ok := owner(raw, name, of); ok {
			key, of = strings.Trim(key+"."+at, "."), in
		}
		allowed = "; known keys: " + strings.Join(jsonKeys(of), ", ")
	}
	return fmt.Errorf("%s: unknown key %s%s", d.at(raw, off), strings.TrimPrefix(key+"."+name, "."), allowed)
}

// owner finds the object in which a key stands that its type does not have: the
// path to it and the type. It runs only when one was wrong.
func owner(raw []byte, name string, t reflect.Type) (at string, in reflect.Type, ok bool) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	var keys map[string]json.RawMessage
	if t.Kind() != reflect.Struct || json.Unmarshal(raw, &keys) != nil {
		return "", t, false
	}
	if _, has := keys[name]; has && !slices.Contains(jsonKeys(t), name) {
		return "", t, true
	}
	for f := range t.Fields() {
		tag, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		value, of := keys[tag], f.Type
		if of.Kind() == reflect.Slice && bytes.Contains(value, []byte(`"`+name+`"`)) {
			return tag, of.Elem(), of.Elem().Kind() == reflect.Struct
		}
		if below, in, ok := owner(value, name, of); ok {
			return strings.Trim(tag+"."+below, "."), in, true
		}
	}
	return "", t, false
}

// explain says where in the file, and at which key, a decode failed.
func (d *decoder) explain(err error, raw []byte, key string) error {
	if e, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		if e.Field != "" {
			key = strings.Trim(key+"."+strings.TrimPrefix(e.Field, "Profile."), ".") // shape embeds it
		}
		if key == "" {
			key = "(all)"
		}
		return fmt.Errorf("%s: key %s: %s", d.at(raw, int(e.Offset)), key, text.Given(e))
	}
	if e, ok := errors.AsType[*json.SyntaxError](err); ok {
		return fmt.Errorf("%s: not JSON: %w", d.at(raw, int(e.Offset)), err)
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("%s: not JSON: it ends too early", d.at(raw, len(raw)))
	}
	return fmt.Errorf("%s: %w", d.where(raw), err)
}

func (d *decoder) where(raw []byte) string { return d.at(raw, 0) }

// at is "file:line:column" of an offset in a part of the file.
func (d *decoder) at(part []byte, offset int) string {
	base := max(bytes.Index(d.raw, part), 0)
	before := d.raw[:min(base+offset, len(d.raw))]
	line := bytes.Count(before, []byte("\n"))
	column := len(before) - bytes.LastIndexByte(before, '\n')
	return fmt.Sprintf("%s:%d:%d", d.source, d.line+line, column)
}

// jsonKeys lists the keys of a struct; it runs only when one was wrong.
func jsonKeys(t reflect.Type) (keys []string) {
	for f := range t.Fields() {
		if tag, _, _ := strings.Cut(f.Tag.Get("json"), ","); tag != "" && tag != "-" {
			keys = append(keys, tag)
		}
	}
	return keys
}

// blankComments replaces // comments by spaces, so that offsets stay right. It
// knows strings, and returns b itself when there is nothing to do.
func blankComments(b []byte) []byte {
	if !bytes.Contains(b, []byte("//")) {
		return b
	}
	out := bytes.Clone(b)
	inString := false
	for i := 0; i < len(out); i++ {
		switch c := out[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case !inString && c == '/' && i+1 < len(out) && out[i+1] == '/':
			for ; i < len(out) && out[i] != '\n'; i++ {
				out[i] = ' '
			}
		}
	}
	return out
}
