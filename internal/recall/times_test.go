package recall_test

import (
	"cmp"
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

// TestSmallTalkNamesADay: who greets, parts or tells of himself, and names a day, asks for
// nothing of that day.
func TestSmallTalkNamesADay(t *testing.T) {
	day := func(d int) time.Time { return time.Date(2026, 11, d, 9, 0, 0, 0, time.UTC) }
	roots := dated(t, map[string]time.Time{
		"A review begins with danke, merci, gracias, grazie, obrigado, bedankt, tack, dzięki or спасибо": day(3),
		"The gateway rejects large bodies": day(18), "Run gofmt before a commit": day(17), "Sessions end after an hour": day(13), "Logs are JSON": day(12), "Search is served by Meilisearch": day(16),
	})
	for _, prompt := range []string{
		"thanks, that's all for today", "see you tomorrow", "let's continue on Monday", "good night, until Friday", "nice work today", "happy Friday!",
		"I was sick yesterday, sorry", "sorry I was away last week", "you did great yesterday", "I am off on Friday", "we stop here for tonight",
		"danke, das war's für heute", "weiter geht's am Montag", "das war alles für heute", "on continue lundi", "merci, c'est tout pour aujourd'hui", "seguimos el lunes", "gracias, eso es todo por hoy",
		"grazie, per oggi è tutto", "tack, det var allt för idag", "dzięki, to wszystko na dzisiaj", "на сегодня всё, спасибо", "今天就到这里", "周一继续", "また月曜日に", "오늘은 여기까지 하자",
	} {
		if got := texts(ask(t, roots, pimento.Query{Text: prompt, Now: day(18)}, recall.Options{MinConfidence: 0.6, MinCoverage: 0.1})); len(got) > 0 {
			t.Errorf("%q finds %q", prompt, got)
		}
	}
	for _, prompt := range []string{"yesterday", "decisions of yesterday", "show yesterday's notes", "what happened yesterday", "good morning, what did we do yesterday?", "qu'avons-nous décidé hier", "was haben wir gestern gemacht", "昨天做了什么"} {
		if got := texts(ask(t, roots, pimento.Query{Text: prompt, Now: day(18)}, recall.Options{MinConfidence: 0.6, MinCoverage: 0.1})); !slices.Equal(got, []string{"global:notes.md Run gofmt before a commit"}) {
			t.Errorf("%q finds %q", prompt, got)
		}
	}
}

// TestATimeBesideAName: a prompt that names a thing and a time, and says nothing, asks for the
// thing at that time, as does who searches in any words.
func TestATimeBesideAName(t *testing.T) {
	roots := dated(t, map[string]time.Time{
		"A session outlives its logout": time.Date(2026, 3, 12, 9, 0, 0, 0, time.UTC), "The cache has a prefix": time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC),
		"Findings of auditors are filed": time.Date(2026, 8, 2, 9, 0, 0, 0, time.UTC), "Tokens are opaque": time.Date(2026, 7, 2, 9, 0, 0, 0, time.UTC),
	})
	for _, c := range []struct {
		prompt string
		floor  float64
		found  bool
	}{
		{"findings of the auditors in March", 0.6, true},
		{"go on with the findings of the auditors in March", 0.6, false},
		{"go on with the findings of the auditors in March", 0, true},
	} {
		got := texts(ask(t, roots, pimento.Query{Text: c.prompt, Now: time.Date(2026, 11, 18, 9, 0, 0, 0, time.UTC)}, recall.Options{MinConfidence: c.floor, MinCoverage: c.floor / 6}))
		if c.found != slices.Contains(got, "global:notes.md A session outlives its logout") {
			t.Errorf("%q above %v finds %q", c.prompt, c.floor, got)
		}
	}
	for _, prompt := range []string{"lunch with Anna on Friday", "back to the garden on Friday", "happy Friday", "good night until Friday"} {
		if got := texts(ask(t, roots, pimento.Query{Text: prompt, Now: time.Date(2026, 11, 7, 9, 0, 0, 0, time.UTC)}, recall.Options{MinConfidence: 0.6, MinCoverage: 0.1})); len(got) > 0 {
			t.Errorf("%q finds %q", prompt, got)
		}
	}
}

// TestUntimely: a note of another time than the one that is asked for loses something, what
// somebody said in a conversation does not, and neither does what has no date.
func TestUntimely(t *testing.T) {
	e := func(author string, at time.Time) pimento.Entry {
		return pimento.Entry{Text: "The dam broke in the storm, said " + cmp.Or(author, "nobody"), Author: author, Stamp: at}
	}
	march := time.Date(2026, 3, 12, 9, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		entry pimento.Entry
		loses bool
	}{
		{e("", march), true}, {e("Ann", march), false}, {e("", time.Time{}), false}, {e("", time.Date(2026, 11, 17, 9, 0, 0, 0, time.UTC)), false},
	} {
		a := ask(t, made(t, map[string][]pimento.Entry{"notes.md": {c.entry, {Text: "Gophers dig"}}}),
			pimento.Query{Text: "which dam broke yesterday?", Now: time.Date(2026, 11, 18, 9, 0, 0, 0, time.UTC)}, recall.Options{})
		if len(a.Hits) == 0 {
			t.Fatalf("%q is not found", c.entry.Text)
		}
		if loses := slices.ContainsFunc(a.Hits[0].Why, func(f pimento.Factor) bool { return f.Factor == "date" && f.Share < 0 }); loses != c.loses {
			t.Errorf("%q of %v: %+v", c.entry.Text, c.entry.Stamp, a.Hits[0].Why)
		}
	}
}

