package recall

import (
	"slices"
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
		{"how expensive,how much,what does it cost",
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

// ruled raises what lays down a rule, where the prompt gives a task: "Add an endpoint"
// asks no question, and what a memory has to say to it is how endpoints are to be
// made. Each further word of a rule counts less. The candidates have been read.
func (a *asking) ruled(cs []*candidate) {
	if a.params.Ruled == 0 || !task(a.q.Text) {
		return
	}
	for _, c := range cs {
		if n := float64(ruleWords(c.entry.Text)); n > 0 {
			c.add("answer", a.params.Ruled*a.words.mass*n/(1+n))
		}
	}
}

// task says whether a prompt tells somebody to do something. Openings such as "can
// you please" are no part of it; what ends with a question mark is a task only after
// such a one.
func task(prompt string) bool {
	const openings = " please can could would will you we let lets us s i want need d like to now then also ok okay next so and first help me try go ahead "
	const verbs = " add adjust allow apply build bump change clean configure convert create delete deploy deprecate disable document draft drop enable expose extend extract fix generate " +
		"handle implement improve install integrate introduce load log make merge migrate move optimise optimize patch plan port prepare publish pull put refactor release remove rename " +
		"replace rewrite rework send set setup show speed split store support switch test tighten train turn update upgrade wire write "
	head := prefixRunes(prompt, 200)
	before, polite := "", false
	for w := range strings.FieldsFuncSeq(head, func(r rune) bool { return !unicode.IsLetter(r) }) {
		low := strings.ToLower(w)
		if !strings.Contains(openings, " "+low+" ") {
			if strings.Contains(verbs, " "+low+" ") {
				return polite || !strings.HasSuffix(strings.TrimSpace(prompt), "?")
			}
			return chineseTask(head[strings.Index(head, w):])
		}
		polite = polite || (low == "you" || low == "we") && strings.Contains(" can could would will ", " "+before+" ")
		before = low
	}
	return false
}

// chineseTask is task for a Chinese prompt. What holds a word that asks is none, but
// after a polite opening.
func chineseTask(prompt string) bool {
	polite := false
	strip := func(openings ...string) bool {
		for _, o := range openings {
			if rest, ok := strings.CutPrefix(prompt, o); ok {
				prompt = strings.TrimLeft(rest, " ，,")
				return true
			}
		}
		return false
	}
	for more := true; more; {
		asked := strip("能不能", "可不可以", "可以", "能")
		polite = polite || asked
		more = asked || strip("请", "帮我", "帮忙", "给我", "麻烦", "你", "您", "现在", "然后", "我想", "我要", "需要")
	}
	asks := func(word string) bool { return strings.Contains(prompt, word) }
	if !polite && slices.ContainsFunc([]string{"?", "？", "吗", "怎么", "什么", "如何", "哪", "谁", "多少", "多久", "几", "是否"}, asks) {
		return false
	}
	begins := func(verb string) bool { return strings.HasPrefix(prompt, verb) }
	return slices.ContainsFunc([]string{"加", "写", "把", "给", "添加", "增加", "新增", "新建", "创建", "实现", "修", "改", "删", "重构", "重写", "部署", "发布", "优化", "更新", "升级", "迁移", "移", "做", "生成", "支持"}, begins)
}

// ruleWords counts the words of a text by which rules are known.
func ruleWords(s string) (n int) {
	english := func(r rune) bool { return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' }
	for w := range strings.FieldsFuncSeq(s, func(r rune) bool { return !english(r) }) {
		switch strings.ToLower(w) {
		case "never", "always", "must", "only", "avoid", "instead", "rule", "rules", "forbidden", "banned", "refuse", "refused", "refuses", "rejected", "rejects",
			"every", "each", "no", "not", "need", "needs", "required", "requires", "ask":
			n++
		}
	}
	for _, w := range []string{"不要", "必须", "禁止", "只能", "只用", "一律", "不得", "不再", "统一"} {
		if strings.Contains(s, w) {
			n++
		}
	}
	return n
}
