package when

import (
	"testing"
	"time"
)

// TestForeignWindow: now is Wednesday, 18 November 2026.
func TestForeignWindow(t *testing.T) {
	now := time.Date(2026, 11, 18, 15, 0, 0, 0, time.UTC)
	for _, test := range []struct{ language, question, english string }{
		{"de", "Was haben wir gestern gemacht?", "yesterday"},
		{"de", "Was ging vorgestern schief?", "the day before yesterday"},
		{"de", "Was wurde letzte Woche entschieden?", "last week"},
		{"de", "Was haben wir vor zwei Wochen gemacht?", "two weeks ago"},
		{"de", "vor einem Monat", "one month ago"},
		{"de", "in den letzten drei Tagen", "the last three days"},
		{"de", "Was brach im März?", "in March"},
		{"de", "seit Mai", "since May"},
		{"de", "am 8. Mai 2026", "8 May 2026"},
		{"de", "am Montag", "on Monday"},
		{"de", "letzten Sommer", "last summer"},
		{"de", "im Herbst 2025", "in autumn 2025"},
		{"de", "zwischen Mai und Juli", "between May and July"},
		{"fr", "Qu'avons-nous fait hier ?", "yesterday"},
		{"fr", "Qu'avons-nous fait avant-hier ?", "the day before yesterday"},
		{"fr", "aujourd'hui", "today"},
		{"fr", "la semaine dernière", "last week"},
		{"fr", "l'été dernier", "last summer"},
		{"fr", "il y a trois jours", "three days ago"},
		{"fr", "en mars", "in March"},
		{"fr", "le 8 mai 2026", "8 May 2026"},
		{"fr", "lundi dernier", "last Monday"},
		{"fr", "depuis février", "since February"},
		{"es", "¿Qué hicimos ayer?", "yesterday"},
		{"es", "la semana pasada", "last week"},
		{"es", "hace dos semanas", "two weeks ago"},
		{"es", "el 8 de mayo de 2026", "8 May 2026"},
		{"es", "antes de marzo", "before March"},
		{"es", "el lunes", "on Monday"},
		{"es", "el año pasado", "last year"},
		{"pt", "O que fizemos ontem?", "yesterday"},
		{"pt", "na semana passada", "last week"},
		{"pt", "há três dias", "three days ago"},
		{"pt", "dois meses atrás", "two months ago"},
		{"pt", "em março de 2026", "in March 2026"},
		{"it", "Che cosa abbiamo fatto ieri?", "yesterday"},
		{"it", "la settimana scorsa", "last week"},
		{"it", "due settimane fa", "two weeks ago"},
		{"it", "a marzo del 2026", "March 2026"},
		{"it", "l'altro ieri", "the day before yesterday"},
		{"nl", "Wat deden we gisteren?", "yesterday"},
		{"nl", "vorige week", "last week"},
		{"nl", "drie dagen geleden", "three days ago"},
		{"nl", "sinds maart", "since March"},
		{"", "Что мы делали вчера?", "yesterday"},
		{"", "на прошлой неделе", "last week"},
		{"", "два месяца назад", "two months ago"},
		{"", "в марте", "in March"},
		{"", "прошлым летом", "last summer"},
		{"", "в понедельник", "on Monday"},

		{"de", "Wie viele Arbeiter hat die Warteschlange?", ""},
		{"de", "Wer hat das im Winter des Jahres gebaut?", "in winter"},
		{"fr", "Il a été supprimé", ""},
		{"fr", "Combien de temps garder un mois ?", ""},
		{"es", "¿Cuándo se borra?", ""},
		{"pt", "na segunda tentativa", ""},
		{"en", "mars, mai, hier, the last word on juli", ""},
		{"", "в понедельник? нет", "on Monday"},
	} {
		want, wanted := Span{}, false
		if test.english != "" {
			if want, wanted = Window(test.english, "", now); !wanted {
				t.Fatalf("%q is no time", test.english)
			}
		}
		if got, ok := Window(test.question, test.language, now); ok != wanted || got != want {
			t.Errorf("%q: %v to %v (%t), want %v to %v", test.question, got.From, got.To, ok, want.From, want.To)
		}
	}
}
