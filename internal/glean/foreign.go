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

// ordered says whether a sentence with "from now on" begins as an order does. What is no
// more ("kein Log mehr"), or all that is left ("nur noch Fehler"), may be a complaint;
// what comes after the phrase may say whose words these are (", steht im Ticket").
func ordered(phrase string, about, after []string) bool {
	if !fromNowOn(phrase) {
		return len(about) > 0 && orders(about[0])
	}
	about = afterFillers(about)
	if len(about) > 1 && (about[0] == "ne" || about[0] == "не") { // "ne lance pas", and no report begins so
		about = about[1:]
	}
	polish := phrase == "od teraz" && len(about) > 0 && about[0] == "nie" // not; in German, never
	return len(about) > 0 && !polish && foreignOrder(about[0]) && !slices.ContainsFunc(about, leaving) && !slices.ContainsFunc(after, reporting)
}

func leaving(w string) bool { return w == "mehr" || w == "noch" || w == "meer" }

// foreignOrder is orders: always, never, only, we, and the imperatives of what one asks
// for most. "No" and "not" are missing: "no uses npm" and "no funciona" begin alike.
func foreignOrder(first string) bool {
	first, _, _ = strings.Cut(first, "-")                                 // "réponds-moi"
	first = strings.TrimPrefix(strings.ReplaceAll(first, "’", "'"), "n'") // "n'utilise pas"
	switch first {
	case "immer", "nie", "niemals", "nur", "kein", "keine", "keinen", "wir", "nutze", "nutzen", "benutze", "verwende", "verwenden", "nimm",
		"schreib", "schreibe", "antworte", "mach", "mache", "lass", "füge", "führe", "teste", "frag", "frage", "nenne", "nenn", "lege", "leg", "vermeide",
		"toujours", "jamais", "uniquement", "nous", "utilise", "utilisez", "utilisons", "écris", "écrivez", "réponds", "répondez",
		"mets", "mettez", "lance", "lancez", "fais", "faites", "évite", "évitez",
		"siempre", "nunca", "solo", "sólo", "usa", "usad", "usen", "utiliza", "escribe", "responde", "pon", "haz", "ejecuta", "evita",
		"sempre", "só", "somente", "use", "utilize", "escreva", "responda", "coloque", "faça", "execute", "evite",
		"mai", "usate", "scrivi", "rispondi", "metti", "fai", "esegui",
		"altijd", "nooit", "alleen", "geen", "gebruik", "schrijf", "antwoord", "zet", "doe", "vermijd",
		"alltid", "aldrig", "bara", "använd", "skriv", "svara",
		"zawsze", "nigdy", "tylko", "używaj", "pisz", "odpowiadaj", "uruchamiaj",
		"всегда", "никогда", "только", "используй", "используйте", "пиши", "пишите", "отвечай", "отвечайте", "запускай", "делай":
		return true
	}
	return false
}

// denies says whether a word begins a sentence that forbids something, or complains.
func denies(first string) bool {
	return slices.Contains([]string{"nicht", "ne", "pas", "plus", "no", "não", "non", "niet", "inte", "не"}, first)
}

// reporting says whether a word makes what follows somebody else's, or a text to be
// translated.
func reporting(w string) bool {
	switch w {
	case "sagt", "sagte", "schreibt", "schrieb", "meint", "meinte", "steht", "laut", "lautet", "heißt", "übersetze", "übersetz", "übersetzen", "übersetzt",
		"dit", "disait", "écrit", "écrivait", "indique", "selon", "traduis", "traduisez", "traduire", "dijo", "escribió", "según", "traduce", "traduzca", "traducir",
		"diz", "disse", "escreveu", "segundo", "traduz", "traduza", "traduzir", "scrive", "secondo", "traduci", "tradurre", "zegt", "schrijft", "staat", "volgens", "vertaal",
		"säger", "skriver", "står", "enligt", "översätt", "mówi", "pisze", "według", "przetłumacz", "говорит", "сказал", "пишет", "написано", "согласно", "переведи", "переведите":
		return true
	}
	return false
}

// foreignPassing says that a sentence is about today.
func foreignPassing(s string) bool {
	return slices.ContainsFunc([]string{"heute", "vorerst", "gerade", "aujourd'hui", "pour l'instant", "hoy", "por ahora", "hoje", "por enquanto", "oggi", "per ora",
		"vandaag", "voorlopig", "idag", "dzisiaj", "dziś", "сегодня", "пока"}, func(w string) bool { return text.Phrase(s, w, 0) >= 0 })
}

// unspacedWish says whether a Chinese sentence holds a word that orders or forbids.
func unspacedWish(s string) bool {
	for _, noun := range [...]string{"用户", "调用", "引用", "应用", "占用", "作用", "用例", "费用", "通用"} { // and not "use"
		s = strings.ReplaceAll(s, noun, "")
	}
	return strings.ContainsAny(s, "请請都用只别別勿禁必") || slices.ContainsFunc([]string{"不要", "不再", "不准", "不许", "默认", "总是", "永远", "始终", "一律", "统一", "全部", "改", "先"},
		func(w string) bool { return strings.Contains(s, w) })
}

// unspacedQuestion says whether a Chinese sentence asks without a mark, or tells of an error.
func unspacedQuestion(s string) bool {
	return slices.ContainsFunc([]string{"哪里", "在哪", "为什么", "怎么", "如何", "报错", "帮我看", "帮我查"}, func(w string) bool { return strings.Contains(s, w) })
}

func kana(r rune) bool { return unicode.In(r, unicode.Hiragana, unicode.Katakana) }

// japaneseOrder says whether a sentence ends as orders do.
func japaneseOrder(s string) bool {
	s = strings.TrimRight(s, "。！!. ")
	if strings.HasSuffix(s, "ということ") {
		return false
	}
	return slices.ContainsFunc([]string{"ください", "下さい", "こと", "ましょう", "ないで", "しよう", "してね", "使って", "にして", "でお願いします", "をお願いします", "禁止"},
		func(end string) bool { return strings.HasSuffix(s, end) })
}
