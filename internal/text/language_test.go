package text

import (
	"slices"
	"testing"

	"github.com/pimento-memory/pimento"
)

func TestLanguageOf(t *testing.T) {
	for s, want := range map[string]Language{
		"Die Rechnungen werden nachts verschickt":            German,
		"Quand est envoyée une facture ?":                    French,
		"¿Dónde está la copia de seguridad?":                 Spanish,
		"As migrações não rodam durante o serviço":           Portuguese,
		"I test della cassa non sono nella stessa coda":      Italian,
		"De facturen worden niet meteen verstuurd":           Dutch,
		"Säkerhetskopian ligger på bandet och är stor":       Swedish,
		"Yedekler ne zaman sunucuya gönderiliyor, kim bilir": Turkish,
		"Nie wiem, gdzie jest kopia bazy":                    Polish,
		"Счета отправляются ночью":                           Russian,
		"プールは接続を何本まで持てる?":                                    Japanese,
		"큐 작업자가 몇 개야?":                                       Korean,
		"缓存什么时候失效":                                           English,
		"Why do I get 接続できません from it?":                      English,
		"соединение":                                         Russian,
		"The name Анна is in the database":                   English,
		"":                                                   English,
		"Invoices are sent at night":                         English,
		"DER files":                                          English,
		"MIT license, OS: Debian, EST":                       English,
		"OS X, OS 15, os.Open, and os again":                 English,
		"The Spanish text was \"la copia de la clave\"":      English, // as many of each
		"U(z) = x + y, w = e":                                English,
		"Müller, Zürich and Köln":                            English,
		"Größe der Bilder":                                   German,
		"von der Leyen said that it is in the EU's plans":    English,
		"数据库":           English,
		"getUserName()": English,
	} {
		if got, _ := LanguageOf(s); got != want {
			t.Errorf("%q: %d, want %d", s, got, want)
		}
	}
}

// TestForms: other forms of a word find it, where the text shows its language.
func TestForms(t *testing.T) {
	for _, test := range []struct{ note, question, word string }{
		{"Die Verbindungen liegen in einem Pool", "Wie viele sind es je Verbindung?", "verbind"},
		{"Wir zahlen für größere Häuser", "Was ist mit dem Haus?", "haus"},
		{"Les utilisateurs supprimés sont gardés", "Que faire d'un utilisateur supprimé ?", "utilis"},
		{"Il est dans l'interface", "Où sont les interfaces ?", "interfac"},
		{"Las conexiones se guardan en un grupo", "¿Cuál es la conexión?", "conexion"},
		{"As conexões ficam num conjunto", "Onde fica a conexão de um cliente?", "conexa"},
		{"Le fatture dell'utente sono nella coda", "Dove sono gli utenti?", "utent"},
		{"De sleutels staan niet in de kluis", "Waar is de sleutel?", "sleutel"},
		{"Noterna som vi har skickat", "Var finns en not?", "not"},
		{"Bu sunucular için anahtarlar var", "Hangi sunucu bu?", "sunucu"},
		{"Migracje nie są w bazie", "Czy jest jeszcze jakaś migracja?", "migracj"},
		{"Счета за соединения", "соединений", "соединен"},
		{"Всё учтён, самолёт", "самолет", "самолет"},
	} {
		stems := func(s string) (out []string) {
			for _, p := range NewAnalyzer().Passages(pimento.Entry{Text: s}, "") {
				for _, c := range p.Terms {
					if c.Text[0] == Word {
						out = append(out, c.Text[1:])
					}
				}
			}
			return out
		}
		var asked []string
		l, _ := LanguageOf(test.question)
		for _, q := range QueryTerms(test.question, l, 0) {
			if q.Field == Word {
				asked = append(asked, q.Term)
			}
		}
		if !slices.Contains(asked, test.word) || !slices.Contains(stems(test.note), test.word) {
			t.Errorf("%q asks %v of %q: %v", test.question, asked, test.note, stems(test.note))
		}
	}
}

// TestForeignSign: what a sign is read as stands in no text.
func TestForeignSign(t *testing.T) {
	for _, s := range []string{"Das kostet 45 € im Monat und nicht $45", "Сколько стоит: 45 € или $45?"} {
		found := map[string]bool{}
		for _, p := range NewAnalyzer().Passages(pimento.Entry{Text: s}, "") {
			for _, c := range p.Terms {
				found[c.Text] = true
			}
		}
		l, _ := LanguageOf(s)
		asked := map[string]bool{}
		for _, q := range QueryTerms(s, l, 0) {
			asked[q.Key()] = true
		}
		for _, want := range []string{"weuro", "wdollar", "xeuro", "xdollar"} {
			if !found[want] || !asked[want] || found["w"] || asked["w"] {
				t.Errorf("%q: no %s, or an empty term: %v, %v", s, want, found, asked)
			}
		}
	}
}

// TestForeignQuestion: what frames it says nothing, a noun of German is no name, and
// a verb with its subject no identifier.
func TestForeignQuestion(t *testing.T) {
	groups := func(s string) (n int, names bool) {
		l, _ := LanguageOf(s)
		for _, q := range QueryTerms(s, l, 0) {
			n, names = max(n, q.Group+1), names || q.Name
		}
		return n, names
	}
	for s, want := range map[string]int{
		"Warum haben wir die Rechnung nicht verschickt?": 2,
		"Combien de connexions le pool garde-t-il ?":     3,
		"Почему мы не держим соединений?":                2,
		"Why is the garde-t-il there?":                   3,
	} {
		if n, names := groups(s); n != want || names {
			t.Errorf("%q: %d words, want %d; names: %v", s, n, want, names)
		}
	}
	if _, names := groups("Warum ist das in PostgreSQL und nicht hier?"); !names {
		t.Error("PostgreSQL is a name in German, too")
	}
}

// TestElided: an article before an apostrophe is no part of the word.
func TestElided(t *testing.T) {
	for in, want := range map[string]string{
		"l'interface, d’erreur, qu'une": "interface erreur une",
		"dell'utente all’avvio":         "utente avvio",
		"don't can't it's I'm O'Reilly": "oreilly",
		"the users' rock 'n' roll":      "users rock n roll",
		"Electron'dan CI’da API'ye":     "electron dan ci da api ye",
	} {
		if got := terms(in, Exact); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// A short question may be in several languages; an English one is in none but English.
func TestMayBe(t *testing.T) {
	for s, want := range map[string]Language{"qu'avons-nous décidé hier ?": French, "cosa abbiamo deciso ieri?": Italian, "Was war am 8. Mai?": German,
		"what did we decide in the end?": English, "geçen hafta?": Turkish, "¿qué hicimos ayer?": Spanish, "": English} {
		got := MayBe(s)
		if !slices.Contains(got, want) || want == English && len(got) != 1 {
			t.Errorf("%q may be %v", s, got)
		}
	}
	if got := MayBe("was haben wir im August beschlossen?"); got[0] != German {
		t.Errorf("a German question with English words: %v", got)
	}
}

// TestSignWords: about as many words as say something.
func TestSignWords(t *testing.T) {
	for s, want := range map[string]int{"": 0, "what did we decide": 0, "决定了什么": 1, "我们做了什么": 0, "做了哪些决定": 1, "部署流程改了": 3, "何を決めた?": 1, "やったことは?": 0,
		"サーバーの設定": 2, "뭘 결정했지?": 1, "에 뭐 했어?": 0, "캐시 설정": 2} {
		if got := SignWords(s); got != want {
			t.Errorf("%q: %d words, want %d", s, got, want)
		}
	}
}