// TestASearchNamesATime: who searches for a thing of a time finds that of the time first.
func TestASearchNamesATime(t *testing.T) {
	roots := dated(t, map[string]time.Time{
		"Deploys failed twice": time.Date(2026, 11, 12, 9, 0, 0, 0, time.UTC), "Deploys: a deploy is a merge": time.Date(2026, 3, 12, 9, 0, 0, 0, time.UTC), "The cache has a prefix": time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC),
	})
	for _, search := range []string{"deploys of last week", "deploys last week", "we talked of deploys last week"} {
		got := texts(ask(t, roots, pimento.Query{Text: search, Now: time.Date(2026, 11, 18, 9, 0, 0, 0, time.UTC)}, recall.Options{}))
		if len(got) == 0 || got[0] != "global:notes.md Deploys failed twice" {
			t.Errorf("%q finds %q", search, got)
		}
	}
}

// TestATaskAsAgreed: a task that refers to what was said at a time gets what was said then of
// its matter.
func TestATaskAsAgreed(t *testing.T) {
	day := func(d int) time.Time { return time.Date(2026, 11, d, 9, 0, 0, 0, time.UTC) }
	roots := dated(t, map[string]time.Time{
		"Cache entries live for a quarter of an hour": day(17), "Run gofmt before a commit": day(17), "The cache has a prefix": day(2), "Gophers dig under the lawn": day(3),
		"Logs are JSON": day(12), "The format of logs is lines of JSON": day(11),
	})
	for prompt, want := range map[string]string{
		"update the cache as we said yesterday":             "Cache entries live for a quarter of an hour",
		"use the format we agreed on last week":             "The format of logs is lines of JSON",
		"按我们昨天说的做":                                          "Cache entries live for a quarter of an hour",
		"update the changelog as we said yesterday, please": "",
	} {
		got := texts(ask(t, roots, pimento.Query{Text: prompt, Now: day(18)}, recall.Options{MinConfidence: 0.6, MinCoverage: 0.1}))
		if want == "" && len(got) > 0 || want != "" && (len(got) == 0 || !slices.Contains(got, "global:notes.md "+want)) {
			t.Errorf("%q finds %q, want %q", prompt, got, want)
		}
	}
}

// TestLately: who asks for what is new gets the newest, of the kind that is asked for, and
// of several that match rather the newer; a task or a remark does not.
func TestLately(t *testing.T) {
	day := func(m time.Month, d int) time.Time { return time.Date(2026, m, d, 9, 0, 0, 0, time.UTC) }
	var entries []pimento.Entry
	for _, e := range []struct {
		text string
		kind pimento.Kind
		at   time.Time
	}{
		{"Postgres was chosen over MySQL", pimento.KindDecision, day(3, 5)}, {"Sessions end after an hour", pimento.KindDecision, day(11, 16)}, {"The gateway rejects large bodies", pimento.KindFact, day(11, 17)},
		{"Rebuild the index after a change of synonyms", pimento.KindLesson, day(11, 10)}, {"The deploy script lives in scripts", pimento.KindFact, day(7, 1)}, {"The deploy script waits for health", pimento.KindFact, day(11, 4)},
	} {
		entries = append(entries, pimento.Entry{Text: e.text, Kind: e.kind, Stamp: e.at})
	}
	roots := made(t, map[string][]pimento.Entry{"notes.md": entries})
	const decided, learned, newest = "Sessions end after an hour", "Rebuild the index after a change of synonyms", "The gateway rejects large bodies"
	for question, want := range map[string]string{
		"what did we decide last?": decided, "what was the last decision?": decided, "latest decisions": decided, "was haben wir zuletzt entschieden": decided, "qu'est-ce qu'on a décidé récemment": decided,
		"¿qué hemos decidido últimamente?": decided, "cosa abbiamo deciso di recente?": decided, "wat hebben we laatst besloten?": decided, "vad bestämde vi nyligen?": decided, "co ostatnio ustaliliśmy?": decided,
		"что мы недавно решили?": decided, "son olarak neye karar verdik?": decided, "我们最近决定了什么": decided, "最近何を決めましたか": decided, "최근에 뭘 결정했지": decided,
		"what have we learned recently?": learned, "was haben wir in letzter Zeit gelernt?": learned, "qu'avons-nous appris dernièrement ?": learned, "最近有什么教训": learned,
		"what changed lately": newest, "最近改了什么": newest, "最近変わったことは?": newest, "was wurde kürzlich geändert?": newest, "что изменилось за последнее время?": newest, "what did we do last time?": newest,
		"recent changes to the deploy script": "The deploy script waits for health", "what is new in the deploy script lately?": "The deploy script waits for health",
		"fix the most recent regression": "", "sort by recent": "", "recently the build fails with X: why?": "", "thanks for the latest update": "", "open the last file": "", "what is the latest version?": "", "add the latest changes": "",
	} {
		got := texts(ask(t, roots, pimento.Query{Text: question, Now: day(11, 18)}, recall.Options{MinConfidence: 0.6, MinCoverage: 0.1}))
		if want == "" && len(got) > 0 || want != "" && (len(got) == 0 || got[0] != "global:notes.md "+want) {
			t.Errorf("%q finds %q, want %q", question, got, want)
		}
	}
}
