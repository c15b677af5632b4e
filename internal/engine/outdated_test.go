package engine_test

import (
	"testing"
)

// What the prefix holds a later state of is not shown alone, and the record says why.
func TestAnOlderStateIsNotShownBesideTheNewer(t *testing.T) {
	const (
		old   = "The upload limit per file is 5 megabytes."
		newer = "The upload limit per file is now 20 megabytes."
		more  = "Uploads are scanned for viruses by the gateway."
	)
	w := newWorld(t)
	w.page("daily/2026-03-01.md", "<!-- 2026-03-01 10:00:00 [a] -->\n"+old+"\n\n<!-- 2026-03-01 11:00:00 [a] -->\n"+newer+" *(pinned)*\n\n<!-- 2026-03-01 12:00:00 [a] -->\n"+more+"\n")
	b := w.chat("s").say("What is the upload limit per file, and what happens to uploads at the gateway?")
	wantIn(t, "the prefix", b.Prefix, newer)
	wantIn(t, "the tail", b.Tail, more)
	wantOut(t, "the tail", b.Tail, old)
	var why []string
	for _, d := range b.Trace {
		if d.Entry == id(old) {
			why = append(why, d.Decision+": "+d.Reason)
		}
	}
	if len(why) != 1 || why[0] != "dropped: a later state of it is in front of the model already" {
		t.Errorf("why: %q", why)
	}
}
