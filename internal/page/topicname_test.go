package page

import (
	"slices"
	"strings"
	"testing"

	"github.com/pimento-memory/pimento"
)

func TestTopicNames(t *testing.T) {
	for _, tt := range []struct {
		rel, topic string
		keywords   []string
		again      string // as it would be written; "" for the same
	}{
		{"data_model--DuckDB,factor.md", "data_model", []string{"DuckDB", "factor"}, ""},
		{"a--k1,k2,k3,k4,k5.md", "a", []string{"k1", "k2", "k3", "k4", "k5"}, ""},
		{"数据模型--因子,增量.md", "数据模型", []string{"因子", "增量"}, ""},
		{"plain.md", "plain", nil, ""},
		{"topic--.md", "topic", nil, "topic.md"},
		{"a--b--c.md", "a", []string{"b--c"}, ""},
		{"a-- b , c .md", "a", []string{"b", "c"}, "a--b,c.md"},
		{"topics/deploy--k8s.md", "deploy", []string{"k8s"}, "deploy--k8s.md"},
	} {
		topic, keywords := Topic(tt.rel)
		if topic != tt.topic || !slices.Equal(keywords, tt.keywords) {
			t.Errorf("Topic(%q) = %q, %q", tt.rel, topic, keywords)
		}
		want := tt.again
		if want == "" {
			want = tt.rel
		}
		if got := topicFile(topic, keywords); got != want {
			t.Errorf("TopicFile of %q = %q, want %q", tt.rel, got, want)
		}
	}
}

func TestCheckTopicFile(t *testing.T) {
	policy := pimento.Topics{MaxKeywords: 5}
	for name, want := range map[string]string{
		"deploy--k8s,canary.md":     "deploy--k8s,canary.md",
		"deploy--k8s":               "deploy--k8s.md",
		"deploy.md.md":              "deploy.md",
		"deploy--":                  "deploy.md",
		" deploy.md ":               "deploy.md",
		"memories.md":               "memories.md",
		"a--1,2,3,4,5.md":           "a--1,2,3,4,5.md",
		"数据--因子.md":                 "数据--因子.md",
		"a--1,2,3,4,5,6.md":         "! has 6 keywords, the limit is 5",
		"a/b.md":                    "! has a path separator",
		`a\b.md`:                    "! has a path separator",
		"../a.md":                   "! has a path separator",
		"..":                        "! starts with a dot",
		".hidden.md":                "! starts with a dot",
		"":                          "! is empty",
		".md":                       "! is empty",
		"--k.md":                    "! has no topic",
		"MEMORY":                    "! is reserved",
		"memory--a.md":              "! is reserved",
		"Scratchpad.md":             "! is reserved",
		"a|b.md":                    "! has one of",
		"a\nb.md":                   "! has one of",
		"a--b,,c.md":                "! has an empty keyword",
		"a--b,B.md":                 `! has the keyword "B" twice`,
		strings.Repeat("x", 198):    "! has 201 bytes",
		strings.Repeat("é", 99):     "! has 201 bytes",
		strings.Repeat("x", 197):    strings.Repeat("x", 197) + ".md",
		"a--" + `k"` + ".md":        "! has one of",
		"deploy--canary,k8s (x).md": "deploy--canary,k8s (x).md",
	} {
		rel, refusal := CheckTopicFile(name, policy)
		if reason, bad := strings.CutPrefix(want, "! "); bad {
			if rel != "" || !strings.Contains(refusal, reason) || !strings.Contains(refusal, "; ") {
				t.Errorf("%q: %q, %q", name, rel, refusal)
			}
		} else if rel != want || refusal != "" {
			t.Errorf("%q: %q, %q", name, rel, refusal)
		}
	}
	if _, refusal := CheckTopicFile("a--1,2,3,4,5,6.md", pimento.Topics{}); refusal != "" {
		t.Errorf("without a limit: %s", refusal)
	}
}

func TestTopicsClash(t *testing.T) {
	for _, tt := range []struct {
		a, b    string
		overlap int
		clash   bool
		shared  string
	}{
		{"a--x.md", "a--y.md", 3, true, ""},
		{"Deploy.md", "deploy--y.md", 3, true, ""},
		{"a--k1,k2,k3.md", "b--K1,k2,K3,k4.md", 3, true, "k1 k2 k3"},
		{"a--k1,k2,k3.md", "b--k1,k2.md", 3, false, "k1 k2"},
		{"a.md", "b.md", 3, false, ""},
		{"a--k1.md", "b--k1.md", 1, true, "k1"},
		{"a--x.md", "a--x.md", 0, false, ""},
	} {
		shared, clash := TopicsClash(tt.a, tt.b, tt.overlap)
		if clash != tt.clash || strings.Join(shared, " ") != tt.shared {
			t.Errorf("%s, %s, %d: %v %v", tt.a, tt.b, tt.overlap, shared, clash)
		}
	}
}

// What the index names and the limits count: no page with a role, no log, no
// note, nothing archived.
func TestHoldsTopic(t *testing.T) {
	for rel, want := range map[string]bool{"deploy--k8s.md": true, "topics/deploy.md": true, "notes/x.md": true,
		"MEMORY.md": false, "MEMORY.local.md": false, "SCRATCHPAD.md": false, "daily/2026-01-02.md": false,
		"raw/observations/x.md": false, "archive/deploy.md": false, "archive/topics/x.md": false,
		"deploy--k8s.md.age": false, "topics/deploy.md.age": false} {
		if HoldsTopic(rel) != want {
			t.Errorf("%s: %v", rel, !want)
		}
	}
}
