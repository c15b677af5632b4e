package glean

import (
	"slices"
	"strings"

	"github.com/pimento-memory/pimento/internal/text"
)

// What tells a rule from a report, from a task that holds its words, and from a text that
// is handed over. The tables are of kinds of words that a language has few of: modal verbs,
// prepositions, demonstratives, and the verbs for putting a text somewhere.

// obliges says whether a word makes a statement a rule: "every service needs one". Without
// one, a sentence with "from now on" that is no order tells what happens.
func obliges(w string) bool {
	switch strings.ReplaceAll(w, "’", "'") {
	case "must", "mustn't", "should", "shouldn't", "shall", "need", "needs", "required", "mandatory", "forbidden", "allowed", "always", "never", "please", "want", "like",
		"muss", "müssen", "soll", "sollen", "sollte", "sollten", "darf", "dürfen", "bitte", "immer", "nie", "niemals", "verboten", "möchte",
		"doit", "doivent", "faut", "toujours", "jamais", "interdit", "veux", "voudrais", "plaît",
		"debe", "deben", "debemos", "siempre", "nunca", "prohibido", "quiero", "deve", "devem", "sempre", "proibido", "quero",
		"bisogna", "devono", "mai", "vietato", "voglio", "moet", "moeten", "mag", "mogen", "altijd", "nooit", "graag",
		"ska", "måste", "får", "alltid", "aldrig", "musi", "muszą", "należy", "trzeba", "zawsze", "nigdy", "proszę",
		"должен", "должна", "должны", "нужно", "надо", "нельзя", "следует", "всегда", "никогда", "пожалуйста":
		return true
	}
	return false
}

// rules says whether words may be a rule by how they begin or end, though they are no plain
// order: "no uses npm", "non usare npm", "nur noch pnpm", "Thursdays only".
func rules(about []string) bool {
	if len(about) < 2 {
		return false
	}
	switch first, next := about[0], about[1]; {
	case about[len(about)-1] == "only":
		return true
	case first == "no":
		return strings.HasSuffix(next, "s")
	case first == "non":
		return strings.HasSuffix(next, "re")
	case denies(first):
		return foreignOrder(next)
	}
	about = afterFillers(about)
	return foreignOrder(about[0]) && !slices.ContainsFunc(about, reporting)
}

// suffers says whether words tell what somebody gets, and orders nothing: "we get 401",
// "always fails".
func suffers(about []string) bool {
	about = afterFillers(about)
	if len(about) < 2 {
		return false
	}
	switch next := about[1]; about[0] {
	case "always", "never":
		return len(next) > 3 && strings.HasSuffix(next, "s") && !strings.HasSuffix(next, "ss") && next != "this"
	case "we", "wir", "nous":
		return slices.Contains([]string{"get", "see", "have", "are", "can", "hit", "receive", "lose", "can't", "cannot", "got", "bekommen", "kriegen", "erhalten", "haben",
			"sehen", "sind", "können", "avons", "recevons", "voyons", "sommes", "obtenons"}, next)
	}
	return false
}

// embeds says whether what follows "from now on" in the middle of an order is another text,
// which the order has as its object: "add a comment from now on use v2". After the phrase an
// order goes on with a preposition or the like, or, where its verb stands alone before the
// phrase, with its object: "nutze ab jetzt pnpm".
func embeds(lead, rest []string) bool {
	lead = afterFillers(lead)
	switch {
	case len(rest) == 0 || denies(lead[0]) || startsAny(lead, "we", "wir", "nous", "let's"):
		return false
	case edit(lead[0]) && len(lead) > 1 && lead[len(lead)-1] == "que":
		return true
	}
	return len(lead) > 1 && !joins(rest[0]) && !obliges(rest[0])
}

// stopped says whether punctuation ends a clause where a text begins.
func stopped(after string) bool {
	after = strings.TrimLeft(after, " ")
	return after != "" && strings.ContainsRune(",;.!(-–—", []rune(after)[0])
}

// joins says whether an order may go on with this word after "from now on".
func joins(w string) bool {
	switch w {
	case "in", "on", "at", "for", "when", "whenever", "with", "without", "if", "unless", "and", "or", "so", "because", "since", "as", "instead", "even", "too",
		"to", "not", "by", "inside", "before", "after", "everywhere", "via", "per", "only", "thanks",
		"auf", "im", "für", "mit", "ohne", "bei", "und", "statt", "nur", "nicht", "en", "para", "con", "sin", "por", "y", "solo", "pour", "avec", "sans", "dans", "et", "pas",
		"em", "com", "sem", "e", "só", "nel", "senza", "voor", "met", "zonder", "niet", "i", "för", "med", "utan", "w", "z", "bez", "dla", "в", "на", "для", "без", "с", "и":
		return true
	}
	return false
}

// edits says whether what stands before a clause ends with a colon and puts the clause
// somewhere: "add a comment:", "在文件里加一句注释：".
func edits(before string) bool {
	head, ok := colon(before)
	if !ok {
		return false
	}
	if text.Unspaced(lastRune(head)) {
		return strings.ContainsAny(head, "加添写寫改插放")
	}
	ws := afterFillers(words(head))
	return len(ws) > 1 && edit(ws[0]) || len(ws) > 0 && worksOn(ws[0])
}

// colon is what stands before a text's last colon, if the text ends with it.
func colon(s string) (string, bool) {
	s = strings.TrimSpace(s)
	if head, ok := strings.CutSuffix(s, ":"); ok {
		return head, true
	}
	return strings.CutSuffix(s, "：")
}

