package upkeep

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pimento-memory/pimento/internal/text"
)

// TestAtAGlance: what is taken for English at a glance is English by all of its words.
func TestAtAGlance(t *testing.T) {
	statements := []string{
		"Die Meldung \"the lock is held\" kommt vom Backup, wir warten dann zehn Minuten",
		"Le job s'arrête avec the file was not found, on le relance à la main",
		"El despliegue dice and the pod is gone cuando no hay memoria en el nodo",
	}
	labels, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(labels) == 0 {
		t.Fatal(labels, err)
	}
	for _, name := range labels {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(b)) {
			statements = append(statements, strings.Split(strings.TrimSpace(line), "\t")...)
		}
	}
	var w *wordBook
	glances := 0
	for _, s := range statements {
		if !w.plainlyEnglish(s) {
			continue
		}
		glances++
		if l := w.languageByWords(s); l != text.English {
			t.Errorf("%q is in language %d", s, l)
		}
	}
	if glances < 50 { // most are of few words
		t.Errorf("of %d statements %d are plainly English", len(statements), glances)
	}
}
