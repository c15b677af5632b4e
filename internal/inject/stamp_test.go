package inject

import "testing"

func TestIsStamp(t *testing.T) {
	for line, want := range map[string]bool{
		"<!-- 2026-03-02 10:15:00 [1a2b3c4d] -->":               true,
		"<!-- 2026-03-02 10:15:00 -->":                          true, // written outside a session
		"<!-- HANDOFF 2026-03-02 10:15:00 -->":                  true,
		"<!-- last updated: 2026-03-02 10:15:00 [1a2b3c4d] -->": true,
		"<!-- 2026-03-02 10:15:00 [ -->":                        false,
		"<!-- 2026-03-02 10:15:00 [<b>] -->":                    false,
		"<!-- 2026-03-02 10:15:00 [1a2b3c4d9] -->":              false,
		"<!-- note -->": false,
	} {
		if got := isStamp(line); got != want {
			t.Errorf("isStamp(%q) = %v", line, got)
		}
	}
}

// A stamp that a handoff quotes stands behind a backslash; it is as harmless as
// one that dates an entry.
func TestQuotedStampsStand(t *testing.T) {
	for line, want := range map[string]string{
		`\<!-- 2026-03-02 10:15:00 [1a2b3c4d] -->`:         `\<!-- 2026-03-02 10:15:00 [1a2b3c4d] -->`,
		`\<!-- HANDOFF 2026-03-02 10:15:00 [1a2b3c4d] -->`: `\<!-- HANDOFF 2026-03-02 10:15:00 [1a2b3c4d] -->`,
		`\<!-- note -->`: `\&lt;!-- note -->`,
	} {
		if got := fenceLines(line, true); got != want {
			t.Errorf("%q became %q", line, got)
		}
	}
}
