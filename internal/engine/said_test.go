package engine_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/engine"
)

// What was remembered has the day on which that was for its time, though its page does
// not tell it: a later state comes before what it takes the place of, until that is said
// again; and who asks for a time finds what was said then.
func TestRememberedHasItsTime(t *testing.T) {
	w := newWorld(t)
	say := func(day int, texts ...string) {
		w.now = time.Date(2026, 3, day, 10, 0, 0, 0, time.UTC)
		for _, text := range texts {
			w.remember(engine.Note{Text: text, Page: "topics/ops"})
		}
	}
	first := func(question string) (text string) {
		w.run(func(e *engine.Engine) {
			if a := e.Recall(t.Context(), pimento.Query{Text: question, Limit: 5}); len(a.Hits) > 0 {
				text = a.Hits[0].Entry.Text
			}
		})
		return text
	}
	const three, nine = "Production has 3 replicas of the api.", "Production runs 9 replicas of the api since the sale."
	say(1, three, "Staging has 2 replicas of the api.", "Changed the cache: sessions live an hour.")
	say(9, "Changed the cache: each deploy flushes it.")
	say(10, nine)
	say(14, "Changed the cache: pictures live a day.")
	for _, tt := range []struct{ question, want string }{
		{"how many replicas does production have?", nine},
		{"how many replicas does staging have?", "Staging has 2 replicas of the api."},
		{"what did we change in the cache on 9 March?", "Changed the cache: each deploy flushes it."},
		{"what did we change in the cache two weeks ago?", "Changed the cache: sessions live an hour."},
		{"what did we change in the cache today?", "Changed the cache: pictures live a day."},
	} {
		if got := first(tt.question); got != tt.want {
			t.Errorf("%s\n got %s\nwant %s", tt.question, got, tt.want)
		}
	}

	// What was there from the beginning is no later than that.
	w.page("topics/limits.md", "- The worker gives up after 30 seconds.\n"+fillers(40))
	w.run(func(e *engine.Engine) { _, _, _ = e.Pages(t.Context()) })
	w.now = w.now.AddDate(0, 0, 1)
	w.remember(engine.Note{Text: "The worker waits 90 seconds since the migration, then gives up.", Page: "topics/limits", Scope: pimento.Global})
	if got := first("after how many seconds does the worker give up?"); !strings.Contains(got, "90") {
		t.Errorf("first: %s", got)
	}

	say(20, three)
	if got := first("how many replicas does production have?"); got != three {
		t.Errorf("said again, and yet first: %s", got)
	}
}

// What was edited has the day of its edit for its time, beside a prompt, in a search, where an
// older and a newer state are compared, and where that day is asked for.
func TestEditedHasTheDayOfItsEdit(t *testing.T) {
	w := newWorld(t)
	at := func(day int) { w.now = time.Date(2026, 3, day, 10, 0, 0, 0, time.UTC) }
	at(1)
	w.remember(engine.Note{Text: "Production has 3 replicas of the api.", Page: "topics/ops"})
	at(3)
	w.remember(engine.Note{Text: "Production runs 5 replicas of the api since the sale.", Page: "topics/ops"})
	at(9)
	const nine = "Production has 9 replicas of the api."
	w.run(func(e *engine.Engine) {
		h := e.Recall(t.Context(), pimento.Query{Text: "how many 3 replicas has production", Limit: 9}).Hits
		i := slices.IndexFunc(h, func(h pimento.Hit) bool { return strings.Contains(h.Entry.Text, "3 replicas") })
		_, err := e.Edit(t.Context(), string(h[i].Entry.Statement), nine, user)
		w.must(err)
	})
	at(12)
	for _, question := range []string{"how many replicas does production have?", "what changed on 9 March?", "what changed lately?"} {
		w.run(func(e *engine.Engine) {
			h := e.Recall(t.Context(), pimento.Query{Text: question, Limit: 5}).Hits
			if e.Dates(t.Context(), h); len(h) == 0 || h[0].Entry.Text != nine || h[0].Entry.Stamp.Day() != 9 {
				t.Errorf("%s %v", question, h)
			}
		})
	}
	put(t, w.dirs.Config+"/config.json", `{"profile": "daybook", "overrides": {"recall": {"min_coverage": 0.1}, "stamped": false}}`)
	tail := w.chat("edited").say("how many replicas does production have?").Tail
	wantIn(t, "the tail", tail, nine)
	wantIn(t, "the tail", tail, "edited 2026-03-09")
}

