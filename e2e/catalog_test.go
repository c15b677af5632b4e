package e2e

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/pimento-memory/pimento/e2e/stub"
)

// The catalog's way of working, each prompt a session of its own: look, write,
// be refused with three ways out, merge, and find the index in the next
// session's system prompt.
func TestCatalogWriteConflictMerge(t *testing.T) {
	t.Parallel()
	call := func(tool string, args map[string]any) stub.Reply {
		return stub.Reply{Calls: []stub.Call{{Name: tool, Args: args}}}
	}
	file := func(name, content string, replaces ...string) stub.Reply {
		return call("memory_update", map[string]any{"fileName": name, "content": content, "replaces": replaces})
	}
	const model, storage = "data_model--DuckDB,factor,incremental.md", "storage--DuckDB,loader.md"
	s := newSandbox(t, stub.Script(
		call("memory_index", map[string]any{}),
		file(model, "# Factor storage\n\nOne table for each factor."), stub.Reply{Text: "noted"},
		file("tables--duckdb,FACTOR,incremental.md", "# Tables"),
		file(storage, "# Loader\n\nLoads at night."), stub.Reply{Text: "noted under other keywords"},
		file(model, "# Factor storage\n\nOne table for each factor, loaded at night.", storage), stub.Reply{Text: "merged"},
		stub.Reply{Text: "one table"}))
	s.pimento("profile", "use", "catalog", "--global")

	s.print("remember how factors are stored")
	first := s.request(0)
	has(t, "the first session's system prompt", memorySection(first), "Call memory_index first", "**Merge**", "**Replace**", "**Unrelated**")
	hasNot(t, "the first session's system prompt", memorySection(first), "### Project")
	if own := slices.DeleteFunc(slices.Clone(first.Tools), func(n string) bool { return !strings.HasPrefix(n, "memory") }); !slices.Equal(own, []string{"memory_index", "memory_update", "memory_archive"}) {
		t.Errorf("tools: %v", own)
	}
	has(t, "an empty index", s.request(1).Last("tool").Text, "No memory files found.")
	has(t, "the write's answer", s.request(2).Last("tool").Text, "created: "+model)

	s.print("remember the tables and the loader")
	has(t, "the second session's system prompt", memorySection(s.request(3)), "### Project (L2): .pi/memory/MEMORY.md", "- [data_model]("+model+") DuckDB, factor, incremental")
	has(t, "the refusal", s.request(4).Last("tool").Text, model+" (3 keywords overlap", "1. Merge:", "2. Replace:", "3. Unrelated:")
	if _, err := os.Stat(s.inProject("tables--duckdb,FACTOR,incremental.md")); err == nil {
		t.Error("a refused write made a file")
	}
	has(t, "the write under other keywords", s.request(5).Last("tool").Text, "created: "+storage)

	s.print("merge the two")
	has(t, "the third session's system prompt", memorySection(s.request(6)), "("+model+")", "("+storage+")")
	has(t, "the merge", s.request(7).Last("tool").Text, "overwritten: "+model, "archived: "+storage)

	s.print("how are factors stored?")
	last := memorySection(s.request(8))
	has(t, "the last session's system prompt", last, "- [data_model]("+model+") DuckDB, factor, incremental")
	hasNot(t, "the last session's system prompt", last, "storage--")
	pages := files(s.inProject(""))
	if pages["archive/"+storage] != "# Loader\n\nLoads at night.\n" || pages[storage] != "" || !strings.Contains(pages[model], "loaded at night") {
		t.Errorf("%v", pages)
	}
}
