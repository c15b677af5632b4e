package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pimento-memory/pimento"
)

func TestLoad(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.json")
	text := "\ufeff{\r\n  // who\n  \"profile\": \"mind\", /* \"enabled\": false */\n  \"traceEnabled\": false,\n" +
		"  \"overrides\": {\"prefix\": {\"tokens\": 10}, \"budgets\": {\"a\": 1}}, \"budgets\": {\"b\": \"// no comment\"}\n} // end"
	write(t, path, text)
	c, faults := Load(path, false)
	if len(faults) > 0 || c.Profile != "mind" || !c.Enabled || c.TraceEnabled || !c.Has("traceEnabled") || c.Has("enabled") || c.MaxInjectBytes != 8192 {
		t.Errorf("%+v %v", c, faults)
	}
	if got := string(c.Overrides); got != `{"budgets":{"b":"// no comment"},"prefix":{"tokens":10}}` {
		t.Errorf("overrides %s", got)
	}
	if c, faults := Load(path+"x", true); len(faults) > 0 || !c.Enabled {
		t.Errorf("no file: %+v %v", c, faults)
	}
}

func TestConfigFaults(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		name, text, want string
		own              bool
	}{
		{"syntax", "{\n  \"profile\": mind\n}", ":2:14: invalid character 'm'", false},
		{"cut", `{"profile": "a"`, ":1:16: unexpected end", false},
		{"trailing", "{}\n{}", ":2:1: invalid character '{'", false},
		{"comma", `{"profile": "a",}`, ":1:17: invalid character '}'", false},
		{"comment", "{\n /* never", ":2:2: a comment is not closed", false},
		{"array", " []", ":1:2: a configuration is an object", false},
		{"type", "{\"ü\": 1, \"enabled\": \"yes\"}", `:1:10: key "enabled" is ignored: it must be true or false`, false},
		{"null", `{"profile": null}`, `must be a string`, false},
		{"negative", `{"maxInjectLines": -1}`, `must be a whole number`, false},
		{"float", `{"maxInjectLines": 1.5}`, `must be a whole number`, false},
		{"overrides", `{"overrides": 3}`, `must be an object`, false},
		{"unknown", `{"profil": "a"}`, `unknown key "profil" is ignored; did you mean "profile"?`, false},
		{"like no other", `{"fancy_new_key": 1}`, `unknown key "fancy_new_key" is ignored; a config.json may set profile, overrides, `, false},
		{"case", `{"Enabled": false}`, `did you mean "enabled"?`, false},
		{"repeated", `{"enabled": true, "enabled": false}`, `:1:19: key "enabled" is repeated`, false},
		{"command", `{"thinker": {"command": "rm -rf /"}}`, `key "thinker" is ignored: only your own`, false},
		{"capture", `{"capture": "auto"}`, `key "capture" is ignored: only your own`, false},
		{"like none of one's own", `{"fancy_new_key": 1}`, `strictWriteback, capture, autoDream, worth, `, true},
		{"own", `{"embeder": 1}`, `did you mean "embedder"?`, true},
		{"nul", "{\x00}", "invalid character", false},
		{"deep", strings.Repeat("[", 20000), "exceeded max depth", false},
	} {
		path := filepath.Join(dir, c.name)
		write(t, path, c.text)
		got, faults := Load(path, c.own)
		if len(faults) == 0 || faults[0].Kind != "config" || !strings.Contains(faults[len(faults)-1].Detail, c.want) || !strings.HasPrefix(faults[0].Detail, path) {
			t.Errorf("%s: faults %v, want %q", c.name, faults, c.want)
		}
		if !got.Enabled || got.MaxInjectLines != 200 || got.Own != nil {
			t.Errorf("%s: %+v", c.name, got)
		}
		if slurp(t, path) != c.text {
			t.Errorf("%s: the file was changed", c.name)
		}
	}
	write(t, filepath.Join(dir, "huge"), strings.Repeat(" ", 1<<20+1))
	if _, faults := Load(filepath.Join(dir, "huge"), true); len(faults) != 1 {
		t.Error("a huge file was read")
	}
	if _, faults := Load(dir, true); len(faults) != 1 {
		t.Error("a directory was read")
	}
	link := filepath.Join(dir, "link")
	if err := os.Symlink(filepath.Join(dir, "command"), link); err != nil {
		t.Fatal(err)
	}
	if _, faults := Load(link, false); len(faults) != 1 || !strings.Contains(faults[0].Detail, "symbolic link") {
		t.Errorf("a link of a scope: %v", faults)
	}
}

