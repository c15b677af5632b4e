package recall_test

import (
	"slices"
	"testing"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/recall"
)

// TestATaskThatNamesATime: a task that names a time, and hardly anything else, does not ask
// what was said then.
func TestATaskThatNamesATime(t *testing.T) {
	day := func(d int) time.Time { return time.Date(2026, 11, d, 9, 0, 0, 0, time.UTC) }
	roots := dated(t, map[string]time.Time{
		"The cache is invalidated by prefix": day(17),
		"Admins have a key of their own":     day(18),
		"Gophers dig under the lawn":         day(3),
	})
	for question, found := range map[string]bool{
		"update the date to 2026-11-17":           false,
		"bump to 2026.11.17":                      false,
		"fix it today":                            false,
		"please add it today":                     false,
		"update the cache prefix as yesterday":    true,
		"what did we decide yesterday?":           true,
		"can you show what we noted on 17 Nov 26": true,
	} {
		got := texts(ask(t, roots, pimento.Query{Text: question, Now: day(18)}, recall.Options{MinConfidence: 0.6, MinCoverage: 0.1}))
		if found != (len(got) > 0) {
			t.Errorf("%q finds %q", question, got)
		}
	}
}

// TestOnlyATimeIsAskedFor: what is of the time that a question asks for answers it where it
// asks for hardly anything else, however little of its words an entry holds; not what
// somebody is told to do, or one who is named.
func TestOnlyATimeIsAskedFor(t *testing.T) {
	day := func(m time.Month, d int) time.Time { return time.Date(2026, m, d, 9, 0, 0, 0, time.UTC) }
	roots := dated(t, map[string]time.Time{
		"The staging cluster moved to Frankfurt":        day(3, 14),
		"Postgres was chosen over MySQL for the ledger": day(3, 5),
		"Invoices are numbered per tenant":              day(5, 8),
		"Webhooks retry five times with backoff":        day(7, 15),
		"The cache is invalidated by prefix":            day(11, 17),
		"A March of ids is monotonic, in May or not":    day(11, 2),
		"Admins have a key of their own":                day(11, 18),
		"The gate opens with a badge":                   day(11, 13),
	})
	for question, want := range map[string]string{
		"what happened 2026-03-14":                        "The staging cluster moved to Frankfurt",
		"what did we decide in the ten days before 8 May": "Invoices are numbered per tenant",
		"what did we decide in July?":                     "Webhooks retry five times with backoff",
		"what did we do between 3 and 10 March?":          "Postgres was chosen over MySQL for the ledger",
		"qu'avons-nous décidé hier ?":                     "The cache is invalidated by prefix",
		"昨天决定了什么":                                         "The cache is invalidated by prefix",
		"deploy what we wrote yesterday":                  "",
		"what did Mira decide yesterday?":                 "",
		"what should I cook today?":                       "",
		"can you tell me what we did yesterday?":          "The cache is invalidated by prefix",
		"was sollen wir heute kochen?":                    "",
		"what did we decide on Friday?":                   "The gate opens with a badge",
		"can we merge on Friday?":                         "",
		"周五可以上线吗":                                         "",
		"which colour may be chosen":                      "",
		"what did we decide two sprints ago?":             "",
	} {
		got := texts(ask(t, roots, pimento.Query{Text: question, Now: day(11, 18)}, recall.Options{MinConfidence: 0.99, MinCoverage: 0.1}))
		if want == "" && len(got) > 0 || want != "" && !slices.Contains(got, "global:notes.md "+want) {
			t.Errorf("%q finds %q, want %q", question, got, want)
		}
	}
}
