package remember_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/guard"
	"github.com/pimento-memory/pimento/internal/page"
	"github.com/pimento-memory/pimento/internal/remember"
)

// TestPatch: one exact replacement, two lines of front matter, and not one
// other byte, whatever the front matter looks like.
func TestPatch(t *testing.T) {
	const odd = "\ufeff---\r\ndate: 2026-03-01 # by hand\r\nnested: {a: [1, 2]}\r\n  deeper: yes\r\ntags:\r\n\t- x\r\ndate: 2026-03-02\r\n---\r\nDeploys happen on Tuesday.\r\n"
	now := by.Now.Format(time.RFC3339)
	for _, c := range []struct {
		name, src, want string
		x               remember.Patch
	}{
		{"odd front matter", odd, strings.NewReplacer("\r\n---\r\nDeploys", "\r\nupdated: "+now+"\r\nupdate_reason: it moved\r\n---\r\nDeploys", "Tuesday", "Thursday").Replace(odd),
			remember.Patch{Old: "Tuesday", New: "Thursday", Reason: " it\n\tmoved "}},
		{"a second time", "---\nupdated: 2020-01-01\nupdate_reason: old\n---\nabc\n", "---\nupdated: " + now + "\nupdate_reason: \"new: one\"\n---\nxbc\n",
			remember.Patch{Old: "a", New: "x", Reason: "new: one"}},
		{"without a reason the old one stays", "---\nupdate_reason: old\n---\nabc\n", "---\nupdate_reason: old\nupdated: " + now + "\n---\nxbc\n", remember.Patch{Old: "a", New: "x"}},
		{"no front matter", "abc\n", "xbc\n", remember.Patch{Old: "a", New: "x", Reason: "r"}},
		{"never closed", "---\ndate: x\nabc\n", "---\ndate: x\nxyz\n", remember.Patch{Old: "abc", New: "xyz"}},
		{"front matter is not the text", "---\nabc: abc\n---\nabc\n", "---\nabc: abc\nupdated: " + now + "\n---\nx\n", remember.Patch{Old: "abc", New: "x"}},
	} {
		to := on("knowledge/x.md", c.src)
		p := c.x.Plan(to, by, nil)
		if d := cmp.Diff(c.want, result(t, to, p)); d != "" {
			t.Errorf("%s: %s\n%s", c.name, p.Reason, d)
		}
		if types(p) != "aliased" || p.Events[0].From != to.Page.Entries()[0].Statement {
			t.Errorf("%s: history is lost: %v", c.name, p.Events)
		}
	}
}

func TestPatchRefuses(t *testing.T) {
	secret := "gh" + "p_k3JmQ9xT2vLr8ZbN5wYc7HdF1sGa4PuEoR6i"
	to := on("knowledge/x.md", "---\ntype: user\n---\naba\n")
	for name, x := range map[string]remember.Patch{
		"empty":                    {Old: "", New: "x"},
		"blank":                    {Old: " \n", New: "x"},
		"the same":                 {Old: "b", New: "b"},
		"not there":                {Old: "c", New: "x"},
		"twice":                    {Old: "a", New: "x"},
		"in the front matter only": {Old: "type", New: "x"},
		"a rule in the reason":     {Old: "b", New: "x", Reason: "a\n---\nb"},
		"a secret":                 {Old: "b", New: secret},
		"nothing left":             {Old: "aba", New: ""},
	} {
		p := x.Plan(to, by, guard.Check(x.New, guard.Options{}))
		if p.Action != pimento.Refuse || p.Reason == "" || len(p.Changes) > 0 {
			t.Errorf("%s: %v %q", name, p.Action, p.Reason)
		}
	}
}

func TestReason(t *testing.T) {
	for s, want := range map[string]string{" a\n\tb ": "a b", "": "", "\n": "", strings.Repeat("é", 300): strings.Repeat("é", 200)} {
		if got := remember.Reason(s); got != want {
			t.Errorf("%q: %q", s, got)
		}
	}
}

// TestArticlePath: content, type and triples make the name, their order does not.
func TestArticlePath(t *testing.T) {
	a, b := pimento.Triple{Subject: "a", Predicate: "owns", Object: "b"}, pimento.Triple{Subject: "c", Predicate: "owns", Object: "d"}
	now := time.Date(2026, 11, 21, 10, 0, 0, 5e6, time.FixedZone("", 3600))
	base := remember.ArticlePath("knowledge", "text", page.Meta{Type: "user", Triples: []pimento.Triple{a, b}}, now)
	if !strings.HasPrefix(base, "knowledge/2026-11-21T09-00-00-005Z_") || len(base) != len("knowledge/2026-11-21T09-00-00-005Z_12345678.md") {
		t.Error(base)
	}
	// The digits are those that the original gives, which then knows the page for a duplicate.
	for want, front := range map[string]page.Meta{
		"62bd5b5b": {Type: "user"},
		"67be3132": {Type: "project", Triples: []pimento.Triple{{Subject: "argo", Predicate: "deploys", Object: "web"}}},
	} {
		if got := remember.ArticlePath("knowledge", "We deploy with argo", front, now); !strings.HasSuffix(got, "_"+want+".md") {
			t.Errorf("%v: %s", front, got)
		}
	}
	for name, c := range map[string]struct {
		same bool
		path string
	}{
		"order":   {true, remember.ArticlePath("knowledge", "text", page.Meta{Type: "user", Triples: []pimento.Triple{b, a}}, now)},
		"triples": {false, remember.ArticlePath("knowledge", "text", page.Meta{Type: "user", Triples: []pimento.Triple{a}}, now)},
		"type":    {false, remember.ArticlePath("knowledge", "text", page.Meta{Type: "project", Triples: []pimento.Triple{a, b}}, now)},
		"text":    {false, remember.ArticlePath("knowledge", "Text", page.Meta{Type: "user", Triples: []pimento.Triple{a, b}}, now)},
	} {
		if (c.path == base) != c.same {
			t.Errorf("%s: %s and %s", name, base, c.path)
		}
	}
}
