package recall

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/text"
	"github.com/pimento-memory/pimento/internal/when"
)

// Who asks what was done, decided or learned names by that word no thing that a note must
// hold, but at most what kind of note is meant.

// A doing is a sort of what people do that is kept in memory: the kind of its notes, "" for any, and the
// words that name it in the languages of package text, in lower case. A "*" stands for any
// ending; of Chinese, Japanese and Korean a word may be part of another one.
type doing struct {
	kind  pimento.Kind
	words string
}

// doings are those that a question about a time, or about what is new, is put with.
func doings() []doing {
	return []doing{
		{pimento.KindDecision, "decide* decision* agree* agreement* chose chosen settled entschied* entscheid* beschloss* beschluss* beschlüsse* vereinbar* décid* décision* convenu* " +
			"decid* decis* acord* combin* deciso besloten besliss* beslissing* besluit* afgesproken afspra* beslut* bestäm* zdecyd* decyzj* ustal* postanow* реши* решен* договор* karar* " +
			"决定 决策 商定 约定 決め 決ま 決定 결정 정했 정한"},
		{pimento.KindLesson, "learn* lesson* gelernt* lernten lehre* erkenntnis* appris apprend* leçon* aprend* lecci* lição lições impara* lezion* geleerd leerden lessen lärt lärde lärdom* " +
			"nauczy* lekcj* wniosk* nauczi* научи* урок* вывод* узнали öğren* ders* 学到 学会 学了 教训 经验 学んだ 学び 教訓 배운 배웠 교훈"},
		{pimento.KindPreference, "prefer* bevorzug* vorliebe* préfér* voorkeur* föredra* preferens* woli* preferencj* предпоч* tercih* 偏好 喜好 好み 선호"},
		{pimento.KindMistake, "mistake* misstag* 失误 실수"},
		{"", "change* changing modif* happen* note noted notes wrote write written record* remember* memory memories add added work* discuss* talk* spoke said say told thing things " +
			"do done doing did made make time session sessions conversation* update* new news topic* entry entries everything give show list know tell recap summary summari* take taken took reach* " +
			"getroffen geändert* änder* getan gemacht* passiert* geschehen notier* gemerkt* gesprochen besprochen gesagt neu neue neues neuigkeit* notiz* sitzung gearbeitet dinge " +
			"pris prise* chang* fait faites passé noté* retenu* discut* parlé* dit nouveau* nouvelles neuf modifi* note notes travaill* " +
			"tom* cambi* hicimos hecho pasó pasado anot* hablamos dijimos nuevo nuevas novedad* nota notas trabaj* " +
			"mud* fizemos feito aconteceu anot* falamos dissemos novo novas novidade* trabalh* " +
			"preso prese cambia* fatto facemmo successo annota* parlato detto nuovo nuove novità modific* lavorat* " +
			"genomen verander* gewijzigd* gedaan gebeurd* genoteerd* besproken gezegd nieuw nieuws notitie* gewerkt* " +
			"tagit fattat ändra* gjor* hänt hände anteckna* anteckning* pratade sade sagt nytt nya diskuter* arbeta* " +
			"podję* zmieni* zrobi* robi* stało wydarzy* zapisa* mówi* nowe nowego omów* notat* " +
			"приня* измен* сдела* делал* случи* произош* запис* говори* обсужд* обсуди* новое нового ново заметк* " +
			"alındı qu neye neyi neler verdik aldık değiş* yaptık yapıldı yaptığ* oldu konuş* yeni not notlar " +
			"按 照 改 变 變 做 发生 發生 讨论 討論 说 聊 谈 记 新 更新 事 変 やった やっ した 起き 話 書 覚 新 것 일 바뀐 바꾼 바뀌 변경 변한 했 한 있었 말 얘기 기록 새로"},
	}
}

// doingOf finds the doing that a word in lower case names.
func doingOf(word string) (kind pimento.Kind, ok bool) {
	for _, d := range doings() {
		for w := range strings.FieldsSeq(d.words) {
			begin, any := strings.CutSuffix(w, "*")
			if w == word || any && strings.HasPrefix(word, begin) {
				return d.kind, true
			}
		}
	}
	return "", false
}

// onlyDoing says whether a text names what was done and nothing else, the kind of note
// that this is ("" for any), and whether it means the last of these.
func onlyDoing(s string) (kind pimento.Kind, last, ok bool) {
	for w := range strings.FieldsFuncSeq(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		k, is := doingOf(w)
		if left, newest := when.Last(w); newest {
			w, is, last = left, left == "", true
		}
		switch {
		case is:
		case unspaced(w):
			var left string
			if k, left = withoutDoings(w); text.SignWords(left) > 0 {
				return "", false, false
			}
			is = left != w
		case len(w) > 1 && !text.Silent(w): // yesterday's
			return "", false, false
		}
		ok = ok || is
		if kind == "" {
			kind = k
		}
	}
	return kind, last, ok
}

// unspaced says whether a word is of a script that puts no blank between words.
func unspaced(w string) bool {
	r, _ := utf8.DecodeRuneInString(strings.TrimLeft(w, " "))
	return r >= 0x2E80 && r != utf8.RuneError
}

// withoutDoings is a run of signs without those that name doings, and their kind.
func withoutDoings(s string) (kind pimento.Kind, rest string) {
	for _, d := range doings() {
		for w := range strings.FieldsSeq(d.words) {
			if unspaced(w) && strings.Contains(s, w) {
				s = strings.ReplaceAll(s, w, " ")
				if kind == "" {
					kind = d.kind
				}
			}
		}
	}
	return kind, s
}

// agreed says whether a prompt refers to what was said before: "as we discussed yesterday".
func agreed(prompt string) bool {
	const words = " said say told agreed decided discussed talked settled planned noted chose "
	for w := range strings.FieldsFuncSeq(strings.ToLower(prefixRunes(prompt, 300)), func(r rune) bool { return !unicode.IsLetter(r) }) {
		if strings.Contains(words, " "+w+" ") {
			return true
		}
	}
	return slices.ContainsFunc([]string{"说", "商量", "讨论", "商定", "约定", "定的"}, func(w string) bool { return strings.Contains(prompt, w) })
}
