package recall_test

import (
	"testing"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/recall"
)

const uploads = `
-- project/MEMORY.md --
- Uploads are scanned for viruses first
- Uploads stay there for 36 months of the customer's choice
- Uploads above 20 MB are refused
- Uploads are listed every night
- Uploads cost the customer 3 cents
`

// TestExpected: of equal entries that one comes first which has the sort of answer
// that the question asks for; it covers no more of the question for it.
func TestExpected(t *testing.T) {
	roots := archive(t, uploads)
	for question, want := range map[string]string{
		"How long do uploads stick around?":   "Uploads stay there for 36 months of the customer's choice",
		"how often do we look at the uploads": "Uploads are listed every night",
		"uploads: how large may these get?":   "Uploads above 20 MB are refused",
		"How much do uploads cost?":           "Uploads cost the customer 3 cents",
	} {
		a := recall.Answer(t.Context(), pimento.Query{Text: question}, roots, recall.Options{})
		if a.Status != pimento.OK || a.Hits[0].Entry.Text != want {
			t.Errorf("%q: %s %+v", question, a.Status, a.Hits)
			continue
		}
		off := recall.Answer(t.Context(), pimento.Query{Text: question}, roots, recall.Options{Params: recall.DefaultParams().Without("answer")})
		if len(off.Hits) != len(a.Hits) {
			t.Errorf("%q: %d hits, %d without the sort of answer", question, len(a.Hits), len(off.Hits))
		}
	}
	a := recall.Answer(t.Context(), pimento.Query{Text: "How much did we charge for the show?"}, archive(t, `
-- project/MEMORY.md --
- The show took 90 minutes
- The show was $45 for the school
- The show was in May
`), recall.Options{})
	if len(a.Hits) == 0 || a.Hits[0].Entry.Text != "The show was $45 for the school" {
		t.Errorf("a sign is money as well: %+v", a.Hits)
	}
	if a := recall.Answer(t.Context(), pimento.Query{Text: "How long is the boat?"}, roots, recall.Options{MinCoverage: 0.1}); len(a.Hits) > 0 {
		t.Errorf("a unit of time alone answers nothing: %+v", a.Hits)
	}
}

const exports = `
-- project/MEMORY.md --
- The export of invoices took four minutes in May
- The export of invoices must never read more than one month
- 发票导出在五月花了四分钟
- 发票导出必须按月分页
`

// TestTasksWantRules: to a prompt that gives a task what lays down a rule is the better
// answer; a question about the same matter is as it was.
func TestTasksWantRules(t *testing.T) {
	roots := archive(t, exports)
	const rule, regel = "The export of invoices must never read more than one month", "发票导出必须按月分页"
	for prompt, want := range map[string]string{
		"Add a filter to the export of invoices":             rule,
		"ok, can you please speed up the export of invoices": rule,
		"Let's rewrite the export of invoices":               rule,
		"给发票导出加一个筛选":                                         regel,
		"请优化发票导出":                                            regel,
		"麻烦帮我给发票导出加一个筛选":                                     regel,
		"你能不能更新发票导出？":                                        regel,
		"please 优化发票导出":                                      regel,
		"Could you change the export of invoices?":           rule,
	} {
		a := recall.Answer(t.Context(), pimento.Query{Text: prompt}, roots, recall.Options{})
		if a.Status != pimento.OK || a.Hits[0].Entry.Text != want {
			t.Errorf("%q: %s %+v", prompt, a.Status, a.Hits)
		}
	}
	for _, question := range []string{"what about the export of invoices?", "can we trust the export of invoices?", "export of invoices", "发票导出", "修改发票导出的是谁", "部署发票导出在哪里？",
		"Port of the export of invoices?", "Can I log the export of invoices?"} {
		q := pimento.Query{Text: question}
		a, off := recall.Answer(t.Context(), q, roots, recall.Options{}), recall.Answer(t.Context(), q, roots, recall.Options{Params: recall.DefaultParams().Without("answer")})
		if len(a.Hits) == 0 || a.Hits[0].Score != off.Hits[0].Score {
			t.Errorf("%q is taken for a task", question)
		}
	}
}
