package vault

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pimento-memory/pimento"
)

func TestMindConfig(t *testing.T) {
	top := realTemp(t)
	dir := filepath.Join(top, "repo", ".pi-mind")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	r, err := OpenRoot(pimento.Project, dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	if c, ok, faults := r.MindConfig(t.Context()); ok || faults != nil {
		t.Errorf("no file: %+v %v", c, faults)
	}
	for name, tt := range map[string]struct {
		text   string
		ok     bool
		faults string // parts, in order
	}{
		"all":       {`{"search": {"maxInjectTokens": 4000, "l1MaxTokens": 0, "vectorSimilarityThreshold": 0.3}, "l1": {"perSubjectCap": 10}, "recency": {"maxBoost": 0.15, "decayDays": 60}, "typeWeights": {"user": 1.5, "compaction": 0.5}}`, true, ""},
		"empty":     {`{}`, false, ""},
		"no json":   {`{"search":`, false, "it is not used"},
		"no object": {`[1]`, false, "it is not used"},
		"wrong": {`{"a": {}, "l1": 3, "recency": {"maxBoost": 2, "x": 1}, "search": {"maxInjectTokens": -4, "maxSearchResults": "5"}, "typeWeights": {"user": null, "boss": 1}}`, false,
			"unknown key a is|key l1 is ignored: it must be an object|key recency.maxBoost is ignored: it must be a number from 0 to 1|unknown key recency.x is|" +
				"key search.maxInjectTokens is ignored: it must be a whole number|key search.maxSearchResults|unknown key typeWeights.boss is|key typeWeights.user is ignored"},
		"fraction":  {`{"recency": {"decayDays": 1.5}}`, false, "key recency.decayDays"},
		"half":      {`{"l1": {"perSubjectCap": 2, "x": 1}}`, true, "unknown key l1.x"},
		"embedding": {`{"embedding": {"url": "http://example.com"}}`, false, "key embedding is ignored: only your own"},
	} {
		if err := os.WriteFile(filepath.Join(dir, mindConfigName), []byte(tt.text), 0o644); err != nil {
			t.Fatal(err)
		}
		_, ok, faults := r.MindConfig(t.Context())
		var want []string
		if tt.faults != "" {
			want = strings.Split(tt.faults, "|")
		}
		if ok != tt.ok || len(faults) != len(want) {
			t.Errorf("%s: %v, %d faults: %v", name, ok, len(faults), faults)
			continue
		}
		for i, f := range faults {
			if f.Kind != "config" || !strings.Contains(f.Detail, want[i]) {
				t.Errorf("%s: %s, want %s", name, f.Detail, want[i])
			}
		}
	}
	// A link of the repository is not followed.
	secret := filepath.Join(top, "elsewhere.json")
	if err := os.WriteFile(secret, []byte(`{"l1": {"perSubjectCap": 1}}`), 0o644); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, mindConfigName)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(secret, path); err != nil {
		t.Fatal(err)
	}
	if _, ok, faults := r.MindConfig(t.Context()); ok || len(faults) != 1 {
		t.Errorf("a link was followed: %v %v", ok, faults)
	}
}
