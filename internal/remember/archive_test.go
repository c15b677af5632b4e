package remember_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/remember"
)

// files are the pages of a root, for plans that change several.
type files map[string]string

func (f files) target(rel string) remember.Target {
	if text, ok := f[rel]; ok {
		return on(rel, text)
	}
	return on(rel, noPage)
}

// apply makes a plan's changes, each against exactly the page it names.
func (f files) apply(t *testing.T, p pimento.Plan) files {
	t.Helper()
	out := files{}
	for rel, text := range f {
		out[rel] = text
	}
	for _, c := range p.Changes {
		if now := out.target(c.Page); now.Digest != c.Before {
			t.Fatalf("%s is not what the change is for: %+v", c.Page, c)
		}
		if c.After == "" {
			delete(out, c.Page)
			continue
		}
		after, ok := pimento.ApplySplices([]byte(out[c.Page]), c.Splices)
		if !ok || pimento.DigestOf(after) != c.After {
			t.Fatalf("the change does not hold: %+v", c)
		}
		out[c.Page] = string(after)
	}
	return out
}

// TestArchiveAndRestore: every entry of every kind of page goes to the archive,
// can be read there as what it was, and comes back byte for byte, whether the
// archive was empty or not.
func TestArchiveAndRestore(t *testing.T) {
	for rel, was := range map[string]string{
		"MEMORY.md":           "\ufeff# M\r\n\r\nA paragraph.\r\n\r\n- a *(pinned)*\r\n  more\r\n\r\n- b\xff",
		"topics/lessons.md":   "# L\n\n- [lesson] one\n- [lesson] one\n- [mistake] two\n",
		"daily/2026-03-14.md": "<!-- 2026-03-14 09:00:00 [aa] -->\none\n\n<!-- 2026-03-14 10:00:00 [bb] -->\n- [ ] two\n\n\n",
		"SCRATCHPAD.md":       "# Scratchpad\n\n<!-- 2026-03-14 09:00:00 [aa] -->\n- [x] one\n\n  with lines\n\nnote\n- [ ] two",
		"auth--login,jwt.md":  "---\ntags: [a]\n---\n# T\n\nIntro.\n\n## One\n\ntext\n\n## Two\n\nmore\n",
	} {
		for _, earlier := range []string{noPage, "- something else", "Earlier.\n\n## Section\n\nof the archive\n"} {
			before := files{rel: was}
			if earlier != noPage {
				before["archive/"+rel] = earlier
			}
			for _, e := range before.target(rel).Page.Entries() {
				to := before.target("archive/" + rel)
				p, pl, err := remember.Archive(before.target(rel), to, pimento.Occurrence{Scope: pimento.Project, Page: rel, Statement: e.Statement, N: e.N}, "faded", by)
				if err != nil || p.Action != pimento.Put || types(p) != "archived" || p.Events[0].Reason != "faded" {
					t.Fatalf("%s: %q: %+v %v", rel, e.Text, p, err)
				}
				then := before.apply(t, p)
				kept := then.target("archive/" + rel).Page
				if _, ok := kept.Find(e.Statement, 0); !ok && earlier == noPage {
					t.Errorf("%s: %q does not stand in the archive:\n%s", rel, e.Text, then["archive/"+rel])
				}
				back := remember.Unarchive(remember.Restore(then.target(rel), pl, by), pl, then.target("archive/"+rel))
				after := then.apply(t, back)
				if d := cmp.Diff(was, after[rel]); d != "" {
					t.Errorf("%s: %q did not come back:\n%s", rel, e.Text, d)
				}
				if got, ok := after["archive/"+rel]; earlier == noPage && ok {
					t.Errorf("%s: %q stays in the archive:\n%s", rel, e.Text, got)
				}
			}
		}
	}
}

func TestArchivePage(t *testing.T) {
	before := files{"deploy--k8s.md": "# Deploy\r\n\r\nSlowly.\xff", "archive/other.md": "x"}
	p, pl := remember.ArchivePage(before.target("deploy--k8s.md"), before.target("archive/deploy--k8s.md"), "merged", by)
	then := before.apply(t, p)
	want := files{"archive/deploy--k8s.md": before["deploy--k8s.md"], "archive/other.md": "x"}
	if d := cmp.Diff(want, then); d != "" || types(p) != "archived" || pl.Archive != "archive/deploy--k8s.md" {
		t.Fatalf("%s\n%+v", d, pl)
	}
	back := remember.Unarchive(remember.Restore(then.target("deploy--k8s.md"), pl, by), pl, then.target("archive/deploy--k8s.md"))
	if d := cmp.Diff(before, then.apply(t, back)); d != "" || types(back) != "restored" {
		t.Errorf("%s %s", types(back), d)
	}

	// Edited in the archive: the page comes back as it was, the edited copy stays and is named.
	then["archive/deploy--k8s.md"] = "edited"
	back = remember.Unarchive(remember.Restore(then.target("deploy--k8s.md"), pl, by), pl, then.target("archive/deploy--k8s.md"))
	if got := then.apply(t, back); got["archive/deploy--k8s.md"] != "edited" || got["deploy--k8s.md"] != before["deploy--k8s.md"] || back.Reason == "" {
		t.Errorf("%+v %q", got, back.Reason)
	}

	// What stands there by now is not written over.
	then["deploy--k8s.md"] = "new"
	if back := remember.Restore(then.target("deploy--k8s.md"), pl, by); back.Action != pimento.Refuse || len(back.Changes) > 0 {
		t.Errorf("%+v", back)
	}
}
