package config

import (
	"errors"
	"io/fs"
	"strings"
	"testing"
)

func TestMindOf(t *testing.T) {
	if c, ok, faults := MindOf(nil, fs.ErrNotExist, "mind"); ok || faults != nil {
		t.Errorf("no file: %+v %v", c, faults)
	}
	if _, ok, faults := MindOf(nil, errors.New("a symbolic link"), "mind"); ok || len(faults) != 1 {
		t.Errorf("one that cannot be read: %v", faults)
	}
	for name, tt := range map[string]struct {
		text   string
		ok     bool
		faults string // parts, in order
	}{
		"all":       {`{"search": {"maxInjectTokens": 4000, "l1MaxTokens": 0, "vectorSimilarityThreshold": 0.3}, "l1": {"perSubjectCap": 10}, "recency": {"maxBoost": 0.15, "decayDays": 60}, "typeWeights": {"user": 1.5, "compaction": 0.5}}`, true, ""},
		"empty":     {`{}`, false, ""},
		"no json":   {"{\n \"search\": oops", false, "mind: 2:12: invalid character 'o'"},
		"no object": {`[1]`, false, "mind: 1:1: a configuration is an object"},
		"wrong": {`{"a": {}, "l1": 3, "recency": {"maxBoost": 2, "x": 1}, "search": {"maxInjectTokens": -4, "maxSearchResults": "5"}, "typeWeights": {"user": null, "boss": 1}}`, false,
			"unknown key a is|key l1 is ignored: it must be an object|key recency.maxBoost is ignored: it must be a number from 0 to 1|unknown key recency.x is|" +
				"key search.maxInjectTokens is ignored: it must be a whole number|key search.maxSearchResults|unknown key typeWeights.boss is|key typeWeights.user is ignored"},
		"fraction":  {`{"recency": {"decayDays": 1.5}}`, false, "key recency.decayDays"},
		"half":      {`{"l1": {"perSubjectCap": 2, "x": 1}}`, true, "unknown key l1.x"},
		"embedding": {`{"embedding": {"url": "http://example.com"}}`, false, "key embedding is ignored: only your own"},
	} {
		_, ok, faults := MindOf([]byte(tt.text), nil, "mind")
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
}
