package glean

import (
	"slices"
	"strings"
	"unicode"

	"github.com/pimento-memory/pimento/internal/text"
)

// What other languages than English and Chinese need of words.go, of sentences with "from
// now on". What is not known to be an order waits for a yes, or is not heard.

// fromNowOn says whether a phrase says "from now on", and may so stand anywhere in its
// sentence.
func fromNowOn(phrase string) bool {
	switch phrase {
	case "ab jetzt", "ab sofort", "von jetzt an", "von nun an", "désormais", "desormais", "dorénavant", "à partir de maintenant",
		"a partir de maintenant", "a partir de ahora", "de ahora en adelante", "a partir de agora", "de agora em diante",
		"d'ora in poi", "d’ora in poi", "da ora in poi", "vanaf nu", "voortaan", "från och med nu", "od teraz", "отныне", "впредь":
		return true
	}
	return false
}

// foreignOrder is orders: always, never, only, no, we, and the imperatives of what one
// asks for most.
func foreignOrder(first string) bool {
	switch first {
	case "immer", "nie", "niemals", "nur", "kein", "keine", "keinen", "nicht", "wir", "nutze", "nutzen", "benutze", "verwende", "verwenden", "nimm",
		"schreib", "schreibe", "antworte", "mach", "mache", "lass", "füge", "führe", "teste", "frag", "frage", "nenne", "nenn", "lege", "leg", "vermeide",
		"toujours", "jamais", "uniquement", "ne", "pas", "plus", "nous", "utilise", "utilisez", "utilisons", "écris", "écrivez", "réponds", "répondez",
		"mets", "mettez", "lance", "lancez", "fais", "faites", "évite", "évitez",
		"siempre", "nunca", "solo", "sólo", "usa", "usad", "usen", "utiliza", "escribe", "responde", "pon", "haz", "ejecuta", "evita",
		"sempre", "só", "somente", "não", "use", "utilize", "escreva", "responda", "coloque", "faça", "execute", "evite",
		"mai", "non", "usate", "scrivi", "rispondi", "metti", "fai", "esegui",
		"altijd", "nooit", "alleen", "geen", "gebruik", "schrijf", "antwoord", "zet", "doe", "vermijd",
		"alltid", "aldrig", "bara", "inte", "använd", "skriv", "svara",
		"zawsze", "nigdy", "tylko", "używaj", "pisz", "odpowiadaj", "uruchamiaj",
		"всегда", "никогда", "только", "не", "используй", "используйте", "пиши", "пишите", "отвечай", "отвечайте", "запускай", "делай":
		return true
	}
	return false
}

// foreignPassing says that a sentence is about today.
func foreignPassing(s string) bool {
	return slices.ContainsFunc([]string{"heute", "vorerst", "gerade", "aujourd'hui", "pour l'instant", "hoy", "por ahora", "hoje", "por enquanto", "oggi", "per ora",
		"vandaag", "voorlopig", "idag", "dzisiaj", "dziś", "сегодня", "пока"}, func(w string) bool { return text.Phrase(s, w, 0) >= 0 })
}

func kana(r rune) bool { return unicode.In(r, unicode.Hiragana, unicode.Katakana) }

// japaneseOrder says whether a sentence ends as orders do.
func japaneseOrder(s string) bool {
	s = strings.TrimRight(s, "。！!. ")
	return slices.ContainsFunc([]string{"ください", "下さい", "こと", "ましょう", "ないで", "しよう", "してね", "使って", "にして", "でお願いします", "をお願いします", "禁止"},
		func(end string) bool { return strings.HasSuffix(s, end) })
}
