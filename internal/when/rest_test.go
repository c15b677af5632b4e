package when

import (
	"strings"
	"testing"
	"time"
)

// TestRest: what names a time is taken out of the question, and nothing else. Now is
// Wednesday, 18 November 2026.
func TestRest(t *testing.T) {
	now := time.Date(2026, 11, 18, 15, 0, 0, 0, time.UTC)
	for _, test := range []struct{ language, question, rest string }{
		{"en", "what did we do in the ten days before 8 May 2026?", "what did we do ?"},
		{"en", "what happened 2026-03-14", "what happened - -"},
		{"en", "what did we decide between 3 and 10 March about caches", "what did we decide about caches"},
		{"en", "which port 8080 rule changed in March", "which port 8080 rule changed"},
		{"en", "what broke in the first week of March in the gateway", "what broke in the gateway"},
		{"en", "the front end last week", "the front end"},
		{"en", "error 2026 in March", "error 2026"},
		{"en", "who was on call at the end of last year?", "who was on call ?"},
		{"en", "what changed in Q1 of 2026", "what changed"},
		{"en", "version 3 in May 2026", "version 3"},
		{"en", "what did the second team do since Monday?", "what did the second team do ?"},
		{"en", "on her first day, 3 August", "on her first day,"},
		{"en", "release 8 in the week before 8 May", "release 8"},
		{"en", "may we deploy what we wrote yesterday evening", "may we deploy what we wrote"},
		{"en", "what did we decide a couple of weeks ago about caches", "what did we decide about caches"},
		{"en", "what changed over the last couple of days in auth", "what changed over in auth"},
		{"en", "what broke half a year ago", "what broke"},
		{"de", "Was haben wir vor zwei Wochen am Cache geändert?", "Was haben wir am Cache geändert?"},
		{"fr", "qu'avons-nous décidé avant-hier ?", "qu'avons-nous décidé ?"},
		{"es", "¿qué decidimos el 8 de mayo de 2026?", "¿qué decidimos el de ?"},
		{"", "我们5月初决定了什么", "我们 决定了什么"},
		{"", "今天决定了什么", "决定了什么"},
		{"ja", "昨日何を決めた?", "何を決めた?"},
		{"ko", "지난 주 금요일에 뭘 했어?", "에 뭘 했어?"},
	} {
		_, rest, ok := Window(test.question, test.language, now)
		if squeezed := strings.Join(strings.Fields(rest), " "); !ok || len(rest) != len(test.question) || squeezed != test.rest {
			t.Errorf("%q leaves %q (%t), want %q", test.question, squeezed, ok, test.rest)
		}
	}
	if _, rest, ok := Window("what may be used", "en", now); ok || rest != "what may be used" {
		t.Errorf("no time leaves %q", rest)
	}
}
