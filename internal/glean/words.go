package glean

import (
	"slices"
	"strings"

	"github.com/pimento-memory/pimento/internal/text"
)

// What follows is about language and no policy: which words before or after a
// phrase say that it is not meant. Each table is short on purpose; a word is in
// it because of a case of the labelled set.

// filler says whether a word may stand before a request without changing it.
func filler(w string) bool {
	switch w {
	case "please", "also", "and", "ok", "okay", "hey", "hi", "hello", "so", "btw", "then", "now", "just", "pi", "yes", "yeah", "no", "oh",
		"but", "actually", "finally", "kindly", "again", "first", "one", "more", "thing", "by", "the", "way", "well", "right", "great",
		"bitte", "por", "favor", "alsjeblieft", "пожалуйста", "proszę", "thanks", "perfect", "note", "fyi", "important", "quick", "last", "two", "things", "pimento", "cool", "alright":
		return true
	}
	return false
}

// afterFillers leaves out the fillers that a text begins with, but for its last word.
func afterFillers(ws []string) []string {
	for len(ws) > 1 && filler(ws[0]) {
		ws = ws[1:]
	}
	return ws
}

// unspacedFillers are the same in Chinese.
func unspacedFillers() []string {
	return []string{"请", "帮我", "麻烦", "你", "您", "先", "顺便", "另外", "还有", "对了", "好的", "好", "那么", "那", "就", "要", "给我", "也", "一定",
		"必须", "嗯", "哦", "可以", "再", "都", "务必"}
}

// request is what stands before a phrase without its fillers.
func request(lead string) string {
	var out []string
	for _, w := range words(lead) {
		for cut := true; cut; {
			cut = false
			for _, f := range unspacedFillers() {
				if rest, ok := strings.CutPrefix(w, f); ok {
					w, cut = rest, true
				}
			}
		}
		if w != "" && (!filler(w) || len(out) > 0 && w != "please" && w != "also") {
			out = append(out, w)
		}
	}
	return strings.Join(out, " ")
}

// requests are what may stand before "remember that", and it stays a request.
func requests() []string {
	return []string{"", "can you", "could you", "would you", "will you", "you should", "you must", "you need to", "i want you to", "i need you to",
		"i'd like you to", "i would like you to", "make sure you", "make sure to", "make sure that you", "be sure to", "for next time",
		"for the future", "for later", "for future sessions"}
}

// afterAsking follow a Chinese phrase that then reports or asks: "记住了".
func afterAsking() []string { return []string{"了", "过", "的", "没", "得", "不", "吗"} }

// trimAsked takes off what joins a request to its text.
func trimAsked(s string) string {
	for {
		was := s
		s = strings.TrimLeft(s, " \t,:-—–")
		for _, cut := range [...]string{"，", "：", "、", "一下", "下来", "that ", "the following: ", "for me: ", "for later: ", "down: ", "down that ", "please: "} {
			if len(s) >= len(cut) && strings.EqualFold(s[:len(cut)], cut) {
				s = s[len(cut):]
			}
		}
		if s == was {
			return strings.TrimSpace(s)
		}
	}
}

// courteous says whether a text holds nothing but what is polite.
func courteous(s string) bool {
	return !slices.ContainsFunc(words(lower(s)), func(w string) bool {
		return !slices.Contains([]string{"please", "pls", "thanks", "thank", "thx", "you", "ok", "okay", "too"}, w)
	})
}

// pointingWidth is how much a text that begins with "this" says at most without
// saying what.
const pointingWidth = 14

// pointing says whether what is asked to be remembered is elsewhere: "this",
// "that bug", "what I said".
func pointing(s, phrase string) bool {
	for _, w := range [...]string{"这个", "这些", "这一", "这次", "这里", "这段", "上面", "刚才", "那个", "那次", "它", "你说", "你刚"} {
		if strings.HasPrefix(s, w) && text.Width(s) <= pointingWidth {
			return true
		}
	}
	for _, w := range [...]string{"密码", "登录", "账号", "新密码", "您"} { // what programs remember
		if strings.HasPrefix(s, w) {
			return true
		}
	}
	ws := words(lower(s))
	if len(ws) == 0 {
		return true
	}
	switch ws[0] {
	case "when", "how", "what", "where", "why", "who", "which", "if", "whether":
		return true
	case "this", "it", "that", "these", "those", "for", "them", "me":
		return len(ws) <= 3 || ws[0] != "this" && ws[0] != "these" && ws[0] != "it"
	}
	if !strings.HasSuffix(phrase, "that") {
		return false
	}
	switch ws[0] { // "remember that bug"
	case "bug", "file", "time", "issue", "thing", "test", "function", "one", "error", "problem", "day", "conversation", "discussion", "script",
		"pr", "branch", "ticket", "commit", "code", "last", "old", "weird", "talk", "meeting", "class", "method", "crash", "module":
		return true
	}
	return false
}

