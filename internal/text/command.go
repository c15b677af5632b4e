package text

import "strings"

// Command says whether a prompt is a command to the harness, "/name ...", and no path
// ("/srv/app is full").
func Command(prompt string) bool {
	name, ok := strings.CutPrefix(strings.TrimSpace(prompt), "/")
	if at := strings.IndexAny(name, " \t\r\n"); at >= 0 {
		name = name[:at]
	}
	return ok && strings.Trim(strings.ToLower(name), "abcdefghijklmnopqrstuvwxyz0123456789_:-") == ""
}
