package embed

import (
	"fmt"
	"hash/crc32"
	"math"
	"slices"
	"strings"
	"testing"
)

func sample(t testing.TB, n, dim int) string {
	t.Helper()
	rows := make([]Row, n)
	for i := range rows {
		rows[i].Word = fmt.Sprintf("w%d", i)
		rows[i].Vector = make([]float32, dim)
		for j := range dim {
			rows[i].Vector[j] = float32(math.Sin(float64(i*dim + j)))
		}
	}
	b, err := EncodeTable(rows)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestTableReadsWhatWasWritten(t *testing.T) {
	tab, err := openTable(sample(t, 500, 24))
	if err != nil {
		t.Fatal(err)
	}
	if err := tab.verify(); err != nil {
		t.Fatal(err)
	}
	for i := range 500 {
		w := tab.find(fmt.Sprintf("w%d", i))
		if w != i {
			t.Fatalf("w%d is found as %d", i, w)
		}
		v := make([]float32, 24)
		tab.add(v, w, 1)
		for j, x := range v {
			if want := math.Sin(float64(i*24 + j)); math.Abs(float64(x)-want) > 0.2 {
				t.Fatalf("w%d[%d] is %v, not %v", i, j, x, want)
			}
		}
	}
	if w := tab.find("absent"); w != -1 {
		t.Errorf("a word that is not there is found as %d", w)
	}
}

func TestDamagedTables(t *testing.T) {
	good := sample(t, 50, 8)
	for name, bad := range map[string]string{
		"empty":       "",
		"short":       good[:40],
		"cut":         good[:len(good)-1],
		"longer":      good + "x",
		"magic":       "X" + good[1:],
		"version":     good[:7] + "\x03" + good[8:],
		"dimension":   good[:8] + "\x00\x00\x00\x00" + good[12:],
		"many words":  good[:12] + "\xff\xff\xff\xff" + good[16:],
		"no slots":    good[:16] + "\x00\x00\x00\x00" + good[20:],
		"endless key": good[:20] + "\xff\xff\xff\xff" + good[24:],
	} {
		if _, err := OpenStatic(bad); err == nil {
			t.Errorf("%s: opened", name)
		}
	}
	flipped := []byte(good)
	flipped[len(flipped)-3] ^= 1
	tab, err := openTable(string(flipped))
	if err != nil {
		t.Fatal(err)
	}
	if tab.verify() == nil {
		t.Error("a flipped bit passes the checksum")
	}
}

func TestEncodeTableRefuses(t *testing.T) {
	v := []float32{1, 2}
	for name, rows := range map[string][]Row{
		"nothing":    nil,
		"twice":      {{"a", v}, {"a", v}},
		"dimensions": {{"a", v}, {"b", v[:0]}},
		"odd":        {{"a", v[:1]}},
		"too many":   slices.Repeat([]Row{{"a", v}}, MaxWords+1),
	} {
		if _, err := EncodeTable(rows); err == nil {
			t.Errorf("%s: encoded", name)
		}
	}
}

// TestZeroRow: a vector of nothing is a row of nothing, and adds nothing.
func TestZeroRow(t *testing.T) {
	b, err := EncodeTable([]Row{{"zero", make([]float32, 4)}, {strings.Repeat("x", 300), []float32{1, 0, 0, 0}}})
	if err != nil {
		t.Fatal(err)
	}
	s, err := OpenStatic(string(b))
	if err != nil {
		t.Fatal(err)
	}
	if v := one(t, s, "zero"); v != nil {
		t.Errorf("a zero vector gives %v", v)
	}
}

// TestLikes: synonyms stand near each other, and Chinese words near English ones.
func TestLikes(t *testing.T) {
	s := NewStatic()
	for word, want := range map[string]string{"databas": "postgresql", "deploy": "rollout", "password": "credenti", "数据库": "databas", "限流": "throttl"} {
		likes := s.Likes(word)
		found := false
		for i, l := range likes {
			found = found || l.Word == want
			if l.Sim < likeLeast || l.Sim > 1 || l.Word == word || i > 0 && l.Sim > likes[i-1].Sim {
				t.Errorf("%s: %v", word, likes)
				break
			}
		}
		if !found {
			t.Errorf("%s is not near %s: %v", want, word, likes)
		}
	}
	if s.Likes("zzzqqq") != nil {
		t.Error("likes of an unknown word")
	}
	if got := s.Words("我们的数据库怎么部署 to prod"); len(got) < 2 || got[0] == "" {
		t.Errorf("%v", got)
	}
}

// verify reads everything: the checksum, and that no key points out of the table. A
// lookup does not need it.
func (t *table) verify() error {
	if crc32.ChecksumIEEE([]byte(t.data[headerSize:])) != t.sum() {
		return fmt.Errorf("%w: wrong checksum", errTable)
	}
	last := 0
	for w := range t.words {
		end := number(t.data, t.endAt+4*w)
		if end < last || t.keyAt+end > t.rowAt {
			return fmt.Errorf("%w: keys overlap", errTable)
		}
		last = end
	}
	return nil
}