func TestOwnConfig(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.json")
	write(t, path, `{"capture": "auto", "thinker": {"command": ["x"]}, "profile": "a", "maxInjectLines": 5}`)
	own, faults := Load(path, true)
	if len(faults) > 0 || string(own.Own["capture"]) != `"auto"` || string(own.Own["thinker"]) != `{"command": ["x"]}` {
		t.Errorf("%+v %v", own, faults)
	}
	write(t, path, `{"profile": "b", "enabled": false, "sections": [{"name": "x"}]}`)
	narrow, faults := Load(path, false)
	both := narrow.Over(own)
	if len(faults) > 0 || both.Profile != "b" || both.Enabled || both.MaxInjectLines != 5 || string(both.Own["capture"]) != `"auto"` || both.Overrides == nil || !both.Has("maxInjectLines") {
		t.Errorf("%+v %v", both, faults)
	}
	if own.Profile != "a" || own.Has("enabled") {
		t.Error("Over changed its argument")
	}
}

func TestSet(t *testing.T) {
	for _, c := range []struct{ name, from, to string }{
		{"new", "", "{\n  \"profile\": \"x\"\n}\n"},
		{"empty", "{}", "{\n  \"profile\": \"x\"\n}"},
		{"empty2", "{\n}\n", "{\n  \"profile\": \"x\"\n}\n"},
		{"comment", "// only\n", "// only\n{\n  \"profile\": \"x\"\n}\n"},
		{"inside", "{\n  // none yet\n}\n", "{\n  // none yet\n  \"profile\": \"x\"\n}\n"},
		{"replace", "{\"a\":1, /* p */ \"profile\" : /* v */ \"old\" /* z */, \"b\":2}", "{\"a\":1, /* p */ \"profile\" : /* v */ \"x\" /* z */, \"b\":2}"},
		{"object", "{\"profile\": {\"deep\": [1, \"}\"]}, \"thinker\": 1}", "{\"profile\": \"x\", \"thinker\": 1}"},
		{"line", `{"enabled": true}`, `{"enabled": true, "profile": "x"}`},
		{"line2", "{\"enabled\": true // t\n}", "{\"enabled\": true, // t\n  \"profile\": \"x\"\n}"},
		{"add", "{\n\t\"enabled\": true // keep } me\n\t// and me\n}\n// end }\n", "{\n\t\"enabled\": true, // keep } me\n\t// and me\n\t\"profile\": \"x\"\n}\n// end }\n"},
		{"crlf", "{\r\n  \"enabled\": true\r\n}\r\n", "{\r\n  \"enabled\": true,\r\n  \"profile\": \"x\"\r\n}\r\n"},
		{"bom", "\ufeff{ \"enabled\": true }", "\ufeff{ \"enabled\": true, \"profile\": \"x\" }"},
		{"nested", "{\"overrides\": {\"profile\": \"deep\"}}", "{\"overrides\": {\"profile\": \"deep\"}, \"profile\": \"x\"}"},
	} {
		got, err := Set("config.json", true, "profile", "x")([]byte(c.from))
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if diff := cmp.Diff(c.to, string(got)); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
		if back, faults := Of(got, nil, "config.json", true); back.Profile != "x" || len(faults) > 0 && c.name != "replace" {
			t.Errorf("%s: read back %+v %v", c.name, back, faults)
		}
	}
	for _, c := range []struct {
		from, key string
		own       bool
		want      string
	}{
		{"{\n oops", "profile", true, "here: 2:2: "},
		{"{}", "profiel", true, `did you mean "profile"?`},
		{"{}", "thinker", false, "your own config.json"},
	} {
		got, err := Set("here", c.own, c.key, "x")([]byte(c.from))
		if got != nil || pimento.KindOf(err) != pimento.KindUsage || !strings.Contains(err.Error()+pimento.HintOf(err), c.want) {
			t.Errorf("%s: %q %v", c.key, got, err)
		}
	}
	if _, err := Set("here", false, "profile", "x")(nil); err != nil {
		t.Error(err)
	}
}

// Whatever the file, setting a key either fails or changes that key alone.
func FuzzSet(f *testing.F) {
	for _, s := range []string{"{}", "{\"a\":1 // x\n}", "{\n \"profile\": \"y\" /* */ }", "//", "{\"a\\\"\": \"/*\"}", "{\"a\":[{\"profile\":1}],\n}"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		out, err := setKey(b, "profile", "x")
		if err != nil {
			return
		}
		before, _ := members(b)
		after, err := members(out)
		if err != nil {
			t.Fatalf("%q became %q: %v", b, out, err)
		}
		got := map[string]string{}
		for i := len(after) - 1; i >= 0; i-- {
			got[after[i].name] = string(after[i].raw)
		}
		if got["profile"] != `"x"` {
			t.Fatalf("%q became %q", b, out)
		}
		for i := len(before) - 1; i >= 0; i-- {
			if m := before[i]; m.name != "profile" && got[m.name] == "" {
				t.Fatalf("%q lost %s: %q", b, m.name, out)
			}
		}
	})
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func slurp(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
