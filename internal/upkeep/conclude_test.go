package upkeep_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/think"
	"github.com/pimento-memory/pimento/internal/upkeep"
)

func TestConclusions(t *testing.T) {
	for said, want := range map[string]pimento.Kind{
		"We decided to keep the queue in postgres, one table for each tenant.": pimento.KindDecision,
		"Let's go with ULIDs for the new ids.":                                 pimento.KindDecision,
		"The root cause was a connection that nobody closed.":                  pimento.KindLesson,
		"It turned out that the linter runs before the generator.":             pimento.KindLesson,
		"根本原因是缓存没有失效，已经修复。":                                                    pimento.KindLesson,
		"Maybe we decided to keep the queue in postgres?":                      "",
		"I think the root cause was a connection that nobody closed.":          "",
		"Should we say that we decided to keep the queue?":                     "",
		"If we decided to keep the queue, the tests would be slower.":          "",
		"We decided.": "",
		"The undecided to-do list of the team is in the wiki page.":                "",
		"We decided that the key is AKIAQ3EGRZ7TNLW2M5XB for the staging account.": "",
		"> We decided to keep the queue in postgres, says the mail.":               "",
		"```\nwe decided to keep the queue in postgres\n```":                       "",
		"The tests pass now and the branch is pushed.":                             "",
	} {
		got := upkeep.Conclusions([]pimento.Message{{Role: "assistant", Text: said}}, 5)
		if want == "" && len(got) > 0 || want != "" && (len(got) != 1 || got[0].Kind != want) {
			t.Errorf("%q: %v, want %q", said, got, want)
		}
	}
}

// The last ones are kept, in their order, each once, whoever said it; tools and
// summaries say nothing.
func TestConclusionsAreTheLatest(t *testing.T) {
	var all []pimento.Message
	for i := range 6 {
		all = append(all, pimento.Message{Role: "user", Text: fmt.Sprintf("So. We agreed on plan number %d for the importer. Thanks!", i)})
	}
	all = append(all, all[5], pimento.Message{Role: "tool", Text: "We agreed on what a tool says about it."},
		pimento.Message{Role: "summary", Text: "We agreed on what a summary says about it."})
	got := upkeep.Conclusions(all, 3)
	if len(got) != 3 || got[0].Text != "We agreed on plan number 3 for the importer." || got[2].Text != "We agreed on plan number 5 for the importer." || got[0].Role != "user" {
		t.Errorf("%+v", got)
	}
	if got := upkeep.Conclusions(all, 0); len(got) != 0 {
		t.Errorf("%+v", got)
	}
}

// Of what a language model read in them, only what was said is taken.
func TestReadConclusions(t *testing.T) {
	const said = "user: the importer keeps failing on port 6432, and please never touch the ledger table by hand\n\n" +
		"assistant: It was the pool: pgbouncer hands out a closed connection. I set pool_mode to session, because prepared statements need it."
	for name, c := range map[string]struct {
		answer string
		want   []string
	}{
		"what was said": {`{"remember":[{"text":"pgbouncer runs with pool_mode session, because prepared statements need it","kind":"decision"},` +
			`{"text":"Never touch the ledger table by hand","kind":"preference"}]}`,
			[]string{"decision pgbouncer runs with pool_mode session, because prepared statements need it", "preference Never touch the ledger table by hand"}},
		"in a code block": {"```json\n" + `{"remember":[{"text":"Never touch the ledger table by hand","kind":"preference"}]}` + "\n```", []string{"preference Never touch the ledger table by hand"}},
		"made up":         {`{"remember":[{"text":"The frontend team prefers Svelte over React","kind":"preference"}]}`, nil},
		"another number":  {`{"remember":[{"text":"The importer fails on port 5432","kind":"fact"}]}`, nil},
		"no kind":         {`{"remember":[{"text":"Never touch the ledger table by hand","kind":"order"}]}`, nil},
		"twice":           {`{"remember":[{"text":"Never touch the ledger table by hand","kind":"lesson"},{"text":"never touch the ledger table by hand","kind":"lesson"}]}`, []string{"lesson Never touch the ledger table by hand"}},
		"too long":        {`{"remember":[{"text":"` + strings.Repeat("never touch the ledger table by hand ", 20) + `","kind":"lesson"}]}`, nil},
		"nothing":         {`{"remember":[]}`, nil},
		"too many":        {`{"remember":[` + strings.TrimSuffix(strings.Repeat(`{"text":"a fact","kind":"fact"},`, 9), ",") + `,{"text":"Never touch the ledger table by hand","kind":"lesson"}]}`, []string{"lesson Never touch the ledger table by hand"}},
	} {
		found, err := upkeep.ReadConclusions(think.Thought{Text: c.answer}, said, 6)
		var got []string
		for _, f := range found {
			got = append(got, string(f.Kind)+" "+f.Text)
		}
		if d := cmp.Diff(c.want, got); d != "" || err != nil {
			t.Errorf("%s: %v\n%s", name, err, d)
		}
	}
	if _, err := upkeep.ReadConclusions(think.Thought{Text: "I would remember nothing."}, said, 6); err == nil {
		t.Error("prose is no answer")
	}
	if found, _ := upkeep.ReadConclusions(think.Thought{Text: `{"remember":[{"text":"Never touch the ledger table by hand","kind":"lesson"}]}`}, said, 0); len(found) != 0 {
		t.Errorf("%+v", found)
	}
}
