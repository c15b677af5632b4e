package text

import "testing"

func TestCommand(t *testing.T) {
	for prompt, want := range map[string]bool{
		"/compact": true, " /model opus": true, "/pimento:remember always\nuse the lever": true, "/mcp__git__log": true, "/": true,
		"/srv/app is wrong. From now on always use the lever.": false, "/deploy.yaml is old": false, "/usr/bin": false,
		"use /compact": false, "": false, "/é": false,
	} {
		if got := Command(prompt); got != want {
			t.Errorf("%q: %v", prompt, got)
		}
	}
}
