package courier

import (
	"math/rand/v2"
	"net/url"
	"strings"
	"testing"
)

// What ParseAddress takes, net/url takes, and reads in the same way.
func TestAddressesAreThoseOfNetURL(t *testing.T) {
	pieces := []string{"http", "https", "HTTPS", "file", "ftp", "://", ":", "/", "//", "a", "host", "é", "localhost", "10.0.0.1", "[::1]", "[fe80::1%25en0]", "[", "]", ":8080", ":x",
		"@", "user", "user:secret@", "%", "%2f", "%41", "%zz", "/v1/embeddings", "/api/chat", "?", "q=1", "#", "frag", " ", "\x00", "\x7f", "\\", "<", "^", "|", ".", "..", "_", "~", "+", "!", "'", ";", "="}
	r := rand.New(rand.NewPCG(1, 2))
	taken := 0
	for range 300_000 {
		var b strings.Builder
		for range r.IntN(8) {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		s := b.String()
		if r.IntN(2) == 0 {
			s = "http://" + s
		}
		a, err := ParseAddress(s)
		if err != nil {
			continue
		}
		u, err := url.Parse(s)
		if a.User { // which is refused by all who ask
			_, shown, _ := strings.Cut(a.Redacted(), "://")
			if shown, _, _ = strings.Cut(shown, "/"); strings.Contains(shown, "secret") || err == nil && u.User == nil {
				t.Fatalf("%q is shown as %q", s, a.Redacted())
			}
			continue
		}
		taken++
		if err != nil || u.Scheme != a.Scheme || u.Host != a.Host || u.EscapedPath() != a.Path || u.Path != a.File() || u.RawQuery != a.Query || u.User != nil {
			t.Fatalf("%q: %+v; net/url: %+v, %v", s, a, u, err)
		}
	}
	if taken < 10_000 {
		t.Errorf("only %d were taken", taken)
	}
}

func TestAddressesOfEveryDay(t *testing.T) {
	for s, base := range map[string]string{
		"http://localhost:11434/api/chat":                "http://localhost:11434/api/chat",
		"HTTPS://api.example.com/v1/embeddings?x=1#top":  "https://api.example.com/v1/embeddings",
		"http://[::1]:8080/api/embed":                    "http://[::1]:8080/api/embed",
		"https://huggingface.co/BAAI/bge-small-en-v1.5/": "https://huggingface.co/BAAI/bge-small-en-v1.5/",
		"file:///srv/models/a%20b":                       "file:///srv/models/a%20b",
		"https://me:secret@example.com/x":                "https://example.com/x",
	} {
		if a, err := ParseAddress(s); err != nil || a.Base() != base {
			t.Errorf("%q: %+v, %v", s, a, err)
		}
	}
	for _, s := range []string{"", "localhost:11434", "ftp://a/b", "http:/a", "http://a b/", "http://a:b/", "http://:80/", "http://[::1/", "http://a/%zz", "http://ä/"} {
		if a, err := ParseAddress(s); err == nil {
			t.Errorf("%q is taken: %+v", s, a)
		}
	}
}
