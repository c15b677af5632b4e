package text

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/pimento-memory/pimento"
)

// terms lists the terms of s in one field, in order.
func terms(s string, field byte) string {
	var out []string
	Analyze(s, func(f byte, term string) {
		if f == field {
			out = append(out, term)
		}
	})
	return strings.Join(out, " ")
}

func TestAnalyze(t *testing.T) {
	for _, test := range []struct {
		in    string
		field byte
		want  string
	}{
		{"The tests are testing a tested test.", Word, "test test test test"},
		{"The tests are testing", Exact, "tests testing"},
		{"Redis' user’s don't won't O'Reilly", Exact, "redis user oreilly"},
		{"getUserName", Exact, "getusername"},
		{"getUserName", Ident, "get user name"},
		{"getUserName", Word, "getusernam get user name"},
		{"HTTPServer2 parseURLs XMLHttpRequest", Ident, "http server2 parse urls xml http request"},
		{"read_model", Exact, "read_model"},
		{"__read_model__", Ident, "read model"},
		{"MAX_RETRY_COUNT", Exact, "max_retry_count"},
		{"code-review pass-through", Exact, "code-review pass-through"},
		{"code-review", Word, "code review"},
		{"src/main.go, std::bad_alloc; java.lang.NullPointerException.", Exact, "src/main.go main.go std::bad_alloc java.lang.nullpointerexception"},
		{"java.lang.NullPointerException", Ident, "java lang null pointer exception"},
		{"https://example.org/a/b?x=1", Exact, "https://example.org/a/b x 1"},
		{"error E0308, TS2345 and 0x80070005: ERR_CONNECTION_REFUSED", Exact, "error e0308 ts2345 0x80070005 err_connection_refused"},
		{"port 8080, v1.22.3, localhost:5432, 007", Exact, "port 8080 v1.22.3 22 localhost:5432 5432 007"},
		{"$45, £9,600 or 20 €; $HOME, US$ and $", Exact, "dollar 45 pound 9 600 20 euro home"},
		{"$45 fees", Word, "dollar fee"},
		{"C++ and C# but F# (c)", Exact, "c++ c# f# c"},
		{"see #code-review and #Go, not # heading or a#b or &#39;", Tag, "code-review go"},
		{"[[Database-Choice]] and [[topics/auth.md|Auth]] [[x#part]] [[open", Tag, "database-choice topics/auth x"},
		{"#标签 mixed", Tag, "标签"},
		{"数据库", CJK, "数 据 数据 库 据库"},
		{"我们的数据", CJK, "我 们 我们 们的 数 的数 据 数据"},
		{"用PostgreSQL做", CJK, "用 做"},
		{"用PostgreSQL做", Exact, "postgresql"},
		{"データベース", CJK, "デ ー デー タ ータ ベ タベ ー ベー ス ース"},
		{"서버 재시작", CJK, "서 버 서버 재 시 재시 작 시작"},
		{"Résumé RE\u0301SUME\u0301 naïve Ｆｕｌｌ", Exact, "resume resume naive full"},
		{"Straße Żółć ĲSSEL", Exact, "strasse zolc issel"},
		{"кеш Кэша", Exact, "кеш кэша"},
		{"the of and 的 了 吗", Word, ""},
		{"the of and 的 了 吗", CJK, ""},
		{"_ __ - .. :: ' # [[ ]] \x00 \xff", Exact, ""},
		{"a\x00b \xffword\xfe", Exact, "b word"},
		{strings.Repeat("x", 200) + " " + strings.Repeat("ab/", 60) + "end", Ident, strings.TrimSpace(strings.Repeat("ab ", 60)) + " end"},
		{strings.Repeat("QmFzZTY0", 40), Ident, ""},
	} {
		if got := terms(test.in, test.field); got != test.want {
			t.Errorf("%.40q in %c:\n got %q\nwant %q", test.in, test.field, got, test.want)
		}
	}
}

func TestFoldTable(t *testing.T) {
	if n := len(latin); n != 0x180-0xC0 {
		t.Fatalf("%d letters", n)
	}
	for r, want := range map[rune]string{'À': "a", 'ß': "ss", 'ø': "o", 'ÿ': "y", 'Œ': "o", 'ş': "s", 'Ž': "z", 'ż': "z", 'ł': "l",
		'×': "×", 'Þ': "þ", 'æ': "a", 'ç': "c", 'ñ': "n", 'ü': "u", 'ğ': "g", 'ı': "i", 'đ': "d", 'ĸ': "k", 'ŋ': "n", 'ŕ': "r", 'ŵ': "w", 'ŷ': "y", 'Ÿ': "y"} {
		if got := string(fold(nil, r)); got != want {
			t.Errorf("%c: %q, want %q", r, got, want)
		}
	}
}

