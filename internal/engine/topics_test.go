package engine_test

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
)

// Several sessions write about one topic at the same moment: one file is made,
// the others are told of it. Whoever writes under other topics is on the index.
func TestWritersOfOneTopic(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.profile = "catalog"
	const writers = 6
	var group sync.WaitGroup
	results, errs := make([]engine.ArticleResult, 2*writers), make([]error, 2*writers)
	for i := range 2 * writers {
		name := fmt.Sprintf("same--k%d.md", i)
		if i >= writers {
			name = fmt.Sprintf("other%d.md", i)
		}
		group.Go(func() {
			e, err := engine.Open(w.options())
			if err != nil {
				errs[i] = err
				return
			}
			defer e.Close()
			results[i], errs[i] = e.WriteArticle(t.Context(), engine.Article{File: name, Content: "# " + name, Scope: pimento.Global})
		})
	}
	group.Wait()
	made := 0
	for i, r := range results {
		switch {
		case errs[i] != nil:
			t.Errorf("writer %d: %v", i, errs[i])
		case r.Action == pimento.Put:
			made++
		case !strings.Contains(r.Reason, "same topic"):
			t.Errorf("writer %d: %s", i, r.Reason)
		}
	}
	files, err := os.ReadDir(w.dirs.Global)
	if err != nil || made != writers+1 || len(files) != writers+2 {
		t.Errorf("%d writes, %d files, %v", made, len(files), err)
	}
	if index := get(t, w.global("MEMORY.md")); strings.Count(index, "- [") != writers+1 {
		t.Errorf("the index:\n%s", index)
	}
}

// The list of topic pages that is cut promises no tool that does not show the rest.
func TestTheRestOfTheTopicPagesIsCounted(t *testing.T) {
	w := newWorld(t)
	for i := range 80 {
		w.page(fmt.Sprintf("topics/t%02d.md", i), "- Tea is green.\n")
	}
	prefix := w.chat("s").say("hello").Prefix
	wantIn(t, "prefix", prefix, "## Topic pages", " more]")
	wantOut(t, "prefix", prefix, "shows them")
}
