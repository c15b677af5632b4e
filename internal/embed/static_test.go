package embed

import (
	"context"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
)

func one(t testing.TB, s *Static, text string) []float32 {
	t.Helper()
	v, err := s.Embed(context.Background(), []string{text})
	if err != nil || len(v) != 1 {
		t.Fatalf("Embed(%q): %d vectors, %v", text, len(v), err)
	}
	return v[0]
}

func cosine(a, b []float32) float64 {
	sum := 0.0
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}

// TestBuiltin holds the embedded file, so that NewStatic need not check it.
func TestBuiltin(t *testing.T) {
	tab, err := openTable(builtin)
	if err != nil {
		t.Fatal(err)
	}
	if err := tab.verify(); err != nil {
		t.Fatal(err)
	}
	if len(builtin) > 4<<20 {
		t.Errorf("the table has %d bytes, more than 4 MiB", len(builtin))
	}
	for w := range tab.words {
		if got := tab.find(tab.key(w)); got != w {
			t.Fatalf("word %d, %q, is found as %d", w, tab.key(w), got)
		}
	}
	info := NewStatic().Info()
	if info.Dim != tab.dim || !info.Weak || info.ID == "" || info.Related <= 0 {
		t.Errorf("Info is %+v", info)
	}
}

func TestVectorsHaveLengthOne(t *testing.T) {
	s := NewStatic()
	for _, text := range []string{"database", "We chose PostgreSQL for the read_model.", "internal/store/cache.go", "数据库连接池的大小", "缓存 redis"} {
		v := one(t, s, text)
		if len(v) != s.Info().Dim {
			t.Fatalf("%q has %d numbers", text, len(v))
		}
		if n := cosine(v, v); math.Abs(n-1) > 1e-5 {
			t.Errorf("%q has length² %v", text, n)
		}
		if !slices.Equal(v, one(t, NewStatic(), text)) {
			t.Errorf("%q has another vector the second time", text)
		}
	}
}

func TestNoKnownWordsNoVector(t *testing.T) {
	s := NewStatic()
	for _, text := range []string{"", "  \n", "the of and", "qzxwvk", "12345", "🙂", "的", "\xff\xfe"} {
		if v := one(t, s, text); v != nil {
			t.Errorf("%q has a vector", text)
		}
	}
}

func TestIdentifiersCountByTheirParts(t *testing.T) {
	s := NewStatic()
	for _, p := range [][2]string{
		{"retryTimeout", "retry timeout"}, {"retry_timeout", "retry timeout"}, {"src/queue/worker", "src queue worker"},
		{"databases", "database"}, {"requestdatabase", "request database"},
	} {
		if c := cosine(one(t, s, p[0]), one(t, s, p[1])); c < 0.8 {
			t.Errorf("%q and %q: %.2f", p[0], p[1], c)
		}
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if v, err := NewStatic().Embed(ctx, []string{"database"}); err == nil || v != nil {
		t.Errorf("a cancelled call gives %v, %v", v, err)
	}
}

// pairs are statements, another way to say each, and what has nothing to do
// with it.
var pairs = [][3]string{
	{"The nightly backup goes to object storage.", "Every evening a snapshot is copied into the bucket.", "Buttons have rounded corners."},
	{"Deploys are frozen on Fridays.", "Nothing is released before the weekend.", "The parser allocates too much."},
	{"Passwords are hashed with argon2.", "How do we store credentials of users?", "The chart axis shows months."},
	{"Sessions expire after thirty minutes.", "When is somebody logged out?", "Images are resized by a worker."},
	{"Use tabs, not spaces.", "How do we indent code?", "The queue drops old messages."},
	{"The queue keeps messages for a week.", "Kafka topics have seven days of retention.", "The login page is blue."},
	{"Prices are integers in cents.", "Money is never stored as floating point.", "Logs are shipped by an agent."},
	{"The build cache lives on the runner.", "Why is CI fast the second time?", "Emails go out in German."},
	{"Requests are limited to ten per second.", "What is the throttling quota of the API?", "The font is too small."},
	{"Feature flags are read at start.", "A toggle needs a restart.", "Addresses are geocoded."},
	{"Errors are wrapped with the operation.", "How should failures be reported to the caller?", "The logo is an SVG."},
	{"We chose PostgreSQL.", "Which database do we use?", "The menu closes on scroll."},
	{"Anna reviews all SQL migrations.", "Who approves schema changes?", "The cache is warmed by a cron job."},
	{"The flaky test is skipped on Windows.", "An unstable check is disabled there.", "Invoices are sent as PDF."},
	{"Memory grows until the pod is killed.", "There is a leak that ends in an OOM.", "Colours come from the theme."},
	{"Secrets come from Vault.", "Where are API keys kept?", "Rows are sorted by date."},
	{"The frontend is written in React.", "What UI framework is in the browser?", "Backups are encrypted."},
	{"数据库用 PostgreSQL。", "Which database do we use?", "Buttons have rounded corners."},
	{"部署只在周二进行。", "When do we release?", "The parser allocates too much."},
	{"缓存五分钟后过期。", "How long is the TTL of the cache?", "Invoices are sent as PDF."},
}

// TestSimilarBeatsDissimilar allows a few pairs to be wrong: these are words,
// not sentences that are understood.
func TestSimilarBeatsDissimilar(t *testing.T) {
	s, wrong := NewStatic(), 0
	for _, p := range pairs {
		a, b, c := one(t, s, p[0]), one(t, s, p[1]), one(t, s, p[2])
		near, far := cosine(a, b), cosine(a, c)
		t.Logf("%.2f %.2f  %s / %s", near, far, p[0], p[1])
		if near <= far {
			wrong++
		}
	}
	if wrong > 1 {
		t.Errorf("%d of %d pairs are nearer to what has nothing to do with them", wrong, len(pairs))
	}
}

func TestConcurrent(t *testing.T) {
	s := NewStatic()
	want := one(t, s, "The retry queue is drained by a worker.")
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 100 {
				v, err := s.Embed(context.Background(), []string{"nothing", "The retry queue is drained by a worker."})
				if err != nil || !slices.Equal(v[1], want) {
					t.Error("another vector from another goroutine")
					return
				}
			}
		})
	}
	wg.Wait()
}

