package remember_test

import (
	"strings"
	"testing"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/guard"
	"github.com/pimento-memory/pimento/internal/page"
	"github.com/pimento-memory/pimento/internal/remember"
)

var (
	now = time.Date(2026, 3, 14, 15, 9, 26, 0, time.UTC)
	by  = remember.By{Actor: "agent", Session: "7f3a91c2-aaaa", Now: now}
)

const noPage = "no page"

// on is a page of the project as a target; "no page" stands for none.
func on(rel, text string) remember.Target {
	if text == noPage {
		return remember.Target{Scope: pimento.Project, Rel: rel, Page: page.Parse(rel, nil)}
	}
	b := []byte(text)
	return remember.Target{Scope: pimento.Project, Rel: rel, Page: page.Parse(rel, b), Digest: pimento.DigestOf(b)}
}

// result applies a plan to the page that it was made for, and checks what every
// plan promises.
func result(t testing.TB, to remember.Target, p pimento.Plan) string {
	t.Helper()
	b := to.Page.Bytes()
	if p.Action == pimento.Refuse || p.Action == pimento.Propose {
		if len(p.Changes)+len(p.Events) > 0 || p.Reason == "" {
			t.Errorf("a plan that is %s does something, or gives no reason: %+v", p.Action, p)
		}
		return string(b)
	}
	if len(p.Changes) > 1 {
		t.Fatalf("%d changes", len(p.Changes))
	}
	for _, c := range p.Changes {
		after, ok := pimento.ApplySplices(b, c.Splices)
		if !ok || c.Before != to.Digest || c.After != pimento.DigestOf(after) || c.Page != to.Rel || c.Scope != to.Scope {
			t.Fatalf("the change does not hold: %+v", c)
		}
		if c.Append && (len(c.Splices) != 1 || c.Splices[0].Off != len(b)) {
			t.Fatalf("not an append: %+v", c)
		}
		b = after
	}
	for _, e := range p.Events {
		if e.Scope != to.Scope || e.Statement == "" || e.Time != now || len(e.Text) > 400 {
			t.Errorf("bad event %+v", e)
		}
	}
	return string(b)
}

func types(p pimento.Plan) string {
	var out []string
	for _, e := range p.Events {
		out = append(out, string(e.Type))
	}
	return strings.Join(out, " ")
}

func note(text string) remember.Input {
	return remember.Input{Note: remember.Note{Text: text}, By: by, Findings: guard.Check(text, guard.Options{})}
}

// entry finds the occurrence of a text on a target.
func entry(to remember.Target, text string, n int) pimento.Occurrence {
	return pimento.Occurrence{Scope: to.Scope, Page: to.Rel, Statement: pimento.StatementOf(text), N: n}
}
