package cli

import (
	"fmt"

	"github.com/pimento-memory/pimento/internal/profile"
	"github.com/pimento-memory/pimento/internal/tool"
)

// The switches of pi-memory, whose users have them in their shell's start-up
// files. Each stands for a key of the profile, whichever profile that is.
func (a *app) overrides() []profile.Layer {
	var layers []profile.Layer
	lay := func(name, json string) {
		layers = append(layers, profile.Layer{Source: "$" + name, JSON: []byte(json)})
	}
	if a.env.Getenv("PI_MEMORY_NO_SEARCH") == "1" {
		lay("PI_MEMORY_NO_SEARCH", `{"recall": {"hits": 0}}`)
	}
	if s := a.env.Getenv("PI_MEMORY_SNAPSHOT"); s != "" {
		lay("PI_MEMORY_SNAPSHOT", fmt.Sprintf(`{"snapshot": %q}`, tool.OneLine(s, 60)))
	}
	switch a.env.Getenv("PI_MEMORY_EXIT_SUMMARY") {
	case "0", "off", "false", "no":
		lay("PI_MEMORY_EXIT_SUMMARY", `{"exit_summary": "off"}`)
	}
	return layers
}