func TestPassages(t *testing.T) {
	e := pimento.Entry{
		Kind: pimento.KindDecision, Text: "Chose PostgreSQL. #storage", Heading: "Architecture > Data stores",
		Pinned: true, Task: true, Stamp: time.Date(2026, 3, 5, 12, 0, 0, 0, time.UTC),
		Tags: []string{"storage", "Code-Review"}, Links: []string{"topics/adr-007.md"},
	}
	ps := NewAnalyzer().Passages(e, "topics/decisions--db,sql.md")
	if len(ps) != 1 {
		t.Fatalf("%d passages of a short text", len(ps))
	}
	got, words := ps[0].Terms, ps[0].Words
	var keys []string
	for i, k := range got {
		keys = append(keys, k.Text)
		if i > 0 && got[i-1].Text >= k.Text {
			t.Errorf("not sorted: %q, %q", got[i-1].Text, k.Text)
		}
	}
	if words != 5 { // chose, postgresql, postgre, sql, storage
		t.Errorf("words = %d", words)
	}
	for _, want := range []string{"wchose", "xpostgresql", "isql", "tstorage", "tcode-review", "ttopics/adr-007", "mdecis", "marchitectur", "mstore",
		"mtopic", "mdb", "msql", "m2026", "mmarch", "m5", "m2026-03-05", "mreview", "mcode-review", FlagPinned, FlagTask, FlagOpen, FlagKind(pimento.KindDecision)} {
		if !slices.Contains(keys, want) {
			t.Errorf("no %q in %q", want, keys)
		}
	}
	if slices.Contains(keys, FlagDone) {
		t.Error("done")
	}
}

// A long text is covered by its windows, which overlap.
func TestWindows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := strings.Join(rapid.SliceOfN(rapid.StringMatching(`[a-z]{1,9}|[一-龥]{1,5}|#\S{1,9}`), 0, 400).Draw(t, "words"), " ")
		rest, n := s, 0
		for w := range Windows(s) {
			at := strings.Index(rest, w)
			if at < 0 || n > 0 && at > len(rest) {
				t.Fatalf("window %d is no part of what is left: %q", n, w)
			}
			rest = rest[at:]
			n++
		}
		last := ""
		for w := range Windows(s) {
			last = w
		}
		if !strings.HasSuffix(s, last) {
			t.Fatalf("the last window does not end the text")
		}
	})
	long := strings.Repeat("word ", 200)
	sizes := []int{}
	for w := range Windows(long) {
		sizes = append(sizes, len(strings.Fields(w)))
	}
	if d := cmp.Diff([]int{80, 80, 80, 50}, sizes); d != "" {
		t.Error(d)
	}
}

// An analyzer that has seen other things gives the same terms as a new one.
func TestAnalyzerKeepsNothing(t *testing.T) {
	a := NewAnalyzer()
	rapid.Check(t, func(t *rapid.T) {
		e := pimento.Entry{Text: rapid.String().Draw(t, "text"), Heading: rapid.String().Draw(t, "heading"), Kind: pimento.KindFact}
		got := a.Passages(e, "a.md")
		if d := cmp.Diff(NewAnalyzer().Passages(e, "a.md"), got); d != "" {
			t.Fatal(d)
		}
		for i, k := range got[0].Terms {
			if k.TF == 0 || len(k.Text) < 2 || len(k.Text) > maxWhole+8 || i > 0 && got[0].Terms[i-1].Text >= k.Text {
				t.Fatalf("%+v", k)
			}
		}
	})
}

func TestCacheIsBounded(t *testing.T) {
	a := NewAnalyzer()
	for i := range 3 * cacheSize / 2 {
		a.Analyze(fmt.Sprintf("word%d %d", i, i), func(byte, string) {})
	}
	if len(a.words) > cacheSize || len(a.keys) > cacheSize {
		t.Errorf("%d words, %d keys", len(a.words), len(a.keys))
	}
}

// keysOf maps the keys of a query to their weights.
func keysOf(s string, limit int) map[string]float32 {
	m := map[string]float32{}
	for _, q := range QueryTerms(s, English, limit) {
		m[q.Key()] = q.Weight
	}
	return m
}

