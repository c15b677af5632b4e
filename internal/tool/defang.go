package tool

import (
	"strings"

	"github.com/pimento-memory/pimento/internal/inject"
)

// Defang makes remembered text harmless where a harness gives tags a meaning:
// an opening angle bracket in front of one of their names becomes a look-alike,
// so that no memory can close the harness's frame or imitate its voice. What does not
// show is left out. All other text stays as it is, so that an agent can still edit by
// exact text.
func Defang(s string) string {
	s = inject.Clean(s)
	if !strings.Contains(s, "<") {
		return s
	}
	var b strings.Builder
	for {
		i := strings.IndexByte(s, '<')
		if i < 0 {
			b.WriteString(s)
			return b.String()
		}
		b.WriteString(s[:i])
		if isHarnessTag(s[i+1:]) {
			b.WriteString("‹")
		} else {
			b.WriteByte('<')
		}
		s = s[i+1:]
	}
}

// isHarnessTag looks at what follows an opening angle bracket.
func isHarnessTag(s string) bool {
	s = strings.TrimLeft(s[:min(len(s), 64)], "/ \t")
	s = strings.ToLower(s)
	for _, name := range []string{"system", "memory", "user", "assistant", "human", "function", "tool", "invoke",
		"antml", "instructions", "environment_context", "command-", "local-command", "additional", "rules", "tools",
		"pimento"} {
		if strings.HasPrefix(s, name) {
			return true
		}
	}
	return inject.ChatMark(s)
}