// edit says whether a word is an order to put a text somewhere.
func edit(w string) bool {
	switch w {
	case "add", "put", "write", "insert", "append", "set", "change", "fix", "replace", "rename", "update", "print", "show", "log", "send", "draft", "post", "paste",
		"reply", "include", "commit", "use", "proofread", "correct", "edit",
		"füge", "schreib", "schreibe", "setz", "setze", "ändere", "ersetze", "ajoute", "ajoutez", "mets", "mettez", "écris", "écrivez", "remplace",
		"añade", "agrega", "escribe", "pon", "cambia", "reemplaza", "coloque", "coloca", "adicione", "escreva", "ponha", "mude", "aggiungi", "scrivi", "metti",
		"voeg", "schrijf", "zet", "lägg", "skriv", "dodaj", "napisz", "wpisz", "добавь", "добавьте", "напиши", "вставь", "поменяй":
		return true
	}
	return false
}

// worksOn says whether a word is an order to work on a text that is given.
func worksOn(w string) bool {
	switch w {
	case "proofread", "translate", "summarize", "summarise", "review", "rephrase", "paraphrase", "reformat", "shorten", "übersetze", "traduis", "traduce", "traduza", "traduci",
		"переведи", "vertaal":
		return true
	}
	return false
}

// hands says whether a line or the beginning of one hands over what stands behind it:
// "Review this policy:", "here is what he wrote:", "Ana 10:42 AM".
func hands(masked string) bool {
	head, ok := colon(masked)
	if !ok {
		return speaks(masked)
	}
	ws := afterFillers(words(head))
	if len(ws) == 0 || ws[0] == "do" {
		return false
	}
	for i, w := range ws {
		switch w {
		case "here's", "here’s", "wrote", "says", "said", "sent", "these", "following":
			return true
		case "this":
			return i+1 == len(ws) || !stays(ws[i+1])
		case "here":
			return i+1 < len(ws) && (ws[i+1] == "is" || ws[i+1] == "are")
		}
	}
	return worksOn(ws[0])
}

// speakerWords is the most words of a line that says who wrote what stands below, and when.
const speakerWords = 5

// speaks says whether a line is the head of a message in a chat: a name and a time of day.
func speaks(line string) bool {
	fields := strings.Fields(line)
	return len(fields) > 1 && len(fields) <= speakerWords && slices.ContainsFunc(fields[1:], func(w string) bool {
		hour, minute, ok := strings.Cut(strings.Trim(w, "[]()"), ":")
		return ok && len(minute) == 2 && hour != "" && len(hour) <= 2 && isDigits(hour+minute)
	})
}

// atHand says whether two words point at a thing at hand: "in this" file.
func atHand(before, w string) bool {
	switch w {
	case "this":
		return slices.Contains([]string{"for", "in", "on", "of", "during", "within", "to"}, before)
	case "dieser", "diesem", "diesen", "diese", "dieses", "este", "esta", "ce", "cet", "cette", "questo", "questa", "deze", "dit":
		return slices.Contains([]string{"in", "für", "bei", "auf", "en", "para", "por", "dans", "pour", "em", "nesta", "neste", "per", "voor", "op"}, before)
	case "этом", "этой", "этого":
		return slices.Contains([]string{"в", "на", "для"}, before)
	}
	return false
}

// stays says whether a thing at hand will be at hand in later sessions as well.
func stays(w string) bool {
	switch w {
	case "project", "repo", "repository", "codebase", "monorepo", "workspace", "team", "company", "machine", "app", "service", "package", "product", "codebase's",
		"projekt", "proyecto", "projet", "projeto", "progetto", "repositorio", "dépôt", "repositório", "проекте", "проекта", "репозитории":
		return true
	}
	return false
}

// bounded says whether a sentence names its own end: "until the release". It waits.
func bounded(whole []string) bool {
	return slices.ContainsFunc(whole, func(w string) bool { return w == "until" || w == "till" })
}

// unnamed says whether a statement names what it is about by a pronoun: "it needs a restart".
func unnamed(ws []string) bool {
	if len(ws) > 1 && stays(ws[1]) {
		return false
	}
	switch ws[0] {
	case "it", "it's", "he", "he's", "she", "she's", "they", "they're", "this", "that", "these", "those", "him", "her", "them":
		return true
	}
	return false
}

// thatThing says whether the "that" of a request belongs to a thing of the conversation:
// "remember that" choice for 30 days.
func thatThing(ws []string, phrase string) bool {
	return strings.HasSuffix(phrase, "that") && len(ws) > 1 && !strings.HasSuffix(ws[0], "s") && slices.Contains([]string{"for", "from", "of", "about", "with", "between", "when"}, ws[1])
}

// refersBack says whether a statement holds words that only the conversation explains: "his
// scheme", "the other logger", "that library", "the way you just did". It waits.
func refersBack(ws []string) bool {
	for i, w := range ws {
		last := ""
		if i > 0 {
			last = ws[i-1]
		}
		switch w {
		case "his", "her":
			return true
		case "other", "latter", "former", "previous", "aforementioned":
			if last == "the" {
				return true
			}
		case "one":
			if slices.Contains([]string{"new", "old", "other", "this", "that", "same"}, last) {
				return true
			}
		case "before", "above", "earlier":
			if last == "as" || last == "like" {
				return true
			}
		case "just":
			if last == "you" || last == "i" || last == "we" {
				return true
			}
		case "this", "that", "these", "those":
			if slices.Contains([]string{"use", "follow", "apply", "keep", "take", "run", "do"}, last) && i+1 < len(ws) && !stays(ws[i+1]) {
				return true
			}
		}
	}
	return false
}
