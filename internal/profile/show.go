package profile

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"reflect"
	"slices"
	"strings"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/plainjson"
)

// Show is the profile as text: profile.json as it works out after extending and
// overriding, then the preamble and the text of each tool.
func Show(p pimento.Profile) string {
	var b strings.Builder
	b.WriteString("profile.json\n\n")
	b.Write(encode(p, "  "))
	show := func(name, text string) {
		if text == "" {
			text = "(empty)"
		}
		b.WriteString("\n" + name + "\n\n" + text + "\n")
	}
	show("preamble.md", p.Preamble)
	for _, tool := range p.Tools {
		show("tools/"+tool+".md", p.ToolTexts[tool])
	}
	return b.String()
}

// Source is the profile as somebody wrote it, comments included: its own files,
// not what it extends. Each begins with its name. user is that of Load.
func Source(name string, user fs.FS) (string, error) {
	dir := find(name, user)
	if dir == nil {
		return "", unknown(name, user)
	}
	files, _ := fs.Glob(dir, path.Join(name, "tools", "*.md")) // the pattern is right
	var b strings.Builder
	for _, file := range slices.Concat([]string{path.Join(name, "profile.json"), path.Join(name, "preamble.md")}, files) {
		text, err := fs.ReadFile(dir, file)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			return "", wrap(name, err)
		case b.Len() > 0:
			b.WriteString("\n")
		}
		b.WriteString(strings.TrimPrefix(file, name+"/") + "\n\n" + strings.TrimRight(string(text), "\n") + "\n")
	}
	return b.String(), nil
}

// Digest identifies what a profile says and does: 16 hex digits over all of
// it, names and texts included.
func Digest(p pimento.Profile) string {
	if ours, digest, ok := compiled(p.Name); ok && reflect.DeepEqual(p, ours) {
		return digest
	}
	return digestOf(p)
}

func digestOf(p pimento.Profile) string {
	h := sha256.New()
	h.Write(encode(p, ""))
	h.Write([]byte(p.Preamble))
	for _, tool := range p.Tools {
		h.Write([]byte("\x00" + p.ToolTexts[tool]))
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// A Difference is one value that two profiles do not share.
type Difference struct {
	Field string `json:"field"`
	A     string `json:"a"` // "(none)" where there is no such field
	B     string `json:"b"`
}

// Diff lists what is different in b, in the order of the fields. Names and
// descriptions do not count. Of a section that only one of them has, its pick
// stands for all of it.
func Diff(a, b pimento.Profile) []Difference {
	a.Name, a.Extends, a.About = b.Name, b.Extends, b.About
	from, to := flatten(a), flatten(b)
	names := [2][]string{sectionNames(&a), sectionNames(&b)}
	out := []Difference{}
	for _, key := range union(from, to) {
		if rest, ok := strings.CutPrefix(key, "sections."); ok {
			name, value, _ := strings.Cut(rest, ".")
			if slices.Contains(names[0], name) != slices.Contains(names[1], name) && value != "pick" {
				continue
			}
		}
		x, inA := from[key]
		y, inB := to[key]
		if x == y && inA == inB {
			continue
		}
		if !inA {
			x = "(none)"
		}
		if !inB {
			y = "(none)"
		}
		out = append(out, Difference{key, x, y})
	}
	return out
}

// flatten lists a profile's values by key; sections go by their names, their
// order is a value of its own.
func flatten(p pimento.Profile) map[string]string {
	out := map[string]string{"preamble.md": textSize(p.Preamble)}
	for _, tool := range p.Tools {
		out["tools/"+tool+".md"] = textSize(p.ToolTexts[tool])
	}
	out["sections"] = strings.Join(sectionNames(&p), ", ")
	for _, s := range p.Sections {
		walk(out, "sections."+s.Name, encode(s, ""))
	}
	p.Sections = nil
	walk(out, "", encode(p, ""))
	return out
}

// textSize stands for a text, with enough of its digest to tell two apart.
func textSize(s string) string {
	if s == "" {
		return "(empty)"
	}
	sum := sha256.Sum256([]byte(s))
	return fmt.Sprintf("%d lines (%s)", strings.Count(s, "\n")+1, hex.EncodeToString(sum[:3]))
}

func walk(out map[string]string, prefix string, raw []byte) {
	var keys map[string]json.RawMessage
	if json.Unmarshal(raw, &keys) != nil {
		out[prefix] = string(bytes.TrimSpace(raw))
		return
	}
	for k, v := range keys {
		if prefix == "" && k == "sections" {
			continue
		}
		walk(out, strings.TrimPrefix(prefix+"."+k, "."), v)
	}
}

func union(a, b map[string]string) []string {
	all := map[string]string{}
	maps.Copy(all, a)
	maps.Copy(all, b)
	return slices.Sorted(maps.Keys(all))
}

// encode is a profile, or a part of one, as JSON, which can say all that it holds.
func encode(v any, indent string) []byte {
	b, _ := plainjson.Marshal(v, indent)
	return b
}