// fillers are bullets about other things.
func fillers(n int) (text string) {
	for i := range n {
		text += fmt.Sprintf("- Room %d is cleaned on day %d.\n", i, i%7)
	}
	return text
}

// Who asks for a time and hardly anything else is told what was remembered then, in a
// search and beside a prompt, though the pages tell no time.
func TestRememberedThen(t *testing.T) {
	w := newWorld(t)
	for _, n := range []struct {
		day  int
		text string
	}{{3, "Postgres listens on 5433 from here on."}, {4, "Invoices are rounded half to even."}, {10, "The canary takes ten minutes."},
		{11, "Avatars live in the bucket avatars-eu."}, {17, "Sessions end after an hour."}} {
		w.now = time.Date(2026, 3, n.day, 10, 0, 0, 0, time.UTC)
		w.remember(engine.Note{Text: n.text, Page: "topics/ops"})
	}
	w.now = time.Date(2026, 3, 18, 9, 0, 0, 0, time.UTC)
	for _, text := range []string{"The canary takes a quarter of an hour.", "The canary takes twelve minutes."} { // it was decided then all the same
		w.run(func(e *engine.Engine) {
			canary := e.Recall(t.Context(), pimento.Query{Text: "canary", Limit: 1}).Hits[0].Entry
			_, err := e.Edit(t.Context(), string(canary.Statement), text, user)
			w.must(err)
		})
	}
	w.now = time.Date(2026, 3, 18, 10, 0, 0, 0, time.UTC) // a Wednesday
	for _, tt := range []struct {
		question string
		want     []string
	}{
		{"what did we decide last week?", []string{"canary", "Avatars"}},
		{"what did we decide two weeks ago?", []string{"Postgres", "Invoices"}},
		{"what happened yesterday?", []string{"Sessions"}},
		{"what did we decide in March?", []string{"Postgres", "Invoices", "canary", "Avatars", "Sessions"}},
		{"what did we decide on 10 March?", []string{"canary"}},
		{"what did we decide on March 11th 2026?", []string{"Avatars"}},
		{"what did we decide on Tuesday?", []string{"Sessions"}},
		{"what did we decide in January?", nil},
		{"what was decided in the six days before 11 March?", []string{"Avatars", "Invoices", "canary"}},
		{"what happened 2026-03-10", []string{"canary"}},
		{"what did we decide between 3 and 5 March?", []string{"Invoices", "Postgres"}},
		{"what did we do in the first week of March?", []string{"Invoices", "Postgres"}},
		{"what have we decided since Monday?", []string{"Sessions", "canary"}},
		{"was haben wir gestern beschlossen?", []string{"Sessions"}},
		{"qu'avons-nous décidé hier ?", []string{"Sessions"}},
		{"¿qué decidimos la semana pasada?", []string{"Avatars", "canary"}},
		{"o que decidimos ontem?", []string{"Sessions"}},
		{"cosa abbiamo deciso ieri?", []string{"Sessions"}},
		{"wat besloten we gisteren?", []string{"Sessions"}},
		{"co ustaliliśmy wczoraj?", []string{"Sessions"}},
		{"vad bestämde vi igår?", []string{"Sessions"}},
		{"dün ne karar verdik?", []string{"Sessions"}},
		{"что мы решили вчера?", []string{"Sessions"}},
		{"上周我们做了哪些决定?", []string{"Avatars", "canary"}},
		{"昨天做了什么", []string{"Sessions"}},
		{"先週何を決めましたか?", []string{"Avatars", "canary"}},
		{"어제 뭘 결정했지?", []string{"Sessions"}},
	} {
		var got []string
		w.run(func(e *engine.Engine) {
			for _, h := range e.Recall(t.Context(), pimento.Query{Text: tt.question, Limit: 10}).Hits {
				for _, word := range []string{"Postgres", "Invoices", "canary", "Avatars", "Sessions"} {
					if strings.Contains(h.Entry.Text, word) {
						got = append(got, word)
					}
				}
			}
		})
		slices.Sort(got)
		slices.Sort(tt.want)
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s %q, want %q", tt.question, got, tt.want)
		}
		put(t, w.dirs.Config+"/config.json", `{"profile": "daybook", "overrides": {"recall": {"min_coverage": 0.1}}}`) // its prefix holds none of them
		tail := w.chat(tt.question).say(tt.question).Tail
		for _, word := range tt.want[:len(tt.want)%5] { // of all five it shows three
			wantIn(t, "the tail of "+tt.question, tail, word)
		}
		if len(tt.want) == 0 {
			wantEmpty(t, "the tail of "+tt.question, tail)
		}
	}
}
