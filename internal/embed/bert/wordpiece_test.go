package bert

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func testTokenizer(t testing.TB) (*tokenizer, []string) {
	t.Helper()
	vocab := []string{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "want", "##want", "##ed", "wa", "un", "runn", "##ing", ",",
		"low", "lowest", "hello", "!", "how", "are", "you", "?", "ah", "博", "推", "zz", "hall", "##o", "wie", "geht", "es",
		"dir", "[", "]", "sep", "unk", "cls", "$", "_", "a", "##a", "b", "ᄀ", "##ᅡ", "-", "—", "strasse", "ß"}
	tok, err := parseVocab([]byte(strings.Join(vocab, "\r\n")+"\n"), len(vocab))
	if err != nil {
		t.Fatal(err)
	}
	tok.lower = true
	return tok, vocab
}

// TestTokens has the cases of the tests of BERT's own tokenizer, and our own.
func TestTokens(t *testing.T) {
	tok, vocab := testTokenizer(t)
	for _, tt := range []struct{ text, want string }{
		{"UNwant\u00E9d,running", "un ##want ##ed , runn ##ing"},
		{" \tHeLLo!how  \n Are yoU?  ", "hello ! how are you ?"},
		{"H\u00E9llo", "hello"},
		{"ah\u535A\u63A8zz", "ah 博 推 zz"},
		{"Häll\u00F6 wie geht's dir", "hall ##o wie geht [UNK] [UNK] dir"},
		{"unwantedX running", "[UNK] runn ##ing"},
		{"lowest low lower", "lowest low [UNK]"},
		{"", ""},
		{" \u200b\ufeff\u00a0\u2003\u2028 ", ""},
		{"un\u00adwa\x00nt\ufffd\x07ed", "un ##want ##ed"}, // controls and soft hyphens vanish
		{"[SEP] [CLS][UNK]", "[ sep ] [ cls ] [ unk ]"},    // no text ends a sequence
		{"$a_b-a—b", "$ a _ b - a — b"},
		{"가", "ᄀ ##ᅡ"}, // NFD takes Hangul apart
		{strings.Repeat("a", 100), "a" + strings.Repeat(" ##a", 99)},
		{strings.Repeat("a", 101), "[UNK]"},
		{strings.Repeat("á", 100), "a" + strings.Repeat(" ##a", 99)},
		{"\xff\xfehello\x80", "hello"},
		{"STRASSE straße", "strasse [UNK]"},
	} {
		ids, known := tok.encode(tt.text, 512)
		var got []string
		for _, id := range ids[1 : len(ids)-1] {
			got = append(got, vocab[id])
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%q: %q, want %q", tt.text, got, tt.want)
		}
		if some := slices.ContainsFunc(got, func(s string) bool { return s != "[UNK]" }); known != some {
			t.Errorf("%q: known = %t", tt.text, known)
		}
		if vocab[ids[0]] != "[CLS]" || vocab[ids[len(ids)-1]] != "[SEP]" {
			t.Errorf("%q: not framed: %v", tt.text, ids)
		}
	}
}

func TestTokensAreCut(t *testing.T) {
	tok, _ := testTokenizer(t)
	for _, text := range []string{strings.Repeat("hello ", 3000), strings.Repeat("a", 99) + strings.Repeat("!hello", 3000), strings.Repeat("推", 4<<20)} {
		for _, limit := range []int{3, 64, 512} {
			ids, known := tok.encode(text, limit)
			if len(ids) != limit || !known || ids[limit-1] != tok.last {
				t.Errorf("%.20q...: %d ids of %d, known %t", text, len(ids), limit, known)
			}
		}
	}
}

func TestCasedTokens(t *testing.T) {
	tok, err := parseVocab([]byte("[UNK]\n[CLS]\n[SEP]\nHé\n##llo\nhello\n"), 6)
	if err != nil {
		t.Fatal(err)
	}
	if ids, _ := tok.encode("Héllo hello", 16); !slices.Equal(ids, []int32{1, 3, 4, 5, 2}) {
		t.Errorf("got %v", ids)
	}
}

// TestTokenizerFiles reads the same vocabulary in both formats.
func TestTokenizerFiles(t *testing.T) {
	c := newCheckpoint(smallConfig(), 1)
	dir := c.write(t, "F32", "")
	plain := open1(t, dir)
	var b strings.Builder
	b.WriteString(`{"normalizer":{"type":"BertNormalizer","lowercase":true},"model":{"type":"WordPiece","continuing_subword_prefix":"##","vocab":{`)
	for id, piece := range c.vocab {
		if id > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "%q:%d", piece, id)
	}
	b.WriteString("}}}")
	if err := os.Remove(filepath.Join(dir, "vocab.txt")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "tokenizer.json"), []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	other := open1(t, dir)
	for _, text := range []string{"Deploys go through STAGING!", "lowest, low w39"} {
		x, _ := plain.tok.encode(text, 64)
		y, _ := other.tok.encode(text, 64)
		if !slices.Equal(x, y) || len(x) < 4 {
			t.Errorf("%q: %v and %v", text, x, y)
		}
	}
}

func FuzzTokens(f *testing.F) {
	tok, _ := testTokenizer(f)
	f.Add("UNwant\u00E9d,running 博推 가 \u0301\u0301", 16)
	f.Fuzz(func(t *testing.T, text string, limit int) {
		if limit < 3 || limit > 600 {
			return
		}
		ids, known := tok.encode(text, limit)
		if len(ids) < 2 || len(ids) > limit || ids[0] != tok.first || ids[len(ids)-1] != tok.last {
			t.Fatalf("%d ids of %d: %v", len(ids), limit, ids)
		}
		if known && len(ids) == 2 {
			t.Fatal("known, but no token")
		}
	})
}

// TestTokensOfAnotherLibrary compares with what another implementation makes of
// difficult texts: testdata/tokens.json holds the ids that Hugging Face's
// tokenizers library for JavaScript gave, for a made-up vocabulary. (It does not
// treat ideographs beyond U+FFFF as words, as BERT does, so none is in there.)
func TestTokensOfAnotherLibrary(t *testing.T) {
	b, err := os.ReadFile("testdata/tokens.json")
	if err != nil {
		t.Fatal(err)
	}
	type tokens struct {
		Text string
		IDs  []int32
	}
	var golden struct {
		Vocab          []string
		Uncased, Cased []tokens
	}
	if err := json.Unmarshal(b, &golden); err != nil || len(golden.Uncased) < 30 || len(golden.Cased) < 30 {
		t.Fatalf("%d texts, %v", len(golden.Uncased), err)
	}
	tok, err := parseVocab([]byte(strings.Join(golden.Vocab, "\n")), len(golden.Vocab))
	if err != nil {
		t.Fatal(err)
	}
	for _, lower := range []bool{true, false} {
		tok.lower = lower
		cases := golden.Cased
		if lower {
			cases = golden.Uncased
		}
		for _, tt := range cases {
			if ids, _ := tok.encode(tt.Text, 512); !slices.Equal(ids, tt.IDs) {
				t.Errorf("lower case %t, %q:\n got %v\nwant %v", lower, tt.Text, ids, tt.IDs)
			}
		}
	}
}