// points says whether a statement, its phrase left out, says what it is about only
// together with what was said before it: "don't do that", "use it everywhere", "only
// Thursdays".
func points(told, phrase string) bool {
	ws := words(strings.Replace(lower(told), phrase, "", 1))
	for len(ws) > 1 && slices.Contains([]string{"again", "please", "everywhere", "anymore", "instead", "too", "either", "here", "ever"}, ws[len(ws)-1]) {
		ws = ws[:len(ws)-1]
	}
	clause := max(strings.LastIndex(told, ", "), 0)
	named := len(words(strings.Replace(lower(told[:clause]), phrase, "", 1))) > 2 // "when tests are flaky, fix them"
	for i, w := range ws {
		switch w {
		case "a", "an", "each", "every", "any": // "explain each command before you run it"
			named = true
		case "that", "this", "it", "them", "these", "those":
			if i+1 < len(ws) && stays(ws[i+1]) { // "in this project"
				continue
			}
			if i == len(ws)-1 && !named || i < 2 && w != "that" {
				return true
			}
		case "only":
			if i == 0 || i == len(ws)-1 {
				return true
			}
		}
	}
	return false
}

// denied says whether the words just before a phrase turn it round.
func denied(before string, lead []string) bool {
	for _, no := range [...]string{"不", "没", "别", "勿", "非", "未", "不要", "不用", "无需", "并不", "不再"} {
		if strings.HasSuffix(strings.TrimRight(before, " "), no) {
			return true
		}
	}
	for _, w := range lead[max(0, len(lead)-4):] {
		w = strings.ReplaceAll(w, "’", "'")
		switch {
		case strings.HasSuffix(w, "n't"), w == "not", w == "never", w == "without", w == "cannot", w == "nor", w == "neither", w == "hardly",
			w == "stop", w == "longer", w == "dont", w == "unless", w == "rarely", w == "avoid":
			return true
		}
	}
	return false
}

// reported says whether what comes before a phrase makes it another one's, or a
// supposition: "the docs say ...", "if I ...", "translate: ...".
func reported(before string) bool {
	for _, w := range [...]string{"说", "写道", "表示", "认为", "假如", "假设", "比如", "例如", "如果我", "翻译", "写着", "里写", "中写", "上写", "提到", "訳"} {
		if i := strings.LastIndex(before, w); i >= 0 && !strings.HasSuffix(before[:i], "我") && !strings.HasSuffix(before[:i], "跟你") {
			return true
		}
	}
	ws := words(before)
	if slices.ContainsFunc(ws, reporting) {
		return true
	}
	for i, w := range ws {
		prev := ""
		if i > 0 {
			prev = ws[i-1]
		}
		mine := prev == "i" || prev == "i've" || prev == "already" || prev == "just"
		switch w {
		case "says", "said", "say", "saying", "wrote", "writes", "written", "states", "stated", "stating", "reads", "reading", "told", "tells",
			"tell", "telling", "claims", "claimed", "mentions", "mentioned", "argues", "thinks", "suggests", "suggested", "recommends", "quote", "quotes", "replied":
			if !mine {
				return true
			}
		case "according", "whether", "asked", "asks", "example", "instance", "e.g", "suppose", "imagine", "pretend", "hypothetically", "assume",
			"assuming", "translate", "rephrase", "rewrite", "paraphrase", "print", "prints", "echo", "string", "sentence", "phrase", "typo", "summarize",
			"summarise", "explain", "greeting", "caption", "subtitle", "placeholder", "tagline", "joke", "story", "poem", "persona", "character", "lyrics", "email":
			return true
		case "user":
			if prev == "a" { // "as a user I always ..."
				return true
			}
		case "if", "unless", "because":
			if i == len(ws)-1 {
				return true
			}
		}
	}
	return false
}