func TestQueryTerms(t *testing.T) {
	if got := QueryTerms("what is the, and how do we?", English, 0); len(got) != 0 {
		t.Errorf("stop words: %v", got)
	}
	got := keysOf("Use the databases with getUserName, see #code-review or [[db-choice]] 数据 E0308 2026-03-05", 0)
	for key, want := range map[string]float32{
		"wdatabas": 1, "xdatabases": 1. / 3, "mdatabas": 0.5, "idatabases": 1. / 3, "wuse": 0.5,
		"xgetusername": 1.2, "wuser": 0.6, "iname": 0.1, "tcode-review": 1.5, "tdb-choice": 1.5, "xcode-review": 1.5,
		"c数据": 1, "c数": 0.5, "we0308": 1, "m2026": 0.5, "m3": 0.5, "m2026-03-05": 0.5,
	} {
		if w, ok := got[key]; !ok || w < want-0.01 || w > want+0.01 {
			t.Errorf("%s: %v (%v), want %v", key, w, ok, want)
		}
	}
	if _, ok := got["wthe"]; ok {
		t.Error("asks for a stop word")
	}
}

// TestNames: what is written as names are is told from words.
func TestNames(t *testing.T) {
	for q, want := range map[string]string{
		"Why did Ines pick Forgejo?":        "forgejo ine",
		"Deploys are slow. Why? Ask Mei":    "mei",
		"what does \"Fennel\" cost":         "fennel",
		"iOS minimum version, GitHub too":   "github io", // stems
		"- Orders, and the Kvitholm's tide": "kvitholm",
		"模型的 PR 里 Mei 更希望看到什么图":             "mei",
		"what DB does the CI of Veltra use": "veltra",
		"WHY IS ALL OF THIS IN CAPITALS":    "",
		"nothing of that kind":              "",
		"hvem sjekker Ærlighet hos Øystein": "arlighet oystein",
		"":                                  "",
	} {
		seen := map[string]bool{}
		for _, qt := range QueryTerms(q, English, 0) {
			if qt.Name && qt.Field == Word {
				seen[qt.Term] = true
			}
		}
		if got := strings.Join(slices.Sorted(maps.Keys(seen)), " "); got != want {
			t.Errorf("%q: %q, want %q", q, got, want)
		}
	}
}

// TestLongNumbersTellMore: a port in a question must outweigh the word "port".
func TestLongNumbersTellMore(t *testing.T) {
	weights := map[string]float32{}
	for _, q := range QueryTerms("port 9099 since 2026 with 12 workers", English, 0) {
		weights[q.Key()] = q.Weight
	}
	port := weights[Key(Word, "port")] + weights[Key(Exact, "port")]
	if got := weights[Key(Exact, "9099")]; got <= port {
		t.Errorf("9099 weighs %v, port %v", got, port)
	}
	for _, s := range []string{"2026", "12"} {
		if got := weights[Key(Exact, s)]; got > port {
			t.Errorf("%s weighs %v, more than a word's %v", s, got, port)
		}
	}
}

// What an entry says is found by its own words in every form.
func TestQueryFindsEntry(t *testing.T) {
	docs := "Chose PostgreSQL over MySQL because read_model tests (ErrNoRows) need JSONB. 数据库用主从复制 #tags-with-hyphens [[db/choice]] don't café"
	have := map[string]bool{}
	for _, k := range NewAnalyzer().Passages(pimento.Entry{Text: docs, Heading: "Decisions"}, "topics/storage.md")[0].Terms {
		have[k.Text] = true
	}
	for _, q := range []string{"postgresql", "POSTGRES SQL", "choosing testing", "read model", "readModel", "errnorows", "err rows", "jsonb", "数据", "复制", "库",
		"tags-with-hyphens", "#tags-with-hyphens", "tags hyphens", "[[db/choice]]", "db/choice", "choice", "decision", "storage", "cafe", "CAFÉ"} {
		found := false
		for _, term := range QueryTerms(q, English, 0) {
			found = found || have[term.Key()]
		}
		if !found {
			t.Errorf("%q finds nothing", q)
		}
	}
}

