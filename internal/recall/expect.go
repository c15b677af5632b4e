package recall

import (
	"strings"
	"unicode"

	"github.com/pimento-memory/pimento/internal/text"
)

// An answerSort is a sort of answer that a question can ask for without naming it: the phrases
// that ask, and the words by which such an answer is known.
type answerSort struct{ asks, holds string }

// answerSorts are those whose answers have words of their own. When something
// was is not among them: in talk, every other entry names a day.
func answerSorts() []answerSort {
	const spans = " second sec ms millisecond minute min hour day week month quarter year decade"
	return []answerSort{
		{"how often,how frequently,how regularly,how many times", "every each hourly daily nightly weekly monthly quarterly yearly annual twice times per cron" + spans},
		{"how long,how soon,how fast,how quickly,how slow,how late,how early,how old,how much time,what period,what duration,for what stretch",
			"overnight immediately forever indefinitely" + spans},
		{"how big,how large,how small,how heavy,what size,how much memory,how much space,how much disk,how many bytes",
			"byte kilobyte megabyte gigabyte kb mb gb tb kib mib gib line pixel px"},
		{"how much does,how much do,how much did,how much is,how expensive,how much money,what does it cost",
			"euro eur dollar usd pound gbp franc chf sek cent percent fee per"},
	}
}

// expect asks for the words of the sort of answer that the question wants, all as
// one. They are a hint: not holding them is no lack, and holding them covers
// nothing of what the question is about.
func (w *words) expect(question string, p Params) {
	if p.Expected == 0 {
		return
	}
	said := strings.FieldsFunc(strings.ToLower(question), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	holds := sortOf(" " + strings.Join(said, " ") + " ")
	if holds == "" {
		return
	}
	have := w.keys()
	u := len(w.units)
	w.units = append(w.units, unit{})
	w.analyzer.Analyze(holds, func(field byte, stem string) {
		if key := text.Key(field, stem); field == text.Word && !have[key] {
			have[key] = true
			w.terms = append(w.terms, term{key: key, field: field, factor: "answer", weight: p.Expected, unit: u, loose: true, sure: 1})
		}
	})
}

// sortOf is what an answer to the question holds, "" where that is open.
func sortOf(question string) string {
	for _, s := range answerSorts() {
		for ask := range strings.SplitSeq(s.asks, ",") {
			if strings.Contains(question, " "+ask+" ") {
				return s.holds
			}
		}
	}
	return ""
}
