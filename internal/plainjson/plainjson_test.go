package plainjson

import "testing"

func TestMarshal(t *testing.T) {
	v := map[string]string{"a": "<b> & c"}
	for indent, want := range map[string]string{"": "{\"a\":\"<b> & c\"}\n", "  ": "{\n  \"a\": \"<b> & c\"\n}\n"} {
		if got, err := Marshal(v, indent); string(got) != want || err != nil {
			t.Errorf("%q, %v", got, err)
		}
	}
	if got, err := Marshal(func() {}, ""); err == nil {
		t.Errorf("%q", got)
	}
}
