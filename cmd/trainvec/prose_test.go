package main

import (
	"slices"
	"testing"

	"github.com/pimento-memory/pimento/internal/text"
)

func read(t *testing.T, name, body string) []string {
	t.Helper()
	r := reader(name)
	if r == nil {
		t.Fatalf("%s is not read", name)
	}
	var out []string
	r([]byte(body), func(_ byte, p string) {
		sentences(p, func(s string) {
			if prose(s, text.Stop) {
				out = append(out, s)
			}
		})
	})
	return out
}

func TestProseOfFiles(t *testing.T) {
	const want = "The pool is closed when the last of its users is gone."
	for name, body := range map[string]string{
		"a.go":       "package a\n\n// The pool is closed when\n// the last of its users is gone.\nvar x = \"// no comment in here, that would be wrong\"\n",
		"a.ts":       "/**\n * The pool is closed when the last\n * of its users is gone.\n */\nexport const x = 1\n",
		"a.py":       "def f():\n    \"\"\"The pool is closed when the last\n    of its users is gone.\n\n    >>> f() is not for the likes of you\n    \"\"\"\n",
		"doc/a.md":   "---\ntitle: what is in here is for machines\n---\n# Pools\n\nThe pool is closed when the [last](http://a.b/c) of its\nusers is gone.\n\n```\nthis is code and not for us to read\n```\n",
		"doc/a.html": "<head><title>is not for us to be read</title></head><p>The <code>pool</code> is closed when the last of its users is gone.</p><pre>x is y and z</pre>",
	} {
		if got := read(t, name, body); !slices.Equal(got, []string{want}) {
			t.Errorf("%s: %q", name, got)
		}
	}
	for _, name := range []string{"vendor/a/b.go", "node_modules/a/README.md", "a.json", "a.png"} {
		if reader(name) != nil {
			t.Errorf("%s is read", name)
		}
	}
}

func TestProse(t *testing.T) {
	for s, want := range map[string]bool{
		"The pool is closed when the last user is gone.":    true,
		"连接池在最后一个用户离开后关闭。":                                  true,
		"foo(bar, baz) { return qux[1] + 2 }":               false,
		"Name Age Height Weight Colour Speed Depth Length":  false,
		"Der Pool wird geschlossen, wenn niemand ihn nutzt": false,
	} {
		if got := prose(s, text.Stop); got != want {
			t.Errorf("prose(%q) is %v", s, got)
		}
	}
}

func TestSentences(t *testing.T) {
	var got []string
	sentences("One is v1.2 of it.  Two!\nThree 一。二", func(s string) { got = append(got, s) })
	if want := []string{"One is v1.2 of it.", "Two!", "Three 一。", "二"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

func TestSynset(t *testing.T) {
	s, ok := parseSynset("00001930 03 n 02 physical_entity 0 thing(p) 1 001 @ 00001740 n 0000 | an entity that has physical existence  ")
	if !ok || !slices.Equal(s.words, []string{"physical entity", "thing"}) || s.gloss != "an entity that has physical existence" ||
		s.id != "n00001930" || !slices.Equal(s.kin, []string{"n00001740"}) {
		t.Errorf("%+v, %v", s, ok)
	}
	if _, ok := parseSynset("  1 This software and database is being provided to you | under"); ok {
		t.Error("the licence is a synset")
	}
}

func TestSourcesAreListed(t *testing.T) {
	all, err := readSources(sourceList)
	if err != nil || len(all) < 50 {
		t.Fatalf("%d sources, %v", len(all), err)
	}
	seen := map[string]bool{}
	for _, s := range all {
		if s.licence == "" || s.version == "" || seen[s.file()] {
			t.Errorf("%+v has no licence or version, or is there twice", s)
		}
		seen[s.file()] = true
	}
}

func TestTokens(t *testing.T) {
	z := newTokenizer(newLexicon([][]string{{"数据", "数据库", "连接", "read model"}}))
	var got []string
	z.tokens("The readModel 数据库的连接 closes", func(w string) { got = append(got, w) })
	if want := []string{"readmodel", "read", "model", "read model", "数据库", "连接", "close"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
