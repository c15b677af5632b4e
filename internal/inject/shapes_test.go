package inject

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pimento-memory/pimento"
	"pgregory.net/rapid"
)

// Shapes that were kept are those that would be made now, and a block built from
// them is the same byte for byte.
func TestKeptShapesAreTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := Facts{Profile: loadProfile("resident"), Today: today}
		f.Profile.Resident = pimento.Budget{Tokens: rapid.IntRange(1, 400).Draw(t, "tokens")}
		items := rapid.SliceOfN(genItem(), 0, 20).Draw(t, "items")
		f.Items = map[pimento.Pick][]Item{pimento.PickMemory: items}
		var entries []pimento.Entry
		for _, it := range items {
			entries = append(entries, it.Entry)
			f.Texts = map[pimento.Pick][]Text{pimento.PickMemory: {{Page: "MEMORY.md", Body: string(bytes.Repeat([]byte("word "), 9000))}}}
		}
		digest := pimento.DigestOf([]byte("page"))
		file := EncodeShapes(digest, entries)
		if !bytes.Equal(file, EncodeShapes(digest, entries)) {
			t.Fatal("the same entries give another file")
		}
		kept, ok := DecodeShapes(file, digest, entries)
		if !ok || len(kept) != len(entries) {
			t.Fatalf("not read back: %v, %d of %d", ok, len(kept), len(entries))
		}
		made := Build(f)
		for i := range items {
			if kept[i] != ShapesOf(&entries[i]) {
				t.Fatalf("entry %d: kept %+v, made %+v", i, kept[i], ShapesOf(&entries[i]))
			}
			items[i].Shapes = &kept[i]
		}
		if d := cmp.Diff(made, Build(f)); d != "" {
			t.Fatal(d)
		}
	})
}

// What is not the file of exactly this page is not used.
func TestShapesOfSomethingElse(t *testing.T) {
	entries := make([]pimento.Entry, 3)
	for i := range entries {
		entries[i].Text = fmt.Sprintf("fact %d of the build", i)
		entries[i].Statement = pimento.StatementOf(entries[i].Text)
	}
	digest := pimento.DigestOf([]byte("page"))
	file := EncodeShapes(digest, entries)
	if _, ok := DecodeShapes(file, pimento.DigestOf([]byte("edited")), entries); ok {
		t.Error("used for a page with other bytes")
	}
	if _, ok := DecodeShapes(file, digest, entries[:2]); ok {
		t.Error("used for fewer entries")
	}
	other := append([]pimento.Entry{entries[1], entries[0]}, entries[2])
	if _, ok := DecodeShapes(file, digest, other); ok {
		t.Error("used for other entries")
	}
	for n := range file {
		if _, ok := DecodeShapes(file[:n], digest, entries); ok {
			t.Fatalf("used when cut after %d bytes", n)
		}
		damaged := bytes.Clone(file)
		damaged[n] ^= 1
		if _, ok := DecodeShapes(damaged, digest, entries); ok {
			t.Fatalf("used with another byte at %d", n)
		}
	}
}

// Whoever changes how shapes are made or kept gives their file another version,
// and this test the new digest: shapes that were kept by an older program must
// not stand beside those of a newer one.
func TestShapesAreThoseOfTheirVersion(t *testing.T) {
	var entries []pimento.Entry
	for i, text := range nasty {
		entries = append(entries, pimento.Entry{Text: text, Line: i, Task: i%5 == 0, Done: i%10 == 0, Number: []string{"", "", "7."}[i%3], Heading: []string{"", "Build", "Shop > <b>"}[i%3],
			Occurrence: pimento.Occurrence{Page: []string{"MEMORY.md", ""}[i%2], Statement: pimento.StatementOf(text)}})
	}
	const want = "pimento shapes 5 e3196f57580a5581"
	got := string(pimento.DigestOf(EncodeShapes(pimento.DigestOf(nil), entries)))
	if got = shapesMagic[:len(shapesMagic)-1] + " " + got[:16]; got != want {
		t.Errorf("shapes are %q, not %q", got, want)
	}
}