// announced says whether what stands before a clause ends with a colon and may make the
// clause another text: "His comment on the PR:", but not "Important:" or "One rule:".
func announced(before string) bool {
	before, ok := strings.CutSuffix(strings.TrimRight(before, " "), ":")
	if !ok {
		before, ok = strings.CutSuffix(before, "：")
	}
	all := words(before)
	more := len(all) > 2 // "one rule" is two
	return ok && (more && len(slices.DeleteFunc(all, filler)) > 1 || request(before) != "" && text.Unspaced(lastRune(before)))
}

// passing says whether a sentence is about now, or a thing at hand, and not about from now
// on.
func passing(s string) bool {
	for _, w := range [...]string{"this time", "for now", "right now", "today", "just this once", "at the moment", "this once", "tonight",
		"tomorrow", "currently", "temporarily", "in the meantime", "🙄", "这次", "今天", "暂时", "目前", "这一次", "当前", "现在先", "这里先"} {
		if strings.Contains(s, w) {
			return true
		}
	}
	ws := words(s)
	if startsAny(ws, "while") {
		return true
	}
	for i, w := range ws[:max(0, len(ws)-1)] {
		if i > 0 && atHand(ws[i-1], w) && !stays(ws[i+1]) {
			return true
		}
	}
	return foreignPassing(s)
}

// unlike says whether what follows a phrase makes it another one: a choice
// between things at hand, a mishap.
func unlike(phrase string, rest []string) bool {
	if len(rest) == 0 {
		return false
	}
	next, after := rest[0], ""
	for _, two := range [...]string{"请求", "請求", "用户", "用戶", "用量"} { // one word, and not "please" or "use"
		head, tail := two[:len("请")], two[len("请"):]
		if strings.HasSuffix(phrase, head) && strings.HasPrefix(next, tail) {
			return true
		}
	}
	if len(rest) > 1 {
		after = rest[1]
	}
	switch phrase {
	case "i prefer":
		switch next {
		case "this", "that", "it", "these", "those", "your", "option", "a", "b", "1", "2", "both", "neither", "one", "number", "approach", "version", "solution", "plan":
			return true
		case "the":
			return slices.Contains([]string{"first", "second", "third", "fourth", "last", "latter", "former", "other", "previous", "original", "new", "old", "one", "current",
				"earlier", "later", "way", "simpler", "shorter", "longer", "approach", "version", "option", "idea", "left", "right", "top", "bottom"}, after)
		case "to":
			return slices.Contains([]string{"wait", "start", "go", "stop", "skip", "leave", "do", "fix", "merge", "move", "avoid", "keep", "continue"}, after)
		}
	case "i always":
		switch next {
		case "get", "see", "forget", "end", "thought", "wonder", "wondered", "fail", "struggle", "mess", "hit", "find", "have", "had", "confuse", "mix", "lose",
			"got", "fall", "seem", "feel", "love", "heard", "hear", "need", "make", "break", "ruin", "enjoy", "wanted", "knew", "assumed", "believed", "think":
			return true
		case "run":
			return after == "into" || after == "out"
		}
	case "always use", "never use", "please always", "please never":
		if next == "use" {
			next = after
		}
		return next == "feel" || slices.Contains([]string{"this", "that", "it", "the", "these"}, next) && len(rest) <= 2
	}
	return false
}

// ordering says whether a phrase is an order itself: what follows "I" tells a habit, for
// which there are phrases of their own.
func ordering(phrase string) bool {
	return strings.HasPrefix(phrase, "always ") || strings.HasPrefix(phrase, "never ")
}

// anywhere says whether a phrase may stand anywhere in its sentence.
func anywhere(phrase string) bool {
	switch phrase {
	case "from now on", "going forward", "in future", "from here on", "henceforth", "in all future sessions":
		return true
	}
	return fromNowOn(phrase)
}

// unspacedOrder says the same of what follows a Chinese phrase: it orders, it
// tells what will be, or one cannot tell.
func unspacedOrder(phrase, rest string) (sure, tells bool) {
	rest = strings.TrimLeft(rest, " ，,：、")
	if strings.ContainsFunc(rest, kana) {
		return japaneseOrder(rest), strings.Contains(rest, "か教え") || strings.Contains(rest, "か説明")
	}
	for _, w := range [...]string{"算", "应该", "就", "我", "他", "她", "它", "会", "可以", "将", "也许", "可能"} {
		if strings.HasPrefix(rest, w) {
			return false, true
		}
	}
	for _, w := range [...]string{"了", "～", "了。", "了！", "了吧"} {
		if strings.HasSuffix(rest, w) {
			return false, true
		}
	}
	return unspacedWish(phrase+rest) && !unspacedQuestion(rest), false
}

