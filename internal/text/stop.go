package text

// Stop tells whether a lower-cased word, without apostrophes, says nothing by
// itself: English function words, and Chinese particles of one character.
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
		"you", "youd", "youll", "your", "youre", "yours", "yourself", "yourselves", "youve":
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

// Weak tells whether a lower-cased word is in so many requests that it says
// little about what is asked; it counts half.
func Weak(word string) bool {
	switch word {
	case "able", "actually", "add", "also", "always", "another", "anything", "ask", "back", "best",
		"call", "change", "check", "code", "come", "create", "current", "currently", "different", "done", "even",
		"every", "everything", "explain", "file", "find", "first", "fix", "get", "give", "go", "going", "good",
		"got", "help", "just", "keep", "kind", "know", "last", "let", "like", "look", "made", "make", "many", "may",
		"much", "need", "new", "next", "no", "not", "now", "one", "please", "possible", "project", "put", "really",
		"remember", "right", "run", "said", "say", "see", "set", "show", "something", "still", "sure", "take",
		"tell", "thanks", "thing", "things", "think", "time", "try", "two", "update", "use", "used", "using",
		"want", "way", "well", "work", "working", "write", "yes", "yet":
		return true
	}
	return false
}
