package text

// Stop tells whether a lower-cased word, without apostrophes, says nothing by
// itself: English function words, and Chinese ones, particles of one character
// among them.
func Stop(word string) bool {
	switch word {
	case "a", "about", "above", "after", "again", "against", "all", "am", "an", "and", "any", "are", "arent",
		"as", "at", "be", "because", "been", "before", "being", "below", "between", "both", "but", "by",
		"can", "cannot", "cant", "could", "couldnt", "did", "didnt", "do", "does", "doesnt", "doing", "dont",
		"down", "during", "each", "else", "ever", "few", "for", "from", "further", "had", "hadnt", "has", "hasnt",
		"have", "havent", "having", "he", "hed", "her", "here", "heres", "hers", "herself", "hes", "him",
		"himself", "his", "how", "hows", "i", "id", "if", "ill", "im", "in", "into", "is", "isnt", "it",
		"its", "itself", "ive", "lets", "me", "might", "more", "most", "must", "mustnt", "my", "myself",
		"nor", "of", "off", "on", "once", "only", "or", "other", "ought", "our", "ours",
		"ourselves", "out", "over", "own", "same", "shall", "shant", "she", "shes", "should",
		"shouldnt", "so", "some", "such", "than", "that", "thats", "the", "their", "theirs", "them",
		"themselves", "then", "there", "theres", "these", "they", "theyd", "theyll", "theyre", "theyve",
		"this", "those", "through", "to", "too", "under", "until", "up", "us", "very", "was", "wasnt", "we",
		"wed", "weve", "were", "werent", "what", "whats", "when", "whens", "where", "wheres",
		"which", "while", "who", "whom", "whos", "why", "whys", "will", "with", "wont", "would", "wouldnt",
		"you", "youd", "youll", "your", "youre", "yours", "yourself", "yourselves", "youve",
		"我们", "咱们", "你们", "他们", "它们", "自己", "什么", "为什么", "为何", "怎么", "怎样", "怎么样", "如何", "哪个", "哪些", "哪一个", "那个", "这个",
		"这些", "那些", "这里", "那里", "这样", "那样", "一个", "一些", "能", "会", "要", "可以", "能够", "能否", "能不能", "可不可以", "是否", "是不是", "有没有",
		"还", "还是", "已经", "以及", "并且", "而且", "如果", "因为", "所以", "但是", "不过", "然后", "对于", "关于", "通过", "以后", "之后", "之前", "情况下":
		return true
	}
	return len(word) == 3 && word[0] >= 0xE0 && particle([]byte(word))
}

// particle tells whether the character, in UTF-8, is a Chinese or Japanese
// particle. Pairs with it are kept, so that no word is lost.
func particle(c []byte) bool {
	switch string(c) {
	case "的", "了", "着", "呢", "吗", "吧", "啊", "呀", "嘛", "么", "之", "与", "及", "和", "或", "是", "在", "就", "也", "都", "很",
		"は", "が", "を", "に", "の", "へ", "で", "と", "も", "か", "ね", "よ", "だ", "た", "し", "て", "す":
		return true
	}
	return false
}

// Weak tells whether a lower-cased word is in so many requests, or says so
// little about what is asked, that it counts half: the verbs and nouns that any
// question is framed with.
func Weak(word string) bool {
	switch word {
	case "able", "according", "actual", "actually", "add", "allow", "allowed", "also", "always", "another", "answer", "anybody",
		"anyone", "anything", "anywhere", "around", "ask", "asked", "asks", "away", "back", "became", "become", "becomes", "began",
		"begin", "begins", "best", "better", "big", "bit", "bring", "brings", "brought", "call", "called", "came", "carry", "case",
		"certain", "change", "check", "choice", "chose", "code", "come", "comes", "coming", "create", "current", "currently", "deal",
		"describe", "detail", "details", "different", "done", "early", "easy", "either", "enough", "entire", "especially", "even",
		"everybody", "everyone", "everything", "exact", "exactly", "expect", "expected", "explain", "far", "feel", "feels", "felt",
		"file", "find", "finds", "first", "fix", "found", "gave", "general", "generally", "get", "gets", "getting", "give", "given",
		"gives", "go", "goes", "going", "good", "got", "great", "happen", "happened", "happening", "happens", "hard", "help", "hold",
		"holds", "idea", "important", "info", "information", "instead", "involve", "involved", "just", "keep", "keeps", "kept", "kind",
		"kinds", "knew", "know", "known", "knows", "large", "last", "later", "least", "less", "let", "like", "likely", "little", "long",
		"longer", "look", "looking", "looks", "lot", "lots", "made", "main", "make", "makes", "making", "many", "matter", "may",
		"mean", "means", "meant", "mention", "mentioned", "much", "name", "named", "necessary", "need", "needed", "needs", "new",
		"next", "no", "nobody", "not", "nothing", "now", "occur", "occurred", "often", "okay", "one", "option", "options", "part",
		"particular", "people", "permitted", "person", "place", "please", "point", "possible", "precisely", "present", "probably",
		"project", "purpose", "put", "puts", "question", "quite", "rather", "real", "really", "reason", "reasons", "recently",
		"related", "remember", "right", "run", "said", "say", "says", "see", "seem", "seemed", "seems", "seen", "set", "several",
		"short", "show", "shown", "simple", "simply", "single", "small", "somebody", "someone", "something", "sometimes", "somewhere",
		"soon", "sort", "sorts", "specific", "still", "stuff", "supposed", "sure", "take", "taken", "takes", "talk", "tell", "thank",
		"thanks", "thing", "things", "think", "thought", "time", "times", "told", "took", "toward", "towards", "tried", "tries", "try",
		"trying", "turn", "turned", "turns", "two", "type", "types", "update", "upon", "usage", "use", "used", "uses", "using", "usual",
		"usually", "various", "want", "wanted", "wants", "way", "ways", "went", "whether", "whole", "whose", "within", "without",
		"word", "work", "working", "write", "yes", "yet",
		"多少", "多久", "什么时候", "何时", "在哪", "在哪里", "哪里", "哪儿", "谁", "几个", "多大", "多长", "用", "使用", "看", "做", "处理", "应该", "需要", "必须",
		"现在", "目前", "当前", "问题", "方式", "没有", "不", "不能", "最后", "直接", "所有", "人", "时间":
		return true
	}
	return false
}