// unspacedLead says what stands before a Chinese phrase: nothing that matters
// ("我们"), something it may be about ("提交信息"), or what makes "以后" mean
// "after" ("刷新").
func unspacedLead(lead string) (clear, after bool) {
	lead = request(lead)
	for _, w := range [...]string{"", "我们", "我", "咱们", "大家", "我们以后", "我希望", "希望"} {
		if lead == w {
			return true, false
		}
	}
	for _, w := range [...]string{"了", "完", "次", "后", "完成", "结束", "成功", "刷新", "安装", "修改", "添加", "更新", "登录", "启动", "重启", "部署", "升级", "保存", "提交", "合并"} {
		if strings.HasSuffix(lead, w) {
			return false, true
		}
	}
	return false, false
}

// goingOn says whether what stands around "going forward" is one with it.
func goingOn(lead, rest []string) bool {
	if startsAny(rest, "with", "from", "to", "into", "through") {
		return true
	}
	if len(lead) == 0 {
		return false
	}
	switch lead[len(lead)-1] {
	case "is", "are", "was", "before", "continue", "move", "moving", "in", "go", "keep", "by", "with", "not", "for", "plan", "of", "i'm", "we're", "it's", "start", "starting", "the":
		return true
	}
	return false
}

// orders says whether a sentence that begins with this word rather says how
// something is to be than how it is.
func orders(first string) bool {
	switch strings.ReplaceAll(first, "’", "'") {
	case "always", "never", "please", "don't", "do", "no", "only", "let's", "we", "use", "write", "keep", "put", "run", "prefer", "make", "add", "call", "name",
		"answer", "reply", "respond", "explain", "ask", "stop", "avoid", "treat", "format", "commit", "include", "cite", "show", "tell", "test", "check", "squash",
		"tag", "start", "cut", "begin", "end", "create", "deploy", "document", "skip", "log", "store", "send", "speak", "talk", "give", "import", "mark", "move",
		"build", "prefix", "sign", "sort", "validate", "wrap", "assume", "leave", "limit", "follow", "be", "try", "return", "save", "set", "split", "update":
		return true
	}
	return foreignOrder(first)
}

// leadsIn says whether these words may stand before a statement of one's own.
func leadsIn(lead []string) bool {
	if isTopic(lead) {
		return true
	}
	for _, w := range lead {
		if filler(w) {
			continue
		}
		switch w {
		case "as", "i", "said", "already", "told", "you", "like", "generally", "usually", "personally", "in", "general", "for", "what", "it's", "worth", "should", "must",
			"we", "let's", "make", "sure", "to", "i've", "because", "since", "me", "myself", "that", "here", "agents", "everyone", "need", "have":
		default:
			return false
		}
	}
	return true
}

// isTopic says whether words only say what a statement is about.
func isTopic(lead []string) bool {
	for len(lead) > 0 && filler(lead[0]) {
		lead = lead[1:]
	}
	if len(lead) < 2 || len(lead) > 8 { // "when I ...", alone, supposes
		return false
	}
	switch lead[0] {
	case "for", "in", "when", "with", "on", "whenever", "if", "as", "during", "before", "after", "while", "regarding", "concerning", "about":
		return true
	}
	return false
}

// asks says whether a sentence is a question.
func (s sentence) asks(whole []string) bool {
	if s.question {
		return true
	}
	for _, end := range [...]string{"吗", "呢", "么", "吗。", "嘛"} {
		if strings.HasSuffix(s.text, end) {
			return true
		}
	}
	return startsAny(afterFillers(whole), "do", "does", "did", "should", "shall", "would", "could", "can", "will", "is", "are", "am", "was", "were", "what", "why", "how", "where",
		"which", "who", "whose", "have", "has", "isn't", "doesn't", "aren't", "shouldn't", "wouldn't", "can't", "how's", "what's", "why's")
}

func startsAny(ws []string, any ...string) bool { return len(ws) > 0 && slices.Contains(any, ws[0]) }

// politely says whether a question asks to do something: "could you ...".
func politely(whole []string) bool {
	whole = afterFillers(whole)
	return startsAny(whole, "can", "could", "would", "will") && len(whole) > 1 && whole[1] == "you"
}
