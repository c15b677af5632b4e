package cli

import (
	"context"
	"runtime/debug"

	"github.com/pimento-memory/pimento/internal/tool"
)

func versionCmd(a *app) *command {
	return &command{
		use:     "version",
		long:    "Print the program's version, as pimento --version does.",
		example: "  pimento version --json",
		run:     func(context.Context, []string) error { return a.version() },
	}
}

func (a *app) version() error {
	return a.print(map[string]string{"version": Version()}, func(tool.Paint) string { return "pimento " + Version() })
}

// Version is the module's version as the Go tool recorded it, or for a build
// from a checkout "devel" and the commit.
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	version, dirty := "devel", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision" && len(s.Value) >= 12:
			version += "-" + s.Value[:12]
		case s.Key == "vcs.modified" && s.Value == "true":
			dirty = "-dirty"
		}
	}
	return version + dirty
}