// FuzzEmbed: any bytes have a vector of length 1 or none.
func FuzzEmbed(f *testing.F) {
	for _, s := range []string{"", "database", "数据库", "数\xe6", "a_b/c.d", strings.Repeat("retrytimeout", 9), "\xff\xe4\xb8"} {
		f.Add(s)
	}
	s := NewStatic()
	f.Fuzz(func(t *testing.T, text string) {
		v := one(t, s, text)
		if n := cosine(v, v); v != nil && math.Abs(n-1) > 1e-4 {
			t.Errorf("%q has length² %v", text, n)
		}
	})
}

// BenchmarkEmbed: a memory of 30 words.
func BenchmarkEmbed(b *testing.B) {
	s := NewStatic()
	texts := []string{"We chose PostgreSQL over MongoDB for the read_model because reports join five tables; the nightly " +
		"export to object storage runs at two, and internal/report/export.go retries a failed upload three times before it gives up."}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := s.Embed(context.Background(), texts); err != nil {
			b.Fatal(err)
		}
	}
}

// TestKnown: how much of a text the table knows.
func TestKnown(t *testing.T) {
	s := NewStatic()
	for text, want := range map[string]float64{
		"":                          1,
		"who is it, and why":        1,
		"database timeout":          1,
		"the zalbrecht timeout":     0.5,
		"zalbrecht":                 0,
		"数据库":                       1,
		"谁是的":                       1,
		"龘龘数据":                      0.5,
		"数据 zalbrecht":              0.5,
		"zalbrecht of the 数据库 kwyx": 1.5 / 3.5,
	} {
		if got := s.Known(text); math.Abs(got-want) > 1e-9 {
			t.Errorf("%q: %.3f, want %.3f", text, got, want)
		}
	}
}

// TestChineseFunctionWords: what every question is framed with is no part of
// what it is about.
func TestChineseFunctionWords(t *testing.T) {
	vs, err := NewStatic().Embed(t.Context(), []string{"为什么我们可以", "数据库版本", "我们的数据库是什么版本"})
	if err != nil || vs[0] != nil {
		t.Fatal(vs[0] != nil, err)
	}
	same := float32(0)
	for i := range vs[1] {
		same += vs[1][i] * vs[2][i]
	}
	if same < 0.999 {
		t.Errorf("likeness %.3f, want 1", same)
	}
}