func TestQueryTermsBounded(t *testing.T) {
	var b strings.Builder
	b.WriteString("Why does refreshToken fail? ")
	for i := range 60_000 {
		fmt.Fprintf(&b, "line%d of some log ", i)
	}
	b.WriteString("The culprit is ErrTokenExpired.")
	if b.Len() < 1<<20 {
		t.Fatal(b.Len())
	}
	got := QueryTerms(b.String(), English, 32)
	if len(got) != 32 {
		t.Errorf("%d terms", len(got))
	}
	m := keysOf(b.String(), 32)
	for _, want := range []string{"xrefreshtoken", "xerrtokenexpired"} {
		if _, ok := m[want]; !ok {
			t.Errorf("%s was dropped: %v", want, got)
		}
	}
	if again := QueryTerms(b.String(), English, 32); !slices.Equal(got, again) {
		t.Error("not stable")
	}
	if got := QueryTerms(strings.Repeat("x", 1<<20), English, 5); len(got) != 0 {
		t.Errorf("one endless word: %v", got)
	}
}

func TestGroups(t *testing.T) {
	groups := map[int]bool{}
	for _, q := range QueryTerms("redis Redis cache, REDIS", English, 0) {
		groups[q.Group] = true
	}
	if len(groups) != 2 {
		t.Errorf("%d groups for two words", len(groups))
	}
}

func TestTokens(t *testing.T) {
	for s, want := range map[string]int{
		"": 0, "a": 1, " ": 1, "word": 1, "two words": 2, "getUserName": 3, "12345": 2, "数据库": 3, "a\nb": 3, "...": 2, "🙂": 2, "привет": 3, "\xff\xff": 2,
		"internationalization": 3, "    return nil": 3,
	} {
		if got := Tokens(s); got != want {
			t.Errorf("Tokens(%q) = %d, want %d", s, got, want)
		}
	}
	prose := "Chose PostgreSQL over MySQL because the read model needs JSONB and partial indexes; revisit when the write load doubles. "
	if n, per := Tokens(prose), float64(len(prose))/float64(Tokens(prose)); per < 3.5 || per > 5.2 {
		t.Errorf("%d tokens for %d characters", n, len(prose))
	}
	code := "func (x *Index) Apply(ctx context.Context, put []index.Page, remove []string) error {\n\treturn x.store(ctx, put)\n}\n"
	if per := float64(len(code)) / float64(Tokens(code)); per < 2.2 || per > 4 {
		t.Errorf("%.2f characters of code for a token", per)
	}
	if n := testing.AllocsPerRun(10, func() { Tokens(prose + code) }); n > 1 { // the concatenation
		t.Errorf("%v allocations", n)
	}
}

// The property that budgets rest on.
func TestTokensSubadditive(t *testing.T) {
	if whole, parts := Tokens("\x80\xcb\x82"), Tokens("\x80\xcb")+Tokens("\x82"); whole > parts {
		t.Errorf("bytes that make a character together cost %d, and apart %d", whole, parts)
	}
	piece := rapid.OneOf(rapid.String(), rapid.StringMatching(`[aZ9 .\n_é日]{0,8}`), rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }))
	rapid.Check(t, func(t *rapid.T) {
		a, b := piece.Draw(t, "a"), piece.Draw(t, "b")
		if whole, parts := Tokens(a+b), Tokens(a)+Tokens(b); whole > parts {
			t.Fatalf("Tokens(%q + %q) = %d > %d", a, b, whole, parts)
		}
		if Tokens(a) > len(a) {
			t.Fatalf("Tokens(%q) = %d", a, Tokens(a))
		}
	})
}

func TestOneLine(t *testing.T) {
	for _, test := range []struct {
		in   string
		max  int
		want string
	}{
		{"  a\n\tb  c ", 10, "a b c"}, {"abcdef", 6, "abcdef"}, {"abcdef", 5, "abcd…"}, {"ab cdef", 4, "ab…"}, {"日本語テキスト", 4, "日本語…"},
		{"abc", 1, "…"}, {"a", 1, "a"}, {"abc", 0, ""}, {"", 5, ""}, {"abc", -3, ""}, {"\n \n", 3, ""},
	} {
		if got := OneLine(test.in, test.max); got != test.want {
			t.Errorf("OneLine(%q, %d) = %q, want %q", test.in, test.max, got, test.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		s, n := rapid.String().Draw(t, "s"), rapid.IntRange(0, 30).Draw(t, "n")
		if got := OneLine(s, n); utf8.RuneCountInString(got) > n || strings.ContainsAny(got, "\n\t") {
			t.Fatalf("OneLine(%q, %d) = %q", s, n, got)
		}
	})
}

func TestClipBytes(t *testing.T) {
	for _, test := range []struct {
		in   string
		max  int
		want string
	}{{"abc", 2, "ab"}, {"abc", 9, "abc"}, {"日本", 5, "日"}, {"日本", 2, ""}, {"🙂", 3, ""}, {"abc", 0, ""}, {"abc", -1, ""}, {"\x80\x80\x80\x80\x80\x80", 5, "\x80\x80\x80\x80\x80"}} {
		if got := ClipBytes(test.in, test.max); got != test.want {
			t.Errorf("ClipBytes(%q, %d) = %q, want %q", test.in, test.max, got, test.want)
		}
	}
}

func FuzzAnalyze(f *testing.F) {
	for _, s := range []string{"getUserName #tag [[a|b]] C++ don’t 数据", "_", "a__b--c::d", "É\u0301ß", "\xff#\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		n := 0
		Analyze(s, func(field byte, term string) {
			n++
			if term == "" || len(term) > maxWhole+8 {
				t.Errorf("%c%q", field, term)
			}
		})
		if n > 4*len(s)+4 {
			t.Errorf("%d terms from %d bytes", n, len(s))
		}
		if got := QueryTerms(s, English, 10); len(got) > 10 {
			t.Errorf("%d query terms", len(got))
		}
		if Tokens(s) > len(s) {
			t.Errorf("more tokens than bytes")
		}
	})
}

