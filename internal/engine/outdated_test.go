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

// What another page says that it replaces is not asserted: it gives way in the
// prefix, and beside a prompt it says so. A pin is the user's word and stands.
func TestWhatIsReplacedIsNotAsserted(t *testing.T) {
	w := newWorld(t)
	w.profile = "mind"
	page := func(name, head, text string) {
		w.page("knowledge/"+name+".md", "---\ndate: 2026-03-01\ntype: project\n"+head+"---\n\n"+text+"\n")
	}
	page("deploys", "tier: L1\n", "Deploys go out on Tuesdays.")
	page("deploys-2", "tier: L1\nsupersedes: deploys\n", "Deploys go out on Thursdays.")
	page("port", "tier: L2\n", "The staging database runs on port 5433.")
	page("port-2", "tier: L2\n", "The staging database runs on port 6543; supersedes [[port]].")
	page("cups", "tier: L1\n", "Everybody washes cups. *(pinned)*")
	page("cups-2", "tier: L1\nsupersedes: cups\n", "The dishwasher washes cups.")
	b := w.chat("s").say("Which port has the staging database?")
	wantIn(t, "the prefix", b.Prefix, "Thursdays", "Everybody washes", "dishwasher")
	wantOut(t, "the prefix", b.Prefix, "Tuesdays")
	wantIn(t, "the tail", b.Tail, "supersedes [[port]]. (2026-03-01, global)\n- The staging database runs on port 5433. (2026-03-01, stale)")
	why := ""
	for _, d := range b.Trace {
		if d.Entry == "always" {
			why = d.Reason
		}
	}
	if why != "another entry says that it replaces it: 1" {
		t.Errorf("why not the old deploys: %q", why)
	}
}
