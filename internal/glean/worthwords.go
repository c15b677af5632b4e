package glean

// The words by which [Worthy] tells. As in words.go, each is in its table because
// of a case: here of the dev half of eval/worth.

// complaints begin a sentence about what happens again and again, or is hated.
func complaints() []string {
	return []string{"stop adding", "stop using", "stop writing", "stop putting", "stop doing", "stop making", "you keep", "you always", "you never",
		"i hate", "i told you", "i don't want", "i do not want", "i don't like", "i can't stand", "i'd rather", "i would rather", "why do you always", "why do you keep",
		"please don't", "please do not", "please avoid", "as a rule", "you forgot the ", "that's not how we", "that is not how we", "call me ", "i prefer", "你又", "你总是", "你老是", "别再", "不要再", "我讨厌", "我不喜欢", "我更喜欢"}
}

// corrections begin a sentence that sets something right.
func corrections() []string {
	return []string{"no,", "no no", "nope", "wrong", "that's wrong", "that is wrong", "that's not", "that is not", "not like that", "actually", "ugh", "don't ",
		"do not ", "never ", "always ", "incorrect", "again", "i am on", "i'm on", "i'm ", "i want", "i find ", "i need ", "our ", "my ", "nah,", "we don't", "please ", "the ", "whoa", "hey,", "别", "请", "we never", "we always", "we use", "we don't", "不对", "错了", "不是这样", "不要"}
}

// standing says that it is so for good, or for everybody here.
func standing() []string {
	return []string{" always ", " never ", " ever ", " every ", " by default ", " in this repo ", " for this repo ", " in this project ", " here ", " we use ", " our ",
		" my timezone ", " in our ", " in all ", " everywhere ", " are called ", " each time ", " whenever ", " first please ", " under ", " start with ",
		" for me ", " asking ", " keep ", " each time ", " codebase ", " this team ", " we don't ", " as a rule ", " please avoid ", " must be ", " how we ", " minimum ", " conventions "}
}

func standingUnspaced() []string {
	return []string{"统一", "每次", "我们的", "我们用", "以后", "都要", "一律", "所有", "不要用", "我们团队", "尽量", "都写", "必须", "默认"}
}

// contrast puts one thing in the place of another.
func contrast() []string {
	return []string{", not ", " instead of ", " rather than ", " is not ", " not my ", "，不要", "，不是", "而不是", ", so "}
}

// momentary says that it is about this piece of work.
func momentary() []string {
	return []string{" this heading ", " this lookup ", " this file ", " the other ", " that last ", " line ", " yet ", " still ", " again without ", " just show ",
		" this function ", " this test ", " as well ", " one more ", " now ", " above ", " below ", " here? ", " this button ", " the button ", " column ", " tooltip ", " ignore that ", " forget it "}
}

func momentaryUnspaced() []string {
	return []string{"这个", "这里", "目录下", "刚才", "上面"}
}

// insights say that somebody found out why.
func insights() []string {
	return []string{"root cause", "turned out", "turns out", "lesson learned", "the lesson", "the mistake was", "the cause was", "should have checked", "found it:", "gotcha", "it was the ", "the reason was", "the reason is", "the problem was", "the culprit",
		"根本原因", "原来是", "教训"}
}

// choices say that something was chosen.
func choices() []string {
	return []string{"decided", "decision:", "i chose", "we chose", "i went with", "we went with", "settled on", "let's go with", "we'll go with", "let's drop", "we'll stay",
		"we stay", "we keep", "go to the", "i would not", "i would say", "we'll pay", "we're going to", "we are going to", "we agree", "is worth it", "not worth it", "stays ", "那就定了", "决定", "改用", "选择了"}
}

func reasons() []string {
	return []string{"because", " since ", " has to be ", " have to ", " must be ", " needs to ", " nobody ", " we need ", ": ", "必须", "did not work", ", so ", " too ", "caused by", "due to", "so that", "which cost", " would ", "that is why", "lost ", "cost ", "would have to", "因为", "所以", "太慢", "会增加"}
}

// choiceQuestions ask for a choice or its reason.
func choiceQuestions() []string {
	return []string{"should we", "do we ", "can we use", "do we take", "which library", "why did you", "why did we", "why do ", "why you ", "what slowed", "did you find out", " or ", "so we agree", "conclusion", "why does", "why are", "why were", "decide", "what did we get wrong",
		"what happened", "any idea why", "approach", "leak", "为什么", "怎么回事"}
}

// working are the words of work that is being done.
func working() []string {
	return []string{"i made it", "i changed", "i moved", "i added", "i renamed", "ran it"}
}

// lookups begin a request for a fact.
func lookups() []string {
	return []string{"which ", "what ", "what's ", "whats ", "where ", "who ", "how ", "is there", "does ", "find ", "find out", "look up", "check which", "check what", "check the", "are there", "can you see", "can you find", "can you check", "do we ", "tell me which"}
}

func lookupsUnspaced() []string {
	return []string{"查一下", "查查", "在哪", "是多少", "哪台", "哪个版本"}
}

// aboutWork are words of requests about the work itself.
func aboutWork() []string {
	return []string{"diff", "how far", "status", "progress", "进度", "mean in ", "is the build", "difference between", "tell me what", "undo", "how do i"}
}

// sources say where a fact was read.
func sources() []string {
	return []string{"per the ", "gives ", "comes from", "robots.txt", "i checked", "i searched", "i read", "according to", "documentation", " says", "from the", ".go ", ".yaml", "config", "shows that", "dig shows", "pinned",
		"in their", "lifecycle", "runbook", "source", "文档", "配置在", "写明"}
}

// relations are verbs of what is so.
func relations() []string {
	return []string{" is ", " are ", " lives ", " live ", " needs ", " allows ", " uses ", " runs ", " keeps ", " has ", " sets ", " belongs ", " resolves ", " accepts ",
		" listens ", " rejects ", " must ", " limited "}
}

func relationsUnspaced() []string {
	return []string{"最多", "使用", "在 ", "需要", "位于", "端口"}
}

// statusWords tell how far the work is.
func statusWords() []string {
	return []string{" pass ", " passed ", " deployed ", " pushed ", " merged ", " committed ", " finished ", " restarted ", " done ", " applied ", " insertions ", " green ",
		" left ", " running "}
}

func statusUnspaced() []string {
	return []string{"已经完成", "跑完", "全部通过", "已拆分", "已改"}
}