func BenchmarkPassages(b *testing.B) {
	words := strings.Fields("The retry budget of the payment_gateway client is three attempts because getUserName times out under load; see docs/adr/0007.md and #payments " +
		"before changing it, and remember that staging uses another database with smaller limits than production so tests there prove little about latency " +
		"or throughput in the real deployment which runs on Kubernetes")
	var entries []pimento.Entry
	for i := range 64 {
		entries = append(entries, pimento.Entry{Text: strings.Join(append(words[i%len(words):], words[:i%len(words)]...), " "), Heading: "Decisions > Payments",
			Kind: pimento.KindDecision, Stamp: time.Unix(1_700_000_000+int64(i)*86400, 0).UTC()})
	}
	a := NewAnalyzer()
	i := 0
	b.ReportAllocs()
	for b.Loop() {
		a.Passages(entries[i%64], "topics/decisions.md")
		i++
	}
}

// A long text's terms are counted where they stay: the passages of before are not moved
// for those that follow, and each is what its window alone has.
func TestPassagesOfALongTextStayWhereTheyAre(t *testing.T) {
	var words []string
	for i := range 20_000 {
		words = append(words, fmt.Sprintf("word%d", i%7000))
	}
	long := pimento.Entry{Text: strings.Join(words, " ")}
	a, b := NewAnalyzer(), NewAnalyzer()
	a.Passages(pimento.Entry{Text: "short"}, "a.md")
	got := slices.Clone(a.Passages(long, "a.md"))
	i := 0
	for w := range Windows(long.Text) {
		alone := b.Passages(pimento.Entry{Text: w}, "a.md")[0]
		for _, term := range got[i].Terms {
			if !slices.Contains(alone.Terms, term) {
				t.Fatalf("passage %d has %v, which its window has not", i, term)
			}
		}
		if len(got[i].Terms) < 80 || got[i].Words != alone.Words {
			t.Fatalf("passage %d: %d terms, %d words, not %d", i, len(got[i].Terms), got[i].Words, alone.Words)
		}
		i++
	}
	if i != len(got) || i < 300 {
		t.Errorf("%d passages of %d windows", len(got), i)
	}
}

func BenchmarkLongText(b *testing.B) {
	long := pimento.Entry{Text: strings.Repeat("The retry budget of the payment_gateway client is three attempts. ", 20_000)}
	b.SetBytes(int64(len(long.Text)))
	b.ReportAllocs()
	for b.Loop() {
		NewAnalyzer().Passages(long, "a.md")
	}
}

func BenchmarkTokens(b *testing.B) {
	s := strings.Repeat("The retry budget of the payment_gateway client is three attempts. ", 100)
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		Tokens(s)
	}
}

func BenchmarkQueryTerms(b *testing.B) {
	for b.Loop() {
		QueryTerms("Why does the payment_gateway client time out when getUserName is called during a deployment of the staging database?", English, 48)
	}
}

// TestPassagesOfKnownWordsAllocateLittle: an index is made of a hundred thousand entries.
func TestPassagesOfKnownWordsAllocateLittle(t *testing.T) {
	a := NewAnalyzer()
	e := pimento.Entry{Kind: pimento.KindFact, Text: "The importer keeps rows in memory until the queue is empty"}
	if n := testing.AllocsPerRun(100, func() { a.Passages(e, "topics/importer.md") }); n > 1 {
		t.Errorf("%v allocations", n)
	}
}
